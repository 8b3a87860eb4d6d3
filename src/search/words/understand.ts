/**
 * Interprets a query as filters: `new restaurants in Belmont Shore`. The filters are suggested, never applied silently.
 */

import { readDataLines } from '../../data/word-table.ts';
import { addDays, type Day, lastDayOf, makeDay, monthOf } from '../../listings/day.ts';
import { splitWords } from '../../listings/words.ts';
import type { WordNotes } from '../listing-index.ts';
import type { NarrowingName, Question, ValueFilter } from '../parameters.ts';
import { readSynonyms, toPhraseKey } from './synonyms.ts';

export type Vocabulary = {
  values: Record<ValueFilter, readonly string[]>;
  /** Words of the city's name. A query ignores them. */
  placeNames: readonly string[];
  /** The day on which "this week" ends. In archives, it may be years ago. */
  lastDay: Day;
  /** The language of the city (BCP 47). Its question words are understood in addition to the English ones. */
  language: string;
};

/** A query as filters, and how well its words were understood. */
export type Understood = {
  question: Question;
  /**
   * Whether the words are probably not a name: they have dates or a status, ask for the newest of a category or place,
   * or join categories.
   */
  isCertain: boolean;
  /** Whether every word is understood, and the words name a category or neighborhood and something else. */
  isSure: boolean;
  /** Whether every word is understood. */
  isWhole: boolean;
  /** Whether the query consists of names of categories and neighborhoods. */
  isNamed: boolean;
  /** Whether the words ask for a comparison of neighborhoods or of categories. */
  compared: 'neighborhood' | 'category' | undefined;
  notes: WordNotes;
};

type Meaning =
  | { filter: ValueFilter; values: readonly string[] /** The phrase is a full name. */; isName?: true }
  | { days: { from: Day; to: Day } }
  | { edge: 'from' | 'to' }
  | 'words' // known words to search for in names
  | 'name' // an unknown word to search for in names
  | 'newest' // words for the default order
  | 'unused' // words for facts that no listing has
  | 'compare' // words that ask for a comparison with the year before
  | 'joiner'
  | 'filler';

type Reading = {
  question: Question;
  edge: 'from' | 'to' | undefined;
  phrases: Record<'place' | 'named' | 'kinds' | 'status' | 'dates' | Extract<Meaning, string>, string[]>;
};

type Step = {
  phrase: string;
  meaning: Meaning;
  /** The categories that the phrase means next to another category: `cafes` in `restaurants and cafes`. */
  kind: Meaning | undefined;
  /** Whether the phrase follows a comma, `and` or `or`. */
  isJoined: boolean;
};

const DAYS_IN: Record<string, number> = { day: 1, week: 7, month: 30, year: 365 };
/** Minimum letters to understand the beginning of a neighborhood's name. `el` begins too many names. */
const SHORTEST_BEGINNING = 4;
const YEAR = /^(?:19|20)\d\d$/;

