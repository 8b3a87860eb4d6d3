/** The tables of `src/data`: CSV with comments, whose last cell holds words with `|` between. */

import { readFileSync } from 'node:fs';
import { foldWords } from '../listings/words.ts';
import { splitCsvText } from './csv-text.ts';

/** The lines of a table after its header, without comments, as cells. A cell with commas is in quotes. */
export function readDataLines(file: string): string[][] {
  const text = readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');
  const [, ...records] = splitCsvText(text.replace(/^#.*\n/gm, ''), ',');
  return records.map(({ cells }) => cells.map((cell) => cell.text));
}

/** The lists of a table with `list,meaning,words`. Each is a map from its words, in the order of the file, to their meaning. */
export function openWordLists(file: string): (list: string) => Map<string, string> {
  const lines = Map.groupBy(readDataLines(file), ([list]) => list);
  return (list) =>
    new Map(
      lines
        .get(list)!
        .flatMap(([, meaning = '', words = '']) => words.split('|').map((word) => [word, meaning] as const)),
    );
}

/**
 * Finds words of `phrases` (separated by `|`) in folded text with a space before and after it: `a b` side by side, `a .. b` in this order,
 * `=a` the whole text, `a*` with any ending.
 */
export function toPattern(phrases: string): RegExp {
  const sources = phrases.split('|').map((phrase) => {
    const words = phrase.replace(/^=/, '').replaceAll('*', '[^ ]*').replaceAll(' .. ', ' (?:.* )?');
    return phrase.startsWith('=') ? `^ ${words} $` : ` ${words} `;
  });
  return new RegExp(sources.join('|'));
}

/** Reads a table with `meaning,language,words`. Answers the first meaning, from top to bottom of the file, whose words are in a text. */
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
