/** Offers what people can copy from the chart: its numbers, the address of its picture, and a sentence to cite. Works without scripts. */

import { type Day, findToday, lastDayOf, type Month, monthOf } from '../../../listings/day.ts';
import { formatQuestion } from '../../../search/parameters.ts';
import { type CityPageView, formatPageAddress } from '../city-page-view.ts';
import { type Markup, markup } from '../markup.ts';
import { describePeriod, describeSubject, withoutPage } from '../question-text.ts';
import { type ChartMonth, compareYears, isLongSpan, sumYears } from './chart-months.ts';
import { listPublishers } from './chart-picture.ts';

/** A few lines are shown of the numbers, which can be hundreds. */
const SHOWN_LINES = 6;

export function renderChartNumbers(view: CityPageView, shown: readonly ChartMonth[]): Markup {
  const { say } = view.layout.localization;
  const question = formatQuestion(withoutPage(view.question));
  const query = question === '' ? '' : `?${question}`;
  const picture = `${view.layout.publicUrl}/chart.svg${query}`;
  const numbers = [`${say('numbers.month')}\t${say('numbers.count')}`, ...listRows(view)].join('\n');
  return markup`<details class="numbers" id="numbers"><summary>${say('numbers.title')}</summary>
<div class="grid"><div>${renderField(view, { id: 'numbers-text', label: say('numbers.text'), text: numbers, lines: SHOWN_LINES })}
<p><a href="/api/stats${query}" rel="nofollow">${say('numbers.json')}</a></p></div>
<div>${renderField(view, { id: 'numbers-cite', label: say('numbers.cite'), text: citeSearch(view, shown), lines: SHOWN_LINES })}</div>
<div>${renderField(view, { id: 'numbers-picture', label: say('numbers.picture'), text: picture, lines: 2 })}
<p><a href="/chart.svg${query}" rel="nofollow">${say('numbers.open')}</a></p></div></div>
${renderTable(view, shown)}</details>`;
}

type Field = { id: string; label: string; text: string; lines: number };

/** The button works with the script only; the style shows it then. A line break after the tag is not part of the text. */
function renderField({ layout }: CityPageView, { id, label, text, lines }: Field): Markup {
  const { say } = layout.localization;
  return markup`<label for="${id}">${label}</label><textarea id="${id}" rows="${lines}" readonly>
${text}</textarea><button class="quiet copy" type="button" data-copy="${id}" data-said="${say('numbers.copied')}">${say('numbers.copy')}</button>`;
}

/** Lists the months, newest first. Those before the years of the chart are summed up in the last row. */
function listRows(view: CityPageView): string[] {
  const { layout, months, question } = view;
  const span = { asked: question, within: question, dataEnd: months.dataEnd };
  const early = sumYears(months.asked, span).find(({ isFirst }) => isFirst);
  const shown = months.asked.filter(({ value }) => early === undefined || value.slice(0, 4) > early.label);
  const rows = shown.map(({ value, count }) => `${value}\t${count}${markPart(view, value)}`);
  if (early === undefined) return rows;
  return [...rows, `${layout.localization.say('chart.earlier', { year: early.label })}\t${early.count}`];
}

/** Fills a third column if the month is incomplete. */
function markPart({ layout, months: { dataEnd } }: CityPageView, month: Month): string {
  const { say, day } = layout.localization;
  const isPart = month === monthOf(dataEnd) && dataEnd < lastDayOf(month);
  return isPart ? `\t${say('chip.filed_to', { day: day(dataEnd) })}` : '';
}

/** Cites city, source, question and day in a sentence, and for a year or less also the same days of the year before. */
function citeSearch(view: CityPageView, shown: readonly ChartMonth[]): string {
  const { layout, months, total, question } = view;
  const { say, count, day } = layout.localization;
  return count('numbers.citation', total, {
    subject: describeSubject(view),
    period: describePeriod(view, months),
    compared: citeComparison(view, shown),
    source: listPublishers(layout.city),
    title: say('title'),
    address: `${layout.publicUrl}${formatPageAddress(withoutPage(question))}`,
    day: day(findDataDay(view)),
  });
}

function citeComparison({ layout, question, months }: CityPageView, shown: readonly ChartMonth[]): string {
  const { say, period } = layout.localization;
  const compared = compareYears(shown);
  if (compared === undefined || question.filed_from === '' || isLongSpan(question, months)) return '';
  const { from, to, count } = compared.before;
  return ` ${say('numbers.compared', { period: period(from, to), n: count })}`;
}

/** The day of the archive, or the city's day of the last import. */
function findDataDay({ layout: { city }, asOf, today }: CityPageView): Day {
  return asOf === null ? today : findToday(city, asOf);
}

/** Renders the months of the chart beside those of the year before. */
function renderTable({ layout }: CityPageView, shown: readonly ChartMonth[]): Markup {
  const { say, number, period } = layout.localization;
  const hasBefore = shown.some(({ before }) => before !== undefined);
  const rows = shown.map(
    ({ days, count, before }) =>
      markup`<tr><th scope="row">${period(days.from, days.to)}</th><td>${number(count)}</td>${before !== undefined && markup`<td>${number(before)}</td>`}</tr>`,
  );
  return markup`<table><thead><tr><th scope="col">${say('numbers.month')}</th><th scope="col">${say('numbers.count')}</th>${hasBefore && markup`<th scope="col">${say('numbers.before')}</th>`}</tr></thead><tbody>${rows}</tbody></table>`;
}
