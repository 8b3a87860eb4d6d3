/** Remembers what was asked before. A page, its feed and its picture are about one question. */

import { EVERYTHING, formatQuestion, PAGE_LIMIT, type Question } from '../../../shared/question.ts';
import type { Reading } from '../../../shared/reading.ts';

/** Maximum words that an index remembers as only looked for. */
const MOST_PLAIN = 10_000;
/** Maximum readings that an index remembers. */
const MOST_READINGS = 1_000;

type Reader = {
  /** Returns the reading of words that are only looked for. */
  literal(asked: Question): Reading;
  readFirstPage(question: Question): Reading;
  countMatches(question: Question): number;
};

/** Returns a function that reads a question once, and then only places its page. */
export function rememberReadings({
  literal,
  readFirstPage,
  countMatches,
}: Reader): (asked: Question) => Reading {
  const known = new Map<string, Reading>();
  /** Words that are only looked for. Most repeated questions are among them. */
  const plain = new Set<string>();
  return (asked) => {
    const { q, limit, offset } = asked;
    if (q.trim() === '' || plain.has(q)) return literal(asked);
    if (known.size >= MOST_READINGS) known.clear();
    const first = { ...asked, limit: PAGE_LIMIT, offset: 0 };
    const reading = known.getOrInsertComputed(formatQuestion(first), () => readFirstPage(first));
    const isPlain = reading.search.q === q && reading.offer === undefined && reading.answer === 'list';
    if (
      isPlain &&
      reading.words.every(({ fate }) => fate === 'name') &&
      countMatches({ ...EVERYTHING, q }) > 0
    ) {
      if (plain.size >= MOST_PLAIN) plain.clear();
      plain.add(q);
    }
    return { ...reading, search: { ...reading.search, limit, offset: reading.search.q === q ? offset : 0 } };
  };
}
