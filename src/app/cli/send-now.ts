/**
 * Sends mail from a command: `sendNow` decides and sends stored messages, `sendOne` sends an unstored message. Both refuse the
 * draft of a city that strangers can see.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmailBody } from '../../page/email/email-layout.ts';
import { makeReturnPath } from '../../service/mail/bounces/return-path.ts';
import { describeFailure, makePrintable } from '../../service/mail/failures.ts';
import { type EditionProgress, PROGRESS_STATES } from '../../service/mail/outbox-store.ts';
import { sendAlone } from '../../service/mail/smtp.ts';
import { makeRandomName } from '../../service/subscribers/tokens.ts';
import { formatMoment, type Instant } from '../../shared/day.ts';
import { EXIT } from '../exit-codes.ts';
import type { Mail } from '../operations/connect-mail.ts';
import { refusePlaceholders } from '../operations/listening.ts';
import type { Service } from '../operations/service.ts';
import type { Report } from './options.ts';

const STOPPING = ['SIGTERM', 'SIGINT'] as const;
const MAIL_LOCK_WAIT_MS = 120_000; // the service may be sending mail

/** What was decided and sent. `problem`: why mail is paused afterwards. `nextAt`: when a message that still waits is due. */
export type Sent<T> = T & {
  isDry: boolean;
  progress: EditionProgress;
  problem: string | null;
  nextAt: Instant | null;
};

/** Ends a pause, then sends the mail that `decide` chooses and all other due mail. With `isDry`, only decides. */
export async function sendNow<T>(
  service: Service,
  { delivery, transport }: Mail,
  decide: (isDry: boolean) => Promise<T>,
  readProgress: (decided: T) => Promise<EditionProgress>,
  isDry = false,
): Promise<Sent<T>> {
  refusePlaceholders(service);
  const { store, now } = service;
  const { outbox } = store;
  if (isDry) {
    const decided = await decide(true);
    return { ...decided, isDry, progress: await readProgress(decided), problem: null, nextAt: null };
  }
  // finishes and marks the messages being sent; the next process that delivers sends the rest
  const stop = () => delivery.stop();
  for (const signal of STOPPING) process.once(signal, stop);
  try {
    return await store.alone('mail', MAIL_LOCK_WAIT_MS, async () => {
      const decided = await decide(false);
      await outbox.resume();
      await delivery.round();
      const { problem } = await outbox.standing(now());
      const nextAt = await outbox.nextAt();
      return { ...decided, isDry, progress: await readProgress(decided), problem, nextAt };
    });
  } finally {
    for (const signal of STOPPING) process.off(signal, stop);
    transport.close();
  }
}

/** Writes an email as HTML and as plain text into SHINGLE_DATA/preview. Returns the paths of the files. */
export function writePreview(
  { config }: Service,
  name: string,
  email: EmailBody,
): { html: string; text: string } {
  const folder = join(config.dataFolder, 'preview');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [html, text] = [join(folder, `${name}.html`), join(folder, `${name}.txt`)];
  writeFileSync(html, email.html, { mode: 0o600 });
  writeFileSync(text, email.text, { mode: 0o600 });
  return { html, text };
}

export function describeProgress(
  progress: EditionProgress,
  { problem, nextAt }: Pick<Sent<unknown>, 'problem' | 'nextAt'> = { problem: null, nextAt: null },
): string {
  const parts = PROGRESS_STATES.filter((state) => state === 'sent' || progress[state] > 0).map(
    (state) => `${progress[state]} ${state}`,
  );
  if (problem !== null) return `${parts.join(', ')}; paused: ${problem}`;
  const isHeld = progress.waiting > 0 && nextAt !== null;
  return `${parts.join(', ')}${isHeld ? `; sent again from ${formatMoment(nextAt)} on` : ''}`;
}

/** Sends one message to the operator and reports with `facts`. If that succeeds, ends a pause of mail. */
export async function sendOne(
  service: Service,
  { transport }: Mail,
  { to, what, email, ...facts }: { to: string; what: string; email: EmailBody; [fact: string]: unknown },
): Promise<Report> {
  refusePlaceholders(service);
  const { config, store, now } = service;
  const { from, smtp, bounces } = config.mail;
  const message = makeRandomName();
  // the mail server must accept this kind of sender, so the test uses the return path of a made-up message
  const reported = { message, subscriber: '', type: 'weekly' } as const;
  const returnPath = bounces && makeReturnPath(bounces, await store.bounces.key(), reported);
  const attempt = await sendAlone(transport, {
    message,
    from,
    to,
    madeAt: now(),
    what,
    returnPath,
    ...email,
  });
  const way = smtp === undefined ? `a file in ${config.dataFolder}/mail` : `${smtp.host}:${smtp.port}`;
  // a message that is not stored cannot be canceled
  if (attempt.end !== 'failure') {
    await store.outbox.resume();
    return { json: { ...facts, sent: true, way, problem: null, said: null }, text: `sent (${way})` };
  }
  const problem = describeFailure(attempt);
  const said = makePrintable(attempt.said ?? '') || null;
  const who = /\b\d{3}\b/.test(attempt.code) ? "The mail server's answer" : 'In detail';
  const words = said === null ? '' : `\n${who}: ${said}`;
  return {
    json: { ...facts, sent: false, way, problem, said },
    text: `not sent (${way}): ${problem}${words}`,
    isError: true,
    code: EXIT.failed,
  };
}
