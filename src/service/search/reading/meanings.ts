/** What the words of a question mean: the table of question words, categories, neighborhoods and their synonyms. */

import type { Day } from '../../../shared/day.ts';
import { SEARCHED_FILTERS, type ValueFilter } from '../../../shared/question.ts';
import type { RankBy } from '../../../shared/reading.ts';
import { listForms, toSingular } from '../../../shared/text/word-forms.ts';
import { splitWords } from '../../../shared/words.ts';
import { readSynonyms, toPhraseKey } from '../words/synonyms.ts';
import { countBack, isDayWord, isNumber, openDays } from './days.ts';
import { readQuestionWords } from './language.ts';
import { readNeeds } from './needs.ts';
import { splitTokens, type Token } from './tokens.ts';

export type Vocabulary = {
  values: Record<ValueFilter, readonly string[]>;
  /** Names of the city. A question ignores them. */
  placeNames: readonly string[];
  /** Other names of neighborhoods. */
  alsoCalled: Readonly<Record<string, readonly string[]>>;
  /** The day on which "this week" ends. In archives, it may be years ago. */
  lastDay: Day;
  /** The language of the city (BCP 47). Its question words are understood in addition to the English ones. */
  language: string;
};

export type Role =
  | ('trade' | 'name' | 'value' | 'days' | 'unread' | 'spare')
  | ('newest' | 'unused' | 'home' | 'near' | 'area' | 'street' | 'road' | 'in' | 'at' | 'close' | 'filler')
  | ('not' | 'or' | 'and' | 'ask' | 'about' | 'count')
  | (
      | 'compare'
      | 'earlier'
      | 'than'
      | 'usual'
      | 'more'
      | 'most'
      | 'fewest'
      | 'grew'
      | 'fell'
      | 'trend'
      | 'oldest'
      | 'by'
    );

export type Meaning = {
  role: Role;
  /** A value: its filter, and what it is called. `isStatusOfOne`: it counts only in a question about a business. */
  filter?: ValueFilter;
  values?: readonly string[];
  extent?: 'name' | 'beginning' | 'question' | 'generic' | 'verb';
  days?: { from: Day | ''; to: Day | '' };
  isRelative?: boolean;
  /** Whether a verb follows: `open` after `did`. */
  isVerb?: boolean;
  /** Whether it asks for a reason, which no filing tells. */
  isWhy?: boolean;
  by?: RankBy;
  /** How it asks for rows: of which kind the most is, or each of them. A noun alone asks only beside another word of rankings. */
  how?: 'which' | 'each';
};

/** Words of a question that belong together, with their meaning. */
export type Step = { tokens: readonly Token[]; meaning: Meaning };

const WORDS = new Set<Role>(['name', 'trade', 'street', 'road']);
/** Minimum letters to understand the beginning of a neighborhood's name. `el` begins too many names. */
const SHORTEST_BEGINNING = 4;
const SHORTEST_INITIALS = 3;
/** Words that ask for rows in an order. */
export const RANKED = new Set<Role>(['most', 'fewest', 'grew', 'fell', 'trend']);
const NAME: Meaning = { role: 'name' };
const FILLER: Meaning = { role: 'filler' };

/** Returns whether steps in this role are words to look for. */
export function isWord(role: Role): boolean {
  return WORDS.has(role);
}

/** Returns whether the words are known, as trades and values are. */
export function isTrade({ meaning: { role } }: Step): boolean {
  return !/^(?:name|street|road)$/.test(role);
}

export function textOf(steps: readonly Step[], separator = ' '): string {
  return steps.flatMap(({ tokens }) => tokens.map(({ typed }) => typed)).join(separator);
}

export function wordsOf(steps: readonly Pick<Step, 'tokens'>[]): string[] {
  return steps.flatMap(({ tokens }) => tokens.flatMap(({ word }) => word.split(' ')));
}

export function takeAsName(step: Step): Step {
  return { ...step, meaning: { role: 'name' } };
}

export type Meanings = ReturnType<typeof openMeanings>;

