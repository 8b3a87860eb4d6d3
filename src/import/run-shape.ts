/** Counts what the rows of a run are like, to compare a later run with it. Uses limited memory. */

import type { Row, Source } from '../city/define.ts';
import type { Day } from '../listings/day.ts';
import type { Judgement } from './judge.ts';

const VALUES = 300; // maximum values of a column to count; a column of neighborhoods has fewer
const MOST_KEYS = 20_000;
/** The number of newest filing dates that a shape has. */
export const NEWEST = 10;

export const DIMENSIONS = ['category', 'neighborhood', 'status'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** What the rows of a run are like, to compare a later run with it. */
export type RunShape = { openings: number } & Record<Dimension, Record<string, number>> & {
    /** Rows without text in a declared column, by column. */
    empty: Record<string, number>;
    /** Openings with the key of an earlier one in the file. */
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
    ...{ openings: 0, category: counts(), neighborhood: counts(), status: counts() },
    ...{ empty: counts(), repeated: 0, newest: [] },
  };
  const isRepeated = openKeySample();
  const declared = [...columns, ...optional];
  return {
    shape,
    see(judgement: Judgement, row: Row | undefined): void {
      if (row !== undefined)
        for (const column of declared)
          if ((row[column] ?? '') === '') shape.empty[column] = (shape.empty[column] ?? 0) + 1;
      if (judgement.kind !== 'opening') return;
      shape.openings++;
      shape.repeated += isRepeated(judgement.key);
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
 * Returns a function that says for how many keys this one is a repeat. Remembers all keys of a small register and a
 * sample of a large one, chosen by their hash, in which each repeat stands for many.
 */
function openKeySample(): (key: string) => number {
  let each = 1;
  let keys = new Set<string>();
  return (key) => {
    if (each > 1 && hashKey(key) % each !== 0) return 0;
    if (keys.has(key)) return each;
    keys.add(key);
    if (keys.size <= MOST_KEYS) return 0;
    each *= 2;
    keys = new Set([...keys].filter((one) => hashKey(one) % each === 0));
    return 0;
  };
}

/** FNV-1a, with its last bits mixed, because only those choose the sample. */
function hashKey(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
