/**
 * Checks whether the filing date is that of a first filing (`date-choice`, `current-licences`, `no-first-date` and
 * `ambiguous-dates`), by the register's other dates, its licence numbers, and the distribution of the filing dates.
 */

import { parseDay } from '../../city/days.ts';
import type { Source } from '../../city/define.ts';
import { addDays, type Day, toDayNumber } from '../../listings/day.ts';
import { type DayColumn, isFirstDay, readDay, toDayMapping } from '../days.ts';
import { forbidsRole, weighHeader } from '../header-words.ts';
import { countRows } from '../survey.ts';
import type { Evidence } from './evidence.ts';
import {
  type FindingCheck,
  formatFindingShare,
  isMoreThan,
  listNames,
  makeFinding,
  openCounts,
  openExamples,
  type ReadText,
  type ShownFinding,
} from './finding.ts';

const EARLIER_SHARE = 0.5;
const ONE_DAY_SHARE = 0.3;
const FEWEST_FOR_A_DAY = 100;
/** Minimum number of days to check in a feed of new filings, which naturally has few days. */
const FEWEST_DAYS_OF_A_FEED = 60;
const SHORT_YEAR_SHARE = 0.01;
const FIRST_DAY = '1900-01-02';

/**
 * Number of days in a term. In two files of current licenses, 93 to 100% of the dates were this close to the newest
 * one. In five registers of first filings, 6 to 26% were.
 */
const ONE_TERM_DAYS = 400;
const ONE_TERM_SHARE = 0.9;
/** Number of the most frequent expiry days to compare. Annual licenses end on the last day of the year. */
const EXPIRY_DAYS = 3;
const ONE_EXPIRY_SHARE = 0.9;
const EARLIER_NUMBER_SHARE = 0.5;
/** Share of openings whose filing date must be in a column for it to count as the source of the date. */
const SAME_SHARE = 0.9;

type Watched = {
  day: DayColumn;
  earlier: number;
  same: number;
  /** Whether a cell was seen that is valid in only one order of day and month. */
  isSettled: boolean;
  examples: ReturnType<typeof openExamples>;
};

export type DatesCheck = FindingCheck & {
  /** Examines one of the first rejected rows. */
  seeRejected(cell: ReadText): void;
};

export function openDatesCheck(evidence: Evidence, { delivers }: Pick<Source, 'delivers'>): DatesCheck {
  const { shortYears } = evidence;
  const watched = evidence.days.map((day): Watched => {
    const isSettled = !day.reading.isAmbiguous;
    return { day, earlier: 0, same: 0, isSettled, examples: openExamples() };
  });
  const days = openCounts();
  const unread = { rows: 0, isRead: false, examples: openExamples() };
  const terms = openTermCount(evidence);
  let compared = 0;
  return {
    see({ name, filedOn }, cell, { weight }) {
      days.add(filedOn, weight);
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
      const all = days.list();
      const used = watched.filter(({ same }) => isMoreThan(SAME_SHARE, same, compared));
      return [
        joinCauses([
          findEarlier(watched, compared, openings),
          isFeed && all.length < FEWEST_DAYS_OF_A_FEED ? undefined : findOneDay(all, openings),
          unread.isRead ? undefined : findShortYears(shortYears, unread, openings),
        ]),
        isFeed ? undefined : findCurrentLicences(all, terms, { openings, isPaper: used.some(isPaperDate) }),
        findNoFirstDate(used, openings),
        findAmbiguous(used, watched, openings),
      ];
    },
  };
}

/** Joins all reasons to doubt the date into one finding, with the advice for the most frequent one. */
function joinCauses(found: readonly (ShownFinding | undefined)[]): ShownFinding | undefined {
  const causes = found.filter((cause) => cause !== undefined);
  const [worst] = causes.toSorted((a, b) => b.share - a.share);
  if (worst === undefined) return undefined;
  const detail = causes.map((cause) => cause.detail).join('; ');
  return { ...worst, detail, examples: causes.flatMap(({ examples }) => examples).slice(0, 5) };
}

function compareDay(
  one: Watched,
  { name, filedOn, text, weight }: { name: string; filedOn: Day; text: string; weight: number },
): void {
  const { column, reading } = one.day;
  const day = text === '' ? undefined : readDay(text, reading);
  if (day === undefined) return;
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
  return makeFinding('earlierDay', {
    count: (most.earlier / compared) * of,
    of,
    examples: most.examples.list(),
    values: { column: listNames([most.day.column.name]) },
    repair: { filed: toDayMapping(most.day) },
  });
}

type DayCounts = readonly (readonly [Day, number])[];

/** Finds a day with too many openings. The days must be sorted, most frequent first. */
function findOneDay([[day, count] = ['', 0]]: DayCounts, of: number): ShownFinding | undefined {
  if (of < FEWEST_FOR_A_DAY || !isMoreThan(ONE_DAY_SHARE, count, of)) return undefined;
  return makeFinding('oneDay', { count, of, examples: [`${day}: ${count} openings`], values: { day } });
}

