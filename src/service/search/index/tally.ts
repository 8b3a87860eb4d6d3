/** Counts listings by value and by month, for an entire index or for a set of rows. */

import type { Dimension, Facets } from '../../../shared/answers.ts';
import { type Day, monthOf } from '../../../shared/day.ts';
import type { Counts } from '../../../shared/listing.ts';
import { listMonths } from '../../../shared/periods.ts';
import { perFilter, VALUE_FILTERS, type ValueFilter } from '../../../shared/question.ts';
import { findFirst } from '../../../shared/sorted.ts';
import type { IndexBuffers } from '../index-buffers.ts';
import { countBitsIn, type RowSet } from '../sets.ts';

/** Counts of one dimension for each value of another. Omits values without matches. */
export type Pairs = readonly { value: string; counts: Counts }[];

type Values = Pick<IndexBuffers, 'values' | 'combos'>;

/** Lists values by their sums, highest first, ties by code unit, as values are sorted. Omits values without listings. */
function listSums({ values }: Pick<Values, 'values'>, filter: ValueFilter, sums: Uint32Array): Counts {
  const used: Counts[number][] = [];
  for (let i = 0; i < sums.length; i++)
    if (sums[i]! > 0) used.push({ value: values[filter][i]!, count: sums[i]! });
  return used.sort((a, b) => b.count - a.count);
}

/**
 * Counts each value of each filter, ignoring that filter: a combination counts where it misses no other one. `misses` has a
 * bit for each filter, in the order of `VALUE_FILTERS`.
 */
export function sumByValue(
  parts: Values,
  perCombo: Uint32Array,
  misses: Uint8Array = new Uint8Array(perCombo.length),
): Uint32Array[] {
  const columns = VALUE_FILTERS.map((filter) => parts.combos[filter]);
  const sums = VALUE_FILTERS.map((filter) => new Uint32Array(parts.values[filter].length));
  for (let i = 0; i < perCombo.length; i++) {
    if (perCombo[i] === 0) continue;
    for (let at = 0; at < columns.length; at++)
      if ((misses[i]! & ~(1 << at)) === 0) sums[at]![columns[at]![i]!]! += perCombo[i]!;
  }
  return sums;
}

export function listFacets(parts: Values, perCombo: Uint32Array, misses?: Uint8Array): Facets {
  const sums = sumByValue(parts, perCombo, misses);
  return perFilter((filter) => listSums(parts, filter, sums[VALUE_FILTERS.indexOf(filter)]!));
}

export type Calendar = ReturnType<typeof openCalendar>;

/**
 * Opens the calendar of an index, from the newest day or today back to the oldest day, but not before 1900-01: all months, newest
 * first and without gaps, and their numbers. `ofDay[code]` is the number of a day's month. The rows of a month are from
 * `starts[month]` to the next start, because rows are sorted by their day.
 */
export function openCalendar({ days, day: today, filedOn, size }: IndexBuffers) {
  const newest = monthOf(days[0] !== undefined && days[0] > today ? days[0] : today);
  const oldest = [monthOf(days.at(-1) ?? today), FIRST_MONTH].toSorted()[0]!;
  const months = listMonths(oldest, newest).reverse();
  const numbers = new Map(months.map((month, i) => [month, i]));
  const ofDay = Uint32Array.from(days, (day) => numbers.get(monthOf(day))!);
  const starts = Uint32Array.from({ length: months.length + 1 }, (_, month) =>
    findFirst(size, (row) => ofDay[filedOn[row]!]! - month),
  );
  return { months, numbers, ofDay, starts };
}

const FIRST_MONTH = '1900-01';

/** The requested days, or `''` if not given. `newest` is the newest day to count. */
export type MonthRange = { filed_from: Day | ''; filed_to: Day | ''; newest: Day };

