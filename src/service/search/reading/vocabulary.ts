/** The vocabulary of questions in a city: the table of question words, categories, neighborhoods and their synonyms. */

import { SEARCHED_FILTERS, type ValueFilter } from '../../../shared/question.ts';
import type { RankBy } from '../../../shared/reading.ts';
import { listForms } from '../../../shared/text/word-forms.ts';
import { splitWords } from '../../../shared/words.ts';
import { readSynonyms, toPhraseKey } from '../words/synonyms.ts';
import { countBack, type Ends } from './days/calendar.ts';
import type { DayWord } from './days/days.ts';
import { isDayWord } from './days/edges.ts';
import { listNumbers } from './days/numbers.ts';
import type { Meaning, Role } from './draft.ts';
import { readQuestionPhrases } from './language.ts';
import { readNeeds } from './needs.ts';

const NAME: Meaning = { role: 'name' };
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
export const SHORTEST_BEGINNING = 4;
/** Minimum letters to understand the initials of a neighborhood's name. */
const SHORTEST_INITIALS = 3;
/** Words that have a meaning only before others. */
const LEADS = new Set(['which', 'each', 'nth', 'size', 'numbered', 'compass', 'hours']);
/** Words that a number may precede: `second most`. */
const LED = /^(?:most|fewest|size|numbered|oldest|newest)$/;
const TOWN: Meaning = { role: 'filler', extent: 'town' };
/** What is open or closed at some hour, which no filing tells. */
const HOURS: Meaning = { role: 'unused', extent: 'open' };

export function placeOf(values: readonly string[], extent?: 'beginning' | 'called'): Meaning {
  return { role: 'value', filter: 'neighborhood', values, ...(extent && { extent }) };
}

/** Indexes all phrases by their folded words, those about days apart. */
export function indexPhrases(vocabulary: Vocabulary) {
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
      if (lead.kind === 'hours' && kind === 'time') add(HOURS);
      if (kind !== 'noun') continue;
      const by = argument as RankBy;
      if (lead.kind === 'size') add({ role: lead.argument as Role, by, how: 'which' });
      else if (lead.kind === 'which' || lead.kind === 'each') add({ role: 'by', by, how: lead.kind });
    }
    // `opened on monday` is no address
    if (kind === 'time') meanings.set(`on ${key}`, { role: 'unread' });
    if (kind === 'numbered')
      for (const number of listNumbers()) meanings.set(`${singular} ${number}`, { role: argument as Role });
    if (kind === 'time') dayWords.getOrInsert(key, { kind, argument });
    if (LEADS.has(kind) || kind === 'time' || kind === 'particle') continue;
    if (isDayWord(kind) || kind === 'and' || kind === 'or') dayWords.set(key, { kind, argument });
    const days = countBack(kind, Number(argument), vocabulary);
    if (days) relative.set(key, { kind: 'relative', argument: `${days.filed_from} ${days.filed_to}` });
    if (!isDayWord(kind)) meanings.set(key, toMeaning(kind, argument, vocabulary));
  }
  // `ac not working` excludes nothing
  for (const words of readNeeds(language).done.get('trouble') ?? []) {
    const phrase = words.join(' ');
    if (words.length > 1 || !meanings.has(phrase)) meanings.set(phrase, { ...NAME, extent: 'trouble' });
  }
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
    // `on the west side`, of a town with a `Lower West Side`
    const parts = values.neighborhood.filter((value) =>
      names.some((name) => ` ${splitWords(value).join(' ')} `.includes(` ${name} `)),
    );
    const meant = place ?? (parts.length > 0 ? placeOf(parts, 'called') : undefined);
    if (meant) for (const name of names) meanings.set(name, meant);
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
export function indexKinds(meanings: ReadonlyMap<string, Meaning>, categories: readonly string[]) {
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

export function isVerb(meaning: Meaning | undefined): boolean {
  const { role, extent } = meaning ?? NAME;
  return extent === 'change' || (extent === 'verb' && (role === 'grew' || role === 'fell'));
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
  const [by, order = 'by'] = argument.split(' ');
  const isVerb = order === 'verb';
  // of streets, which no listing has, neighborhoods are the rows
  if (kind === 'streets')
    return { role: argument as Role, by: 'neighborhood', how: 'which', extent: 'street' };
  if (kind === 'by') return { role: isVerb ? 'by' : (order as Role), by: by as RankBy, how: 'which', isVerb };
  if (/^(?:not|name|unused|unread|filler|most|more|grew|fell|elder)$/.test(kind))
    return { role: kind as Role, ...(argument !== '' && { extent: argument as Meaning['extent'] }) };
  if (kind === 'ask') return { role: 'ask', isVerb: argument !== '', isWhy: argument === 'why' };
  if (kind === 'oldest' && argument === 'open') return { role: 'oldest', values: [argument] };
  if (kind === 'noun') return { role: 'by', by: argument as RankBy };
  return { role: kind as Role, ...(kind === 'trend' && argument !== '' && { by: argument as RankBy }) };
}
