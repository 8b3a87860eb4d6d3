/**
 * Describes what a search for a status such as `closed` counts. Its dates are those of registrations, because listings do
 * not say since when they have a status.
 */

import { ALL_TIME, isSameDays } from '../shared/periods.ts';
import { EVERYTHING } from '../shared/question.ts';
import { addPeriod, describeSearch, listFoundLabels } from './question-text.ts';
import type { SearchView } from './search-view.ts';

type ClosingsView = Pick<SearchView, 'layout' | 'question' | 'closings'>;

/** Describes how many of the businesses that registered in these days have the status, if the search is for one. */
export function describeClosings({ layout, question, closings }: ClosingsView): string | undefined {
  if (closings === undefined) return undefined;
  const { say, count } = layout.localization;
  const search = describeSearch({ layout, question: { ...question, status: [], ...ALL_TIME } });
  const subject = isSameDays(question, ALL_TIME)
    ? search
    : addPeriod({ layout, question }, say('closings.registered', { search }));
  const status = nameStatus({ layout, question });
  return count('closings', closings.n, { subject, of: closings.of, status });
}

/** Returns the statuses of the search, such as `closed or name given up`. */
export function nameStatus({ layout, question: { status } }: Omit<ClosingsView, 'closings'>): string {
  return listFoundLabels({ layout, question: { ...EVERYTHING, status } }).join();
}