export function openMeanings(vocabulary: Vocabulary) {
  const { values, lastDay, language } = vocabulary;
  const { meanings, dayWords, relative } = indexPhrases(vocabulary);
  const kinds = indexKinds(meanings, values.category);
  for (const part of kinds.keys()) if (!meanings.has(part)) meanings.set(part, { role: 'trade' });
  /** The words of the longest phrase that begins with a word. */
  const longest = new Map<string, number>();
  for (const words of Array.from(meanings.keys(), (key) => key.split(' ')))
    longest.set(words[0]!, Math.max(longest.get(words[0]!) ?? 0, words.length));
  const isElided = /^(?:fr|it|ca)\b/.test(language);
  const isIdle = (word: string) => /^(?:filler|in)$/.test(meanings.get(word)?.role ?? '');
  const readDays = openDays({ phrases: dayWords, relative, lastDay, language, isIdle });

  /** Finds the neighborhood that begins with these letters after `in`: `sushi in kits`. */
  function findPlace(part: string): Meaning | undefined {
    const found = values.neighborhood.filter((one) => splitWords(one).join(' ').startsWith(part));
    return part.length >= SHORTEST_BEGINNING && found.length === 1
      ? { role: 'value', filter: 'neighborhood', values: found, extent: 'beginning' }
      : undefined;
  }

  function stepAt(
    tokens: readonly Token[],
    at: number,
    { before, days: readAt }: { before: Meaning | undefined; days: ReturnType<typeof readDays> },
  ): Step {
    const isLast = at === tokens.length - 1; // `except march`, and not `no spring rolls`
    const isLed =
      (before?.role === 'not' && isLast) ||
      before?.role === 'in' ||
      before?.role === 'at' ||
      before?.role === 'compare' ||
      before?.role === 'than';
    const days = readAt(at, isLed);
    const { word: first, isLiteral: isPhrase } = tokens[at]!;
    const lengths = isPhrase ? [] : [first, toSingular(first)].map((one) => longest.get(one) ?? 0);
    const most = Math.min(Math.max(0, ...lengths), tokens.length - at);
    for (let length = most; length > 0 && length >= (days?.length ?? 0); length--) {
      const some = tokens.slice(at, at + length);
      const words = some.map(({ word }) => word);
      const meaning = meanings.get(words.join(' ')) ?? meanings.get(toPhraseKey(words));
      const isBroken = some.some(({ gap, isLiteral }, i) => isLiteral || (i > 0 && /[,;|]/.test(gap)));
      if (meaning && !isBroken) return { tokens: some, meaning };
    }
    if (days === undefined) {
      const { word, isLiteral } = tokens[at]!;
      const kind = isLiteral ? undefined : dayWords.get(word)?.kind;
      const isUnread = /^(?:after|before|from|between|event)$/.test(kind ?? '');
      return {
        tokens: [tokens[at]!],
        // `to` is most often no edge of days: `somewhere to get a dress altered`
        meaning: isUnread
          ? { role: 'unread' }
          : kind === 'to' || kind === 'during'
            ? FILLER
            : (before?.role === 'in' && findPlace(word)) || NAME,
      };
    }
    const { length, from, to, isRelative } = days;
    return {
      tokens: tokens.slice(at, at + length),
      meaning: { role: 'days', days: { from, to }, isRelative },
    };
  }

  return {
    lastDay,
    split: (text: string) => splitTokens(text, isElided),
    /** Groups the words of a question into phrases with their meanings. */
    readSteps(tokens: readonly Token[]): Step[] {
      const steps: Step[] = [];
      const days = readDays(tokens);
      for (let at = 0; at < tokens.length; at += steps.at(-1)!.tokens.length) {
        const before = steps.findLast(({ meaning }) => meaning.role !== 'filler')?.meaning;
        steps.push(stepAt(tokens, at, { before, days }));
      }
      return findParts(steps, (word) => dayWords.get(word)?.kind === 'last');
    },
    /** Returns the categories that a phrase means beside another one: `bars` in `restaurants and bars`. */
    findKind: ({ tokens }: Step): readonly string[] | undefined =>
      kinds.get(toPhraseKey(tokens.map(({ word }) => word))),
  };
}

/**
 * Takes as words what is a part of another name, `Alamitos` before an unknown word, and statuses that count only at the end of
 * a question, such as `close`.
 */
