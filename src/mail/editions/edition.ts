/** Computes the content of an edition from the new listings, and the part of it that matches preferences. */

import type { Day } from '../../listings/day.ts';
import { deriveStatus, type Listing, type StoredListing } from '../../listings/listing.ts';
import { compareCodeUnits, makeSuppressionTest } from '../../listings/words.ts';
import { makePreferenceTest, parsePreferences } from '../../subscribers/preferences.ts';

/** Maximum number of listings in an email. The email links to the rest. */
export const MOST_LISTINGS_SHOWN = 25;

export type Count = { value: string; count: number };

export type EditionContent = {
  edition: Day;
  /** The local date on which the first of its listings was first seen. */
  from: Day;
  /** The local date on which the edition was created. */
  to: Day;
  total: number;
  /** All new listings, most recent first. Later suppressions find listings by `key` and `source`. */
  listings: readonly (Listing & { source: string; key: string })[];
  /** Counts by value, most frequent first. */
  byCategory: readonly Count[];
  byNeighborhood: readonly Count[];
  before: { edition: Day; total: number } | null;
};

export type Making = {
  edition: Day;
  from: Day;
  to: Day;
  today: Day;
  news: readonly StoredListing[];
  /** Names and keys that must not be served. */
  suppressed: readonly { value: string }[];
  before: EditionContent | null;
};

export function makeEditionContent(making: Making): EditionContent {
  const { edition, from, to, today, news, suppressed, before } = making;
  const isHidden = makeSuppressionTest(suppressed.map(({ value }) => value));
  const listings = news
    .filter((listing) => !isHidden(listing))
    .toSorted(byRecency)
    .map((listing) => {
      const { name, category, neighborhood, filedOn, source, key } = listing;
      const status = deriveStatus(listing, today);
      return { name, category, neighborhood, status, filing_date: filedOn, source, key };
    });
  return {
    edition,
    from,
    to,
    ...countListings(listings),
    before: before && { edition: before.edition, total: before.total },
  };
}

/** Makes an example from the latest 25 listings, for a preview without news. */
export function makeExampleContent(making: Omit<Making, 'before'>): EditionContent {
  return makeEditionContent({
    ...making,
    news: making.news.toSorted(byRecency).slice(0, MOST_LISTINGS_SHOWN),
    before: null,
  });
}

/** Compares listings in the order of search results: most recent filing first, then by name, then by key. */
function byRecency(a: StoredListing, b: StoredListing): number {
  return (
    compareCodeUnits(b.filedOn, a.filedOn) ||
    compareCodeUnits(a.name, b.name) ||
    compareCodeUnits(a.key, b.key)
  );
}

/** Counts listings by value, most frequent first, then by value. */
function countListings(listings: EditionContent['listings']) {
  const countBy = (by: 'category' | 'neighborhood'): Count[] =>
    [...Map.groupBy(listings, (listing) => listing[by])]
      .map(([value, { length: count }]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || compareCodeUnits(a.value, b.value));
  const [byCategory, byNeighborhood] = [countBy('category'), countBy('neighborhood')];
  return { total: listings.length, listings, byCategory, byNeighborhood };
}

export type PartOptions = {
  /** Preferences from `formatPreferences`, or `null` for the whole edition. */
  preferences: string | null;
  /** Current suppressions. Some may be newer than the edition. */
  suppressed: readonly { value: string }[];
  before: EditionContent | undefined;
};

/** Selects the listings that match, and counts those of the previous edition that match. */
export function selectPart(content: EditionContent, options: PartOptions): EditionContent {
  const listings = content.listings.filter(makePartTest(options));
  return { ...content, ...countListings(listings), before: selectBefore(content, options) };
}

export function makePartCheck({ listings }: EditionContent): (preferences: string | null) => boolean {
  return (preferences) => listings.some(makePreferenceTest(parsePreferences(preferences)));
}

function makePartTest({ preferences, suppressed }: PartOptions) {
  const isWanted = makePreferenceTest(parsePreferences(preferences));
  const isHidden = makeSuppressionTest(suppressed.map(({ value }) => value));
  return (listing: EditionContent['listings'][number]) => !isHidden(listing) && isWanted(listing);
}

/** Returns the same part of the previous edition, or `null` if nothing in it matches. */
function selectBefore({ before }: EditionContent, options: PartOptions): EditionContent['before'] {
  const earlier = options.before;
  if (before === null || earlier === undefined) return null;
  const { edition, total } = earlier;
  if (options.preferences === null) return { edition, total };
  const { length } = earlier.listings.filter(makePartTest({ ...options, suppressed: [] }));
  return length === 0 ? null : { edition, total: length };
}
