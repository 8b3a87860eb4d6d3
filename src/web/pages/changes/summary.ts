/** Writes the summary of a comparison: a few sentences that people can cite, with the source. */

import { isUnknown } from '../../../listings/listing.ts';
import { asksAnything } from '../../../search/parameters.ts';
import { listPublishers } from '../chart/chart-picture.ts';
import { type Markup, markup } from '../markup.ts';
import { describeSearch } from '../question-text.ts';
import { formatViewAddress } from '../search-view.ts';
import {
  type ChangesView,
  changeOf,
  FEWEST_RANKED,
  type Row,
  shareOf,
  sortRows,
  sumRows,
} from './changes-view.ts';
import { ALL_TIME, isOneYear, isSameDays, spanYear } from './periods.ts';

/** Renders the totals in bold, the largest changes, and the source. */
export function renderSummary(view: ChangesView): Markup {
  const sentences = [describeMost(view), describeMoved(view)].filter((text) => text !== '');
  return markup`<blockquote id="cite"><p><strong>${describeSums(view)}</strong></p>
${sentences.map((text) => markup`<p>${text}</p>`)}<p class="note">${describeSource(view)}</p></blockquote>`;
}

/** Describes the row of the only chosen value, or the sum of all rows. */
export function describeSums(view: ChangesView): string {
  const { layout, period } = view;
  const { say, count, period: formatPeriod } = layout.localization;
  const { now, before } = findSubjectRow(view);
  const year = period.before.filed_from.slice(0, 4);
  const isWhole = isSameDays(period.before, spanYear(year));
  const same = isOneYear(period.now)
    ? say(isWhole ? 'changes.same.year' : 'changes.same', { year })
    : say('changes.same.before');
  const share = before === 0 ? '' : ` (${formatShare(view, { value: '', now, before })})`;
  return count('changes.summary', now, {
    subject: nameSubject(view),
    period: formatPeriod(period.now.filed_from, period.now.filed_to),
    before,
    same: `${same}${share}`,
  });
}

/** Describes how many rows rose, fell, stayed the same, are too small or missing. `''` if one row is chosen. */
function describeMoved({ layout, question, shown, moved, small, isLate }: ChangesView): string {
  const { say } = layout.localization;
  const none = moved.n - moved.ranked - small.length;
  const values = { ...moved, few: small.length, least: FEWEST_RANKED };
  const isCounted = question[shown.by].length === 0 && moved.ranked > 0;
  const counted = isCounted && say(`changes.moved.${shown.by}`, values);
  const missing = isCounted && none > 0 && say('changes.moved.none', { none });
  return [counted, missing, isLate && say('changes.late')].filter((text) => text !== false).join(' ');
}

function findSubjectRow({ question, shown, rows, small, sums }: ChangesView): Row {
  if (question[shown.by].length === 0) return sums;
  return sumRows([...rows, ...small].filter(({ value }) => question[shown.by].includes(value)));
}

function nameSubject({ layout, question }: ChangesView): string {
  const open = { ...question, ...ALL_TIME, offset: 0 };
  return asksAnything(open) ? describeSearch({ layout, question: open }) : layout.city.name;
}

/** Names the rows with enough filings that rose and fell most. Returns `''` if one row is chosen. */
export function describeMost(view: ChangesView): string {
  const { layout, question, shown, rows } = view;
  if (question[shown.by].length > 0) return '';
  const few = layout.localization.say(`changes.few.${shown.by}`, { n: FEWEST_RANKED });
  if (view.moved.ranked === 0) return few;
  const ranked = rows.filter(({ value }) => !isUnknown(value));
  const column = view.sort.column === 'share' ? 'share' : 'change';
  const ends = (['rose', 'fell'] as const).map((end) => describeEnd(view, ranked, { column, end }));
  return ends.join(' ');
}

/** Describes the rows that rose or fell most. Names up to two rows, or the number of them. */
function describeEnd(
  view: ChangesView,
  ranked: readonly Row[],
  { column, end }: { column: 'change' | 'share'; end: 'rose' | 'fell' },
): string {
  const { say, list, number } = view.layout.localization;
  const measure = column === 'share' ? shareOf : changeOf;
  const [first] = sortRows(ranked, { column, isReverse: end === 'fell' });
  if (first === undefined || (end === 'rose' ? changeOf(first) <= 0 : changeOf(first) >= 0))
    return say(`changes.${end}.none`);
  const most = ranked.filter((row) => measure(row) === measure(first));
  const amount = column === 'share' ? formatShare(view, first) : formatChange(view, first);
  const word = column === 'share' ? (`changes.${end}.share` as const) : (`changes.${end}` as const);
  if (most.length > 2) return say(`changes.${end}.tied`, { n: most.length, amount });
  const counts = most.map(({ now, before }) => say('changes.against', { now, before }));
  return say(word, {
    name: list(most.map(({ value }) => value)),
    counts: list(counts),
    amount: amount || number(0),
  });
}

/** Renders the publisher, the address with its dates, and the end of the data. */
function describeSource(view: ChangesView): Markup {
  const { layout, shown, question, period, dataEnd } = view;
  const { say, day } = layout.localization;
  const address = formatViewAddress(shown, { ...question, ...period.now });
  return markup`${say('changes.source', {
    source: listPublishers(layout.city),
    title: say('title'),
    address: `${layout.publicUrl}${address}`,
    day: day(dataEnd),
  })}`;
}

/** Formats a change: `+5`, `−18` or `0`. */
export function formatChange({ layout }: ChangesView, row: Row): string {
  return layout.localization.change(changeOf(row));
}

/** Formats a change as a share, such as `+45%`. New values have no share. Without filings, there is no change. */
export function formatShare({ layout }: ChangesView, row: Row): string {
  const { say, share } = layout.localization;
  if (row.before === 0) return row.now === 0 ? '' : say('changes.new');
  return share(shareOf(row));
}
