/** The interface of the index. It answers from memory and never waits. */

import type { Day, Instant } from '../listings/day.ts';
import type { Listing, StoredListing } from '../listings/listing.ts';
import type { NarrowingName, Question, ValueFilter } from './parameters.ts';

/** Why a query may not find what was meant. */
export type WarningCause =
  | 'value' // a filter value that no listing has
  | 'words' // no words to search for
  | 'dates' // the first day is after the last day
  | 'newest' // the first day is after the most recent filing; `word` is the day of that filing
  | 'few' // a word that few or no listings have
  | 'kind' // a word that names a category
  | 'meant' // words that are filters
  | 'unknown' // a word that no listing has, or words that none has together
  | 'address'; // a street or ZIP code

/** What is doubtful about a query, with what was probably meant if that is known. */
export type SearchWarning = {
  parameter: NarrowingName;
  cause: WarningCause;
  /** The value or word in question. */
  word?: string;
  /** For programs, in English. */
  detail: string;
  didYouMean?: string;
  /** The whole query that was probably meant. */
  meant?: Question;
};

export type SearchAnswer = {
  /** The exact number of matching listings. */
  total: number;
  /** The number of listings on this page. */
  count: number;
  /** The page's listings as UTF-8 JSON objects joined by commas, without the brackets. Must not be modified. */
  page: Buffer;
  warnings: readonly SearchWarning[];
};

export type EditionCount = { edition: Day; total: number };

export type Counts = readonly { value: string; count: number }[];

/** Counts of the matches by value; largest first, ties by name (code unit). Only values that occur. */
export type Facets = Record<ValueFilter, Counts> & {
  /** The filters that were recognized, spelled as in the listings. */
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
  /** Identifies the data it was built from: the same version on the same day gives the same answers. */
  readonly version: string;
  /** The city's local date that was used for expiry. */
  readonly day: Day;
  readonly size: number;
  /** The most recent filing date of all listings. */
  readonly latestFiling: Day | null;
  search(question: Question): SearchAnswer;
  /** What was probably meant, where a query found `total` listings and that is next to nothing. */
  suggest(question: Question, total: number): readonly SearchWarning[];
  /** Counts for the query, each filter under all filters except its own, so that a selection can be widened. */
  facets(question: Question): Facets;
  /** The counts of the listings that match; of all of them where the question narrows nothing. */
  stats(question: Question): Stats & { warnings: readonly SearchWarning[] };
  /** The editions of the weekly email, newest first, each with how many of its listings the value filters leave. */
  listEditions(question: Question): readonly EditionCount[];
  /** The page of an edition that the value filters, `offset` and `limit` ask for; `undefined` where there is no such edition. */
  readEdition(edition: Day, question: Question): Omit<SearchAnswer, 'warnings'> | undefined;
  /** Listings first seen after `since` and filed on `filedFrom` or later, baselines excluded, most recent filing first. */
  seenSince(
    since: Instant,
    filedFrom: Day,
  ): { total: number; listings(offset: number, limit: number): Listing[] };
  /** Listings filed on that day or later, most recent filing first. */
  filedSince(day: Day): { total: number; listings(offset: number, limit: number): Listing[] };
  /** The bytes it holds, for the log and the benchmarks. */
  readonly bytes: number;
};

/** One input row of a build: a stored listing. The builder computes expiry. */
export type BuildRow = Omit<StoredListing, 'source'>;
