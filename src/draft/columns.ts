/** Columns of an unknown export, looked at over the whole file: what their headers say, and what stands in them. Pure. */

import { splitHeader } from './headers.ts';
import type { ExportTable, TableColumn } from './table.ts';

/** One column, looked at. Shares are of its filled cells, but `filled`, which is of all rows. */
export type Column = TableColumn & {
  /** The header's words, lower case, with spaces between. */
  header: string;
  rows: number;
  filled: number;
  distinct: number;
  /** Values and how often, most frequent first; without the empty one. */
  values: readonly (readonly [string, number])[];
  numeric: number;
  letters: number;
  length: number;
};

export function profileColumns({ columns, rows }: ExportTable): Column[] {
  return columns.map((column) => profileColumn(column, rows));
}

function profileColumn(column: TableColumn, rows: number): Column {
  const counts = new Array<number>(column.texts.length).fill(0);
  for (const code of column.codes) counts[code]!++;
  const values = column.texts
    .map((text, code) => [text, counts[code]!] as const)
    .filter(([text, count]) => text !== '' && count > 0)
    .sort((a, b) => b[1] - a[1]);
  const filled = countRows(values);
  const share = (test: (text: string) => boolean) =>
    countRows(values.filter(([text]) => test(text))) / Math.max(1, filled);
  return {
    ...column,
    header: splitHeader(column.name).join(' '),
    rows,
    filled: filled / Math.max(1, rows),
    distinct: values.length,
    values,
    numeric: share((text) => /^-?\d+(\.\d+)?$/.test(text)),
    letters: share((text) => /\p{L}{2}/u.test(text)),
    length: values.reduce((sum, [text, count]) => sum + text.length * count, 0) / Math.max(1, filled),
  };
}

export function countRows(values: Column['values']): number {
  return values.reduce((sum, [, count]) => sum + count, 0);
}

/** The share of a column's filled cells that pass. */
export function shareOf({ values }: Column, test: (text: string) => boolean): number {
  return countRows(values.filter(([text]) => test(text))) / Math.max(1, countRows(values));
}

/** The share of the most frequent value among the filled cells. */
export function topShare({ values }: Column): number {
  return (values[0]?.[1] ?? 0) / Math.max(1, countRows(values));
}

export type Weighted = readonly (readonly [RegExp, number])[];

/** What a column's header is worth: the best of the patterns that it matches, so that overlapping ones do not add up. */
export function scoreColumn({ header }: Pick<Column, 'header'>, weights: Weighted): number {
  return Math.max(0, ...weights.filter(([words]) => words.test(header)).map(([, weight]) => weight));
}

/** Those that score above 0, the best first; of equals the first. */
export function rankColumns(columns: readonly Column[], score: (column: Column) => number): Column[] {
  return columns
    .map((column) => ({ column, score: score(column) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ column }) => column);
}

/** Evidence for a column: how many rows have it, and in how many ways. */
export function describeFill({ filled, distinct }: Column): string {
  return `${formatShare(filled)} of the rows have it, ${distinct} different`;
}

export function formatShare(share: number): string {
  return share > 0 && share < 0.01 ? 'less than 1 %' : `${Math.round(share * 100)} %`;
}
