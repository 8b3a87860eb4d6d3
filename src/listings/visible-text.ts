/** Removes invisible characters from texts: they make two names look alike, hide words, and steer programs that read them. */

const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;
/** Formatting (zero-width, bidi, tags), private use, halves of pairs, fillers and selectors that are shown as nothing. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const ANY = /[\p{Cc}\u2028\u2029\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
/** Joiners after letters of a script that needs none. */
const USELESS_JOINERS = /(?<![[\p{L}\p{M}]--\p{Script=Latin}])[\u200c\u200d]/gv;

/**
 * Without invisible characters; controls and line breaks become a space. The joiners U+200C and U+200D go too, also where Persian or an
 * Indic script spells with them: every letter stays and is found, and we cannot check whether a joiner in a name hides something.
 */
export function removeInvisibles(text: string): string {
  return ANY.test(text) ? text.replace(BREAKS, ' ').replace(INVISIBLE, '').trim() : text;
}

/** The same for what an operator writes in the language of the page: joiners stay where another script than ours spells with them. */
export function removeInvisiblesButJoiners(text: string): string {
  if (!ANY.test(text)) return text;
  const plain = text
    .replace(BREAKS, ' ')
    .replace(INVISIBLE, (one) => (/[\u200c\u200d]/.test(one) ? one : ''));
  return plain.replace(USELESS_JOINERS, '');
}
