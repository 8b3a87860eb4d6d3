/** The chart: filings per month beside those of the year before. Months and years are links to their period. */

import { monthOf } from '../../../listings/day.ts';
import type { ChangesView } from '../changes/changes-view.ts';
import { ALL_TIME, clipDays, type Days, findDaysBefore, isSameDays, spanMonths } from '../changes/periods.ts';
import { type Look, renderLegend } from '../map/map.ts';
import { type Markup, markup } from '../markup.ts';
import { describeSubject } from '../question-text.ts';
import { changeAddress, type SearchView } from '../search-view.ts';
import { type ChartMonth, isOverlap, isPartly, listChartMonths, listYears } from './chart-months.ts';
import { renderChartNumbers } from './chart-numbers.ts';
import { listGridLines } from './picture-columns.ts';

export function renderChart(view: ChangesView): Markup {
  const { layout, months, period, dataEnd } = view;
  const { say } = layout.localization;
  if (months.anyTime.now.length === 0)
    return renderSection(view, markup`<p>${say('chart.none', { subject: describeSubject(view) })}</p>`);
  const shown = listChartMonths(period, months, dataEnd);
  return renderSection(
    view,
    markup`${renderMonths(view, shown)}${renderLegend(listChartLooks(view, shown))}
${renderYears(view, view.period.now)}
<p class="note">${say('chart.help')}</p>
${renderChartNumbers(view, shown)}`,
  );
}

/** Lists the meaning of each color, and of the hatching if a month is incomplete. */
function listChartLooks(view: ChangesView, shown: readonly ChartMonth[]): Look[] {
  const { layout, period, sums, dataEnd } = view;
  const { say, month, day } = layout.localization;
  const isCompared = period.limit !== 'status';
  const part = { period: month(monthOf(dataEnd), 'long'), day: day(dataEnd) };
  return [
    { look: 'now', text: namePoint(view, period.now, sums.now) },
    ...(isCompared ? [{ look: 'then', text: namePoint(view, period.before, sums.before) }] : []),
    ...(!isCompared || shown.every(({ isAsked }) => isAsked)
      ? []
      : [{ look: 'beside', text: say('chart.beside') }]),
    ...(shown.some(({ isPart }) => isPart) ? [{ look: 'part', text: say('chart.part', part) }] : []),
  ];
}

function renderSection({ layout }: ChangesView, content: Markup): Markup {
  return markup`<section class="chart" id="chart" aria-labelledby="chart-title">
<h2 id="chart-title">${layout.localization.say('chart.title')}</h2>
${content}
</section>`;
}

function renderMonths(view: ChangesView, shown: readonly ChartMonth[]): Markup {
  const { localization } = view.layout;
  const isCompared = view.period.limit !== 'status';
  const most = Math.max(1, ...shown.flatMap(({ count, before }) => (isCompared ? [count, before] : count)));
  const columns = shown.map(({ month, days, count, before, isAsked, isPart }, i) => {
    const year = (i === 0 || month.endsWith('-01')) && markup`<b>${month.slice(0, 4)}</b>`;
    return renderColumn(view, {
      days: spanMonths(month),
      key: month,
      name: isCompared
        ? `${namePoint(view, days, count)}. ${namePoint(view, findDaysBefore(days), before)}`
        : namePoint(view, days, count),
      count,
      isAsked,
      isCurrent: isSameDays(clipDays(spanMonths(month), view.dataEnd), view.period.now),
      isPart,
      bars: isCompared ? [before / most, count / most] : [count / most],
      caption: markup`${localization.month(month, 'short')}${year}`,
    });
  });
  return markup`<ul class="columns months" data-arrows aria-labelledby="chart-title">${columns}</ul>`;
}

function namePoint({ layout }: SearchView, { filed_from, filed_to }: Days, n: number): string {
  const { say, period } = layout.localization;
  return say('chart.point', { period: period(filed_from, filed_to), n });
}

