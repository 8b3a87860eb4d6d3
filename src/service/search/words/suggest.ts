/** Suggests what a query with few results probably meant. Suggestions never change the results. */

import {
  asksAnything,
  EVERYTHING,
  formatQuestion,
  type NarrowingName,
  type Question,
  type Warning,
  type WordNotes,
} from '../../../shared/question.ts';
import { rememberTexts } from '../../../shared/remember.ts';
import { countEdits } from '../../../shared/text/edits.ts';
import { openWordLists } from '../../../shared/word-table.ts';
import { foldWords, parseQueryTerms, splitWords } from '../../../shared/words.ts';
import { listReadings } from './interpret.ts';
import { mayMean, type Spelling, splitCharacters } from './spelling.ts';
import type { Understood } from './understand.ts';
import { toSingular } from './word-forms.ts';

/** Returns the number of listings up to which a word or query is rare, so it may be a mistake. */
export function countFew(size: number): number {
  return Math.min(100, Math.max(5, Math.round(size / 10_000)));
}

/** Maximum words whose similar words an index caches. */
const MOST_REMEMBERED = 10_000;

/** Maximum words of a query to search for its parts. In longer queries, searches only for single words, to be fast. */
const MOST_PARTED = 5;

export type SuggestionSources = {
  spelling: Spelling;
  few: number;
  valueWords: readonly string[];
  /** Counts listings with the word. If there are none and `isPrefix`, counts those with a word that begins with it. */
  countWord(word: string, isPrefix: boolean): number;
  countMatches(question: Question): number;
  /** Finds the category that a word means. Ignores categories without listings. */
  findKind(word: string): string | undefined;
  /** Converts words of the query to the filters that they mean. */
  understand(question: Question): Understood | undefined;
};

type DoubtfulWord = { word: string; count: number; near: readonly string[] };

/** Returns a function that lists the best suggestion for a query that finds `total`, and a warning about addresses. */
export function openSuggestions(
  sources: SuggestionSources,
): (question: Question, total: number) => readonly Warning[] {
  const openWords = (isPrefix: boolean) =>
    rememberTexts((word): DoubtfulWord => {
      const count = sources.countWord(word, isPrefix);
      return { word, count, near: count > sources.few ? [] : findNearWords(sources, word, count) };
    }, MOST_REMEMBERED);
  const [describeWord, describePrefix] = [openWords(false), openWords(true)];

  /** Describes a word that may also be a misspelling if many words begin with it: `coffee shopp`. */
  function describeWhole(word: string): DoubtfulWord {
    const [{ near }, { count }] = [describeWord(word), describePrefix(word)];
    return { word, count, near: near.filter((other) => sources.countWord(other, false) > count) };
  }

  /** Returns whether the word, or its singular, begins a word of some listing. */
  const isInListings = rememberTexts((word) => {
    const isFound = (one: string) => sources.countMatches({ ...EVERYTHING, q: `${one}*` }) > 0;
    return isFound(word) || isFound(toSingular(word));
  }, MOST_REMEMBERED);

  /** Values of `q` that never get a suggestion, regardless of the filters. Most repeated queries are among them. */
  const quiet = new Set<string>();
  function isQuiet({ q }: Question, { understood, doubtful }: Doubts): boolean {
    return (
      understood === undefined &&
      doubtful.every(({ word, near }) => near.length === 0 && sources.findKind(word) === undefined) &&
      sources.countMatches({ ...EVERYTHING, q }) > 0
    );
  }

  return (question, total) => {
    const { q } = question;
    if (q === '' || quiet.has(q)) return [];
    const understood = sources.understand(question);
    const searched = splitWords(understood?.question.q ?? q);
    const terms = parseQueryTerms(q).filter(
      ({ words }) => words.length === 1 && (understood === undefined || searched.includes(words[0]!)),
    );
    const isPrefix = new Map(terms.map(({ words, begins }) => [words[0]!, begins !== 'never']));
    const doubtful = Array.from(isPrefix, ([word, is]) => (is ? describePrefix : describeWord)(word))
      .filter(({ count }) => count <= sources.few)
      .map((one) => keepNames(sources, q, one));
    const missing = total > 0 ? [...isPrefix.keys()].find((word) => !isInListings(word)) : undefined;
    const other = missing === undefined ? [] : [warnOther(missing)];
    if (missing === undefined && isQuiet(question, { understood, doubtful })) {
      if (quiet.size >= MOST_REMEMBERED) quiet.clear();
      quiet.add(q);
      return [];
    }
    const whole =
      total > 0
        ? doubtful
        : Array.from(isPrefix.keys(), (word) => keepNames(sources, q, describeWhole(word)));
    const address = total === 0 && looksLikeAddress(q) ? [ADDRESS_WARNING] : [];
    const offerFilters = (meaning: Understood | undefined) =>
      suggestFilters(sources, question, { total: total > sources.few ? 0 : total, understood: meaning });
    const offerCorrected = () => {
      const corrected = listCorrections(doubtful);
      if (corrected.size === 0) return undefined;
      const meaning = sources.understand({ ...question, q: correctWords(q, corrected) });
      const warning = offerFilters(meaning);
      return warning && { ...warning, respelled: [...corrected.keys()] };
    };
    const found =
      total > sources.few
        ? [() => (understood?.isCertain ? offerFilters(understood) : undefined)]
        : [
            () => offerFilters(understood),
            () => suggestSpelling(sources, question, { total, doubtful }),
            () => suggestSpelling(sources, question, { total, doubtful: whole }),
            offerCorrected,
            () => suggestPlace(sources, question, { total, understood }),
            () => suggestKind(sources, question, doubtful),
            () => suggestPart(sources, question, { total, understood, doubtful: whole }),
          ];
    for (const suggest of found) {
      const warning = suggest();
      if (warning?.meant || (warning && address.length === 0)) return [...other, ...address, warning];
    }
    return [...other, ...address];
  };
}

