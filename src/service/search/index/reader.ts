/** Opens the reader of questions over an index: what it tells about words, values and days. */

import type { Stats } from '../../../shared/answers.ts';
import { isUnknown } from '../../../shared/city/value-names.ts';
import { addDays, type Day } from '../../../shared/day.ts';
import { UNCATEGORIZED } from '../../../shared/listing.ts';
import { EVERYTHING, fitToQ, type Question } from '../../../shared/question.ts';
import { rememberTexts } from '../../../shared/remember.ts';
import type { IndexBuffers } from '../index-buffers.ts';
import { openLanguages } from '../reading/language.ts';
import { openMeanings } from '../reading/meanings.ts';
import { openNeeds } from '../reading/needs.ts';
import { openReading } from '../reading/read.ts';
import type { ReadingSources } from '../reading/sources.ts';
import type { RowSet, RowSets } from '../sets.ts';
import type { Lookup } from '../words/lookup.ts';
import { openOrdinaryWords } from '../words/ordinary.ts';
import { openSpelling } from '../words/spelling.ts';

export type ReaderOptions = {
  /** Returns the category that a word means, such as `Cafes & Bakeries` for `coffee`, or `Uncategorized`. */
  kindOfWord?: (word: string) => string | undefined;
  /** Names of the city. Interpretations of a query ignore them. */
  placeNames?: readonly string[];
  /** Other names of neighborhoods. */
  alsoCalled?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The language of the city (BCP 47). */
  language?: string;
  /** Whether newer filings are expected. If not, "this week" ends with the data. Default: true. */
  expectsFilings?: boolean;
};

/** Maximum words whose counts an index caches. A question needs each several times. */
export const MOST_COUNTS = 10_000;
const USUAL_LAG_DAYS = 3; // of a register without late filings, over a weekend
const MOST_LAG_DAYS = 14; // if the data ended earlier, "this week" ends with it

type Tools = {
  parts: IndexBuffers;
  sets: RowSets;
  lookup: Lookup;
  dataEnd: Day;
  /** Finds the rows that match, or returns `undefined` if all do. */
  match(question: Question): RowSet | undefined;
  countMatches(question: Question): number;
  countByMonths(question: Question): Omit<Stats, 'by'>;
};

/** A question that needs what questions need: each of its words may be misspelled. */
export const FIRST_ASKED = { ...EVERYTHING, q: 'firstt resturants' };

/** Opens the reader of questions. What a language needs is made at its first question. */
export function openReader(
  { parts, sets, lookup, dataEnd, match, countMatches, countByMonths }: Tools,
  { kindOfWord, placeNames = [], alsoCalled = {}, language = 'en', expectsFilings = true }: ReaderOptions,
) {
  const { day, values, combos } = parts;
  const isBehind = !expectsFilings || dataEnd < addDays(day, -MOST_LAG_DAYS);
  const { valueWords, countMeant, listOthers, findMixed, findWider } = lookup;
  const findPhrase = rememberTexts((phrase) => lookup.findName(phrase.split(' ')), MOST_COUNTS);
  const spelling = openSpelling(parts, valueWords, countMeant);
  const isOrdinary = openOrdinaryWords(language);
  const { others, find: findLanguage } = openLanguages(language, isOrdinary);
  const readIn = rememberTexts((asked) =>
    openReading({
      ...sources,
      meanings: openMeanings({ ...vocabulary, language: asked }, sources.countWord),
      findNeed: openNeeds(asked),
    }),
  );
  const vocabulary = {
    // omits statuses that no listing has
    values: { ...values, status: values.status.filter((_, i) => combos.status.includes(i)) },
    lastDay: isBehind ? dataEnd : day,
    dataEnd: isBehind || dataEnd < addDays(day, -USUAL_LAG_DAYS) ? dataEnd : day,
    placeNames,
    alsoCalled,
  };
  const sources: Omit<ReadingSources, 'meanings' | 'findNeed'> = {
    countMatches,
    countWord: rememberTexts(lookup.countWord, MOST_COUNTS),
    findName: (words) => findPhrase(words.join(' ')),
    listOthers(phrase, question) {
      const others = listOthers(phrase);
      if (others.length === 0) return [];
      const matching = match(question) ?? sets.range(0, parts.size);
      const isFound = (ranges: (typeof others)[number]['ranges']) =>
        sets.intersection([matching, ...ranges.map((some) => sets.union(some))]).count > 0;
      return others.filter(({ ranges }) => isFound(ranges)).map(({ text }) => text);
    },
    findMixed,
    findWider,
    findNear: spelling.findNear,
    findKind(word) {
      const kind = kindOfWord?.(word) ?? UNCATEGORIZED;
      return !isUnknown(kind) && parts.values.category.includes(kind) ? kind : undefined;
    },
    isOrdinary,
    findYear(question, n) {
      let found = 0;
      const isNth = ({ count }: { count: number }) => {
        found += count;
        return found >= n;
      };
      return countByMonths(question).byMonth.findLast(isNth)?.value.slice(0, 4);
    },
    dataEnd,
    countedFrom: isBehind ? dataEnd : undefined,
  };
  return {
    languages: [language, ...others],
    readIn,
    read(asked: Question) {
      const other = findLanguage(asked.q);
      const isOther = other !== undefined && countMatches({ ...asked, q: fitToQ(asked.q) }) === 0;
      return readIn(isOther ? other : language)(asked);
    },
  };
}
