/** What the catalogue is to those who ask it. It answers from memory and never waits for anything. */

import type { Day, Instant } from '../listings/day.ts';
import type { Listing, StoredListing } from '../listings/listing.ts';
import type { Question, ValueFilter } from './parameters.ts';

/** Something in the question that found no meaning, with the nearest known value if one is near. */
export type SearchWarning = {
  parameter: 'q' | ValueFilter;
  detail: string;
  didYouMean?: string;
};

export type SearchAnswer = {
  /** All listings that match, exact. */
  total: number;
  /** How many are in this page. */
  count: number;
  /** The page's listings as UTF-8 JSON objects joined by commas, without the brackets. Never to be changed. */
  page: Buffer;
  warnings: readonly SearchWarning[];
};

export type Counts = readonly { value: string; count: number }[];

/** How the matches of a question spread; largest first, ties by name (code unit). Only values that occur. */
export type Facets = Record<ValueFilter, Counts> & {
  /** The filters that have a meaning, spelled as the listings spell them. */
  chosen: Record<ValueFilter, readonly string[]>;
};

export type Stats = {
  total: number;
  latestFiling: Day | null;
  /** `YYYY-MM`, newest first, no gaps inside the range. */
  byMonth: Counts;
  byCategory: Counts;
  byNeighborhood: Counts;
};

export type ListingIndex = {
  /** Names the data it was built from: equal versions on equal days give equal answers. */
  readonly version: string;
  /** The city's local day that expiry was reckoned on. */
  readonly day: Day;
  readonly size: number;
  search(question: Question): SearchAnswer;
  /** Counts under the question (each filter under all but its own, so that a choice can be widened). */
  facets(question: Question): Facets;
  stats(): Stats;
  /** Listings first seen after `since`, baselines excluded, most recent filing first. */
  seenSince(since: Instant): { total: number; listings(offset: number, limit: number): Listing[] };
  /** Listings filed on that day or later, most recent filing first. */
  filedSince(day: Day): { total: number; listings(offset: number, limit: number): Listing[] };
  /** The bytes it holds, for the log and the benchmarks. */
  readonly bytes: number;
};

/** One row of the build's input: a listing as stored; the builder reckons expiry itself. */
export type BuildRow = Omit<StoredListing, 'source'>;
