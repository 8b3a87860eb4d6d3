/** Renders the page at `/`: an answer or a heading, one note, up to 25 listings in two parts, and a map of their neighborhoods. */

import { listPublishers } from '../../shared/city/city-facts.ts';
import { isPlaceholder } from '../../shared/city/placeholders.ts';
import { isUnknown } from '../../shared/city/value-names.ts';
import { monthOf } from '../../shared/day.ts';
import {
  ALL_TIME,
  type Days,
  findOldest,
  isOneYear,
  isSameDays,
  spanYear,
  yearOf,
} from '../../shared/periods.ts';
import { asksAnything, PAGE_LIMIT } from '../../shared/question.ts';
import { capitalize } from '../../shared/text/fill-in.ts';
import { renderRegister } from '../about-page.ts';
import { renderYears } from '../chart/years.ts';
import { renderFacet, renderGroups } from '../facets.ts';
import { sayMeaning } from '../filters.ts';
import { chooseWhen, headingOf, renderLedger, renderPager } from '../ledger.ts';
import { describeAskedReason, describeLeftOut } from '../left-out.ts';
import { addYear, renderCountMap } from '../map/map.ts';
import { fillMarkup, linkTo, type Markup, markup } from '../markup.ts';
import { renderNotes } from '../notes.ts';
import { type PageLayout, renderDocument } from '../page-layout.ts';
import { renderPreview } from '../page-metadata.ts';
import {
  addPeriod,
  describeClosings,
  describeDataEnd,
  describeEver,
  describeFound,
  describeRegistered,
  describeSearch,
} from '../question-text.ts';
import { isOwnPage, renderActions, renderHere, renderSearchHead } from '../search-head.ts';
import { changeAddress, formatPageAddress, formatSearchAddress } from '../search-view.ts';
import { renderFeedLinks } from '../share/feeds-page.ts';
import { renderShare } from '../share/share-panel.ts';
import { renderSignupBox } from '../week/signup-box.ts';
import { countStatus, findAnswer, renderAnswer } from './answer.ts';
import { type Answer, describeMissed, findWhether, renderSides, sayClaim } from './answer-parts.ts';
import { renderDifferenceMap } from './difference-map.ts';
import { isCorner, renderCorner, renderHeadline, renderKeep } from './headline.ts';
import { renderDoubt, renderNoResults } from './no-results.ts';
import type { SearchPageView } from './search-page-view.ts';

export function renderSearchPage(view: SearchPageView): string {
  const { layout, question } = view;
  const hasFound = view.total > 0;
  const answer = findAnswer(view);
  const main = markup`${renderSearchHead(view)}
<div class="wide" id="view">
${hasFound ? renderFound(view, answer) : renderNoResults(view)}
</div>`;
  const isHome = !asksAnything(question);
  const title =
    answer?.sentence ??
    describeMissed(view) ??
    (isHome ? layout.localization.say('title') : describeSearch(view));
  const description = describeCity(view);
  const preview = {
    title,
    description: isHome ? description : describeResults(view),
    path: formatPageAddress(question),
    picture: hasFound ? formatSearchAddress('/chart.png', question) : undefined,
    whole: '/' as const,
    isWhole: isHome,
  };
  const head = markup`${renderPreview(layout, preview)}${renderFeedLinks(view)}`;
  return renderDocument(layout, { title, description, main, head, question });
}

function renderFound(view: SearchPageView, answer: Answer | undefined): Markup {
  const { beside } = view;
  const counted = { ...view, ...beside };
  const isNear = isAboutNear(view);
  const { above, first, rest } = isNear
    ? { above: undefined, first: renderNear(view), rest: undefined }
    : renderResults(view, answer);
  const isListed = isNear || view.ranking?.by === 'neighborhood'; // beside the map, or above it
  const marks = { days: beside?.days, first: answer?.place };
  const isOfWeeks = !asksAnything(view.question) && view.week?.days === beside?.days; // beside its heading
  const map =
    answer && view.difference
      ? renderDifferenceMap(view, view.difference, answer.place)
      : renderCountMap(counted, isListed ? { ...marks, list: false } : marks);
  return markup`${above}<div class="cols"><div class="first">${first}</div>
<div class="side">${map}<div class="last">${renderSignupBox(view)}${isOfWeeks && renderTimes(view)}${view.total > 1 && counted.stats.by.category.length > 1 && renderKinds(counted, beside?.days)}</div></div>
<div class="rest">${rest}</div></div>`;
}

