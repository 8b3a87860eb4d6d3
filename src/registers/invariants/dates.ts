/**
 * `date-choice`, `current-licences`, `no-first-date` and `ambiguous-dates`: whether the filing date is that of a first filing. By the
 * other dates of the register, by the numbers of its licences, and by how the filing dates lie.
 */

import { parseDay } from '../../city/days.ts';
import type { Source } from '../../city/define.ts';
import { addDays, type Day, toDayNumber } from '../../listings/day.ts';
import { type DayColumn, isFirstDay, readDay } from '../days.ts';
import { forbidsRole, weighHeader } from '../header-words.ts';
import type { Evidence } from './evidence.ts';
import {
  type FindingCheck,
  formatFindingShare,
  formatOpenings,
  isMoreThan,
  makeFinding,
  openExamples,
  type ReadText,
  type ShownFinding,
} from './finding.ts';

const EARLIER_SHARE = 0.5;
const ONE_DAY_SHARE = 0.3;
const FEWEST_FOR_A_DAY = 100;
/** A feed of what is new holds few days by its nature. */
const FEWEST_DAYS_OF_A_FEED = 60;
const SHORT_YEAR_SHARE = 0.01;
const FIRST_DAY = '1900-01-02';

/** In two files of current licences 93 to 100 % of the days lay so near to the newest; in five registers of first filings 6 to 26 %. */
const ONE_TERM_DAYS = 400;
const ONE_TERM_SHARE = 0.9;
/** Licences of one year that all end on the last day of it. */
const EXPIRY_DAYS = 3;
const ONE_EXPIRY_SHARE = 0.9;
const EARLIER_NUMBER_SHARE = 0.5;
/** The filing date is this column's where it has the same day on so many openings. */
const SAME_SHARE = 0.9;

/** What is counted of one date column. */
type Watched = {
  day: DayColumn;
  earlier: number;
  same: number;
  filled: number;
  /** A cell was seen in which day and month cannot be swapped. */
  isSettled: boolean;
  examples: ReturnType<typeof openExamples>;
};

export type DatesCheck = FindingCheck & {
  /** A row that was rejected, of the first ones. */
  seeRejected(cell: ReadText): void;
};

export function openDatesCheck(evidence: Evidence, { delivers }: Pick<Source, 'delivers'>): DatesCheck {
  const { shortYears } = evidence;
  const watched = evidence.days.map(
    (day): Watched => ({
      day,
      earlier: 0,
      same: 0,
      filled: 0,
      isSettled: !day.reading.isAmbiguous,
      examples: openExamples(),
    }),
  );
  const days = new Map<Day, number>();
  const unread = { rows: 0, isRead: false, examples: openExamples() };
  const terms = openTermCount(evidence);
  let compared = 0;
  return {
    see({ name, filedOn }, cell, { weight }) {
      days.set(filedOn, (days.get(filedOn) ?? 0) + weight);
      compared += weight;
      unread.isRead ||= shortYears.some((column) => cell(column) !== '');
      for (const one of watched) compareDay(one, { name, filedOn, text: cell(one.day.column.name), weight });
      terms.see(filedOn, cell, weight);
    },
    seeRejected(cell) {
      const column = shortYears.find((one) => cell(one) !== '');
      if (column === undefined) return;
      unread.rows++;
      unread.examples.keep(`${column} ${cell(column)}`);
    },
    find(openings) {
      const isFeed = delivers === 'changes';
      const causes = [
        findEarlier(watched, compared, openings),
        isFeed && days.size < FEWEST_DAYS_OF_A_FEED ? undefined : findOneDay(days, openings),
        findShortYears(shortYears, { ...unread, examples: unread.examples.list() }, openings),
      ].filter((cause) => cause !== undefined);
      const [worst] = causes.toSorted((a, b) => b.share - a.share);
      const dateChoice = worst && {
        ...worst,
        detail: causes.map(({ detail }) => detail).join('; '),
        examples: causes.flatMap(({ examples }) => examples).slice(0, 5),
      };
      return [
        dateChoice,
        isFeed
          ? undefined
          : findCurrentLicences(days, terms, { openings, isPaper: isPaperDate(watched, compared) }),
        findNoFirstDate(watched, compared, openings),
        findAmbiguous(watched, compared, openings),
      ];
    },
  };
}

