/** The data for the city's page, and the addresses of its links. */

import type { Outline } from '../../city/places/outline.ts';
import type { Day, Instant } from '../../listings/day.ts';
import type { Listing } from '../../listings/listing.ts';
import type { Counts, Facets, Stats, WarningCause } from '../../search/listing-index.ts';
import { formatQuestion, PAGE_LIMIT, type Question, type ValueFilter } from '../../search/parameters.ts';
import type { MonthCounts } from './chart/chart-months.ts';
import type { Markup } from './markup.ts';
import type { PageLayout } from './page-layout.ts';

export type CityPageView = {
  layout: PageLayout;
  /** The filters with values as the listings write them; `limit` is 25. */
  question: Question;
  total: number;
  listings: readonly Listing[];
  doubts: readonly Doubt[];
  facets: Facets;
  /** The counts of the whole city. */
  stats: Stats;
  months: MonthCounts;
  /** Whether the register has ended: then nothing is new. */
  isArchive: boolean;
  /** The number of new listings, and the first few of them. */
  week: { total: number; listings: readonly Listing[] };
  /** The last day of "this week". */
  today: Day;
  asOf: Instant | null;
  outline: Outline | undefined;
  /** The signup form, if there is one. */
  signup: Markup | undefined;
  /** What the last kept runs left out of the register, if that is known. */
  leftOut: LeftOut | undefined;
  /** How many results there would be without one of the filters; for a search without results. */
  without: Partial<Record<string, number>>;
};

/** Rows of the register and, of those that are not served, the numbers by reason. */
export type LeftOut = {
  read: number;
  skipped: ReadonlyMap<string, number>;
  /** Damaged rows. */
  rejected: number;
};

/** A search in a city, which can be said in words. */
export type Searched = Pick<CityPageView, 'layout' | 'question'>;

/** Why the search may not find what was meant, with another search that finds `count` listings. */
export type Doubt = {
  cause: WarningCause | 'long';
  word?: string | undefined;
  meant?: { value: string; question: Question; count: number } | undefined;
};

/** The address of the page that shows this search. */
export function formatPageAddress(question: Question): string {
  const query = formatQuestion({ ...question, limit: PAGE_LIMIT });
  return query === '' ? '/' : `/?${query}`;
}

/** The same search with other filters, starting at its first page. */
export function changePageAddress(question: Question, other: Partial<Question>): string {
  return formatPageAddress({ ...question, offset: 0, ...other });
}

/** The link of a value to its results: selects only this value, or removes it if it is selected. */
export function toggleFilterAddress(question: Question, filter: ValueFilter, value: string): string {
  const address = changePageAddress(question, {
    [filter]: question[filter].includes(value) ? [] : [value],
  });
  return `${address}#results`;
}

/** Values with their counts. Selected values that do not occur have no count. */
export function addChosen(counts: Counts, chosen: readonly string[]): Counts {
  const missing = chosen.filter((one) => !counts.some(({ value }) => value === one));
  return [...missing.map((value) => ({ value, count: 0 })), ...counts];
}
