/** Renders the years of a search as small bars, the asked ones in color. Each is a link that tells its count. */

import { clipDays, type Days, spanYear } from '../../shared/periods.ts';
import { type Markup, markup } from '../markup.ts';
import { changeAddress, type SearchView } from '../search-view.ts';
import { listYears } from './chart-months.ts';

/** `was`: what is compared with. `other`: a year that is not asked for. */
export type Bar = 'now' | 'was' | 'other';

const FEWEST = 3;

/** Renders one bar. `height`: in hundredths. */
export function renderBar(height: number): Markup {
  return markup`<svg viewBox="0 0 1 100" preserveAspectRatio="none" aria-hidden="true">
<rect y="${100 - height}" width="1" height="${height}"/></svg>`;
}

/** Renders the bars, or nothing for fewer than three years. */
export function renderBars(view: SearchView, lookOf: (days: Days) => Bar): Markup | undefined {
  const { years } = listYears(view.anyTime.byMonth);
  if (years.length < FEWEST) return undefined;
  const { say, number, period } = view.layout.localization;
  const most = Math.max(1, ...years.map(({ count }) => count));
  const looks = years.map(({ year }) => lookOf(spanYear(year)));
  const isNamed = (i: number) => i === 0 || i === years.length - 1;
  const bars = years.map(({ year, count }, i) => {
    const days = spanYear(year);
    const { filed_from, filed_to } = clipDays(days, view.dataEnd);
    const height = count === 0 ? 0 : Math.max(2, Math.round((count / most) * 100));
    const label = say('chart.point', { period: period(filed_from, filed_to), n: count });
    const look = `${looks[i]!}${filed_to < days.filed_to ? ' part' : ''}`;
    const name = isNamed(i) && markup`<span aria-hidden="true">${year}</span>`;
    return markup`<li class="${look}"><a href="${changeAddress(view, days)}" rel="nofollow" aria-label="${label}"
 data-tell="${year}: ${number(count)}">${renderBar(height)}${name}</a></li>`;
  });
  return markup`<ul class="bars" data-arrows aria-label="${say('chart.title.years')}">${bars}</ul>`;
}
