/** The email that tells operators what needs their attention. In English, like the commands that it names. Pure. */

import type { City } from '../../city/define.ts';
import { escapeMarkup } from '../../listings/escape.ts';
import {
  type EmailBody,
  renderFrame,
  renderHeading,
  renderParagraph,
  renderSmallPrint,
  STYLE,
  wrapText,
} from '../email-layout.ts';
import type { Concern, ObservedConcern } from './alert-ports.ts';
import { nameConcern } from './concern-name.ts';

const MOST_SENTENCE_LENGTH = 600;

export type AlertFacts = {
  city: City;
  serviceUrl: string;
  concerns: readonly Concern[];
  /** Since when they last, and what is over. */
  observed: readonly ObservedConcern[];
};

type Part = { sentence: string; when: string; steps: readonly string[] };

export function renderAlertEmail({ city, serviceUrl, concerns, observed }: AlertFacts): EmailBody {
  const now = concerns.map((concern) => partOf(concern, observed));
  const over = observed.flatMap(({ sentence, since, resolvedAt }) =>
    resolvedAt === null
      ? []
      : [
          {
            sentence: formatSentence(sentence),
            when: `From ${formatMoment(since)} to ${formatMoment(resolvedAt)}.`,
            steps: [],
          },
        ],
  );
  const subject = `${city.name}: ${summarize(concerns)}`;
  const overTitle = 'Resolved since the last alert';
  const foot = `Sent by Shingle at ${serviceUrl} to ALERT_EMAIL, at most once in 24 hours, as long as something needs your attention. "npx shingle status" says where things stand now.`;
  const html = renderFrame({
    ...{ city, title: subject, preheader: now[0]?.sentence ?? overTitle },
    body: [
      renderHeading(summarize(concerns)),
      ...now.map(renderPart),
      ...(over.length > 0
        ? [`<h2 class="ink" style="${STYLE.h2}">${overTitle}</h2>`, ...over.map(renderPart)]
        : []),
    ].join('\n'),
    footer: renderSmallPrint(escapeMarkup(foot)),
  });
  const text = [
    ...now.map(writePart),
    ...(over.length > 0 ? [overTitle, ...over.map(writePart)] : []),
    '--',
    wrapText(foot),
  ].join('\n\n');
  return { subject, html, text: `${text}\n` };
}

/** One concern by its first words; more by their number. */
function summarize(concerns: readonly Concern[]): string {
  const [first] = concerns;
  if (first === undefined) return 'mail works again';
  return concerns.length === 1
    ? first.summary.split(/: | \(/)[0]!
    : `${concerns.length} things need your attention`;
}

function partOf(one: Concern, observed: AlertFacts['observed']): Part {
  const { summary, detail = summary, steps } = one;
  const name = nameConcern(one);
  const since = observed.find(({ concern }) => concern === name)?.since;
  return {
    sentence: formatSentence(detail),
    when: since === undefined ? '' : `Since ${formatMoment(since)}.`,
    steps,
  };
}

function formatSentence(text: string): string {
  return text.slice(0, MOST_SENTENCE_LENGTH).replace(/^./, (letter) => letter.toUpperCase());
}

/** As `shingle runs` writes it, without seconds. */
function formatMoment(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}

function writePart({ sentence, when, steps }: Part): string {
  return [wrapText(`${sentence}. ${when}`), ...steps.map((step) => `* ${step}`)].join('\n');
}

function renderPart({ sentence, when, steps }: Part): string {
  const items = steps.map((step) => `<li style="margin:6px 0">${escapeMarkup(step)}</li>`).join('\n');
  const list =
    steps.length === 0 ? '' : `\n<ul class="ink" style="${STYLE.p};padding-left:24px">\n${items}\n</ul>`;
  return `${renderParagraph(escapeMarkup(`${sentence}. ${when}`))}${list}`;
}
