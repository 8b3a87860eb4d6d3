/** Finds the rows that match the words of a query: in names with the dictionary, in values with their own words. */

import { parseQueryTerms, type QueryTerm, splitIndexWords } from '../../listings/words.ts';
import type { SearchWarning } from '../listing-index.ts';
import { VALUE_FILTERS } from '../parameters.ts';
import type { IndexBuffers } from './index-buffers.ts';
import type { Range, RowSet, RowSets } from './sets.ts';
import { compareBeginning, findFirst } from './texts.ts';

/** Finds rows; `undefined` if there are no terms. */
export type Lookup = {
  rows(q: string, warnings: SearchWarning[]): RowSet | undefined;
  /** The rows with one folded word. */
  wordRows(word: string, begins: boolean): RowSet;
  /** The words of categories and neighborhoods. */
  valueWords: readonly string[];
};

export function openLookup(parts: Pick<IndexBuffers, 'words' | 'values'>, sets: RowSets): Lookup {
  const nameWords = openNameWords(parts);
  const valueWords = openValueWords(parts);

  function rangesOf(word: string, begins: boolean): Range[] {
    const ranges = valueWords.find(word, begins);
    const inNames = nameWords(word, begins);
    if (inNames.to > inNames.from) ranges.push(inNames);
    return ranges;
  }

  /** The rows of the last words are kept: a page asks for them up to six times, for its listings, its counts and its suggestions. */
  let last: { q: string; rows: RowSet } | undefined;
  let kept = new Uint32Array(0);
  function keep(rows: RowSet): RowSet {
    if (rows.bits === undefined) return rows;
    if (kept.length !== rows.bits.length) kept = new Uint32Array(rows.bits.length);
    kept.set(rows.bits);
    return { count: rows.count, bits: kept };
  }

  /** The rows with the word, found once for a question that repeats it in several pieces. */
  function rowsOf(word: string, found: Map<string, RowSet>): RowSet {
    const rows = found.get(word) ?? sets.union(rangesOf(word, false));
    found.set(word, rows);
    return rows;
  }

  function match({ words, joined, begins }: QueryTerm, found: Map<string, RowSet>): RowSet {
    const last = words.length - 1;
    const each = words.map((word, i) =>
      begins && i === last ? sets.union(rangesOf(word, true)) : rowsOf(word, found),
    );
    const all = sets.intersection(each);
    return joined === undefined ? all : sets.union(rangesOf(joined, begins), all);
  }

  const findRows = (q: string, warnings: SearchWarning[]): RowSet | undefined => {
    if (q.trim() === '') return undefined;
    if (q === last?.q) return last.rows;
    const terms = parseQueryTerms(q);
    const found = new Map<string, RowSet>();
    if (terms.length > 0) {
      last = { q, rows: keep(sets.intersection(terms.map((term) => match(term, found)))) };
      return last.rows;
    }
    warnings.push({ parameter: 'q', cause: 'words', detail: 'q contains no words to search for' });
    return undefined;
  };
  return {
    rows: findRows,
    wordRows: (word, begins) => sets.union(rangesOf(word, begins)),
    valueWords: valueWords.words,
  };
}

/** The words of names that are `word`, or begin with it. */
function openNameWords({ words }: Pick<IndexBuffers, 'words'>): (word: string, begins: boolean) => Range {
  const count = words.ends.length - 1;
  return (word, begins) => {
    const bytes = Buffer.from(word);
    const from = findFirst(count, (i) => compareBeginning(words, i, bytes));
    if (begins) return { from, to: findFirst(count, (i) => compareBeginning(words, i, bytes) || -1) };
    const isWord =
      from < count &&
      words.ends[from + 1]! - words.ends[from]! === bytes.length &&
      compareBeginning(words, from, bytes) === 0;
    return { from, to: isWord ? from + 1 : from };
  };
}

/** The sets of values with `word` among their words, or a word that begins with it. */
function openValueWords(parts: Pick<IndexBuffers, 'words' | 'values'>): {
  words: readonly string[];
  find(word: string, begins: boolean): Range[];
} {
  let set = parts.words.ends.length - 1;
  const sets = new Map<string, number[]>();
  for (const filter of VALUE_FILTERS.slice(0, 2)) {
    for (const value of parts.values[filter]) {
      for (const word of splitIndexWords(value)) sets.set(word, [...(sets.get(word) ?? []), set]);
      set++;
    }
  }
  const words = [...sets.keys()].sort();
  const find = (word: string, begins: boolean): Range[] => {
    if (!begins) return (sets.get(word) ?? []).map((from) => ({ from, to: from + 1 }));
    const found = new Set<number>();
    let i = findFirst(words.length, (i) => (words[i]! < word ? -1 : 0));
    for (; i < words.length && words[i]!.startsWith(word); i++)
      for (const s of sets.get(words[i]!)!) found.add(s);
    return Array.from(found, (from) => ({ from, to: from + 1 }));
  };
  return { words, find };
}
