/** Renders the years of a search as small bars, the asked ones in color. Each is a link that tells its count. */

import type { Counts } from '../../shared/listing.ts';
import { clipDays, type Days, spanYear, sumByYear } from '../../shared/periods.ts';
import { type Markup, markup } from '../markup.ts';
import { changeAddress, type SearchView } from '../search-view.ts';
import { type ChartYear, listYears } from './chart-months.ts';

/** `was`: what is compared with. `other`: a year that is not asked for. */
export type Bar = 'now' | 'was' | 'other';

const FEWEST = 3;

/** Renders one bar, or two beside each other. `heights`: in hundredths. */
export function renderBar(...heights: readonly number[]): Markup {
  const bars = heights.map(
    (height, i) =>
      markup`<rect${i > 0 && { html: ' class="rival"' }} x="${i}" y="${100 - height}" width="1" height="${height}"/>`,
  );
  return markup`<svg viewBox="0 0 ${heights.length} 100" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>`;
}

/** The months of what each year is compared with, and the names of both sides. */
export type Rival = { byMonth: Counts; names: readonly [string, string] };

/** Renders the bars, or nothing for fewer than three years. `yearly`: the counts of the same days of each year. */
export function renderBars(
  view: SearchView,
  lookOf: (days: Days) => Bar,
  { rival, yearly }: { rival?: Rival | undefined; yearly?: readonly ChartYear[] | undefined } = {},
): Markup | undefined {
  // years that only the other side has are years of both
  const others = rival && sumByYear(rival.byMonth);
  const ofRival = rival?.byMonth.map(({ value }) => ({ value, count: 0 })) ?? [];
  const months = [...view.anyTime.byMonth, ...ofRival].toSorted((a, b) => (a.value < b.value ? 1 : -1));
  const years = yearly ?? listYears(months).years;
  if (years.length < FEWEST) return undefined;
  const { say, number, period, list } = view.layout.localization;
  const pairs = years.map(({ year, count }) => [count, ...(others ? [others.get(year) ?? 0] : [])]);
  const most = Math.max(1, ...pairs.flat());
  const bars = years.map(({ year, days = spanYear(year) }, i) => {
    const { filed_from, filed_to } = clipDays(days, view.dataEnd);
    const pair = pairs[i]!;
    const heights = pair.map((count) => (count === 0 ? 0 : Math.max(2, Math.round((count / most) * 100))));
    const told = pair.map((count) => number(count)).join(' / ');
    const named = pair.map((n, side) =>
      rival ? say('filter.value', { value: rival.names[side]!, n }) : number(n),
    );
    const label = say('chart.point', { period: period(filed_from, filed_to), n: list(named) });
    const look = `${lookOf(days)}${yearly === undefined && filed_to < days.filed_to ? ' part' : ''}`;
    const isNamed = i === 0 || i === years.length - 1;
    return markup`<li class="${look}"><a href="${changeAddress(view, days)}" rel="nofollow" aria-label="${label}"
 data-tell="${year}: ${told}">${renderBar(...heights)}${isNamed && markup`<span aria-hidden="true">${year}</span>`}</a></li>`;
  });
  return markup`<ul class="bars" data-arrows aria-label="${say('chart.title.years')}">${bars}</ul>`;
}
