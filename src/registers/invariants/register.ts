/** `ragged-rows`, `placeholders` and `stale`: what is said of the file and the profile as a whole. */

import type { City } from '../../city/define.ts';
import { describePlaceholderFix, findPlaceholders } from '../../city/placeholders.ts';
import { addDays, type Day, toDayNumber } from '../../listings/day.ts';
import { makeFinding, type ShownFinding } from './finding.ts';

/** The reasons for which the reader of a table rejects a row. */
const RAGGED = /^(?:ragged row|stray quote|unclosed quote)$/;
export const STALE_DAYS = 45;

/** Rows of a run and the reasons for which some were rejected. */
export type RowSums = {
  read: number;
  rejected: readonly { reason: string; count: number; lines: readonly number[] }[];
};

export function findRaggedRows({ read, rejected }: RowSums): ShownFinding | undefined {
  const ragged = rejected.filter(({ reason }) => RAGGED.test(reason));
  const count = ragged.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return undefined;
  const detail =
    count === 1
      ? '1 row does not fit the header or has a stray quote; rejected'
      : `${count.toLocaleString('en')} rows do not fit the header or have stray quotes; rejected`;
  const examples = ragged
    .flatMap(({ lines, reason }) => lines.map((line) => `line ${line}: ${reason}`))
    .slice(0, 5);
  const fix =
    'correct the file, or raise rejectedShare if this many damaged rows are normal for the register';
  return makeFinding('ragged-rows', 'warn', {
    count,
    of: read,
    detail,
    examples,
    fix,
    word: 'rejectedShare',
  });
}

export function findProfilePlaceholders(city: City): ShownFinding | undefined {
  const fields = findPlaceholders(city);
  if (fields.length === 0) return undefined;
  const detail = `${fields.join(', ')} ${fields.length === 1 ? 'is' : 'are'} still as drafted`;
  const fix = describePlaceholderFix(fields, 'the profile');
  return { ...makeFinding('placeholders', 'warn', { count: fields.length, of: 1, detail, fix }), share: 0 };
}

/** What a workbook holds besides the rows that were read. */
export type WorkbookRest = {
  /** The other sheets with rows; `sameShape`: with the columns of the one that is read. */
  unreadSheets: { name: string; rows: number; sameShape: boolean }[];
  /** Cells that have the text of the merged cell that covers them. */
  mergedCells: number;
};

export function findFileDoubts({ unreadSheets, mergedCells }: WorkbookRest, { read }: RowSums) {
  const same = unreadSheets.filter(({ sameShape }) => sameShape);
  const unread = same.reduce((sum, { rows }) => sum + rows, 0);
  const sheets = same.length === 1 ? 'a second sheet' : `${same.length} other sheets`;
  return [
    same.length > 0 &&
      makeFinding('unread-sheet', 'warn', {
        ...{
          count: unread,
          of: read + unread,
          examples: same.map(({ name, rows }) => `${name}: ${rows} rows`),
        },
        detail: `${sheets} of the same shape with ${unread.toLocaleString('en')} rows is not read`,
        fix: 'save all rows in one sheet, or name the sheet to read (from: sheet)',
        word: 'from',
      }),
    mergedCells > 0 &&
      makeFinding('merged-cells', 'warn', {
        ...{ count: mergedCells, of: read },
        detail: `${mergedCells.toLocaleString('en')} cells are filled from merged cells above or beside them`,
        fix: 'check that a merged cell counts for all rows that it covers',
        word: 'from',
      }),
  ].map((finding) => finding || undefined);
}

/** The newest filing is too old for a register that is kept up; of an archive it may be. */
export function findStale(city: City, newest: Day | null, today: Day): ShownFinding | undefined {
  if (
    city.asOf !== undefined ||
    city.archive === true ||
    newest === null ||
    newest >= addDays(today, -STALE_DAYS)
  )
    return undefined;
  const days = toDayNumber(today) - toDayNumber(newest);
  const detail = `the newest filing is ${days} days old (${newest}), more than ${STALE_DAYS}`;
  const fix = 'import a newer file, or set archive: true if the register has ended';
  return { ...makeFinding('stale', 'warn', { count: 1, of: 1, detail, fix }), share: 0 };
}
