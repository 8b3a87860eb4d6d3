/** Counts what the rows of a run are like, to compare a later run with it. Uses limited memory. */

import type { Row, Source } from '../../register/profile/define.ts';
import type { Judgement } from '../../register/rows/judge.ts';
import type { Day } from '../../shared/day.ts';

const VALUES = 300; // maximum values of a column to count; a column of neighborhoods has fewer
const MOST_ROWS = 20_000;
const [FNV_BASIS, FNV_PRIME] = [0x811c9dc5, 0x01000193];
/** The number of newest filing dates that a shape has. */
export const NEWEST = 10;

export const DIMENSIONS = ['category', 'neighborhood', 'status'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** What the rows of a run are like, to compare a later run with it. */
export type RunShape = { openings: number } & Record<Dimension, Record<string, number>> & {
    /** Rows without text in a declared column, by column. */
    empty: Record<string, number>;
    /** Rows whose declared columns are those of an earlier row of the file. */
    repeated: number;
    /** The newest filing dates that are not in the future, in descending order. */
    newest: Day[];
  };

/** Counts openings by value. The counts are objects without a prototype, because a value may be `constructor`. */
export function openShapeCounter(
  { columns, optional = [] }: Pick<Source, 'columns' | 'optional'>,
  today: Day,
) {
  const counts = (): Record<string, number> => Object.create(null);
  const shape: RunShape = {
    openings: 0,
    category: counts(),
    neighborhood: counts(),
    status: counts(),
    empty: counts(),
    repeated: 0,
    newest: [],
  };
  const countRepeats = openRowSample();
  const declared = [...columns, ...optional];
  function seeRow(row: Row): void {
    let hash = FNV_BASIS;
    for (const column of declared) {
      const cell = String(row[column] ?? '');
      if (cell === '') shape.empty[column] = (shape.empty[column] ?? 0) + 1;
      hash = hashCell(hash, cell);
    }
    shape.repeated += countRepeats((hash ^ (hash >>> 15)) >>> 0); // the last bits choose the sample
  }
  return {
    shape,
    see(judgement: Judgement, row: Row | undefined): void {
      if (row !== undefined) seeRow(row);
      if (judgement.kind !== 'opening') return;
      shape.openings++;
      if (judgement.filedOn <= today) addNewest(shape.newest, judgement.filedOn);
      for (const dimension of DIMENSIONS) {
        const [seen, value] = [shape[dimension], judgement[dimension]];
        const before = seen[value];
        if (before !== undefined) seen[value] = before + 1;
        else if (Object.keys(seen).length < VALUES) seen[value] = 1;
      }
    },
  };
}

function addNewest(newest: Day[], day: Day): void {
  if (newest.length === NEWEST && day <= newest[NEWEST - 1]!) return;
  newest.splice(newest.findLastIndex((other) => other >= day) + 1, 0, day);
  newest.length = Math.min(newest.length, NEWEST);
}

/**
 * Returns a function that says for how many rows this one is a repeat. Remembers all rows of a small register and a sample of
 * a large one, chosen by their hash, in which each repeat stands for many.
 */
function openRowSample(): (hash: number) => number {
  let each = 1;
  let hashes = new Set<number>();
  return (hash) => {
    if (hash % each !== 0) return 0;
    if (hashes.has(hash)) return each;
    hashes.add(hash);
    if (hashes.size <= MOST_ROWS) return 0;
    each *= 2;
    hashes = new Set([...hashes].filter((one) => one % each === 0));
    return 0;
  };
}

/** Continues an FNV-1a hash with a cell and its end. */
function hashCell(hash: number, cell: string): number {
  let next = hash;
  for (let at = 0; at < cell.length; at++) next = Math.imul(next ^ cell.charCodeAt(at), FNV_PRIME);
  return Math.imul(next ^ 0x1f, FNV_PRIME);
}
