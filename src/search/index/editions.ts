/** Lists past editions of the weekly email and their rows, filtered by values. Shows listings as served now. */

import type { Day } from '../../listings/day.ts';
import type { ListingIndex } from '../listing-index.ts';
import type { Question } from '../parameters.ts';
import type { IndexBuffers } from './index-buffers.ts';
import type { Filters } from './value-filters.ts';

type RowsByEdition = ReadonlyMap<Day, readonly number[]>;
type Editions = Pick<ListingIndex, 'listEditions' | 'readEdition'>;

export function openEditions(
  parts: IndexBuffers,
  filters: Filters,
  renderPage: (rows: Uint32Array) => Buffer,
): Editions {
  let known: RowsByEdition | undefined;
  const rowsOf = (edition: Day): readonly number[] => {
    known ??= groupRows(parts);
    return known.get(edition) ?? [];
  };
  const makeRowTest = (question: Question) => {
    const marks = filters.markCombos({ ...filters.choose(question, []), status: undefined });
    return (row: number) => marks[parts.combo[row]!] === 1;
  };
  return {
    listEditions(question) {
      const isWanted = makeRowTest(question);
      return parts.editions.map((edition) => ({ edition, total: rowsOf(edition).filter(isWanted).length }));
    },
    readEdition(edition, question) {
      if (!parts.editions.includes(edition)) return undefined;
      const found = rowsOf(edition).filter(makeRowTest(question));
      const rows = Uint32Array.from(found.slice(question.offset, question.offset + question.limit));
      return { total: found.length, count: rows.length, page: renderPage(rows) };
    },
  };
}

function groupRows({ seen, firstSeen }: IndexBuffers): RowsByEdition {
  const rows = new Map<Day, number[]>();
  const lists = seen.map(({ edition }) =>
    edition === '' ? undefined : rows.getOrInsertComputed(edition, () => []),
  );
  for (const [row, code] of firstSeen.entries()) lists[code]?.push(row);
  return rows;
}
