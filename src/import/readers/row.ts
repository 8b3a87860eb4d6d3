/**
 * Rows for verdicts: the declared columns of a record as trimmed text, and nothing else of it.
 * Never guesses what a header meant: a column is there by its exact name, or an alias of it, or it is missing.
 */

import type { Row } from '../../city/define.ts';
import { ShingleError } from '../../errors.ts';
import { countEdits } from '../../listings/edits.ts';
import { makeNamesDistinct } from './header-names.ts';
import type { ReadTally } from './utf8.ts';

/** What a source declares of its columns: those that must be there, and those that may be missing. */
export type RowSpec = {
  columns: readonly string[];
  optional: readonly string[];
  aliases?: Aliases | undefined;
  /** Where the city names a column: `city.yaml:23`. */
  locate?: (column: string) => string | undefined;
  /** Findings look at the other columns, too: at all of them until they know which are `used`. */
  others?: { readonly used: ReadonlySet<string> | undefined } | undefined;
  /** The line of the header, for messages. `undefined` if the file has no header, so that its columns are numbered. Default 1. */
  headerLine?: number | undefined;
  /** Counts what is read. */
  tally?: ReadTally | undefined;
};

/** Other names of a column, tried in this order if a file does not have the column itself. */
export type Aliases = { readonly [column: string]: readonly string[] | undefined };

export type NumberedRow = { line: number; row: Row };

/** A damaged row that a reader passed over. */
export type RejectedRow = { line: number; reason: string };

type Cells = readonly string[];

/** What a row was made of, for its getters and `readCell`. A verdict has no name for these. */
const CELLS = Symbol('cells');
const COLUMNS = Symbol('columns');
const RECORD = Symbol('record');
const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];
const NAMES_SHOWN = 8;
const LONGEST_NAME_SHOWN = 60;
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
const UNPRINTABLES = new RegExp(UNPRINTABLE, 'gu');

/**
 * Makes rows of the cells under `header` (as the file has it). Declared columns are getters over the cells, so that
 * the many columns nobody asks for cost nothing; reading one that is not declared throws `city`.
 * Throws `source` where the header lacks a column or has a name that is a trap in JavaScript.
 */
export function openRowReader(header: readonly string[], spec: RowSpec) {
  const names = nameColumns(header);
  const found = findPositions(names, spec);
  const declared: number[] = [];
  const shape: object = Object.create(refuseUnknownColumns([...found.keys()]));
  for (const [column, position] of found) {
    const at = position === undefined ? -1 : declared.push(position) - 1;
    const get = function (this: WholeRow) {
      return tidyText(this[CELLS][at] ?? '');
    };
    Object.defineProperty(shape, column, { get, enumerable: true });
  }
  const others = spec.others === undefined ? [] : [...names.keys()].filter((at) => !declared.includes(at));
  const columns = new Map([...declared, ...others].map((position, at) => [names[position]!, at]));
  Object.defineProperty(shape, COLUMNS, { value: columns });
  const isUsed = (position: number) => spec.others?.used?.has(names[position]!);
  let positions = [...declared, ...others];
  let isNarrowed = spec.others === undefined;
  return {
    /**
     * Where the declared columns are under the header, and after them the other columns that are looked at. Negative if no text is
     * needed. May change from row to row.
     */
    listPositions(): readonly number[] {
      if (isNarrowed || spec.others?.used === undefined) return positions;
      isNarrowed = true;
      positions = [...declared, ...others.map((position) => (isUsed(position) ? position : -1))];
      return positions;
    },
    /** Makes a row of the cells at these positions, in that order; `record` is what `readCell` reads instead of cells. */
    rowOf(cells: Cells, record?: Record<string, unknown>): Row {
      const row: WholeRow = Object.create(shape);
      row[CELLS] = cells;
      if (record !== undefined) row[RECORD] = record;
      return row;
    },
  };
}

type WholeRow = Row & {
  [CELLS]: Cells;
  /** Where each column is among the cells. */
  readonly [COLUMNS]: ReadonlyMap<string, number>;
  [RECORD]?: Record<string, unknown>;
};

/** How findings look at a row that was read with `others`; see `FindingsWatch`. */
export const ROW_ACCESS = { listColumns, readCell };

/** All columns of the record that a row was made of, declared or not. */
function listColumns(row: Row): string[] {
  const { [RECORD]: record, [COLUMNS]: columns } = row as WholeRow;
  return record === undefined ? [...columns.keys()].filter((name) => name !== '') : Object.keys(record);
}

