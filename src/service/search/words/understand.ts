/**
 * Interprets a query as filters: `new restaurants in Belmont Shore`. The filters are suggested, never applied silently.
 */

import { addDays, addMonths, type Day, makeDay, monthOf } from '../../../shared/day.ts';
import { type Days, spanDaysTo, spanMonths, spanYear, yearOf } from '../../../shared/periods.ts';
import {
  type Question,
  SEARCHED_FILTERS,
  type ValueFilter,
  type WordNotes,
} from '../../../shared/question.ts';
import { readDataLines } from '../../../shared/word-table.ts';
import { splitWords } from '../../../shared/words.ts';
import { readSynonyms, toPhraseKey } from './synonyms.ts';

export type Vocabulary = {
  values: Record<ValueFilter, readonly string[]>;
  /** Words of the city's name. A query ignores them. */
  placeNames: readonly string[];
  /** The day on which "this week" ends. In archives, it may be years ago. */
  lastDay: Day;
  /** Whether `lastDay` is earlier than people expect, so that they should know it. */
  isBehind?: boolean;
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
  /** Whether the words ask for businesses that are run from home, which listings do not say. */
  isAboutHomes: boolean;
  /** Whether the words ask only for what is new, such as `new businesses`, or near the person who asks. */
  isAboutAll: boolean;
  /** The last words, if they may be a place that is no neighborhood, and the query without them: `coffee in Springfield`. */
  elsewhere: { place: string; question: Question } | undefined;
  /** The name in a question about the status of a business: `is Joe's Diner still open?`. Otherwise `''`. */
  business: string;
  /** The name in a text such as `Joe's Diner closed`, even if it asks no question. `''` if there is none. */
  nameWithStatus: string;
  /** The end of this name if it may be a place: `on Main Street` in `is Joe's Diner on Main Street open`. */
  placeOfBusiness: string;
  notes: WordNotes;
};

type Role =
  | 'words' // known words to search for in names
  | 'name' // an unknown word to search for in names
  | 'newest' // words for the default order
  | 'unused' // words for facts that no listing has
  | 'home' // words for businesses that are run from home
  | 'near' // words for the place of the person who asks
  | 'joiner'
  | 'ask' // the first word of a question
  | 'about' // the first words of a question about a business, without a status: `what happened to`
  | 'at' // words before a place: `Joe's Diner on Main Street`
  | 'in' // words before a place that may be a neighborhood
  | 'filler';

type Meaning =
  | {
      role: 'place' | 'status';
      filter: ValueFilter;
      values: readonly string[];
      /** Whether these are the words of a value or its first words, or count only in a question. */
      extent?: 'name' | 'beginning' | 'question';
    }
  | { role: 'dates'; days: Days; isRelative: boolean }
  | { role: 'dates'; edge: 'from' | 'to' }
  // words that ask for a comparison with the year before
  | { role: 'compare'; by: 'neighborhood' | 'category' }
  | { role: Role };

/** A phrase of a query, as typed. `isPaired`: it is one of several categories, such as `cafes and bars`. */
type Step = { phrase: string; meaning: Meaning; isPaired: boolean };

const DAYS_IN: Record<string, number> = { day: 1, week: 7, month: 30, year: 365 };
/** Minimum letters to understand the beginning of a neighborhood's name. `el` begins too many names. */
const SHORTEST_BEGINNING = 4;
const YEAR = /^(?:19|20)\d\d$/;

