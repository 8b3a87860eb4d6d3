/**
 * Builds an index from batches of rows in any order. Collects them as columns, without an object for each row,
 * then sorts them in result order, numbers their values and makes the sets. Uses no store and no clock.
 */

import type { Day } from '../../listings/day.ts';
import { deriveStatus } from '../../listings/listing.ts';
import { compareCodeUnits, makeSuppressionTest } from '../../listings/words.ts';
import type { BuildRow } from '../listing-index.ts';
import { perFilter, searchParameters, VALUE_FILTERS, type ValueFilter } from '../parameters.ts';
import { makeLetterMasks } from '../words/spelling.ts';
import { openDictionary } from './dictionary.ts';
import { allocateCodes, type Codes, firstSetOf, type IndexBuffers } from './index-buffers.ts';
import { renderDayPieces, renderTailPieces } from './listing-json.ts';
import { type NumberColumn, openCoder, openNumberColumn, rankValues } from './numbers.ts';
import { fillSets } from './sets.ts';
import { sumByValue } from './stats.ts';
import { escapeJson, packTexts } from './texts.ts';

export { type IndexBuffers, listTransferables } from './index-buffers.ts';

export type BuildOptions = {
  version: string;
  day: Day;
  suppressed: readonly string[];
  editions?: readonly Day[];
};

const VALUE_OF: Record<ValueFilter, (row: BuildRow, day: Day) => string> = {
  category: ({ category }) => category,
  neighborhood: ({ neighborhood }) => neighborhood,
  status: deriveStatus,
};

export function openIndexBuilder({ version, day, suppressed, editions = [] }: BuildOptions) {
  const isSuppressed = makeSuppressionTest(suppressed);
  const rows = openRows();
  return {
    add(batch: readonly BuildRow[]): void {
      for (const row of batch) if (!isSuppressed(row)) addRow(rows, row, day);
    },
    /** Returns the index buffers for `listTransferables` and `openIndex`. The builder cannot be used again. */
    finish: (): IndexBuffers => ({ version, day, editions, ...arrangeRows(rows) }),
  };
}

type Rows = ReturnType<typeof openRows>;
type Seen = IndexBuffers['seen'][number];

/** Opens the columns of a build. Codes are numbered in order of first occurrence. */
function openRows() {
  return {
    coders: {
      values: perFilter((filter) => openCoder(searchParameters[filter].known)),
      day: openCoder<Day>(),
      /** The code of each row's combination of values. A combination lists them in the order of `VALUE_FILTERS`. */
      combo: openCoder<readonly number[]>([], String),
      /** When a listing was first seen, and the edition that announced it. */
      seen: openCoder<Seen>([], ({ at, isNews, edition }) => `${at} ${isNews} ${edition}`),
    },
    day: openNumberColumn(),
    combo: openNumberColumn(),
    seen: openNumberColumn(),
    names: [] as string[],
    keys: [] as string[],
    words: openDictionary(),
  };
}

function addRow({ coders, day, combo, seen, names, keys, words }: Rows, row: BuildRow, today: Day): void {
  const codes = VALUE_FILTERS.map((filter) => coders.values[filter].codeOf(VALUE_OF[filter](row, today)));
  combo.add(coders.combo.codeOf(codes));
  day.add(coders.day.codeOf(row.filedOn));
  const { firstSeenAt: at, isNews, edition } = row;
  seen.add(coders.seen.codeOf({ at, isNews, edition: (isNews && edition) || '' }));
  names.push(row.name);
  keys.push(row.key);
  words.add(row.name);
}