type Doubts = { understood: Understood | undefined; doubtful: readonly DoubtfulWord[] };

/** Suggests filters for the words if they find more, also without dates, because people often guess dates wrong. */
function suggestFilters(
  { countMatches }: SuggestionSources,
  asked: Question,
  { total, understood }: { total: number; understood: Understood | undefined },
): Warning | undefined {
  if (understood === undefined) return undefined;
  if (!understood.isAboutAll && !asksAnything(understood.question)) return undefined;
  for (const { meant, notes } of listReadings(asked, understood))
    if (countMatches(meant) > total) {
      const text = describeMeant(asked, meant);
      const detail = `${text === meant.q ? 'Some of these words say nothing here.' : 'Some of these words can be given as filters.'}${describeNotes(notes)}`;
      const didYouMean = text || ALL;
      return { parameter: 'q', code: 'filter-words', detail, didYouMean, meant, notes };
    }
  return undefined;
}

function describeNotes({ newest, dates, near, counted }: WordNotes): string {
  const order = newest && ` "${newest}" means newest first, which is the order of all listings.`;
  const unmatched = dates && ` "${dates}" is left out: no listings match with these dates.`;
  const place = near && ` "${near}" is left out: give a neighborhood instead.`;
  const late = counted ? ` "${counted.words}" is counted back from the newest filing, ${counted.from}.` : '';
  return order + unmatched + place + late;
}

/** Describes a suggestion. Returns only its words if the filters stay the same. */
function describeMeant(asked: Question, meant: Question): string {
  const isFiltered = formatQuestion({ ...meant, q: '' }) !== formatQuestion({ ...asked, q: '', offset: 0 });
  return isFiltered ? describeQuestion(meant) : meant.q;
}

/** Functions that describe a parameter. They return `''` if it is not given. */
const DESCRIBED: Record<NarrowingName, (question: Question) => string> = {
  q: ({ q }) => q && `"${q}"`,
  category: ({ category }) => category.join(', '),
  neighborhood: ({ neighborhood }) => (neighborhood.length > 0 ? ` in ${neighborhood.join(' or ')}` : ''),
  status: ({ status }) => (status.length > 0 ? `, ${status.join(' or ')}` : ''),
  filed_from: ({ filed_from }) => filed_from && `, filed from ${filed_from}`,
  filed_to: ({ filed_from, filed_to }) => filed_to && `${filed_from === '' ? ', filed' : ''} to ${filed_to}`,
  added_from: ({ added_from }) => added_from && `, added from ${added_from}`,
};

const ALL = 'All listings';

/** Describes a query in a few words: `Restaurants in Belmont Shore, filed from 2016-09-06`. */
function describeQuestion(question: Question): string {
  const { q, category, ...others } = DESCRIBED;
  const what = [q, category].map((describe) => describe(question)).filter((text) => text !== '');
  const rest = Object.values(others).map((describe) => describe(question));
  return (what.join(', ') || ALL) + rest.join('');
}

