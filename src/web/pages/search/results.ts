/** Renders the results of a search: heading, explanation, years, up to 25 listings, and links to copy. */

import { asksAnything, formatQuestion, PAGE_LIMIT } from '../../../search/parameters.ts';
import { ALL_TIME, isSameDays, spanYear } from '../changes/periods.ts';
import { renderYears } from '../chart/chart.ts';
import { renderField } from '../chart/chart-numbers.ts';
import { renderLedger, renderPager } from '../ledger.ts';
import { type Markup, markup } from '../markup.ts';
import { describeFound, withoutPage } from '../question-text.ts';
import { changeAddress, formatPageAddress } from '../search-view.ts';
import { formatEmbedAddress, formatFrame } from '../share/embed-page.ts';
import { renderAnswer } from './answer.ts';
import { renderDoubt } from './no-results.ts';
import type { SearchPageView } from './search-page-view.ts';

export function renderResults(view: SearchPageView): Markup {
  const { listings, layout, question } = view;
  const { say } = layout.localization;
  return markup`<section class="results" id="results" aria-labelledby="found">
<h2 id="found" tabindex="-1">${heading(view)}</h2>
${renderAnswer(view)}${view.doubts.map((one) => renderDoubt(view, one))}
${renderNote(view)}
<p class="print">${describePrint(view)}</p>
${renderTimes(view)}
${listings.length === 0 ? renderPast(view) : renderLedger(layout.localization, listings, question)}
${renderPages(view)}
${renderTake(view)}
<p class="onscreen"><a href="/about#correct">${say('correct.link')}</a></p>
</section>`;
}

function heading(view: SearchPageView): string {
  const { question, layout, total } = view;
  return asksAnything({ ...question, offset: 0 })
    ? describeFound(view, total)
    : layout.localization.say('results.title');
}

/** Describes a page for print: which of the results it shows, its address, and the date of the data. */
function describePrint({ layout, question, listings, total, dataEnd }: SearchPageView): Markup {
  const { say, day } = layout.localization;
  const from = question.offset + 1;
  const to = question.offset + listings.length;
  const address = `${layout.publicUrl}${formatPageAddress(question)}`;
  return markup`${say('print.range', { from, to, n: total })}<br>${address}<br>${say('picture.asOf', { day: day(dataEnd) })}`;
}

/** Renders the number of results, why some lack the words of the search, and what a registration or its date means. */
function renderNote(view: SearchPageView): Markup {
  const { layout, isArchive, newThisWeek, today, question, period, total, listings, similar } = view;
  const { say, count, day, list } = layout.localization;
  const { offset } = question;
  const isHome = !asksAnything(question);
  const range = { from: offset + 1, to: offset + listings.length, n: total };
  const sentences = [
    offset > 0 && listings.length > 0 && say('results.range', range),
    isHome && count('note.total', total),
    isHome && !isArchive && newThisWeek > 0 && count('week.count', newThisWeek, { day: day(today) }),
    similar.length > 0 && say('note.similar', { what: list(similar) }),
    say(period.caveat === 'status' ? 'note.status' : 'note.registered'),
  ];
  return markup`<p class="note">${sentences.filter((one) => one !== false).join(' ')}</p>`;
}

/** Renders links to years with their counts, on the first of several pages of a search at any time or in one year. */
function renderTimes(view: SearchPageView): Markup | undefined {
  const { question, period, anyTime } = view;
  if (!asksAnything(question) || question.offset > 0 || period.caveat === 'status') return undefined;
  const isAnyTime = isSameDays(question, ALL_TIME);
  const isYear = isSameDays(question, spanYear(question.filed_from.slice(0, 4)));
  if (anyTime.total <= PAGE_LIMIT || !(isAnyTime || isYear)) return undefined;
  return renderYears(view, isYear ? question : { filed_from: '0001-01-01', filed_to: '9999-12-31' });
}

function renderPast(view: SearchPageView): Markup {
  const { say } = view.layout.localization;
  return markup`<p>${say('results.past')} <a href="${changeAddress(view, {})}" rel="nofollow">${say('results.first')}</a></p>`;
}

function renderPages({ layout, question, total, listings }: SearchPageView): Markup {
  const after = question.offset + listings.length;
  return renderPager(layout.localization, {
    question,
    total,
    label: layout.localization.count('results.count', total),
    next: listings.length > 0 ? after : total,
    addressOf: (offset) => `${formatPageAddress({ ...question, offset })}#found`,
  });
}

/** Renders what people can use elsewhere: the address of the search, a frame and the feed. */
function renderTake(view: SearchPageView): Markup {
  const { layout, question } = view;
  const { say } = layout.localization;
  const asked = formatQuestion(withoutPage(question));
  const link = `${layout.publicUrl}${formatPageAddress(withoutPage(question))}`;
  const frame =
    layout.mayEmbed &&
    markup`<li>${renderField(view, { id: 'take-frame', label: say('take.frame'), text: formatFrame(view), lines: 4 })} <a href="${formatEmbedAddress(view)}" rel="nofollow">${say('take.preview')}</a></li>`;
  return markup`<details id="take"><summary>${say('take.title')}</summary><ul class="take">
<li>${renderField(view, { id: 'take-link', label: say('take.link'), text: link, lines: 2 })}</li>${frame}
<li><a href="/feeds${asked !== '' && `?${asked}`}" rel="nofollow">${say('follow.atom')}</a></li></ul></details>`;
}
