/** `date-choice`: an earlier day in another column, one day for many openings, years of two digits that are not read. */

import { parseDay } from '../../city/days.ts';
import type { Row, Source } from '../../city/define.ts';
import { readCell } from '../sources/row.ts';
import { type FindingCheck, formatOpenings, isMoreThan, keepExample, makeFinding } from './check.ts';
import type { ColumnRoles } from './column-roles.ts';
import { formatFindingShare, type ShownFinding } from './finding.ts';

const EARLIER_SHARE = 0.5;
const ONE_DAY_SHARE = 0.3;
const FEWEST_FOR_A_DAY = 100;
/** A feed of what is new holds few days by its nature. */
const FEWEST_DAYS_OF_A_FEED = 60;
const SHORT_YEAR_SHARE = 0.01;
const FIRST_DAY = '1900-01-02';

export type FilingDateCheck = FindingCheck & {
  /** A row that was rejected, of the first ones. */
  seeRejected(row: Row): void;
};

export function openFilingDateCheck(
  { dates, shortYears }: ColumnRoles,
  { delivers }: Pick<Source, 'delivers'>,
): FilingDateCheck {
  const earlier = dates.map(({ column, format }) => ({ column, format, count: 0, examples: [] as string[] }));
  const days = new Map<string, number>();
  const unread = { rows: 0, isRead: false, examples: [] as string[] };
  let compared = 0;
  return {
    see({ name, filedOn }, row, weight) {
      days.set(filedOn, (days.get(filedOn) ?? 0) + weight);
      compared += weight;
      unread.isRead ||= shortYears.some((column) => readCell(row, column) !== '');
      for (const other of earlier) {
        const day = parseDay(readCell(row, other.column), other.format);
        if (day === undefined || day >= filedOn || day < FIRST_DAY) continue;
        other.count += weight;
        keepExample(other.examples, `${name}: filed ${filedOn}, ${other.column} ${day}`);
      }
    },
    seeRejected(row) {
      const column = shortYears.find((one) => readCell(row, one) !== '');
      if (column === undefined) return;
      unread.rows++;
      keepExample(unread.examples, `${column} ${readCell(row, column)}`);
    },
    find(openings) {
      const causes = [
        findEarlier(earlier, compared, openings),
        delivers === 'changes' && days.size < FEWEST_DAYS_OF_A_FEED ? undefined : findOneDay(days, openings),
        findShortYears(shortYears, unread, openings),
      ].filter((cause) => cause !== undefined);
      if (causes.length === 0) return [];
      const [worst] = causes.toSorted((a, b) => b.share - a.share);
      const detail = causes.map((cause) => cause.detail).join('; ');
      return [{ ...worst!, detail, examples: causes.flatMap(({ examples }) => examples).slice(0, 5) }];
    },
  };
}

type Earlier = { column: string; count: number; examples: string[] };

function findEarlier(all: readonly Earlier[], compared: number, of: number): ShownFinding | undefined {
  const [most] = all.toSorted((a, b) => b.count - a.count);
  if (most === undefined || !isMoreThan(EARLIER_SHARE, most.count, compared)) return undefined;
  const share = most.count / compared;
  const detail = `"${most.column}" is earlier than the filing date on ${formatFindingShare(share)} of the openings: the filing date may be that of a renewal`;
  const fix = `in the verdict, use the day of the first filing for filedOn, such as "${most.column}"`;
  return makeFinding('date-choice', 'stop', { count: share * of, of, detail, examples: most.examples, fix });
}

function findOneDay(days: ReadonlyMap<string, number>, of: number): ShownFinding | undefined {
  const [day, count = 0] = [...days].sort((a, b) => b[1] - a[1])[0] ?? [];
  if (of < FEWEST_FOR_A_DAY || !isMoreThan(ONE_DAY_SHARE, count, of)) return undefined;
  const detail = `${formatOpenings(count, of)} share the filing date ${day}`;
  const fix =
    'in the verdict, use another column for filedOn, or reject() the day that stands for "not known"';
  return makeFinding('date-choice', 'stop', {
    count,
    of,
    detail,
    examples: [`${day}: ${count} openings`],
    fix,
  });
}

/** A profile that reads them states which century is meant; one that does not has no day and rejects the row. */
function findShortYears(
  columns: readonly string[],
  { rows: count, isRead, examples }: { rows: number; isRead: boolean; examples: readonly string[] },
  openings: number,
): ShownFinding | undefined {
  const of = openings + count;
  if (isRead || !isMoreThan(SHORT_YEAR_SHARE, count, of)) return undefined;
  const names = columns.map((one) => `"${one}"`).join(', ');
  const detail = `years have two digits in ${names}, and ${count.toLocaleString('en')} such rows are rejected: the profile does not say which century is meant`;
  const fix = 'in the verdict, read the day for filedOn with a stated pivot year';
  return makeFinding('date-choice', 'stop', { count, of, detail, examples, fix });
}