/** Returns a function that interprets a query. The function returns `undefined` if no word is a filter or a filler. */
export function openUnderstanding(vocabulary: Vocabulary): (question: Question) => Understood | undefined {
  const meanings = indexMeanings(vocabulary);
  const kinds = indexKinds(meanings, vocabulary.values.category);
  const months = indexMonths(vocabulary.language);
  const longest = Math.max(...Array.from(meanings.keys(), (key) => key.split(' ').length));

  function readAt(words: readonly string[], at: number): { length: number; meaning: Meaning } {
    for (let length = Math.min(longest, words.length - at); length > 0; length--) {
      const phrase = words.slice(at, at + length);
      const meaning = meanings.get(phrase.join(' ')) ?? meanings.get(toPhraseKey(phrase));
      if (meaning !== undefined) return { length, meaning };
    }
    const period = readPeriod(words, at, { lastDay: vocabulary.lastDay, months });
    return period ?? { length: 1, meaning: { role: 'name' } };
  }

  /** Reads the phrases of a query. Phrases next to a comma, `and` or `or` mean categories if both can. */
  function readSteps(q: string): Step[] {
    const parts = q.split(',').map(splitTyped);
    const words = parts.flat().map(({ word }) => word);
    const typed = parts.flat().map((one) => one.typed);
    let count = 0;
    const afterCommas = new Set(parts.map((part) => (count += part.length)));
    const steps: Step[] = [];
    let before: { step: Step; kind: Meaning | undefined } | undefined;
    let isJoined = false;
    for (let at = 0; at < words.length; ) {
      const { length, meaning } = readAt(words, at);
      const phrase = words.slice(at, at + length);
      const step = { phrase: typed.slice(at, at + length).join(' '), meaning, isPaired: false };
      steps.push(step);
      isJoined ||= meaning.role === 'joiner' || afterCommas.has(at);
      at += length;
      if (meaning.role === 'joiner') continue;
      const kind = kinds.get(toPhraseKey(phrase));
      if (isJoined && kind && before?.kind) {
        Object.assign(before.step, { meaning: before.kind, isPaired: true });
        Object.assign(step, { meaning: kind, isPaired: true });
      }
      before = { step, kind };
      isJoined = false;
    }
    return steps.map((step, i) =>
      isPartOfName(step, { isAsked: isAsked(steps), others: steps.slice(i + 1) })
        ? { ...step, meaning: { role: 'name' } }
        : step,
    );
  }

  return (asked) => {
    const steps = readSteps(asked.q);
    const understood = summarize(steps, { ...asked, offset: 0 });
    if (understood === undefined || !vocabulary.isBehind) return understood;
    const relative = steps.filter(({ meaning }) => 'isRelative' in meaning && meaning.isRelative);
    if (relative.length === 0) return understood;
    const counted = { words: joinPhrases(relative), from: vocabulary.lastDay };
    return { ...understood, notes: { ...understood.notes, counted } };
  };
}

const TYPED = /[\p{L}\p{N}](?:.*[\p{L}\p{N}\p{M}])?/u;

/** Splits a text into its words, folded and as typed: `carls` and `Carl's`. */
function splitTyped(text: string): { word: string; typed: string }[] {
  return text.split(/\s+/).flatMap((piece) => {
    const words = splitWords(piece);
    const typed = words.length === 1 ? TYPED.exec(piece)?.[0] : undefined;
    return words.map((word) => ({ word, typed: typed ?? word }));
  });
}

/** Returns whether the words begin like a question about a business. */
function isAsked([first]: readonly Step[]): boolean {
  return first?.meaning.role === 'ask' || first?.meaning.role === 'about';
}

/**
 * Returns whether the beginning of a neighborhood begins another name: `Alamitos Beach` is not Alamitos Heights. `Close` is
 * a status only in a question, and `is Open Mind closed` has one status.
 */
function isPartOfName(
  { meaning }: Step,
  { isAsked, others }: { isAsked: boolean; others: readonly Step[] },
): boolean {
  const extent = 'extent' in meaning ? meaning.extent : undefined;
  const isBeforeName = others[0]?.meaning.role === 'name';
  if (meaning.role !== 'status') return extent === 'beginning' && isBeforeName;
  if (!isAsked) return extent === 'question';
  return isBeforeName && (extent === 'question' || others.some((one) => one.meaning.role === 'status'));
}

function joinPhrases(steps: readonly Step[] | undefined, separator = ' '): string {
  return steps?.map(({ phrase }) => phrase).join(separator) ?? '';
}

