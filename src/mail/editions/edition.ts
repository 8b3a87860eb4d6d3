/**
 * The content of an edition, computed once from the new listings and stored, and the part of it that one set of
 * preferences selects. Pure: knows no clock, database or mail.
 */

import type { Day } from '../../listings/day.ts';
import { deriveStatus, type Listing, type StoredListing } from '../../listings/listing.ts';
import { compareCodeUnits, makeSuppressionTest } from '../../listings/words.ts';
import { makePreferenceTest, parsePreferences } from '../../subscribers/preferences.ts';

/** An email shows so many of the latest listings, and links to the rest. */
export const MOST_LISTINGS_SHOWN = 25;

/** A value and its number of listings in the edition; `before` is the number in the previous edition. */
export type Count = { value: string; count: number; before: number };

export type EditionContent = {
  edition: Day;
  /** The local date from which its listings were first seen. */
  from: Day;
  /** The local date on which it was created. */
  to: Day;
  total: number;
  /** All new listings, most recent first. `key` and `source` are there for suppressions that are added later. */
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
  const listings = news
    .filter((listing) => !isHidden(listing))
    .toSorted(byRecency)
    .map((listing) => toServedListing(listing, today));
  return {
    edition,
    from,
    to,
    total: listings.length,
    listings,
    byCategory: countValues(listings, 'category', before?.byCategory),
    byNeighborhood: countValues(listings, 'neighborhood', before?.byNeighborhood),
    before: before && { edition: before.edition, total: before.total },
  };
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
  const status = deriveStatus(listing, today);
  return { name, category, neighborhood, status, filing_date: filedOn, source, key };
}

/** Largest first, then by value. Values that only the previous edition had are left out. */
function countValues(
  listings: readonly Pick<Listing, 'category' | 'neighborhood'>[],
  by: 'category' | 'neighborhood',
  before: readonly Count[] = [],
): Count[] {
  const counts = Map.groupBy(listings, (listing) => listing[by]);
  const earlier = new Map(before.map(({ value, count }) => [value, count]));
  return [...counts]
    .map(([value, { length: count }]) => ({ value, count, before: earlier.get(value) ?? 0 }))
    .sort((a, b) => b.count - a.count || compareCodeUnits(a.value, b.value));
}

export type PartOptions = {
  /** See `formatPreferences`; `null` for the whole edition. */
  preferences: string | null;
  /** What is suppressed now, which may be more than when the edition was created. */
  suppressed: readonly { value: string }[];
  /** The edition before, to compare with. */
  before: EditionContent | undefined;
};

/** The matching listings with their own total and counts, compared with the same part of the edition before. */
export function selectPart(content: EditionContent, options: PartOptions): EditionContent {
  const listings = content.listings.filter(makePartTest(options));
  const before = selectBefore(content, options);
  return {
    ...content,
    total: listings.length,
    listings,
    byCategory: countValues(listings, 'category', before?.byCategory),
    byNeighborhood: countValues(listings, 'neighborhood', before?.byNeighborhood),
    before,
  };
}

/** Returns a test for whether an edition has anything for some preferences. */
export function makePartCheck({ listings }: EditionContent): (preferences: string | null) => boolean {
  return (preferences) => listings.some(makePreferenceTest(parsePreferences(preferences)));
}

function makePartTest({ preferences, suppressed }: PartOptions) {
  const isWanted = makePreferenceTest(parsePreferences(preferences));
  const isHidden = makeSuppressionTest(suppressed.map(({ value }) => value));
  return (listing: EditionContent['listings'][number]) => !isHidden(listing) && isWanted(listing);
}

type Before = Pick<EditionContent, 'edition' | 'total' | 'byCategory' | 'byNeighborhood'>;

/** `null` if there is nothing to compare with: no edition before, or nothing of this part in it. */
function selectBefore({ before }: EditionContent, options: PartOptions): Before | null {
  const earlier = options.before;
  if (before === null || earlier === undefined) return null;
  if (options.preferences === null) return earlier;
  const listings = earlier.listings.filter(makePartTest({ ...options, suppressed: [] }));
  if (listings.length === 0) return null;
  return {
    edition: earlier.edition,
    total: listings.length,
    byCategory: countValues(listings, 'category'),
    byNeighborhood: countValues(listings, 'neighborhood'),
  };
}
