/** Reads numbers in digits and in words. */

import { lazy } from '../../../../shared/remember.ts';
import { readDataLines } from '../../../../shared/text/word-table.ts';

/** Written numbers: `three`. */
export const readNumbers = lazy((): Map<string, number> => {
  const lines = readDataLines('same-words.csv').filter(([words = '']) => /^\d+\|/.test(words));
  return new Map(
    lines.flatMap(([words = '']) => {
      const [n, ...names] = words.split('|');
      return names.map((name): [string, number] => [name, Number(n)]);
    }),
  );
});

/** Lists the numbers of short lists, in digits and written. */
export function listNumbers(): string[] {
  return [...Array.from({ length: 21 }, (_, i) => String(i + 1)), ...readNumbers().keys()];
}

/** Reads a small number of a folded word, in digits or written. */
export function readNumber(word: string): number | undefined {
  return /^\d{1,3}$/.test(word) ? Number(word) : readNumbers().get(word);
}

/** The words of a question, and the phrases with meanings beside a date. */
export type WordsAt = {
  phrases: ReadonlyMap<string, { kind: string; argument: string }>;
  wordAt(at: number): string;
};
type Written = { n: number; length: number };

/** Reads a number in words up to 99: `eighteen`, `twenty four`, the French `dix huit`, or `oh five`. */
export function readWritten(text: WordsAt, at: number): Written | undefined {
  const [first, second] = [at, at + 1].map((i) => {
    const phrase = text.phrases.get(text.wordAt(i));
    return readNumbers().get(text.wordAt(i)) ?? (phrase?.kind === 'number' ? Number(phrase.argument) : -1);
  }) as [number, number];
  if (first < 0 || first > 99) return undefined;
  const isJoined = first === 10 ? second > 6 && second < 10 : first % 10 === 0 && second > 0 && second < 10;
  return isJoined ? { n: first + second, length: 2 } : { n: first, length: 1 };
}
