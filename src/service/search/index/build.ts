/**
 * Builds an index from batches of rows in any order. Collects the rows as columns, without an object for each row,
 * then sorts them in result order, numbers their values and builds the sets. Reads neither the store nor the clock.
 */

import { openValueNames, type ValueNames } from '../../../shared/city/value-names.ts';
import type { Day } from '../../../shared/day.ts';
import { deriveStatus, LEAST_SHARED, type StoredListing } from '../../../shared/listing.ts';
import { perFilter, searchParameters, VALUE_FILTERS, type ValueFilter } from '../../../shared/question.ts';
import { rememberTexts } from '../../../shared/remember.ts';
import { hashUnits } from '../../../shared/text/hash.ts';
import { compareCodeUnits, joinSpelled, makeSuppressionTest } from '../../../shared/words.ts';
import {
  type Arrival,
  type Codes,
  firstSetOf,
  firstTypeSetOf,
  type IndexBuffers,
  packTexts,
} from '../index-buffers.ts';
import { fillSets } from '../sets.ts';
import { splitIndexWords } from '../words/query-terms.ts';
import { sumByValue } from './tally.ts';

/** An input row of a build. The builder computes whether the listing has expired. */
export type BuildRow = Omit<StoredListing, 'source'>;

export type BuildOptions = {
  version: string;
  day: Day;
  /** The day up to which the register knows whether a license was renewed. Default: `day`. */
  knownUntil?: Day;
  suppressed: readonly string[];
  editions?: IndexBuffers['editions'];
  /** The language of the names of values. Default: English. */
  language?: string | undefined;
};

const VALUE_OF: Record<ValueFilter, (row: BuildRow, options: { day: Day; names: ValueNames }) => string> = {
  category: ({ category }, { names }) => names.nameOf('category', category),
  neighborhood: ({ neighborhood }, { names }) => names.nameOf('neighborhood', neighborhood),
  status: (row, { day }) => deriveStatus(row, day),
};

export function openIndexBuilder({
  version,
  day,
  knownUntil = day,
  suppressed,
  editions = [],
  language,
}: BuildOptions) {
  const isSuppressed = makeSuppressionTest(suppressed);
  const rows = openRows();
  const options = { day: knownUntil, names: openValueNames({ language }) };
  return {
    add(batch: readonly BuildRow[]): void {
      for (const row of batch) if (!isSuppressed(row)) addRow(rows, row, options);
    },
    /** Returns the index buffers for `listTransferables` and `openIndex`. The builder cannot be used again. */
    finish: (): IndexBuffers => ({ version, day, editions, ...arrangeRows(rows) }),
  };
}

type Rows = ReturnType<typeof openRows>;

function openRows() {
  return {
    values: perFilter((filter) => openCoder(searchParameters[filter].known)),
    /** The combination of values of each row: their codes, in the order of `VALUE_FILTERS`. */
    combo: openCodedColumn<readonly number[]>(String),
    day: openCodedColumn<Day>(),
    arrival: openCodedColumn(nameArrival),
    place: openNumberColumn(),
    names: [] as string[],
    type: openCodedColumn<string | undefined>(),
    keys: [] as string[],
    words: openDictionary(),
  };
}

const nameArrival = ({ at, kind, edition }: Arrival) => `${at} ${kind} ${edition}`;

function addRow(
  { values, combo, day, arrival, place, names, type, keys, words }: Rows,
  row: BuildRow,
  options: { day: Day; names: ValueNames },
): void {
  combo.add(VALUE_FILTERS.map((filter) => values[filter].codeOf(VALUE_OF[filter](row, options))));
  day.add(row.filedOn);
  const { arrivedAt: at, isNews, edition } = row;
  const kind = isNews ? 'news' : row.arrival === 0 ? 'baseline' : 'late';
  arrival.add({ at, kind, edition: (isNews && edition) || '' });
  place.add(row.arrival);
  names.push(row.name);
  type.add(row.type);
  keys.push(row.key);
  words.add(row.name);
}

function arrangeRows(rows: Rows): Omit<IndexBuffers, 'version' | 'day' | 'editions'> {
  const { values, combos, comboRanks } = arrangeCombos(rows);
  const days = rankValues(rows.day.things(), (a, b) => (a < b ? 1 : -1));
  const order = sortRows(rows, days.ranks, comboRanks);
  const combo = arrangeColumn(order, combos.count.length, (row) => comboRanks[rows.combo.at(row)]!);
  const filedOn = arrangeColumn(order, days.sorted.length, (row) => days.ranks[rows.day.at(row)]!);
  for (const code of combo) combos.count[code]!++;
  const arrivals = rankValues(rows.arrival.things(), (a, b) =>
    compareCodeUnits(nameArrival(b), nameArrival(a)),
  );
  const arrived = arrangeColumn(
    order,
    arrivals.sorted.length,
    (row) => arrivals.ranks[rows.arrival.at(row)]!,
  );
  const most = order.reduce((max, row) => Math.max(max, rows.place.at(row)), 0);
  const places = arrangeColumn(order, most + 1, (row) => rows.place.at(row));
  return {
    size: order.length,
    values,
    combos,
    combo,
    days: days.sorted,
    filedOn,
    arrivals: arrivals.sorted,
    arrived,
    places,
    news: sortNews({ arrivals: arrivals.sorted, arrived, places }),
    names: packTexts(Array.from(order, (row) => rows.names[row]!)),
    identities: order.map((row) => identify({ key: rows.keys[row]!, name: rows.names[row]! })),
    ...makeSets(rows, order, { combo, combos, values }),
  };
}

