/** Renders an alert about what needs the operator's attention. Alerts are in English, like the commands. */

import type { CityFacts } from '../../shared/city/city-facts.ts';
import { formatMoment, type Instant } from '../../shared/day.ts';
import { escapeMarkup } from '../../shared/text/escape.ts';
import {
  composeEmail,
  EMAIL_LOOK,
  type EmailBody,
  type EmailPart,
  makeHeading,
  makeSmallPrint,
  wrapText,
} from './email-layout.ts';

const MOST_SENTENCE_LENGTH = 600;

/** What needs attention, since when, and the steps that end it. */
type Lasting = { summary: string; detail?: string | undefined; since: Instant; steps: readonly string[] };

/** Renders an alert. `serviceUrl` is where the service is reached. */
export function renderAlertEmail(
  { city, serviceUrl }: { city: CityFacts; serviceUrl: string },
  concerns: readonly Lasting[],
): EmailBody {
  const title = summarize(concerns);
  const [{ summary, detail = summary }] = concerns as [Lasting];
  const now = '"npx shingle status" shows the current state.';
  const foot = `Sent by Shingle at ${serviceUrl} to ALERT_EMAIL, at most once in 24 hours, as long as something needs your attention. ${now}`;
  return composeEmail({
    city,
    subject: `${city.name}: ${title}`,
    preheader: formatSentence(detail),
    body: [makeHeading(formatSentence(title)), ...concerns.map(makeAlertPart)],
    footer: [makeSmallPrint(foot)],
  });
}

function summarize([first, ...others]: readonly Lasting[]): string {
  return others.length === 0
    ? first!.summary.split(/: | \(/)[0]!
    : `${others.length + 1} things need your attention`;
}

function makeAlertPart({ summary, detail = summary, since, steps }: Lasting): EmailPart {
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
