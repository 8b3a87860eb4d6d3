/** Finds the page and the total of a query whose filters and words are resolved to values and sets. Renders no text. */

import { VALUE_FILTERS, type ValueFilter } from '../parameters.ts';
import type { Lookup } from '../words/lookup.ts';
import type { IndexBuffers } from './index-buffers.ts';
import { type FoundRows, scanBits, scanRows, takePage, type Window } from './scan.ts';
import { findSmallestList, type RowSet, type RowSets } from './sets.ts';
import type { Choice, Filters } from './value-filters.ts';

export type Opened = { parts: IndexBuffers; sets: RowSets; filters: Filters; lookup: Lookup };

/** A resolved query: values, and the rows that all other parameters select (`undefined` without any). */
export type Asked = { choice: Choice; rows: RowSet | undefined };

/** Finds all matching rows. Returns `undefined` if the query has no restriction. */
export function matchRows(opened: Opened, asked: Asked): RowSet | undefined {
  const all = listSets(opened, asked);
  return all.length === 0 ? undefined : opened.sets.intersection(all);
}

/** Finds a page and its total. Totals come from counts if possible, otherwise from scanning the smallest set. */
export function findRows(opened: Opened, asked: Asked, window: Window): FoundRows {
  const { parts, filters } = opened;
  if (VALUE_FILTERS.some((filter) => asked.choice[filter]?.length === 0))
    return { total: 0, rows: new Uint32Array(0) };
  const all = listSets(opened, asked);
  if (all.length === 0) return { total: parts.size, rows: listWindowRows(window, parts.size) };
  if (all.length === 1) return takePage(all[0]!, window);
  return findBoth({ parts, filters, ...asked, all }, window);
}

/** Lists the sets that a listing must be in: the rows, then those of each filter. */
function listSets({ parts, sets }: Opened, { choice, rows }: Asked): RowSet[] {
  const all = rows === undefined ? [] : [rows];
  for (const filter of VALUE_FILTERS) {
    const values = choice[filter];
    if (values !== undefined) all.push(valueSet(parts, sets, filter, values));
  }
  return all;
}

/** Intersects several sets. Scans the list of rows or the shortest list, or compares bits 32 rows at a time. */
function findBoth(
  known: Asked & { parts: IndexBuffers; filters: Filters; all: readonly RowSet[] },
  window: Window,
): FoundRows {
  const { rows, all } = known;
  const list = rows?.rows ?? findSmallestList(all);
  const isCounted = rows !== undefined;
  if (list === undefined) {
    const found = scanBits(
      all.map(({ bits }) => bits!),
      window,
      isCounted,
    );
    return isCounted ? found : { ...found, total: known.filters.passing(known.choice).total };
  }
  const { passes, total } = known.filters.passing(known.choice);
  const test = { combo: known.parts.combo, passes, bits: rows?.bits };
  const found = scanRows(list, test, window, isCounted);
  return isCounted ? found : { ...found, total };
}

/** Returns the union of the sets of some values. They follow the sets of words, in the order of `VALUE_FILTERS`. */
function valueSet(
  parts: IndexBuffers,
  sets: RowSets,
  filter: ValueFilter,
  values: readonly number[],
): RowSet {
  let first = parts.words.ends.length - 1;
  for (const before of VALUE_FILTERS.slice(0, VALUE_FILTERS.indexOf(filter)))
    first += parts.values[before].length;
  return sets.union(values.map((value) => ({ from: first + value, to: first + value + 1 })));
}

/** Lists the rows of a page within the first `size` rows. */
export function listWindowRows({ skip, take }: Window, size: number): Uint32Array {
  const rows = new Uint32Array(Math.max(0, Math.min(take, size - skip)));
  return rows.map((_, i) => skip + i);
}