/** Returns the best correction of each word that has one. */
function listCorrections(doubtful: readonly DoubtfulWord[]): Map<string, string> {
  return new Map(doubtful.flatMap(({ word, near: [first] }) => (first === undefined ? [] : [[word, first]])));
}

/** Finds similar words in names, categories and neighborhoods. Returns none for a word with a digit, or of a trade. */
function findNearWords(sources: SuggestionSources, word: string, count: number): readonly string[] {
  const { spelling, valueWords, countWord } = sources;
  if (/\p{N}/u.test(word) || isTrade(sources, word)) return [];
  const near = spelling.findNear(word, count).map((candidate) => candidate.word);
  const forms = [word, toSingular(word)].map(splitCharacters);
  const isNear = (value: ArrayLike<string>) =>
    forms.some((form) => mayMean(form, value) && countEdits(form, value, 2) === 1);
  const values = valueWords.filter(
    (value) => isNear(splitCharacters(value)) && countWord(value, false) > count,
  );
  return [...new Set([...near, ...values])];
}

/** Returns whether a word is a trade or its goods, even if no name has it: `ramen` is not a misspelled `ramon`. */
function isTrade({ findKind, valueWords }: SuggestionSources, word: string): boolean {
  return findKind(word) !== undefined || valueWords.includes(toSingular(word));
}

const GIVEN_NAMES = openWordLists('person-words.csv')('given');

/** Drops trades from the words similar to a possessive name: `Carl's` is not `cars`, with or without an apostrophe. */
function keepNames(sources: SuggestionSources, q: string, doubtful: DoubtfulWord): DoubtfulWord {
  const { word, near } = doubtful;
  const isPossessive = word.endsWith('s') && (GIVEN_NAMES.has(word.slice(0, -1)) || hasApostrophe(q, word));
  return isPossessive ? { ...doubtful, near: near.filter((other) => !isTrade(sources, other)) } : doubtful;
}