/** Lists the requested months with their counts, newest first. An open range ends at the last month with listings. */
export function countByMonth(
  { months, numbers }: Calendar,
  perMonth: Uint32Array,
  { filed_from, filed_to, newest }: MonthRange,
): Counts {
  const isCounted = (count: number): boolean => count > 0;
  const first = perMonth.findIndex(isCounted);
  const last = perMonth.findLastIndex(isCounted);
  if (first === -1 && (filed_from === '' || filed_to === '')) return [];
  // -1 if the month is not in the calendar
  const numberOf = (day: Day): number => numbers.get(monthOf(day)) ?? -1;
  const asked = filed_to === '' ? first : numberOf(filed_to < newest ? filed_to : newest);
  const to = asked === -1 ? months.length : asked;
  const from =
    filed_from === '' ? last : Math.max(last, numberOf(filed_from > FIRST_MONTH ? filed_from : FIRST_MONTH));
  return months.slice(to, from + 1).map((value, i) => ({ value, count: perMonth[to + i]! }));
}

const NONE = new Uint32Array(0);

/** Counts the rows of each combination. The loops call no function for each row, which would take twice as long. */
export function countByCombo(
  { combo, combos }: Pick<IndexBuffers, 'combo' | 'combos'>,
  { rows = NONE, bits = NONE }: RowSet,
): Uint32Array {
  const perCombo = new Uint32Array(combos.count.length);
  for (let i = 0; i < rows.length; i++) perCombo[combo[rows[i]!]!]!++;
  for (let i = 0; i < bits.length; i++)
    for (let left = bits[i]!; left !== 0; left &= left - 1)
      perCombo[combo[i * 32 + 31 - Math.clz32(left & -left)]!]!++;
  return perCombo;
}

/** Counts the rows of each month, whose rows are side by side. */
export function countRowsByMonth({ months, starts }: Calendar, { rows, bits }: RowSet): Uint32Array {
  const perMonth = new Uint32Array(months.length);
  let at = 0;
  for (let month = 0; month < months.length; month++) {
    const end = starts[month + 1]!;
    if (end === starts[month]) continue;
    if (rows === undefined) perMonth[month] = countBitsIn(bits, starts[month]!, end);
    else {
      const before = at;
      while (at < rows.length && rows[at]! < end) at++;
      perMonth[month] = at - before;
    }
  }
  return perMonth;
}

/** Counts rows by two dimensions. */
export function listPairs(
  parts: IndexBuffers,
  calendar: Calendar,
  rows: Uint32Array,
  dimensions: readonly [outer: Dimension, inner: Dimension],
): Pairs {
  const [outer, inner] = dimensions.map((dimension) => openDimension(parts, calendar, dimension));
  const width = inner!.names.length;
  const cells = new Uint32Array(outer!.names.length * width);
  const outerTotals = new Uint32Array(outer!.names.length);
  const innerTotals = new Uint32Array(width);
  for (const row of rows) {
    const a = outer!.codes[outer!.column[row]!]!;
    const b = inner!.codes[inner!.column[row]!]!;
    cells[a * width + b]!++;
    outerTotals[a]!++;
    innerTotals[b]!++;
  }
  const columns = inner!.order(innerTotals);
  return outer!.order(outerTotals).map((a) => ({
    value: outer!.names[a]!,
    counts: columns.flatMap((b) => {
      const count = cells[a * width + b]!;
      return count === 0 ? [] : { value: inner!.names[b]!, count };
    }),
  }));
}

/** Opens a dimension: the value of a row is `names[codes[column[row]]]`. `order` lists the values that have rows. */
function openDimension(
  { combo, combos, filedOn, values }: IndexBuffers,
  { months, ofDay }: Calendar,
  dimension: Dimension,
) {
  const names = dimension === 'month' ? months : values[dimension];
  const listUsed = (totals: Uint32Array) => [...names.keys()].filter((i) => totals[i]! > 0);
  if (dimension === 'month') return { names, column: filedOn, codes: ofDay, order: listUsed };
  const compare = (totals: Uint32Array) => (a: number, b: number) =>
    totals[b]! - totals[a]! || (names[a]! < names[b]! ? -1 : 1);
  const order = (totals: Uint32Array) => listUsed(totals).sort(compare(totals));
  return { names, column: combo, codes: combos[dimension], order };
}
