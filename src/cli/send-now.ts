/**
 * Sends mail from a command: `sendNow` decides and sends stored messages, `sendOne` sends an unstored message.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeReturnPath } from '../mail/bounces/return-path.ts';
import type { EmailBody } from '../mail/email-layout.ts';
import { describeFault } from '../mail/faults.ts';
import type { EditionProgress } from '../mail/outbox-store.ts';
import { sendAlone } from '../mail/smtp.ts';
import type { Mail } from '../operations/connect-mail.ts';
import type { Service } from '../operations/service.ts';
import { makeRandomName } from '../subscribers/tokens.ts';
import type { Report } from './options.ts';
import { EXIT } from './terminal.ts';

const MOST_SAID = 1_000;
const STOPPING = ['SIGTERM', 'SIGINT'] as const;
const MAIL_LOCK_WAIT_MS = 120_000; // the service may be sending mail

/**
 * Ends a pause, then sends the mail that `decide` chooses and all other due mail. Returns in `trouble` why mail is
 * paused afterwards. With `isDry`, only decides.
 */
export async function sendNow<T>(
  service: Service,
  decide: (mail: Mail) => Promise<T>,
  isDry = false,
): Promise<{ decided: T; trouble: string | null }> {
  const { openMail } = await import('../operations/connect-mail.ts'); // loaded only here, so other commands start faster
  const mail = openMail(service);
  if (isDry) return { decided: await decide(mail), trouble: null };
  const { outbox } = service.store;
  // finishes and marks the messages being sent; the next process that delivers sends the rest
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
    mail.transport.close();
  }
}

/** Writes an email as HTML and as plain text, by default into SHINGLE_DATA/preview. Returns the paths of the files. */
export function writePreview(
  { config }: Service,
  { name, folder = join(config.dataFolder, 'preview') }: { name: string; folder?: string | undefined },
  email: EmailBody,
): { html: string; text: string } {
  mkdirSync(folder, { recursive: true });
  const [html, text] = [join(folder, `${name}.html`), join(folder, `${name}.txt`)];
  writeFileSync(html, email.html);
  writeFileSync(text, email.text);
  return { html, text };
}

const PROGRESS_WORDS = {
  sent: 'sent',
  waiting: 'waiting',
  failed: 'refused',
  uncertain: 'uncertain',
  expired: 'too old',
  withdrawn: 'withdrawn',
};

export function describeProgress(progress: EditionProgress, trouble: string | null): string {
  const states = Object.entries(PROGRESS_WORDS) as [keyof EditionProgress, string][];
  const parts = states
    .filter(([state]) => state === 'sent' || progress[state] > 0)
    .map(([state, words]) => `${progress[state]} ${words}`);
  return `${parts.join(', ')}${trouble === null ? '' : `; paused: ${trouble}`}`;
}

/** The result of sending a message: `way` is the server or folder, `trouble` the fault, `said` the server's text. */
export type SentOne = { sent: boolean; way: string; trouble: string | null; said: string | null };

/** Sends one message to the operator. If that succeeds, ends a pause of mail. */
export async function sendOne(
  service: Service,
  { to, what, email }: { to: string; what: string; email: EmailBody },
): Promise<SentOne> {
  const { openMail } = await import('../operations/connect-mail.ts');
  const { from, smtp, bounces } = service.config.mail;
  const message = makeRandomName();
  // the mail server must accept this kind of sender, so the test uses the return path of a made-up message
  const reported = { message, subscriber: '', type: 'weekly' } as const;
  const returnPath = bounces && makeReturnPath(bounces, await service.store.bounces.key(), reported);
  const outgoing = { message, from, to, madeAt: service.now(), what, returnPath, ...email };
  const attempt = await sendAlone(openMail(service).transport, outgoing);
  if (attempt.end === 'sent') await service.store.outbox.resume();
  const fault = attempt.end === 'fault' ? attempt : undefined;
  return {
    sent: attempt.end === 'sent',
    way: smtp === undefined ? `a file in ${service.config.dataFolder}/mail` : `${smtp.host}:${smtp.port}`,
    trouble: fault === undefined ? null : describeFault(fault),
    said: makePrintable(fault?.said ?? '') || null,
  };
}

export function reportSentOne({ sent, way, trouble, said }: SentOne): Report {
  if (sent) return { text: `sent (${way})` };
  const words = said === null ? '' : `\nThe mail server's answer: ${said}`;
  return { text: `not sent (${way}): ${trouble}${words}`, isError: true, code: EXIT.failed };
}

/** Removes control characters from a server's text, because they could move the cursor of a terminal. */
function makePrintable(text: string): string {
  return text
    .replace(/\p{C}+/gu, ' ')
    .slice(0, MOST_SAID)
    .trim();
}
