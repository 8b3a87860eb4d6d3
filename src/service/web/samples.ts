/** Chooses values for the samples of the reference from the listings of a city, so that every sample finds something. */

import { isUnknown } from '../../shared/city/value-names.ts';
import { addMonths, monthOf } from '../../shared/day.ts';
import type { Counts, Listing } from '../../shared/listing.ts';
import { spanMonths, yearOf } from '../../shared/periods.ts';
import { EVERYTHING, type NarrowingName, type Question } from '../../shared/question.ts';
import { splitWords } from '../../shared/words.ts';
import type { ListingIndex } from '../search/index/open.ts';
import { searchListings } from '../search/search.ts';

/** The values that docs/api.md has. */
const DOCUMENTED = {
  word: 'coffee',
  misspelled: 'cofee',
  category: 'Restaurants',
  neighborhood: 'Old Town',
  from: '2026-07',
  to: '2026-09',
  year: '2025',
};

export type SampleValues = Omit<typeof DOCUMENTED, 'misspelled'> & {
  /** Whether the documented misspelling leads to the word. */
  hasMisspelled: boolean;
  /** Values of parameters, each of which finds something, alone and together. */
  examples: Pick<Question, NarrowingName>;
};

const LONG_AGO = '2000-01-01';

/** Chooses values that find something, the documented ones if they do. Returns `undefined` without listings. */
export function chooseSamples(index: ListingIndex): SampleValues | undefined {
  const found = chooseWord(index);
  if (found === undefined) return undefined;
  const { listing, ...spelling } = found;
  const category = chooseValue(index.stats(EVERYTHING).by.category, DOCUMENTED.category);
  const places = index.stats({ ...EVERYTHING, category: [category] }).by.neighborhood;
  const neighborhood = chooseValue(places, DOCUMENTED.neighborhood);
  const both = { ...EVERYTHING, category: [category], neighborhood: [neighborhood] };
  const latest = index.stats(both).latestFiling;
  const to = monthOf(latest!);
  const named = {
    q: spelling.word,
    category: [listing.category],
    neighborhood: [listing.neighborhood],
    status: [listing.status],
    ...spanMonths(monthOf(listing.filing_date)),
  };
  const finds = (added_from: string) => index.count({ ...EVERYTHING, ...named, added_from }) > 0;
  return {
    ...spelling,
    category,
    neighborhood,
    to,
    from: addMonths(to, -2),
    year: yearOf(addMonths(to, -12)),
    examples: { ...named, added_from: [index.day, named.filed_from].find(finds) ?? LONG_AGO },
  };
}

type Spelling = Pick<SampleValues, 'word' | 'hasMisspelled'>;

/** Chooses a word, the documented one if it finds something, and the newest listing that it finds, with a place if one has it. */
function chooseWord(index: ListingIndex): (Spelling & { listing: Listing }) | undefined {
  const words = readPage(index, EVERYTHING).flatMap(({ name }) => splitWords(name));
  const plain = words.filter((word) => /^[a-z]{5,}$/.test(word));
  for (const word of [DOCUMENTED.word, ...plain, ...words, '']) {
    const found = readPage(index, { ...EVERYTHING, q: word });
    const listing = found.find(isPlaced) ?? found[0];
    if (listing === undefined) continue;
    const read = index.read({ ...EVERYTHING, q: DOCUMENTED.misspelled });
    return { listing, word, hasMisspelled: read.search.q === word };
  }
  return undefined;
}

function isPlaced({ category, neighborhood }: Listing): boolean {
  return !isUnknown(category) && !isUnknown(neighborhood);
}

function readPage(index: ListingIndex, question: Question): Listing[] {
  const result = searchListings(index, { question, warnings: [], problems: [] });
  return 'tooFar' in result ? [] : index.readListings(result.rows);
}

/** Chooses the preferred value, or the most frequent one that is known. */
function chooseValue(counts: Counts, preferred: string): string {
  const values = counts.map(({ value }) => value);
  if (values.includes(preferred)) return preferred;
  return values.find((value) => !isUnknown(value)) ?? values[0]!;
}

/** Returns whether a city has a value for each one in a command. */
export function hasSample(command: string | undefined, { hasMisspelled }: SampleValues): boolean {
  return hasMisspelled || !command?.includes(`q=${DOCUMENTED.misspelled}`);
}

/** Replaces the documented values in a text with others. */
export function replaceSamples(text: string, own: SampleValues): string {
  const percent = (sign: string) => `%${sign.charCodeAt(0).toString(16)}`; // they would end a text of a shell or a link
  const inQuery = (value: string) =>
    encodeURIComponent(value).replaceAll('%20', '+').replace(/['()]/g, percent);
  const inJson = (value: string) => JSON.stringify(value).replaceAll("'", '\\u0027');
  const { word, category, neighborhood, from, to, year } = DOCUMENTED;
  const pairs: [documented: string, own: string][] = [
    [`q=${word}`, `q=${inQuery(own.word)}`],
    [`“${word}”`, `“${own.word}”`],
    [`category=${category}`, `category=${inQuery(own.category)}`],
    [inJson(category), inJson(own.category)],
    [`neighborhood=${inQuery(neighborhood)}`, `neighborhood=${inQuery(own.neighborhood)}`],
    [inJson(neighborhood), inJson(own.neighborhood)],
    [`filed_from=${from}`, `filed_from=${own.from}`],
    [inJson(from), inJson(own.from)],
    [`filed_to=${to}`, `filed_to=${own.to}`],
    [`filed_from=${year}&`, `filed_from=${own.year}&`],
  ];
  return pairs.reduce((replaced, [documented, value]) => replaced.replaceAll(documented, () => value), text);
}
