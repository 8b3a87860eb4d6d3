/**
 * Recognizes personal names. Mistakes some trade names for people, so use it for sole owners without a trade name, not
 * for all names of a register.
 */

import { STRONG } from '../../../shared/city/categories.ts';
import { hasCompanyForm } from './company-forms.ts';
import {
  ARTICLES,
  GIVEN_BUSINESS_WORDS,
  GIVEN_NAMES,
  HONORIFICS,
  hasKnownScript,
  isBusinessWord,
  isListedWord,
  isOrdinaryWord,
  isPeoplesName,
  isTradeWord,
  JOINERS,
  mayBeSurname,
  PARTICLES,
  PERSON_TITLES,
  SAINTS,
  SURNAME_BUSINESS_WORDS,
  splitNameWords,
} from './name-words.ts';

export type PersonOptions = {
  businessWords?: readonly string[];
  /**
   * Requires a sign that only people's names have: a common given name, a title, a middle initial, or the form
   * `Surname, Given`. Use it if most names are trade names and no column contains the owner: it recognizes 69% of
   * people, and mistakes 1% of company names for people.
   */
  isStrict?: boolean;
};

/** Above this share of names of only unknown words, the lists do not know their language. It is 0 to 13 % in English and Spanish. */
export const MOST_UNKNOWN_NAMES = 0.2;

/**
 * Returns true for `ODILE F FENWRIGHT`, `FENWRIGHT, ODILE`, `OSRIC & ODILE FENWRIGHT`, `A J TERNWOOD MD`. Returns false
 * for trade and company names, and for letters that are not Latin, because in other scripts the names of people and
 * shops have the same shape. Measured on Long Beach, it returns true for about 90 % of sole owners and partners without
 * a trade name (nearly all others are companies filed that way), and for about 3 % of the names of companies.
 */
