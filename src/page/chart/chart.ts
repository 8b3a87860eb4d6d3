/** Renders the chart: filings per month beside those of the year before. Columns link to their period. */

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
import { changeAddress, type SearchView } from '../search-view.ts';
import { type ChartMonth, type ComparedView, listChartMonths } from './chart-months.ts';
import { listGridLines } from './picture/columns.ts';

export function renderChart(view: ComparedView): Markup {
  const { layout, months, period, dataEnd } = view;
  const shown = listChartMonths(period, months, dataEnd);
  return markup`<section class="chart" id="chart" aria-labelledby="chart-title">
<h2 id="chart-title">${layout.localization.say('chart.title')}</h2>
${renderLegend(listChartLooks(view, shown))}
${renderMonths(view, shown)}
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

/** Renders two bars for each month. Each column links to its month, or to all time if the month is selected. */
function renderMonths(view: ComparedView, shown: readonly ChartMonth[]): Markup {
  const { layout, period, dataEnd } = view;
  const { number, month: formatMonth } = layout.localization;
  const hasYears = !isOneYear({ filed_from: shown[0]!.month, filed_to: shown.at(-1)!.month });
  const lines = listGridLines(Math.max(1, ...shown.flatMap(({ count, before }) => [count, before])));
  const highest = lines.at(-1)!;
  const grid = lines.map((line) => {
    const y = 100 - (100 * line) / highest;
    return markup`<line x2="100%" y1="${y}%" y2="${y}%"/><text y="${y}%" dy="-3">${number(line)}</text>`;
  });
  const columns = shown.map(({ month, days, count, before, isAsked, isPart }, i) => {
    const year = hasYears && (i === 0 || month.endsWith('-01')) && markup`<b>${yearOf(month)}</b>`;
    const title = `${namePoint(view, days, count)}. ${namePoint(view, findDaysBefore(days), before)}`;
    const bars = [before, count].map((n, side) => {
      // every count above 0 must be visible
      const length = n === 0 ? 0 : Math.max(1, Math.round((n / highest) * 100));
      return markup`<rect${side === 0 && { html: ' class="then"' }} x="${side}" y="${100 - length}" width="1" height="${length}"/>`;
    });
    const isCurrent = isSameDays(clipDays(spanMonths(month), dataEnd), period.now);
    const href = changeAddress(view, isCurrent ? ALL_TIME : spanMonths(month));
    return markup`<li><a class="${isAsked ? 'asked' : 'beside'}${isPart && ' part'}" href="${href}" rel="nofollow"
${isCurrent && { html: ' aria-current="true"' }}><svg viewBox="0 0 2 100" preserveAspectRatio="none"
 role="img"><title>${title}</title>${bars}</svg><span class="month" aria-hidden="true">${formatMonth(month, 'short')}${year}</span></a></li>`;
  });
  return markup`<div class="plot"><svg class="grid-lines" aria-hidden="true">${grid}</svg>
<ul class="columns months" data-arrows aria-labelledby="chart-title">${columns}</ul></div>`;
}
