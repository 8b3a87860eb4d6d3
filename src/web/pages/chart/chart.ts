/** The chart: filings per month of the search beside the year before. Months and years are links that set the time. */

import type { PageWord } from '../../../city/words.ts';
import { addMonths, monthOf } from '../../../listings/day.ts';
import { type CityPageView, changePageAddress } from '../city-page-view.ts';
import { type Markup, markup } from '../markup.ts';
import { describePeriod, describeSubject } from '../question-text.ts';
import { toPercent } from './bars.ts';
import {
  ALL_TIME,
  type ChartMonth,
  compareYears,
  type Days,
  type FilingSpan,
  findYearBefore,
  isLongSpan,
  isSameSpan,
  listChartMonths,
  listChartYears,
  makeSpan,
} from './chart-months.ts';
import { renderChartNumbers } from './chart-numbers.ts';

export function renderChart(view: CityPageView): Markup {
  const { layout, months, total } = view;
  const { say } = layout.localization;
  const subject = describeSubject(view);
  if (months.anyTime.length === 0)
    return renderSection(view, markup``, markup`<p>${say('chart.none', { subject })}</p>`);
  const shown = listChartMonths(view.question, months);
  const period = describePeriod(view, months);
  const [monthColumns, yearColumns] = [renderMonths(view, shown), renderYears(view)];
  return renderSection(
    view,
    renderSpans(view),
    markup`<p>${layout.localization.count('chart.summary', total, { subject, period })}</p>
${isByYear(view) ? yearColumns : monthColumns}
${isByYear(view) ? monthColumns : yearColumns}
<p class="note">${say('chart.help')} ${describePart(view, shown)}</p>
${renderChartNumbers(view, shown)}`,
  );
}

/** The chart draws what was asked for: by year where that is more than twelve months. The other one is there to choose from. */
function isByYear({ question, months }: CityPageView): boolean {
  return isLongSpan(question, months);
}

function renderSection(view: CityPageView, spans: Markup, content: Markup): Markup {
  const { say } = view.layout.localization;
  return markup`<section class="chart" id="chart" data-live aria-labelledby="chart-title"><div class="wide">
<div class="found"><h2 id="chart-title">${say(isByYear(view) ? 'chart.title.years' : 'chart.title')}</h2>${spans}</div>
${content}
</div></section>`;
}

/** Says which month is incomplete, if it is shown. */
function describePart({ layout, months }: CityPageView, shown: readonly ChartMonth[]): string | undefined {
  const { say, month, day } = layout.localization;
  const part = shown.find(({ isPart }) => isPart);
  return (
    part && say('chart.part', { period: month(monthOf(months.dataEnd), 'long'), day: day(months.dataEnd) })
  );
}

/** All time, the last twelve months, and the month that is running; of a register that has ended, its last one. */
function renderSpans(view: CityPageView): Markup {
  const { layout, months, isArchive } = view;
  const { say, month } = layout.localization;
  const last = months.lastMonth;
  const spans: [label: string, span: FilingSpan][] = [
    [say('span.all'), ALL_TIME],
    [say('span.year'), makeSpan(addMonths(last, -11), last)],
    [isArchive ? month(last, 'long') : say('span.month'), makeSpan(last)],
  ];
  const links = spans.map(
    ([label, span], i) =>
      markup`<li><a href="${changePageAddress(view.question, span)}" rel="nofollow" data-key="span:${i}"${markCurrent(view, span)}>${label}</a></li>`,
  );
  return markup`<ul class="spans" aria-label="${say('chart.span')}">${links}</ul>`;
}

function renderMonths(view: CityPageView, shown: readonly ChartMonth[]): Markup {
  const { localization } = view.layout;
  const most = Math.max(1, ...shown.flatMap(({ count, before = 0 }) => [count, before]));
  const columns = shown.map(({ month, days, count, before, isAsked, isPart }, i) => {
    const year = (i === 0 || month.endsWith('-01')) && markup`<b>${month.slice(0, 4)}</b>`;
    const daysBefore = { from: findYearBefore(days.from), to: findYearBefore(days.to) };
    const names = [
      namePoint(view, days, count),
      ...(before === undefined ? [] : [namePoint(view, daysBefore, before)]),
    ];
    return renderColumn(view, {
      span: makeSpan(month),
      key: month,
      name: names.join('. '),
      count,
      before,
      isAsked,
      isPart,
      bars: [...(before === undefined ? [] : [before / most]), count / most],
      caption: markup`${localization.month(month, 'short')}${year}`,
    });
  });
  return markup`${isByYear(view) && renderHeading(view, 'months', 'chart.title')}<ul class="columns months" data-arrows aria-labelledby="${isByYear(view) ? 'chart-months' : 'chart-title'}">${columns}</ul>${renderLegend(view, shown)}`;
}

