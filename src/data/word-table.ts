/** Tables of words by their meaning, in several languages: CSV files in `src/data` with `meaning,language,words`. */

import { readFileSync } from 'node:fs';

/** Lower case, without accents, only letters and digits with one space between. */
export function foldWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Finds words of `phrases` (separated by `|`) in folded text with a space before and after it: `a b` side by side, `a .. b` in this order,
 * `=a` the whole text, `a*` with any ending.
 */
export function toPattern(phrases: string): RegExp {
  const sources = phrases.split('|').map((phrase) => {
    const words = phrase.replace(/^=/, '').replaceAll(' .. ', ' (?:.* )?').replaceAll('*', '[^ ]*');
    return phrase.startsWith('=') ? `^ ${words} $` : ` ${words} `;
  });
  return new RegExp(sources.join('|'));
}

/** The lines of a table after its header, without remarks, as cells. */
export function readDataLines(file: string): string[][] {
  return readFileSync(new URL(`./${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(1)
    .map((line) =>
      (line.match(/("[^"]*"|[^,]*)(?:,|$)/g) ?? []).map((cell) =>
        cell.replace(/,$/, '').replace(/^"|"$/g, ''),
      ),
    );
}

/** The first meaning, from top to bottom of the file, whose words are in the text; `undefined` if none is. */
export function openWordTable(file: string): (text: string) => string | undefined {
  const lines = readDataLines(file).map(([meaning = '', , words = '']) => ({
    meaning,
    pattern: toPattern(words),
  }));
  return (text) => {
    const folded = ` ${foldWords(text)} `;
    return lines.find(({ pattern }) => pattern.test(folded))?.meaning;
  };
}