/** Returns a hash of a listing (FNV-1a). Two of a million share one with a probability of 1 in 4,300 each. */
export function identify({ key, name }: Pick<BuildRow, 'key' | 'name'>): number {
  return hashUnits(`${key} ${name}`);
}

/** Sorts values by code unit, and combinations by their first value, then their second, and so on. */
function arrangeCombos({ values, combo }: Rows) {
  const ranked = perFilter((filter) => rankValues(values[filter].things()));
  const rankCodes = (codes: readonly number[]) =>
    VALUE_FILTERS.map((filter, i) => ranked[filter].ranks[codes[i]!]!);
  const { sorted, ranks } = rankValues(combo.things().map(rankCodes), compareLists);
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
 * Sorts rows in result order: newest filing first, then name, then key, by code unit. `dayRanks` and `comboRanks` give
 * the position of each code. Two sources may have a listing with the same date, name and key: these are sorted by their
 * values, so the result never depends on the order of rows.
 */
function sortRows({ day, names, keys, combo }: Rows, dayRanks: Uint32Array, comboRanks: Uint32Array) {
  const rankOf = (row: number) => dayRanks[day.at(row)]!;
  const starts = new Uint32Array(dayRanks.length + 1);
  for (let row = 0; row < names.length; row++) starts[rankOf(row) + 1]!++;
  for (let rank = 0; rank < dayRanks.length; rank++) starts[rank + 1]! += starts[rank]!;
  const next = starts.slice();
  const order = new Uint32Array(names.length);
  for (let row = 0; row < names.length; row++) order[next[rankOf(row)]!++] = row;
  const compare = (a: number, b: number) =>
    compareCodeUnits(names[a]!, names[b]!) ||
    compareCodeUnits(keys[a]!, keys[b]!) ||
    comboRanks[combo.at(a)]! - comboRanks[combo.at(b)]!;
  for (let rank = 0; rank < dayRanks.length; rank++)
    order.subarray(starts[rank]!, starts[rank + 1]!).sort(compare);
  return order;
}

/** Sorts the rows of news: the newest arrival first, then by place. No two listings that are stored have both alike. */
function sortNews({ arrivals, arrived, places }: Pick<IndexBuffers, 'arrivals' | 'arrived' | 'places'>) {
  const news = Uint32Array.from(arrived.keys().filter((row) => arrivals[arrived[row]!]!.kind === 'news'));
  const byTime = new Map(arrivals.map(({ at }, i) => [at, i]));
  const ranks = arrivals.map(({ at }) => byTime.get(at)!);
  return news.sort((a, b) => ranks[arrived[a]!]! - ranks[arrived[b]!]! || places[a]! - places[b]! || a - b);
}

function makeSets(
  rows: Rows,
  order: Uint32Array,
  { combo, ...parts }: Pick<IndexBuffers, 'combo' | 'combos' | 'values'>,
): Pick<IndexBuffers, 'words' | 'types' | 'sets'> {
  const { words, counts, eachWord } = rows.words.finish();
  const sums = sumByValue(parts, parts.combos.count);
  const firsts = VALUE_FILTERS.map((filter) => firstSetOf({ words, ...parts }, filter));
  const types = chooseTypes(rows);
  const firstType = firstTypeSetOf({ words, ...parts });
  const all = Uint32Array.from([counts, ...sums, types.counts].flatMap((group) => [...group]));
  const sets = fillSets(all, order.length, (put) => {
    for (let row = 0; row < order.length; row++) {
      eachWord(order[row]!, (word) => put(word, row));
      for (let i = 0; i < firsts.length; i++)
        put(firsts[i]! + parts.combos[VALUE_FILTERS[i]!][combo[row]!]!, row);
      const type = types.placeOf[rows.type.at(order[row]!)]!;
      if (type >= 0) put(firstType + type, row);
    }
  });
  return { words, types: types.chosen, sets };
}

/** Sorts the types that enough rows share. `placeOf` has the position of each code, or -1. */
function chooseTypes({ type, names }: Rows) {
  const things = type.things();
  const counts = new Uint32Array(things.length);
  for (let row = 0; row < names.length; row++) counts[type.at(row)]!++;
  const isChosen = (code: number) => things[code] !== undefined && counts[code]! >= LEAST_SHARED;
  const codes = [...things.keys()].filter(isChosen).sort((a, b) => compareCodeUnits(things[a]!, things[b]!));
  const placeOf = new Int32Array(things.length).fill(-1);
  for (const [place, code] of codes.entries()) placeOf[code] = place;
  return { chosen: codes.map((code) => things[code]!), counts: codes.map((code) => counts[code]!), placeOf };
}

function arrangeColumn(order: Uint32Array, bound: number, code: (row: number) => number): Codes {
  const filled: Codes = new (bound <= 0x10000 ? Uint16Array : Uint32Array)(order.length);
  for (let i = 0; i < filled.length; i++) filled[i] = code(order[i]!);
  return filled;
}

/** Maximum cached pieces of names, to limit the memory of a build. Caching avoids splitting frequent pieces again. */
const MOST_PIECES = 50_000;

function openDictionary() {
  const ids = openCoder<string>();
  const tokens = openNumberColumn();
  const ends = openNumberColumn();
  const wordsOf = rememberTexts((piece) => splitIndexWords(piece).map(ids.codeOf), MOST_PIECES);

  return {
    add(name: string): void {
      const start = tokens.length;
      ends.add(start);
      for (const piece of joinSpelled(name).split(' ')) {
        for (const id of wordsOf(piece)) if (!tokens.includes(id, start)) tokens.add(id);
      }
    },
    /** Returns all words by code unit, the number of rows with each, and a function that lists the words of a row. */
    finish() {
      ends.add(tokens.length);
      const joined = findJoinedWords(ids.things(), tokens, ends);
      const { sorted, ranks } = rankValues(ids.things());
      const counts = new Uint32Array(sorted.length);
      for (let i = 0; i < tokens.length; i++) counts[ranks[tokens.at(i)]!]!++;
      for (const more of joined.values()) for (const id of more) counts[ranks[id]!]!++;
      function eachWord(row: number, use: (word: number) => void): void {
        for (let i = ends.at(row), end = ends.at(row + 1); i < end; i++) use(ranks[tokens.at(i)]!);
        for (const id of joined.get(row) ?? NONE) use(ranks[id]!);
      }
      return { words: packTexts(sorted), counts, eachWord };
    },
  };
}

const NONE: readonly number[] = [];

/** Minimum letters of each part of a joined word. Single letters would make too many joined words. */
const SHORTEST_PART = 2;
const SHORTEST_JOINED = 5;

/** Finds the rows with the two parts of a joined word side by side, such as `day care` for `daycare`. */
function findJoinedWords(
  words: readonly string[],
  tokens: NumberColumn,
  ends: NumberColumn,
): ReadonlyMap<number, readonly number[]> {
  const { isFirst, joints } = splitWordsOnce(words);
  const joined = new Map<number, number[]>();
  for (let row = 0; row + 1 < ends.length; row++)
    for (let i = ends.at(row) + 1, end = ends.at(row + 1); i < end; i++) {
      const first = tokens.at(i - 1);
      const id = isFirst[first] === 1 ? joints.get(first * words.length + tokens.at(i)) : undefined;
      if (id === undefined || tokens.includes(id, ends.at(row), end)) continue;
      const more = joined.getOrInsertComputed(row, () => []);
      if (!more.includes(id)) more.push(id);
    }
  return joined;
}

/**
 * Splits each word into two other words in every way. `joints` has the whole word by its parts, as one number. Names have
 * many more neighbors than there are words.
 */
function splitWordsOnce(words: readonly string[]) {
  const idOf = new Map(words.map((word, id) => [word, id]));
  const isFirst = new Uint8Array(words.length);
  const joints = new Map<number, number>();
  for (const [id, word] of words.entries()) {
    if (word.length < SHORTEST_JOINED) continue;
    for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++) {
      const first = idOf.get(word.slice(0, at));
      const second = first === undefined ? undefined : idOf.get(word.slice(at));
      if (first === undefined || second === undefined) continue;
      isFirst[first] = 1;
      joints.set(first * words.length + second, id);
    }
  }
  return { isFirst, joints };
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

/** Opens a column of values that many rows share. Stores each value once, and a code for each row. */
function openCodedColumn<T>(keyOf?: (thing: T) => unknown) {
  const coder = openCoder<T>([], keyOf);
  const codes = openNumberColumn();
  const add = (thing: T): void => codes.add(coder.codeOf(thing));
  return { add, at: codes.at, things: coder.things };
}

/** Sorts values. `ranks[code]` is the position of the value with this code. */
function rankValues<T>(
  things: readonly T[],
  compare?: (a: T, b: T) => number,
): { sorted: T[]; ranks: Uint32Array } {
  const sorted = things.toSorted(compare);
  const places = new Map(sorted.map((thing, place) => [thing, place]));
  return { sorted, ranks: Uint32Array.from(things, (thing) => places.get(thing)!) };
}
