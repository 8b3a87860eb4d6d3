/** Renders the years of a search as small bars, the asked ones in color. Each is a link that tells its count. */

import type { Localization } from '../../shared/city/localization.ts';
import {
  ALL_TIME,
  clipDays,
  type Days,
  findDataStart,
  isOverlap,
  isSameDays,
  spanYear,
} from '../../shared/periods.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { changeAddress, formatPageAddress, type SearchView } from '../search-view.ts';
import { type ChartYear, listYears } from './chart-months.ts';

/** `was`: what is compared with. `other`: a year that is not asked for. */
export type Bar = 'now' | 'was' | 'other';

export const FEWEST = 2;
/** More asked years have a number only if each has room for it. */
const MOST_ASKED = 3;
/** Up to this many years, each has a label. Of more years, the first and the last have one. */
const LABELED_YEARS = 10;
/** Digits and commas of all numbers together that fit above the bars on a phone, beside large numbers. */
const MOST_DIGITS = 30;

/** Renders a bar. `height`: in hundredths. `text`: what stands above it. `counted`: how much is in color, in hundredths. */
export function renderBar(
  height: number,
  { text, counted }: { text?: string | undefined; counted?: number | undefined } = {},
): Markup {
  const rect = (high: number, look?: string) =>
    markup`<rect${look !== undefined && markup` class="${look}"`} y="${100 - high}%" width="100%" height="${high}%"/>`;
  const top = 100 - (counted ?? height);
  const number = text !== undefined && markup`<text x="50%" y="${top}%" dy="-4">${text}</text>`;
  return markup`<svg aria-hidden="true">${rect(height, counted === undefined ? undefined : 'rest')}${counted !== undefined && rect(counted)}${number}</svg>`;
}

/** Renders the years, with the earlier ones as a note. `marked`: the days to color. */
export function renderYears(view: SearchView, asked: Days, marked = asked): Markup | undefined {
  const { layout, question, anyTime, stats } = view;
  const bars = renderBars(view, (days) => (isOverlap(marked, days) ? 'now' : 'other'), { asked });
  if (bars === undefined) return undefined;
  const { earlier } = listYears(anyTime.byMonth, findDataStart(stats.byMonth));
  const link = ({ year }: ChartYear) =>
    formatPageAddress({ ...question, filed_from: '', filed_to: spanYear(year).filed_to, offset: 0 });
  const before = earlier && linkTo(link(earlier), describeEarlier(layout.localization, earlier));
  return markup`<h2 id="chart-years">${layout.localization.say('chart.title.years')}</h2>
${bars}${before && markup`<p class="note">${before}</p>`}`;
}

/** Describes the years that are not shown, such as `1993 and earlier: 2,855`. */
export function describeEarlier({ say }: Localization, { year, count }: ChartYear): string {
  return say('chart.point', { period: say('chart.earlier', { year }), n: count });
}

type Options = {
  /** How many of a year are in the days that are compared, if these are a part of it. */
  counted?: ReadonlyMap<string, number> | undefined;
  /** The chosen days, whose bar leads back to all time. */
  asked?: Days;
  /** Whether only as many years as can be named stand around the asked ones. */
  isRecent?: boolean;
  /** What stands for the years of the search: those of one of several sides, on the scale of all. */
  side?: { years: readonly ChartYear[]; most: number; of: number; label: string };
};

/** Renders the bars, or nothing for a single year. */
export function renderBars(
  view: SearchView,
  lookOf: (days: Days) => Bar,
  { counted, asked = ALL_TIME, isRecent = false, side }: Options = {},
): Markup | undefined {
  const all = side?.years ?? listYears(view.anyTime.byMonth, findDataStart(view.stats.byMonth)).years;
  const years = isRecent ? pickNamed(all, ({ year }) => lookOf(spanYear(year)) !== 'other') : all;
  if (years.length < FEWEST) return undefined;
  const { say, number, period } = view.layout.localization;
  const most = side?.most ?? Math.max(1, ...years.map(({ count }) => count));
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, Math.round((count / most) * 100)));
  const looks = years.map(({ year }) => lookOf(spanYear(year)));
  const room = Math.floor(MOST_DIGITS / (number(most).length + 1) / (side?.of ?? 1));
  const numbered = pickNumbered(years, looks, Math.ceil(years.length / room));
  const fragment = view.shown.path === '/' ? '#found' : ''; // the list stands above, and a comparison beside
  const bars = years.map(({ year, count }, i) => {
    const [days, part] = [spanYear(year), counted?.get(year)];
    const known = clipDays(days, view.dataEnd);
    const n = part === undefined ? number(count) : `${number(part)} / ${number(count)}`;
    const isCut = known.filed_to < days.filed_to;
    const said = say('chart.point', { period: isCut ? period(days.filed_from, known.filed_to) : year, n });
    const isPart = isCut && counted === undefined;
    const isEachNamed = years.length <= LABELED_YEARS;
    const isNamed = isEachNamed || i === 0 || i === years.length - 1;
    const name = isEachNamed ? markup`<span>${year.slice(0, -2)}</span>${year.slice(-2)}` : year;
    const isCurrent = isSameDays(known, clipDays(asked, view.dataEnd));
    const href = `${changeAddress(view, isCurrent ? ALL_TIME : days)}${fragment}`;
    const bar = renderBar(heightOf(count), {
      text: numbered.has(i) ? number(part ?? count) : undefined,
      counted: part === undefined ? undefined : heightOf(part),
    });
    const current = isCurrent && { html: ' aria-current="true"' };
    const label = markup`<span class="unseen">${said}</span>`;
    return markup`<li class="${looks[i]}${isPart && ' part'}"><a href="${href}"
 rel="nofollow"${current}>${bar}${isNamed && markup`<span aria-hidden="true">${name}</span>`}${label}</a></li>`;
  });
  const title = side?.label ?? say('chart.title.years');
  return markup`<ul class="bars years" data-arrows aria-label="${title}">${bars}</ul>`;
}

/** Returns as many years as can be named, with the asked ones among them, or all if these are more. */
function pickNamed(years: readonly ChartYear[], isAsked: (year: ChartYear) => boolean): readonly ChartYear[] {
  const [first, last] = [years.findIndex(isAsked), years.findLastIndex(isAsked)];
  const newest = Math.max(0, years.length - LABELED_YEARS);
  const start = Math.min(Math.max(0, first - LABELED_YEARS / 2), newest);
  return last < start + LABELED_YEARS ? years.slice(start, start + LABELED_YEARS) : years;
}

/** Picks the bars that have their number, and room for it: the asked years, the last and the highest. `apart`: how far others must be from these. */
function pickNumbered(years: readonly ChartYear[], looks: readonly Bar[], apart: number): Set<number> {
  const highest = [...years.keys()].sort((a, b) => years[b]!.count - years[a]!.count);
  const asked = highest.filter((i) => looks[i] !== 'other');
  const picked = new Set(asked.length > MOST_ASKED && apart > 1 ? asked.slice(0, 1) : asked);
  for (const i of [years.length - 1, highest[0]!])
    if (![...picked].some((one) => Math.abs(one - i) < apart)) picked.add(i);
  return picked;
}
