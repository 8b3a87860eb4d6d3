/** Made-up listings and queries: with few words, dates and values, so that all combinations occur. */

import fc from 'fast-check';
import type { BuildRow } from '../../../src/service/search/index/build.ts';
import { openIndexBuilder } from '../../../src/service/search/index/build.ts';
import { type ListingIndex, openIndex } from '../../../src/service/search/index/open.ts';
import { type IndexBuffers, listTransferables } from '../../../src/service/search/index-buffers.ts';
import { type Listing, STATUSES } from '../../../src/shared/listing.ts';
import { EVERYTHING, type Question } from '../../../src/shared/question.ts';
import { anyCharacter } from '../../any-character.ts';

export const SEED = 20_261_120;
export const TODAY = '2026-03-01';

const PIECES =
  'Blue Heron Café CAFE cafeteria José Joe\'s Joes Joe’s 7-Eleven 7 Eleven 7eleven H-E-B heb A/C ac & D&Z and dandz Æther ﬁne ＆ ½ !!! -- Ltd. O`Neil ʼOno naïve naive 東京 🍕 \uffee\uff5a Zoë Z.o.ë z "q" back\\slash __proto__ constructor a b AB a-b-c \u0001 \ufffd \u202eright\u202c no\u00a0break ´'.split(
    ' ',
  );
/** None has a synonym: those have tests of their own. */
const CATEGORIES = [
  ...['Ristoranti', 'Bars & Cafés', 'BARS & CAFES', 'Old Autos', 'A/C', 'Uncategorized', '"\\'],
];
const NEIGHBORHOODS = ['Blue Heron Bay', 'Old Town', 'old town', 'Zoë’s Corner', 'Unknown', '__proto__'];
const DAYS = ['2026-02-28', '2026-02-27', '2025-11-30', '1987-01-01', '2026-04-02'];

const name = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(' ', ' ', ' ', '', '-', '  ')), {
    maxLength: 4,
  })
  .map((pieces) => pieces.flat().join(''));

const row = fc.record({
  name,
  key: fc.oneof(fc.string({ unit: anyCharacter, maxLength: 3 }), fc.nat(99).map(String)),
  category: fc.constantFrom(...CATEGORIES),
  neighborhood: fc.constantFrom(...NEIGHBORHOODS),
  status: fc.constantFrom(...STATUSES),
  filedOn: fc.constantFrom(...DAYS),
  expiresOn: fc.constantFrom(null, '2026-02-28', TODAY, '2026-03-02'),
  arrival: fc.nat(3),
  arrivedAt: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'),
  isNews: fc.boolean(),
});

/** Up to 60 listings with keys of their own, so that there is one right order. */
export const listings: fc.Arbitrary<BuildRow[]> = fc.uniqueArray(row, {
  maxLength: 60,
  size: 'max',
  selector: ({ key }) => key,
});

/** Thousands, with words and neighborhoods so rare that they are kept as lists beside the common ones' bits. */
export function manyListings(count: number, seed = SEED): BuildRow[] {
  return fc.sample(row, { seed, numRuns: count }).map((made, i) => ({
    ...made,
    key: String(i),
    name: i % 3 === 0 ? made.name : `${made.name} p${i % 2999}-a p${i % 2999}b`,
    neighborhood: i % 4 === 0 ? `Quarter ${i % 400}` : made.neighborhood,
  }));
}

const filter = (known: readonly string[]): fc.Arbitrary<string[]> => {
  const value = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(...known).map((text) => ` ${text.toUpperCase().normalize('NFD')}\t`),
    },
    { weight: 2, arbitrary: fc.constantFrom(...known).map((text) => `-${text}`) },
    { weight: 1, arbitrary: fc.constantFrom('', '  ', 'no such thing', 'Restaurant') },
  );
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant<string[]>([]) },
    { weight: 2, arbitrary: fc.array(value, { maxLength: 3 }) },
  );
};

const oftenEmpty = (...days: string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...days) });

/** Words, halves of words, filters that repeat themselves, pages to the end and past it. */
export const question: fc.Arbitrary<Question> = fc.record({
  q: fc.oneof(
    fc.constant(''),
    name,
    fc.tuple(name, fc.nat(8)).map(([text, length]) => text.slice(0, length)),
    fc.constantFrom(
      'a',
      'h',
      'z',
      'r',
      'caf',
      'old t',
      'bars',
      'unk',
      '…!',
      ' ',
      "'",
      'blue & caf',
      'seven ele',
      'caf*',
      'bar cafe',
      'h e b',
      'joe',
      '7-el',
      'd&',
      ...['a -caf', 'heron OR joe', 'a OR b OR', '"blue heron"', '-"blue heron" z', '-a', 'a -b*', 'OR a'],
      ...['blue "heron', '7-eleven OR "old town" joe', 'blue OR -a', '- a'],
    ),
  ),
  category: filter(CATEGORIES),
  neighborhood: filter(NEIGHBORHOODS),
  status: filter(STATUSES),
  filed_from: oftenEmpty(...DAYS, '0001-01-01', '2026-02-27', '2027-01-01'),
  filed_to: oftenEmpty(...DAYS, '1986-12-31', '2026-02-28', '9999-12-31'),
  added_from: oftenEmpty(
    ...['2026-01-01', '2026-01-02', '2027-01-01', '2026-01-01T00:01:00.000Z', '2026-01-01T00:01:00.001Z'],
    ...['2026-02-01T00:01:00.000Z', '2026-02-01T00:01:00.001Z'],
  ),
  limit: fc.nat(25),
  offset: fc.oneof(fc.nat(5), fc.nat(120), fc.constant(2 ** 40)),
});

