/** Reads the tables of `src/data`: CSV with comments. The last cell of a line has words separated by `|`. */

import { readFileSync } from 'node:fs';
import { foldWords, removeAccents } from '../words.ts';
import { splitCsvText } from './csv-text.ts';

/** Returns the cells of each line after the header, without comments. A cell with commas is in quotes. */
export function readDataLines(file: string): string[][] {
  const text = readFileSync(new URL(`../../data/${file}`, import.meta.url), 'utf8');
  const [, ...records] = splitCsvText(text.replace(/^#.*\n/gm, ''), ',');
  return records.map(({ cells }) => cells);
}

/** Returns a function that maps the words of a list to their meanings, in file order. Columns: `list,meaning,words`. */
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
 * Makes a pattern for phrases separated by `|`. The searched text must be folded, with a space before and after it.
 * `a b` finds adjacent words, `a .. b` words in this order, `=a` the whole text, `a*` any ending.
 */
export function toPattern(phrases: string): RegExp {
  // texts are folded alike, which takes Korean letters apart
  const sources = removeAccents(phrases)
    .split('|')
    .map((phrase) => {
      const words = phrase.replace(/^=/, '').replaceAll('*', '[^ ]*').replaceAll(' .. ', ' (?:.* )?');
      return phrase.startsWith('=') ? `^ ${words} $` : ` ${words} `;
    });
  return new RegExp(sources.join('|'));
}

/** Returns the words of a file of `src/data` with one word on each line. */
export function readWordList(file: string): string[] {
  const lines = readFileSync(new URL(`../../data/${file}`, import.meta.url), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

/** Returns a function that returns the meaning of the first line of the table whose words are in a text. */
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
