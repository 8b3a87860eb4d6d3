/** Sends alerts about concerns: immediately, then daily while they last. Alerts are in English, like the commands. */

import {
  composeEmail,
  EMAIL_LOOK,
  type EmailBody,
  type EmailPart,
  makeHeading,
  makeSmallPrint,
  wrapText,
} from '../../../page/email/email-layout.ts';
import type { CityFacts } from '../../../shared/city/city-facts.ts';
import { addMs, formatMoment, HOUR_MS, type Instant } from '../../../shared/day.ts';
import { escapeMarkup } from '../../../shared/text/escape.ts';
import { describeFault, judgeAttempt } from '../faults.ts';
import { type MailTransport, type Sender, sendAlone } from '../smtp.ts';
import type { AlertStore } from './alert-store.ts';
import type { Concern, ConcernKind, LastingConcern } from './concern.ts';

/** Hours to wait before an alert names a concern that may resolve itself. Failed runs, for example, are retried. */
const TOLD_AFTER_HOURS: Partial<Record<ConcernKind, number>> = {
  failed: 2,
  'never-ingested': 2,
  confirmations: 1,
  'public-url': 1,
  unwritable: 1,
};
const MOST_SENTENCE_LENGTH = 600;

export type AlertContext = {
  alerts: AlertStore;
  city: CityFacts;
  from: Sender;
  to: string;
  serviceUrl: string;
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
  const email = renderAlertEmail(context, concerns);
  const { message, madeAt } = alert;
  const outgoing = { message, from, to, madeAt, what: 'alert', ...email };
  const attempt = await sendAlone(context.openTransport(), outgoing);
  await alerts.finish(judgeAttempt({ ...alert, doubts: 0 }, attempt, now())); // the alert store counts doubts
  if (attempt.end === 'fault') context.warn(`the alert is not sent: ${describeFault(attempt)}`);
  else await context.sent();
}

function needsAlert({ kind, since, tellFrom = since }: LastingConcern, now: Instant): boolean {
  return now >= tellFrom && since <= addMs(now, -(TOLD_AFTER_HOURS[kind] ?? 0) * HOUR_MS);
}

function renderAlertEmail(
  { city, serviceUrl }: AlertContext,
  concerns: readonly LastingConcern[],
): EmailBody {
  const title = summarize(concerns);
  const [{ summary, detail = summary }] = concerns as [LastingConcern];
  const foot = `Sent by Shingle at ${serviceUrl} to ALERT_EMAIL, at most once in 24 hours, as long as something needs your attention. "npx shingle status" shows the current state.`;
  return composeEmail({
    city,
    subject: `${city.name}: ${title}`,
    preheader: formatSentence(detail),
    body: [makeHeading(formatSentence(title)), ...concerns.map(makeAlertPart)],
    footer: [makeSmallPrint(foot)],
  });
}

function summarize([first, ...others]: readonly Concern[]): string {
  return others.length === 0
    ? first!.summary.split(/: | \(/)[0]!
    : `${others.length + 1} things need your attention`;
}

function makeAlertPart({ summary, detail = summary, since, steps }: LastingConcern): EmailPart {
  const text = `${formatSentence(detail)}. Since ${formatMoment(since)}.`;
  const list = steps.length === 0 ? '' : `\n${EMAIL_LOOK.list('ul', steps.map(escapeMarkup))}`;
  return {
    html: `${EMAIL_LOOK.paragraph(escapeMarkup(text))}${list}`,
    text: [wrapText(text), ...steps.map((step) => `* ${step}`)].join('\n'),
  };
}

function formatSentence(text: string): string {
  return text.slice(0, MOST_SENTENCE_LENGTH).replace(/^./, (letter) => letter.toUpperCase());
}
