/**
 * Renders what a search for a status such as `closed` counts. Its dates are those of registrations, because listings do
 * not say since when they have a status.
 */

import { EVERYTHING } from '../../search/parameters.ts';
import { ALL_TIME, isSameDays } from './changes/periods.ts';
import { type Markup, markup } from './markup.ts';
import { describeSearch, listFoundLabels } from './question-text.ts';
import { formatChangesAddress, formatPageAddress, type SearchView } from './search-view.ts';

/** Describes how many of the businesses that registered in these days have the status. */
export function describeClosings({ layout, question, closings }: SearchView): string {
  if (closings === undefined) return '';
  const { say, count } = layout.localization;
  const open = { ...question, status: [], ...ALL_TIME };
  const { filed_from, filed_to } = question;
  const period = listFoundLabels({ layout, question: { ...EVERYTHING, filed_from, filed_to } }).join(', ');
  const search = describeSearch({ layout, question: open });
  const values = { of: closings.of, status: nameStatus({ layout, question }) };
  const subject = period === '' ? search : say('closings.registered', { search, period });
  return `${count('closings', closings.n, { ...values, subject })} ${say('note.status')}`;
}

/** Renders the description, and links to the same counts of all years and to the comparison of registrations. */
export function renderClosings(view: SearchView): Markup | undefined {
  const { layout, question, closings, period } = view;
  if (closings === undefined) return undefined;
  const { say, count, period: formatPeriod } = layout.localization;
  const { ever, now, before } = closings;
  const all = count('closings.ever', ever.n, { of: ever.of, status: nameStatus(view) });
  const days = formatPeriod(period.now.filed_from, period.now.filed_to);
  const links = [
    !isSameDays(question, ALL_TIME) && [formatPageAddress({ ...question, ...ALL_TIME, offset: 0 }), all],
    now + before > 0 && [
      formatChangesAddress({ ...question, status: [], offset: 0 }),
      say('closings.compare', { period: days, now, before }),
    ],
  ].filter((link) => link !== false);
  return markup`<div class="doubt"><p>${describeClosings(view)}</p>${links.map(([href, text]) => markup`<p><a href="${href}" rel="nofollow">${text}</a></p>`)}</div>`;
}

function nameStatus({ layout, question: { status } }: Pick<SearchView, 'layout' | 'question'>): string {
  return listFoundLabels({ layout, question: { ...EVERYTHING, status } }).join(', ');
}
