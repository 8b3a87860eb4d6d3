/** The results of a search: heading, explanation, up to 25 listings, and what people can copy or download. */

import { addDays } from '../../listings/day.ts';
import { asksAnything, EVERYTHING, formatQuestion } from '../../search/parameters.ts';
import { isOneYear } from './changes/periods.ts';
import { renderField } from './chart/chart-numbers.ts';
import type { CityPageView } from './city-page-view.ts';
import { renderLedger, renderPager } from './ledger.ts';
import { type Markup, markup } from './markup.ts';
import { renderDoubt, renderNoResults } from './no-results.ts';
import { describeFound, sayStatus } from './question-text.ts';
import { changeAddress, formatChangesAddress, formatPageAddress } from './search-view.ts';
import { formatFrame } from './share/embed-page.ts';

export function renderResults(view: CityPageView): Markup {
  const { listings, total } = view;
  if (total === 0) return renderNoResults(view);
  return markup`<section class="results" id="results" aria-labelledby="found">
<h2 id="found" tabindex="-1">${heading(view)}</h2>
${view.question.offset > 0 && listings.length > 0 && range(view)}
${view.doubts.map((one) => renderDoubt(view, one))}
${renderNote(view)}
<p class="print">${describePrint(view)}</p>
${listings.length === 0 ? renderPast(view) : renderLedger(view.layout.localization, listings)}
${renderPages(view)}
${renderTake(view)}
</section>`;
}

function heading(view: CityPageView): string {
  const { question, layout, total } = view;
  return asksAnything({ ...question, offset: 0 })
    ? describeFound(view, total)
    : layout.localization.say('results.title');
}

function range({ layout, question, total, listings }: CityPageView): Markup {
  const from = question.offset + 1;
  const values = { from, to: question.offset + listings.length, n: total };
  return markup`<p class="note">${layout.localization.say('results.range', values)}</p>`;
}

/** Describes a printed page, which has no links: its share of the results, its address, and the date of the data. */
function describePrint({ layout, question, listings, total, dataEnd }: CityPageView): string {
  const { say, day } = layout.localization;
  const from = question.offset + 1;
  const to = question.offset + listings.length;
  const address = `${layout.publicUrl}${formatPageAddress(question)}`;
  return `${say('print.range', { from, to, n: total })} ${address} ${say('picture.asOf', { day: day(dataEnd) })}`;
}

/** Renders what is new, what a registration means, and the number a year before. */
function renderNote(view: CityPageView): Markup {
  const { layout, isArchive, newThisWeek, today, stats, question, shown, total } = view;
  const { say, count, day } = layout.localization;
  const week =
    newThisWeek > 0 &&
    markup`<a href="${changeAddress({ shown, question: EVERYTHING }, { filed_from: addDays(today, -6) })}" rel="nofollow">${count('week.count', newThisWeek, { day: day(today) })}</a> `;
  const isHome = !asksAnything(question);
  const ended = stats.latestFiling !== null && say('note.ended', { day: day(stats.latestFiling) });
  return markup`<p class="note">${isHome && markup`${count('note.total', total)} ${isArchive ? markup`${ended} ` : week}`}${view.period.limit === 'status' ? `${sayStatus(view)} ` : renderCompared(view)}${say('note.registered')}</p>`;
}

/** Renders the link to the comparison if there is something to compare. */
function renderCompared(view: CityPageView): Markup | false {
  const { compared, period, question, layout } = view;
  if (compared.now === 0 || compared.before === 0 || period.limit !== undefined) return false;
  const { say, period: formatPeriod } = layout.localization;
  const { filed_from: from, filed_to: to } = period.now;
  const isYear =
    from.endsWith('-01-01') && isOneYear(period.now) && (to === view.dataEnd || to.endsWith('-12-31'));
  const counts = { n: compared.now, before: compared.before };
  const text = isYear
    ? say('note.compared', { ...counts, year: from.slice(0, 4), last: period.before.filed_from.slice(0, 4) })
    : say('note.compared.period', { ...counts, period: formatPeriod(from, to) });
  return markup`<a href="${formatChangesAddress(question)}" rel="nofollow">${text}</a> `;
}

function renderPast(view: CityPageView): Markup {
  const { say } = view.layout.localization;
  return markup`<p>${say('results.past')} <a href="${changeAddress(view, {})}" rel="nofollow">${say('results.first')}</a></p>`;
}

function renderPages({ layout, question, total, listings }: CityPageView): Markup {
  const after = question.offset + listings.length;
  return renderPager(layout.localization, {
    question,
    total,
    label: layout.localization.count('results.count', total),
    next: listings.length > 0 ? after : total,
    addressOf: (offset) => `${formatPageAddress({ ...question, offset })}#found`,
  });
}

/** Renders what people can do with the search elsewhere. Only categories and neighborhoods can limit the email. */
function renderTake(view: CityPageView): Markup {
  const { layout, question, period } = view;
  const { say } = layout.localization;
  const asked = formatQuestion({ ...question, limit: EVERYTHING.limit, offset: 0 });
  const query = asked === '' ? '' : `?${asked}`;
  const { category, neighborhood } = question;
  const wanted = formatQuestion({ ...EVERYTHING, category, neighborhood });
  const isEmail = layout.hasEmail() && asked === wanted;
  const place = [...category, ...neighborhood].join(', ');
  const email =
    isEmail &&
    markup`<li><a href="/signup${wanted !== '' && `?${wanted}`}" rel="nofollow">${place === '' ? say('take.email') : say('take.email.part', { what: place })}</a></li>`;
  const link = `${layout.publicUrl}${formatPageAddress({ ...question, offset: 0 })}`;
  const frame =
    layout.mayEmbed &&
    markup`<li>${renderField(view, { id: 'take-frame', label: say('take.frame'), text: formatFrame(view), lines: 4 })}</li>`;
  return markup`<details id="take"><summary>${say('take.title')}</summary><ul class="take">
<li>${renderField(view, { id: 'take-link', label: say('take.link'), text: link, lines: 2 })}</li>
${period.limit !== 'status' && markup`<li><a href="${formatChangesAddress({ ...question, ...period.now })}" rel="nofollow">${say('take.compare')}</a></li>`}${frame}
<li><a href="/feeds${query}" rel="nofollow">${say('follow.atom')}</a></li>${email}</ul></details>`;
}
