/** Answers the questions that are more than a list: two counts that are compared, and rows that are ranked. */

import { isUnknown } from '../../shared/city/value-names.ts';
import { addDays, type Day, firstDayOf, monthOf, toDayNumber } from '../../shared/day.ts';
import type { NamedFilter } from '../../shared/listing.ts';
import {
  changeOf,
  clipDays,
  compareCounts,
  type Days,
  findDaysBefore,
  findOldest,
  findYearTo,
  isByChance,
  listMonths,
  moveByMonths,
  pickLater,
  spanYear,
  sumByYear,
  sumCounts,
  yearOf,
} from '../../shared/periods.ts';
import { EVERYTHING, formatQuestion, type Question } from '../../shared/question.ts';
import { type Comparison, isTime, type Ranking, type RankRow, type Reading } from '../../shared/reading.ts';
import type { ListingIndex } from './index/open.ts';

const MOST_ROWS = 12;

/** Counts both sides of a comparison. */
export function compareSides(
  index: ListingIndex,
  { search, against, unlike }: Reading,
): Comparison | undefined {
  if (against === undefined) return undefined;
  const [a, b] = [index.count(search), index.count(against)];
  const named = search.q === '' ? against : search;
  const question = unlike && { ...named, q: '', category: [unlike.kind] };
  const whole = question && { question, count: index.count(question) };
  const shared = countShared(index, search, against);
  const both = 2 * shared > Math.min(a, b) && { shared };
  return { count: a, against: b, isChance: isByChance(a, b), ...(whole && { whole }), ...both };
}

/** Counts the listings that have the words of both sides: `hotels vs motels`. */
function countShared(index: ListingIndex, search: Question, against: Question): number {
  const isOfWords = [search, against].every(({ q }) => q !== '' && !/ OR /.test(q));
  const isSame = formatQuestion({ ...search, q: '' }) === formatQuestion({ ...against, q: '' });
  return isOfWords && isSame ? index.count({ ...search, q: `${search.q} ${against.q}` }) : 0;
}

/** Ranks neighborhoods, categories or years by the number of filings or, if asked for, by how it changed in a year or exceeds another. */
export function rankRows(index: ListingIndex, { search, rank }: Reading): Ranking | undefined {
  if (rank === undefined) return undefined;
  const { order, than, values, nth = 1, isNumber, row: named } = rank;
  const years = rank.by === 'calendar' ? findWholeYears(index, search) : undefined;
  const by = rank.by === 'calendar' && !years ? 'month' : rank.by;
  const list = (question: Question): Listed => {
    if (isTime(by)) return { rows: [] };
    if (by === 'q')
      return { rows: values!.map((q) => ({ value: q, count: index.count({ ...question, q }) })) };
    return listValues(index, question, by);
  };
  if (than || order === 'grew' || order === 'fell') {
    const compared = than ? undefined : findYears(index, search);
    const sign = order === 'fell' ? -1 : 1;
    const [now, before] = [{ ...search, ...compared?.days }, than ?? { ...search, ...compared?.before }];
    const rows = compareCounts(list(now).rows, list(before).rows).sort(
      (a, b) => sign * (changeOf(b) - changeOf(a)) || b.now - a.now,
    );
    const shown = rows.slice(0, MOST_ROWS).map(({ value, now, before: then }): RankRow => {
      const isChance = isByChance(now, then, rows.length);
      return { value, count: now, before: then, isChance };
    });
    const total = than ? rows.filter((row) => changeOf(row) > 0).length : rows.length;
    return { by, rows: shown, total, tied: 0, ...compared };
  }
  const { rows: all, unknown }: Listed = isTime(by)
    ? { rows: listPeriods(index, { ...search, ...years }, by) }
    : list(search);
  // outside the data nothing is known, and its first and last period have fewer because they are not whole
  const [first = '', last = ''] = isTime(by) && by !== 'calendar' ? findEnds(index) : [];
  const isKnown = (value: string) => first === '' || (value >= first.slice(0, value.length) && value <= last);
  const isLower = order === 'fewest' && first !== '' && !values;
  const isEnd = (value: string) => isLower && [first, last].some((month) => month.startsWith(value));
  const rows = all.filter(
    ({ value }) => isKnown(value) && !isEnd(value) && (values?.includes(value) ?? true),
  );
  const isPart = all.some(({ value }) => isEnd(value));
  if (order === 'fewest') {
    const none = isTime(by)
      ? []
      : list(EVERYTHING).rows.filter(({ value }) => !rows.some((row) => row.value === value));
    rows.push(...none.map(({ value }) => ({ value, count: 0 })));
  }
  const sorted =
    order === 'trend'
      ? rows
      : rows.toSorted((a, b) => (order === 'fewest' ? a.count - b.count : b.count - a.count));
  const row = all.find(({ value }) => value === named) ?? (named && { value: named, count: 0 });
  const beyond = row && {
    row,
    rows: sorted.filter(({ count }) => (order === 'fewest' ? count < row.count : count > row.count)),
  };
  const tied = rows.filter(({ count }) => count === sorted[nth - 1]?.count).length - 1;
  const most = Math.max(MOST_ROWS, values?.length ?? 0);
  const isNone = order === 'fewest';
  const counted = isNumber ? rows.filter(({ count }) => (count === 0) === isNone) : rows;
  return {
    by,
    rows: sorted.slice(0, most),
    total: counted.length,
    tied,
    isPart,
    ...(beyond && { beyond }),
    ...(unknown && { unknown }),
    ...(years && { years }),
  };
}

