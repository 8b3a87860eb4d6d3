/** Renders the results of a search: heading, actions, explanation, up to 25 listings, and the years. */

import { isPlaceholder } from '../../shared/city/placeholders.ts';
import { isUnknown } from '../../shared/city/value-names.ts';
import { ALL_TIME, isSameDays, spanYear, yearOf } from '../../shared/periods.ts';
import { asksAnything, PAGE_LIMIT } from '../../shared/question.ts';
import { formatCorrection } from '../about-page.ts';
import { renderYears } from '../chart/chart.ts';
import { describeClosings } from '../closings.ts';
import { renderCounted } from '../facets.ts';
import { sayMeaning } from '../filters.ts';
import { renderLedger, renderPager } from '../ledger.ts';
import { type Markup, markup } from '../markup.ts';
import { describeDataEnd, describeFound } from '../question-text.ts';
import { renderActions, renderCorrected, renderHere } from '../search-head.ts';
import { changeAddress, formatPageAddress, formatSearchAddress } from '../search-view.ts';
import { renderShare } from '../share/share-panel.ts';
import { renderAnswer } from './answer.ts';
import { renderDoubt } from './no-results.ts';
import type { SearchPageView } from './search-page-view.ts';

export function renderResults(view: SearchPageView): Markup {
  if (isAboutNear(view)) return renderNear(view);
  const { listings, layout, question, total } = view;
  const programs = formatSearchAddress('/api/search', question);
  const options = { question, hasLinks: true, canReport: canReport(view) };
  return markup`<section class="results" id="results" aria-labelledby="found">
<h2 id="found" tabindex="-1">${describeClosings(view) ?? describeResults(view)}</h2>
${renderCorrected(view)}${renderAnswer(view)}${renderActions(view, renderShare(view, { stats: view.found, programs }))}
${view.doubts.map((one) => renderDoubt(view, one))}
${renderNote(view)}
<p class="print">${describePrint(view)}</p>
${listings.length === 0 ? renderPast(view) : renderLedger(layout.localization, listings, options)}
${renderPager(view, { total, shown: listings.length, label: layout.localization.count('results.count', total) })}
${canReport(view) && markup`<p class="note"><a class="onscreen" href="${formatMistakeAddress(view)}">${layout.localization.say('correct.link')}</a></p>`}
</section>`;
}

/** Returns whether the words ask only for what is near the person who asks. */
export function isAboutNear({ question, reading }: SearchPageView): boolean {
  const isNear = reading?.words.some(({ why }) => why === 'near') === true;
  return isNear && !asksAnything({ ...question, offset: 0 });
}

/** Renders the neighborhoods to choose from, because no listing says what is near. */
function renderNear(view: SearchPageView): Markup {
  const links = view.facets.neighborhood
    .filter(({ value }) => !isUnknown(value))
    .map(({ value, count }) => ({
      href: changeAddress(view, { neighborhood: [value] }),
      text: value,
      count,
    }));
  return markup`<section class="results" id="results" aria-labelledby="found">
<h2 id="found" tabindex="-1">${view.layout.localization.say('results.near')}</h2>
<div class="fold">${renderHere(view)}</div>
${renderCounted(view, links)}
</section>`;
}

function canReport({ layout, listings }: SearchPageView): boolean {
  return listings.length > 0 && !isPlaceholder(layout.city.operator.contact);
}

function describeResults(view: SearchPageView): string {
  const { question, layout, total, reading } = view;
  if (asksAnything({ ...question, offset: 0 })) return describeFound(view, total);
  if (reading?.words.some(({ why }) => why === 'home')) return layout.localization.say('results.home');
  return layout.localization.count('results.newest', total);
}

/** Describes a page for print: which of the results it shows, its address, the date of the data, and the operator. */
function describePrint({ layout, question, listings, total, dataEnd }: SearchPageView): Markup {
  const { say } = layout.localization;
  const { name } = layout.city.operator;
  const by = !isPlaceholder(name) && say('footer.by', { operator: name });
  const from = question.offset + 1;
  const to = question.offset + listings.length;
  const address = `${layout.publicUrl}${formatPageAddress(question)}`;
  return markup`${say('print.range', { from, to, n: total })} <br>${address} <br>${describeDataEnd(layout, dataEnd)} ${by}`;
}

/** Explains which results these are, and what a date or a mark means. */
function renderNote(view: SearchPageView): Markup {
  const { layout, question, total, listings, facets, reading, closings } = view;
  const { say, count } = layout.localization;
  const { offset } = question;
  const range = { from: offset + 1, to: offset + listings.length, n: total };
  const closed = facets.status.find(({ value }) => value === 'closed')?.count ?? 0;
  const marks =
    reading?.answer === 'status'
      ? layout.recordsClosings() && say('note.status')
      : closed > 0 &&
        total > 1 &&
        question.status.length === 0 &&
        markup`<a href="${changeAddress(view, { status: ['closed'] })}#found" rel="nofollow">${count('note.closed', closed)}</a>`;
  const meaning =
    closings === undefined
      ? markup`${marks} <a href="/about#facts">${say('note.registered')}</a>`
      : sayMeaning(say, question.status) || say('note.status');
  return markup`<p class="note">${offset > 0 && listings.length > 0 && say('results.range', range)} ${meaning}</p>`;
}

/** Returns the address of a message about the only result, or shows the links beside all results. */
function formatMistakeAddress(view: SearchPageView): string {
  return (view.total === 1 ? formatCorrection(view, view.listings[0]) : undefined) ?? '#report';
}

/** Renders links to years with their counts, for results of several pages from all time or one year. */
export function renderTimes(view: SearchPageView): Markup | undefined {
  const { question, closings, anyTime } = view;
  const isAnyTime = isSameDays(question, ALL_TIME);
  const isYear = isSameDays(question, spanYear(yearOf(question.filed_from)));
  if (closings !== undefined || anyTime.total <= PAGE_LIMIT || !(isAnyTime || isYear)) return undefined;
  return renderYears(view, isYear ? question : { filed_from: '0001-01-01', filed_to: '9999-12-31' }, 2);
}

function renderPast(view: SearchPageView): Markup {
  const { say } = view.layout.localization;
  return markup`<p>${say('results.past')} <a href="${changeAddress(view, {})}" rel="nofollow">${say('results.first')}</a></p>`;
}