/** Finds rejected rows with two-digit years. A profile without a pivot rejects them, because it cannot read them. */
function findShortYears(
  columns: readonly string[],
  { rows: count, examples }: { rows: number; examples: ReturnType<typeof openExamples> },
  openings: number,
): ShownFinding | undefined {
  const of = openings + count;
  if (!isMoreThan(SHORT_YEAR_SHARE, count, of)) return undefined;
  const values = { columns: listNames(columns) };
  return makeFinding('shortYears', { count, of, examples: examples.list(), values });
}

/** Returns a counter that compares filing dates with expiry dates and with the years in numbers. */
function openTermCount({ expires, numbers: [number] }: Evidence) {
  const expiries = openCounts();
  const years = new Set<number>();
  const counts = { expiring: 0, oneTerm: 0, numbered: 0, earlierNumber: 0 };
  return {
    expiries,
    years,
    counts,
    see(filedOn: Day, cell: ReadText, weight: number): void {
      const expiresOn = expires && readDay(cell(expires.column.name), expires.reading);
      if (expiresOn !== undefined) {
        expiries.add(expiresOn, weight);
        counts.expiring += weight;
        const term = toDayNumber(expiresOn) - toDayNumber(filedOn);
        if (term > 0 && term <= ONE_TERM_DAYS) counts.oneTerm += weight;
      }
      const year = number === undefined ? undefined : readYear(cell(number));
      if (year === undefined) return;
      years.add(year);
      counts.numbered += weight;
      if (year < Number(filedOn.slice(0, 4)) - 1) counts.earlierNumber += weight;
    },
  };
}

/** Reads the year of `2015-00123`, `15-148301` or `LIC-2015-4`. */
function readYear(text: string): number | undefined {
  const long = /(?:^|\D)((?:19|20)\d\d)(?:\D|$)/.exec(text)?.[1];
  if (long !== undefined) return Number(long);
  const short = /^(?:[A-Z]{0,4}-?)(\d\d)-\d{3,}/i.exec(text)?.[1];
  return short === undefined ? undefined : 2000 + Number(short) - (Number(short) > 60 ? 100 : 0);
}

function findCurrentLicences(
  days: DayCounts,
  { expiries, years, counts }: ReturnType<typeof openTermCount>,
  { openings: of, isPaper }: { openings: number; isPaper: boolean },
): ShownFinding | undefined {
  if (of < FEWEST_FOR_A_DAY) return undefined;
  const newest =
    days
      .map(([day]) => day)
      .toSorted()
      .at(-1) ?? '';
  const since = newest === '' ? newest : addDays(newest, -ONE_TERM_DAYS);
  const all = Math.max(1, countRows(days));
  const recent = countRows(days.filter(([day]) => day >= since));
  const sameExpiry = countRows(expiries.list().slice(0, EXPIRY_DAYS));
  const { expiring, oneTerm, numbered, earlierNumber } = counts;
  const causes = [
    {
      part: recent,
      whole: all,
      least: ONE_TERM_SHARE,
      why: `were filed within ${ONE_TERM_DAYS} days of the newest`,
    },
    { part: sameExpiry, whole: expiring, least: ONE_EXPIRY_SHARE, why: 'expire on the same few days' },
    { part: oneTerm, whole: expiring, least: ONE_TERM_SHARE, why: 'expire within one term of the filing' },
    {
      // one and the same number on all rows is no year
      part: years.size > 1 ? earlierNumber : 0,
      whole: numbered,
      least: EARLIER_NUMBER_SHARE,
      why: 'have a number from an earlier year than the filing date',
    },
  ].filter(({ part, whole, least }) => whole > all / 2 && part > whole * least);
  const [first] = causes;
  if (first === undefined) return undefined;
  const why = causes.map((cause) => `${formatFindingShare(cause.part / all)} ${cause.why}`).join('; ');
  // without an expiry, filing dates within a year may come from a list of new businesses
  const severity = isPaper || expiring > 0 || causes.length > 1 ? 'stop' : 'warn';
  return makeFinding('currentLicences', { severity, count: (first.part / all) * of, of, values: { why } });
}

/** Returns whether a header means a paper that is issued repeatedly: a license, a permit, an approval. */
function isPaperDate({ day }: Watched): boolean {
  const weight = weighHeader(day.column.header, 'filed');
  return !isFirstDay(day) && (weight === 0 || weight > 2);
}

/** Finds filing dates from columns (`used`) whose headers exclude a first filing. */
function findNoFirstDate(used: readonly Watched[], of: number): ShownFinding | undefined {
  const [first] = used;
  if (first === undefined || used.some(({ day }) => !forbidsRole(day.column.header, 'filed')))
    return undefined;
  return makeFinding('noFirstDate', {
    count: of,
    of,
    values: { column: listNames([first.day.column.name]) },
  });
}

function findAmbiguous(
  used: readonly Watched[],
  watched: readonly Watched[],
  of: number,
): ShownFinding | undefined {
  const open = used.find(({ isSettled }) => !isSettled);
  const isTold = watched.some(
    ({ isSettled, day }) => isSettled && day.reading.formats.some((format) => /^[DM]\/[DM]/.test(format)),
  );
  if (open === undefined || isTold) return undefined;
  return makeFinding('ambiguousDates', {
    count: of,
    of,
    values: { column: listNames([open.day.column.name]) },
  });
}