function compareDay(
  one: Watched,
  { name, filedOn, text, weight }: { name: string; filedOn: Day; text: string; weight: number },
): void {
  const { column, reading } = one.day;
  const day = text === '' ? undefined : readDay(text, reading);
  if (day === undefined) return;
  one.filled += weight;
  const swapped = reading.isAmbiguous
    ? parseDay(text, reading.formats[0] === 'M/D/YYYY' ? 'D/M/YYYY' : 'M/D/YYYY')
    : undefined;
  if (day === filedOn || swapped === filedOn) one.same += weight;
  if (swapped === undefined) one.isSettled = true;
  if (day >= filedOn || day < FIRST_DAY || forbidsRole(column.header, 'filed')) return;
  one.earlier += weight;
  one.examples.keep(`${name}: filed ${filedOn}, ${column.name} ${day}`);
}

function findEarlier(all: readonly Watched[], compared: number, of: number): ShownFinding | undefined {
  const [most] = all.toSorted((a, b) => b.earlier - a.earlier);
  if (most === undefined || !isMoreThan(EARLIER_SHARE, most.earlier, compared)) return undefined;
  const share = most.earlier / compared;
  const { name } = most.day.column;
  const detail = `"${name}" is earlier than the filing date on ${formatFindingShare(share)} of the openings: the filing date may be that of a renewal`;
  const fix = `use the day of the first filing (filed), such as "${name}"`;
  return makeFinding('date-choice', 'stop', {
    ...{ count: share * of, of, detail, examples: most.examples.list(), fix, word: 'filed' },
    repair: { filed: describeDay(most.day) },
  });
}

function describeDay({ column, reading }: DayColumn) {
  const { formats, isMoment, pivot } = reading;
  return {
    column: column.name,
    format: isMoment ? 'instant' : formats.length === 1 ? formats[0]! : [...formats],
    ...(pivot !== undefined && { pivot }),
  };
}

function findOneDay(days: ReadonlyMap<Day, number>, of: number): ShownFinding | undefined {
  const [day, count = 0] = [...days].sort((a, b) => b[1] - a[1])[0] ?? [];
  if (of < FEWEST_FOR_A_DAY || !isMoreThan(ONE_DAY_SHARE, count, of)) return undefined;
  const detail = `${formatOpenings(count, of)} share the filing date ${day}`;
  const fix = 'use another column (filed), or name the day that stands for "not known" (filed: unknown)';
  const examples = [`${day}: ${count} openings`];
  return makeFinding('date-choice', 'stop', { count, of, detail, examples, fix, word: 'filed' });
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
  const fix = 'state the last year that two digits may mean (filed: pivot)';
  return makeFinding('date-choice', 'stop', { count, of, detail, examples, fix, word: 'filed' });
}

/** How the filing dates lie to the expiry and to the years in numbers. */
function openTermCount({ expires, numbers }: Evidence) {
  const expiries = new Map<Day, number>();
  const counts = { expiring: 0, oneTerm: 0, numbered: 0, earlierNumber: 0 };
  return {
    expiries,
    counts,
    see(filedOn: Day, cell: ReadText, weight: number): void {
      const expiresOn = expires && readDay(cell(expires.column.name), expires.reading);
      if (expiresOn !== undefined) {
        expiries.set(expiresOn, (expiries.get(expiresOn) ?? 0) + weight);
        counts.expiring += weight;
        const term = toDayNumber(expiresOn) - toDayNumber(filedOn);
        if (term > 0 && term <= ONE_TERM_DAYS) counts.oneTerm += weight;
      }
      const [number] = numbers;
      const year = number === undefined ? undefined : readYear(cell(number));
      if (year === undefined) return;
      counts.numbered += weight;
      if (year < Number(filedOn.slice(0, 4)) - 1) counts.earlierNumber += weight;
    },
  };
}

/** The year of `2015-00123`, `15-148301` and `LIC-2015-4`. */
function readYear(text: string): number | undefined {
  const long = /(?:^|\D)((?:19|20)\d\d)(?:\D|$)/.exec(text)?.[1];
  if (long !== undefined) return Number(long);
  const short = /^(?:[A-Z]{0,4}-?)(\d\d)-\d{3,}/i.exec(text)?.[1];
  return short === undefined ? undefined : 2000 + Number(short) - (Number(short) > 60 ? 100 : 0);
}

