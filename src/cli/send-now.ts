/**
 * What commands that send have in common. To many: they decide under the mail lock, deliver, and report how far that came. To the operator:
 * one message that is stored nowhere, and what the server said.
 */

import { makeReturnPath } from '../mail/bounces/return-path.ts';
import type { EmailBody } from '../mail/email-layout.ts';
import { type Attempt, describeFault } from '../mail/faults.ts';
import type { EditionProgress } from '../mail/outbox-store.ts';
import type { Mail } from '../operations/mail.ts';
import type { Service } from '../operations/service.ts';
import { makeRandomName } from '../subscribers/tokens.ts';
import { printError, printLine } from './terminal.ts';

const MOST_SAID = 1_000;
const STOPPING = ['SIGTERM', 'SIGINT'] as const;
const MAIL_LOCK_WAIT_MS = 120_000; // the service's own mailer may be in the middle of a round

/** Ends a pause, and sends what was decided and all else that is due. `trouble`: why mail is paused afterwards. */
export async function sendNow<T>(
  service: Service,
  decide: (mail: Mail) => Promise<T>,
): Promise<{ decided: T; trouble: string | null }> {
  const { openMail } = await import('../operations/mail.ts'); // the other commands start faster without SMTP
  const mail = openMail(service);
  const { outbox } = service.store;
  // messages being sent are finished and marked; the next process that delivers sends those that wait
  const stop = () => mail.delivery.stop();
  for (const signal of STOPPING) process.once(signal, stop);
  try {
    return await outbox.alone(MAIL_LOCK_WAIT_MS, async () => {
      const decided = await decide(mail);
      await outbox.resume();
      await mail.delivery.round();
      const { trouble } = await outbox.standing(service.now());
      return { decided, trouble };
    });
  } finally {
    for (const signal of STOPPING) process.off(signal, stop);
    mail.post.close();
  }
}

/** How many messages are where, in words. */
export function describeProgress(progress: EditionProgress, trouble: string | null): string {
  const { sent, waiting, failed, uncertain, expired, withdrawn } = progress;
  const parts = [`${sent} sent`];
  for (const [n, word] of [
    [waiting, 'waiting'],
    [failed, 'refused'],
    [uncertain, 'uncertain'],
    [expired, 'too old'],
    [withdrawn, 'withdrawn'],
  ] as const) {
    if (n > 0) parts.push(`${n} ${word}`);
  }
  return `${parts.join(', ')}${trouble === null ? '' : `; paused: ${trouble}`}`;
}

/** How one message went: `way` is where it went, `trouble` why not, `said` the server's own words. */
export type SentOne = { sent: boolean; way: string; trouble: string | null; said: string | null };

/** Sends one message that no subscriber gets, and ends a pause of mail if that works. */
export async function sendOne(
  service: Service,
  { to, what, email }: { to: string; what: string; email: EmailBody },
): Promise<SentOne> {
  const { openMail } = await import('../operations/mail.ts');
  const { post } = openMail(service);
  const { from, smtp, bounces } = service.config.mail;
  const message = makeRandomName();
  // no message of the store belongs to it: it shows whether the mail server accepts such a sender
  const reported = { message, subscriber: '', type: 'weekly' } as const;
  const returnPath = bounces && makeReturnPath(bounces, await service.store.bounces.key(), reported);
  try {
    const headers = { 'Auto-Submitted': 'auto-generated' };
    const outgoing = { message, from, to, madeAt: service.now(), what, returnPath, ...email, headers };
    const attempt = await post.send(0, outgoing, async () => true);
    if (attempt.end === 'sent') await service.store.outbox.resume();
    const way =
      smtp === undefined ? `a file in ${service.config.dataFolder}/mail` : `${smtp.host}:${smtp.port}`;
    return { way, ...describeAttempt(attempt) };
  } finally {
    post.close();
  }
}

function describeAttempt(attempt: Attempt): Pick<SentOne, 'sent' | 'trouble' | 'said'> {
  if (attempt.end !== 'fault') return { sent: attempt.end === 'sent', trouble: null, said: null };
  return { sent: false, trouble: describeFault(attempt), said: makePrintable(attempt.said ?? '') || null };
}

export function printSentOne({ sent, way, trouble, said }: SentOne): void {
  if (sent) printLine(`sent by ${way}`);
  else printError(`not sent by ${way}: ${trouble}${said === null ? '' : `\nIn its own words: ${said}`}`);
}

/** What a server says must not move the cursor of a terminal. */
function makePrintable(text: string): string {
  return text
    .replace(/\p{C}+/gu, ' ')
    .slice(0, MOST_SAID)
    .trim();
}