function summarize(steps: readonly Step[], asked: Question): Understood | undefined {
  const byRole = Map.groupBy(steps, ({ meaning }) => meaning.role);
  const has = (...roles: Meaning['role'][]) => roles.some((role) => byRole.has(role));
  const inOrder = has('compare') ? [...steps, ...findLatest(steps)] : steps;
  const question = applyMeanings(inOrder, asked);
  const isSearch = has('words', 'name');
  const isAll = has('near', 'newest');
  if (!has('place', 'status', 'dates', 'compare', 'home') && !isAll && !isSearch) return undefined;
  if (steps.every(({ meaning: { role } }) => role === 'words' || role === 'name')) return undefined;
  const places = byRole.get('place') ?? [];
  const { name: nameWithStatus, place: placeOfBusiness } = findBusiness(steps);
  const isQuestion = asked.q.includes('?') || isAsked(steps);
  const isWhole = !has('name') && has('place', 'words');
  const isCertain =
    has('status', 'dates') || ((has('newest') || steps.some(({ isPaired }) => isPaired)) && isWhole);
  const rows = steps.flatMap(({ meaning }) => ('by' in meaning ? meaning.by : []));
  return {
    question,
    isCertain,
    isSure: isWhole && (isCertain || places.length > 1),
    isWhole,
    isNamed:
      isWhole &&
      !has('words') &&
      places.every(({ meaning }) => 'extent' in meaning && meaning.extent === 'name'),
    compared: isSearch ? undefined : rows.includes('category') ? 'category' : rows[0],
    isAboutHomes: has('home') && !isSearch,
    isAboutAll: isAll && !has('place', 'status', 'dates', 'compare', 'home') && !isSearch,
    elsewhere: nameWithStatus === '' ? findElsewhere(steps, asked) : undefined,
    business: isQuestion ? nameWithStatus : '',
    nameWithStatus,
    placeOfBusiness,
    notes: {
      newest: joinPhrases(byRole.get('newest')),
      dates: joinPhrases(byRole.get('dates')),
      unused: joinPhrases(byRole.get('unused'), ', '),
      near: joinPhrases(byRole.get('near')),
    },
  };
}

function applyMeanings(steps: readonly Step[], asked: Question): Question {
  return steps.reduce(applyMeaning, { question: { ...asked, q: '' } }).question;
}

/** Finds unknown words after `in` that end the query's words, and the query without them. */
function findElsewhere(steps: readonly Step[], asked: Question): Understood['elsewhere'] {
  const isNamed = ({ meaning: { role } }: Step) => role === 'name' || role === 'words';
  const at = steps.findLastIndex(({ meaning }) => meaning.role === 'in');
  const named = steps.slice(at + 1).filter(isNamed);
  if (at < 0 || named.length === 0 || named.some(({ meaning }) => meaning.role !== 'name')) return undefined;
  const others = steps.filter((step) => !named.includes(step));
  const fromPlace = steps.slice(steps.indexOf(named[0]!));
  const end = fromPlace.findIndex(({ meaning: { role } }) => role !== 'name' && role !== 'filler');
  const place = joinPhrases(end < 0 ? fromPlace : fromPlace.slice(0, end));
  return { place, question: applyMeanings(others, asked) };
}

/** Finds the later of two periods, which is the one that is compared: `2015 vs 2014`. */
function findLatest(steps: readonly Step[]): Step[] {
  const periods = steps.flatMap((step) =>
    'days' in step.meaning ? [{ step, from: step.meaning.days.filed_from }] : [],
  );
  const [latest] = periods.sort((a, b) => (a.from < b.from ? 1 : -1));
  return periods.length > 1 ? [latest!.step] : [];
}

type Reading = { question: Question; edge?: 'from' | 'to' };

