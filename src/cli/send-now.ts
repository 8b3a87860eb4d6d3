/** What commands that send to many have in common: they decide under the mail lock, deliver, and report how far that came. */

import type { EditionProgress } from '../mail/outbox-store.ts';
import type { Mail } from '../operations/mail.ts';
import type { Service } from '../operations/service.ts';

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
