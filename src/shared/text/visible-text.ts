/** Removes invisible characters, which make different names look the same, hide words and mislead programs. */

const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;
/** Matches characters without a shape: formatting, private use, lone surrogates, fillers and selectors. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const ANY = /[\p{Cc}\u2028\u2029\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
/** Matches joiners, except after letters of scripts that need them for spelling. */
const USELESS_JOINERS = /(?<![[\p{L}\p{M}]--\p{Script=Latin}])[\u200c\u200d]/gv;

/**
 * Removes all invisible characters, even the joiners of Persian and Indic scripts, which can hide text in a name.
 * Letters stay, so a search finds the name.
 */
export function removeInvisibles(text: string): string {
  return ANY.test(text) ? text.replace(BREAKS, ' ').replace(INVISIBLE, '').trim() : text;
}

/** Removes invisible characters, except joiners in scripts that spell with them. */
export function removeInvisiblesButJoiners(text: string): string {
  if (!ANY.test(text)) return text;
  const plain = text
    .replace(BREAKS, ' ')
    .replace(INVISIBLE, (one) => (/[\u200c\u200d]/.test(one) ? one : ''));
  return plain.replace(USELESS_JOINERS, '');
}
