/**
 * Builds an index from batches of rows in any order. Collects them as columns, without an object for each row,
 * then sorts them in result order, numbers their values and makes the sets. Uses no store and no clock.
 */

import type { Day } from '../../listings/day.ts';
import { deriveStatus } from '../../listings/listing.ts';
import { rememberTexts } from '../../listings/remember.ts';
import { compareCodeUnits, makeSuppressionTest, splitIndexWords } from '../../listings/words.ts';
import type { BuildRow } from '../listing-index.ts';
import { perFilter, searchParameters, VALUE_FILTERS, type ValueFilter } from '../parameters.ts';
import { makeLetterMasks } from '../words/spelling.ts';
import {
  allocateCodes,
  type Codes,
  escapeJson,
  firstSetOf,
  type IndexBuffers,
  packTexts,
  renderDayPieces,
  renderTailPieces,
  type Texts,
} from './index-buffers.ts';
import { fillSets } from './sets.ts';
import { sumByValue } from './stats.ts';

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

/** Maximum cached pieces of names. Frequent pieces are split only once; the limit bounds the memory of a build. */
const MOST_PIECES = 50_000;

/** All words by code unit, the number of rows with each, and the words of a row. */
type SortedWords = {
  words: Texts;
  counts: Uint32Array<ArrayBuffer>;
  eachWord(row: number, use: (word: number) => void): void;
};

function openDictionary() {
  const ids = openCoder<string>();
  const tokens = openNumberColumn();
  const ends = openNumberColumn();
  const wordsOf = rememberTexts((piece) => splitIndexWords(piece).map(ids.codeOf), MOST_PIECES);

  return {
    add(name: string): void {
      const start = tokens.length;
      ends.add(start);
      for (const piece of name.split(' ')) {
        for (const id of wordsOf(piece)) if (!tokens.includes(id, start)) tokens.add(id);
      }
    },
    finish(): SortedWords {
      ends.add(tokens.length);
      const words = ids.things();
      return inOrder(words, tokens, { ends, joined: findJoinedWords(words, tokens, ends) });
    },
  };
}

function inOrder(
  words: string[],
  tokens: NumberColumn,
  { ends, joined }: { ends: NumberColumn; joined: ReadonlyMap<number, readonly number[]> },
): SortedWords {
  const { sorted, ranks } = rankValues(words);
  const counts = new Uint32Array(sorted.length);
  for (let i = 0; i < tokens.length; i++) counts[ranks[tokens.at(i)]!]!++;
  for (const more of joined.values()) for (const id of more) counts[ranks[id]!]!++;
  return {
    words: packTexts(sorted),
    counts,
    eachWord(row, use) {
      for (let i = ends.at(row), end = ends.at(row + 1); i < end; i++) use(ranks[tokens.at(i)]!);
      for (const id of joined.get(row) ?? NONE) use(ranks[id]!);
    },
  };
}

const NONE: readonly number[] = [];

/** Minimum length of a joined word's parts. Single letters would give too many words. */
const SHORTEST_PART = 2;
const SHORTEST_JOINED = 5;

/** Finds joined words in rows that have their two parts side by side, such as `day care` for `daycare`. */
function findJoinedWords(
  words: readonly string[],
  tokens: NumberColumn,
  ends: NumberColumn,
): ReadonlyMap<number, readonly number[]> {
  const isPart = words.map(({ length }) => length >= SHORTEST_PART);
  const idOf = new Map(
    [...words.entries()].flatMap(([id, word]) =>
      word.length < SHORTEST_JOINED ? [] : [[word, id] as const],
    ),
  );
  const joined = new Map<number, number[]>();
  for (let row = 0; row + 1 < ends.length; row++)
    for (let i = ends.at(row) + 1, end = ends.at(row + 1); i < end; i++) {
      const [first, second] = [tokens.at(i - 1), tokens.at(i)];
      if (!isPart[first] || !isPart[second]) continue;
      const id = idOf.get(words[first]! + words[second]!);
      if (id === undefined || tokens.includes(id, ends.at(row), end)) continue;
      const more = joined.getOrInsertComputed(row, () => []);
      if (!more.includes(id)) more.push(id);
    }
  return joined;
}

type NumberColumn = ReturnType<typeof openNumberColumn>;

function openNumberColumn() {
  let numbers = new Uint32Array(1 << 10);
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(n: number): void {
      if (length === numbers.length) numbers = new Uint32Array(numbers.buffer.transfer(length * 8));
      numbers[length++] = n;
    },
    at: (i: number): number => numbers[i]!,
    /** Returns whether `n` is at a position from `from` to `to` (exclusive). */
    includes(n: number, from: number, to = length): boolean {
      for (let i = from; i < to; i++) if (numbers[i] === n) return true;
      return false;
    },
  };
}

/**
 * Numbers values from 0: first the `known` ones, then the others in order of first occurrence. Values with the same key
 * have the same number.
 */
function openCoder<T>(known: readonly T[] = [], keyOf: (thing: T) => unknown = (thing) => thing) {
  const things = [...known];
  const codes = new Map(things.map((thing, code) => [keyOf(thing), code]));
  return {
    codeOf(thing: T): number {
      const key = keyOf(thing);
      const code = codes.get(key);
      if (code !== undefined) return code;
      codes.set(key, things.length);
      return things.push(thing) - 1;
    },
    things: (): T[] => things,
  };
}

/** Sorts values. Returns them with `ranks`: `ranks[code]` is the position of a value. */
function rankValues<T>(
  things: readonly T[],
  compare?: (a: T, b: T) => number,
): { sorted: T[]; ranks: Uint32Array } {
  const sorted = things.toSorted(compare);
  const places = new Map(sorted.map((thing, place) => [thing, place]));
  return { sorted, ranks: Uint32Array.from(things, (thing) => places.get(thing)!) };
}
