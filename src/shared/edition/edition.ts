/** Computes the content of an edition from the new listings, and the part of it that matches preferences. */

import { isUnknown, openValueNames, type Spoken } from '../city/value-names.ts';
import type { Day } from '../day.ts';
import { deriveStatus, type Listing, type NamedFilter, type StoredListing } from '../listing.ts';
import { asksForAll, makePreferenceTest, type Preferences } from '../signup/preferences.ts';
import { compareCodeUnits, makeSuppressionTest } from '../words.ts';

/** Maximum number of listings in an email, which links to the rest. The API has its own limit, `PAGE_LIMIT`. */
export const MOST_LISTINGS_SHOWN = 25;

export type Count = { value: string; count: number };

export type EditionContent = {
  edition: Day;
  /** The local date on which the first of its listings was first seen. */
  from: Day;
  /** The local date on which the edition was created. */
  to: Day;
  /** How many listings the operator left out. */
  leftOut?: number;
  total: number;
  /** All new listings, most recent first. Later suppressions find listings by `key` and `source`. */
  listings: readonly (Listing & { source: string; key: string; filed?: { name: string } })[];
  /** Counts by value, most frequent first. */
  byCategory: readonly Count[];
  byNeighborhood: readonly Count[];
};

/** Names and keys that must not be served. */
type Suppressed = readonly { value: string }[];

type Days = Pick<EditionContent, 'edition' | 'from' | 'to'>;

/** The content of an edition as it is stored: its listings with the ids of their values. */
export type StoredContent = Days & {
  leftOut: number;
  listings: readonly (Omit<Listing, NamedFilter> &
    Pick<StoredListing, NamedFilter | 'source' | 'key'> & { filed?: { name: string } })[];
};

export type Making = Days & {
  today: Day;
  news: readonly StoredListing[];
  suppressed: Suppressed;
  /** Listings that the operator left out of the weekly email. */
  leftOut?: readonly ListingId[];
  /** What earlier editions announced: a listing that was withdrawn and came back is no news. */
  announced?: readonly ListingId[];
};

/** What identifies a stored listing. */
export type ListingId = Pick<StoredListing, 'source' | 'key'>;

/** Returns a text that is the same for the same listing alone. */
export function formatListingId({ source, key }: ListingId): string {
  return JSON.stringify([source, key]);
}

export function makeEditionContent(making: Making): StoredContent {
  const { edition, from, to, today, news, suppressed } = making;
  const isHidden = makeHiddenTest(suppressed);
  const leftOut = new Set(making.leftOut?.map(formatListingId));
  const known = new Set(making.announced?.map(formatListingId));
  const served = news.filter((listing) => !isHidden(listing) && !known.has(formatListingId(listing)));
  const announced = served.filter((listing) => !leftOut.has(formatListingId(listing)));
  const listings = announced.toSorted(compareRecency).map((listing) => {
    const { name, category, neighborhood, filedOn, source, key, filed = listing } = listing;
    const status = deriveStatus(listing, today);
    const shown = { name, category, neighborhood, status, filing_date: filedOn, source, key };
    return filed.name === name ? shown : { ...shown, filed: { name: filed.name } };
  });
  return { edition, from, to, leftOut: served.length - announced.length, listings };
}

/** Names the values of an edition in the language of the city, and counts them. */
export function nameContent({ listings, ...days }: StoredContent, city: Spoken): EditionContent {
  const { nameOf } = openValueNames(city);
  const named = listings.map((one) => ({
    ...one,
    category: nameOf('category', one.category),
    neighborhood: nameOf('neighborhood', one.neighborhood),
  }));
  return { ...days, ...countByValue(named) };
}

type Ordered = Pick<StoredListing, 'filedOn' | 'name' | 'key'>;

/** Compares listings in the order of search results: most recent filing first, then by name, then by key. */
export function compareRecency(a: Ordered, b: Ordered): number {
  return (
    compareCodeUnits(b.filedOn, a.filedOn) ||
    compareCodeUnits(a.name, b.name) ||
    compareCodeUnits(a.key, b.key)
  );
}

/** Counts listings by value, most frequent first, then by value. */
function countByValue(listings: EditionContent['listings']) {
  const countBy = (by: NamedFilter): Count[] =>
    [...Map.groupBy(listings, (listing) => listing[by])]
      .map(([value, { length: count }]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || compareCodeUnits(a.value, b.value));
  const [byCategory, byNeighborhood] = [countBy('category'), countBy('neighborhood')];
  return { total: listings.length, listings, byCategory, byNeighborhood };
}

/** Finds the neighborhoods with one listing, which share a heading if they are several: one for each line says too little. */
export function findJoined(byNeighborhood: readonly Count[]): ReadonlySet<string> {
  const singles = byNeighborhood.filter(({ value, count }) => count === 1 && !isUnknown(value));
  return new Set(singles.length > 1 ? singles.map(({ value }) => value) : []);
}

/** Selects the listings that match preferences. Leaves out listings that were suppressed after the edition was made. */
export function selectPart(
  content: EditionContent,
  wanted: Preferences,
  suppressed: Suppressed,
): EditionContent {
  const isHidden = makeHiddenTest(suppressed);
  const isWanted = makePreferenceTest(wanted);
  const listings = content.listings.filter((listing) => !isHidden(listing) && isWanted(listing));
  return { ...content, ...countByValue(listings) };
}

/** Counts the listings of an edition that match preferences. */
export function countPart({ listings, total }: EditionContent, wanted: Preferences): number {
  return asksForAll(wanted) ? total : listings.filter(makePreferenceTest(wanted)).length;
}

function makeHiddenTest(suppressed: Suppressed) {
  return makeSuppressionTest(suppressed.map(({ value }) => value));
}