function renderKinds(view: SearchPageView, days: Days | undefined): Markup {
  return markup`<section aria-labelledby="kinds"><h2 id="kinds">${addYear(view, addPeriod(view, view.layout.localization.say('kinds.title')), days)}</h2>
${renderFacet(view, 'category')}</section>`;
}

/**
 * Renders the page shown until the first filings are imported. `held` explains to the operator why the import is held.
 */
export function renderWaitingPage(layout: PageLayout, held: readonly string[] = []): string {
  const { say } = layout.localization;
  const lead =
    held.length === 0
      ? markup`<p>${say('waiting')}</p><p><a class="button" href="/">${say('waiting.again')}</a></p>`
      : markup`<p>${say('waiting.held')}</p><p>${say('waiting.operator')}</p>${held.map(
          (sentence) => markup`<p lang="en">${capitalize(sentence)}.</p>`,
        )}`;
  const main = markup`<div class="narrow">${lead}${renderRegister({ layout, dataAsOf: null, leftOut: undefined })}</div>`;
  const head = markup`<meta name="robots" content="noindex">
`;
  return renderDocument(layout, { title: say('title'), main, head });
}

function describeResults(view: SearchPageView): string {
  const { layout, total } = view;
  const found = describeFound({ layout, question: questionOfList(view) }, total);
  return `${found} (${layout.city.name}). ${layout.localization.say('note.registered')}`;
}

function describeCity({ layout, dataEnd, stats: { total, latestFiling } }: SearchPageView): string {
  const { say, count, day, month } = layout.localization;
  if (latestFiling === null) return say('lead.none');
  return layout.hasNews()
    ? count('lead', total, { day: day(latestFiling) })
    : count('lead.archive', total, { month: month(monthOf(dataEnd), 'long') });
}

/** How many listings a phone shows before people ask for the others of the page. */
const FIRST = 6;

/** Returns the parts of the results: what stands above the columns, the list, and what explains it. */
function renderResults(view: SearchPageView, answer: Answer | undefined) {
  const { layout, question, reading } = view;
  const { say } = layout.localization;
  const meaning = view.closings && (sayMeaning(layout.localization, question.status) || say('note.status'));
  const { untold } = reading ?? {};
  const missed = describeMissed(view);
  const reason =
    view.leftOut &&
    (missed !== undefined
      ? describeLeftOut(layout, view.leftOut)
      : untold && describeAskedReason(layout, view.leftOut, untold));
  const closed = reading?.answer === 'status' ? [] : listClosed(view);
  const isBelow = answer !== undefined || missed !== undefined || view.listed !== undefined; // so that the list has a heading of its own
  const isNumber = answer?.figure !== undefined;
  const caveat = [...(answer?.caveat ?? []), ...(isNumber ? closed : [])];
  const doubts = [
    ...view.doubts.map((one) => renderDoubt(view, one)),
    ...listParts(view),
    ...(meaning ? [markup`${meaning}`] : []),
    ...(reason ? [markup`${reason}`] : []),
    ...(isBelow ? [] : closed),
    ...listRange(view),
  ];
  const notes = renderNotes(view, doubts);
  const share = markup`${renderKeep(view)}${renderShare(view)}`;
  const said = missed ?? describeUntold(view);
  const heading =
    (said || reading?.words.length ? undefined : renderHeadline(view)) ??
    (said ? undefined : renderCorner(view)) ??
    markup`<h1 id="found" tabindex="-1">${said ?? describeHeading(view)}</h1>`;
  const above = answer
    ? renderAnswer(view, { ...answer, caveat }, { notes, share })
    : markup`<div class="lede">${heading}${asksAnything(question) && missed === undefined && renderTimes(view)}${notes}${missed === undefined && markup`<div class="narrowing">${renderActions(view, share)}${renderGroups(view)}</div>`}</div>`;
  const first = markup`<section class="results" id="results" aria-labelledby="${isBelow ? 'listed' : 'found'}">${isBelow && markup`<div class="listed"><h2 id="listed">${missed ? linkTo(formatPageAddress(question), describeFound(view, view.total)) : describeListed(view)}</h2>${linkAll(view)}${view.ranking === undefined && !isNumber && closed.map((one) => markup`<p class="note">${one}</p>`)}</div>`}
<p class="print">${renderPrintLine(view)}</p>
${renderList(view)}</section>`;
  const rest = markup`<details class="know"><summary>${say('know.title')}</summary>${renderKnown(view)}</details>`;
  return { above, first, rest };
}

