/** The chart: filings per month of the search beside the year before. Months and years are links that set the time. */

import { addMonths, type Day, firstDayOf, lastDayOf, type Month } from '../listings/day.ts';
import { toPercent } from './bars.ts';
import {
  ALL_TIME,
  type ChartMonth,
  type FilingSpan,
  isSameSpan,
  listChartMonths,
  listChartYears,
  makeSpan,
} from './chart-months.ts';
import { renderChartNumbers } from './chart-numbers.ts';
import { type CityPageView, changePageAddress } from './city-page-view.ts';
import { type Markup, markup } from './markup.ts';
import { describePeriod, describeSubject } from './question-text.ts';

export function renderChart(view: CityPageView): Markup {
  const { layout, months, total } = view;
  const { say } = layout.localization;
  const subject = describeSubject(view);
  if (months.anyTime.length === 0)
    return renderSection(view, markup``, markup`<p>${say('chart.none', { subject })}</p>`);
  const shown = listChartMonths(view.question, months);
  const period = describePeriod(view, months.asked);
  return renderSection(
    view,
    renderSpans(view),
    markup`<p>${layout.localization.count('chart.summary', total, { subject, period })}</p>
${renderMonths(view, shown)}
${renderYears(view)}
<p class="note">${say('chart.help')}</p>
${renderChartNumbers(view, shown)}`,
  );
}

function renderSection({ layout }: CityPageView, spans: Markup, content: Markup): Markup {
  return markup`<section class="chart" id="chart" data-live aria-labelledby="chart-title"><div class="wide">
<div class="found"><h2 id="chart-title">${layout.localization.say('chart.title')}</h2>${spans}</div>
${content}
</div></section>`;
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
  const columns = shown.map(({ month, count, before, isAsked }, i) => {
    const year = (i === 0 || month.endsWith('-01')) && markup`<b>${month.slice(0, 4)}</b>`;
    const names = [
      namePoint(view, month, count),
      ...(before === undefined ? [] : [namePoint(view, addMonths(month, -12), before)]),
    ];
    return renderColumn(view, {
      span: makeSpan(month),
      key: month,
      name: names.join('. '),
      count,
      before,
      isAsked,
      bars: [...(before === undefined ? [] : [before / most]), count / most],
      caption: markup`${localization.month(month, 'short')}${year}`,
    });
  });
  return markup`<ul class="columns months" data-arrows>${columns}</ul>${renderLegend(view, shown)}`;
}

function namePoint({ layout }: CityPageView, month: Month, n: number): string {
  const { say, month: format } = layout.localization;
  return say('chart.point', { period: format(month, 'long'), n });
}

/** The sums of the months asked for, and of the same months a year before. */
function renderLegend({ layout }: CityPageView, shown: readonly ChartMonth[]): Markup | undefined {
  const { say, period } = layout.localization;
  const asked = shown.filter(({ isAsked }) => isAsked);
  const [first, last] = [asked[0]?.month, asked.at(-1)?.month];
  if (first === undefined || last === undefined || asked[0]?.before === undefined) return undefined;
  const sum = (counts: readonly (number | undefined)[]) => counts.reduce<number>((all, n = 0) => all + n, 0);
  const name = (from: Day, to: Day, n: number) => say('chart.point', { period: period(from, to), n });
  const now = name(firstDayOf(first), lastDayOf(last), sum(asked.map(({ count }) => count)));
  const then = name(
    firstDayOf(addMonths(first, -12)),
    lastDayOf(addMonths(last, -12)),
    sum(asked.map(({ before }) => before)),
  );
  return markup`<ul class="legend"><li>${renderSwatch('now')}${now}</li><li>${renderSwatch('then')}${then}</li></ul>`;
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
  const columns = years.map(({ label, span, isFirst, count, isAsked }) =>
    renderColumn(view, {
      ...{ span, key: label, count, isAsked },
      name: say('chart.point', { period: isFirst ? say('chart.earlier', { year: label }) : label, n: count }),
      bars: [count / most],
      caption: markup`<b>${isFirst && '≤'}${label}</b>`,
    }),
  );
  return markup`<h3 id="chart-years">${say('chart.years')}</h3><ul class="columns years" data-arrows aria-labelledby="chart-years">${columns}</ul>`;
}

type Column = {
  span: FilingSpan;
  key: string;
  /** For screen readers, which see neither the bars nor where they stand. */
  name: string;
  count: number;
  before?: number | undefined;
  isAsked: boolean;
  /** Shares of the longest bar; the last one is that of the count. */
  bars: readonly number[];
  caption: Markup;
};

/** A link to its time, or to all time where its time is what is asked for. */
function renderColumn(
  view: CityPageView,
  { span, key, name, count, before, isAsked, bars, caption }: Column,
): Markup {
  const { number } = view.layout.localization;
  const target = isSameSpan(view.question, span) ? ALL_TIME : span;
  const rects = bars.map((share, i) => {
    const length = toPercent(share);
    const place = markup` x="${i}" y="${100 - length}" width="1" height="${length}"`;
    return markup`<rect${i < bars.length - 1 && { html: ' class="then"' }}${place}/>`;
  });
  const look = isAsked ? 'asked' : 'beside';
  return markup`<li><a class="${look}" href="${changePageAddress(view.question, target)}" rel="nofollow" data-key="time:${key}"${markCurrent(view, span)}><span class="unseen">${name}</span><span class="count" aria-hidden="true">${before !== undefined && markup`<i>${number(before)}</i>`}<b>${number(count)}</b></span><svg viewBox="0 0 ${bars.length} 100" preserveAspectRatio="none" aria-hidden="true">${rects}</svg><span class="month" aria-hidden="true">${caption}</span></a></li>`;
}

function markCurrent({ question }: CityPageView, span: FilingSpan): Markup | undefined {
  return isSameSpan(question, span) ? { html: ' aria-current="true"' } : undefined;
}
