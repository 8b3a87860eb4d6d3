/** Compares names with those of their owners, and takes the owner out of a name. */

import { cutSoleForm, hasCompanyForm, isCompany, SOLE_NUMBER } from './company-forms.ts';
import {
  GIVEN_NAMES,
  hasKnownScript,
  isBusinessWord,
  isListedWord,
  isPeoplesName,
  JOINERS,
  PERSON_TITLES,
  splitNameWords,
} from './name-words.ts';
import { isSurnameFirst, looksPersonal } from './personal-names.ts';

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

/**
 * Returns whether `name` is only a person's name and one of `owners`, who must be a person, proves it: the same names in
 * another order or with initials (`Odile F. Fenwright` and `Fenwright, Odile`), or the surname and given names (`Osric &
 * Odile Fenwright` and `Fenwright, Osric`). A company may repeat its name as its owner's, so the same text proves nothing
 * unless only a person can have it. In a script without word lists, the name needs only the words of the owner's name,
 * even a single word.
 */
export function namesOnlyOwner(name: string, ...owners: string[]): boolean {
  const bare = /\d$/.test(name) ? name.replace(GLUED_NUMBER, '') : name;
  if (bare !== name) return looksPersonal(bare) && owners.some((owner) => haveSameWords(bare, owner));
  const words = splitNameWords(name);
  if (words.length === 0) return false;
  const isPerson = (owner: string) => owner !== '' && !isCompany(owner);
  if (!hasKnownScript(name))
    return (
      !isCompany(name) && owners.filter(isPerson).some((owner) => hasWordsOf(words, splitNameWords(owner)))
    );
  const related = owners.filter((owner) => splitNameWords(owner).some((word) => words.includes(word)));
  if (words.length < 2 || related.length === 0 || isCompany(name)) return false;
  if (related.some((owner) => isSoleTraders(words, owner))) return true;
  return related.flatMap(splitOwners).some((owner) => isPerson(owner) && isNameOf(name, words, owner));
}

/** Returns whether a name has only words of a sole trader's own: `Odile Fenwright` for `Odile Lopez Fenwright ME`. */
function isSoleTraders(words: readonly string[], owner: string): boolean {
  const hasNumber = SOLE_NUMBER.test(owner);
  const person = hasNumber ? owner.replace(SOLE_NUMBER, '') : cutSoleForm(owner);
  if (person === undefined || !hasWordsOf(words, splitNameWords(person))) return false;
  return hasNumber || looksPersonal(person, { isStrict: true }); // a form may be a company's size: `Heron Moveis ME`
}

/** Lists the owners in one cell, also as one name: `Odile Fenwright, Bram Ternwood`, `Fern Coffee/Odile Fenwright`. */
function splitOwners(owner: string): string[] {
  return owner.split(/[/;|]/).flatMap((text) => {
    const one = text.trim();
    const parts = one.split(',').map((part) => part.trim());
    if (parts.length < 2 || isCompany(one)) return [one];
    return [one, ...parts.filter((part) => part.includes(' '))];
  });
}

function isNameOf(name: string, words: readonly string[], owner: string): boolean {
  const theirs = splitNameWords(owner);
  const shared = words.filter((word) => word.length > 1 && theirs.includes(word));
  if (shared.length === 0) return false;
  const isTrade = (word: string) => word.length > 1 && !theirs.includes(word) && isBusinessWord(word);
  const isOwners = isOwnersName(name, owner) && !words.some(isTrade);
  // only people write their names in another order, even names that are words: `Angelus, Odile`
  if (isOwners && !isInOrder(words, theirs) && theirs.length < 5 && !theirs.some(isListedWord)) return true;
  const isClear = looksPersonal(owner, { isStrict: true });
  if (!isClear && !looksPersonal(owner)) return false;
  if (isOwners) return isSurnameFirst(owner) || !isInOrder(words, theirs) || isUsualName(name, words);
  if (!isClear || !looksPersonal(name)) return false;
  const others = words.filter((word) => !shared.includes(word));
  if (shared.length > 1) return true;
  const isCertain = looksPersonal(name, { isStrict: true });
  // the same given name first: the surname may be another since a marriage, or misspelled
  if (GIVEN_NAMES.has(shared[0]!)) return isCertain && shared[0] === words[0];
  const isOwn = (word: string) => PERSON_TITLES.has(word) || JOINERS.has(word) || isPeoplesName(word);
  return others.every((word) => word.length === 1 || GIVEN_NAMES.has(word) || (isCertain && isOwn(word)));
}

/** Returns whether a name that a company could have, too, is clearly a person's or at least as short as most of them. */
function isUsualName(name: string, words: readonly string[]): boolean {
  const isShort = words.length < 4 && !words.some((word) => JOINERS.has(word)) && looksPersonal(name);
  return isShort || looksPersonal(name, { isStrict: true });
}

/** Returns whether `words` are among `theirs`, in the same order and none only as an initial. */
function isInOrder(words: readonly string[], theirs: readonly string[]): boolean {
  const places = words.map((word) => theirs.indexOf(word));
  return places.every((place, i) => place > (places[i - 1] ?? -1));
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

/** Separates two names of one business. The first is the owner's before `DBA`, and either one beside a slash. */
const OTHER_NAME =
  /[\s,(](?:d\s?[./]?\s?b\s?[./]?\s?a|t\/a|[af]\s?[./]?\s?k\s?[./]?\s?a|doing business as|trading as)[\s.:]|(\/)/i;

/** Removes these characters from the end of a text. A regular expression would try each place. */
function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Returns the trade name of a person: `Copper Pot` for `Odile Fenwright DBA Copper Pot`. Returns other names unchanged. */
export function cutOwner(name: string): string {
  const found = OTHER_NAME.exec(name);
  if (found === null) return name;
  const [separator, slash] = found;
  const first = trimEnd(name.slice(0, found.index), ' ,(');
  const second = trimEnd(name.slice(found.index + separator.length).replace(/^[\s.:]+/, ''), ' )');
  if (first === '' || second === '') return name;
  const isOwner = (text: string, isStrict: boolean) =>
    !hasCompanyForm(text) && looksPersonal(text, { isStrict });
  if (isOwner(first, slash !== undefined)) return slash && isOwner(second, true) ? name : second;
  return isOwner(second, true) ? first : name;
}
