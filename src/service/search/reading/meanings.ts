/** What the words of a question mean: the table of question words, categories, neighborhoods and their synonyms. */

import { MOST_WORDS, SEARCHED_FILTERS, type ValueFilter } from '../../../shared/question.ts';
import type { RankBy } from '../../../shared/reading.ts';
import { countEdits } from '../../../shared/text/edits.ts';
import { listForms, toSingular } from '../../../shared/text/word-forms.ts';
import { splitWords } from '../../../shared/words.ts';
import { readSynonyms, toPhraseKey } from '../words/synonyms.ts';
import { countBack, type Ends } from './calendar.ts';
import { type DayWord, isDayWord, openDays } from './days.ts';
import { isTrade, isWord, type Meaning, type Role, type Step, type Steps, takeAs, wordsOf } from './draft.ts';
import { readInContext } from './in-context.ts';
import { listAsked, listFillers, readQuestionPhrases } from './language.ts';
import { readNeeds } from './needs.ts';
import { listNumbers } from './numbers.ts';
import { splitTokens, type Tokens } from './tokens.ts';

export type Vocabulary = Ends & {
  values: Record<ValueFilter, readonly string[]>;
  /** Names of the city. A question ignores them. */
  placeNames: readonly string[];
  /** Other names of neighborhoods. */
  alsoCalled: Readonly<Record<string, readonly string[]>>;
  /** The language of the city (BCP 47). Its question words are understood in addition to the English ones. */
  language: string;
};

/** Minimum letters to understand the beginning of a neighborhood's name. `el` begins too many names. */
const SHORTEST_BEGINNING = 4;
const SHORTEST_INITIALS = 3;
/** Words that have a meaning only before others. */
const LEADS = new Set(['which', 'each', 'nth', 'size', 'numbered', 'compass', 'hours']);
/** Words that a number may precede: `second most`. */
const LED = /^(?:most|fewest|size|numbered|oldest|newest)$/;
const NAME: Meaning = { role: 'name' };
const FILLER: Meaning = { role: 'filler' };
const TOWN: Meaning = { role: 'filler', extent: 'town' };
/** What is open at some hour: no filing tells the hour. */
const HOURS: Meaning = { role: 'value', filter: 'status', values: ['open'], extent: 'hours' };

function placeOf(values: readonly string[], extent?: 'beginning' | 'called'): Meaning {
  return { role: 'value', filter: 'neighborhood', values, ...(extent && { extent }) };
}

export type Meanings = ReturnType<typeof openMeanings>;

