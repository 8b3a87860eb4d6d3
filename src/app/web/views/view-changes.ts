/** Computes the data of `/changes`: the counts of a search and of the same days a year before, row by row. */

import {
  type ChangesQuery,
  type ChangesView,
  formatSort,
  isOrderOfChange,
  listComparedPeriods,
  type Sort,
  sortRows,
} from '../../../page/changes/changes-view.ts';
import type { MonthCounts } from '../../../page/chart/chart-months.ts';
import { findUsualRows, type SearchView, type Surroundings } from '../../../page/search-view.ts';
import { areNewestDaysLate } from '../../../service/search/index/data-end.ts';
import type { ListingIndex } from '../../../service/search/index/open.ts';
import type { Stats } from '../../../shared/answers.ts';
import { isUnknown, putUnknownLast } from '../../../shared/city/value-names.ts';
import { isException, STATUSES } from '../../../shared/listing.ts';
import {
  ALL_TIME,
  compareCounts,
  findYearBefore,
  isSmall,
  type Period,
  type Row,
  sumRows,
} from '../../../shared/periods.ts';
import { EVERYTHING, type Question } from '../../../shared/question.ts';
import { findUndecided, type UndecidedDays } from '../../../shared/undecided.ts';
import { countClosings, viewQuestion } from './view-question.ts';

export function viewChanges(
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
  const seen = viewQuestion(index, { asked: compared, surroundings });
  const hasData = seen.period.caveat !== 'future';
  const view = hasData ? seen : { ...seen, question: { ...seen.question, ...ALL_TIME } };
  const { question, period, dataEnd } = view;
  const by = asked.by ?? findUsualRows(question);
  const all = { ...question, [by]: [] };
  const sides = countSides(index, all, period);
  const rows = compareCounts(sides.now.by[by], sides.before.by[by]);
  const isRanked = (row: Row) => !isSmall(row) || isUnknown(row.value);
  const ranked = rows.filter((row) => !isSmall(row) && !isUnknown(row.value)).length;
  const then = { ...EVERYTHING, ...period.before };
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
    isLate: view.layout.hasNews() && period.now.filed_to === dataEnd && areNewestDaysLate(index, all, period),
    undecided: findUndecided(undecided, period, (days) => index.count({ ...EVERYTHING, ...days })),
    hasOnlySurvivors:
      index.count(then) > 0 && index.count({ ...then, status: STATUSES.filter(isException) }) === 0,
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
