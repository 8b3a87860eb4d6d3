/** Counts the listings that suppressing a name or key would hide, and finds similar names. */

import type { StoredListing } from '../../shared/listing.ts';
import { countEdits } from '../../shared/text/edits.ts';
import { makeSuppressionTest, normalizeName } from '../../shared/words.ts';
import type { Service } from './service.ts';

const MOST_NEAR = 5;
const MOST_EDITS = 3;

/**
 * Counts the listings with a name or key, and calls `see` with each of them. `near`: up to five other names that contain all words,
 * the last one perhaps unfinished, or differ in a few letters; most similar first.
 */
export async function findSuppressionMatches(
  { store }: Pick<Service, 'store'>,
  value: string,
  see: (listing: StoredListing) => void = () => undefined,
) {
  const isMatch = makeSuppressionTest([value]);
  const measure = openMeasure(normalizeName(value));
  const distances = new Map<string, number>();
  let matches = 0;
  for await (const batch of store.listings.listings())
    for (const listing of batch) {
      if (isMatch(listing)) {
        matches++;
        see(listing);
      } else if (!distances.has(listing.name))
        distances.set(listing.name, measure(normalizeName(listing.name)));
    }
  const near = [...distances].filter(([, distance]) => distance < Number.POSITIVE_INFINITY);
  near.sort(([, a], [, b]) => a - b);
  return { matches, near: near.slice(0, MOST_NEAR).map(([name]) => name) };
}

/** Counts listings that are not served because their name or key is suppressed. */
export async function countSuppressed({ store }: Pick<Service, 'store'>): Promise<number> {
  const suppressed = await store.listings.suppressions();
  if (suppressed.length === 0) return 0;
  const isMatch = makeSuppressionTest(suppressed.map(({ value }) => value));
  let count = 0;
  for await (const batch of store.listings.listings()) count += batch.filter(isMatch).length;
  return count;
}

/** Returns a function that measures how much a name differs from `wanted`, in changed or additional letters. */
function openMeasure(wanted: string): (name: string) => number {
  const words = wanted.split(' ');
  const bound = Math.min(MOST_EDITS, Math.floor(wanted.length / 3)) + 1;
  return (name) => {
    const own = name.split(' ');
    const isIn = (word: string, i: number) =>
      own.includes(word) || (i === words.length - 1 && own.some((one) => one.startsWith(word)));
    if (words.every(isIn)) return name.length - wanted.length;
    const edits = countEdits(wanted, name, bound);
    return edits < bound ? edits : Number.POSITIVE_INFINITY;
  };
}
