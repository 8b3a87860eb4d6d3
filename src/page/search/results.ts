/** Renders the results of a search: heading or answer, one note, what can be chosen, and up to 25 listings in two parts. */

import { isPlaceholder } from '../../shared/city/placeholders.ts';
import { isUnknown } from '../../shared/city/value-names.ts';
import { ALL_TIME, isOneYear, isSameDays, spanYear, yearOf } from '../../shared/periods.ts';
import { asksAnything, PAGE_LIMIT } from '../../shared/question.ts';
import { renderRegister } from '../about-page.ts';
import { listPublishers } from '../chart/chart-picture.ts';
import { renderYears } from '../chart/years.ts';
import { describeClosings } from '../closings.ts';
import { renderCounted } from '../facets.ts';
import { sayMeaning } from '../filters.ts';
import { renderGroups } from '../kinds/group-chips.ts';
import { renderLedger, renderPager } from '../ledger.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { renderNotes } from '../notes.ts';
import { describeDataEnd, describeFound } from '../question-text.ts';
import { renderActions, renderHere } from '../search-head.ts';
import { changeAddress, formatPageAddress, formatSearchAddress } from '../search-view.ts';
import { renderShare } from '../share/share-panel.ts';
import { renderAnswer } from './answer.ts';
import { type Answer, nameSides } from './answer-parts.ts';
import { renderCorner, renderHeadline } from './headline.ts';
import { renderDoubt } from './no-results.ts';
import type { SearchPageView } from './search-page-view.ts';

/** How many listings a phone shows before people ask for the others of the page. */
const FIRST = 6;

/** Returns the parts of the results: what stands above the columns, the list, and what explains it. */
export function renderResults(
  view: SearchPageView,
  answer: Answer | undefined,
): Record<'above' | 'first' | 'rest', Markup> {
  const { layout, question } = view;
  const { say } = layout.localization;
  const meaning =
    view.closings && (sayMeaning(layout.localization.say, question.status) || say('note.status'));
  const doubts = [
    ...view.doubts.map((one) => renderDoubt(view, one)),
    ...(meaning ? [markup`${meaning}`] : []),
    ...listRange(view),
  ];
  const notes = renderNotes(view, doubts);
  const programs = formatSearchAddress('/api/search', question);
  const share = renderShare(view, { stats: view.found, programs });
  const heading =
    (view.reading?.words.length ? undefined : renderHeadline(view)) ??
    renderCorner(view) ??
    markup`<h1 id="found" tabindex="-1">${describeHeading(view)}</h1>`;
  const above = answer
    ? renderAnswer(view, answer, notes)
    : markup`<div class="lede">${heading}${notes}<div class="narrowing">${renderActions(view, share)}${renderGroups(view)}</div></div>`;
  const first = markup`<section class="results" id="results" aria-labelledby="${answer ? 'listed' : 'found'}">${answer && renderListed(view)}
<p class="print">${describePrint(view)}</p>
${renderList(view)}</section>`;
  const rest = markup`${answer && renderActions(view, share)}
<details class="know"><summary>${say('know.title')}</summary>${describeKnown(view)}</details>`;
  return { above, first, rest };
}

/** Renders the listings, of which a phone shows the first ones until people ask for all. */
function renderList(view: SearchPageView): Markup {
  const { listings, layout, question, total } = view;
  const { say, count } = layout.localization;
  if (listings.length === 0) return renderPast(view);
  const { filed_from, filed_to } = question;
  const isYear = filed_from !== '' && isOneYear({ filed_from, filed_to });
  const isStated = view.corner !== undefined || !asksAnything(question); // the heading has the year of an archive
  const newest = view.isArchive ? (isStated ? view.dataEnd : undefined) : view.today;
  const year = isYear ? yearOf(filed_from) : newest && yearOf(newest);
  const options = { question, isOpen: total === 1, ...(year !== undefined && { year }) };
  const others = listings.slice(FIRST);
  const more =
    others.length > 0 &&
    markup`<p class="more"><a class="button quiet" href="#others">${say('changes.rest', { n: others.length })}</a></p>`;
  // further pages list the newest first, as all pages do
  const pager = view.reading?.isOldest
    ? total > listings.length && linkTo(formatPageAddress(question), say('view.listings'))
    : renderPager(view, { total, shown: listings.length, label: count('results.count', total) });
  return markup`${renderLedger(layout, listings.slice(0, FIRST), options)}${more}
<div id="others">${others.length > 0 && renderLedger(layout, others, options)}${pager}</div>`;
}