/** Applies a meaning to the query. Adds a filter's values to those that the query already has. */
function applyMeaning({ question, edge }: Reading, { phrase, meaning }: Step): Reading {
  const change = (other: Partial<Question>) => ({ question: { ...question, ...other }, edge });
  if ('filter' in meaning)
    return change({ [meaning.filter]: [...new Set([...question[meaning.filter], ...meaning.values])] });
  if ('edge' in meaning) return { question, edge: meaning.edge };
  if ('days' in meaning) {
    const { filed_from } = meaning.days;
    if (edge === 'to') return change({ filed_to: addDays(filed_from, -1) });
    return change(edge === 'from' ? { filed_from } : meaning.days);
  }
  const isSearched = meaning.role === 'words' || meaning.role === 'name';
  return isSearched ? change({ q: `${question.q} ${phrase}`.trim() }) : { question, edge };
}

/** Finds the business whose name is before a status, and its place. Categories and places are not businesses. */
function findBusiness(steps: readonly Step[]): { name: string; place: string } {
  const isNaming = ({ meaning: { role } }: Step) => role === 'name' || role === 'words' || role === 'place';
  const [first, last] = [steps.findIndex(isNaming), steps.findLastIndex(isNaming)];
  const isAboutStatus =
    steps[0]?.meaning.role === 'about' ||
    steps.slice(last + 1).some(({ meaning }) => meaning.role === 'status');
  const named = steps.slice(first, last + 1);
  const hasName = named.some(({ meaning }) => meaning.role === 'name');
  if (!isAboutStatus || !hasName) return { name: '', place: '' };
  const at = named.findIndex(({ meaning: { role } }) => role === 'at' || role === 'in');
  return { name: joinPhrases(named), place: at < 0 ? '' : joinPhrases(named.slice(at)) };
}

function indexMeanings({ values, placeNames, lastDay, language }: Vocabulary): Map<string, Meaning> {
  const meanings = new Map<string, Meaning>();
  const files = ['question-words.csv', ...(/^fr\b/.test(language) ? ['question-words.fr.csv'] : [])];
  for (const [meaning = '', phrases = ''] of files.flatMap(readDataLines))
    for (const phrase of phrases.split('|'))
      meanings.set(splitWords(phrase).join(' '), readMeaning(meaning, { values, lastDay }));
  for (const name of placeNames) meanings.set(splitWords(name).join(' '), { role: 'filler' });
  const isKnown = (category: string) => values.category.includes(category);
  for (const [phrase, synonyms] of readSynonyms().byPhrase) {
    const synonym = synonyms.find(({ categories }) => categories.some(isKnown));
    if (synonym === undefined) continue;
    const known = synonym.categories.filter(isKnown);
    const isWhole = synonym.names.length === 0;
    meanings.set(phrase, isWhole ? { role: 'place', filter: 'category', values: known } : { role: 'words' });
  }
  for (const filter of SEARCHED_FILTERS)
    for (const value of values[filter])
      for (const key of [splitWords(value).join(' '), toPhraseKey(splitWords(value))])
        meanings.set(key, { role: 'place', filter, values: [value], extent: 'name' });
  const neighborhood = (values: string[]) => ({ role: 'place', filter: 'neighborhood', values }) as const;
  for (const [beginning, neighborhoods] of indexBeginnings(values.neighborhood))
    if (neighborhoods.length === 1 && beginning.length >= SHORTEST_BEGINNING && !meanings.has(beginning))
      meanings.set(beginning, { ...neighborhood(neighborhoods), extent: 'beginning' });
  for (const value of values.neighborhood) {
    const joined = splitWords(value).join('');
    if (!meanings.has(joined)) meanings.set(joined, neighborhood([value]));
  }
  return meanings;
}

/** Groups values by their first words: `Naples-Marina Area` by `naples` and `naples marina`. */
function indexBeginnings(values: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const value of values) {
    const words = splitWords(value);
    for (const i of words.keys())
      found.getOrInsertComputed(words.slice(0, i + 1).join(' '), () => []).push(value);
  }
  return found;
}

