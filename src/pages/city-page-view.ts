/** What the city's page is made from, and how its links are spelled. */

import type { Outline } from '../city/outline.ts';
import type { Day, Instant } from '../listings/day.ts';
import type { Listing } from '../listings/listing.ts';
import type { Counts, Facets, Stats } from '../search/listing-index.ts';
import {
  formatQuestion,
  PAGE_LIMIT,
  type ParameterFault,
  type Question,
  type ValueFilter,
} from '../search/parameters.ts';
import type { Markup } from './markup.ts';
import type { PageLayout } from './page-layout.ts';

export type CityPageView = {
  layout: PageLayout;
  /** The filters spelled as the listings spell them; `limit` is 25. */
  question: Question;
  total: number;
  listings: readonly Listing[];
  warnings: readonly ParameterFault[];
  facets: Facets;
  stats: Stats;
  /** What is new, and the first few of it. */
  week: { total: number; listings: readonly Listing[] };
  /** The day by which "this week" is reckoned. */
  today: Day;
  asOf: Instant | null;
  outline: Outline | undefined;
  /** The signup form, where there is one. */
  signup: Markup | undefined;
  /** How many there would be without one of the things asked for; for when there is nothing. */
  without: Partial<Record<string, number>>;
};

/** The address of the page that shows this. */
export function formatPageAddress(question: Question): string {
  const query = formatQuestion({ ...question, limit: PAGE_LIMIT });
  return query === '' ? '/' : `/?${query}`;
}

/** The same question with other filters, from its first page on. */
export function changePageAddress(question: Question, other: Partial<Question>): string {
  return formatPageAddress({ ...question, offset: 0, ...other });
}

/** A value's link: chooses it alone, or lets it go where it is chosen. */
export function toggleFilterAddress(question: Question, filter: ValueFilter, value: string): string {
  return changePageAddress(question, { [filter]: question[filter].includes(value) ? [] : [value] });
}

/** Values with their counts; those that are chosen but do not occur have none. */
export function addChosen(counts: Counts, chosen: readonly string[]): Counts {
  const missing = chosen.filter((one) => !counts.some(({ value }) => value === one));
  return [...missing.map((value) => ({ value, count: 0 })), ...counts];
}
