/** Decides whether a trade name is only the name of the person who owns the business, for registers with a column for the owner. */

import { splitWords } from '../categories/kind-words.ts';
import { hasCompanyForm } from './person-words.ts';
import { hasKnownScript, isOwnersName, looksPersonal } from './persons.ts';

/** Words of the names of companies and public bodies, besides legal forms. */
const BODY =
  /\b(?:company|co|trust|association|assoc|university|county|church|foundation|partnership|society|club)\b/;

/** The same in other scripts; words are parted by whatever is no letter. */
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

/** In any order, also as initials. Where names are written without spaces, the words of one may be joined in the other. */
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
