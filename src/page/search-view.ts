/** Defines the data that both views of a search (listings and comparison) show, and the addresses of their links. */

import type { Facets, Stats } from '../shared/answers.ts';
import type { Outline } from '../shared/city/outline.ts';
import { type Day, type Instant, monthOf } from '../shared/day.ts';
import type { Counts, NamedFilter } from '../shared/listing.ts';
import { findDataStart, type Period } from '../shared/periods.ts';
import {
  formatAddress,
  isExcluded,
  PAGE_LIMIT,
  type Question,
  type ValueFilter,
  type WarningCode,
} from '../shared/question.ts';
import type { Reading } from '../shared/reading.ts';
import type { PageLayout } from './page-layout.ts';

/** A view of a search: its path and, for a comparison, its rows and their order. Signup and past weekly emails have filters only. */
export type Shown =
  | { path: '/' | '/feeds' | `/weekly${string}` }
  | { path: '/changes'; by: NamedFilter; sort: string };

/** The default order of a comparison, which its address omits. */
export const USUAL_SORT = 'change';

export type SearchView = {
  layout: PageLayout;
  shown: Shown;
  /** The search, with filter values spelled as in the listings; `limit` is 25. */
  question: Question;
  facets: Facets;
  /** The counts of the whole city. */
  stats: Stats;
  /** The counts of the search without its period. */
  anyTime: Pick<Stats, 'latestFiling' | 'byMonth' | 'total'>;
  /** The day that "this week" ends on. */
  today: Day;
  /** The last day of which filings are known as usual. */
  dataEnd: Day;
  period: Period;
  /** Set if the search is for a status such as `closed`: how many of the businesses have it (`n` of `of`). */
  closings: Record<'n' | 'of', number> | undefined;
  dataAsOf: Instant | null;
  outline: Outline | undefined;
  /**
   * The search as typed, if the view shows the meaning of its words instead. The form then holds it and no other fields, so that
   * changing the words changes the filters.
   */
  typed?: Question | undefined;
  /** The number of listings that `typed` finds word for word. */
  typedTotal?: number;
  /** How the words were read, unless they are searched for as typed. */
  reading?: Reading | undefined;
};

/** The data of a view that does not depend on the search. */
export type Surroundings = Pick<SearchView, 'layout' | 'dataAsOf' | 'outline'>;

/** A search, with the layout that describes it in words. */
export type Searched = Pick<SearchView, 'layout' | 'question'>;

/** What the addresses of links are made of. */
type Linking = Pick<SearchView, 'shown' | 'question'>;

/** The warnings that pages show. Of words they say more (`reading`). */
export type ShownWarning = Extract<
  WarningCode,
  ('misspelled' | 'unknown-value' | 'no-words' | 'reversed-dates') | ('after-latest-filing' | 'in-the-future')
>;

/** Why a search may be wrong, and a suggestion that finds `count` listings. `isWhole`: it changes filters too. */
export type Doubt = {
  code: ShownWarning | 'long' | 'invalid-date';
  word?: string | undefined;
  meant?: { value: string; question: Question; count: number; isWhole: boolean } | undefined;
};

/** Names the month in which the data of the register begins. */
export function nameDataStart({
  layout,
  stats,
  dataEnd,
}: Pick<SearchView, 'layout' | 'stats' | 'dataEnd'>): string {
  return layout.localization.month(findDataStart(stats.byMonth) ?? monthOf(dataEnd), 'long');
}

/** Returns the default rows of a comparison. */
export function findUsualRows({ neighborhood }: Pick<Question, 'neighborhood'>): NamedFilter {
  return neighborhood.length === 1 ? 'category' : 'neighborhood';
}

export function formatViewAddress(shown: Shown, question: Question): string {
  if (shown.path !== '/changes') return formatAddress(shown.path, { ...question, limit: PAGE_LIMIT });
  const by = shown.by === findUsualRows(question) ? '' : `by=${shown.by}`;
  const sort = shown.sort === USUAL_SORT ? '' : `sort=${shown.sort}`;
  return formatSearchAddress(shown.path, question, by, sort);
}

/** Returns an address about all results of a search, such as `/feeds?q=coffee`. `others` are further parameters. */
export function formatSearchAddress(path: string, question: Question, ...others: readonly string[]): string {
  return formatAddress(path, { ...question, limit: PAGE_LIMIT, offset: 0 }, ...others);
}

/** Returns the address of the listings of this search. */
export function formatPageAddress(question: Question): string {
  return formatViewAddress({ path: '/' }, question);
}

/** Returns the address of the comparison of this search, with the default rows unless given. */
export function formatChangesAddress(question: Question, by = findUsualRows(question)): string {
  return formatViewAddress({ path: '/changes', by, sort: USUAL_SORT }, question);
}

/** Returns the address of the first page of the same view with other filters. */
export function changeAddress({ shown, question }: Linking, other: Partial<Question>): string {
  return formatViewAddress(shown, { ...question, offset: 0, ...other });
}

/** Returns the address that adds this value, or removes it if it is chosen. */
export function toggleFilterAddress(view: Linking, filter: ValueFilter, value: string): string {
  const chosen = view.question[filter];
  const values = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
  return `${changeAddress(view, { [filter]: values })}#found`;
}

/** Returns the values with their counts. Adds chosen values that no listing has, without a count, and none that are excluded. */
export function addChosen(counts: Counts, chosen: Iterable<string>): Counts {
  const missing = [...chosen].filter((one) => !isExcluded(one) && !counts.some(({ value }) => value === one));
  return [...missing.map((value) => ({ value, count: 0 })), ...counts];
}
