/** Answers the questions that are more than a list: two counts that are compared, and rows that are ranked. */

import { isUnknown } from '../../../shared/city/value-names.ts';
import { addDays, toDayNumber } from '../../../shared/day.ts';
import type { Counts } from '../../../shared/listing.ts';
import { changeOf, compareCounts, type Days, sumByYear } from '../../../shared/periods.ts';
import type { Question } from '../../../shared/question.ts';
import type { Comparison, RankBy, Ranking, RankRow, Reading } from '../../../shared/reading.ts';
import type { ListingIndex } from '../listing-index.ts';

const MOST_ROWS = 12;
const YEAR_DAYS = 365;

/** Returns whether chance alone would often make such a difference: at most twice its standard deviation (Poisson). */
export function isByChance(a: number, b: number): boolean {
  return Math.abs(a - b) <= 2 * Math.sqrt(a + b);
}

/** Counts both sides of a comparison. */
export function compareSides(index: ListingIndex, { search, against }: Reading): Comparison | undefined {
  if (against === undefined) return undefined;
  const [a, b] = [index.count(search), index.count(against)];
  return { count: a, against: b, isChance: isByChance(a, b) };
}

/** Ranks neighborhoods, categories or years by the number of filings or, if asked for, by how it changed in a year. */
export function rankRows(index: ListingIndex, { search, rank }: Reading): Ranking | undefined {
  if (rank === undefined) return undefined;
  const { by, order } = rank;
  const list = (question: Question) => countBy(index, question, by).filter(({ value }) => !isUnknown(value));
  if ((order === 'grew' || order === 'fell') && by !== 'year') {
    const days = findDays(index, search);
    const before = {
      filed_from: addDays(days.filed_from, -YEAR_DAYS),
      filed_to: addDays(days.filed_to, -YEAR_DAYS),
    };
    const sign = order === 'grew' ? 1 : -1;
    const rows = compareCounts(list({ ...search, ...days }), list({ ...search, ...before })).sort(
      (a, b) => sign * (changeOf(b) - changeOf(a)) || b.now - a.now,
    );
    const shown = rows.slice(0, MOST_ROWS).map(
      ({ value, now, before: then }): RankRow => ({
        value,
        count: now,
        before: then,
        isChance: isByChance(now, then),
      }),
    );
    return { by, rows: shown, total: rows.length, days, before };
  }
  const rows = list(search);
  const sorted =
    order === 'fewest'
      ? rows.toReversed()
      : by === 'year' && order !== 'most'
        ? rows.toSorted((a, b) => (a.value < b.value ? 1 : -1))
        : rows;
  return { by, rows: sorted.slice(0, MOST_ROWS), total: rows.length };
}

function countBy(index: ListingIndex, question: Question, by: RankBy): Counts {
  const stats = index.stats({ ...question, offset: 0 });
  if (by !== 'year') return stats.by[by];
  return [...sumByYear(stats.byMonth)]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count);
}

/** Returns the days of the question or, without any, the year to the newest filing. */
function findDays(index: ListingIndex, { filed_from, filed_to }: Question): Days {
  const end = index.latestFiling ?? index.day;
  const to = filed_to === '' || filed_to > end ? end : filed_to;
  const isWhole = filed_from !== '' && toDayNumber(to) >= toDayNumber(filed_from);
  return { filed_from: isWhole ? filed_from : addDays(to, 1 - YEAR_DAYS), filed_to: to };
}
