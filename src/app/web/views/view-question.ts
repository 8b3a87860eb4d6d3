/** Computes what a list and a comparison of a search have in common. */

import type { SearchView, Surroundings } from '../../../page/search-view.ts';
import type { ListingIndex } from '../../../service/search/index/open.ts';
import { isException } from '../../../shared/listing.ts';
import { ALL_TIME, choosePeriod } from '../../../shared/periods.ts';
import { EVERYTHING, type Question } from '../../../shared/question.ts';

export function viewQuestion(
  index: ListingIndex,
  { asked, surroundings }: { asked: Question; surroundings: Surroundings },
): Omit<SearchView, 'shown'> {
  const question = index.spellQuestion(asked);
  const stats = index.stats(EVERYTHING);
  const { dataEnd } = index;
  const period = choosePeriod(question, { dataEnd, byMonth: stats.byMonth });
  const isStatus = question.status.some(isException);
  return {
    ...surroundings,
    question,
    facets: index.facets(asked),
    stats,
    anyTime: index.months({ ...question, ...ALL_TIME }),
    today: index.day,
    dataEnd,
    period,
    closings: isStatus ? countClosings(index, question) : undefined,
  };
}

/** Counts the businesses with the statuses of a search, and those with any. */
export function countClosings(index: ListingIndex, question: Question) {
  return { n: index.count(question), of: index.count({ ...question, status: [] }) };
}
