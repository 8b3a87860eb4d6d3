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
  /** The last day of "this week". For an archive, it may be years ago. */
  lastDay: Day;
};

/** The query as filters, and what each word was used for. */
export type Understood = {
  question: Question;
  /**
   * Whether it has dates or a status, which names rarely contain, asks for the newest of a category or place, or joins
   * kinds.
   */
  isCertain: boolean;
  /** Whether every word is understood, and one names a category or neighborhood and another one something else. */
  isSure: boolean;
  notes: WordNotes;
};

type Meaning =
  | { filter: ValueFilter; values: readonly string[] }
  | { days: { from: Day; to: Day } }
  | { edge: 'from' | 'to' }
  | 'words' // words to search for in names
  | 'name' // an unknown word, searched for in names
  | 'newest' // words for the default order
  | 'unused' // words for facts that no listing has
  | 'filler';

type Reading = {
  question: Question;
  edge: 'from' | 'to' | undefined;
  phrases: Record<'place' | 'kinds' | 'status' | 'dates' | Extract<Meaning, string>, string[]>;
};

/** A phrase of a query. */
type Step = {
  phrase: string;
  meaning: Meaning;
  /** The categories that it means next to another kind: `cafes` in `restaurants and cafes`. */
  kind: Meaning | undefined;
  /** Whether a comma, `and` or `or` is before it. */
  isJoined: boolean;
};

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const SHORT_MONTHS = MONTHS.map((month) => month.slice(0, 3));
const DAYS_IN: Record<string, number> = { day: 1, week: 7, month: 30, year: 365 };
const JOINER = /^(?:and|or)$/;
const YEAR = /^(?:19|20)\d\d$/;

/** Returns a function that interprets a query. The function returns `undefined` if no word is a filter or a filler. */
export function openUnderstanding(vocabulary: Vocabulary): (question: Question) => Understood | undefined {
  const meanings = indexMeanings(vocabulary);
  const kinds = indexKinds(meanings, vocabulary.values.category);
  const longest = Math.max(...Array.from(meanings.keys(), (key) => key.split(' ').length));

  function readAt(words: readonly string[], at: number): { length: number; meaning: Meaning } | undefined {
    for (let length = Math.min(longest, words.length - at); length > 0; length--) {
      const phrase = words.slice(at, at + length);
      const meaning = meanings.get(phrase.join(' ')) ?? meanings.get(toPhraseKey(phrase));
      if (meaning !== undefined) return { length, meaning };
    }
    return readPeriod(words, at, vocabulary.lastDay);
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
      const isJoiner = JOINER.test(phrase);
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
        ...{ place: [], kinds: [], status: [], dates: [] },
        ...{ words: [], name: [], newest: [], unused: [], filler: [] },
      },
    };
    applySteps(reading, readSteps(asked.q));
    return summarize(reading);
  };
}

/** Applies the meanings of phrases. Kinds that are joined mean their categories; alone, they keep their meaning. */
function applySteps(reading: Reading, steps: readonly Step[]): void {
  const named = steps.filter(({ phrase }) => !JOINER.test(phrase));
  const isPair = (a: Step | undefined, b: Step | undefined) => b?.isJoined && a?.kind && b.kind;
  for (const { phrase, meaning } of steps) if (JOINER.test(phrase)) applyMeaning(reading, meaning, phrase);
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
    const { filter, values } = meaning;
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
  const { place, kinds, status, dates, words, name, newest, unused, filler } = phrases;
  const count = (...kinds: string[][]) => kinds.flat().length;
  if (count(place, status, dates, newest, unused, filler) === 0) return undefined;
  if (question.q === '' && count(place, status, dates) === 0) return undefined;
  const isWhole = count(name) === 0 && count(place, words) > 0;
  const isCertain = count(status, dates) > 0 || (count(newest, kinds) > 0 && isWhole);
  return {
    question,
    isCertain,
    isSure: isWhole && (isCertain || place.length > 1),
    notes: { newest: newest.join(' '), dates: dates.join(' '), unused: unused.join(', ') },
  };
}

function indexMeanings({ values, placeNames, lastDay }: Vocabulary): Map<string, Meaning> {
  const meanings = new Map<string, Meaning>();
  for (const [meaning = '', phrases = ''] of readDataLines('question-words.csv'))
    for (const phrase of phrases.split('|')) meanings.set(phrase, readMeaning(meaning, { values, lastDay }));
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
      meanings.set(words.join(' '), { filter, values: [value] });
      if (filter === 'category') meanings.set(toPhraseKey(words), { filter, values: [value] });
    }
  return meanings;
}

/** Indexes what joined kinds mean: categories, by their names, their synonyms, or parts of their names (`Cafes`). */
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
  return kind === 'newest' || kind === 'unused' ? kind : 'filler';
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
  lastDay: Day,
): { length: number; meaning: Meaning } | undefined {
  const word = words[at]!;
  const days = countDaysBack(words.slice(at, at + 3));
  if (days > 0) return { length: 3, meaning: { days: { from: addDays(lastDay, 1 - days), to: lastDay } } };
  if (YEAR.test(word)) return { length: 1, meaning: { days: yearOf(Number(word)) } };
  const month = Math.max(MONTHS.indexOf(word), SHORT_MONTHS.indexOf(word));
  if (month === -1) return undefined;
  const named = YEAR.test(words[at + 1] ?? '');
  if (!named && !/^(?:in|since|before|until|during|last)$/.test(words[at - 1] ?? '')) return undefined; // `may`, `march`
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

/** Functions that describe one parameter, or return `''` if it is not given. */
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