type Listed = Pick<Ranking, 'rows' | 'unknown'>;

/** Lists the known neighborhoods or kinds. `unknown`: how many listings no row has, because they have none. */
function listValues(index: ListingIndex, search: Question, by: NamedFilter): Listed {
  const { by: values, total } = index.stats({ ...search, offset: 0 });
  const rows = values[by].filter(({ value }) => !isUnknown(value));
  const n = values[by].find(({ value }) => isUnknown(value))?.count ?? 0;
  return { rows, ...(n > 0 && { unknown: { n, total } }) };
}

/** Lists the years or months from the first to the last filing that matches, newest first, with those of no filing, or the months of all years. */
function listPeriods(index: ListingIndex, search: Question, by: 'year' | 'month' | 'calendar'): RankRow[] {
  const { byMonth } = index.months({ ...search, offset: 0 });
  if (by === 'calendar')
    return listMonths('2000-01', '2000-12').map((month) => {
      const some = byMonth.filter(({ value }) => value.endsWith(month.slice(4)));
      return { value: month.slice(5), count: sumCounts(some) };
    });
  return by === 'month'
    ? [...byMonth]
    : Array.from(sumByYear(byMonth), ([value, count]) => ({ value, count }));
}

/** Returns the whole years of the data within a search, whose months are comparable. */
function findWholeYears(index: ListingIndex, search: Question): Days | undefined {
  const oldest = findOldest(index.stats(EVERYTHING).byMonth);
  if (oldest === undefined) return undefined;
  const { filed_from, filed_to: to } = clipDays(search, index.dataEnd);
  const from = pickLater(filed_from, firstDayOf(oldest));
  const first = Number(yearOf(from as Day)) + Number(!from.endsWith('-01-01'));
  const last = Number(yearOf(to as Day)) - Number(!to.endsWith('-12-31'));
  return first > last
    ? undefined
    : { filed_from: spanYear(first).filed_from, filed_to: spanYear(last).filed_to };
}

/** Returns the months in which the data begins and ends. */
function findEnds(index: ListingIndex): [first: string, last: string] {
  const last = monthOf(index.dataEnd);
  return [findOldest(index.stats(EVERYTHING).byMonth) ?? last, last];
}

/** Returns the year to the newest filing and the one before it or, of a longer period, its last and its first year. */
function findYears(index: ListingIndex, { filed_from, filed_to }: Question): Record<'days' | 'before', Days> {
  const end = index.dataEnd;
  const to = filed_to === '' || filed_to > end ? end : filed_to;
  const isWhole = filed_from !== '' && toDayNumber(to) >= toDayNumber(filed_from);
  const year = findYearTo(to);
  const isLong = isWhole && filed_from < year.filed_from;
  const days = isWhole && !isLong ? { filed_from, filed_to: to } : year;
  const first = { filed_from, filed_to: filed_from && addDays(moveByMonths(filed_from, 12), -1) };
  return { days, before: isLong && first.filed_to < days.filed_from ? first : findDaysBefore(days) };
}
