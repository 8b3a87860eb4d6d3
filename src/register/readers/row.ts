/**
 * Makes rows for verdicts. A row has the declared columns of a record as trimmed text, found by exact name or alias. Of the file
 * `Name,Fax,Opened` and a profile that declares `Name` and `Opened`, a row is an object with two getters on its prototype, and beside these
 * the cells as they stand: `{ [CELLS]: ['Alder Bakery', '2026-03-02', '555 0100'] }`, first the declared ones, then those for findings.
 */

import { cityError, sourceError } from '../../shared/errors.ts';
import { findNearest } from '../../shared/text/edits.ts';
import { joinFirst } from '../../shared/text/numbers.ts';
import type { Row } from '../profile/define.ts';
import type { HeaderRows } from '../profile/formats.ts';
import { repairText } from './repair-text.ts';
import type { ReadTally } from './utf8.ts';

export type RowSpec = {
  columns: readonly string[];
  optional: readonly string[];
  aliases?: Aliases | undefined;
  /** Returns where the profile names a column: `city.yaml:23`. */
  locate?: (column: string) => string | undefined;
  /** Other columns that findings examine: all of them until `used` is known. */
  others?: { readonly used: ReadonlySet<string> | undefined } | undefined;
  /** The line of the header, for messages. Default: 1. `undefined`: there is no header, so columns are numbered. */
  headerLine?: number | undefined;
  tally?: ReadTally | undefined;
};

/** Other names of a column, tried in this order if a file lacks the column. */
export type Aliases = { readonly [column: string]: readonly string[] | undefined };

export type NumberedRow = { line: number; row: Row };

export type RejectedRow = { line: number; reason: string };