function arrangeRows(rows: Rows): Omit<IndexBuffers, 'version' | 'day' | 'editions'> {
  const { values, combos, comboRanks } = arrangeCombos(rows);
  const days = rankValues(rows.coders.day.things(), (a, b) => (a < b ? 1 : -1));
  const order = sortRows(rows, days.ranks, comboRanks);
  const combo = arrangeColumn(order, combos.count.length, (row) => comboRanks[rows.combo.at(row)]!);
  const filedOn = arrangeColumn(order, days.sorted.length, (row) => days.ranks[rows.day.at(row)]!);
  combos.count.set(countCodes(combo, combos.count.length));
  const seen = rows.coders.seen.things();
  return {
    size: order.length,
    values,
    combos,
    combo,
    filedOn,
    seen,
    firstSeen: arrangeColumn(order, seen.length, (row) => rows.seen.at(row)),
    names: packTexts(Array.from(order, (row) => escapeJson(rows.names[row]!))),
    tails: renderTailPieces({ values, combos }),
    days: renderDayPieces(days.sorted),
    ...makeSets(rows, order, { combo, combos, values }),
  };
}

/** Sorts values by code unit. Sorts combinations by their first value, then by their second, and so on. */
function arrangeCombos({
  coders,
}: Rows): Pick<IndexBuffers, 'values' | 'combos'> & { comboRanks: Uint32Array } {
  const ranked = perFilter((filter) => rankValues(coders.values[filter].things()));
  const all = coders.combo
    .things()
    .map((codes) => VALUE_FILTERS.map((filter, i) => ranked[filter].ranks[codes[i]!]!));
  const { sorted, ranks } = rankValues(all, compareLists);
  return {
    values: perFilter((filter) => ranked[filter].sorted),
    combos: {
      ...perFilter((filter) => Uint32Array.from(sorted, (combo) => combo[VALUE_FILTERS.indexOf(filter)]!)),
      count: new Uint32Array(sorted.length),
    },
    comboRanks: ranks,
  };
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((number, at) => number !== b[at]);
  return i === -1 ? 0 : a[i]! - b[i]!;
}

/**
 * Sorts rows in result order: newest filing first, then name, then key, by code unit. Ranks are the positions of codes.
 * Listings of two sources with the same date, name and key are sorted by their values, so that the result never depends
 * on the order of rows.
 */
function sortRows(rows: Rows, dayRanks: Uint32Array, comboRanks: Uint32Array): Uint32Array {
  const { order, starts } = groupByDay(rows.day, dayRanks);
  const compare = (a: number, b: number) =>
    compareCodeUnits(rows.names[a]!, rows.names[b]!) ||
    compareCodeUnits(rows.keys[a]!, rows.keys[b]!) ||
    comboRanks[rows.combo.at(a)]! - comboRanks[rows.combo.at(b)]!;
  for (let day = 0; day < dayRanks.length; day++)
    order.subarray(starts[day]!, starts[day + 1]!).sort(compare);
  return order;
}

function groupByDay(days: NumberColumn, ranks: Uint32Array): { order: Uint32Array; starts: Uint32Array } {
  const starts = new Uint32Array(ranks.length + 1);
  for (let row = 0; row < days.length; row++) starts[ranks[days.at(row)]! + 1]!++;
  for (let day = 0; day < ranks.length; day++) starts[day + 1]! += starts[day]!;
  const next = starts.slice();
  const order = new Uint32Array(days.length);
  for (let row = 0; row < days.length; row++) order[next[ranks[days.at(row)]!]!++] = row;
  return { order, starts };
}

function makeSets(
  rows: Rows,
  order: Uint32Array,
  { combo, ...parts }: Pick<IndexBuffers, 'combo' | 'combos' | 'values'>,
): Pick<IndexBuffers, 'words' | 'letters' | 'sets'> {
  const { words, counts, eachWord } = rows.words.finish();
  const sums = VALUE_FILTERS.map((filter) => sumByValue(parts, filter, parts.combos.count));
  const firsts = VALUE_FILTERS.map((filter) => firstSetOf({ words, ...parts }, filter));
  const all = Uint32Array.from([counts, ...sums].flatMap((group) => [...group]));
  const sets = fillSets(all, order.length, (put) => {
    for (let row = 0; row < order.length; row++) {
      eachWord(order[row]!, (word) => put(word, row));
      for (let i = 0; i < firsts.length; i++)
        put(firsts[i]! + parts.combos[VALUE_FILTERS[i]!][combo[row]!]!, row);
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
