/** Official types that are so general that the words of a name say more. */

import { isBroadType } from './kind-of-type.ts';

const GENERAL = new Set(
  'retail retailer retailing sale sales store stores shop shops inventory operation operations service services general misc miscellaneous other others business businesses office offices administrative professional professionals commercial home occupation based merchandise license licence permit regular standard limited regulated activity company category unclassified all classified nec and or of the a merchant dealer dealers personal mobile vendor'.split(
    ' ',
  ),
);

/** Whether a type's words say less than a name would: `Retail Sales`, `Finance and Insurance`. */
export function isGeneralType(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return isBroadType(text) || words.every((word) => GENERAL.has(word));
}
