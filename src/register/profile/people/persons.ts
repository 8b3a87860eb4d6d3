/**
 * Recognizes legal forms and personal names. Mistakes some trade names for people, so use it for sole owners without a
 * trade name, not for all names of a register.
 */

import { STRONG, splitNameWords, WEAK } from '../../../shared/city/categories.ts';
import { openWordLists } from '../../../shared/text/word-table.ts';
import { foldWords } from '../../../shared/words.ts';

const listOf = openWordLists('person-words.csv');

const GIVEN_NAMES = listOf('given');
/** Degrees and generational suffixes after a personal name. */
export const PERSON_TITLES = listOf('title');
/** Words of business names that indicate no category. Words that indicate one are in `kind-words.csv`. */
const BUSINESS_NAME_WORDS = listOf('business');
/** Business words that are also common family names. After a given name, they do not indicate a business. */
const SURNAME_BUSINESS_WORDS = listOf('surname');
/** Words of `SURNAME_BUSINESS_WORDS` that are also given names. As the first word, they do not indicate a business. */
const GIVEN_BUSINESS_WORDS = listOf('given-business');
const ARTICLES = listOf('article');

const formsOf = openWordLists('company-forms.csv');
const FORMS: ReadonlyMap<string, string> = formsOf('form');
const SOLE_FORMS: ReadonlyMap<string, string> = formsOf('sole');
const LONGEST_FORM = Math.max(...[...FORMS.keys()].map((form) => form.split(' ').length));
/** The first words of all forms. Words that are not among them need no lookup. */
const FORM_STARTS = new Set([...FORMS.keys()].map((form) => form.split(' ')[0]!));

/**
 * Maximum letters of a form that may be a surname (`Ou`, `Sa`). It counts only after two other words, or with periods.
 */
const SHORT_FORM = 2;

const BUSINESS_WORDS = new Set([...STRONG.keys(), ...WEAK.keys()].flatMap((phrase) => phrase.split(' ')));

export type PersonOptions = {
  businessWords?: readonly string[];
  /**
   * Requires a common given name or a personal title. Use it if most names are trade names and no column contains the
   * owner: it recognizes 69% of people, and mistakes 1% of company names for people.
   */
  isStrict?: boolean;
};