/** Returns a function that interprets a query. The function returns `undefined` if no word is a filter or a filler. */
export function openUnderstanding(vocabulary: Vocabulary): (question: Question) => Understood | undefined {
  const meanings = indexMeanings(vocabulary);
  const kinds = indexKinds(meanings, vocabulary.values.category);
  const months = listMonthNames(vocabulary.language);
  const longest = Math.max(...Array.from(meanings.keys(), (key) => key.split(' ').length));

  function readAt(words: readonly string[], at: number): { length: number; meaning: Meaning } | undefined {
    for (let length = Math.min(longest, words.length - at); length > 0; length--) {
      const phrase = words.slice(at, at + length);
      const meaning = meanings.get(phrase.join(' ')) ?? meanings.get(toPhraseKey(phrase));
      if (meaning !== undefined) return { length, meaning };
    }
    return readPeriod(words, at, { lastDay: vocabulary.lastDay, months });
  }

  function readSteps(q: string): Step[] {
    const parts = q.split(',').map(splitWords);
    const words = parts.flat();
    let count = 0;
    const afterCommas = new Set(parts.map((part) => (count += part.length)));
    const steps: Step[] = [];
    let isJoined = false;
    for (let at = 0; at < words.length; ) {
      const { length, meaning } = readAt(words, at) ?? { length: 1, meaning: 'name' };
      const some = words.slice(at, at + length);
      const phrase = some.join(' ');
      const isJoiner = meaning === 'joiner';
      isJoined ||= isJoiner || afterCommas.has(at);
      steps.push({ phrase, meaning, kind: kinds.get(toPhraseKey(some)), isJoined });
      isJoined &&= isJoiner;
      at += length;
    }
    return steps;
  }

  return (asked) => {
    const reading: Reading = {
      question: { ...asked, q: '', offset: 0 },
      edge: undefined,
      phrases: {
        ...{ place: [], named: [], kinds: [], status: [], dates: [] },
        ...{ words: [], name: [], newest: [], unused: [], compare: [], joiner: [], filler: [] },
      },
    };
    applySteps(reading, readSteps(asked.q));
    return summarize(reading);
  };
}

/** Applies the meanings of phrases. Joined phrases such as `cafes and bars` mean their categories (`kind`). */
function applySteps(reading: Reading, steps: readonly Step[]): void {
  const named = steps.filter(({ meaning }) => meaning !== 'joiner');
  const isPair = (a: Step | undefined, b: Step | undefined) => b?.isJoined && a?.kind && b.kind;
  for (const { phrase, meaning } of steps) if (meaning === 'joiner') applyMeaning(reading, meaning, phrase);
  for (const [i, step] of named.entries()) {
    const isKind = isPair(named[i - 1], step) || isPair(step, named[i + 1]);
    if (isKind) reading.phrases.kinds.push(step.phrase);
    applyMeaning(reading, (isKind && step.kind) || step.meaning, step.phrase);
  }
}

/** Applies a meaning to the query. Adds a filter's values to those that the query already has. */
function applyMeaning(reading: Reading, meaning: Meaning, phrase: string): void {
  const { question, phrases, edge } = reading;
  if (meaning === 'words' || meaning === 'name') question.q += `${question.q && ' '}${phrase}`;
  if (typeof meaning === 'string') phrases[meaning].push(phrase);
  else if ('filter' in meaning) {
    const { filter, values, isName } = meaning;
    if (isName) phrases.named.push(phrase);
    phrases[filter === 'status' ? 'status' : 'place'].push(phrase);
    question[filter] = [...new Set([...question[filter], ...values])];
  } else {
    phrases.dates.push(phrase);
    if ('edge' in meaning) reading.edge = meaning.edge;
    else if (edge === 'to') question.filed_to = addDays(meaning.days.from, -1);
    else {
      question.filed_from = meaning.days.from;
      if (edge === undefined) question.filed_to = meaning.days.to;
    }
  }
}

function summarize({ question, phrases }: Reading): Understood | undefined {
  const { place, named, kinds, status, dates, words, name, newest, unused, compare, joiner, filler } =
    phrases;
  const count = (...kinds: string[][]) => kinds.flat().length;
  if (count(place, status, dates, newest, unused, compare, joiner, filler) === 0) return undefined;
  if (question.q === '' && count(place, status, dates, compare) === 0) return undefined;
  const isWhole = count(name) === 0 && count(place, words) > 0;
  const rows = KINDS.test(compare.join(' ')) ? 'category' : 'neighborhood';
  const isCertain = count(status, dates) > 0 || (count(newest, kinds) > 0 && isWhole);
  return {
    question,
    isCertain,
    isSure: isWhole && (isCertain || place.length > 1),
    isWhole,
    isNamed: isWhole && named.length === place.length && count(words) === 0,
    compared: count(compare) > 0 && count(name, words) === 0 ? rows : undefined,
    notes: { newest: newest.join(' '), dates: dates.join(' '), unused: unused.join(', ') },
  };
}

