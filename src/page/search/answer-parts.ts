/** What answers to questions share: the parts of sentences, the years, and what could make a number wrong. */

import {
  ALL_TIME,
  type Days,
  findDataStart,
  findOldest,
  isFirstYear,
  isOneYear,
  isOverlap,
  isSameDays,
  isWholeYears,
  isYearApart,
  sumByYear,
  yearOf,
} from '../../shared/periods.ts';
import {
  asksAnything,
  EVERYTHING,
  perFilter,
  type Question,
  type ValueFilter,
} from '../../shared/question.ts';
import type { Statement } from '../answer-card.ts';
import { listYears } from '../chart/chart-months.ts';
import { type Bar, FEWEST, renderBars } from '../chart/years.ts';
import { nounFor } from '../kinds/kinds.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import type { PageLayout } from '../page-layout.ts';
import { describeFound, describeSubject, isNarrowedGroup, listFoundLabels } from '../question-text.ts';
import { formatPageAddress, nameDataStart, type SearchView } from '../search-view.ts';
import type { SearchPageView } from './search-page-view.ts';

export type Answer = Statement & {
  /** The numbers of bars, which are copied before the source. */
  data?: string;
  /** The neighborhood that the sentence names first, to be marked on the map. */
  place?: string;
  /** The page that shows these numbers again. Default: their table or the search. */
  address?: string;
  /** The comparison that has these numbers of each kind or neighborhood. */
  table?: string;
  /** Their picture and their table, or `false` for none. Default: those of the search by month. */
  chart?: string | false;
  numbers?: string | false;
};

/** Says that no listing has all words of a list or a number, so that those with some of them are listed. */
export function describeMissed(view: SearchPageView): string | undefined {
  const { layout, reading, question, typed, total } = view;
  const missed = reading?.words.filter(({ why }) => why === 'unknown' || why === 'together') ?? [];
  const isPlain = reading?.answer === 'list' || reading?.answer === 'count';
  if (!isPlain || typed === undefined || total === 0 || missed.length === 0) return undefined;
  if (question.q === '') return undefined;
  const order = (words: string) => typed.q.indexOf(words);
  const all = [...missed.map(({ text }) => text), question.q].sort((a, b) => order(a) - order(b));
  return layout.localization.say('meant.missed', { q: all.join(' ') });
}

/** Begins an answer with yes or no, if a question asks for it. */
export function sayClaim({ layout }: SearchPageView, what: string, isTrue: boolean | undefined): string {
  return isTrue === undefined ? what : layout.localization.say(isTrue ? 'answer.yes' : 'answer.no', { what });
}

/** Returns what a question asks whether there is any of, such as `zoos` of `are there any zoos`. */
export function findWhether({ layout, question, typed = question }: SearchView): string | undefined {
  const asked = layout.localization
    .say('ask.any')
    .split('|')
    .find((words) => typed.q.toLowerCase().startsWith(`${words} `));
  return asked && typed.q.slice(asked.length + 1);
}

/** Returns whether a status does not say whether a business closed. */
export function isUntold(status: string): boolean {
  return status !== 'open' && status !== 'closed';
}

/** Lists the statuses found that do not say whether a business closed. */
export function listUntold({ facets }: Pick<SearchView, 'facets'>): SearchView['facets']['status'] {
  return facets.status.filter(({ value }) => isUntold(value));
}

/** Says that one side of a comparison is only what names and types tell, and the other one a whole kind. */
export function describeUnlike({ layout, reading }: SearchPageView): string | false {
  const { word } = reading?.unlike ?? {};
  return word !== undefined && layout.localization.say('compare.unlike', { word });
}

/** Writes a sum and its parts: `30 restaurants: 19 in 2004 and 11 in 2016`. */
export function sayParts({ layout, question }: SearchPageView, parts: (readonly [number, Days])[]): string {
  const { say, list, number } = layout.localization;
  const total = parts.reduce((sum, [n]) => sum + n, 0);
  const what = describeFound({ layout, question: { ...question, ...ALL_TIME } }, total);
  const said = parts.map(([n, days]) => `${number(n)} ${describeSpan(layout, days)}`);
  return say('compare.union', { what, parts: list(said) });
}

/** Warns of the first year of a register, in which older businesses were filed as well. */
export function describeBeginning(view: SearchPageView, ...periods: Days[]): string | false {
  const isEarly = periods.some((days) => isFirstYear(days, view.stats.byMonth));
  return isEarly && view.layout.localization.say('compare.begins', { month: nameDataStart(view) });
}

/** Says that the data does not reach back to what would be compared. */
export function describeNoneBefore(view: SearchView): string {
  return view.layout.localization.say('count.begins', { month: nameDataStart(view) });
}

/** Says which days the numbers are of, if a question names none. */
export function describeAllTime({ layout, stats, dataEnd }: SearchPageView): string {
  const { say, day, month } = layout.localization;
  const oldest = findOldest(stats.byMonth) ?? dataEnd;
  return say('compare.all', { month: month(oldest, 'long'), day: day(dataEnd) });
}

