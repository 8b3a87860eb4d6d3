/**
 * Rows for verdicts: the declared columns of a record as trimmed text, and nothing else of it.
 * Never guesses what a header meant: a column is there by its exact name, or an alias of it, or it is missing.
 */

import type { Row } from '../../city/define.ts';
import { ShingleError } from '../../errors.ts';
import { countEdits } from '../../listings/edits.ts';

/** What a source declares of its columns: those that must be there, and those that may be missing. */
export type RowSpec = {
  columns: readonly string[];
  optional: readonly string[];
  aliases?: Aliases | undefined;
};

/** Other names of a column, tried in this order if a file does not have the column itself. */
export type Aliases = { readonly [column: string]: readonly string[] | undefined };

export type NumberedRow = { line: number; row: Row };

type Cells = readonly string[];

const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];
const NAMES_SHOWN = 8;
const LONGEST_NAME_SHOWN = 60;
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
const UNPRINTABLES = new RegExp(UNPRINTABLE, 'gu');

/**
 * Makes rows of the cells under `header` (as the file has it). Declared columns are getters over the cells, so that
 * the many columns nobody asks for cost nothing; reading one that is not declared throws `city`.
 * Throws `source` where the header lacks a column, names one twice or has a name that is a trap in JavaScript.
 */
export function openRowReader(header: readonly string[], spec: RowSpec): (cells: Cells) => Row {
  const positions = positionsOf(header.map(tidyText), spec);
  const cellsOf = Symbol('cells');
  const shape: object = Object.create(refuseUnknownColumns([...positions.keys()]));
  for (const [column, at] of positions) {
    const get = function (this: { [cellsOf]: Cells }) {
      return tidyText(this[cellsOf][at] ?? '');
    };
    Object.defineProperty(shape, column, { get, enumerable: true });
  }
  return (cells) => {
    const row = Object.create(shape);
    row[cellsOf] = cells;
    return row;
  };
}

/** Throws `source`: the column is not in what the file has instead. `where` says where that was looked for. */
export function findMissingColumn(column: string, found: readonly string[], where: string): ShingleError {
  return new ShingleError('source', `column "${column}" is missing: ${where} ${insteadOf(column, found)}`);
}

function positionsOf(header: readonly string[], spec: RowSpec): Map<string, number> {
  const seen = new Map<string, number>();
  for (const [at, name] of header.entries()) {
    if (FORBIDDEN.includes(name))
      throw new ShingleError(
        'source',
        `the header on line 1 has a column named "${name}", which is not allowed`,
      );
    if (name !== '' && seen.has(name))
      throw new ShingleError('source', `the header on line 1 has the column "${formatText(name)}" twice`);
    if (name !== '') seen.set(name, at);
  }
  const nameOf = (column: string) => findName(column, spec.aliases, (name) => seen.has(name));
  for (const column of spec.columns) {
    if (!seen.has(nameOf(column))) throw findMissingColumn(column, header, 'the header on line 1 has');
  }
  return new Map(
    [...spec.columns, ...spec.optional].map((column) => [column, seen.get(nameOf(column)) ?? -1]),
  );
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
function tidyText(text: string): string {
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
  if (nearest.far <= Math.max(2, wanted.length / 3)) return `"${formatText(nearest.name)}" (nearest)`;
  const rest = names.length - NAMES_SHOWN;
  const first = names.slice(0, NAMES_SHOWN).map((name) => `"${formatText(name)}"`);
  return first.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** For messages, which end up on terminals and in logs: the keys of JSON may hold line breaks and escape sequences. */
function formatText(text: string): string {
  const name = tidyText(text);
  return name.length > LONGEST_NAME_SHOWN ? `${name.slice(0, LONGEST_NAME_SHOWN)}...` : name;
}
