/** Sends alerts about concerns: immediately, then daily while they last. Alerts are in English, like the commands. */

import type { City } from '../../city/define.ts';
import { addMs, formatMoment, HOUR_MS, type Instant } from '../../listings/day.ts';
import { escapeMarkup } from '../../listings/escape.ts';
import {
  composeEmail,
  EMAIL_LOOK,
  type EmailBody,
  type EmailPart,
  makeHeading,
  makeSmallPrint,
  wrapText,
} from '../email-layout.ts';
import { describeFault, judgeAttempt } from '../faults.ts';
import { type MailTransport, type Sender, sendAlone } from '../smtp.ts';
import type { AlertStore } from './alert-store.ts';
import { type Concern, type ConcernKind, nameConcern, type ObservedConcern } from './concern.ts';

/** Hours to wait before an alert names a concern that may resolve itself. Failed runs, for example, are retried. */
const TOLD_AFTER_HOURS: Partial<Record<ConcernKind, number>> = {
  failed: 2,
  'never-ingested': 2,
  confirmations: 1,
};
const MOST_SENTENCE_LENGTH = 600;

export type AlertContext = {
  alerts: AlertStore;
  city: City;
  from: Sender;
  to: string;
  serviceUrl: string;
  openTransport(): MailTransport;
  /** Called when an alert was sent, which shows that mail works. */
  sent(): Promise<unknown>;
  now(): Instant;
  warn(sentence: string): void;
};

/** Sends the alert that is due. `observed` has all of `concerns`. The caller must hold the lock `alerts`. */
export async function tellOperator(
  context: AlertContext,
  observed: readonly ObservedConcern[],
  concerns: readonly Concern[],
): Promise<void> {
  const { alerts, from, to, now } = context;
  const early = concerns
    .filter(({ tellFrom }) => tellFrom !== undefined && now() < tellFrom)
    .map(nameConcern);
  if (!observed.some((one) => !early.includes(one.concern) && needsAlert(one, now()))) return alerts.drop();
  const alert = await alerts.claim(now());
  if (alert === undefined) return;
  const email = renderAlertEmail(context, observed, concerns);
  const { message, madeAt } = alert;
  const outgoing = { message, from, to, madeAt, what: 'alert', ...email };
  const attempt = await sendAlone(context.openTransport(), outgoing);
  const outcome = judgeAttempt({ ...alert, doubts: 0 }, attempt, now()); // the alert store counts doubts
  await alerts.finish({ ...outcome, told: observed.map(({ concern }) => concern) });
  if (attempt.end === 'fault') context.warn(`the alert is not sent: ${describeFault(attempt)}`);
  else await context.sent();
}

/** Returns whether a concern needs an alert now. Ended ones do not, except a pause of mail that no alert reported. */
function needsAlert({ kind, since, toldAt, resolvedAt }: ObservedConcern, now: Instant): boolean {
  if (resolvedAt !== null) return kind === 'mail-paused' && toldAt === null;
  return since <= addMs(now, -(TOLD_AFTER_HOURS[kind] ?? 0) * HOUR_MS);
}

function renderAlertEmail(
  { city, serviceUrl }: AlertContext,
  observed: readonly ObservedConcern[],
  concerns: readonly Concern[],
): EmailBody {
  const steps = new Map(concerns.map((concern) => [nameConcern(concern), concern.steps]));
  const { present = [], ended = [] } = Object.groupBy(observed, ({ resolvedAt }) =>
    resolvedAt === null ? 'present' : 'ended',
  );
  const makeParts = (some: readonly ObservedConcern[]) =>
    some.map((one) => makeAlertPart(one, steps.get(one.concern) ?? []));
  const endedTitle = 'Resolved since the last alert';
  const title = summarize(concerns);
  const foot = `Sent by Shingle at ${serviceUrl} to ALERT_EMAIL, at most once in 24 hours, as long as something needs your attention. "npx shingle status" shows the current state.`;
  return composeEmail({
    city,
    subject: `${city.name}: ${title}`,
    preheader: formatSentence(present[0]?.sentence ?? endedTitle),
    body: [
      makeHeading(formatSentence(title)),
      ...makeParts(present),
      ...(ended.length > 0 ? [{ html: EMAIL_LOOK.heading(endedTitle), text: endedTitle }] : []),
      ...makeParts(ended),
    ],
    footer: [makeSmallPrint(foot)],
  });
}

function summarize(concerns: readonly Concern[]): string {
  const [first] = concerns;
  if (first === undefined) return 'mail works again';
  return concerns.length === 1
    ? first.summary.split(/: | \(/)[0]!
    : `${concerns.length} things need your attention`;
}

function makeAlertPart(
  { sentence, since, resolvedAt }: ObservedConcern,
  steps: readonly string[],
): EmailPart {
  const began = formatMoment(since);
  const when = resolvedAt === null ? `Since ${began}` : `From ${began} to ${formatMoment(resolvedAt)}`;
  const text = `${formatSentence(sentence)}. ${when}.`;
  const list = steps.length === 0 ? '' : `\n${EMAIL_LOOK.list('ul', steps.map(escapeMarkup))}`;
  return {
    html: `${EMAIL_LOOK.paragraph(escapeMarkup(text))}${list}`,
    text: [wrapText(text), ...steps.map((step) => `* ${step}`)].join('\n'),
  };
}

function formatSentence(text: string): string {
  return text.slice(0, MOST_SENTENCE_LENGTH).replace(/^./, (letter) => letter.toUpperCase());
}
