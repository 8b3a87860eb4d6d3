/** The chart: filings per month of the search beside the year before. Months and years are links that set the time. */

import { monthOf } from '../../../listings/day.ts';
import type { ChangesView } from '../changes/changes-view.ts';
import { ALL_TIME, clipDays, type Days, findDaysBefore, isSameDays, spanMonths } from '../changes/periods.ts';
import { type Look, renderLegend } from '../map/map.ts';
import { type Markup, markup } from '../markup.ts';
import { describeSubject } from '../question-text.ts';
import { changeAddress } from '../search-view.ts';
import { type ChartMonth, isOverlap, isPartly, listChartMonths, listYears } from './chart-months.ts';
import { renderChartNumbers } from './chart-numbers.ts';

export function renderChart(view: ChangesView): Markup {
  const { layout, months, period, dataEnd } = view;
  const { say } = layout.localization;
  if (months.anyTime.now.length === 0)
    return renderSection(view, markup`<p>${say('chart.none', { subject: describeSubject(view) })}</p>`);
  const shown = listChartMonths(period, months, dataEnd);
  return renderSection(
    view,
    markup`${renderMonths(view, shown)}${renderLegend(listChartLooks(view, shown))}
${renderYears(view)}
<p class="note">${say('chart.help')}</p>
${renderChartNumbers(view, shown)}`,
  );
}

/** What each color means, and the hatching if a month is incomplete. */
function listChartLooks(view: ChangesView, shown: readonly ChartMonth[]): Look[] {
  const { layout, period, sums, dataEnd } = view;
  const { say, month, day } = layout.localization;
  const part = { period: month(monthOf(dataEnd), 'long'), day: day(dataEnd) };
  return [
    { look: 'now', text: namePoint(view, period.now, sums.now) },
    { look: 'then', text: namePoint(view, period.before, sums.before) },
    ...(shown.every(({ isAsked }) => isAsked) ? [] : [{ look: 'beside', text: say('chart.beside') }]),
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
  const most = Math.max(1, ...shown.flatMap(({ count, before }) => [count, before]));
  const columns = shown.map(({ month, days, count, before, isAsked, isPart }, i) => {
    const year = (i === 0 || month.endsWith('-01')) && markup`<b>${month.slice(0, 4)}</b>`;
    return renderColumn(view, {
      days: spanMonths(month),
      key: month,
      name: `${namePoint(view, days, count)}. ${namePoint(view, findDaysBefore(days), before)}`,
      count,
      isAsked,
      isPart,
      bars: [before / most, count / most],
      caption: markup`${localization.month(month, 'short')}${year}`,
    });
  });
  return markup`<ul class="columns months" data-arrows aria-labelledby="chart-title">${columns}</ul>`;
}

function namePoint({ layout }: ChangesView, { filed_from, filed_to }: Days, n: number): string {
  const { say, period } = layout.localization;
  return say('chart.point', { period: period(filed_from, filed_to), n });
}

/** Newest first; the style puts them in order, in rows that end with the newest year. */
function renderYears(view: ChangesView): Markup | undefined {
  const { layout, months, period, dataEnd } = view;
  const years = listYears(months.anyTime.now);
  if (years.length < 2) return undefined;
  const most = Math.max(1, ...years.map(({ count, isFirst }) => (isFirst ? 0 : count)));
  const { say } = layout.localization;
  const columns = years.map(({ label, days, isFirst, count }) => {
    const isPart = isPartly(days, dataEnd);
    return renderColumn(view, {
      days: isFirst ? undefined : days,
      key: label,
      count,
      isAsked: isOverlap(period.now, days),
      isPart,
      name: isFirst
        ? say('chart.point', { period: say('chart.earlier', { year: label }), n: count })
        : namePoint(view, isPart ? clipDays(days, dataEnd) : days, count),
      bars: isFirst ? [] : [count / most],
      caption: markup`<b>${isFirst && '≤'}${label}</b>`,
    });
  });
  return markup`<h3 id="chart-years">${say('chart.title.years')}</h3><ul class="columns years" data-arrows aria-labelledby="chart-years">${columns}</ul>`;
}

type Column = {
  /** The time that it links to; all years before a year cannot be compared. */
  days: Days | undefined;
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
  const { days, key, name, count, isAsked, isPart, bars, caption } = column;
  const { number } = view.layout.localization;
  const look = `${isAsked ? 'asked' : 'beside'}${isPart ? ' part' : ''}`;
  const content = markup`<span class="unseen">${name}</span><span class="count" aria-hidden="true"><b>${number(count)}</b></span><svg viewBox="0 0 ${bars.length} 100" preserveAspectRatio="none" aria-hidden="true">${bars.map((share, i) => renderBar(share, i, bars.length))}</svg><span class="month" aria-hidden="true">${caption}</span>`;
  if (days === undefined) return markup`<li><span class="${look}">${content}</span></li>`;
  const isCurrent = isSameDays(clipDays(days, view.dataEnd), view.period.now);
  const href = changeAddress(view, isCurrent ? ALL_TIME : days);
  return markup`<li><a class="${look}" href="${href}" rel="nofollow" data-key="time:${key}"${isCurrent && { html: ' aria-current="true"' }}>${content}</a></li>`;
}

function renderBar(share: number, i: number, all: number): Markup {
  const length = Math.max(share === 0 ? 0 : 1, Math.round(share * 100)); // what is above 0 can be seen
  const place = markup` x="${i}" y="${100 - length}" width="1" height="${length}"`;
  return markup`<rect${i < all - 1 && { html: ' class="then"' }}${place}/>`;
}
