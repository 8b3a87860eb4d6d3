/** Profiles the columns of an unknown export: words of their headers and statistics of their values. Pure; keeps few values. */

import { DAY_FORMATS, type DayFormat, parseDay } from '../city/days.ts';

export type Sample = {
  columns: readonly string[];
  rows: readonly Readonly<Record<string, string>>[];
};

/** Statistics of a column. Shares are of its filled cells, except `filled`, which is of all rows. */
export type Column = {
  name: string;
  /** The header's words in lower case, separated by spaces. */
  header: string;
  filled: number;
  distinct: number;
  /** Values with their counts, most frequent first; at most 60. */
  values: readonly (readonly [string, number])[];
  /** The date format of most of its cells, and their share. */
  day: { format: DayFormat; share: number } | undefined;
  numeric: number;
  letters: number;
  length: number;
};

export function profileColumn(name: string, rows: Sample['rows']): Column {
  const counts = new Map<string, number>();
  let filled = 0;
  let [numeric, letters, length] = [0, 0, 0];
  for (const row of rows) {
    const value = row[name] ?? '';
    if (value === '') continue;
    filled++;
    length += value.length;
    if (/^-?\d+(\.\d+)?$/.test(value)) numeric++;
    if (/\p{L}{2}/u.test(value)) letters++;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const of = Math.max(1, filled);
  return {
    name,
    header: wordsIn(name).join(' '),
    filled: filled / Math.max(1, rows.length),
    distinct: counts.size,
    values: [...counts].sort((a, b) => b[1] - a[1]).slice(0, 60),
    day: guessDayFormat(counts, filled),
    numeric: numeric / of,
    letters: letters / of,
    length: length / of,
  };
}

/** `LocationStartDate`, `location_start_date`, `LOCATION START DATE` and `LOCATIONSTARTDATE` are the same words. */
function wordsIn(header: string): string[] {
  return header
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => splitGluedWord(word) ?? [word])
    .map((word) => SHORT.get(word) ?? word);
}

/** Abbreviations and their meanings. */
const SHORT = new Map(
  'lic=license licence=license bus=business cat=category desc=description descr=description dt=date dttm=date num=number nbr=number no=number exp=expiration eff=effective loc=location addr=address iss=issued stat=status naic=naics tp=taxpayer nm=name cd=code'
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

const GLUED = [
  ...SHORT.keys(),
  ...'account activity address area begin board business category certificate city class close closed code commence community company corp council county created creation date dba description district document effective end entity entry expiration expire expires expiry fictitious file filed filing full id industry issue issued key kind latitude legal license location longitude mail mailing name naics neighborhood number open opened opening origin original outlet owner ownership permit phone postal received record register registered registration renewal site start started state status street tax taxpayer trade type unit update updated ward zip zipcode'.split(
    ' ',
  ),
].sort((a, b) => b.length - a.length);

/** Splits a header without gaps into known words; `undefined` if that is not possible. */
function splitGluedWord(word: string): string[] | undefined {
  if (word === '') return [];
  for (const known of GLUED) {
    if (!word.startsWith(known)) continue;
    const rest = splitGluedWord(word.slice(known.length));
    if (rest !== undefined) return [known, ...rest];
  }
  return undefined;
}

function guessDayFormat(counts: ReadonlyMap<string, number>, filled: number): Column['day'] {
  if (filled === 0) return undefined;
  const best = DAY_FORMATS.map((format) => {
    let sound = 0;
    for (const [value, count] of counts) if (isLikely(parseDay(value, format))) sound += count;
    return { format, share: sound / filled };
  }).sort((a, b) => b.share - a.share)[0]!;
  return best.share >= 0.8 ? best : undefined;
}

/** A plausible date in a business register: in the last century or this one. */
function isLikely(day: string | undefined): boolean {
  return day !== undefined && day > '1900-01-01' && day < '2100';
}

export type Weighted = readonly (readonly [RegExp, number])[];

/** The total score of a column's header. */
export function scoreColumn({ header }: Column, weights: Weighted): number {
  return weights.reduce((sum, [words, weight]) => (words.test(header) ? sum + weight : sum), 0);
}

/** Columns with a score above 0, best first. With equal scores, the first column wins. */
export function rankColumns(columns: readonly Column[], score: (column: Column) => number): Column[] {
  return columns
    .map((column) => ({ column, score: score(column) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ column }) => column);
}

/** Evidence for a column: how many rows have it, and how many different values it has. */
export function describeFill({ filled, distinct }: Column): string {
  return `${formatShare(filled)} of the rows have it, ${distinct} different`;
}

export function formatShare(share: number): string {
  return `${Math.round(share * 100)} %`;
}
