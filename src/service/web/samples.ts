/** Chooses values for the samples of the reference from the listings of a city, so that every sample finds something. */

import { isUnknown } from '../../shared/city/value-names.ts';
import { addMonths, monthOf } from '../../shared/day.ts';
import type { Counts, Listing } from '../../shared/listing.ts';
import { spanMonths, yearOf } from '../../shared/periods.ts';
import { EVERYTHING, type NarrowingName, PAGE_LIMIT, type Question } from '../../shared/question.ts';
import { splitWords } from '../../shared/words.ts';
import type { ListingIndex } from '../search/listing-index.ts';
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
  /** A misspelling of the word that leads to it, if there is one. */
  misspelled?: string;
  /** Values of parameters, each of which finds something, alone and together. */
  examples: Pick<Question, NarrowingName>;
};

const LONG_AGO = '2000-01-01';
const MOST_PAGES = 8; // of listings whose names are looked at

/** Chooses values that find something, the documented ones if they do. Returns `undefined` without listings. */
export function chooseSamples(index: ListingIndex): SampleValues | undefined {
  const found = chooseWord(index);
  if (found === undefined) return undefined;
  const { listing, ...spelling } = found;
  const [category, neighborhood] = choosePair(index);
  const latest = index.stats({
    ...EVERYTHING,
    category: [category],
    neighborhood: [neighborhood],
  }).latestFiling;
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

type Spelling = Pick<SampleValues, 'word' | 'misspelled'>;

/** Chooses a word of a name, with a misspelling that leads to it, and the newest listing that it finds. */
function chooseWord(index: ListingIndex): (Spelling & { listing: Listing }) | undefined {
  const documented = findWord(index, DOCUMENTED.word);
  if (documented !== undefined) return documented;
  for (const name of listNames(index))
    for (const word of splitWords(name)) {
      const found = /^[a-z]{5,}$/.test(word) ? findWord(index, word) : undefined;
      if (found !== undefined) return found;
    }
  const [listing] = readPage(index, EVERYTHING);
  return listing && { listing, word: splitWords(listing.name)[0] ?? '' };
}

function* listNames(index: ListingIndex): Generator<string> {
  for (let page = 0; page < MOST_PAGES; page++)
    for (const { name } of readPage(index, { ...EVERYTHING, offset: page * PAGE_LIMIT })) yield name;
}

function readPage(index: ListingIndex, question: Question): Listing[] {
  const result = searchListings(index, { question, warnings: [], faults: [] });
  return 'tooFar' in result ? [] : index.readListings(result.rows);
}

/** Finds a misspelling of a word that finds nothing and leads to it, and a listing with the word. */
function findWord(index: ListingIndex, word: string): (Spelling & { listing: Listing }) | undefined {
  const found = readPage(index, { ...EVERYTHING, q: word });
  const isPlaced = ({ category, neighborhood }: Listing) => !isUnknown(category) && !isUnknown(neighborhood);
  const listing = found.find(isPlaced) ?? found[0];
  const misspelled = listing && misspell(word).find((text) => leadsTo(index, text, word));
  return misspelled === undefined ? undefined : { listing: listing!, word, misspelled };
}

/** Lists misspellings without one of two equal letters, then without another one. */
function misspell(word: string): string[] {
  const without = (at: number) => word.slice(0, at) + word.slice(at + 1);
  const places = Array.from(word.slice(1), (_, i) => i + 1);
  const isDouble = (at: number) => word[at] === word[at - 1];
  return [...places.filter(isDouble), ...places.filter((at) => !isDouble(at))].map(without);
}

function leadsTo(index: ListingIndex, text: string, word: string): boolean {
  const question = { ...EVERYTHING, q: text };
  if (index.count(question) > 0) return false;
  return index.read(question).search.q === word;
}

/** Chooses a category and one of its neighborhoods. */
function choosePair(index: ListingIndex): [category: string, neighborhood: string] {
  const category = chooseValue(index.stats(EVERYTHING).by.category, DOCUMENTED.category);
  const places = index.stats({ ...EVERYTHING, category: [category] }).by.neighborhood;
  return [category, chooseValue(places, DOCUMENTED.neighborhood)];
}

/** Chooses the preferred value, or the most frequent one that is known. */
function chooseValue(counts: Counts, preferred: string): string {
  const values = counts.map(({ value }) => value);
  if (values.includes(preferred)) return preferred;
  return values.find((value) => !isUnknown(value)) ?? values[0]!;
}

/** Returns whether a city has a value for each one in a command. */
export function hasSample(command: string | undefined, { misspelled }: SampleValues): boolean {
  return misspelled !== undefined || !command?.includes(`q=${DOCUMENTED.misspelled}`);
}

/** Replaces the documented values in a text with others. */
export function replaceSamples(text: string, own: SampleValues): string {
  const inQuery = (value: string) => encodeURIComponent(value).replaceAll('%20', '+').replaceAll("'", '%27');
  const inJson = (value: string) => JSON.stringify(value).replaceAll("'", '\\u0027');
  const { word, misspelled, category, neighborhood, from, to, year } = DOCUMENTED;
  const pairs: [documented: string, own: string][] = [
    [`q=${misspelled}`, `q=${inQuery(own.misspelled ?? '')}`],
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
