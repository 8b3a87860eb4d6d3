/** Defines the rows that an index is built from, and its answers. They come from memory, without waiting for a disk or a database. */

import type { FoundPage } from '../../shared/answers.ts';
import type { Day, Instant } from '../../shared/day.ts';
import type { Counts, StoredListing } from '../../shared/listing.ts';
import type { Warning } from '../../shared/question.ts';

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

/** An input row of a build. The builder computes whether the listing has expired. */
export type BuildRow = Omit<StoredListing, 'source'>;
