/** Renders the chart: filings per month beside those of the year before, and the years. Columns link to their period. */

import type { Localization } from '../../shared/city/localization.ts';
import {
  ALL_TIME,
  clipDays,
  type Days,
  findDaysBefore,
  isOneYear,
  isSameDays,
  spanMonths,
  sumCounts,
  yearOf,
} from '../../shared/periods.ts';
import { type Look, renderLegend } from '../legend.ts';
import { type Markup, markup } from '../markup.ts';
import { describeSubject } from '../question-text.ts';
import { changeAddress, type SearchView } from '../search-view.ts';
import { type ChartMonth, type ComparedView, listChartMonths } from './chart-months.ts';
import { listGridLines } from './picture-columns.ts';
import { renderYears } from './years.ts';

export function renderChart(view: ComparedView): Markup {
  const { layout, months, period, dataEnd } = view;
  const { say } = layout.localization;
  const isKnown = months.anyTime.now.length > 0;
  const shown = listChartMonths(period, months, dataEnd);
  const content = isKnown
    ? markup`${renderLegend(listChartLooks(view, shown))}
${renderMonths(view, shown)}${renderYears(view, period.now, 3)}`
    : markup`<p>${say('chart.none', { subject: describeSubject(view) })}</p>`;
  return markup`<section class="chart" id="chart" aria-labelledby="chart-title">
<h2 id="chart-title">${say('chart.title')}</h2>
${content}
</section>`;
}

/** Lists the meaning of each color, and of the hatching if only a part of a month is counted. */
function listChartLooks(view: ComparedView, shown: readonly ChartMonth[]): Look[] {
  const { layout, period, months } = view;
  const { say } = layout.localization;
  const parts = shown.filter(({ isPart }) => isPart).map(({ days }) => days);
  return [
    { look: 'then', text: namePoint(view, period.before, sumCounts(months.asked.before)) },
    { look: 'now', text: namePoint(view, period.now, sumCounts(months.asked.now)) },
    ...(shown.some(({ isAsked }) => !isAsked) ? [{ look: 'beside', text: say('chart.beside') }] : []),
    ...describeDays(layout.localization, parts).map((text) => ({ look: 'part', text })),
  ];
}

/** Describes the counted days of incomplete months, if there are such months. */
export function describeDays({ say, list, daysOfYear }: Localization, parts: readonly Days[]): string[] {
  const days = parts.map(({ filed_from, filed_to }) => daysOfYear(filed_from, filed_to));
  return days.length === 0 ? [] : [say('chart.part.days', { days: list(days) })];
}

function namePoint({ layout }: SearchView, { filed_from, filed_to }: Days, n: number): string {
  const { say, period } = layout.localization;
  return say('chart.point', { period: period(filed_from, filed_to), n });
}

function renderMonths(view: ComparedView, shown: readonly ChartMonth[]): Markup {
  const { localization } = view.layout;
  const hasYears = !isOneYear({ filed_from: shown[0]!.month, filed_to: shown.at(-1)!.month });
  const columns = shown.map(({ month, days, count, before, isAsked, isPart }, i) => {
    const year = hasYears && (i === 0 || month.endsWith('-01')) && markup`<b>${yearOf(month)}</b>`;
    const point = namePoint(view, days, count);
    return {
      key: month,
      days: spanMonths(month),
      name: `${point}. ${namePoint(view, findDaysBefore(days), before)}`,
      counts: [before, count],
      isAsked,
      isPart,
      caption: markup`${localization.month(month, 'short')}${year}`,
    };
  });
  return renderPlot(view, columns);
}

type Column = {
  key: string;
  /** The period that the column links to. */
  days: Days;
  /** The numbers in words, for screen readers and as a tooltip. */
  name: string;
  /** The counts of the bars. The last bar shows the compared period. */
  counts: readonly number[];
  isAsked: boolean;
  isPart: boolean;
  caption: Markup;
};

function renderPlot(view: ComparedView, columns: readonly Column[]): Markup {
  const { number } = view.layout.localization;
  const lines = listGridLines(Math.max(1, ...columns.flatMap(({ counts }) => counts)));
  const highest = lines.at(-1)!;
  const grid = lines.map((line) => {
    const y = 100 - (100 * line) / highest;
    return markup`<line x2="100%" y1="${y}%" y2="${y}%"/><text y="${y}%" dy="-3">${number(line)}</text>`;
  });
  return markup`<div class="plot"><svg class="grid-lines" aria-hidden="true">${grid}</svg>
<ul class="columns months" data-arrows aria-labelledby="chart-title">${columns.map((one) => renderColumn(view, one, highest))}</ul></div>`;
}

/** Renders a column as a link to its period, or to all time if the period is already selected. */
function renderColumn(view: ComparedView, column: Column, highest: number): Markup {
  const { days, key, name, counts, isAsked, isPart, caption } = column;
  const look = `${isAsked ? 'asked' : 'beside'}${isPart ? ' part' : ''}`;
  const bars = counts.map((count, i) => {
    // every count above 0 must be visible
    const length = Math.max(count === 0 ? 0 : 1, Math.round((count / highest) * 100));
    const place = markup` x="${i}" y="${100 - length}" width="1" height="${length}"`;
    return markup`<rect${i < counts.length - 1 && { html: ' class="then"' }}${place}/>`;
  });
  const isCurrent = isSameDays(clipDays(days, view.dataEnd), view.period.now);
  const href = changeAddress(view, isCurrent ? ALL_TIME : days);
  return markup`<li><a class="${look}" href="${href}" rel="nofollow"
 data-key="time:${key}"${isCurrent && { html: ' aria-current="true"' }}><svg viewBox="0 0 ${counts.length} 100" preserveAspectRatio="none"
 role="img"><title>${name}</title>${bars}</svg><span class="month" aria-hidden="true">${caption}</span></a></li>`;
}
