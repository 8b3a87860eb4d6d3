/** A made-up town for questions: its shops, its index and what a question means there. */

import assert from 'node:assert/strict';
import { kindOfPhrase } from '../../../src/register/profile/categories/kind.ts';
import type { BuildRow } from '../../../src/service/search/index/build.ts';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { formatQuestion, type Question } from '../../../src/shared/question.ts';
import type { Reading } from '../../../src/shared/reading.ts';
import { aRow, asking, partsOf } from './made-up.ts';

export const NAMES = {
  Restaurants: [
    ...['Golden Wok', 'Pizza Palace', 'Burger Barn', 'Taqueria Sol', 'Open Sesame', 'Two or Three Sisters'],
    ...['Not Just Bagels', 'Before Sunrise Kitchen', 'Sushi Sun', 'Ice Cream Corner', 'Wok on Pine'],
  ],
  'Bars & Nightlife': ['Lone Wolf', 'Harbor Bar', 'No Name Bar', 'Old Town Tavern'],
  'Cafes & Bakeries': ['Starbucks', 'Starbucks', 'Blue Coffee', 'Corner Coffee House', 'L’Atelier du Pain'],
  'Beauty & Hair': ['Smith Street Barber', 'Nails by Ann', 'Hair Loft', 'Best Buy Hair'],
  'Construction & Trades': [
    'Rapid Plumbing',
    'Volt Electric',
    'Third Street Builders',
    'And Or Not',
    'Count Me In',
  ],
  Legal: ['Stone Law'],
};
export const ROWS = Object.entries(NAMES).flatMap(([category, names], i) =>
  names.flatMap((name, j) =>
    [2014, 2015, 2016].map((year) =>
      aRow({
        ...{ key: `${name}${j}${year}`, name, category, filedOn: `${year}-0${1 + ((i + j) % 9)}-15` },
        neighborhood: ['Belmont Shore', 'Old Town', 'Naples-Marina Area', 'ZIP 90802'][j % 4]!,
        status: (['open', 'open', 'closed', 'abandoned', 'expired'] as const)[(i + j) % 5]!,
      }),
    ),
  ),
);
ROWS.push(aRow({ key: 'newest', name: 'Fresh Start', category: 'Uncategorized', filedOn: '2016-10-05' }));
export const OPTIONS = {
  placeNames: ['Long Beach', 'San Juan Bay', 'California'],
  kindOfWord: kindOfPhrase,
  alsoCalled: { 'Old Town': ['The Core', 'Seaside'], 'Belmont Shore': ['Seaside'] },
};
export const index = openIndex(partsOf(ROWS, { day: '2016-10-06' }), OPTIONS);

/** Another town with these listings, and what questions mean there. */
export function aTown(
  rows: readonly BuildRow[],
  options: Partial<typeof OPTIONS & { language: string }> = {},
  day = '2026-03-01',
) {
  const town = openIndex(partsOf(rows, { day }), { ...OPTIONS, ...options });
  const read = (q: string) => town.read(asking({ q }));
  return {
    read,
    search: (q: string) => read(q).search,
    /** The words of a question that are looked for in names. */
    q: (q: string) => read(q).search.q,
    count: (q: string) => town.count(read(q).search),
    countSearch: town.count,
  };
}

export function read(q: string, more: Partial<Question> = {}): Reading {
  return index.read(asking({ q, ...more }));
}

/** The search as a query string, without percent-encoding. */
export const search = (q: string) => decodeURIComponent(formatQuestion(read(q).search));
export const unused = (q: string) =>
  read(q).words.flatMap(({ text, why }) => (why === undefined ? [] : [[text, why]]));

/** Fails unless each of these questions is read as its search. */
export function check(table: Record<string, string>): void {
  for (const [q, expected] of Object.entries(table)) assert.equal(search(q), expected, q);
}