/** Renders the heading of the list below an answer, or of a comparison the side that is listed and a link to the other. */
function renderListed(view: SearchPageView): Markup {
  const { layout, question, total, comparison, reading, ranking } = view;
  const { against } = reading ?? {};
  const isStated = comparison === undefined && ranking === undefined;
  // what grew is listed for the days that stand above
  const named = ranking?.days ? { layout, question: { ...question, ...ALL_TIME } } : view;
  const heading = isStated ? layout.localization.say('results.sorted') : describeFound(named, total);
  if (comparison === undefined || against === undefined) return markup`<h2 id="listed">${heading}</h2>`;
  const [here, there] = nameSides(layout, question, against);
  const { number } = layout.localization;
  return markup`<h2 class="unseen" id="listed">${heading}</h2><ul class="tabs">
<li><a href="#listed" aria-current="true">${here} <span class="count">${number(total)}</span></a></li>
<li><a href="${formatPageAddress(against)}" rel="nofollow">${there} <span
 class="count">${number(comparison.against)}</span></a></li></ul>`;
}

/** Says which of the results a further page shows. */
function listRange({ layout, question: { offset }, listings, total }: SearchPageView): Markup[] {
  if (offset === 0 || listings.length === 0) return [];
  return [
    markup`${layout.localization.say('results.range', { from: offset + 1, to: offset + listings.length, n: total })}`,
  ];
}

/** Returns whether the words ask only for what is near the person who asks. */
export function isAboutNear({ question, reading }: SearchPageView): boolean {
  const isNear = reading?.words.some(({ why }) => why === 'near') === true;
  return isNear && !asksAnything({ ...question, offset: 0 });
}

/** Renders the neighborhoods to choose from, because no listing says what is near. */
export function renderNear(view: SearchPageView): Markup {
  const links = view.facets.neighborhood
    .filter(({ value }) => !isUnknown(value))
    .map(({ value, count }) => ({
      href: changeAddress(view, { neighborhood: [value] }),
      text: value,
      count,
    }));
  return markup`<section class="results" id="results" aria-labelledby="found">
<h1 id="found" tabindex="-1">${view.layout.localization.say('results.near')}</h1>
<div class="fold actions">${renderHere(view)}</div>
${renderCounted(view, links)}
</section>`;
}

function describeHeading(view: SearchPageView): string {
  const { question, layout, total, reading } = view;
  const { say, count } = layout.localization;
  const closings = describeClosings(view);
  if (closings !== undefined) return closings;
  if (asksAnything({ ...question, offset: 0 })) return describeFound(view, total);
  if (reading?.words.some(({ why }) => why === 'home')) return say('results.home');
  return count('results.newest', total);
}

/** Describes a page for print: which of the results it shows, its address, the date of the data, and the operator. */
function describePrint({ layout, question, listings, total, dataEnd }: SearchPageView): Markup {
  const { say } = layout.localization;
  const { name } = layout.city.operator;
  const by = !isPlaceholder(name) && say('footer.by', { operator: name });
  const source = say('embed.source', { source: listPublishers(layout.city) });
  const from = question.offset + 1;
  const to = question.offset + listings.length;
  const address = `${layout.publicUrl}${formatPageAddress(question)}`;
  return markup`${say('print.range', { from, to, n: total })} <br>${address} <br>${source} ${describeDataEnd(layout, dataEnd)} ${by}`;
}

/** Explains what a listing means, how many are marked closed, and where all come from. */
function describeKnown(view: SearchPageView): Markup {
  const { layout, question, total, facets } = view;
  const { say, count } = layout.localization;
  const closed = facets.status.find(({ value }) => value === 'closed')?.count ?? 0;
  const marks =
    closed > 0 &&
    total > 1 &&
    question.status.length === 0 &&
    markup`<p><a href="${changeAddress(view, { status: ['closed'] })}#found" rel="nofollow">${count('note.closed', closed)}</a></p>`;
  return markup`<p><a href="/about#facts">${say('note.registered')}</a> ${describeDataEnd(layout, view.dataEnd)}</p>${marks}${renderRegister(view)}`;
}

/** Renders links to years with their counts, for results of several pages from all time or one year. */
export function renderTimes(view: SearchPageView): Markup | undefined {
  const { question, closings, anyTime } = view;
  const isAnyTime = isSameDays(question, ALL_TIME);
  const isYear = isSameDays(question, spanYear(yearOf(question.filed_from)));
  if (closings !== undefined || anyTime.total <= PAGE_LIMIT || !(isAnyTime || isYear)) return undefined;
  return markup`<div class="times">${renderYears(view, question, 2, view.recent?.days)}</div>`;
}

function renderPast(view: SearchPageView): Markup {
  const { say } = view.layout.localization;
  return markup`<p>${say('results.past')} ${linkTo(changeAddress(view, {}), say('results.first'))}</p>`;
}
