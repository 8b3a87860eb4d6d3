/** Renders the answer to a question above the results: one sentence, its numbers, the years, and what could make it wrong. */

import { ALL_TIME } from '../../shared/periods.ts';
import { renderAnswerCard, renderCardLink } from '../answer-card.ts';
import { listPublishers } from '../chart/chart-picture.ts';
import { type Markup, markup } from '../markup.ts';
import { describeRegistered } from '../question-text.ts';
import { formatPageAddress, formatSearchAddress } from '../search-view.ts';
import { type Answer, renderAskedYears } from './answer-parts.ts';
import { compareSides } from './comparison.ts';
import { renderNumerals } from './numerals.ts';
import { rankRows } from './ranking.ts';
import type { SearchPageView } from './search-page-view.ts';
import { answerStatus } from './status.ts';

/** Writes the answer to a question, unless it asks for a list. */
export function findAnswer(view: SearchPageView): Answer | undefined {
  const { reading, question, total } = view;
  if (reading === undefined || question.offset > 0 || total === 0) return undefined;
  return reading.answer === 'status'
    ? answerStatus(view)
    : (compareSides(view) ?? rankRows(view) ?? countAll(view));
}

/**
 * Renders an answer: what is copied is its sentence, its caveat, its numbers and its source. `notes`: what became of the
 * words of the question.
 */
export function renderAnswer(view: SearchPageView, answer: Answer, notes: Markup | undefined): Markup {
  const { layout, question, dataEnd } = view;
  const { say, day } = layout.localization;
  const { about, sentence, figure, numerals = [], bars, caveat = [], more, data } = answer;
  const anyTime = { ...question, ...ALL_TIME, offset: 0 };
  const hasYears = view.reading?.answer !== 'status';
  const chart = 'chart' in answer ? answer.chart : formatSearchAddress('/chart.png', anyTime);
  const numbers =
    'numbers' in answer ? answer.numbers : formatSearchAddress('/api/stats.csv', anyTime, 'by=month');
  const address = `${layout.publicUrl}${answer.address ?? formatPageAddress(question)}`;
  const source = say('answer.source', { source: listPublishers(layout.city), address, day: day(dataEnd) });
  const figures =
    (numerals.length > 0 || bars) &&
    markup`<div class="figures">${numerals.length > 0 && renderNumerals(layout.localization, numerals)}${bars}</div>`;
  return renderAnswerCard(layout.localization, {
    ...(about !== undefined && { about }),
    sentence,
    figure,
    body: figures || more ? markup`${figures}${more}` : undefined,
    notes,
    caveat: caveat.filter((one) => one !== false && one !== undefined).join(' '),
    source: data === undefined ? source : `${data}. ${source}`,
    links: [
      hasYears &&
        view.closings === undefined &&
        chart !== undefined &&
        renderCardLink(chart, say('answer.chart')),
      hasYears && numbers !== undefined && renderCardLink(numbers, say('answer.numbers')),
    ],
  });
}

/** Writes how many there are. */
function countAll(view: SearchPageView): Answer | undefined {
  const { layout, reading, question, total, dataEnd } = view;
  if (reading?.answer !== 'count') return undefined;
  return {
    sentence: describeRegistered({ layout, question }, total, dataEnd),
    figure: layout.localization.number(total),
    bars: renderAskedYears(view, question),
  };
}
