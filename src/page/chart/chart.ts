/** Renders the chart: filings per month beside those of the year before, and per year. Columns link to their period. */

import type { Localization } from '../../shared/city/localization.ts';
import {
  ALL_TIME,
  clipDays,
  type Days,
  findDaysBefore,
  isOneYear,
  isOverlap,
  isPartly,
  isSameDays,
  spanMonths,
  spanYear,
  sumCounts,
  yearOf,
} from '../../shared/periods.ts';
import { type Look, renderLegend } from '../legend.ts';
import { type Markup, markup } from '../markup.ts';
import { describeSubject } from '../question-text.ts';
import { changeAddress, formatPageAddress, type SearchView } from '../search-view.ts';
import type { ComparedView } from './chart-months.ts';
import { type ChartMonth, type ChartYear, listChartMonths, listYears } from './chart-months.ts';
import { renderChartNumbers } from './chart-numbers.ts';
import { listGridLines } from './picture-columns.ts';

export function renderChart(view: ComparedView): Markup {
  const { layout, months, period, dataEnd } = view;
  const { say } = layout.localization;
  const isKnown = months.anyTime.now.length > 0;
  const shown = listChartMonths(period, months, dataEnd);
  const content = isKnown
    ? markup`<p class="note">${say('chart.help')}</p>${renderLegend(listChartLooks(view, shown))}
${renderMonths(view, shown)}${renderYears(view, period.now, 3)}
${renderChartNumbers(view, shown)}`
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
  return renderPlot(view, { look: 'months', title: 'chart-title', columns, asked: view.period.now });
}

/** Up to this many years, each has a label. Of more years, the last has one, and every `EVERY_YEARS`-th before it. */
const LABELED_YEARS = 10;
const EVERY_YEARS = 5;

/** Renders the years, oldest first, and the earlier ones as a note, under a heading of this level. */
export function renderYears(view: SearchView, asked: Days, level: 2 | 3): Markup | undefined {
  const { layout, anyTime, dataEnd } = view;
  const { years, earlier } = listYears(anyTime.byMonth);
  if (years.length < 2) return undefined;
  const { say, monthDay } = layout.localization;
  const last = yearOf(dataEnd);
  const columns = years.map(({ year, count }, i) => {
    const days = spanYear(year);
    const isLabeled = years.length <= LABELED_YEARS || (years.length - 1 - i) % EVERY_YEARS === 0;
    return {
      key: year,
      days,
      name: namePoint(view, clipDays(days, dataEnd), count),
      counts: [count],
      isAsked: isOverlap(asked, days),
      isPart: isPartly(days, dataEnd),
      caption: markup`<b${!isLabeled && { html: ' class="unlabeled"' }}>${year}</b>`,
    };
  });
  const part = columns.find(({ isPart }) => isPart);
  const legend = part && {
    look: part.isAsked ? 'part' : 'beside part',
    text: say('chip.until', { year: last, day: monthDay(dataEnd, 'short', last) }),
  };
  const note = earlier && renderEarlier(view, earlier);
  return markup`<h${level} id="chart-years">${say('chart.title.years')}</h${level}>${renderPlot(view, { look: 'years', title: 'chart-years', columns, asked })}${note}${legend && renderLegend([legend])}${columns.length > LABELED_YEARS && renderYearList(view, columns)}`;
}

/** Renders the link to the listings of the years that are not shown. */
function renderEarlier({ layout, question }: SearchView, earlier: ChartYear): Markup {
  const { filed_to } = spanYear(earlier.year);
  const href = formatPageAddress({ ...question, filed_from: '', filed_to, offset: 0 });
  return markup`<p class="note"><a href="${href}" rel="nofollow">${describeEarlier(layout.localization, earlier)}</a></p>`;
}

/** Renders many years as a list for phones, on which their columns are too narrow for a finger. */
function renderYearList(view: SearchView, columns: readonly Column[]): Markup {
  const { say, number } = view.layout.localization;
  const years = columns.toReversed().map(({ key, days, counts }) => {
    const href = `${changeAddress(view, days)}#found`;
    return markup`<li><a href="${href}" rel="nofollow">${key}</a><span class="count">${number(counts[0]!)}</span></li>`;
  });
  return markup`<details id="all-years"><summary>${say('chart.years')}</summary><ul class="counted">${years}</ul></details>`;
}

/** Describes the years that are not shown, such as `1993 and earlier: 2,855`. */
export function describeEarlier({ say }: Localization, { year, count }: ChartYear): string {
  return say('chart.point', { period: say('chart.earlier', { year }), n: count });
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

/** A chart of months or years. `asked` contains the chosen days. */
type Plot = { look: 'months' | 'years'; title: string; columns: readonly Column[]; asked: Days };

function renderPlot(view: SearchView, { look, title, columns, asked }: Plot): Markup {
  const { number } = view.layout.localization;
  const lines = listGridLines(Math.max(1, ...columns.flatMap(({ counts }) => counts)));
  const highest = lines.at(-1)!;
  const grid = lines.map((line) => {
    const y = 100 - (100 * line) / highest;
    return markup`<line x2="100%" y1="${y}%" y2="${y}%"/><text y="${y}%" dy="-3">${number(line)}</text>`;
  });
  return markup`<div class="plot"><svg class="grid-lines" aria-hidden="true">${grid}</svg><ul class="columns ${look}" data-arrows aria-labelledby="${title}">${columns.map((column) => renderColumn(view, column, { highest, asked }))}</ul></div>`;
}

/** Renders a column as a link to its period, or to all time if the period is already selected. */
function renderColumn(
  view: SearchView,
  column: Column,
  { highest, asked }: Pick<Plot, 'asked'> & { highest: number },
): Markup {
  const { days, key, name, counts, isAsked, isPart, caption } = column;
  const look = `${isAsked ? 'asked' : 'beside'}${isPart ? ' part' : ''}`;
  const bars = counts.map((count, i) => {
    // every count above 0 must be visible
    const length = Math.max(count === 0 ? 0 : 1, Math.round((count / highest) * 100));
    const place = markup` x="${i}" y="${100 - length}" width="1" height="${length}"`;
    return markup`<rect${i < counts.length - 1 && { html: ' class="then"' }}${place}/>`;
  });
  const isCurrent = isSameDays(clipDays(days, view.dataEnd), clipDays(asked, view.dataEnd));
  const href = changeAddress(view, isCurrent ? ALL_TIME : days);
  return markup`<li><a class="${look}" href="${href}" rel="nofollow" data-key="time:${key}"${isCurrent && { html: ' aria-current="true"' }}><svg viewBox="0 0 ${counts.length} 100" preserveAspectRatio="none" role="img"><title>${name}</title>${bars}</svg><span class="month" aria-hidden="true">${caption}</span></a></li>`;
}
