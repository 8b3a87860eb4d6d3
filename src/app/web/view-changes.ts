/** Computes the data of `/changes`: the counts of a search and of the same days a year before, row by row. */

import {
  type ChangesQuery,
  type ChangesView,
  formatSort,
  isOrderOfChange,
  listComparedPeriods,
  type Sort,
  sortRows,
} from '../../page/changes/changes-view.ts';
import type { MonthCounts } from '../../page/chart/chart-months.ts';
import { findUsualRows, type SearchView, type Surroundings } from '../../page/search-view.ts';
import type { ListingIndex } from '../../service/search/index/open.ts';
import type { Stats } from '../../shared/answers.ts';
import type { CityFacts } from '../../shared/city/city-facts.ts';
import { isUnknown, putUnknownLast } from '../../shared/city/value-names.ts';
import { isException, STATUSES } from '../../shared/listing.ts';
import {
  ALL_TIME,
  compareCounts,
  type Days,
  findDaysBefore,
  findYearBefore,
  isSmall,
  type Period,
  type Row,
  spanDaysTo,
  sumRows,
} from '../../shared/periods.ts';
import { EVERYTHING, type Question } from '../../shared/question.ts';
import { rememberTexts } from '../../shared/remember.ts';
import { findUndecided, type UndecidedDays } from '../../shared/undecided.ts';
import { countClosings, viewQuestion } from './view-search.ts';

const LATE_DAYS = 30;
/** Newest days below this share of the year before are incomplete, if earlier days exceed `REST_SHARE`. */
const LATE_SHARE = 0.6;
const REST_SHARE = 0.8;

export function viewChanges(
  city: CityFacts,
  index: ListingIndex,
  {
    asked,
    surroundings,
    undecided,
  }: { asked: ChangesQuery; surroundings: Surroundings; undecided: UndecidedDays },
): ChangesView {
  const given = index.spellQuestion(index.read(asked.question).search);
  const isMarked = given.status.some(isException);
  const compared = isMarked ? { ...given, status: [] } : given;
  const seen = viewQuestion(city, index, { asked: compared, surroundings });
  const hasData = seen.period.caveat !== 'future';
  const view = hasData ? seen : { ...seen, question: { ...seen.question, ...ALL_TIME } };
  const { question, period, dataEnd } = view;
  const by = asked.by ?? findUsualRows(question);
  const all = { ...question, [by]: [] };
  const sides = countSides(index, all, period);
  const rows = compareCounts(sides.now.by[by], sides.before.by[by]);
  const isRanked = (row: Row) => !isSmall(row) || isUnknown(row.value);
  const ranked = rows.filter((row) => !isSmall(row) && !isUnknown(row.value)).length;
  const before = countCity(index, period.before);
  const sort = ranked === 0 && isOrderOfChange(asked.sort) ? SORT_OF_FEW : asked.sort;
  return {
    ...view,
    shown: { path: '/changes', by, sort: formatSort(asked.sort) },
    sort,
    marked: isMarked ? { ...view, question: given, closings: countClosings(index, given) } : undefined,
    missing: hasData ? undefined : { filed_from: seen.question.filed_from, filed_to: seen.question.filed_to },
    periods: listComparedPeriods(view),
    rows: putUnknownLast(sortRows(rows.filter(isRanked), sort)),
    small: sortRows(
      rows.filter((row) => !isRanked(row)),
      sort,
    ),
    sums: sumRows(rows),
    ranked,
    months: countMonths(index, view, question[by].length === 0 ? sides : countSides(index, question, period)),
    isLate: !view.isArchive && period.now.filed_to === dataEnd && isLate(index, all, period),
    undecided: findUndecided(undecided, period, (days) => countCity(index, days).all),
    hasOnlySurvivors: before.closed === 0 && before.all > 0,
  };
}

/** Counts the listings of a comparison, and those of the year before. */
function countSides(
  index: ListingIndex,
  question: Question,
  { now, before }: Period,
): Record<'now' | 'before', Stats> {
  return {
    now: index.stats({ ...question, ...now }),
    before: index.stats({ ...question, ...before }),
  };
}

const SORT_OF_FEW: Sort = { column: 'now', isReverse: false };

function countMonths(
  index: ListingIndex,
  { question, dataEnd, anyTime }: Pick<SearchView, 'question' | 'dataEnd' | 'anyTime'>,
  { now, before }: Record<'now' | 'before', Stats>,
): MonthCounts {
  const earlier = index.months({ ...question, ...ALL_TIME, filed_to: findYearBefore(dataEnd) });
  return {
    asked: { now: now.byMonth, before: before.byMonth },
    anyTime: { now: anyTime.byMonth, before: earlier.byMonth },
  };
}

/** Returns whether the newest thirty days have far fewer filings than a year before, while the earlier days do not. */
function isLate(index: ListingIndex, question: Question, { now, before }: Period): boolean {
  const newest = spanDaysTo(now.filed_to, LATE_DAYS);
  if (newest.filed_from <= now.filed_from) return false;
  const periods = [newest, findDaysBefore(newest), now, before];
  const [last = 0, lastBefore = 0, all = 0, allBefore = 0] = index.countDays(question, periods);
  return last < LATE_SHARE * lastBefore && all - last > REST_SHARE * (allBefore - lastBefore);
}

const cityCounts = new WeakMap<ListingIndex, ReturnType<typeof openCityCounts>>();

/** Counts the listings of the whole city in some days, and those that closed: once for each version of the data. */
function countCity(index: ListingIndex, { filed_from, filed_to }: Days) {
  return cityCounts.getOrInsertComputed(index, openCityCounts)(`${filed_from} ${filed_to}`);
}

function openCityCounts(index: ListingIndex) {
  return rememberTexts((days) => {
    const [filed_from = '', filed_to = ''] = days.split(' ');
    const inDays = { ...EVERYTHING, filed_from, filed_to };
    const status = STATUSES.filter(isException);
    return { all: index.count(inDays), closed: index.count({ ...inDays, status }) };
  });
}