/** Maximum number of columns that have space for their year. Of more, every fifth has one. */
const MOST_LABELED = 8;
const EVERY_YEARS = 5;

/** Renders the years as one row of columns, newest first, which the style reverses, and the earlier years as a note. */
export function renderYears(view: SearchView, asked: Days): Markup | undefined {
  const { layout, anyTime, dataEnd } = view;
  const years = listYears(anyTime.byMonth);
  if (years.length < 2) return undefined;
  const { say, number } = layout.localization;
  const shown = years.filter(({ isFirst }) => !isFirst);
  const lines = listGridLines(Math.max(1, ...shown.map(({ count }) => count)));
  const columns = shown.map(({ label, days, count }) => {
    const isPart = isPartly(days, dataEnd);
    const known = isPart ? clipDays(days, dataEnd) : days;
    return renderColumn(view, {
      days,
      key: label,
      count,
      isAsked: isOverlap(asked, days),
      isCurrent: isSameDays(known, clipDays(asked, dataEnd)),
      isPart,
      name: namePoint(view, known, count),
      bars: [count / lines.at(-1)!],
      caption: markup`<b${(shown.length <= MOST_LABELED || Number(label) % EVERY_YEARS === 0) && { html: ' class="tick"' }}>${label}</b>`,
    });
  });
  const grid = lines.slice(1).map((line) => renderLine(number(line), 100 - (100 * line) / lines.at(-1)!));
  const [earlier] = years.filter(({ isFirst }) => isFirst);
  const note =
    earlier &&
    say('chart.point', { period: say('chart.earlier', { year: earlier.label }), n: earlier.count });
  return markup`<h3 id="chart-years">${say('chart.title.years')}</h3><div class="plot"><svg class="grid-lines" aria-hidden="true">${grid}</svg><ul class="columns years" data-arrows aria-labelledby="chart-years">${columns}</ul></div>${note !== undefined && markup`<p class="note">${note}</p>`}`;
}

function renderLine(label: string, y: number): Markup {
  return markup`<line x2="100%" y1="${y}%" y2="${y}%"/><text y="${y}%" dy="-3">${label}</text>`;
}

type Column = {
  /** The period of its link. */
  days: Days;
  key: string;
  /** The text for screen readers, which do not show bars or positions. */
  name: string;
  count: number;
  isAsked: boolean;
  isCurrent: boolean;
  isPart: boolean;
  /** Lengths as shares of the longest bar. The last bar is the count. */
  bars: readonly number[];
  caption: Markup;
};

/** Renders a column as a link to its period, or to any time if it is already selected. */
function renderColumn(view: SearchView, column: Column): Markup {
  const { days, key, name, count, isAsked, isCurrent, isPart, bars, caption } = column;
  const { number } = view.layout.localization;
  const look = `${isAsked ? 'asked' : 'beside'}${isPart ? ' part' : ''}`;
  const content = markup`<span class="unseen">${name}</span><span class="count" aria-hidden="true"><b>${number(count)}</b></span><svg viewBox="0 0 ${bars.length} 100" preserveAspectRatio="none" aria-hidden="true">${bars.map((share, i) => renderBar(share, i, bars.length))}</svg><span class="month" aria-hidden="true">${caption}</span>`;
  const href = changeAddress(view, isCurrent ? ALL_TIME : days);
  return markup`<li><a class="${look}" href="${href}" rel="nofollow" data-key="time:${key}"${isCurrent && { html: ' aria-current="true"' }}>${content}</a></li>`;
}

function renderBar(share: number, i: number, all: number): Markup {
  const length = Math.max(share === 0 ? 0 : 1, Math.round(share * 100)); // keeps every count above 0 visible
  const place = markup` x="${i}" y="${100 - length}" width="1" height="${length}"`;
  return markup`<rect${i < all - 1 && { html: ' class="then"' }}${place}/>`;
}