function findParts(steps: readonly Step[], isLast: (word: string) => boolean): Step[] {
  const isCounted = steps.some(({ meaning }) => /^(?:count|compare|more|than)$/.test(meaning.role));
  const isOpen = ({ meaning }: Step) =>
    meaning.filter === 'status' && meaning.extent === undefined && String(meaning.values) === 'open';
  // `last 10 bars`: how many to show, and no word
  const isTaken = (one: Step | undefined) => one?.meaning.role === 'name' && isLast(one.tokens[0]!.word);
  const isOrder = (one: Step | undefined) =>
    /^(?:newest|oldest)$/.test(one?.meaning.role ?? '') || isTaken(one);
  const isCount = (one: Step | undefined) => one?.meaning.role === 'name' && isNumber(one.tokens[0]!.word);
  const hasRows =
    steps.some(({ meaning }) => meaning.how === 'which') &&
    !steps.some(({ meaning }) => RANKED.has(meaning.role));
  const isAsked = /^(?:ask|about)$/.test(steps[0]?.meaning.role ?? '');
  return steps.map((step, i) => {
    const { filter, extent } = step.meaning;
    const next = steps[i + 1];
    const isBeforeName = next?.meaning.role === 'name' && !/[,;|/]/.test(next.tokens[0]!.gap);
    const isLater = steps.slice(i + 1).some(({ meaning }) => meaning.filter === 'status');
    const before = steps[i - 1];
    const isPart =
      extent === 'generic'
        ? before !== undefined && (isWord(before.meaning.role) || before.meaning.filter === 'category')
        : filter === 'status' || extent === 'question'
          ? isAsked
            ? isBeforeName && (extent === 'question' || isLater)
            : extent === 'question'
          : extent === 'beginning' && isBeforeName;
    if (isCount(step) && (isOrder(before) || isOrder(next))) return { ...step, meaning: FILLER };
    // `the last bookstore`
    const isKind = isTaken(step) && (next?.meaning.role === 'trade' || next?.meaning.filter === 'category');
    if (isOrder(step) && (isCount(next) || isKind))
      return { ...step, meaning: { role: step.meaning.role === 'oldest' ? 'oldest' : 'newest' } };
    const isJoint = (one: Step | undefined) => /^(?:and|or|compare|than)$/.test(one?.meaning.role ?? '');
    // `how many openings and closings`: no filing has the day of a closing
    if (isCounted && filter === 'status' && !isOpen(step) && isJoint(before))
      return { ...step, meaning: { role: 'unused' } };
    // `did more bars open in 2020`: when they opened, not what is open
    const later = steps
      .slice(i + 1)
      .find(({ meaning }) => meaning.role !== 'in' && meaning.role !== 'filler');
    const isVerb =
      isOpen(step) &&
      step.tokens.length === 1 &&
      (/^(?:days|unread)$/.test(later?.meaning.role ?? '') ||
        (isCounted && isJoint(later)) ||
        steps.slice(0, i).some(({ meaning }) => meaning.isVerb));
    // `plumbing contractors`: the kind of the trade says nothing more
    const isOfTrade =
      filter === 'category' &&
      extent === undefined &&
      !step.tokens[0]!.isExcluded &&
      before?.meaning.role === 'trade' &&
      before.meaning.values?.includes(step.meaning.values?.[0] ?? '') &&
      !/[,;|/]/.test(step.tokens[0]!.gap);
    if (isOfTrade) return { ...step, meaning: FILLER };
    // `which neighborhood has no bars`: the one with the fewest
    const subject = steps.slice(i + 1).find(({ meaning }) => meaning.role !== 'filler');
    const isNone = step.meaning.role === 'not' && hasRows && subject?.meaning.role === 'trade';
    if (isNone) return { ...step, meaning: { role: 'fewest' } };
    if (isPart) return takeAsName(step);
    return isVerb ? { ...step, meaning: { role: 'filler', extent: 'verb' } } : step;
  });
}

function indexPhrases({ values, placeNames, alsoCalled, lastDay, language }: Vocabulary) {
  const meanings = new Map<string, Meaning>();
  const dayWords = new Map<string, { kind: string; argument: string }>();
  /** Days counted back, which an edge may precede: `before last year`. */
  const relative = new Map<string, { from: Day; to: Day }>();
  /** Words before the noun of rows: `which`, `per`. */
  const leads: [how: 'which' | 'each', phrase: string][] = [];
  /** Words before the name of the city: `west`. */
  const compass: string[] = [];
  for (const [text = '', phrases = ''] of readQuestionWords(language)) {
    const [kind = '', argument = ''] = text.split(':');
    for (const key of phrases.split('|').map((phrase) => splitWords(phrase).join(' '))) {
      if (kind === 'which' || kind === 'each') {
        leads.push([kind, key]);
        continue;
      }
      if (kind === 'compass') {
        compass.push(key);
        continue;
      }
      if (kind === 'noun')
        for (const [how, lead] of leads)
          meanings.set(toPhraseKey(`${lead} ${key}`.split(' ')), { role: 'by', by: argument as RankBy, how });
      if (isDayWord(kind) || kind === 'and' || kind === 'or') dayWords.set(key, { kind, argument });
      const span = countBack(kind, Number(argument), lastDay);
      if (span !== undefined) relative.set(key, span);
      if (!isDayWord(kind)) meanings.set(key, toMeaning(kind, argument, { values, lastDay }));
    }
  }
  // `ac not working` excludes nothing
  for (const words of readNeeds(language).trouble) if (words.length > 1) meanings.set(words.join(' '), NAME);
  for (const name of placeNames) {
    const words = splitWords(name);
    meanings.set(words.join(' '), FILLER);
    for (const area of compass) meanings.set(`${area} ${words.join(' ')}`, { role: 'area' });
    if (words.length >= SHORTEST_INITIALS) meanings.set(words.map(([first]) => first).join(''), FILLER);
  }
  const isKnown = (category: string) => values.category.includes(category);
  for (const [phrase, synonyms] of readSynonyms().byPhrase) {
    const synonym = synonyms.find(({ categories }) => categories.some(isKnown));
    if (synonym === undefined) continue;
    const known = synonym.categories.filter(isKnown);
    const isWhole = synonym.names.length === 0;
    meanings.set(
      phrase,
      isWhole ? { role: 'value', filter: 'category', values: known } : { role: 'trade', values: known },
    );
  }
  for (const filter of SEARCHED_FILTERS)
    for (const value of values[filter])
      for (const key of listSpellings(splitWords(value)))
        meanings.set(key, { role: 'value', filter, values: [value], extent: 'name' });
  for (const value of values.neighborhood)
    for (const other of Object.hasOwn(alsoCalled, value) ? alsoCalled[value]! : [])
      for (const key of listSpellings(splitWords(other)))
        meanings.set(key, { role: 'value', filter: 'neighborhood', values: [value], extent: 'name' });
  for (const [part, found] of indexParts(values.neighborhood))
    if (found.length === 1 && !meanings.has(part) && !dayWords.has(part))
      meanings.set(part, { role: 'value', filter: 'neighborhood', values: found, extent: 'beginning' });
  for (const value of values.neighborhood) {
    const joined = splitWords(value).join('');
    if (!meanings.has(joined))
      meanings.set(joined, { role: 'value', filter: 'neighborhood', values: [value] });
  }
  return { meanings, dayWords, relative };
}