/** The text of any column, declared or not; `''` if the row has no such column. For findings: never stored, never given to a verdict. */
function readCell(row: Row, column: string): string {
  const { [RECORD]: record, [COLUMNS]: columns, [CELLS]: cells } = row as WholeRow;
  if (record === undefined) return tidyText(cells[columns.get(column) ?? -1] ?? '');
  const value = Object.hasOwn(record, column) ? record[column] : '';
  if (value === null || value === undefined) return '';
  return tidyText(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** An error `source`: the column is not in what the file has instead. `where` says where that was looked for. */
export function findMissingColumn(
  column: string,
  found: readonly string[],
  { where, line }: { where: string; line?: string | undefined },
): ShingleError {
  const next = line === undefined ? '' : `. Change it in ${line}`;
  return new ShingleError(
    'source',
    `column "${column}" is missing: ${where} ${insteadOf(column, found)}${next}`,
  );
}

/** The names of columns as profiles use them: tidied, and of several with one name the second is `Name 2`. */
export function nameColumns(header: readonly string[]): string[] {
  return makeNamesDistinct(header.map(tidyText));
}

function findPositions(header: readonly string[], spec: RowSpec): Map<string, number | undefined> {
  const { headerLine } = 'headerLine' in spec ? spec : { headerLine: 1 };
  const seen = new Map<string, number>();
  for (const [at, name] of header.entries()) {
    if (FORBIDDEN.includes(name))
      throw new ShingleError(
        'source',
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
  const [first, ...others] = missing;
  if (first !== undefined) {
    const also =
      others.length === 0
        ? ''
        : `; ${others.map((column) => `"${column}"`).join(', ')} ${others.length === 1 ? 'is' : 'are'} missing too`;
    const error = findMissingColumn(first, header, { where, line: spec.locate?.(first) });
    throw new ShingleError('source', `${error.message}${also}`);
  }
  return new Map([...spec.columns, ...spec.optional].map((column) => [column, seen.get(nameOf(column))]));
}

/** The name of a column in a file: its own, else the first alias that the file has. */
export function findName(
  column: string,
  aliases: Aliases | undefined,
  isThere: (name: string) => boolean,
): string {
  return isThere(column) ? column : (aliases?.[column]?.find(isThere) ?? column);
}

/** The end of every row's prototype chain: whatever gets here was not declared. */
function refuseUnknownColumns(columns: readonly string[]): object {
  return new Proxy(Object.prototype, {
    get(target, key) {
      // Promises look for `then`, JSON.stringify for `toJSON`: neither is the profile reading a column.
      if (typeof key === 'symbol' || key in target || key === 'then' || key === 'toJSON')
        return Reflect.get(target, key);
      throw new ShingleError(
        'city',
        `the profile reads the column "${key}", which it does not declare. Declared columns: ${insteadOf(key, columns)}`,
      );
    },
  });
}

/** Text without its outer space, control and bidi characters; tabs and line breaks inside become a space. */
export function tidyText(text: string): string {
  if (!UNPRINTABLE.test(text)) return text.trim();
  return text.replace(LINE_BREAKS, ' ').replace(UNPRINTABLES, '').trim();
}

/** `"LICENCENO" (nearest)`, or the first of what there is. */
function insteadOf(wanted: string, found: readonly string[]): string {
  const names = found.filter((name) => name !== '');
  const nearest = names
    .map((name) => ({ name, far: countEdits(wanted.toLowerCase(), name.toLowerCase(), LONGEST_NAME_SHOWN) }))
    .sort((a, b) => a.far - b.far)[0];
  if (nearest === undefined) return 'nothing';
  if (nearest.far <= Math.max(2, wanted.length / 3)) return `"${formatFoundName(nearest.name)}" (nearest)`;
  const rest = names.length - NAMES_SHOWN;
  const first = names.slice(0, NAMES_SHOWN).map((name) => `"${formatFoundName(name)}"`);
  return first.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** Shortens a name for messages on terminals and in logs: it may be long, and hold line breaks and escape sequences. */
export function formatFoundName(text: string): string {
  const name = tidyText(text);
  return name.length > LONGEST_NAME_SHOWN ? `${name.slice(0, LONGEST_NAME_SHOWN)}...` : name;
}
