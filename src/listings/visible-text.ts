/** Removes invisible characters from texts. Such characters make names look alike, hide words and steer programs. */

const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;
/** Matches characters without a shape: formatting, private use, lone surrogates, fillers and selectors. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const ANY = /[\p{Cc}\u2028\u2029\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
/** Matches joiners, except after letters of a script that may need them. */
const USELESS_JOINERS = /(?<![[\p{L}\p{M}]--\p{Script=Latin}])[\u200c\u200d]/gv;

/**
 * Removes invisible characters, including the joiners of Persian and Indic scripts. All letters stay and can be found,
 * while a joiner in a name could hide something.
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