/** Lists the ways to write a value: in the singular, without its article, and with `Mt` or `St` for their words. */
function listSpellings(words: readonly string[]): string[] {
  const [first = '', ...others] = words;
  const forms = listForms(first).filter((form) => form.length <= 2 || form === first);
  const spelled = others.length > 0 ? forms.map((form) => [form, ...others]) : [[first]];
  const bare = first === 'the' && others.length > 0 ? [others] : [];
  return [...spelled, ...bare].flatMap((one) => [one.join(' '), toPhraseKey(one)]);
}

/** Groups neighborhoods by their first words (`naples`, `naples marina`) and by their numbers (ZIP codes). */
function indexParts(values: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const value of values) {
    const words = splitWords(value);
    const beginnings = words.map((_, i) => words.slice(0, i + 1).join(' '));
    const parts = [
      ...beginnings.filter((part) => part.length >= SHORTEST_BEGINNING),
      ...words.filter((word) => /^\d{4,}$/.test(word)),
    ];
    for (const part of new Set(parts)) found.getOrInsertComputed(part, () => []).push(value);
  }
  return found;
}

/** Indexes categories by their names, their synonyms and parts of their names (`Cafes`), for joined phrases. */
function indexKinds(meanings: ReadonlyMap<string, Meaning>, categories: readonly string[]) {
  const kinds = new Map<string, readonly string[]>();
  for (const category of categories)
    for (const part of category.split(/,|&|\b(?:and|or)\b/i)) {
      const key = toPhraseKey(splitWords(part));
      kinds.set(key, [...(kinds.get(key) ?? []), category]);
    }
  for (const [phrase, { filter, values = [] }] of meanings)
    if (filter === 'category') kinds.set(phrase, values);
  return kinds;
}

/** Reads the first cell of a line of `question-words.csv`, such as `days:7` or `status:open`. */
function toMeaning(
  kind: string,
  argument: string,
  { values, lastDay }: Pick<Vocabulary, 'values' | 'lastDay'>,
): Meaning {
  if (kind === 'asked' && argument === '') return { role: 'unused', extent: 'question' };
  if (kind === 'status' || kind === 'asked') {
    const statuses = argument.split(' ');
    const known = statuses.filter((status) => values.status.includes(status));
    return {
      role: 'value',
      filter: 'status',
      values: known.length > 0 ? known : statuses,
      ...(kind === 'asked' && { extent: 'question' }),
    };
  }
  if (kind === 'kinds') {
    const kinds = argument.split(';').filter((one) => values.category.includes(one));
    return kinds.length > 0 ? { role: 'value', filter: 'category', values: kinds, extent: 'generic' } : NAME;
  }
  const days = countBack(kind, Number(argument), lastDay);
  if (days !== undefined) return { role: 'days', days, isRelative: true };
  const [by, verb] = argument.split(' ');
  if (kind === 'by') return { role: 'by', by: by as RankBy, how: 'which', isVerb: verb !== undefined };
  if (kind === 'ask') return { role: 'ask', isVerb: argument !== '', isWhy: argument === 'why' };
  return kind === 'noun' ? { role: 'by', by: argument as RankBy } : { role: kind as Role };
}
