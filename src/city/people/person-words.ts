/** Reads words of people's and business names (`src/data/person-words.csv`) and legal forms (`company-forms.csv`). */

import { openWordLists } from '../../data/word-table.ts';
import { foldWords } from '../../listings/words.ts';

const listOf = openWordLists('person-words.csv');
const setOf = (list: string): ReadonlySet<string> => new Set(listOf(list).keys());

export const GIVEN_NAMES = setOf('given');
/** Degrees and generational suffixes after a personal name. */
export const PERSON_TITLES = setOf('title');
/** Words of business names that indicate no category. Words that indicate one are in `kind-words.csv`. */
export const BUSINESS_NAME_WORDS = setOf('business');
/** Business words that are also common family names. They are allowed after a given name. */
export const SURNAME_BUSINESS_WORDS = setOf('surname');
/** Words of `SURNAME_BUSINESS_WORDS` that are also given names. They are allowed at the beginning. */
export const GIVEN_BUSINESS_WORDS = setOf('given-business');
export const ARTICLES = setOf('article');

const formsOf = openWordLists('company-forms.csv');
const FORMS: ReadonlyMap<string, string> = formsOf('form');
const SOLE_FORMS: ReadonlyMap<string, string> = formsOf('sole');
const LONGEST_FORM = Math.max(...[...FORMS.keys()].map((form) => form.split(' ').length));
/** The first words of all forms. Most words are not among them, and need no lookup. */
const FORM_STARTS = new Set([...FORMS.keys()].map((form) => form.split(' ')[0]!));

/** Length of forms that are also surnames (`Ou`, `Sa`). They count only as the last of three words, or with periods. */
const SHORT_FORM = 2;

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
