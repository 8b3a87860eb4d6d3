/** Decides whether a trade name is only the name of the person who owns the business, for registers with a column for the owner. */

import { splitWords } from './kinds/kind-words.ts';
import { isOwnersName, looksPersonal } from './persons.ts';

/** Words of the names of companies and public bodies. */
const COMPANY =
  /\b(?:inc|incorporated|l ?l ?c|corp|corporation|ltd|limited|l ?l ?p|company|co|p ?l ?l ?c|trust|association|assoc|university|county|church|foundation|partnership|society|club)\b/;

/**
 * True if `name` is only a person's name and one of `owners` shows it: the same names in any order (`Odile F. Fenwright` and
 * `Fenwright, Odile`), or a name that looks personal and shares a word with the owner's (`Osric & Odile Fenwright` and
 * `Fenwright, Osric`). False for a company with the same name as its owner (`Fenwright & Sons, Inc.`), which `isOwnersName` does
 * not recognize.
 */
export function namesOnlyOwner(name: string, ...owners: string[]): boolean {
  const words = splitWords(name);
  if (words.length < 2 || isCompany(name)) return false;
  return owners
    .filter((owner) => owner !== '' && !isCompany(owner))
    .some((owner) => {
      if (isSurnameFirst(owner) && isOwnersName(name, owner)) return true;
      const theirs = splitWords(owner);
      return looksPersonal(name) && words.some((word) => word.length > 1 && theirs.includes(word));
    });
}

function isCompany(name: string): boolean {
  return COMPANY.test(splitWords(name).join(' '));
}

/** `Fenwright, Odile M`: only the names of people are written so. */
function isSurnameFirst(owner: string): boolean {
  return /^[\p{L}'’ -]+,\s*[\p{L}'’. -]+$/u.test(owner) && splitWords(owner).length <= 5;
}
