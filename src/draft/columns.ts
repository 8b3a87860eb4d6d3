/** Columns of an unknown export, looked at over the whole file: what their headers say, and what stands in them. Pure. */

import type { Table, TableColumn } from '../registers/table.ts';

/** One column, looked at over the rows that are kept. Shares are of its filled cells, but `filled`, which is of all these rows. */
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

export function profileColumns({ columns, rows }: Table): Column[] {
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

/** The words of a header, lower case, short forms written out. */
function splitHeader(header: string): string[] {
  return header
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => splitGluedWord(word) ?? [word])
    .map((word) => SHORT.get(word) ?? word);
}

/** What short forms stand for. */
const SHORT = new Map(
  'lic=license licence=license bus=business cat=category desc=description descr=description dt=date dttm=date num=number nbr=number no=number exp=expiration eff=effective loc=location addr=address iss=issued stat=status naic=naics tp=taxpayer nm=name cd=code lat=latitude lng=longitude lon=longitude neighbourhood=neighborhood nbhd=neighborhood nhood=neighborhood appl=application app=application biz=business acct=account lgl=legal own=owner inactv=inactive licns=license lics=license strt=start mun=municipality'
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

const LONGEST_GLUED = 60;
const GLUED = [
  ...SHORT.keys(),
  ...'account activity address anniversary applicant application area begin board business category certificate city class close closed code commenced commence community company corp council county created creation date dba description district document effective end entity entry expiration expire expires expiry fictitious file filed filing full home id inactive individual industry inside outside limits issue issued key kind latitude legal license location longitude mail mailing name naics neighborhood number of on open opened opening origin original outlet owner ownership permit person phone point postal product purpose reason received record register registered registration renewal site start started state subtype status street tax taxpayer town trade type unit update updated ward zip zipcode'.split(
    ' ',
  ),
].sort((a, b) => b.length - a.length);

/** A header without gaps as the words it is glued of; `undefined` where it is not made of words we know. */
function splitGluedWord(word: string, failed = new Set<number>()): string[] | undefined {
  if (word === '') return [];
  if (word.length > LONGEST_GLUED || failed.has(word.length)) return undefined; // each end of the word is tried once
  for (const known of GLUED) {
    if (!word.startsWith(known)) continue;
    const rest = splitGluedWord(word.slice(known.length), failed);
    if (rest !== undefined) return [known, ...rest];
  }
  failed.add(word.length);
  return undefined;
}