const OTHER_SCRIPTS = /[^\P{L}\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/** Returns whether a name is in the Latin script, the only script with word lists. */
export function hasKnownScript(name: string): boolean {
  return !OTHER_SCRIPTS.test(name);
}

/**
 * Returns true for `ODILE F FENWRIGHT`, `FENWRIGHT, ODILE`, `OSRIC & ODILE FENWRIGHT`, `A J TERNWOOD MD`. Returns false
 * for trade and company names, and for letters that are not Latin, because in other scripts the names of people and
 * shops have the same shape. Measured on the half of Long Beach's names that was not used to make the lists, it returns
 * true for 93.3% of 2,999 sole owners and partners without a trade name (nearly all others are companies filed that
 * way), for 5.7% of 5,422 trade names of companies (about half are people: `A B TERNWOOD MD`), and for 6.4% of 15,162
 * trade names that share no word with their owner's name.
 */
export function looksPersonal(name: string, { businessWords = [], isStrict = false }: PersonOptions = {}) {
  if (!hasKnownScript(name) || /[\d/@#+:;!?*"]|['’]s\b|\.(?:com|net|org)/i.test(name)) return false;
  const all = splitNameWords(name).filter((word) => word !== 'and');
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
 * Returns whether a name has only words or initials of its owner's name, in any order: `Odile F. Fenwright` or `O
 * Fenwright` for `Fenwright, Odile`, but not `Fenwright Plumbing`. The owner may be a company, so check `looksPersonal`
 * as well.
 */
export function isOwnersName(name: string, owner: string): boolean {
  const own = splitNameWords(owner);
  const words = splitNameWords(name).filter(
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

const BODY =
  /\b(?:company|co|trust|association|assoc|university|county|church|foundation|partnership|society|club)\b/;

const COMPANY_ELSEWHERE =
  /公司|株式会社|有限会社|合同会社|주식회사|บริษัท|בע["״'׳]{0,2}מ|(?<!\p{L})(?:ооо|оао|зао|пао|ао|тоо|тов|ат|пат|оод|еоод|еад|доо|εε|οε|αε|επε|ικε|شركة|مؤسسة)(?!\p{L})/iu;

/**
 * Returns whether `name` is only a person's name and one of `owners` proves it: the same names in any order (`Odile F.
 * Fenwright` and `Fenwright, Odile`), or a name that looks personal and shares a word with the owner's (`Osric & Odile
 * Fenwright` and `Fenwright, Osric`). Returns false for a company with the same name as its owner (`Fenwright & Sons,
 * Inc.`), for which `isOwnersName` returns true. In a script without word lists, the name needs only the words of the
 * owner's name, even a single word.
 */
export function namesOnlyOwner(name: string, ...owners: string[]): boolean {
  const bare = name.replace(GLUED_NUMBER, '');
  if (bare !== name) return looksPersonal(bare) && owners.some((owner) => haveSameWords(bare, owner));
  const words = splitNameWords(name);
  if (words.length === 0 || isCompany(name)) return false;
  const people = owners.filter((owner) => owner !== '' && !isCompany(owner));
  if (!hasKnownScript(name)) return people.some((owner) => hasWordsOf(words, splitNameWords(owner)));
  if (words.length < 2) return false;
  return people.some((owner) => {
    if (isSurnameFirst(owner) && isOwnersName(name, owner)) return true;
    const theirs = splitNameWords(owner);
    return looksPersonal(name) && words.some((word) => word.length > 1 && theirs.includes(word));
  });
}

/** Matches the number of a cab, stall or chair after a person's name: `Odile Fenwright #153`. */
export const GLUED_NUMBER =
  /[\s,-]{0,3}(?:\b(?:cab|taxi|unit|booth|station|chair|no\.?)\s{0,3})?#?\s?\d{1,9}$/i;

/** Returns whether two names have the same words. Returns `false` for `Heron Kites #5` and `Heron Kites Stores`. */
function haveSameWords(name: string, owner: string): boolean {
  return !/\d/.test(owner) && isOwnersName(name, owner) && isOwnersName(owner, name);
}

/** Returns whether all words are the owner's or their initials, in any order. Some scripts join words. */
function hasWordsOf(words: readonly string[], owner: readonly string[]): boolean {
  const isOwn = (word: string) =>
    owner.includes(word) || (word.length === 1 && owner.some((one) => one.startsWith(word)));
  return (
    (words.some((word) => owner.includes(word)) && words.every(isOwn)) || words.join('') === owner.join('')
  );
}

function isCompany(name: string): boolean {
  return (
    BODY.test(splitNameWords(name).join(' ')) ||
    hasCompanyForm(name) ||
    COMPANY_ELSEWHERE.test(name.replaceAll('.', ''))
  );
}

/** Returns whether a name has the form `Fenwright, Odile M`, which only people's names have. */
function isSurnameFirst(owner: string): boolean {
  return /^[\p{L}'’ -]+,\s*[\p{L}'’. -]+$/u.test(owner) && splitNameWords(owner).length <= 5;
}

/** Removes a sole trader's form from the end of a name (`E.I.R.L.`). Returns `undefined` if there is none. */
export function cutSoleForm(name: string): string | undefined {
  const words = foldWords(name).split(' ');
  for (let length = Math.min(LONGEST_FORM, words.length - 1); length > 0; length--)
    if (SOLE_FORMS.has(words.slice(-length).join(' '))) return words.slice(0, -length).join(' ');
  return undefined;
}

/** Returns whether a name contains a legal form (`LLC`, `GmbH`, `S.A.S.`) as a separate word after its first word. */
export function hasCompanyForm(name: string): boolean {
  const words = foldWords(name).split(' ');
  for (let start = Math.max(1, words.length - LONGEST_FORM - 3); start < words.length; start++) {
    if (!FORM_STARTS.has(words[start]!)) continue;
    for (let length = 1; length <= LONGEST_FORM && start + length <= words.length; length++) {
      const form = words.slice(start, start + length).join(' ');
      if (!FORMS.has(form)) continue;
      if (form.length > SHORT_FORM || (start + 1 === words.length && words.length > 2)) return true;
    }
  }
  return false;
}