function findCurrentLicences(
  days: ReadonlyMap<Day, number>,
  { expiries, counts }: ReturnType<typeof openTermCount>,
  { openings: of, isPaper }: { openings: number; isPaper: boolean },
): ShownFinding | undefined {
  if (of < FEWEST_FOR_A_DAY) return undefined;
  const newest = [...days.keys()].reduce((a, b) => (b > a ? b : a), '');
  const since = newest === '' ? newest : addDays(newest, -ONE_TERM_DAYS);
  const sum = (entries: Iterable<readonly [Day, number]>) =>
    [...entries].reduce((total, [, rows]) => total + rows, 0);
  const all = Math.max(1, sum(days));
  const recent = sum([...days].filter(([day]) => day >= since));
  const sameExpiry = sum([...expiries].sort((a, b) => b[1] - a[1]).slice(0, EXPIRY_DAYS));
  const isMost = (share: number, part: number, whole: number) => whole > all / 2 && part > whole * share;
  const causes = [
    recent > all * ONE_TERM_SHARE && {
      part: recent,
      why: `were filed within ${ONE_TERM_DAYS} days of the newest`,
    },
    isMost(ONE_EXPIRY_SHARE, sameExpiry, counts.expiring) && {
      part: sameExpiry,
      why: 'expire on the same few days',
    },
    isMost(ONE_TERM_SHARE, counts.oneTerm, counts.expiring) && {
      part: counts.oneTerm,
      why: 'expire within one term of the filing',
    },
    isMost(EARLIER_NUMBER_SHARE, counts.earlierNumber, counts.numbered) && {
      part: counts.earlierNumber,
      why: 'have a number from an earlier year than the filing date',
    },
  ].filter((cause) => cause !== false);
  const [first] = causes;
  if (first === undefined) return undefined;
  const count = (first.part / all) * of;
  const detail = `the file seems to hold the licences of today and not first filings: ${causes.map(({ part, why }) => `${formatFindingShare(part / all)} ${why}`).join('; ')}`;
  const fix =
    'use the day of the first filing (filed), ask the publisher for it, or accept the finding if every row is a new business (accepts)';
  // A year of days on which businesses began, without an expiry, may be a list of what is new.
  const severity = isPaper || counts.expiring > 0 || causes.length > 1 ? 'stop' : 'warn';
  return makeFinding('current-licences', severity, { count, of, detail, fix, word: 'filed' });
}

/** Whether the filing date is read from a column that is issued anew, by its header: a licence, a permit, an approval. */
function isPaperDate(watched: readonly Watched[], compared: number): boolean {
  return watched.some(({ day, same }) => {
    const weight = weighHeader(day.column.header, 'filed');
    return isMoreThan(SAME_SHARE, same, compared) && !isFirstDay(day) && (weight === 0 || weight > 2);
  });
}

/** The filing date is read from a column that says by its header or its days that it is no first filing. */
function findNoFirstDate(
  watched: readonly Watched[],
  compared: number,
  of: number,
): ShownFinding | undefined {
  const used = watched.filter(({ same }) => isMoreThan(SAME_SHARE, same, compared));
  if (used.length === 0 || used.some(({ day }) => !forbidsRole(day.column.header, 'filed'))) return undefined;
  const { name } = used[0]!.day.column;
  const detail = `the filing date is read from "${name}", which is not a first filing`;
  const fix = 'use the day of the first filing (filed), or ask the publisher for one';
  return makeFinding('no-first-date', 'stop', { count: of, of, detail, fix, word: 'filed' });
}

function findAmbiguous(watched: readonly Watched[], compared: number, of: number): ShownFinding | undefined {
  const used = watched.find(({ same, isSettled }) => !isSettled && isMoreThan(SAME_SHARE, same, compared));
  if (
    used === undefined ||
    watched.some(
      ({ isSettled, day }) => isSettled && day.reading.formats.some((format) => /^[DM]\/[DM]/.test(format)),
    )
  )
    return undefined;
  const { name } = used.day.column;
  const detail = `no day in "${name}" is above 12, so that day and month cannot be told apart`;
  const fix = 'state the order (filed: format), M/D/YYYY or D/M/YYYY, and accept the finding (accepts)';
  return makeFinding('ambiguous-dates', 'stop', { count: of, of, detail, fix, word: 'filed' });
}