/** Indexes categories by their names, their synonyms and parts of their names (`Cafes`), for joined phrases. */
function indexKinds(meanings: Map<string, Meaning>, categories: readonly string[]): Map<string, Meaning> {
  const parts = new Map<string, string[]>();
  for (const category of categories)
    for (const part of category.split(/,|&|\b(?:and|or)\b/i))
      parts.getOrInsertComputed(toPhraseKey(splitWords(part)), () => []).push(category);
  const kinds = Array.from(parts, ([part, values]): [string, Meaning] => [
    part,
    { role: 'place', filter: 'category', values },
  ]);
  const known = [...meanings].filter(([, meaning]) => 'filter' in meaning && meaning.filter === 'category');
  return new Map([...kinds, ...known]);
}

/** Reads the first cell of a line of `question-words.csv`, such as `days:7` or `filler`. */
function readMeaning(text: string, { values, lastDay }: Pick<Vocabulary, 'values' | 'lastDay'>): Meaning {
  const [kind, argument = ''] = text.split(':');
  const count = Number(argument);
  if (kind === 'status' || kind === 'asked') {
    const statuses = argument.split(' ');
    const known = statuses.filter((status) => values.status.includes(status));
    const extent = kind === 'asked' ? 'question' : undefined;
    return { role: 'status', filter: 'status', values: known.length > 0 ? known : statuses, extent };
  }
  const relative = (days: Days): Meaning => ({ role: 'dates', days, isRelative: true });
  if (kind === 'days') return relative(spanDaysTo(lastDay, count));
  if (kind === 'week') return relative(spanDaysTo(addDays(lastDay, -7), 7));
  if (kind === 'month') return relative(spanMonths(addMonths(monthOf(lastDay), -count)));
  if (kind === 'year') return relative(spanYear(Number(yearOf(lastDay)) - count));
  if (kind === 'from' || kind === 'to') return { role: 'dates', edge: kind };
  if (kind === 'compare') return { role: 'compare', by: argument === 'category' ? argument : 'neighborhood' };
  return { role: kind as Role };
}

/** Indexes the months (1 to 12) by their long and short names, in English and in the language of the city. */
function indexMonths(language: string): Map<string, number> {
  const months = new Map<string, number>();
  for (const locale of ['en', language])
    for (const length of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(locale, { month: length, timeZone: 'UTC' });
      for (let month = 1; month <= 12; month++)
        for (const word of splitWords(format.format(Date.UTC(2020, month - 1)))) months.set(word, month);
    }
  return months;
}

/** Reads a period: `last 30 days`, `2015`, `March 2015`, or `March` (the latest March in the data). */
function readPeriod(
  words: readonly string[],
  at: number,
  { lastDay, months }: { lastDay: Day; months: ReadonlyMap<string, number> },
): { length: number; meaning: Meaning } | undefined {
  const period = (length: number, days: Days, isRelative = false) => ({
    length,
    meaning: { role: 'dates', days, isRelative } as const,
  });
  const [before = '', word = '', next = ''] = [words[at - 1], words[at], words[at + 1]];
  const count = countDaysBack(words.slice(at, at + 3));
  if (count > 0) return period(3, spanDaysTo(lastDay, count), true);
  if (YEAR.test(word)) return period(1, spanYear(word));
  const month = months.get(word);
  if (month === undefined) return undefined;
  const isDated = YEAR.test(next);
  // `may` and `march` are also other words
  if (!isDated && !/^(?:in|since|before|until|during|last|en|depuis|avant)$/.test(before)) return undefined;
  const monthIn = (year: number) => spanMonths(monthOf(makeDay(year, month, 1)!));
  const year = Number(isDated ? next : yearOf(lastDay));
  const days = monthIn(year);
  return period(isDated ? 2 : 1, !isDated && days.filed_from > lastDay ? monthIn(year - 1) : days);
}

/** Counts the days of `last 30 days` or `past 2 weeks`. Returns 0 for other words. */
function countDaysBack([last = '', count = '', unit = '']: readonly string[]): number {
  const isPeriod = /^(?:last|past)$/.test(last) && /^\d{1,3}$/.test(count);
  return isPeriod ? Number(count) * (DAYS_IN[toPhraseKey([unit])] ?? 0) : 0;
}
