/** The words of a name as the word lists know them. For reading names only; search has its own rule for words. */

/** Lower case, accents and apostrophes off, initials of an abbreviation joined (`A/C` -> `ac`), split at all else. */
export function wordsOf(name: string): string[] {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}'’`]/gu, '')
    .toLowerCase()
    .replace(/\b(\p{L})[./](?=\p{L}\b)/gu, '$1')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