function hasApostrophe(q: string, word: string): boolean {
  return (q.match(/(?<!\p{L})\p{L}+['’]s(?!\p{L})/giu) ?? []).some((text) => foldWords(text) === word);
}

/** Suggests the entire query with its doubtful words corrected, if that finds more. */
function suggestSpelling(
  { countMatches }: SuggestionSources,
  question: Question,
  { total, doubtful }: { total: number; doubtful: readonly DoubtfulWord[] },
): Warning | undefined {
  const [first, ...others] = doubtful.filter(({ near }) => near.length > 0);
  if (first === undefined) return undefined;
  const rest = new Map(others.map(({ word, near }) => [word, near[0]!]));
  for (const word of first.near) {
    const corrected = new Map([...rest, [first.word, word]]);
    const q = correctWords(question.q, corrected);
    const meant = { ...question, q, offset: 0 };
    if (countMatches(meant) <= total) continue;
    const detail = `${total === 0 ? 'No' : 'Few'} listings match "${first.word}".`;
    const respelled = [...corrected.keys()];
    return { parameter: 'q', code: 'misspelled', word: first.word, detail, didYouMean: q, meant, respelled };
  }
  return undefined;
}

/** Replaces folded words of the query. Joins Korean letters into syllables again. */
function correctWords(q: string, replaced: ReadonlyMap<string, string>): string {
  const terms = parseQueryTerms(q).map(({ words }) => words.join('-'));
  const words = terms.map((word) => replaced.get(word) ?? word);
  const spelled = words.filter((word) => word !== '').join(' ');
  return spelled.normalize('NFC');
}

function suggestKind(
  { findKind, countMatches }: SuggestionSources,
  question: Question,
  doubtful: readonly DoubtfulWord[],
): Warning | undefined {
  for (const { word } of doubtful) {
    const kind = findKind(word);
    if (kind === undefined || question.category.includes(kind)) continue;
    const q = correctWords(question.q, new Map([[word, '']]));
    const meant = { ...question, q, category: [kind], offset: 0 };
    if (countMatches(meant) === 0) continue;
    const detail = `"${word}" names a category.`;
    return { parameter: 'category', code: 'category-name', word, detail, didYouMean: kind, meant };
  }
  return undefined;
}

/** Suggests the query without a place that is no neighborhood. */
function suggestPlace(
  { countMatches }: SuggestionSources,
  question: Question,
  { total, understood }: { total: number; understood: Understood | undefined },
): Warning | undefined {
  if (total > 0 || understood?.elsewhere === undefined) return undefined;
  const { place, question: meant } = understood.elsewhere;
  if (countMatches(meant) === 0) return undefined;
  const detail = `No neighborhood is named "${place}".`;
  const didYouMean = describeMeant(question, meant) || ALL;
  return { parameter: 'q', code: 'unknown-place', word: place, detail, didYouMean, meant };
}

/**
 * Suggests the longest part of a query without results that finds more than a few listings, such as `coffee` for
 * `coffee on 2nd street`. Of parts with the same length, prefers the one that finds most, or the last, because it is probably a kind
 * of business rather than a name.
 */
function suggestPart(
  sources: SuggestionSources,
  question: Question,
  { total, understood, doubtful }: Doubts & { total: number },
): Warning | undefined {
  // the words find listings without the filters
  if (total > 0 || sources.countMatches({ ...EVERYTHING, q: question.q }) > 0) return undefined;
  const isAboutName = understood !== undefined && understood.nameWithStatus !== '';
  const read = understood?.question ?? question;
  // a status without the name would be an answer about other businesses
  const typed = isAboutName ? { ...read, status: question.status } : read;
  const unknown = doubtful.find(({ count, word }) => count === 0 && splitWords(typed.q).includes(word))?.word;
  const corrected = looksLikeAddress(question.q) ? new Map() : listCorrections(doubtful);
  const base = { ...typed, q: correctWords(typed.q, corrected), offset: 0 };
  const words = splitWords(base.q);
  const detail =
    unknown === undefined ? 'No listing has all of these words.' : `No listing has the word "${unknown}".`;
  const warning: Warning = { parameter: 'q', code: 'no-match', word: unknown ?? question.q, detail };
  // length 0 suggests only the new filters
  const shortest = isAboutName || describeMeant(question, { ...base, q: '' }) === '' ? 1 : 0;
  const longest = words.length > MOST_PARTED ? 1 : words.length - 1;
  for (let length = longest; length >= shortest; length--) {
    const { meant, count } = findBestPart(sources, base, length);
    if (count > (length > 1 ? sources.few : 0))
      return { ...warning, didYouMean: describeMeant(question, meant), meant };
  }
  return warning;
}

/** Returns the query with the `length` adjacent words that find the most listings. */
function findBestPart(
  { countMatches }: SuggestionSources,
  question: Question,
  length: number,
): { meant: Question; count: number } {
  const words = splitWords(question.q);
  return Array.from({ length: words.length - length + 1 }, (_, at) => {
    const meant = { ...question, q: words.slice(at, at + length).join(' ') };
    return { meant, count: TOO_VAGUE.test(meant.q) ? 0 : countMatches(meant) };
  }).reduce((best, part) => (part.count >= best.count ? part : best));
}

function warnOther(word: string): Warning {
  const detail = `No listing has the word "${word}". These have other words for it.`;
  return { parameter: 'q', code: 'other-words', word, detail };
}

const ADDRESS_WARNING: Warning = {
  parameter: 'q',
  code: 'address',
  detail: 'Addresses and phone numbers are not part of a listing. Search by name, category or neighborhood.',
};

const STREETS =
  'st|street|ave|avenue|av|blvd|boulevard|rd|road|dr|drive|ln|lane|ct|court|pl|place|way|hwy|highway|pkwy|parkway|ter|terrace|cir|circle';
/** Matches the beginning of French streets, whose names begin with the type of street. */
const FIRST_STREETS = '(\\d+[a-z]*\\s)?((bis|ter)\\s)?(rue|all[ée]e|impasse|chemin|quai)';
const ADDRESS = new RegExp(
  `^\\d{5}(-\\d{4})?$|^\\d+[a-z]?\\s.*\\b(${STREETS})\\b|\\s(${STREETS})$|^${FIRST_STREETS}\\s`,
  'i',
);

/** Parts that say nothing on their own: `no` begins hundreds of names, and `street` is in hundreds. */
const TOO_VAGUE = new RegExp(`^(?:[a-z]{1,2}|\\d+|${STREETS})$`, 'i');

const PHONE = /^[\d\s().+-]{7,}$/;

/** Returns whether a text is a ZIP code or phone number, or begins or ends like the address of a street. */
function looksLikeAddress(q: string): boolean {
  return ADDRESS.test(q.replaceAll('.', '').trim()) || PHONE.test(q);
}