/** Links to the listings of a neighborhood of all days, beside the heading of those of its newest year. */
function linkAll(view: SearchPageView): Markup | false {
  const { listed, anyTime, stats, dataEnd } = view;
  const filed_from = `${yearOf(findOldest(stats.byMonth) ?? dataEnd)}-01-01`;
  const link = linkTo(
    changeAddress(view, { filed_from }),
    view.layout.localization.say('ended.all', { n: anyTime.total }),
  );
  return listed !== undefined && anyTime.total > view.total && markup`<p class="note">${link}</p>`;
}

/** Renders the listings, of which a phone shows the first ones until people ask for all. */
function renderList(view: SearchPageView): Markup {
  const { listings, layout, question, total } = view;
  const { say } = layout.localization;
  if (listings.length === 0) return renderPast(view);
  const { filed_from, filed_to } = question;
  const isYear = filed_from !== '' && isOneYear({ filed_from, filed_to });
  // the number of a neighborhood has the year of an archive
  const newest = layout.hasNews() ? view.today : isCorner(question) ? view.dataEnd : undefined;
  const year = isYear ? yearOf(filed_from) : newest && yearOf(newest);
  const when = chooseWhen(listings, year);
  const options = { question, isOpen: total === 1, year, when };
  const [first, others] = [listings.slice(0, FIRST), listings.slice(FIRST)];
  const more =
    others.length > 0 &&
    markup`<p class="more"><a class="button quiet" href="#others">${say('changes.rest', { n: others.length })}</a></p>`;
  // further pages list the newest first, as all pages do
  const pager = view.reading?.isOldest
    ? total > listings.length && linkTo(formatPageAddress(question), say('view.listings'))
    : renderPager({ ...view, question: questionOfList(view) }, { total, shown: listings.length });
  const asked = filed_from === filed_to ? filed_from : undefined; // the heading of the page names the day
  const shown = headingOf(when, first.at(-1)!);
  return markup`${renderLedger(layout, first, { ...options, said: asked })}${more}
<div id="others">${others.length > 0 && renderLedger(layout, others, { ...options, said: shown })}${pager}</div>`;
}

/** Returns the search that the list is of: of a neighborhood, that in the days of the number above it. */
function questionOfList({ question, listed }: SearchPageView): SearchPageView['question'] {
  return { ...question, ...listed };
}

/** Says what each of the words finds that no listing has together. */
function listParts({ layout, similar }: SearchPageView): Markup[] {
  if (similar.length === 0) return [];
  const links = similar.map(({ question, count }, i) => {
    const link = linkTo(formatPageAddress(question), describeFound({ layout, question }, count));
    return markup`${i > 0 && ', '}${link}`;
  });
  return [fillMarkup(layout.localization.say('meant.parts'), { parts: markup`${links}` })];
}

/** Writes the heading of the list below an answer, whose sentence has the number and the days, or below a number. */
function describeListed(view: SearchPageView): string {
  const { layout, question, reading, total, listed } = view;
  const { say, day } = layout.localization;
  if (listed !== undefined)
    return isOneYear(listed)
      ? say('corner.listed', { n: total, year: yearOf(listed.filed_to) })
      : say('corner.listed.months', { n: total, day: day(listed.filed_to) });
  if (reading?.isOldest) return say('results.oldest');
  return reading?.rank
    ? describeFound({ layout, question: { ...question, ...ALL_TIME } }, total)
    : describeSearch(view);
}

/** Says which of the results a further page shows. */
function listRange({ layout, question: { offset }, listings, total }: SearchPageView): Markup[] {
  if (offset === 0 || listings.length === 0) return [];
  const shown = { from: offset + 1, to: offset + listings.length, n: total };
  return [markup`${layout.localization.say('results.range', shown)}`];
}

/** Returns whether the words ask only for a place that listings do not tell: near the person who asks, a street or another town. */
function isAboutNear({ question, reading, facets }: SearchPageView): boolean {
  const isNear = reading?.words.some(({ why = '' }) => /^(?:near|place|address)$/.test(why)) === true;
  const hasPlaces = facets.neighborhood.some(({ value }) => !isUnknown(value));
  return isNear && hasPlaces && !asksAnything({ ...question, offset: 0 });
}

