/** The content of an edition: computed once from the new listings, and stored. Pure: knows no clock, store or mail. */

import type { Day } from '../listings/day.ts';
import { deriveStatus, type Listing, type StoredListing } from '../listings/listing.ts';
import { compareCodeUnits, makeSuppressionTest } from '../listings/words.ts';

const MOST_LISTINGS_SHOWN = 25;

/** A value and its number of listings in the edition; `before` is the number in the previous edition, if there was one. */
export type Count = { value: string; count: number; before: number };

export type EditionContent = {
  edition: Day;
  /** The local date from which its listings were first seen. */
  from: Day;
  /** The local date on which it was created. */
  to: Day;
  /** All new listings, shown or not. */
  total: number;
  /** The most recent, at most 25; `key` and `source` are only for leaving out what is suppressed later. */
  listings: readonly (Listing & { source: string; key: string })[];
  /** Largest first. */
  byCategory: readonly Count[];
  byNeighborhood: readonly Count[];
  before: { edition: Day; total: number } | null;
};

export type Making = {
  edition: Day;
  from: Day;
  to: Day;
  /** The date used for the status of listings. */
  today: Day;
  news: readonly StoredListing[];
  /** Names and keys that are never served. */
  suppressed: readonly { value: string }[];
  /** The previous edition, or `null` if there is none to compare with. */
  before: EditionContent | null;
};

export function makeEditionContent(making: Making): EditionContent {
  const { edition, from, to, today, news, suppressed, before } = making;
  const isHidden = makeSuppressionTest(suppressed.map(({ value }) => value));
  const listings = news.filter((listing) => !isHidden(listing)).toSorted(byRecency);
  return {
    edition,
    from,
    to,
    total: listings.length,
    listings: listings.slice(0, MOST_LISTINGS_SHOWN).map((listing) => toServedListing(listing, today)),
    byCategory: countValues(listings, 'category', before?.byCategory),
    byNeighborhood: countValues(listings, 'neighborhood', before?.byNeighborhood),
    before: before && { edition: before.edition, total: before.total },
  };
}

/** The edition without listings that were suppressed since it was created. */
export function removeSuppressed(
  content: EditionContent,
  suppressed: readonly { value: string }[],
): EditionContent {
  const isHidden = makeSuppressionTest(suppressed.map(({ value }) => value));
  return { ...content, listings: content.listings.filter((listing) => !isHidden(listing)) };
}

/** The latest 25 listings, for a preview when there is no news. */
export function makeExampleContent(making: Omit<Making, 'before'>): EditionContent {
  return makeEditionContent({
    ...making,
    news: making.news.toSorted(byRecency).slice(0, MOST_LISTINGS_SHOWN),
    before: null,
  });
}

/** The order of search results: most recent filing first, then by name, then by key. */
function byRecency(a: StoredListing, b: StoredListing): number {
  return (
    compareCodeUnits(b.filedOn, a.filedOn) ||
    compareCodeUnits(a.name, b.name) ||
    compareCodeUnits(a.key, b.key)
  );
}

function toServedListing(listing: StoredListing, today: Day): EditionContent['listings'][number] {
  const { name, category, neighborhood, filedOn, source, key } = listing;
  return {
    name,
    category,
    neighborhood,
    status: deriveStatus(listing, today),
    filing_date: filedOn,
    source,
    key,
  };
}

/** Largest first, then by value. Values that only the previous edition had are left out. */
function countValues(
  listings: readonly StoredListing[],
  by: 'category' | 'neighborhood',
  before: readonly Count[] = [],
): Count[] {
  const counts = Map.groupBy(listings, (listing) => listing[by]);
  const earlier = new Map(before.map(({ value, count }) => [value, count]));
  return [...counts]
    .map(([value, { length: count }]) => ({ value, count, before: earlier.get(value) ?? 0 }))
    .sort((a, b) => b.count - a.count || compareCodeUnits(a.value, b.value));
}
