/** Defines the queries that an index answers. Answers come from memory, without waiting for a disk or a database. */

import type { Dimension, EditionCount, EditionPage, Facets, FoundPage, Stats } from '../../shared/answers.ts';
import type { Day, Instant } from '../../shared/day.ts';
import type { Counts, Listing, StoredListing } from '../../shared/listing.ts';
import type { Days } from '../../shared/periods.ts';
import type { Question, Warning } from '../../shared/question.ts';
import type { Reading } from '../../shared/reading.ts';

export type SearchAnswer = FoundPage & { warnings: readonly Warning[] };

/** A position in the order of arrivals: that of the listing with this place among those that arrived at this time. */
export type Position = { at: Instant; place: number };

/**
 * A page of the listings that were news, newest arrival first. Without news, the newest filings of the baselines.
 * Pages end after the newest 1,000, as those of a search do. `total` counts all listings that match.
 */
export type ArrivalPage = FoundPage & {
  /**
   * When each listing of the page arrived, its position, and how many listings with the same name and filing date came
   * before it.
   */
  items: readonly (Position & { namesakes: number })[];
  /** The position of the last item, if more follow. */
  next: Position | undefined;
  /**
   * On the first page, and on the last one of more than 1,000: the rest of the day of the last item, if that day has more
   * listings than a page. `at` is the newest arrival on that day.
   */
  rest: { day: Day; at: Instant; count: number } | undefined;
  /** When the newest listing of all pages arrived or, without one, the newest listing of the city. */
  newest: Instant | undefined;
};

/** Counts of one dimension for each value of another. Omits values without matches. */
export type Pairs = readonly { value: string; counts: Counts }[];

export type ListingIndex = {
  /** Identifies the data of the index. The same version on the same day gives the same answers. */
  readonly version: string;
  /** The city's local date, which determines expiry. */
  readonly day: Day;
  readonly size: number;
  readonly latestFiling: Day | null;
  /** The day up to which filings are as usual: `findDataEnd`. */
  readonly dataEnd: Day;
  /** The register's types that words find, in the words of the register. */
  readonly types: readonly string[];
  /** Makes in small pieces what the first questions need, so that none waits for it. */
  prepare(): Promise<void>;
  search(question: Question): SearchAnswer;
  /** Counts the listings that match, without finding a page of them. */
  count(question: Question): number;
  /** Counts the listings that match in each of several periods instead of the question's own. Finds the others only once. */
  countDays(question: Question, periods: readonly Days[]): number[];
  /** Counts the matching listings by month, which takes half as long as `stats`. */
  months(question: Question): Omit<Stats, 'by'>;
  readListings(rows: Uint32Array): Listing[];
  /** Reads the words of a question: what is looked for, and what became of each word. */
  read(question: Question): Reading;
  /** Counts listings by value. Each filter's counts ignore that filter, so that people can choose more values. */
  facets(question: Question): Facets;
  /** Corrects the case and accents of a query's values. Values without listings stay as given. */
  spellQuestion(question: Question): Question;
  /** Counts the matching listings, or all if the query is unrestricted. */
  stats(question: Question): Stats & { warnings: readonly Warning[] };
  /** Counts the matching listings by two dimensions: months newest first, other values most frequent first. */
  countPairs(question: Question, outer: Dimension, inner: Dimension): Pairs;
  /** Reads a page of the arrivals that match, from the newest or from a position on. Ignores `offset`. */
  readArrivals(question: Question, before: Position | undefined): ArrivalPage;
  /** Lists the editions of the weekly email, newest first. Counts their listings that match the value filters. */
  listEditions(question: Question): readonly EditionCount[];
  /** Returns a page of an edition's listings that match the value filters, or `undefined` for an unknown edition. */
  readEdition(edition: Day, question: Question): EditionPage | undefined;
};

/** An input row of a build. The builder computes whether the listing has expired. */
export type BuildRow = Omit<StoredListing, 'source'>;
