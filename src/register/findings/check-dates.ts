/**
 * Checks whether the filing date is that of a first filing: by its days, other dates, license numbers and names. Headers
 * only dismiss a date that its days leave open.
 */

import { addDays, toDayNumber } from '../../shared/day.ts';
import { rememberTexts } from '../../shared/remember.ts';
import { formatShare } from '../../shared/text/numbers.ts';
import { findTwin, isSerial, parseDay } from '../profile/parse-day.ts';
import { countRows } from '../survey/columns.ts';
import { type DayColumn, isFirstDay } from '../survey/day-columns.ts';
import {
  type DayCounts,
  DOUBTS,
  describeRelation,
  findRenewalSigns,
  isNeither,
  isPlaceholderDay,
  openBusyTest,
  relateDays,
} from '../survey/day-evidence.ts';
import { readDay } from '../survey/day-formats.ts';
import { forbidsRole, weighHeader } from '../survey/header-words.ts';
import type { SampledOpening, SampledRegister } from './evidence.ts';
import { countTexts, formatRows, isMoreThan, makeFinding, type ShownFinding, sumWeights } from './finding.ts';

const FEWEST_FOR_A_DAY = 100;
const FEWEST_FOR_A_TERM = 30;
/** Minimum distinct days to check a feed of changes for a day with too many openings. Short feeds have few days. */
const FEWEST_DAYS_OF_A_FEED = 60;
/**
 * Number of days in a term. In two files of current licenses, 93 to 100% of the dates were this close to the newest.
 * In five registers of first filings, 6 to 26% were.
 */
const ONE_TERM_DAYS = 400;
const NEARLY_ALL = 0.9;
/** Provisional licenses have longer terms. */
const ONE_TERM_SHARE = 0.8;
/** Number of most frequent expiry days to count together. Annual licenses end on the last day of the year. */
const EXPIRY_DAYS = 3;
/**
 * Where only current papers are listed, none has ended, and they fill the last term: the oldest are from its first part. First filings
 * are older than a term, or their register is young.
 */
const CURRENT_SHARE = 0.98;
const FIRST_PART = 0.4;
const FEW_OLD = 0.05;
const LEEWAY = 31;
const EARLIER_NUMBER_SHARE = 0.5;
const FEW_AHEAD = 0.02;
/** A column counts as the source of the filing date if it agrees with the date of this share of openings. */
const SAME_SHARE = 0.9;

/** The least share of the names of a year that were there in an earlier year: 60 % for renewals (Vancouver), at most 24 % otherwise. */
const KNOWN_NAMES = 0.45;

export function checkDates(register: SampledRegister) {
  const { evidence, openings, source, total: of } = register;
  const compared = sumWeights(openings);
  const columns = evidence.roles.days.map((day) => compareDays(day, openings));
  const dates = columns.filter(({ day }) => !day.isEarlyStep);
  const used = columns.filter(({ same }) => isMoreThan(SAME_SHARE, same, compared));
  const days = countTexts(openings, ({ filedOn }) => filedOn);
  const isFeed = source.delivers === 'changes';
  return [
    joinCauses([
      findEarlier(dates, compared, of),
      isFeed && days.length < FEWEST_DAYS_OF_A_FEED ? undefined : findOneDay(days, of),
    ]),
    isFeed ? undefined : findCurrentLicences(register, days, used.some(isPaperDate)),
    findNoFirstDate(used, of),
    findAmbiguous(used, columns, of),
  ];
}

function joinCauses(found: readonly (ShownFinding | undefined)[]): ShownFinding | undefined {
  const causes = found.filter((cause) => cause !== undefined);
  const isStop = ({ severity }: ShownFinding) => Number(severity === 'stop');
  const [worst] = causes.toSorted((a, b) => isStop(b) - isStop(a) || b.share - a.share);
  if (worst === undefined) return undefined;
  const detail = causes.map((cause) => cause.detail).join('; ');
  return { ...worst, detail, examples: causes.flatMap(({ examples }) => examples).slice(0, 5) };
}

function readDays({ name: column, reading }: DayColumn, openings: readonly SampledOpening[]) {
  const dayOf = rememberTexts((text) => readDay(text, reading));
  return openings.flatMap(({ name, filedOn, weight, cell }) => {
    const text = cell(column);
    const day = text === '' ? undefined : dayOf(text);
    return day === undefined ? [] : [{ name, filedOn, weight, text, day }];
  });
}

