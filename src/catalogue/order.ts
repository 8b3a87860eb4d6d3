/** The one order of answers: newest filing first, then name, then key, by code unit. */

import type { NumberColumn } from './numbers.ts';
import type { TextColumn } from './texts.ts';

export type Unordered = { day: NumberColumn; combo: NumberColumn; names: TextColumn; keys: TextColumn };

/**
 * The rows in answer order. `dayRanks` and `comboRanks` give the places of codes; listings of two sources that share
 * day, name and key stand in the order of their values, so that the order of rows never shows.
 */
export function answerOrder(rows: Unordered, dayRanks: Uint32Array, comboRanks: Uint32Array): Uint32Array {
  const { order, starts } = byDay(rows.day, dayRanks);
  const compare = (a: number, b: number) =>
    rows.names.compare(a, b) ||
    rows.keys.compare(a, b) ||
    comboRanks[rows.combo.at(a)]! - comboRanks[rows.combo.at(b)]!;
  for (let day = 0; day < dayRanks.length; day++)
    order.subarray(starts[day]!, starts[day + 1]!).sort(compare);
  return order;
}

function byDay(days: NumberColumn, ranks: Uint32Array): { order: Uint32Array; starts: Uint32Array } {
  const starts = new Uint32Array(ranks.length + 1);
  for (let row = 0; row < days.length; row++) starts[ranks[days.at(row)]! + 1]!++;
  for (let day = 0; day < ranks.length; day++) starts[day + 1]! += starts[day]!;
  const next = starts.slice();
  const order = new Uint32Array(days.length);
  for (let row = 0; row < days.length; row++) order[next[ranks[days.at(row)]!]!++] = row;
  return { order, starts };
}
