/** Sends alerts about concerns: immediately, then daily while they last. */

import { addMs, HOUR_MS, type Instant } from '../../../shared/day.ts';
import { describeFailure, judgeAttempt } from '../failures.ts';
import { type MailTransport, type Outgoing, type Sender, sendAlone } from '../smtp.ts';
import type { AlertStore } from './alert-store.ts';
import type { ConcernKind, LastingConcern } from './concern.ts';

/** Hours to wait before an alert names a concern that may resolve itself. Failed runs, for example, are retried. */
const TOLD_AFTER_HOURS: Partial<Record<ConcernKind, number>> = {
  failed: 2,
  'never-ingested': 2,
  confirmations: 1,
  'public-url': 1,
  unwritable: 1,
};

export type AlertContext = {
  alerts: AlertStore;
  from: Sender;
  to: string;
  writeAlert(concerns: readonly LastingConcern[]): Pick<Outgoing, 'subject' | 'html' | 'text'>;
  openTransport(): MailTransport;
  /** Called when an alert was sent, which shows that mail works. */
  sent(): Promise<unknown>;
  now(): Instant;
  warn(sentence: string): void;
};

/** Sends the alert that is due. The caller must hold the lock `alerts`. */
export async function tellOperator(
  context: AlertContext,
  concerns: readonly LastingConcern[],
): Promise<void> {
  const { alerts, from, to, now } = context;
  if (!concerns.some((one) => needsAlert(one, now()))) return alerts.drop();
  const alert = await alerts.claim(now());
  if (alert === undefined) return;
  const email = context.writeAlert(concerns);
  const { message, madeAt } = alert;
  const outgoing = { message, from, to, madeAt, what: 'alert', ...email };
  const attempt = await sendAlone(context.openTransport(), outgoing);
  await alerts.finish(judgeAttempt({ ...alert, doubts: 0 }, attempt, now())); // the alert store counts doubts
  if (attempt.end === 'failure') context.warn(`the alert is not sent: ${describeFailure(attempt)}`);
  else await context.sent();
}

function needsAlert({ kind, since, tellFrom = since }: LastingConcern, now: Instant): boolean {
  return now >= tellFrom && since <= addMs(now, -(TOLD_AFTER_HOURS[kind] ?? 0) * HOUR_MS);
}