type Compared = ReturnType<typeof compareDays>;

function compareDays(day: DayColumn, openings: readonly SampledOpening[]) {
  const { reading } = day;
  const order = findTwin(reading.formats[0]!);
  const rows = readDays(day, openings);
  const swap = ({ text }: { text: string }) =>
    reading.isAmbiguous && order !== undefined ? parseDay(text, order, reading) : undefined;
  return {
    day,
    rows,
    same: sumWeights(rows.filter((row) => row.day === row.filedOn || swap(row) === row.filedOn)),
    /** Whether the format is certain, because a cell is valid only in one of two. */
    isSettled: !reading.isAmbiguous || rows.some((row) => swap(row) === undefined),
  };
}

/** Finds the column with earlier days that casts most doubt on the filing date. */
function findEarlier(columns: readonly Compared[], compared: number, of: number): ShownFinding | undefined {
  const all = Math.max(1, compared);
  const found = columns.map(({ day, rows }) => {
    const known = rows.filter((row) => !isPlaceholderDay(row.day));
    const gapOf = (row: (typeof known)[number]) => toDayNumber(row.filedOn) - toDayNumber(row.day);
    const relation = relateDays(countTexts(known, gapOf));
    const count = (relation.earlier * sumWeights(known) * of) / all;
    const examples = () =>
      known
        .filter((row) => row.day < row.filedOn)
        .map((row) => `${row.name}: filed ${row.filedOn}, ${day.name} ${row.day}`);
    const severity = relation.kind === 'other' && isNeither(relation) ? ('warn' as const) : undefined;
    const values = { says: describeRelation(relation) };
    return { relation, day, seen: { severity, count, of, columns: [day.name], examples, values } };
  });
  const findWorst = (kind: (typeof DOUBTS)[number]) =>
    found
      .filter(
        ({ relation, day }) =>
          relation.kind === kind && (kind !== 'other' || !forbidsRole(day.header, 'filed')),
      )
      .sort((a, b) => b.seen.count - a.seen.count)
      .flatMap(({ seen }) => makeFinding(`${kind}Day`, seen) ?? [])[0];
  return DOUBTS.flatMap((kind) => findWorst(kind) ?? [])[0];
}

/** Finds a day with too many openings. Days must be sorted, most frequent first. */
function findOneDay(days: DayCounts, of: number): ShownFinding | undefined {
  const [[day, count] = ['', 0]] = days;
  if ((of < FEWEST_FOR_A_DAY && days.length > 1) || !openBusyTest(days)(count)) return undefined;
  return makeFinding('oneDay', {
    count,
    of,
    examples: [`${day}: ${formatRows(count)} openings`],
    values: { day },
  });
}