/** Matches words that ask for a comparison of categories. */
const KINDS = /kind|categor|type|industr|sorte|genre|secteur|activit/;

function indexMeanings({ values, placeNames, lastDay, language }: Vocabulary): Map<string, Meaning> {
  const meanings = new Map<string, Meaning>();
  const files = /^fr\b/.test(language)
    ? ['question-words.csv', 'question-words.fr.csv']
    : ['question-words.csv'];
  for (const [meaning = '', phrases = ''] of files.flatMap(readDataLines))
    for (const phrase of phrases.split('|'))
      meanings.set(splitWords(phrase).join(' '), readMeaning(meaning, { values, lastDay }));
  for (const name of placeNames) meanings.set(splitWords(name).join(' '), 'filler');
  const isKnown = (category: string) => values.category.includes(category);
  for (const [phrase, synonyms] of readSynonyms().byPhrase) {
    const synonym = synonyms.find(({ categories }) => categories.some(isKnown));
    if (synonym === undefined) continue;
    const known = synonym.categories.filter(isKnown);
    meanings.set(phrase, synonym.names.length === 0 ? { filter: 'category', values: known } : 'words');
  }
  for (const filter of ['category', 'neighborhood'] as const)
    for (const value of values[filter]) {
      const words = splitWords(value);
      const meaning: Meaning = { filter, values: [value], isName: true };
      meanings.set(words.join(' '), meaning);
      if (filter === 'category') meanings.set(toPhraseKey(words), meaning);
    }
  for (const [beginning, neighborhoods] of indexBeginnings(values.neighborhood))
    if (neighborhoods.length === 1 && beginning.length >= SHORTEST_BEGINNING && !meanings.has(beginning))
      meanings.set(beginning, { filter: 'neighborhood', values: neighborhoods });
  return meanings;
}

/** Indexes values by their first words: `Naples-Marina Area` by `naples` and `naples marina`. */
function indexBeginnings(values: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const value of values)
    for (const i of splitWords(value).keys())
      found
        .getOrInsertComputed(
          splitWords(value)
            .slice(0, i + 1)
            .join(' '),
          () => [],
        )
        .push(value);
  return found;
}

/** Indexes categories by their names, their synonyms and parts of their names (`Cafes`), for joined phrases. */
function indexKinds(meanings: Map<string, Meaning>, categories: readonly string[]): Map<string, Meaning> {
  const parts = new Map<string, string[]>();
  for (const category of categories)
    for (const part of category.split(/,|&|\b(?:and|or)\b/i))
      parts.getOrInsertComputed(toPhraseKey(splitWords(part)), () => []).push(category);
  const kinds = new Map<string, Meaning>(
    Array.from(parts, ([part, values]) => [part, { filter: 'category', values }]),
  );
  for (const [phrase, meaning] of meanings)
    if (typeof meaning === 'object' && 'filter' in meaning && meaning.filter === 'category')
      kinds.set(phrase, meaning);
  return kinds;
}

function readMeaning(meaning: string, { values, lastDay }: Pick<Vocabulary, 'values' | 'lastDay'>): Meaning {
  const [kind, argument = ''] = meaning.split(':');
  const count = Number(argument);
  if (kind === 'status') {
    const statuses = argument.split(' ');
    const known = statuses.filter((status) => values.status.includes(status));
    return { filter: 'status', values: known.length > 0 ? known : statuses };
  }
  if (kind === 'days') return { days: { from: addDays(lastDay, 1 - count), to: lastDay } };
  if (kind === 'week') return { days: { from: addDays(lastDay, -13), to: addDays(lastDay, -7) } };
  if (kind === 'month') return { days: monthBack(lastDay, count) };
  if (kind === 'year') return { days: yearOf(Number(lastDay.slice(0, 4)) - count) };
  if (kind === 'from' || kind === 'to') return { edge: kind };
  return kind === 'newest' || kind === 'unused' || kind === 'compare' || kind === 'joiner' ? kind : 'filler';
}

