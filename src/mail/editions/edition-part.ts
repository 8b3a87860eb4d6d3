/** The part of an edition that one set of preferences asks for. Pure: it is the same for everybody with those preferences. */

import { makeSuppressionTest } from '../../listings/words.ts';
import { makePreferenceTest, parsePreferences } from '../../subscribers/preferences.ts';
import { countValues, type EditionContent } from './edition.ts';

export type PartOptions = {
  /** See `formatPreferences`; `null` for the whole edition. */
  preferences: string | null;
  /** What was suppressed, also after the edition was decided. */
  suppressed: readonly { value: string }[];
  /** The edition before, to compare with. */
  before: EditionContent | undefined;
};

/** The matching listings with their own total and counts, compared with the same part of the edition before. */
export function selectPart(content: EditionContent, options: PartOptions): EditionContent {
  const listings = content.listings.filter(makePartTest(options));
  if (!isComplete(content) && options.preferences === null) return { ...content, listings };
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

/** Tells for which preferences an edition has anything. */
export function makePartCheck({ listings }: EditionContent): (preferences: string | null) => boolean {
  return (preferences) => listings.some(makePreferenceTest(parsePreferences(preferences)));
}

function makePartTest({ preferences, suppressed }: PartOptions) {
  const isWanted = makePreferenceTest(parsePreferences(preferences));
  const isHidden = makeSuppressionTest(suppressed.map(({ value }) => value));
  return (listing: EditionContent['listings'][number]) => !isHidden(listing) && isWanted(listing);
}

type Before = Pick<EditionContent, 'edition' | 'total' | 'byCategory' | 'byNeighborhood'>;

/** `null` where there is nothing to compare with: no edition, none of this part, or one that was stored without all its listings. */
function selectBefore({ before }: EditionContent, options: PartOptions): Before | null {
  const earlier = options.before;
  if (before === null || earlier === undefined) return null;
  if (options.preferences === null) return earlier;
  if (!isComplete(earlier)) return null;
  const listings = earlier.listings.filter(makePartTest({ ...options, suppressed: [] }));
  if (listings.length === 0) return null;
  return {
    edition: earlier.edition,
    total: listings.length,
    byCategory: countValues(listings, 'category'),
    byNeighborhood: countValues(listings, 'neighborhood'),
  };
}

/** Up to version 0.1.0, an edition was stored with the listings it shows and the counts of all. */
function isComplete({ listings, total }: EditionContent): boolean {
  return listings.length === total;
}
