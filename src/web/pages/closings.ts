/**
 * Describes what a search for a status such as `closed` counts. Its dates are those of registrations, because listings do
 * not say since when they have a status.
 */

import { EVERYTHING } from '../../search/parameters.ts';
import { ALL_TIME, isSameDays } from './changes/periods.ts';
import { type Markup, markup } from './markup.ts';
import { addPeriod, describeSearch, listFoundLabels } from './question-text.ts';
import { formatChangesAddress, type SearchView } from './search-view.ts';

/** Describes how many of the businesses that registered in these days have the status, if the search is for one. */
export function describeClosings({ layout, question, closings }: SearchView): string | undefined {
  if (closings === undefined) return undefined;
  const { say, count } = layout.localization;
  const search = describeSearch({ layout, question: { ...question, status: [], ...ALL_TIME } });
  const subject = isSameDays(question, ALL_TIME)
    ? search
    : addPeriod({ layout, question }, say('closings.registered', { search }));
  const [status] = listFoundLabels({ layout, question: { ...EVERYTHING, status: question.status } });
  return count('closings', closings.n, { subject, of: closings.of, status: status ?? '' });
}

/** Explains the dates of such a search, and links to the comparison of all registrations. */
export function renderClosingsNote({ layout, question, closings, period }: SearchView): Markup | undefined {
  if (closings === undefined) return undefined;
  const { say, period: formatPeriod } = layout.localization;
  const { now, before } = closings;
  const values = { period: formatPeriod(period.now.filed_from, period.now.filed_to), now, before };
  const link =
    now + before > 0 &&
    markup` <a href="${formatChangesAddress({ ...question, status: [] })}" rel="nofollow">${say('closings.compare', values)}</a>`;
  return markup`${say('note.status')}${link}`;
}