/** Renders the heading of the second set of columns, which the chart is not about. */
function renderHeading({ layout }: CityPageView, name: string, word: PageWord): Markup {
  return markup`<h3 id="chart-${name}">${layout.localization.say(word)}</h3>`;
}

function namePoint({ layout }: CityPageView, { from, to }: Days, n: number): string {
  const { say, period } = layout.localization;
  return say('chart.point', { period: period(from, to), n });
}

/** The sums of the months asked for, and of the same days a year before. */
function renderLegend(view: CityPageView, shown: readonly ChartMonth[]): Markup | undefined {
  const compared = compareYears(shown);
  if (compared === undefined) return undefined;
  const { now, before } = compared;
  return markup`<ul class="legend"><li>${renderSwatch('now')}${namePoint(view, now, now.count)}</li><li>${renderSwatch('then')}${namePoint(view, before, before.count)}</li></ul>`;
}

function renderSwatch(name: 'now' | 'then'): Markup {
  return markup`<svg viewBox="0 0 1 1" aria-hidden="true"><rect class="${name}" width="1" height="1"/></svg>`;
}

/** Newest first; the style puts them in order, so that a narrow screen shows the newest. */
function renderYears(view: CityPageView): Markup | undefined {
  const years = listChartYears(view.question, view.months);
  if (years.length < 2) return undefined;
  const most = Math.max(1, ...years.map(({ count }) => count));
  const { say } = view.layout.localization;
  const columns = years.map(({ label, span, days, isFirst, count, isAsked, isPart }) =>
    renderColumn(view, {
      span,
      key: label,
      count,
      isAsked,
      isPart,
      name: isFirst
        ? say('chart.point', { period: say('chart.earlier', { year: label }), n: count })
        : namePoint(view, days, count),
      bars: [count / most],
      caption: markup`<b>${isFirst && '≤'}${label}</b>`,
    }),
  );
  return markup`${!isByYear(view) && renderHeading(view, 'years', 'chart.title.years')}<ul class="columns years" data-arrows aria-labelledby="${isByYear(view) ? 'chart-title' : 'chart-years'}">${columns}</ul>`;
}

type Column = {
  span: FilingSpan;
  key: string;
  /** The text for screen readers, which have neither the bars nor their position. */
  name: string;
  count: number;
  before?: number | undefined;
  isAsked: boolean;
  isPart: boolean;
  /** Shares of the longest bar; the last one is that of the count. */
  bars: readonly number[];
  caption: Markup;
};

/** Links to its time, or to all time if its time is already selected. */
function renderColumn(
  view: CityPageView,
  { span, key, name, count, before, isAsked, isPart, bars, caption }: Column,
): Markup {
  const { number } = view.layout.localization;
  const target = isSameSpan(view.question, span) ? ALL_TIME : span;
  const rects = bars.map((share, i) => {
    const length = toPercent(share);
    const place = markup` x="${i}" y="${100 - length}" width="1" height="${length}"`;
    return markup`<rect${i < bars.length - 1 && { html: ' class="then"' }}${place}/>`;
  });
  const look = `${isAsked ? 'asked' : 'beside'}${isPart ? ' part' : ''}`;
  return markup`<li><a class="${look}" href="${changePageAddress(view.question, target)}" rel="nofollow" data-key="time:${key}"${markCurrent(view, span)}><span class="unseen">${name}</span><span class="count" aria-hidden="true">${before !== undefined && markup`<i>${number(before)}</i>`}<b>${number(count)}</b></span><svg viewBox="0 0 ${bars.length} 100" preserveAspectRatio="none" aria-hidden="true">${rects}</svg><span class="month" aria-hidden="true">${caption}</span></a></li>`;
}

function markCurrent({ question }: CityPageView, span: FilingSpan): Markup | undefined {
  return isSameSpan(question, span) ? { html: ' aria-current="true"' } : undefined;
}