/** Renders the neighborhoods to choose from, because no listing says what is near. */
function renderNear(view: SearchPageView): Markup {
  const { say } = view.layout.localization;
  const isNearMe = view.reading?.words.some(({ why }) => why === 'near');
  return markup`<section class="results" id="results" aria-labelledby="found">
<h1 id="found" tabindex="-1">${say(isNearMe ? 'results.near' : 'help.places')}</h1>
${renderNotes(view)}<div class="fold actions">${renderHere(view)}</div>
${renderFacet(view, 'neighborhood')}
</section>`;
}

/** Says first that nothing tells what was asked for, of which only a place or days could be used. */
function describeUntold(view: SearchPageView): string | undefined {
  const word = view.reading?.untold;
  const what = describeFound(view, view.total);
  return word && view.layout.localization.say('meant.untold', { word, what });
}

function describeHeading(view: SearchPageView): string {
  const { question, layout, total, reading } = view;
  const { say, count } = layout.localization;
  const closings = describeClosings(view);
  if (closings !== undefined) return closings;
  if (isOwnPage(view) && view.listings.length === 1) return view.listings[0]!.name;
  // beside what no filing tells, a number would be taken for the answer
  const isUntold = reading?.words.some(({ why }) => why === 'filings');
  if (asksAnything({ ...question, offset: 0 })) {
    const what =
      total > PAGE_LIMIT && isSameDays(question, ALL_TIME)
        ? describeEver(view, total)
        : describeFound(view, total);
    const isAny =
      findWhether(view) !== undefined && (countStatus(view, 'open') > 0 || !layout.recordsClosings());
    return isUntold ? describeRegistered(view, total) : sayClaim(view, what, isAny || undefined);
  }
  if (reading?.words.some(({ why }) => why === 'home')) return say('results.home');
  return count('results.newest', total);
}

/** Describes a page for print: its address, the date of the data, and the operator. */
function renderPrintLine({ layout, question, dataEnd }: SearchPageView): Markup {
  const { say } = layout.localization;
  const { name } = layout.city.operator;
  const by = !isPlaceholder(name) && say('footer.by', { operator: name });
  const source = say('embed.source', { source: listPublishers(layout.city) });
  const address = `${layout.publicUrl}${formatPageAddress(question)}`;
  return markup`${address} <br>${source} ${describeDataEnd(layout, dataEnd)} ${by}`;
}

/** Says how many of the listings are marked closed and, to who needs one, how many are not, with links to them. */
function listClosed(view: SearchPageView): Markup[] {
  const { layout, question, total } = view;
  const [closed, open] = [countStatus(view, 'closed'), countStatus(view, 'open')];
  const isNarrowed = asksAnything(question) && !isCorner(question) && question.status.length === 0;
  if (closed === 0 || total < 2 || !isNarrowed) return [];
  const { say } = layout.localization;
  const link = (status: string, said: string) =>
    linkTo(`${changeAddress(view, { status: [status] })}#found`, said);
  const others = view.reading?.isNeed && open > 0 && link('open', say('note.open', { n: open }));
  return [markup`${link('closed', say('note.closed', { n: closed, of: total }))} ${others}`];
}

/** Explains what a listing means, and where all come from. */
function renderKnown(view: SearchPageView): Markup {
  const { say } = view.layout.localization;
  return markup`<p><a href="/about#facts">${say('note.registered')}</a> ${describeDataEnd(view.layout, view.dataEnd)}</p>${renderRegister(view)}`;
}

/** Renders links to years with their counts, for results of several pages from all time or one year. */
function renderTimes(view: SearchPageView): Markup | undefined {
  const { question, closings, anyTime } = view;
  if (isCorner(question)) return undefined; // beside its numbers
  const isAnyTime = isSameDays(question, ALL_TIME);
  const isYear = isSameDays(question, spanYear(yearOf(question.filed_from)));
  if (closings !== undefined || anyTime.total <= PAGE_LIMIT || !(isAnyTime || isYear)) return undefined;
  return markup`<div class="times">${renderSides(view) ?? renderYears(view, question, view.beside?.days)}</div>`;
}

function renderPast(view: SearchPageView): Markup {
  const { say } = view.layout.localization;
  return markup`<p>${say('results.past')} ${linkTo(changeAddress(view, {}), say('results.first'))}</p>`;
}