function findCurrentLicences(
  { evidence, openings, knownNames, total: of }: SampledRegister,
  days: DayCounts,
  isPaper: boolean,
) {
  const isSmall = of < FEWEST_FOR_A_DAY;
  if (of < FEWEST_FOR_A_TERM) return undefined;
  const expiry = evidence.roles.expires;
  const expiring = expiry === undefined ? [] : readDays(expiry, openings);
  const oneTerm = expiring.filter(({ day, filedOn }) => {
    const term = toDayNumber(day) - toDayNumber(filedOn);
    return term > 0 && term <= ONE_TERM_DAYS;
  });
  const terms = expiring.map(({ day, filedOn }) => toDayNumber(day) - toDayNumber(filedOn));
  const term = Math.max(0, terms.sort((a, b) => a - b)[Math.floor(terms.length * 0.95)] ?? 0);
  const [number] = evidence.numbers;
  const numbered = openings.flatMap(({ cell, filedOn, weight }) => {
    const year = number === undefined ? undefined : readYear(cell(number));
    return year === undefined ? [] : [{ year, filedOn, weight }];
  });
  const all = Math.max(1, countRows(days));
  const [newest] = days.map(([day]) => day).toSorted((a, b) => (a < b ? 1 : -1));
  const since = addDays(newest!, -ONE_TERM_DAYS);
  const recent = countRows(days.filter(([day]) => day >= since));
  const [start, part] = [term + LEEWAY, term * (1 - FIRST_PART)].map((age) =>
    addDays(newest!, -Math.round(age)),
  );
  const isFull = isPaper && countRows(days.filter(([day]) => day <= part!)) > all * FEW_OLD;
  const current = isFull ? expiring.filter(({ day, filedOn }) => day >= newest! && filedOn >= start!) : [];
  const sameExpiry = countRows(countTexts(expiring, ({ day }) => day).slice(0, EXPIRY_DAYS));
  const yearOf = ({ filedOn }: Pick<SampledOpening, 'filedOn'>) => Number(filedOn.slice(0, 4));
  const earlier = numbered.filter((one) => one.year < yearOf(one) - 1);
  // one year may be part of a number on every row, and a code of two digits is often later than its filing
  const ahead = sumWeights(numbered.filter((one) => one.year > yearOf(one) + 1));
  const hasYears = new Set(numbered.map(({ year }) => year)).size > 1 && !isMoreThan(FEW_AHEAD, ahead, of);
  const [older, withYear] = [hasYears ? sumWeights(earlier) : 0, sumWeights(numbered)];
  const withExpiry = sumWeights(expiring);
  const possible: [part: number, whole: number, least: number, why: string][] = [
    [sumWeights(oneTerm), withExpiry, ONE_TERM_SHARE, 'expire within one term of the filing'],
    [sumWeights(current), withExpiry, CURRENT_SHARE, 'are of the last term, which none has outlived'],
    [recent, all, NEARLY_ALL, `were filed within ${ONE_TERM_DAYS} days of the newest`],
    [sameExpiry, withExpiry, NEARLY_ALL, 'expire on the same few days'],
    [older, withYear, EARLIER_NUMBER_SHARE, 'have a number from an earlier year than the filing date'],
  ];
  // few rows may well have the same expiry or year, but not all the same term
  const causes = (isSmall ? possible.slice(0, 2) : possible)
    .filter(([part, whole, least]) => whole > all / 2 && part > whole * least)
    .map(([part, , , says]) => ({ share: part / all, says }));
  const says = 'of the names of a year were there in an earlier year under another key';
  const known = !isSmall && knownNames > KNOWN_NAMES ? [{ share: knownNames, says }] : [];
  const renewals = [...findRenewalSigns(days), ...known];
  const signs = [...causes, ...renewals];
  const [first] = signs;
  if (first === undefined) return undefined;
  const why = signs.map(({ share, says }) => `${formatShare(share)} ${says}`).join('; ');
  // without expiry dates, the register may be a list of new businesses from a single year
  const severity = isPaper || withExpiry > 0 || signs.length > 1 || renewals.length > 0 ? 'stop' : 'warn';
  return makeFinding('currentLicenses', { severity, count: first.share * of, of, values: { why } });
}

function readYear(text: string): number | undefined {
  const long = /(?:^|\D)((?:19|20)\d\d)(?:\D|$)/.exec(text)?.[1];
  if (long !== undefined) return Number(long);
  const short = /^(?:[A-Z]{0,4}-?)(\d\d)-\d{3,}/i.exec(text)?.[1];
  return short === undefined ? undefined : 2000 + Number(short) - (Number(short) > 60 ? 100 : 0);
}

/** Returns whether a header means a document that is issued repeatedly: a license, a permit, an approval. */
function isPaperDate({ day }: Compared): boolean {
  const weight = weighHeader(day.header, 'filed');
  return !isFirstDay(day) && (weight === 0 || weight > 2);
}

function findNoFirstDate(used: readonly Compared[], of: number): ShownFinding | undefined {
  const [first] = used;
  if (first === undefined || used.some(({ day }) => !forbidsRole(day.header, 'filed'))) return undefined;
  return makeFinding('noFirstDate', { count: of, of, columns: [first.day.name] });
}

function findAmbiguous(used: readonly Compared[], columns: readonly Compared[], of: number) {
  const open = used.find(({ isSettled }) => !isSettled);
  if (open === undefined) return undefined;
  const areNumbers = open.day.reading.formats.some(isSerial);
  const isTold = columns.some(
    ({ isSettled, day }) =>
      isSettled &&
      day.reading.formats.some((one) => findTwin(one) !== undefined && isSerial(one) === areNumbers),
  );
  const cause = areNumbers ? 'ambiguousNumbers' : 'ambiguousDates';
  return isTold ? undefined : makeFinding(cause, { count: of, of, columns: [open.day.name] });
}
