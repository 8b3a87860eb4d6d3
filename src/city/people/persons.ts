/**
 * Recognizes names that are only a personal name. Errs toward yes for the rows it is meant for (a sole owner without a trade name).
 * Do not use it on every name of a register: it would take some trade names for people.
 */

import { STRONG, splitWords, WEAK } from '../categories/kind-words.ts';
import {
  ARTICLES,
  BUSINESS_NAME_WORDS,
  GIVEN_BUSINESS_WORDS,
  GIVEN_NAMES,
  hasCompanyForm,
  PERSON_TITLES,
  SURNAME_BUSINESS_WORDS,
} from './person-words.ts';

/** Every word of the phrases that indicate a category. */
const BUSINESS_WORDS = new Set([...STRONG.keys(), ...WEAK.keys()].flatMap((phrase) => phrase.split(' ')));

export type PersonOptions = {
  /** Local words of business names that are surnames elsewhere (`bixby`, `belmont`). */
  businessWords?: readonly string[];
  /**
   * True only for names with a common given name or a personal title. Use it if most names are trade names and no column contains
   * the owner: it finds 69 % of people and mistakes 1 % of company names.
   */
  isStrict?: boolean;
};

const OTHER_SCRIPTS = /[^\P{L}\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/** Whether the shape of a name can tell that it is a person's: there are word lists for Latin script only. */
export function hasKnownScript(name: string): boolean {
  return !OTHER_SCRIPTS.test(name);
}

/**
 * True for `ODILE F FENWRIGHT`, `FENWRIGHT, ODILE`, `OSRIC & ODILE FENWRIGHT`, `A J TERNWOOD MD`; false for trade and company names,
 * and for every name with a letter that is not Latin: in other scripts, names of people and of shops have the same shape.
 * On the half of Long Beach's names that the lists were not made from: yes for 93.3 % of 2,999 sole owners and partners
 * without a trade name (nearly all the others are companies filed that way), for 5.7 % of 5,422 trade names of companies (about
 * half of those are people: `A B TERNWOOD MD`) and for 6.4 % of 15,162 trade names that share no word with their owner's.
 */
export function looksPersonal(
  name: string,
  { businessWords = [], isStrict = false }: PersonOptions = {},
): boolean {
  if (!hasKnownScript(name) || /[\d/@#+:;!?*"]|['’]s\b|\.(?:com|net|org)/i.test(name)) return false;
  const all = splitWords(name).filter((word) => word !== 'and');
  const words = all.filter((word) => !PERSON_TITLES.has(word));
  if (!words.some((word) => word.length > 1) || all.length < 2 || words.length > 7) return false;
  if (isStrict && !all.some((word) => GIVEN_NAMES.has(word) || (word.length > 1 && PERSON_TITLES.has(word))))
    return false;
  return words.every(
    (word, i) =>
      word.length === 1 ||
      !(isBusinessWord(word) || businessWords.includes(word)) ||
      isSurname(word, i, words.length),
  );
}

/**
 * Whether a name consists of its owner's names, in any order and also as initials: `Odile F. Fenwright` or `O Fenwright` of
 * `Fenwright, Odile`, but not `Fenwright Plumbing`. Companies can be owners too: check `looksPersonal` as well.
 */
export function isOwnersName(name: string, owner: string): boolean {
  const own = splitWords(owner);
  const words = splitWords(name).filter(
    (word) => word.length > 1 && word !== 'and' && !PERSON_TITLES.has(word),
  );
  const isOwn = (word: string) => own.includes(word);
  return words.some(isOwn) && words.every((word) => isOwn(word) || own.includes(word[0]!));
}

function isSurname(word: string, i: number, count: number): boolean {
  return (
    SURNAME_BUSINESS_WORDS.has(word) &&
    (i > 0 || GIVEN_BUSINESS_WORDS.has(word) || (count > 2 && !ARTICLES.has(word)))
  );
}

function isBusinessWord(word: string): boolean {
  return BUSINESS_NAME_WORDS.has(word) || BUSINESS_WORDS.has(word);
}

/** Words of the names of companies and public bodies, besides legal forms. */
const BODY =
  /\b(?:company|co|trust|association|assoc|university|county|church|foundation|partnership|society|club)\b/;

/** The same in other scripts. Anything that is not a letter separates words. */
const COMPANY_ELSEWHERE =
  /公司|株式会社|有限会社|合同会社|주식회사|บริษัท|בע["״'׳]{0,2}מ|(?<!\p{L})(?:ооо|оао|зао|пао|ао|тоо|тов|ат|пат|оод|еоод|еад|доо|εε|οε|αε|επε|ικε|شركة|مؤسسة)(?!\p{L})/iu;

/**
 * True if `name` is only a person's name and one of `owners` shows it: the same names in any order (`Odile F. Fenwright` and
 * `Fenwright, Odile`), or a name that looks personal and shares a word with the owner's (`Osric & Odile Fenwright` and
 * `Fenwright, Osric`). False for a company with the same name as its owner (`Fenwright & Sons, Inc.`), which `isOwnersName` does
 * not recognize. A name in a script without word lists is its owner's if it has the same words, even a single one.
 */
export function namesOnlyOwner(name: string, ...owners: string[]): boolean {
  const words = splitWords(name);
  if (words.length === 0 || isCompany(name)) return false;
  const people = owners.filter((owner) => owner !== '' && !isCompany(owner));
  if (!hasKnownScript(name)) return people.some((owner) => hasWordsOf(words, splitWords(owner)));
  if (words.length < 2) return false;
  return people.some((owner) => {
    if (isSurnameFirst(owner) && isOwnersName(name, owner)) return true;
    const theirs = splitWords(owner);
    return looksPersonal(name) && words.some((word) => word.length > 1 && theirs.includes(word));
  });
}

/** The words may be in any order, and initials. Some scripts have no spaces, so the words of one name may be joined in the other. */
function hasWordsOf(words: readonly string[], owner: readonly string[]): boolean {
  const isOwn = (word: string) =>
    owner.includes(word) || (word.length === 1 && owner.some((one) => one.startsWith(word)));
  return (
    (words.some((word) => owner.includes(word)) && words.every(isOwn)) || words.join('') === owner.join('')
  );
}

function isCompany(name: string): boolean {
  return (
    BODY.test(splitWords(name).join(' ')) ||
    hasCompanyForm(name) ||
    COMPANY_ELSEWHERE.test(name.replaceAll('.', ''))
  );
}

/** `Fenwright, Odile M`: only the names of people are written so. */
function isSurnameFirst(owner: string): boolean {
  return /^[\p{L}'’ -]+,\s*[\p{L}'’. -]+$/u.test(owner) && splitWords(owner).length <= 5;
}
