/** Recognizes trusts in which people keep their own property, such as the house that they let. */

import { splitNameWords } from '../../../shared/city/categories.ts';
import { openWordLists } from '../../../shared/text/word-table.ts';
import { hasCompanyForm } from './company-forms.ts';
import { isBusinessWord } from './name-words.ts';
import { looksPersonal } from './personal-names.ts';

const listOf = openWordLists('person-words.csv');
const TRUSTS = listOf('trust');
const PRIVATE = listOf('private-trust');

/** Returns whether a name is that of a trust of people: `Fenwright Family Trust`, `Odile & Bram Fenwright Trust`. */
export function namesPrivateTrust(name: string): boolean {
  const words = splitNameWords(name);
  const at = words.findIndex((word, i) => i > 0 && TRUSTS.has(word));
  if (at === -1 || hasCompanyForm(name)) return false;
  const [people, rest] = [words.slice(0, at), words.slice(at + 1)];
  if (rest.some((word) => isBusinessWord(word) && !PRIVATE.has(word))) return false; // `Family Trust Insurance`
  const isMarked = [people.at(-1), rest[0]].some((word) => word !== undefined && PRIVATE.has(word));
  if (isMarked) return people.some((word) => !PRIVATE.has(word));
  return looksPersonal(people.join(' '), { isStrict: true });
}
