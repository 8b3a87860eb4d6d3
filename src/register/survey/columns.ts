/** Surveys the cells of each column of an unknown register: counts them by text and by appearance. Ignores headers. */

import COLUMN_NEEDS from '../../data/column-needs.json' with { type: 'json' };
import { UNCATEGORIZED } from '../../shared/listing.ts';
import { kindOf } from '../profile/categories/kind.ts';
import { isMissing } from '../profile/mapping/cells.ts';
import { hasCompanyForm } from '../profile/people/company-forms.ts';
import { looksPersonal } from '../profile/people/personal-names.ts';
import { parsePoint, zipArea } from '../profile/places/place-text.ts';
import { forbidsRole, type HeaderRole, splitHeader, weighHeader } from './header-words.ts';
import type { Table, TableColumn } from './table.ts';

/** A column and its contents. Shares are 0 to 1: `filled` of all rows, the others of the filled cells. */
export type Column = TableColumn & {
  header: string;
  rows: number;
  total: number;
  filled: number;
  distinct: number;
  /** A sample of the distinct texts with their row counts, most frequent first, without texts that mean "empty". */
  values: readonly (readonly [text: string, rows: number])[];
  numeric: number;
  /** Share of the cells with words, 0 to 1. A record of JSON in a cell is no words. */
  letters: number;
  length: number;
};

export function describeColumns({ columns, rows, total }: Table): Column[] {
  return columns.map((column) => surveyColumn(column, { rows, total }));
}

function surveyColumn(column: TableColumn, { rows, total }: Omit<Table, 'columns'>): Column {
  const all = column.texts.map((text, code) => [text, column.counts[code] ?? 0] as const);
  const values = all.filter(([text, count]) => count > 0 && !isMissing(text)).sort((a, b) => b[1] - a[1]);
  const sample = sampleOf(values);
  return {
    ...column,
    rows,
    total,
    header: splitHeader(column.name),
    filled: 1 - countRows(all.filter(([text]) => isMissing(text))) / Math.max(1, total),
    distinct: values.length,
    values: thinOut(values, MOST_VALUES),
    numeric: shareIn(sample, (text) => /^-?\d+(?:[.,]\d+)?$/.test(text)),
    letters: shareIn(sample, (text) => /\p{L}{2}/u.test(text) && !/^[[{].*[\]}]$/s.test(text)),
    length:
      sample.reduce((sum, [text, count]) => sum + text.length * count, 0) / Math.max(1, countRows(sample)),
  };
}

const MOST_VALUES = 50_000;
const MOST_TRIED = 4_000;

/** Samples the distinct texts evenly, from the most to the least frequent. */
export function sampleOf(values: Column['values']): Column['values'] {
  return thinOut(values, MOST_TRIED);
}

/** Takes at most so many texts, evenly spread. */
export function thinOut(values: Column['values'], most: number): Column['values'] {
  const step = Math.ceil(values.length / most);
  return step <= 1 ? values : values.filter((_, i) => i % step === 0);
}

export function countRows(values: Column['values']): number {
  return values.reduce((sum, [, count]) => sum + count, 0);
}

/** Sums rows by what `keyOf` makes of their text or other value, most frequent first. Leaves out `undefined`. */
export function countBy<Key, Value = string>(
  values: readonly (readonly [value: Value, rows: number])[],
  keyOf: (value: Value) => Key | undefined,
): [key: Key, rows: number][] {
  const counts = new Map<Key, number>();
  for (const [value, rows] of values) {
    const key = keyOf(value);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + rows);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function shareIn(values: Column['values'], test: (text: string) => boolean): number {
  return countRows(values.filter(([text]) => test(text))) / Math.max(1, countRows(values));
}

const SHARES = new WeakMap<Column['values'], Map<(text: string) => boolean, number>>();

/**
 * Returns the share of a column's filled cells that pass a test. Samples the texts if there are many. Caches the share,
 * because several roles use the same test.
 */
export function shareOf({ values }: Pick<Column, 'values'>, test: (text: string) => boolean): number {
  const shares = SHARES.getOrInsertComputed(values, () => new Map());
  return shares.getOrInsertComputed(test, () => shareIn(sampleOf(values), test));
}

export function topShare({ values }: Column): number {
  return (values[0]?.[1] ?? 0) / Math.max(1, countRows(values));
}

/**
 * The shares of rows or cells by which columns are told apart. Only the order of the levels matters: if a threshold is
 * halved or doubled, 16 real registers still get the same columns.
 */
export const FEW = 0.05;
export const SOME = 0.25;
export const HALF = 0.5;
export const MOST = 0.7;
export const NEARLY_ALL = 0.9;

export const isPersonText = (text: string) => !hasCompanyForm(text) && looksPersonal(text);
export const isClearlyPersonText = (text: string) =>
  !hasCompanyForm(text) && looksPersonal(text, { isStrict: true });
export const namesTrade = (name: string) => kindOf({ name }) !== UNCATEGORIZED;
export const isZipText = (text: string) => text.length <= 10 && zipArea(text) !== undefined;
export const isPointText = (text: string) => parsePoint(text) !== undefined;
export const isContactText = (text: string) => /@|^https?:|^www\.|^\(?\+?\d[\d ().-]{6,}$/i.test(text);

/** Returns whether a text has a number and words, but is not a day: `12 Quay St`, `Calle Mayor 12`. */
export function isAddressText(text: string): boolean {
  return (
    text.length < 120 &&
    /\p{L}{2}/u.test(text) &&
    (/^\d+[\p{L}]?(?:[-/]\d+)?[ ,]+\p{L}/u.test(text) ||
      /\p{L}[ ,.]+\d+ ?[\p{L}]?(?:[-/]\d+\p{L}?)?$/u.test(text)) &&
    !/\d{1,2}[/.]\d{1,2}[/.]\d{2}/.test(text)
  );
}

type Fact = 'filled' | 'distinct' | 'numeric' | 'letters' | 'length';
/** The least and the most of each fact of a column that may have a role. */
const NEEDS: Partial<Record<HeaderRole, Partial<Record<Fact, readonly number[]>>>> = COLUMN_NEEDS;

/** Candidates with a score above 0, best first. Ties are in file order. */
export type Ranked<One extends Column = Column> = readonly { column: One; score: number }[];

/** Ranks the columns that a role may have. `weight` is how well the header names the role. Default score: `weight`. */
export function rankColumns<One extends Column>(
  columns: readonly One[],
  role: HeaderRole,
  score: (column: One, weight: number) => number = (_, weight) => weight,
): Ranked<One> {
  const needs = Object.entries(NEEDS[role] ?? {});
  return columns
    .filter((column) =>
      needs.every(([fact, [least = 0, most = Number.POSITIVE_INFINITY]]) => {
        const value = column[fact as Fact];
        return value >= least && value <= most;
      }),
    )
    .filter(({ header }) => !forbidsRole(header, role))
    .map((column) => ({ column, score: score(column, weighHeader(column.header, role)) }))
    .filter(({ score: points }) => points > 0)
    .sort((a, b) => b.score - a.score);
}

export function listColumns<One extends Column>(ranked: Ranked<One>): One[] {
  return ranked.map(({ column }) => column);
}

export function describeFill({ filled, distinct }: Column): string {
  return `${formatShare(filled)} of the rows have it, ${distinct} different`;
}

export function formatShare(share: number): string {
  return share > 0 && share < 0.01 ? 'less than 1 %' : `${Math.round(share * 100)} %`;
}
