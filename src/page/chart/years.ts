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
/** Up to this many asked years, each carries its number. */
const MOST_NUMBERED = 2;

/** How a number stands on its bar, by where another number stands: it grows away from it. */
const GROWS = { before: 'start', after: 'end', nowhere: undefined };

type BarLook = {
  /** What stands above each bar, if anything. */
  numbers?: readonly string[];
  /** Where the number of another bar stands. */
  beside?: keyof typeof GROWS;
  /** How much of a bar is in full color, in hundredths. */
  counted?: number | undefined;
};

/** Renders one bar, or two beside each other. `heights`: in hundredths. */
export function renderBar(
  heights: readonly number[],
  { numbers = [], beside = 'nowhere', counted }: BarLook = {},
): Markup {
  const width = 100 / heights.length;
  const rect = (height: number, i: number, look?: string) =>
    markup`<rect${look !== undefined && markup` class="${look}"`} x="${i * width}%" y="${100 - height}%" width="${width}%" height="${height}%"/>`;
  const bars = heights.map((height, i) =>
    rect(height, i, i > 0 ? 'rival' : counted === undefined ? undefined : 'rest'),
  );
  const texts = numbers.flatMap((text, i) => {
    const grows = numbers.length > 1 && !numbers.includes('') ? ['end', 'start'][i] : GROWS[beside];
    const x = (i + (grows === 'end' ? 1 : grows === 'start' ? 0 : 0.5)) * width;
    const y = 100 - (counted ?? heights[i]!);
    return text === ''
      ? []
      : markup`<text${grows && markup` class="${grows}"`} x="${x}%" y="${y}%" dy="-4">${text}</text>`;
  });
  return markup`<svg aria-hidden="true">${bars}${counted !== undefined && rect(counted, 0)}${texts}</svg>`;
}

/**
 * Renders the years under a heading of this level, with the earlier ones and an unfinished one as a note. `marked`: the days
 * to color.
 */
export function renderYears(view: SearchView, asked: Days, level: 2 | 3, marked = asked): Markup | undefined {
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
  const looks = years.map(({ year }) => lookOf(spanYear(year)));
  const isNumbered = openNumbered(looks, pairs);
  const fragment = view.shown.path === '/' ? '#found' : ''; // the list stands above, and a comparison beside
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
    const href = `${changeAddress(view, isCurrent ? ALL_TIME : days)}${fragment}`;
    const name = isNamed && markup`<span aria-hidden="true">${year}</span>`;
    const beside = isNumbered(i + 1) ? 'after' : isNumbered(i - 1) ? 'before' : 'nowhere';
    const numbers = pair.map((n) => (isNumbered(i, n) ? number(part ?? n) : ''));
    const bar = renderBar(pair.map(heightOf), { numbers, beside, counted: part && heightOf(part) });
    return markup`<li class="${looks[i]}${isPart && ' part'}"><a href="${href}" rel="nofollow"
 data-key="time:${year}"${isCurrent && { html: ' aria-current="true"' }}
 data-tell="${year}: ${told}">${bar}${name}<span class="unseen">${label}</span></a></li>`;
  });
  return markup`<ul class="bars years" data-arrows aria-label="${say('chart.title.years')}">${bars}</ul>`;
}

/** Returns whether a bar of a year carries its number: those of one or two asked years or, of more, the highest one. */
function openNumbered(looks: readonly Bar[], pairs: readonly (readonly number[])[]) {
  // of narrow bars side by side the numbers would touch, and the answer has them in large
  if (looks.includes('was') && looks.length > LABELED_YEARS) return () => false;
  const asked = [...looks.keys()].filter((i) => looks[i] !== 'other');
  if (asked.length <= MOST_NUMBERED) return (i: number, _n?: number) => asked.includes(i);
  const most = Math.max(...asked.flatMap((i) => pairs[i]!));
  const highest = asked.find((i) => pairs[i]!.includes(most));
  return (i: number, n?: number) => i === highest && n === most;
}

/** Adds the months that only the other side has, because its years are years of both. */
function addMonthsOf(byMonth: Counts, others: Counts): Counts {
  const added = others.map(({ value }) => ({ value, count: 0 }));
  return [...byMonth, ...added].sort((a, b) => (a.value < b.value ? 1 : -1));
}
