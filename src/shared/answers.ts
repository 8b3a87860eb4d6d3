/** Defines the counts and editions that an index answers with and pages show. */

import type { Day, Instant } from './day.ts';
import type { Counts } from './listing.ts';
import { VALUE_FILTERS, type ValueFilter } from './question.ts';

/** What listings can be counted by. */
export const DIMENSIONS: readonly Dimension[] = ['month', ...VALUE_FILTERS];
export type Dimension = 'month' | ValueFilter;

/** Counts of matches by value, highest first, ties by name (code unit). Values without matches are omitted. */
export type Facets = Record<ValueFilter, Counts>;

export type Stats = {
  total: number;
  latestFiling: Day | null;
  byMonth: Counts;
  by: Facets;
};

export type EditionCount = { edition: Day; total: number };

/** A page of found listings. `total` counts all that match. */
export type FoundPage = {
  total: number;
  /** The listings of the page, for `readListings`. */
  rows: Uint32Array;
  /** The identities of these listings: numbers that survive an import, to tell what a client was served before. */
  identities: Uint32Array;
};

export type EditionPage = FoundPage & {
  /** What the operator said at its top. */
  introduction: string | null;
  /** The filing dates of all its listings, newest first. */
  filed: readonly Day[];
  byCategory: Counts;
  byNeighborhood: Counts;
  /** The neighborhoods in the order of the email. All listings of one come before the next. */
  places: Counts;
  /** The offset of the page before. A page ends with a whole neighborhood, unless it is larger than a page. */
  previous: number;
  /** When the first and the last listing of the edition arrived, or `undefined` if none is left. */
  arrived: { from: Instant; to: Instant } | undefined;
};

export function countsBy({ byMonth, by }: Pick<Stats, 'byMonth' | 'by'>, dimension: Dimension): Counts {
  return dimension === 'month' ? byMonth : by[dimension];
}
