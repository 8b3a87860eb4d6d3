/** Tells the operator what needs a person: at once, then once a day as long as it lasts. */

import type { City } from '../../city/define.ts';
import { addMs, HOUR_MS, type Instant } from '../../listings/day.ts';
import { type Attempt, describeFault } from '../faults.ts';
import type { MailTransport, Sender } from '../mail-transport.ts';
import { renderAlertEmail } from './alert-email.ts';
import type {
  Alert,
  AlertOutcome,
  AlertStore,
  Concern,
  ConcernKind,
  ObservedConcern,
} from './alert-ports.ts';
import { nameConcern } from './concern-name.ts';

const FIRST_WAIT_MS = 300_000;
const LONGEST_WAIT_MS = 4_000_000;

/** What may end by itself is told only when it lasts: a failed run is tried again after an hour. */
const TOLD_AFTER_HOURS: Partial<Record<ConcernKind, number>> = {
  failed: 2,
  'never-ingested': 2,
  confirmations: 1,
};

export type AlertContext = {
  alerts: AlertStore;
  city: City;
  from: Sender;
  to: string;
  /** The public address. */
  serviceUrl: string;
  openTransport(): MailTransport;
  /** Called when an alert has left: mail works. */
  sent(): Promise<void>;
  now(): Instant;
  warn(sentence: string): void;
};

/** The caller must hold the lock `alerts`. `concerns` are those of now; `observed` also those that are over. */
export async function tellOperator(
  context: AlertContext,
  observed: readonly ObservedConcern[],
  concerns: readonly Concern[],
): Promise<void> {
  const { alerts, now } = context;
  const early = concerns
    .filter(({ tellFrom }) => tellFrom !== undefined && now() < tellFrom)
    .map(nameConcern);
  if (!observed.some((one) => !early.includes(one.concern) && isToTell(one, now()))) return alerts.drop();
  const alert = await alerts.claim(now());
  if (alert === undefined) return;
  const attempt = await sendAlert(context, alert, { observed, concerns });
  await alerts.finish(outcomeOf(alert, attempt, { at: now(), told: observed.map(({ concern }) => concern) }));
  if (attempt.end === 'fault') context.warn(`the alert is not sent: ${describeFault(attempt)}`);
  else await context.sent();
}

/** What is over is mentioned with the rest; by itself only a pause of mail, of which no alert could tell. */
function isToTell({ kind, since, toldAt, resolvedAt }: ObservedConcern, now: Instant): boolean {
  if (resolvedAt !== null) return kind === 'mail-paused' && toldAt === null;
  return since <= addMs(now, -(TOLD_AFTER_HOURS[kind] ?? 0) * HOUR_MS);
}

async function sendAlert(
  { city, from, to, serviceUrl, openTransport }: AlertContext,
  { message, madeAt }: Alert,
  said: { observed: readonly ObservedConcern[]; concerns: readonly Concern[] },
): Promise<Attempt> {
  const transport = openTransport();
  const email = renderAlertEmail({ city, serviceUrl, ...said });
  const headers = { 'Auto-Submitted': 'auto-generated' };
  try {
    return await transport.send(
      0,
      { ...{ message, from, to, madeAt, what: 'alert', headers }, ...email },
      async () => true,
    );
  } finally {
    transport.close();
  }
}

function outcomeOf(
  { message, attempts }: Alert,
  attempt: Attempt,
  { at, told }: { at: Instant; told: readonly string[] },
): AlertOutcome {
  if (attempt.end !== 'fault')
    return { message, at, end: 'sent', told, code: attempt.end === 'sent' ? attempt.code : null };
  const { of, code } = attempt;
  if (of === 'address' || of === 'message') return { message, at, end: 'refused', told: [], code };
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_WAIT_MS);
  return { message, at, end: 'waiting', code, nextAt: addMs(at, waitMs), isDoubtful: of === 'doubt' };
}