/** `countWord`: counts the listings with any form of a word. */
export function openMeanings(vocabulary: Vocabulary, countWord: (word: string) => number) {
  const { values, lastDay, dataEnd, language } = vocabulary;
  const { meanings, dayWords, relative } = indexPhrases(vocabulary);
  /** Categories that words of people mean as a whole: restaurants, and not what is done for beauty. */
  const wholes = new Set(
    meanings
      .values()
      .flatMap(({ filter, extent, values = [] }) =>
        filter === 'category' && extent === undefined ? values : [],
      ),
  );
  const kinds = indexKinds(meanings, values.category);
  for (const part of kinds.keys()) meanings.getOrInsert(part, { role: 'trade' });
  /** The words of the longest phrase that begins with a word. */
  const longest = new Map<string, number>();
  for (const words of Array.from(meanings.keys(), (key) => key.split(' ')))
    longest.set(words[0]!, Math.max(longest.get(words[0]!) ?? 0, words.length));
  const asked = listAsked(language);
  const isElided = /^(?:fr|it|ca)\b/.test(language);
  const isIdle = (word: string) => /^(?:filler|in)$/.test(meanings.get(word)?.role ?? '');
  const readDays = openDays({ phrases: dayWords, relative, lastDay, dataEnd, language, isIdle });
  /** The meanings of the words before, and the reader of days. */
  type Known = { said: readonly Meaning[]; days: ReturnType<typeof readDays> };

  /** Finds the neighborhood that begins with these letters after `in`: `sushi in kits`. */
  function findPlace(part: string): Meaning | undefined {
    const found = values.neighborhood.filter((one) => splitWords(one).join(' ').startsWith(part));
    return part.length >= SHORTEST_BEGINNING && found.length === 1 ? placeOf(found, 'beginning') : undefined;
  }

  /** Returns whether the end of a phrase is about days: `did it open today`, `open late 2015`, `the year before 2010`. */
  function isOfDays({ role, extent }: Meaning, some: Tokens, { said, days: readAt }: Known, at: number) {
    if (role !== 'usual' && role !== 'earlier' && extent !== 'hours') return false;
    const isOpening = role !== 'earlier' && said.some((one) => one.isVerb || one.role === 'newest');
    const days = some.map((_, i) => (i > 0 && readAt(at + i, true)?.length) || 0);
    return days.some((length, i) => length > 0 && (isOpening || i + length > some.length));
  }

  /** Returns whether a word says what became of something, as `fall` in `did bars fall in 2019`, and not in `opened last fall`. */
  function isChange(word: string, said: readonly Meaning[]): boolean {
    if (!isVerb(meanings.get(word)) || !said.some((one) => one.role === 'ask' || one.how)) return false;
    const [{ role, filter, by } = FILLER, before] = [said.at(-1), said.at(-2)];
    const isSubject = /^(?:name|trade|ask)$/.test(role) || /^(?:category|neighborhood)$/.test(filter ?? '');
    return (isSubject && said.length > 1) || by !== undefined || (role === 'or' && isVerb(before));
  }

  function stepAt(tokens: Tokens, at: number, known: Known): Step {
    const { said, days: readAt } = known;
    const [before, earlier] = [said.at(-1), said.at(-2)];
    const isOfChange = isChange(tokens[at]!.word, said);
    const isLast = at === tokens.length - 1; // `except march`, and not `no spring rolls`
    const isLed =
      (before?.role === 'not' && (isLast || said.some(({ role }) => role === 'days'))) ||
      /^(?:in|at|compare|than)$/.test(before?.role ?? '') ||
      (/^(?:and|or)$/.test(before?.role ?? '') && earlier?.role === 'days'); // `in june or july`
    const days = isOfChange ? undefined : readAt(at, isLed);
    const { word: first, isLiteral: isPhrase } = tokens[at]!;
    const lengths = isPhrase ? [] : [first, toSingular(first)].map((one) => longest.get(one) ?? 0);
    const most = Math.min(Math.max(0, ...lengths), tokens.length - at);
    for (let length = most; length > 0 && length >= (days?.length ?? 0); length--) {
      const some = tokens.slice(at, at + length);
      const words = some.map(({ word }) => word);
      const meaning = meanings.get(words.join(' ')) ?? meanings.get(toPhraseKey(words));
      // `Doe's` asks nothing
      const isBroken =
        (meaning?.role === 'ask' && /['’]s$/i.test(some.at(-1)!.typed)) ||
        some.some(({ gap, isLiteral }, i) => isLiteral || (i > 0 && /[,;|]/.test(gap)));
      // `una` is an article, and `uñas`, which is folded to its plural, are nails
      const isArticle =
        (meaning?.role === 'trade' || meaning?.filter === 'category') &&
        listFillers().has(some.map(({ typed }) => typed.toLowerCase()).join(' '));
      const isIdle = isVerb(meaning) && !isOfChange;
      if (meaning && !isBroken && !isIdle && !isOfDays(meaning, some, known, at))
        return { tokens: some, meaning: isArticle ? FILLER : meaning };
    }
    if (days === undefined) {
      const { word, isLiteral } = tokens[at]!;
      const kind = isLiteral ? undefined : dayWords.get(word)?.kind;
      // `to` is most often no edge of days, nor is the French `de`: `somewhere to get a dress altered`
      const isIdleEdge = /^(?:to|during)$/.test(kind ?? '') || listFillers().has(word);
      const meaning = /^(?:after|before|from|between|event|to|during)$/.test(kind ?? '')
        ? { role: isIdleEdge ? ('filler' as const) : ('unread' as const) }
        : (before?.role === 'in' && findPlace(word)) || NAME;
      return { tokens: [tokens[at]!], meaning };
    }
    const { length, from, to, isNone, ...how } = days;
    const meaning: Meaning = isNone ? { role: 'unread' } : { role: 'days', days: { from, to }, ...how };
    return { tokens: tokens.slice(at, at + length), meaning };
  }

  return {
    lastDay,
    split: (text: string) => splitTokens(text, isElided),
    /** Groups the words of a question into phrases with their meanings. */
    readSteps(tokens: Tokens): Steps {
      const steps: Step[] = [];
      const said: Meaning[] = [];
      const days = readDays(tokens);
      for (let at = 0; at < tokens.length; at += steps.at(-1)!.tokens.length) {
        const step = stepAt(tokens, at, { said, days });
        steps.push(step);
        if (step.meaning.role !== 'filler') said.push(step.meaning);
      }
      return spareWords(
        readInContext(steps, (word) => dayWords.get(word)?.kind),
        countWord,
      );
    },
    /** Lists the words of questions that a word may be a misspelling of: `since` for `sinse`. */
    isTrade: (word: string) => meanings.get(toSingular(word))?.role === 'trade',
    findAsked: (word: string) => asked.filter((one) => countEdits(word, one, 2) === 1),
    /** Lists the categories of a trade, to the first that is neither called after it nor, if they are only shown, has a name for all of its trades. */
    findWider({ tokens, meaning: { role, values: own } }: Step, isShown: boolean): readonly string[] {
      const [first] = tokens;
      const values = own ?? kinds.get(toPhraseKey(tokens.map(({ word }) => word))) ?? [];
      const isCalled = (kind: string) => splitWords(kind).map(toSingular).includes(toSingular(first!.word));
      const end = values.findIndex((kind) => !isCalled(kind) && !(isShown && wholes.has(kind)));
      return role === 'trade' ? values.slice(0, end < 0 ? values.length : end) : [];
    },
    /** Returns the categories that a phrase means beside another one: `bars` in `restaurants and bars`. */
    findKind: ({ tokens }: Step): readonly string[] | undefined =>
      kinds.get(toPhraseKey(tokens.map(({ word }) => word))),
  };
}

/** Spares words of many: the trades and the rarest ones count. Each costs several lookups. */
function spareWords(steps: Steps, countWord: (word: string) => number): Steps {
  const words = steps.filter(({ meaning }) => isWord(meaning.role));
  if (words.length <= MOST_WORDS) return steps;
  const distinct = new Map(words.map((step) => [wordsOf([step]).join(' '), step]));
  const ranked = Array.from(distinct.values())
    .map((step) => ({ step, isKnown: isTrade(step), count: Math.min(...wordsOf([step]).map(countWord)) }))
    .filter(({ isKnown, count }) => isKnown || count > 0)
    .sort((a, b) => Number(b.isKnown) - Number(a.isKnown) || a.count - b.count);
  const kept = new Set(ranked.slice(0, MOST_WORDS).map(({ step }) => step));
  return steps.map((step) => (isWord(step.meaning.role) && !kept.has(step) ? takeAs(step, 'spare') : step));
}

function indexPhrases(vocabulary: Vocabulary) {
  const { values, placeNames, alsoCalled, language } = vocabulary;
  const meanings = new Map<string, Meaning>();
  const dayWords = new Map<string, DayWord>();
  /** Days counted back, which an edge may precede: `before last year`. */
  const relative = new Map<string, DayWord>();
  /** Names of one part of a town: `downtown` and `centre ville`. */
  const areas = new Map<string, string[]>();
  /** Words that have a meaning only before others: `which` before the noun of rows, `west` before the name of the city. */
  const leads: { kind: string; argument: string; singular: string }[] = [];
  for (const phrase of readQuestionPhrases(language)) {
    const { kind, argument, key, singular } = phrase;
    if (LEADS.has(kind)) leads.push(phrase);
    if (kind === 'area' && argument !== '') areas.getOrInsertComputed(argument, () => []).push(key);
    const isLed = LED.test(kind);
    for (const lead of isLed || kind === 'noun' || kind === 'time' ? leads : []) {
      const add = (meaning: Meaning) => meanings.set(`${lead.singular} ${singular}`, meaning);
      if (lead.kind === 'nth' && isLed) {
        const role = (/^(?:part|busy)$/.test(argument) ? kind : argument || kind) as Role;
        add({ role, nth: Number(lead.argument) });
      }
      if (lead.kind === 'hours' && kind === 'time')
        add(lead.argument ? { role: 'unused', extent: 'hours' } : HOURS);
      if (kind !== 'noun') continue;
      const by = argument as RankBy;
      if (lead.kind === 'size') add({ role: lead.argument as Role, by, how: 'which' });
      else if (lead.kind === 'which' || lead.kind === 'each') add({ role: 'by', by, how: lead.kind });
    }
    if (kind === 'numbered')
      for (const number of listNumbers()) meanings.set(`${singular} ${number}`, { role: argument as Role });
    if (LEADS.has(kind) || kind === 'time' || kind === 'particle') continue;
    if (isDayWord(kind) || kind === 'and' || kind === 'or') dayWords.set(key, { kind, argument });
    const span = countBack(kind, Number(argument), vocabulary);
    if (span) relative.set(key, { kind: 'relative', argument: `${span.from} ${span.to}` });
    if (!isDayWord(kind)) meanings.set(key, toMeaning(kind, argument, vocabulary));
  }
  // `ac not working` excludes nothing
  for (const words of readNeeds(language).trouble) if (words.length > 1) meanings.set(words.join(' '), NAME);
  for (const name of placeNames) {
    const words = splitWords(name);
    meanings.set(words.join(' '), TOWN);
    for (const { kind, singular } of leads)
      if (kind === 'compass') meanings.set(`${singular} ${words.join(' ')}`, { role: 'area' });
    if (words.length >= SHORTEST_INITIALS) meanings.set(words.map(([first]) => first).join(''), TOWN);
  }
  const isKnown = (category: string) => values.category.includes(category);
  const kinds = new Set(values.category.map((category) => toPhraseKey(splitWords(category))));
  const { byPhrase } = readSynonyms();
  for (const [phrase, synonyms] of byPhrase) {
    // `tire shop`, whose noun adds nothing to `tire`, and not `body shop`
    const [rest = '', noun = ''] = phrase.split(/ (?=\S+$)/);
    const isIdle = meanings.get(noun)?.role === 'filler' || meanings.get(noun)?.extent === 'generic';
    if (isIdle && (kinds.has(rest) || byPhrase.get(rest)?.some((one) => synonyms.includes(one)))) continue;
    if (meanings.get(phrase)?.extent === 'generic') continue;
    const synonym = synonyms.find(({ categories }) => categories.some(isKnown));
    if (synonym === undefined) continue;
    const known = synonym.categories.filter(isKnown);
    const isWhole = synonym.names.length === 0;
    const how: Meaning = isWhole ? { role: 'value', filter: 'category' } : { role: 'trade' };
    // `vegan`, of `vegan food`
    const style = { extent: 'style' as const };
    meanings.set(phrase, { ...how, values: known, ...(byPhrase.has(`${phrase} food`) && style) });
    if (noun === 'food') meanings.getOrInsert(rest, { ...NAME, ...style });
  }
  for (const filter of SEARCHED_FILTERS)
    for (const value of values[filter])
      for (const key of listSpellings(splitWords(value)))
        meanings.set(key, { role: 'value', filter, values: [value], extent: 'name' });
  for (const [value, names] of Object.entries(alsoCalled))
    for (const key of names.flatMap((name) => listSpellings(splitWords(name)))) {
      const { extent, values: others = [] } = meanings.get(key) ?? NAME;
      const found = new Set(extent === 'called' ? [...others, value] : [value]);
      if (values.neighborhood.includes(value)) meanings.set(key, placeOf([...found], 'called'));
    }
  for (const [part, found] of indexParts(values.neighborhood))
    if (found.length === 1 && !meanings.has(part) && !dayWords.has(part))
      meanings.set(part, placeOf(found, 'beginning'));
  for (const value of values.neighborhood) meanings.getOrInsert(splitWords(value).join(''), placeOf([value]));
  for (const names of areas.values()) {
    const place = names.map((name) => meanings.get(name)).find((one) => one?.filter === 'neighborhood');
    if (place) for (const name of names) meanings.set(name, place);
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

function isVerb(meaning: Meaning | undefined): boolean {
  return meaning?.extent === 'verb' && (meaning.role === 'grew' || meaning.role === 'fell');
}

/** Reads the first cell of a line of `question-words.csv`, such as `days:7` or `status:open`. */
function toMeaning(kind: string, argument: string, vocabulary: Vocabulary): Meaning {
  const { values } = vocabulary;
  if (kind === 'asked' && argument === '') return { role: 'unused', extent: 'question' };
  if (kind === 'status' || kind === 'asked') {
    const statuses = argument.split(' ');
    const known = statuses.filter((status) => values.status.includes(status));
    return {
      role: 'value',
      filter: 'status',
      values: known.length > 0 ? known : statuses,
      ...(argument === 'open' && { others: values.status.filter((status) => status !== argument) }),
      ...(kind === 'asked' && { extent: 'question' }),
    };
  }
  if (kind === 'kinds') {
    const kinds = argument.split(';').filter((one) => values.category.includes(one));
    return kinds.length > 0
      ? { role: 'value', filter: 'category', values: kinds, extent: 'generic' }
      : { role: 'name', extent: 'generic' };
  }
  const days = countBack(kind, Number(argument), vocabulary);
  if (days !== undefined) return { role: 'days', days, isRelative: true };
  const [by, verb] = argument.split(' ');
  if (kind === 'by') return { role: 'by', by: by as RankBy, how: 'which', isVerb: verb !== undefined };
  if (/^(?:not|unused|unread|filler|most|more|grew|fell)$/.test(kind))
    return { role: kind as Role, ...(argument !== '' && { extent: argument as Meaning['extent'] }) };
  if (kind === 'ask') return { role: 'ask', isVerb: argument !== '', isWhy: argument === 'why' };
  if (kind === 'oldest' && argument === 'open') return { role: 'oldest', values: [argument] };
  if (kind === 'noun') return { role: 'by', by: argument as RankBy };
  return { role: kind as Role, ...(kind === 'trend' && argument !== '' && { by: argument as RankBy }) };
}