/** Lists the long and short names of the months, in English and in the language of the city. */
function listMonthNames(language: string): string[][] {
  const languages = ['en', language];
  return Array.from({ length: 12 }, (_, month) =>
    languages.flatMap((one) =>
      (['long', 'short'] as const).flatMap((length) =>
        splitWords(
          new Intl.DateTimeFormat(one, { month: length, timeZone: 'UTC' }).format(
            new Date(Date.UTC(2020, month)),
          ),
        ),
      ),
    ),
  );
}

function monthBack(day: Day, count: number): { from: Day; to: Day } {
  let from: Day = `${monthOf(day)}-01`;
  for (let i = 0; i < count; i++) from = `${monthOf(addDays(from, -1))}-01`;
  return { from, to: lastDayOf(monthOf(from)) };
}

function yearOf(year: number): { from: Day; to: Day } {
  return { from: `${year}-01-01`, to: `${year}-12-31` };
}

/** Reads a period: `last 30 days`, `2015`, `March 2015`, or `March` (the latest March in the data). */
function readPeriod(
  words: readonly string[],
  at: number,
  { lastDay, months }: { lastDay: Day; months: readonly (readonly string[])[] },
): { length: number; meaning: Meaning } | undefined {
  const word = words[at]!;
  const days = countDaysBack(words.slice(at, at + 3));
  if (days > 0) return { length: 3, meaning: { days: { from: addDays(lastDay, 1 - days), to: lastDay } } };
  if (YEAR.test(word)) return { length: 1, meaning: { days: yearOf(Number(word)) } };
  const month = months.findIndex((names) => names.includes(word));
  if (month === -1) return undefined;
  const named = YEAR.test(words[at + 1] ?? '');
  if (!named && !/^(?:in|since|before|until|during|last|en|depuis|avant)$/.test(words[at - 1] ?? ''))
    return undefined; // `may` and `march` are also other words
  const year = named ? Number(words[at + 1]) : Number(lastDay.slice(0, 4));
  const first = makeDay(year, month + 1, 1)!;
  const from = first > lastDay && !named ? makeDay(year - 1, month + 1, 1)! : first;
  return { length: named ? 2 : 1, meaning: { days: { from, to: lastDayOf(monthOf(from)) } } };
}

/** Counts the days of `last 30 days` or `past 2 weeks`. Returns 0 for other words. */
function countDaysBack([last = '', count = '', unit = '']: readonly string[]): number {
  const isPeriod = /^(?:last|past)$/.test(last) && /^\d{1,3}$/.test(count);
  return isPeriod ? Number(count) * (DAYS_IN[toPhraseKey([unit])] ?? 0) : 0;
}

/** Functions that describe a parameter. They return `''` if it is not given. */
const DESCRIBED: Record<NarrowingName, (question: Question) => string> = {
  q: ({ q }) => q && `"${q}"`,
  category: ({ category }) => category.join(', '),
  neighborhood: ({ neighborhood }) => (neighborhood.length > 0 ? ` in ${neighborhood.join(' or ')}` : ''),
  status: ({ status }) => (status.length > 0 ? `, ${status.join(' or ')}` : ''),
  filed_from: ({ filed_from }) => filed_from && `, filed from ${filed_from}`,
  filed_to: ({ filed_from, filed_to }) => filed_to && `${filed_from === '' ? ', filed' : ''} to ${filed_to}`,
};

/** Describes a query in a few words: `Restaurants in Belmont Shore, filed from 2016-09-06`. */
export function describeQuestion(question: Question): string {
  const { q, category, ...others } = DESCRIBED;
  const what = [q, category].map((describe) => describe(question)).filter((text) => text !== '');
  const rest = Object.values(others).map((describe) => describe(question));
  return (what.join(', ') || 'All listings') + rest.join('');
}
