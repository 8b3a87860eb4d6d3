/** A fixed mix of distinct searches, derived from the listings: the same for the same listings. */

import { random } from '../cities/sample/random.ts';
import type { StoredListing } from '../src/shared/listing.ts';

export const CLASSES = [
  'page',
  'one filter',
  'two filters',
  'filter + word',
  'rare word',
  'common word',
  'beginning',
] as const;
export type Class = (typeof CLASSES)[number];

/** Of a hundred searches, how many are of each class. */
export const MIX: Record<Class, number> = {
  page: 20,
  'one filter': 20,
  'two filters': 20,
  'filter + word': 15,
  'rare word': 10,
  'common word': 10,
  beginning: 5,
};

/** Draws questions of each class, and questions of counts with filters and years. */
export type Drawer = Record<Class | 'counts', () => string>;

/** What draws query strings of each class from a sample of the listings. */
export function drawer(sample: readonly StoredListing[], seed: number): Drawer {
  const next = random(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const counts = new Map<string, number>();
  for (const { name } of sample)
    for (const word of words(name)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const ranked = [...counts].filter(([word]) => word.length > 2).toSorted(([, a], [, b]) => b - a);
  const common = ranked.slice(0, 100).map(([word]) => word);
  const rare = ranked.filter(([, count]) => count <= 3).map(([word]) => word);
  const filters: (() => string)[] = [
    () => `category=${encodeURIComponent(pick(sample).category ?? 'Uncategorized')}`,
    () => `neighborhood=${encodeURIComponent(pick(sample).neighborhood ?? 'Unknown')}`,
    () => `status=${pick(sample).status}`,
  ];
  const offset = () => `offset=${Math.floor(next() * 39) * 25}`;
  const two = () => {
    const first = Math.floor(next() * 3);
    return [filters[first]!(), filters[(first + 1 + Math.floor(next() * 2)) % 3]!()].join('&');
  };
  return {
    page: offset,
    'one filter': () => `${pick(filters)()}&offset=${Math.floor(next() * 4) * 25}`,
    'two filters': two,
    counts: () => {
      const year = Number(pick(sample).filedOn.slice(0, 4));
      return next() < 1 / 3 ? `${pick(filters)()}&filed_from=${year - 1}&filed_to=${year}` : two();
    },
    'filter + word': () => `${pick(filters)()}&q=${encodeURIComponent(pick(words(pick(sample).name)))}`,
    'rare word': () => `q=${encodeURIComponent(pick(rare))}`,
    'common word': () => `q=${encodeURIComponent(pick(common))}`,
    beginning: () => `q=${encodeURIComponent(pick(ranked)[0].slice(0, 3 + Math.floor(next() * 3)))}`,
  };
}

/** `count` query strings in the fixed mix, shuffled. */
export function mixed(draw: Drawer, count: number, seed: number): string[] {
  const next = random(seed);
  const all = CLASSES.flatMap((name) =>
    Array.from({ length: Math.round((count * MIX[name]) / 100) }, draw[name]),
  );
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all;
}

/** Every word of a name that somebody would type: three letters or more. */
function words(name: string): string[] {
  return name.toLowerCase().match(/[a-z0-9]{3,}/g) ?? ['shop'];
}
