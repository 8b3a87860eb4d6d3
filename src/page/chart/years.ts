/** Renders the years of a search as small bars, the asked ones in color. Each is a link that tells its count. */

import type { Localization } from '../../shared/city/localization.ts';
import type { Counts } from '../../shared/listing.ts';
import {
  ALL_TIME,
  clipDays,
  type Days,
  isOverlap,
  isPartly,
  isSameDays,
  spanYear,
  sumByYear,
  yearOf,
} from '../../shared/periods.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { changeAddress, formatPageAddress, type SearchView } from '../search-view.ts';
import { type ChartYear, listYears } from './chart-months.ts';

/** `was`: what is compared with. `other`: a year that is not asked for. */
export type Bar = 'now' | 'was' | 'other';

const FEWEST = 2;
/** Up to this many years, each has a label. Of more years, the first and the last have one. */
const LABELED_YEARS = 10;

/** Renders one bar, or two beside each other. `heights`: in hundredths. `counted`: how much of a bar is in full color. */
export function renderBar(heights: readonly number[], counted?: number): Markup {
  const rect = (height: number, x: number, look?: string) =>
    markup`<rect${look !== undefined && markup` class="${look}"`} x="${x}" y="${100 - height}" width="1" height="${height}"/>`;
  const bars = heights.map((height, x) =>
    rect(height, x, x > 0 ? 'rival' : counted === undefined ? undefined : 'rest'),
  );
  return markup`<svg viewBox="0 0 ${heights.length} 100" preserveAspectRatio="none"
 aria-hidden="true">${bars}${counted !== undefined && rect(counted, 0)}</svg>`;
}

/** Renders the years under a heading of this level, with the earlier ones and an unfinished one as a note. */
export function renderYears(view: SearchView, asked: Days, level: 2 | 3): Markup | undefined {
  const { layout, question, anyTime, dataEnd } = view;
  const { localization } = layout;
  const { say, monthDay } = localization;
  const bars = renderBars(view, (days) => (isOverlap(asked, days) ? 'now' : 'other'), { asked });
  if (bars === undefined) return undefined;
  const { earlier } = listYears(anyTime.byMonth);
  const days = earlier && { filed_from: '', filed_to: spanYear(earlier.year).filed_to };
  const before =
    days &&
    linkTo(formatPageAddress({ ...question, ...days, offset: 0 }), describeEarlier(localization, earlier!));
  const year = yearOf(dataEnd);
  const until =
    isPartly(spanYear(year), dataEnd) && say('chip.until', { year, day: monthDay(dataEnd, 'short', year) });
  return markup`<h${level} id="chart-years">${say('chart.title.years')}</h${level}>
${bars}<p class="note ends">${before}<span>${until}</span></p>`;
}

/** Describes the years that are not shown, such as `1993 and earlier: 2,855`. */
export function describeEarlier({ say }: Localization, { year, count }: ChartYear): string {
  return say('chart.point', { period: say('chart.earlier', { year }), n: count });
}

/** The months of what each year is compared with, and the names of both sides. */
export type Rival = { byMonth: Counts; names: readonly [string, string] };

type Options = {
  rival?: Rival | undefined;
  /** How many of a year are in the days that are compared, if these are a part of it. */
  counted?: ReadonlyMap<string, number> | undefined;
  /** The chosen days, whose bar leads back to all time. */
  asked?: Days;
};

/** Renders the bars, or nothing for a single year. */
export function renderBars(
  view: SearchView,
  lookOf: (days: Days) => Bar,
  { rival, counted, asked = ALL_TIME }: Options = {},
): Markup | undefined {
  const others = rival && sumByYear(rival.byMonth);
  const { years } = listYears(
    rival ? addMonthsOf(view.anyTime.byMonth, rival.byMonth) : view.anyTime.byMonth,
  );
  if (years.length < FEWEST) return undefined;
  const { say, number, period, list } = view.layout.localization;
  const pairs = years.map(({ year, count }) => [count, ...(others ? [others.get(year) ?? 0] : [])]);
  const most = Math.max(1, ...pairs.flat());
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, Math.round((count / most) * 100)));
  const bars = years.map(({ year }, i) => {
    const [days, pair, part] = [spanYear(year), pairs[i]!, counted?.get(year)];
    const known = clipDays(days, view.dataEnd);
    const told = [...(part === undefined ? [] : [part]), ...pair].map((count) => number(count)).join(' / ');
    const named = pair.map((n, side) =>
      rival ? say('filter.value', { value: rival.names[side]!, n }) : number(n),
    );
    const label = say('chart.point', {
      period: period(known.filed_from, known.filed_to),
      n: list(named),
    });
    const isPart = counted === undefined && known.filed_to < days.filed_to;
    const isNamed = years.length <= LABELED_YEARS || i === 0 || i === years.length - 1;
    const isCurrent = isSameDays(known, clipDays(asked, view.dataEnd));
    const href = changeAddress(view, isCurrent ? ALL_TIME : days);
    const name = isNamed && markup`<span aria-hidden="true">${year}</span>`;
    return markup`<li class="${lookOf(days)}${isPart && ' part'}"><a href="${href}" rel="nofollow"
 data-key="time:${year}"${isCurrent && { html: ' aria-current="true"' }} aria-label="${label}"
 data-tell="${year}: ${told}">${renderBar(pair.map(heightOf), part && heightOf(part))}${name}</a></li>`;
  });
  return markup`<ul class="bars years" data-arrows aria-label="${say('chart.title.years')}">${bars}</ul>`;
}

/** Adds the months that only the other side has, because its years are years of both. */
function addMonthsOf(byMonth: Counts, others: Counts): Counts {
  const added = others.map(({ value }) => ({ value, count: 0 }));
  return [...byMonth, ...added].sort((a, b) => (a.value < b.value ? 1 : -1));
}
