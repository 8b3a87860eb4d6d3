/** Arranges collected rows into the buffers of an index: sorts and numbers them in result order and builds sets. */

import type { Day, Instant } from '../../listings/day.ts';
import { STATUSES } from '../../listings/listing.ts';
import { VALUE_FILTERS, type ValueFilter } from '../parameters.ts';
import { makeLetterMasks } from '../words/spelling.ts';
import { type Collected, decodeCombo, encodeCombo } from './collect.ts';
import { allocateCodes, type Codes, type IndexBuffers } from './index-buffers.ts';
import { type NumberColumn, rankValues } from './numbers.ts';
import { renderDayPieces, renderTailPieces } from './page.ts';
import { fillSets } from './sets.ts';
import { countByMonth, sortByCount } from './stats.ts';

type Parts = IndexBuffers;

export function arrangeRows(rows: Collected): Omit<Parts, 'version' | 'day' | 'editions'> {
  const { values, combos, comboRanks } = arrangedCombos(rows);
  const days = rankValues(rows.coders.day.things(), (a, b) => (a < b ? 1 : -1));
  const order = answerOrder(rows, days.ranks, comboRanks);
  const combo = arrangeColumn(order, combos.count.length, (row) => comboRanks[rows.combo.at(row)]!);
  const filedOn = arrangeColumn(order, days.sorted.length, (row) => days.ranks[rows.day.at(row)]!);
  combos.count.set(countCodes(combo, combos.count.length));
  const valueCounts = countedValues(values, combos);
  return {
    size: order.length,
    values,
    combos,
    stats: {
      total: order.length,
      latestFiling: days.sorted[0] ?? null,
      byMonth: countByMonth(days.sorted, countCodes(filedOn, days.sorted.length)),
      byCategory: sortByCount(values.category, valueCounts.category),
      byNeighborhood: sortByCount(values.neighborhood, valueCounts.neighborhood),
    },
    combo,
    filedOn,
    ...arrangedSeen(rows, order),
    names: rows.names.inOrder(order),
    tails: renderTailPieces({ values, combos }),
    days: renderDayPieces(days.sorted),
    ...wordsAndSets(rows, order, { combo, combos, valueCounts }),
  };
}

/**
 * Sorts rows in result order: newest filing first, then name, then key, by code unit. Ranks are the positions of codes.
 * Listings of two sources with the same date, name and key are sorted by their values, so that the result never depends
 * on the order of rows.
 */
function answerOrder(rows: Collected, dayRanks: Uint32Array, comboRanks: Uint32Array): Uint32Array {
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

/** Sorts values by code unit, and combinations by category, then neighborhood, then status. */
function arrangedCombos({
  coders,
}: Collected): Pick<Parts, 'values' | 'combos'> & { comboRanks: Uint32Array } {
  const category = rankValues(coders.category.things());
  const neighborhood = rankValues(coders.neighborhood.things());
  const inOrder = coders.combo.things().map((code) => {
    const combo = decodeCombo(code);
    return encodeCombo({
      category: category.ranks[combo.category]!,
      neighborhood: neighborhood.ranks[combo.neighborhood]!,
      status: combo.status,
    });
  });
  const { sorted, ranks } = rankValues(inOrder, (a, b) => a - b);
  const part = (filter: ValueFilter) => Uint32Array.from(sorted, (code) => decodeCombo(code)[filter]);
  return {
    values: { category: category.sorted, neighborhood: neighborhood.sorted, status: [...STATUSES] },
    combos: {
      category: part('category'),
      neighborhood: part('neighborhood'),
      status: part('status'),
      count: new Uint32Array(sorted.length),
    },
    comboRanks: ranks,
  };
}

function countedValues(values: Parts['values'], combos: Parts['combos']): Record<ValueFilter, Uint32Array> {
  const counts = {
    category: new Uint32Array(values.category.length),
    neighborhood: new Uint32Array(values.neighborhood.length),
    status: new Uint32Array(values.status.length),
  };
  for (const filter of VALUE_FILTERS)
    for (const [i, value] of combos[filter].entries()) counts[filter][value]! += combos.count[i]!;
  return counts;
}

/** Numbers the times at which listings were first seen, in order of occurrence. */
function arrangedSeen(rows: Collected, order: Uint32Array): Pick<Parts, 'seen' | 'firstSeen'> {
  const news = rows.coders.news.things();
  const olds = rows.coders.old.things();
  const seen = [
    ...news.map((text) => {
      const [at, edition] = text.split(' ') as [Instant, Day];
      return { at, isNews: true, edition };
    }),
    ...olds.map((at) => ({ at, isNews: false, edition: '' })),
  ];
  const firstSeen = arrangeColumn(order, seen.length, (row) => {
    const code = rows.seen.at(row);
    return (code >>> 1) + (code & 1) * news.length;
  });
  return { seen, firstSeen };
}

/** Builds the words' sets, then the sets of all categories, neighborhoods and statuses. */
function wordsAndSets(
  rows: Collected,
  order: Uint32Array,
  known: Pick<Parts, 'combo' | 'combos'> & { valueCounts: ReturnType<typeof countedValues> },
): Pick<Parts, 'words' | 'letters' | 'sets'> {
  const { combo, combos, valueCounts } = known;
  const { words, counts, eachWord } = rows.words.finish();
  const groups = [counts, ...VALUE_FILTERS.map((filter) => valueCounts[filter])];
  const all = new Uint32Array(groups.reduce((sum, group) => sum + group.length, 0));
  const firsts = groups.map((_, i) => groups.slice(0, i).reduce((sum, group) => sum + group.length, 0));
  for (const [i, group] of groups.entries()) all.set(group, firsts[i]);
  const sets = fillSets(all, order.length, (put) => {
    for (let row = 0; row < order.length; row++) {
      eachWord(order[row]!, (word) => put(word, row));
      for (let d = 0; d < VALUE_FILTERS.length; d++)
        put(firsts[d + 1]! + combos[VALUE_FILTERS[d]!][combo[row]!]!, row);
    }
  });
  return { words, letters: makeLetterMasks(words), sets };
}

function arrangeColumn(order: Uint32Array, bound: number, code: (row: number) => number): Codes {
  const filled = allocateCodes(order.length, bound);
  for (let i = 0; i < filled.length; i++) filled[i] = code(order[i]!);
  return filled;
}

function countCodes(codes: Codes, bound: number): Uint32Array {
  const counts = new Uint32Array(bound);
  for (const code of codes) counts[code]!++;
  return counts;
}
