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
/** Digits and commas of all numbers together that fit above the bars on a phone. */
const MOST_DIGITS = 36;

/**
 * Renders one bar, or two beside each other. `heights`: in hundredths. `text`: what stands above the first. `counted`: how
 * much of it is in color, in hundredths.
 */
export function renderBar(
  heights: readonly number[],
  { text, counted }: { text?: string | undefined; counted?: number | undefined } = {},
): Markup {
  const width = 100 / heights.length;
  const rect = (height: number, i: number, look?: string) =>
    markup`<rect${look !== undefined && markup` class="${look}"`} x="${i * width}%" y="${100 - height}%" width="${width}%" height="${height}%"/>`;
  const bars = heights.map((height, i) =>
    rect(height, i, i > 0 ? 'rival' : counted === undefined ? undefined : 'rest'),
  );
  const number = text !== undefined && markup`<text x="50%" y="${100 - heights[0]!}%" dy="-4">${text}</text>`;
  return markup`<svg aria-hidden="true">${bars}${counted !== undefined && rect(counted, 0)}${number}</svg>`;
}

/** Renders the years under a heading, with the earlier ones and an unfinished one as a note. `marked`: the days to color. */
export function renderYears(view: SearchView, asked: Days, marked = asked): Markup | undefined {
  const { layout, question, anyTime, dataEnd } = view;
  const { localization } = layout;
  const { say, monthDay } = localization;
  const bars = renderBars(view, (days) => (isOverlap(marked, days) ? 'now' : 'other'), { asked });
  if (bars === undefined) return undefined;
  const { earlier } = listYears(anyTime.byMonth);
  const days = earlier && { filed_from: '', filed_to: spanYear(earlier.year).filed_to };
  const before =
    days &&
    linkTo(formatPageAddress({ ...question, ...days, offset: 0 }), describeEarlier(localization, earlier!));
  const year = yearOf(dataEnd);
  const until =
    isPartly(spanYear(year), dataEnd) && say('chip.until', { year, day: monthDay(dataEnd, 'short', year) });
  return markup`<h2 id="chart-years">${say('chart.title.years')}</h2>
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

/**
 * Renders the bars, or nothing for a single year. If all years are asked for and their numbers fit, each carries its number; otherwise the
 * highest of the asked years does, unless it stands in large beside them.
 */
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
  const looks = years.map(({ year }) => lookOf(spanYear(year)));
  const highest = looks.includes('was') || rival ? undefined : findHighest(looks, years);
  const digits = years.reduce((sum, { count }) => sum + number(count).length, 0);
  const isEach = highest !== undefined && looks.every((look) => look === 'now') && digits <= MOST_DIGITS;
  const fragment = view.shown.path === '/' ? '#found' : ''; // the list stands above, and a comparison beside
  const bars = years.map(({ year, count }, i) => {
    const [days, pair, part] = [spanYear(year), pairs[i]!, counted?.get(year)];
    const known = clipDays(days, view.dataEnd);
    const named = pair.map((n, side) =>
      rival ? say('filter.value', { value: rival.names[side]!, n }) : number(n),
    );
    const n = part === undefined ? list(named) : `${number(part)} / ${number(count)}`;
    const isCut = known.filed_to < days.filed_to;
    const label = say('chart.point', { period: isCut ? period(days.filed_from, known.filed_to) : year, n });
    const isPart = isCut && counted === undefined;
    const isNamed = years.length <= LABELED_YEARS || i === 0 || i === years.length - 1;
    const isCurrent = isSameDays(known, clipDays(asked, view.dataEnd));
    const href = `${changeAddress(view, isCurrent ? ALL_TIME : days)}${fragment}`;
    const text = isEach || i === highest ? number(count) : undefined;
    const bar = renderBar(pair.map(heightOf), {
      text,
      counted: part === undefined ? undefined : heightOf(part),
    });
    return markup`<li class="${looks[i]}${isPart && ' part'}"><a href="${href}" rel="nofollow"
 data-key="time:${year}"${isCurrent && { html: ' aria-current="true"' }}>${bar}${isNamed && markup`<span aria-hidden="true">${year}</span>`}<span class="unseen">${label}</span></a></li>`;
  });
  return markup`<ul class="bars years" data-arrows aria-label="${say('chart.title.years')}">${bars}</ul>`;
}

/** Returns which of the asked years has the most. */
function findHighest(looks: readonly Bar[], years: readonly ChartYear[]): number | undefined {
  const asked = [...looks.keys()].filter((i) => looks[i] === 'now');
  return asked.reduce<number | undefined>(
    (best, i) => (best === undefined || years[i]!.count > years[best]!.count ? i : best),
    undefined,
  );
}

/** Adds the months that only the other side has, because its years are years of both. */
function addMonthsOf(byMonth: Counts, others: Counts): Counts {
  const added = others.map(({ value }) => ({ value, count: 0 }));
  return [...byMonth, ...added].sort((a, b) => (a.value < b.value ? 1 : -1));
}