export function describeSpan(layout: PageLayout, { filed_from, filed_to }: Days): string {
  const period = listFoundLabels({ layout, question: { ...EVERYTHING, filed_from, filed_to } }).join(' ');
  return /^\d{4}(?:\s–\s\d{4})?$|^\D+\s\d{4}$/.test(period)
    ? layout.localization.say('search.period', { what: '', period }).trim()
    : period;
}

/** Returns whether two searches differ at most in their days. */
export function isSameButDays(one: Question, other: Question): boolean {
  const [first, second] = [one, other].map((side) => formatPageAddress({ ...side, ...ALL_TIME }));
  return first === second;
}

/** Returns whether the same part of two years is compared. */
export function isPartOfYears(one: Days, other: Days): boolean {
  return isYearApart(one, other) && !isWholeYears(one);
}

/** Names both sides by what differs. */
export function nameSides(layout: PageLayout, search: Question, against: Question): [string, string] {
  const isYear = isSameButDays(search, against) && isYearApart(search, against);
  const name = (one: Question, other: Question) => {
    const isAlike = (filter: ValueFilter) =>
      String(one[filter]) === String(other[filter]) ||
      (filter === 'category' && isNarrowedGroup(layout, one.q, one.category));
    const differs = {
      ...EVERYTHING,
      ...(isSameDays(one, other) ? {} : { filed_from: one.filed_from, filed_to: one.filed_to }),
      ...perFilter((filter) => (isAlike(filter) ? [] : one[filter])),
      q: one.q === other.q ? '' : one.q,
    };
    if (isYear && isOneYear(one)) return yearOf(one.filed_from);
    const isKind = !asksAnything({ ...differs, category: [] });
    const noun = isKind ? nounFor(layout.city, one.category, 2) : undefined;
    return noun ?? describeSubject({ layout, question: differs }, true);
  };
  return [name(search, against), name(against, search)];
}

/** Renders the years of each side or kind beside those of the others, on one scale, with its name and its number, if there are such. */
export function renderSides(view: SearchPageView): Markup | undefined {
  const { layout, stats, reading, sides = [] } = view;
  const { say, number } = layout.localization;
  const start = findDataStart(stats.byMonth);
  const known = sides.flatMap(({ byMonth }) => listYears(byMonth, start).years.map(({ year }) => year));
  const years = [...new Set(known)].sort();
  if (years.length < FEWEST) return undefined;
  const counts = sides.map(({ byMonth }) =>
    years.map((year) => ({ year, count: sumByYear(byMonth).get(year) ?? 0 })),
  );
  const most = Math.max(1, ...counts.flat().map(({ count }) => count));
  const items = sides.map(({ question, n }, i) => {
    const [text] = nameSides(layout, question, sides[i === 0 ? 1 : 0]!.question);
    const look = i > 0 && reading?.against ? 'was' : 'now';
    const bars = renderBars({ ...view, question }, (days) => (isOverlap(question, days) ? look : 'other'), {
      side: { years: counts[i]!, most, of: sides.length, label: `${text}: ${say('chart.title.years')}` },
    });
    const link = linkTo(formatPageAddress(question), markup`<bdi>${text}</bdi>`);
    return markup`<li>${link} <span class="count">${number(n)}</span>${bars}</li>`;
  });
  return markup`<ul class="pair">${items}</ul>`;
}

/** What days are compared with, and the numbers of both, which stand beside the bars. */
type Against = { days: Days; counts: readonly [number, number] };

/** Renders the years around the asked ones, with these in color, unless what is asked for is no part of one year. */
export function renderAskedYears(view: SearchView, asked: Days, against?: Against): Markup | undefined {
  if (against !== undefined && !isOneYear(asked)) return undefined;
  const lookOf = (days: Days): Bar => {
    if (isOverlap(asked, days)) return 'now';
    return against !== undefined && isOverlap(against.days, days) ? 'was' : 'other';
  };
  const isParts = against !== undefined && isPartOfYears(asked, against.days);
  const counted = isParts
    ? new Map([asked, against.days].map((days, i) => [yearOf(days.filed_from), against.counts[i]!]))
    : undefined;
  const bars = renderBars(view, lookOf, { counted, isRecent: true });
  const note =
    bars && isParts && markup`<p class="note">${view.layout.localization.say('compare.whole')}</p>`;
  return bars && markup`${bars}${note}`;
}

/** Names the days that are compared with, after a number: `in the same period of 2015`. */
export function saySame({ localization: { say } }: PageLayout, before: Days): string {
  const year = yearOf(before.filed_from);
  if (!isOneYear(before)) return say('changes.same.before');
  return say(isWholeYears(before) ? 'changes.same.year' : 'changes.same', { year });
}

/** Below, a percentage says less than the numbers. */
const FEWEST_SHARED = 100;

/** Says how large a difference is: `3`, or `2%` if both numbers are large. */
export function sayDifference({ localization }: PageLayout, count: number, other: number): string {
  const percent = Math.round((100 * Math.abs(count - other)) / other);
  return Math.min(count, other) < FEWEST_SHARED || percent === 0
    ? localization.number(Math.abs(count - other))
    : localization.share(percent / 100).replace('+', '');
}