const rare = fc.nat(3100).map((n) => `p${n}`);

/** Questions for `manyListings`: also rare words, beginnings of them, and rare neighborhoods. */
export const questionOfMany: fc.Arbitrary<Question> = fc
  .tuple(question, fc.oneof(fc.constant(''), rare), fc.constantFrom('', '-a', 'b', ' a', ' caf'), fc.nat(800))
  .map(([asked, word, more, quarter]) => ({
    ...asked,
    q: word === '' ? asked.q : `${asked.q.slice(0, 2)} ${word}${more}`,
    neighborhood: quarter < 400 ? [...asked.neighborhood, `quarter ${quarter}`] : asked.neighborhood,
  }));

const RARE_WORDS = ['alder', 'birch', 'cedar', 'dogwood'];
const RARE_QUARTER = 'Far Quarter';

/** How many rows there are, and which of them have each of the rare words and the rare neighborhood. */
export type RareCase = { size: number; words: readonly number[][]; quarter: readonly number[] };

/** Words of one to three rows, most of them the first or the last: they meet at both ends of their lists. */
export const rareCase: fc.Arbitrary<RareCase> = fc.integer({ min: 100, max: 160 }).chain((size) => {
  const row = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(0, size - 1) },
    { weight: 2, arbitrary: fc.constantFrom(1, size - 2) },
    { weight: 1, arbitrary: fc.nat(size - 1) },
  );
  const fewRows = fc.uniqueArray(row, { minLength: 1, maxLength: 3 }); // four of a hundred would be kept as bits
  const words = fc.tuple(...RARE_WORDS.map(() => fewRows));
  return fc.record({ size: fc.constant(size), words, quarter: fewRows });
});

/** All filed on one day, so that their names put them in order. */
export function rareRows({ size, words, quarter }: RareCase): BuildRow[] {
  return Array.from({ length: size }, (_, i) => {
    const found = RARE_WORDS.filter((_word, which) => words[which]!.includes(i));
    return aRow({
      key: String(i),
      name: [`Row ${String(i).padStart(3, '0')}`, ...found].join(' '),
      neighborhood: quarter.includes(i) ? RARE_QUARTER : 'Old Town',
    });
  });
}

/** Every two and three of the rare words, apart and joined, everywhere and in the rare neighborhood. */
export function rareQuestions(): Question[] {
  const sets = RARE_WORDS.flatMap((a, i) =>
    RARE_WORDS.slice(i + 1).flatMap((b, j) => [[a, b], ...RARE_WORDS.slice(i + j + 2).map((c) => [a, b, c])]),
  );
  return sets.flatMap((words) =>
    [[], [RARE_QUARTER]].flatMap((neighborhood) =>
      [' ', '-'].map((sign) => asking({ q: words.join(sign), neighborhood })),
    ),
  );
}

export function asking(asked: Partial<Question> = {}): Question {
  return { ...EVERYTHING, ...asked };
}

/** A row whose values are known. */
export type KnownRow = BuildRow & { category: string; neighborhood: string };

export function aRow(facts: Partial<KnownRow> = {}): KnownRow {
  return {
    name: 'Blue Heron LLC',
    key: 'K1',
    category: 'Restaurants',
    neighborhood: 'Old Town',
    status: 'open',
    filedOn: '2024-03-01',
    expiresOn: null,
    arrival: 1,
    arrivedAt: '2026-01-01T00:00:00.000Z',
    isNews: true,
    ...facts,
  };
}

/** Listings with these names, by their kinds. */
export function namedRows(
  names: Record<string, readonly string[]>,
  facts: Partial<KnownRow> = {},
): KnownRow[] {
  return Object.entries(names).flatMap(([category, some]) =>
    some.map((name, i) => aRow({ key: `${category} ${name} ${i}`, name, category, ...facts })),
  );
}

/** As many listings of each name. */
export const repeatedRows = (counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([name, count]) =>
    Array.from({ length: count }, (_, i) => aRow({ key: `${name} ${i}`, name })),
  );

/** As many names, each with its number. */
export const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name} ${i}`);

type Options = Partial<{
  version: string;
  day: string;
  suppressed: readonly string[];
  editions: readonly string[];
  language: string | undefined;
  timeZone: string;
}>;

export function partsOf(rows: readonly BuildRow[], options: Options = {}): IndexBuffers {
  const editions = options.editions?.map((edition) => ({ edition, introduction: null })) ?? [];
  const builder = openIndexBuilder({ version: '1', day: TODAY, suppressed: [], ...options, editions });
  for (let i = 0; i < rows.length; i += 7) builder.add(rows.slice(i, i + 7));
  return builder.finish();
}

/** A catalogue whose buffers were handed over, as from one thread to another. */
export function catalogueOf(rows: readonly BuildRow[], options: Options = {}): ListingIndex {
  const parts = partsOf(rows, options);
  return openIndex(structuredClone(parts, { transfer: listTransferables(parts) }), {
    language: options.language ?? 'en',
    timeZone: options.timeZone ?? 'UTC',
  });
}

/** The listings of one page, as objects. */
export function pageOf(catalogue: ListingIndex, question: Question): Listing[] {
  return catalogue.readListings(catalogue.search(question).rows);
}