/** The key of a row's cells, for getters and `readCell`. Verdicts cannot use it, because it is a symbol. */
const CELLS = Symbol('cells');
const COLUMNS = Symbol('columns');
const NAMES = Symbol('names');
const RECORD = Symbol('record');
const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];
const MOST_COLUMNS = 300;
const NAMES_SHOWN = 8;
const LONGEST_NAME_SHOWN = 60;
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Matches an address on several lines, from the house number to a postal code, which are its parts. */
const ADDRESS_LINES = /^\d+[^\d\n\r]+[^\n\r]*[^,\s]\s*[\n\r].*(?:\d{4}|[A-Z]\d[A-Z] ?\d[A-Z]\d)/s;
const UNPRINTABLES = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/** Matches a text that cannot be printed, or that `repairText` may repair. One pattern, because each cell is tested. */
const UNTIDY = /[\0-\x1f&\x7f-\x9f\xc2-\xf4\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

/**
 * Opens a reader of rows. Columns are getters, so unused columns cost nothing. Throws `source` for an invalid header; a
 * row throws `city` for an undeclared column. With `Name` and `Opened` declared, a row below `Name,Fee,Opened` is this object:
 *
 *     { [CELLS]: ['Ace Cafe', '2026-01-31', '12'] }, whose prototype all rows share:
 *       { Name, Opened (getters of the first cells), [COLUMNS]: { Name: 0, Opened: 1, Fee: 2 }, [NAMES]: [Name, Opened, Fee] },
 *         whose prototype is a proxy that throws for every other name, such as `Fee`, which only `readCell` reads
 */
export function openRowReader(header: readonly string[], spec: RowSpec) {
  const names = nameColumns(header);
  const found = findPositions(names, spec);
  const declared: number[] = [];
  let shape: object = Object.create(refuseUnknownColumns([...found.keys()]));
  for (const [column, position] of found) {
    const at = position === undefined ? -1 : declared.push(position) - 1;
    const get = function (this: WholeRow) {
      return this[CELLS][at] ?? '';
    };
    Object.defineProperty(shape, column, { get, enumerable: true });
  }
  const others = spec.others === undefined ? [] : [...names.keys()].filter((at) => !declared.includes(at));
  let positions = [...declared, ...others];
  let isNarrowed = spec.others === undefined;
  const indexColumns = () => new Map(positions.map((position, at) => [names[position]!, at]));
  const named = positions.map((at) => names[at]).filter((name) => name !== '');
  Object.defineProperties(shape, { [COLUMNS]: { value: indexColumns() }, [NAMES]: { value: named } });
  /** Drops the columns that findings no longer need. */
  const narrow = (used: ReadonlySet<string>) => {
    positions = [...declared, ...others.filter((position) => used.has(names[position]!))];
    shape = Object.create(shape, { [COLUMNS]: { value: indexColumns() } });
    isNarrowed = true;
  };
  /** Makes a row from the cells that `readText` returns. If `record` is given, `readCell` reads the record. */
  return (readText: (position: number) => string, record?: Record<string, unknown>): Row => {
    if (!isNarrowed && spec.others?.used !== undefined) narrow(spec.others.used);
    const row: WholeRow = Object.create(shape);
    // verdicts read most declared cells several times, and findings read few of the others
    row[CELLS] = positions.map((position, at) =>
      at < declared.length ? tidyText(readText(position)) : readText(position),
    );
    if (record !== undefined) row[RECORD] = record;
    return row;
  };
}

type WholeRow = Row & {
  [CELLS]: string[];
  readonly [COLUMNS]: ReadonlyMap<string, number>;
  readonly [NAMES]: readonly string[];
  [RECORD]?: Record<string, unknown>;
};

/** A specification that declares no columns. Use `listColumns` and `readCell` to read the rows. */
export const ALL_COLUMNS: RowSpec = { columns: [], optional: [], others: { used: undefined } };

/** Lists all columns of a row's record, declared or not. Rows below the same header return the same list. */
export function listColumns(row: Row): readonly string[] {
  const { [RECORD]: record, [NAMES]: names } = row as WholeRow;
  return record === undefined ? names : Object.keys(record);
}

/** Reads any column, declared or not. Returns `''` if it does not exist. Only findings may use this, never verdicts. */
export function readCell(row: Row, column: string): string {
  const { [RECORD]: record, [COLUMNS]: columns, [CELLS]: cells } = row as WholeRow;
  if (record === undefined) return tidyText(cells[columns.get(column) ?? -1] ?? '');
  return Object.hasOwn(record, column) ? tidyText(formatValue(record[column])) : '';
}

/** Formats a value of JSON as text. Null is `''`, texts of a list are joined by `; `, other values are their JSON text. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.toWellFormed();
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (isList) return value.join('; ').toWellFormed();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Throws `source` if columns are missing. `where` says where they were expected: `the header on line 1 has`. */
export function refuseMissing(
  missing: readonly string[],
  found: readonly string[],
  { where, locate }: { where: string; locate?: RowSpec['locate'] },
): void {
  const [first, ...others] = missing;
  if (first === undefined) return;
  const line = locate?.(first);
  const next = line === undefined ? '' : `. Change it in ${line}`;
  const names = others.map((column) => `"${column}"`).join(', ');
  const also = others.length === 0 ? '' : `; ${names} ${others.length === 1 ? 'is' : 'are'} missing too`;
  throw sourceError(`column "${first}" is missing: ${where} ${insteadOf(first, found)}${next}${also}`);
}

function findPositions(header: readonly string[], spec: RowSpec): Map<string, number | undefined> {
  const { headerLine } = 'headerLine' in spec ? spec : { headerLine: 1 };
  const seen = new Map<string, number>();
  for (const [at, name] of header.entries()) {
    if (FORBIDDEN.includes(name))
      throw sourceError(
        `the header on line ${headerLine ?? 1} has a column named "${name}", which is not allowed`,
      );
    if (name !== '') seen.set(name, at);
  }
  const nameOf = (column: string) => findName(column, spec.aliases, (name) => seen.has(name));
  const where =
    headerLine === undefined
      ? 'the source is read without a header, so its columns are numbered:'
      : `the header on line ${headerLine} has`;
  const missing = spec.columns.filter((column) => !seen.has(nameOf(column)));
  const read = new Set([...spec.columns, ...spec.optional].map(nameOf));
  const unread = header.filter((name) => !read.has(name)); // another column that is read is not the missing one
  refuseMissing(missing, unread.some(Boolean) ? unread : header, { where, locate: spec.locate });
  return new Map([...spec.columns, ...spec.optional].map((column) => [column, seen.get(nameOf(column))]));
}

export function findName(
  column: string,
  aliases: Aliases | undefined,
  isThere: (name: string) => boolean,
): string {
  return isThere(column) ? column : (aliases?.[column]?.find(isThere) ?? column);
}

/** Makes the object at the end of every row's prototype chain. It throws for columns that were not declared. */
function refuseUnknownColumns(columns: readonly string[]): object {
  return new Proxy(Object.prototype, {
    get(target, key) {
      // promises look up `then`, and JSON.stringify looks up `toJSON`
      if (typeof key === 'symbol' || key in target || key === 'then' || key === 'toJSON')
        return Reflect.get(target, key);
      throw cityError(
        `the profile reads the column "${key}", which it does not declare. Declared columns: ${insteadOf(key, columns)}`,
      );
    },
  });
}

/** Trims a text, undoes damage that is certain, and removes what cannot be printed. Joins lines by spaces, those of an address by commas. */
export function tidyText(text: string): string {
  if (!UNTIDY.test(text)) return text.trim();
  const lines = repairText(text).trim();
  const between = ADDRESS_LINES.test(lines) ? ', ' : ' ';
  return lines.replace(LINE_BREAKS, between).replace(UNPRINTABLES, '').trim();
}

/** Formats the nearest name, or one that is part of the other, as `"LICENCENO" (nearest)`. If none is similar, lists the first names. */
function insteadOf(wanted: string, found: readonly string[]): string {
  const names = found.filter((name) => name !== '');
  if (names.length === 0) return 'nothing';
  const isPart = (name: string) => name.length > 3 && (wanted.includes(name) || name.includes(wanted));
  const nearest = findNearest(wanted, names, Math.max(2, wanted.length / 3)) ?? names.find(isPart);
  const quote = (name: string) => `"${formatFoundName(name)}"`;
  return nearest === undefined ? joinFirst(names.map(quote), NAMES_SHOWN) : `${quote(nearest)} (nearest)`;
}

/** Shortens a name for terminals and logs, and removes line breaks and escape sequences. */
export function formatFoundName(text: string): string {
  const name = tidyText(text);
  return name.length > LONGEST_NAME_SHOWN ? `${name.slice(0, LONGEST_NAME_SHOWN)}...` : name;
}

/** Throws `source` for a header of more columns than a register has. `where`: `line 1`. */
export function refuseColumns(count: number, where: string): void {
  if (count > MOST_COLUMNS)
    throw sourceError(
      `${where} has ${count} columns. At most ${MOST_COLUMNS} are allowed: delete those that are not needed`,
    );
}

export function listHeaderLines(header: HeaderRows = 1): readonly number[] {
  if (header === 'none') return [];
  return typeof header === 'number' ? [header] : header;
}

export function numberColumns(count: number): string[] {
  return Array.from({ length: count }, (_, at) => String(at + 1));
}

/** Joins two header rows. If names in the lower row repeat, the upper row names groups of columns. */
export function joinHeaderRows(rows: readonly (readonly string[])[]): string[] {
  const [upper = [], lower] = rows.map((row) => row.map((name) => name.trim()));
  if (lower === undefined) return [...(rows[0] ?? [])];
  const named = lower.filter((name) => name !== '');
  const above = new Set(named).size === named.length ? upper : fillRight(upper, lower);
  return Array.from({ length: Math.max(upper.length, lower.length) }, (_, at) => {
    const [first = '', second = ''] = [above[at], lower[at]];
    return first === '' || first === second ? second : `${first} ${second}`.trim();
  });
}

function fillRight(upper: readonly string[], lower: readonly string[]): string[] {
  let group = '';
  return upper.map((name, at) => {
    if (name !== '') group = name;
    return lower[at] === '' ? name : group;
  });
}

/** Returns whether a later row equals a row of the header. Ignores empty rows and single names, which may be data. */
export function isRepeatedHeader(
  headers: readonly (readonly string[])[],
  readText: (at: number) => string | undefined,
): boolean {
  return headers.some(
    (names) =>
      names.every((name, at) => readText(at) === name) && names.filter((name) => name !== '').length > 1,
  );
}

/** Names the columns of a header. Numbers repeated names, starting with `Name 2` and skipping numbers in use. */
export function nameColumns(header: readonly string[]): string[] {
  const names = header.map(tidyText);
  const taken = new Set(names);
  const numbers = new Map<string, number>();
  return names.map((name) => {
    let number = numbers.get(name);
    numbers.set(name, number ?? 1);
    if (name === '' || number === undefined) return name;
    do number++;
    while (taken.has(`${name} ${number}`));
    numbers.set(name, number);
    taken.add(`${name} ${number}`);
    return `${name} ${number}`;
  });
}