export function looksPersonal(name: string, { businessWords = [], isStrict = false }: PersonOptions = {}) {
  if (!hasKnownScript(name) || /[\d@#+:!?*"]|['’]s\b|\.(?:com|net|org)/i.test(name)) return false;
  const people = name.split(BETWEEN_PEOPLE).map((one) => one.trim());
  if (people.length > 1) return people.every((one) => isPersonal(one, businessWords, true));
  return isPersonal(name, businessWords, isStrict);
}

/** Separates people in one cell: `Fenwright, Odile - Ternwood, Bram`, `Odile Fenwright/Bram Ternwood`. */
const BETWEEN_PEOPLE = /[;/]|\s[-–]|[-–]\s/;

function isPersonal(name: string, businessWords: readonly string[], isStrict: boolean): boolean {
  if (isFirm(name)) return false;
  if (isSurnameFirst(name)) return !splitNameWords(name).some((word) => businessWords.includes(word));
  const all = splitNameWords(name).filter((word, i, { length }) => !isJoiner(word, i, length));
  const words = all.filter((word) => !PERSON_TITLES.has(word));
  if (!words.some((word) => word.length > 1) || all.length < 2 || words.length > 7) return false;
  if (SAINTS.has(all[0]!) && !name.includes(',')) return false;
  const isTrade = (word: string, i: number) =>
    word.length > 1 && (isBusinessWord(word) || businessWords.includes(word)) && !isSurname(words, i);
  return !words.some(isTrade) && (!isStrict || hasPersonalSign(name, all, words));
}

/** Returns whether a name is a firm's: surnames of partners, or a phrase that names a trade (`Harmony Child Care`). */
function isFirm(name: string): boolean {
  const words = splitNameWords(name);
  const isPhrase = (word: string, i: number) =>
    PHRASE_STARTS.has(word) && STRONG.has(`${word} ${words[i + 1]}`);
  if (words.some(isPhrase)) return true;
  return name.includes('&') && PARTNERS.test(name) && !words.some((word) => GIVEN_NAMES.has(word));
}

/**
 * Matches the surnames of partners, as firms have them: `Fenwright & Ternwood`, `Fenwright, Hull, Stone & Ternwood`. With one
 * comma, it may be a couple: `Fenwright, Osric & Odile`.
 */
const PARTNERS =
  /^(?:[\p{L}'’-]{2,}|(?:[\p{L}'’-]{2,} ){3,}[\p{L}'’-]{2,}|(?:[\p{L}'’-]{2,}, ){2,}[\p{L}'’-]{2,}) ?& ?[\p{L}'’-]{2,}$/u;

/** The first words of phrases. Others need no lookup. */
const PHRASE_STARTS = new Set([...STRONG.keys()].map((phrase) => phrase.split(' ')[0]!));

/** Returns whether a word joins names. A single letter at the beginning or end is an initial. */
function isJoiner(word: string, i: number, count: number): boolean {
  return JOINERS.has(word) && (word.length > 1 || (i > 0 && i < count - 1));
}

function isSurname(words: readonly string[], i: number): boolean {
  const [word, count] = [words[i]!, words.length];
  if (SURNAME_BUSINESS_WORDS.has(word))
    return i > 0 || GIVEN_BUSINESS_WORDS.has(word) || (count > 2 && !ARTICLES.has(word));
  const isAfterGiven = GIVEN_NAMES.has(words[0]!) && (i === 1 || (i === 2 && words[1]!.length === 1));
  return isAfterGiven && i === count - 1 && mayBeSurname(word);
}

function hasPersonalSign(name: string, all: readonly string[], words: readonly string[]): boolean {
  const last = all.at(-1)!;
  return (
    words.some((word, i) => GIVEN_NAMES.has(word) && !SAINTS.has(words[i - 1] ?? '')) ||
    (PERSON_TITLES.has(last) && SURE_TITLE.test(last)) ||
    (HONORIFICS.has(all[0]!) && words.length > 1) ||
    INITIAL.test(name) ||
    (isMadeOfNames(words) && !isPairOfSurnames(name))
  );
}

const SURE_TITLE = /^(?:md|jr|sr|ii|iv|rn|\w{3,})$/;

/** Matches a middle or last initial of two names, or two initials with periods, but not a letter that joins words: `Pan y Vino`, `Surf N Turf`. */
const INITIAL =
  /^[\p{L}'’-]{2,} (?:[b-df-hj-mp-tvwz]|\p{L}\.) [\p{L}'’-]{2,}$|^[\p{L}'’-]{2,}(?: [\p{L}'’-]{2,}){1,2} \p{L}\.?$|^(?:\p{L}\. ?){2,3}[\p{L}'’-]{3,}$/iu;

/** Returns whether a name is `Fenwright & Ternwood`, as firms have. */
function isPairOfSurnames(name: string): boolean {
  return /^\S+ (?:&|and|y|e|et|und) \S+$/iu.test(name);
}

/**
 * Returns whether all words are people's names and one is nothing else (`Ternwood Lopez`, not `Best Price`), or at least
 * two of three (`Odile Lopez Santos`).
 */
function isMadeOfNames(words: readonly string[]): boolean {
  const long = words.filter((word) => word.length > 1 && !PARTICLES.has(word));
  const [known, unknown] = [long.filter(isPeoplesName), long.filter((word) => !isPeoplesName(word))];
  const sure = known.filter((word) => !isOrdinaryWord(word)).length;
  if (known.some((word) => SURNAME_BUSINESS_WORDS.has(word))) return false;
  return unknown.length === 0 ? sure > 0 : long.length > 2 && sure >= 2 * unknown.length;
}

/**
 * Returns whether a name has the form `Fenwright, Odile M`, in any language with Latin letters. Returns false for
 * `Copper Pot, The`, `Nail, Hair & Spa` and `Fenwright, Inc.`
 */
export function isSurnameFirst(name: string): boolean {
  if (!name.includes(',')) return false;
  const [surname = '', given = '', ...others] = name.split(',').map((part) => part.trim());
  if (!NAME_PART.test(surname) || !NAME_PART.test(given) || !others.every(isTitle)) return false;
  if (hasKnownScript(name) && (hasCompanyForm(name) || isFirm(name))) return false;
  const [family, own] = [splitNameWords(surname), splitNameWords(given)];
  if (
    family.length > 4 ||
    own.length > 5 ||
    own.every((word) => ARTICLES.has(word) || PERSON_TITLES.has(word))
  )
    return false;
  const hasGiven = own.some((word) => GIVEN_NAMES.has(word));
  if ([...family, ...own].some((word) => (hasGiven ? isTradeWord(word) : isListedWord(word)))) return false;
  return hasGiven || !own.some((word, i) => isJoiner(word, i, own.length));
}

const NAME_PART = /^\p{L}[\p{L}\p{M}'’.& -]*$/u;

const isTitle = (text: string) => splitNameWords(text).every((word) => PERSON_TITLES.has(word));

/**
 * Returns whether a name has no word that people are named with, and one that people's names do not have: initials without
 * a vowel (`BK`), or an ordinary word with an ending or another word (`pickers`, `powerwashing`). A rare name is not enough.
 */
export function hasMadeUpWord(name: string): boolean {
  const words = splitNameWords(name);
  if (words.some((word) => word.length > 1 && !ARTICLES.has(word) && isPeoplesName(word))) return false;
  const isInitials = (word: string) => /^[b-df-hj-np-tv-xz]{2,}$/.test(word) && !PERSON_TITLES.has(word);
  return words.some((word) => isInitials(word) || isMadeUp(word));
}

const SHORTEST_PART = 4;

const ENDINGS = /^(?:[sz]|ers?|ed|ing?|ings|ments?|ions?|tions?|ry|y|iz|ive|als?|ful)$/;

function isMadeUp(word: string): boolean {
  const isKnown = (part: string) =>
    part.length >= SHORTEST_PART && (isOrdinaryWord(part) || isBusinessWord(part));
  const cuts = Array.from({ length: Math.max(0, word.length - SHORTEST_PART) }, (_, i) => SHORTEST_PART + i);
  return cuts.some(
    (at) => isKnown(word.slice(0, at)) && (ENDINGS.test(word.slice(at)) || isKnown(word.slice(at))),
  );
}
