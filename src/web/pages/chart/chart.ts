/** The chart: filings per month of the search beside the year before. Months and years are links that set the time. */

import { monthOf } from '../../../listings/day.ts';
import type { ChangesView } from '../changes/changes-view.ts';
import { renderLegend } from '../map/map.ts';
import { type Markup, markup } from '../markup.ts';
import { describeSubject } from '../question-text.ts';
import { changeAddress } from '../search-view.ts';
import {
  ALL_TIME,
  type ChartMonth,
  clipSpan,
  type Days,
  type FilingSpan,
  findYearBefore,
  isSameSpan,
  listChartMonths,
  listChartYears,
  makeSpan,
} from './chart-months.ts';
import { renderChartNumbers } from './chart-numbers.ts';

export function renderChart(view: ChangesView): Markup {
  const { layout, months, period } = view;
  const { say } = layout.localization;
  if (months.anyTime.length === 0)
    return renderSection(view, markup`<p>${say('chart.none', { subject: describeSubject(view) })}</p>`);
  const shown = listChartMonths(toAskedSpan(view), months);
  const { now, before } = view.sums;
  const legend = renderLegend([
    { look: 'now', text: namePoint(view, period.now, now) },
    { look: 'then', text: namePoint(view, period.before, before) },
  ]);
  return renderSection(
    view,
    markup`${renderMonths(view, shown)}${legend}
${renderYears(view)}
<p class="note">${say('chart.help')} ${describePart(view, shown)}</p>
${renderChartNumbers(view, shown)}`,
  );
}

/** The compared days as a span of the chart. */
function toAskedSpan({ period: { now } }: ChangesView): FilingSpan {
  return { filed_from: now.from, filed_to: now.to };
}

function renderSection({ layout }: ChangesView, content: Markup): Markup {
  return markup`<section class="chart" id="chart" aria-labelledby="chart-title">
<h2 id="chart-title">${layout.localization.say('chart.title')}</h2>
${content}
</section>`;
}

/** Says which month is incomplete, if it is shown. */
function describePart({ layout, months }: ChangesView, shown: readonly ChartMonth[]): string | undefined {
  const { say, month, day } = layout.localization;
  const part = shown.find(({ isPart }) => isPart);
  return (
    part && say('chart.part', { period: month(monthOf(months.dataEnd), 'long'), day: day(months.dataEnd) })
  );
}

function renderMonths(view: ChangesView, shown: readonly ChartMonth[]): Markup {
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
      isAsked,
      isPart,
      bars: [...(before === undefined ? [] : [before / most]), count / most],
      caption: markup`${localization.month(month, 'short')}${year}`,
    });
  });
  return markup`<ul class="columns months" data-arrows aria-labelledby="chart-title">${columns}</ul>`;
}

function namePoint({ layout }: ChangesView, { from, to }: Days, n: number): string {
  const { say, period } = layout.localization;
  return say('chart.point', { period: period(from, to), n });
}

/** Newest first; the style puts them in order, so that a narrow screen shows the newest. */
function renderYears(view: ChangesView): Markup | undefined {
  const years = listChartYears(toAskedSpan(view), view.months);
  if (years.length < 2) return undefined;
  const most = Math.max(1, ...years.map(({ count }) => count));
  const { say } = view.layout.localization;
  const columns = years.map(({ label, span, days, isFirst, count, isAsked, isPart }) =>
    renderColumn(view, {
      span: isFirst ? undefined : span,
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
  return markup`<h3 id="chart-years">${say('chart.title.years')}</h3><ul class="columns years" data-arrows aria-labelledby="chart-years">${columns}</ul>`;
}

type Column = {
  /** The time that it links to; all years before a year cannot be compared. */
  span: FilingSpan | undefined;
  key: string;
  /** The text for screen readers, which have neither the bars nor their position. */
  name: string;
  count: number;
  isAsked: boolean;
  isPart: boolean;
  /** Shares of the longest bar; the last one is that of the count. */
  bars: readonly number[];
  caption: Markup;
};

/** Links to the comparison of its time, or to the usual one if its time is already selected. */
function renderColumn(view: ChangesView, column: Column): Markup {
  const { span, key, name, count, isAsked, isPart, bars, caption } = column;
  const { number } = view.layout.localization;
  const look = `${isAsked ? 'asked' : 'beside'}${isPart ? ' part' : ''}`;
  const content = markup`<span class="unseen">${name}</span><span class="count" aria-hidden="true"><b>${number(count)}</b></span><svg viewBox="0 0 ${bars.length} 100" preserveAspectRatio="none" aria-hidden="true">${bars.map((share, i) => renderBar(share, i, bars.length))}</svg><span class="month" aria-hidden="true">${caption}</span>`;
  if (span === undefined) return markup`<li><span class="${look}">${content}</span></li>`;
  const isCurrent = isChosen(view, span);
  const href = changeAddress(view, isCurrent ? ALL_TIME : span);
  return markup`<li><a class="${look}" href="${href}" rel="nofollow" data-key="time:${key}"${isCurrent && { html: ' aria-current="true"' }}>${content}</a></li>`;
}

function renderBar(share: number, i: number, all: number): Markup {
  const length = Math.max(share === 0 ? 0 : 1, Math.round(share * 100)); // what is above 0 can be seen
  const place = markup` x="${i}" y="${100 - length}" width="1" height="${length}"`;
  return markup`<rect${i < all - 1 && { html: ' class="then"' }}${place}/>`;
}

/** Whether this is the time that is compared, as far as the data goes. */
function isChosen({ period: { now }, dataEnd }: ChangesView, span: FilingSpan): boolean {
  return isSameSpan(clipSpan(span, dataEnd), { filed_from: now.from, filed_to: now.to });
}
