/**
 * Checks the register, its file and its profile: `one-status`, `ragged-rows`, `no-first-date`, `unread-sheet`,
 * `merged-cells`, `placeholders`, `stale`.
 */

import type { City } from '../../city/define.ts';
import { UNDATED } from '../../city/mapping/mapped-source.ts';
import { describePlaceholderFix, findPlaceholders } from '../../city/placeholders.ts';
import { addDays, type Day, toDayNumber } from '../../listings/day.ts';
import { rememberTexts } from '../../listings/remember.ts';
import { readStatusWord } from '../statuses.ts';
import type { Evidence } from './evidence.ts';
import { type FindingCheck, isMoreThan, listNames, makeFinding, type ShownFinding } from './finding.ts';

/** Matches reasons for which the reader of a table rejects a row. */
const RAGGED = /^(?:ragged row|stray quote|unclosed quote)$/;
export const STALE_DAYS = 45;
const UNDATED_SHARE = 0.25;

/** The rows of a run and the reasons for rejecting some. */
export type RowSums = {
  read: number;
  openings: number;
  skipped: Readonly<Record<string, number>>;
  rejected: readonly { reason: string; count: number; lines: readonly number[] }[];
};

export function findRaggedRows({ read, rejected }: RowSums): ShownFinding | undefined {
  const ragged = rejected.filter(({ reason }) => RAGGED.test(reason));
  const count = ragged.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return undefined;
  const examples = ragged
    .flatMap(({ lines, reason }) => lines.map((line) => `line ${line}: ${reason}`))
    .slice(0, 5);
  return makeFinding(count === 1 ? 'raggedRow' : 'raggedRows', { count, of: read, examples });
}

/** Finds rows left out because they lack a filing date, if there are too many for licenses that are not issued yet. */
export function findUndated({ openings, skipped }: RowSums): ShownFinding | undefined {
  const count = skipped[UNDATED] ?? 0;
  const of = openings + count;
  return isMoreThan(UNDATED_SHARE, count, of) ? makeFinding('undated', { count, of }) : undefined;
}

export function findProfilePlaceholders(city: City): ShownFinding | undefined {
  const fields = findPlaceholders(city);
  if (fields.length === 0) return undefined;
  const values = {
    fields: `${fields.join(', ')} ${fields.length === 1 ? 'is' : 'are'}`,
    fix: describePlaceholderFix(fields, 'the profile'),
  };
  return { ...makeFinding('placeholders', { count: fields.length, of: 1, values }), share: 0 };
}

/** The contents of a workbook besides the rows that were read. */
export type WorkbookRest = {
  /** The other sheets with rows. `sameShape`: they have the same columns as the sheet that is read. */
  unreadSheets: { name: string; rows: number; sameShape: boolean }[];
  /** Number of cells filled from a merged cell that covers them. */
  mergedCells: number;
};

export function findFileDoubts({ unreadSheets, mergedCells }: WorkbookRest, { read }: RowSums) {
  const same = unreadSheets.filter(({ sameShape }) => sameShape);
  const count = same.reduce((sum, { rows }) => sum + rows, 0);
  const sheets = same.length === 1 ? 'a second sheet' : `${same.length} other sheets`;
  const examples = same.map(({ name, rows }) => `${name}: ${rows} rows`);
  return [
    same.length > 0
      ? makeFinding('unreadSheet', { count, of: read + count, examples, values: { sheets } })
      : undefined,
    mergedCells > 0 ? makeFinding('mergedCells', { count: mergedCells, of: read }) : undefined,
  ];
}

/** Finds a newest filing that is too old for a maintained register. Archives may be old. */
export function findStale(city: City, newest: Day | null, today: Day): ShownFinding | undefined {
  const hasEnded = city.asOf !== undefined || city.archive === true;
  if (hasEnded || newest === null || newest >= addDays(today, -STALE_DAYS)) return undefined;
  const values = { days: toDayNumber(today) - toDayNumber(newest), newest, most: STALE_DAYS };
  return { ...makeFinding('stale', { count: 1, of: 1, values }), share: 0 };
}

/** Maximum share of "closed" openings in a column that the profile does not read. */
const CLOSED_SHARE = 0.05;
const FEWEST = 50;

export function openStatusCheck({ status }: Evidence): FindingCheck {
  const counts = { open: 0, other: 0, saysClosed: 0 };
  const readWord = rememberTexts(readStatusWord);
  return {
    see(opening, cell, { weight }) {
      if (opening.status === 'open') counts.open += weight;
      else if (opening.status !== 'unknown') counts.other += weight;
      const word = status === undefined ? 'unknown' : readWord(cell(status));
      if (word === 'closed' || word === 'abandoned') counts.saysClosed += weight;
    },
    find(openings) {
      const { open, other, saysClosed: count } = counts;
      if (openings >= FEWEST && open === 0 && other > openings * 0.99)
        return [makeFinding('allClosed', { count: openings, of: openings })];
      if (status === undefined || other > 0 || !isMoreThan(CLOSED_SHARE, count, openings)) return [];
      return [makeFinding('allOpen', { count, of: openings, values: { column: listNames([status]) } })];
    },
  };
}
