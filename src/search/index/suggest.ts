/** What was probably meant by a query that finds next to nothing. Suggestions only: the query is answered as it was typed. */

import { parseQueryTerms } from '../../listings/words.ts';
import type { SearchWarning } from '../listing-index.ts';
import type { Question } from '../parameters.ts';
import type { Candidate, Spelling } from './spelling.ts';
import { countTypos, mayBeWithin, readTyped, splitCharacters } from './spelling.ts';

/** A word or a query that finds at most so many of all listings may have been meant otherwise. */
export function countFew(size: number): number {
  return Math.min(100, Math.max(5, Math.round(size / 10_000)));
}

export type SuggestionSources = {
  spelling: Spelling;
  /** The number of listings that is next to nothing; see `countFew`. */
  few: number;
  /** The words of categories and neighborhoods, with the number of listings. */
  valueWords: readonly (Candidate & { letters: number })[];
  /** Listings with the word; `begins` also counts those with words that begin with it. */
  countWord(word: string, begins: boolean): number;
  /** Listings that match a question. */
  countMatches(question: Question): number;
  /** The category that a word names, if listings have it. */
  findKind(word: string): string | undefined;
};

type DoubtfulWord = { word: string; count: number; near: readonly string[] };

/** Makes suggestions for questions of which `total` listings were found. */
export function openSuggestions(
  sources: SuggestionSources,
): (question: Question, total: number) => readonly SearchWarning[] {
  return (question, total) => {
    if (question.q === '' || total > sources.few) return [];
    const terms = parseQueryTerms(question.q);
    const words = terms.flatMap((term) => (term.words.length === 1 ? term.words : []));
    const doubtful = [...new Set(words)]
      .map((word, i) => describeWord(sources, word, i === words.length - 1))
      .filter(({ count }) => count <= sources.few);
    const spelled = findSpelling(sources, question, { total, doubtful });
    const kind = findKindOf(sources, question, doubtful);
    const address = total === 0 && looksLikeAddress(question.q) ? [ADDRESS_WARNING] : [];
    return [...address, ...spelled, ...kind];
  };
}

function describeWord(sources: SuggestionSources, word: string, begins: boolean): DoubtfulWord {
  const count = sources.countWord(word, begins);
  return { word, count, near: count > sources.few ? [] : findNearWords(sources, word, count) };
}

function findNearWords(
  { spelling, valueWords }: SuggestionSources,
  word: string,
  count: number,
): readonly string[] {
  const near = spelling.findNear(word, count).map((candidate) => candidate.word);
  const { mask, characters, lettersEach } = readTyped(word);
  const values = valueWords.filter(
    (value) =>
      value.count > count &&
      mayBeWithin(lettersEach, mask, value.letters) &&
      countTypos(characters, splitCharacters(value.word, value.letters), 1) === 1,
  );
  return [...new Set([...near, ...values.map((value) => value.word)])];
}

/** The whole query with the doubtful words corrected, if that finds more. */
function findSpelling(
  { countMatches }: SuggestionSources,
  question: Question,
  { total, doubtful }: { total: number; doubtful: readonly DoubtfulWord[] },
): SearchWarning[] {
  const [first, ...others] = doubtful.filter(({ near }) => near.length > 0);
  if (first === undefined) return [];
  const rest = new Map(others.map(({ word, near }) => [word, near[0]!]));
  for (const word of first.near) {
    const q = correctWords(question.q, new Map([...rest, [first.word, word]]));
    if (countMatches({ ...question, q }) <= total) continue;
    const detail = `${total === 0 ? 'No' : 'Few'} listings match "${first.word}".`;
    return [{ parameter: 'q', cause: 'few', word: first.word, detail, didYouMean: q }];
  }
  return [];
}

/** The words of the query, folded, with some of them replaced; Korean letters are syllables again. */
function correctWords(q: string, replaced: ReadonlyMap<string, string>): string {
  const terms = parseQueryTerms(q).map(({ words }) => words.join('-'));
  const words = terms.map((word) => replaced.get(word) ?? word);
  const spelled = words.filter((word) => word !== '').join(' ');
  return spelled.normalize('NFC');
}

/** The category that a doubtful word names, as it was typed or as it was probably meant. */
function findKindOf(
  { findKind }: SuggestionSources,
  { q, category }: Question,
  doubtful: readonly DoubtfulWord[],
): SearchWarning[] {
  for (const { word, near } of doubtful)
    for (const meant of [word, ...near]) {
      const kind = findKind(meant);
      if (kind !== undefined && !category.includes(kind))
        return [
          {
            ...{ parameter: 'category', cause: 'kind', word: meant },
            ...{ detail: `"${meant}" names a category.`, didYouMean: kind },
            rest: correctWords(q, new Map([[word, '']])),
          },
        ];
    }
  return [];
}

const ADDRESS_WARNING: SearchWarning = {
  parameter: 'q',
  cause: 'address',
  detail: 'Addresses are not part of a listing. Search by name, category or neighborhood.',
};

const STREETS =
  'st|street|ave|avenue|av|blvd|boulevard|rd|road|dr|drive|ln|lane|ct|court|pl|place|way|hwy|highway|pkwy|parkway|ter|terrace|cir|circle';
const ADDRESS = new RegExp(`^\\d{5}(-\\d{4})?$|^\\d+[a-z]?\\s.*\\b(${STREETS})\\b|\\s(${STREETS})$`, 'i');

/** A ZIP, a house number with a street, or a name that ends as streets do. */
function looksLikeAddress(q: string): boolean {
  return ADDRESS.test(q.replaceAll('.', '').trim());
}
