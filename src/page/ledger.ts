/** Renders listings by neighborhood or by filing, grouped by day if days have several, and links to further pages. */

import type { Localization } from '../shared/city/localization.ts';
import { isUnknown } from '../shared/city/value-names.ts';
import { isException, type Listing } from '../shared/listing.ts';
import { EVERYTHING, FURTHEST, findListing, PAGE_LIMIT, type Question } from '../shared/question.ts';
import { type Markup, markup } from './markup.ts';
import { changeAddress, formatPageAddress, formatSearchAddress, type SearchView } from './search-view.ts';

/** Minimum listings per day, on average, to use days as headings. */
const ENOUGH_EACH = 4;

type LedgerOptions = {
  question?: Question;
  /** Whether a mark leads to its meaning. */
  hasLinks?: boolean;
  /** Whether mistakes can be reported. */
  canReport?: boolean;
  /** The year that dates omit. */
  year?: string;
};

/** The headings of neighborhoods, to group by these. */
type Headings = ReadonlyMap<string, string>;

/**
 * Renders the listings of a search. Omits facts that the heading already states. The links to report a mistake are
 * hidden until the address ends with `#report`.
 */
export function renderLedger(
  localization: Localization,
  listings: readonly Listing[],
  { question = EVERYTHING, hasLinks = false, canReport = false, year }: LedgerOptions = {},
  headings?: Headings,
): Markup {
  const byDay = Map.groupBy(listings, ({ filing_date }) => filing_date);
  const isByDay = headings === undefined && listings.length >= ENOUGH_EACH * byDay.size;
  const renderList = (some: readonly Listing[], stated = question) =>
    markup`<ul>${some.map((listing) => renderEntry(localization, listing, { question: stated, isByDay, isByPlace: headings !== undefined, hasLinks, canReport, year }))}</ul>`;
  const byPlace =
    headings &&
    Array.from(
      Map.groupBy(listings, ({ neighborhood }) => neighborhood),
      ([place, some]) =>
        markup`<h2>${headings.get(place)}</h2>${renderList(some, { ...question, neighborhood: [place] })}`,
    );
  const lists =
    byPlace ??
    (isByDay
      ? Array.from(
          byDay,
          ([day, some]) =>
            markup`<h3><time datetime="${day}">${localization.date(day)}</time></h3>${renderList(some)}`,
        )
      : markup`<p class="heads"><span>${localization.say('list.name')}</span><span>${localization.say('list.filed')}</span></p>${renderList(listings)}`);
  const which = canReport && markup`<p class="report">${localization.say('correct.which')}</p>`;
  return markup`<div class="ledger"${canReport && { html: ' id="report"' }}>${which}${lists}</div>`;
}

function renderEntry(
  { say, monthDay }: Localization,
  listing: Listing,
  {
    question,
    isByDay,
    isByPlace,
    hasLinks,
    canReport,
    year,
  }: Required<Omit<LedgerOptions, 'year'>> & {
    isByDay: boolean;
    isByPlace: boolean;
    year: string | undefined;
  },
): Markup {
  const { name, status, filing_date } = listing;
  const day =
    !isByDay &&
    markup`<time class="day" datetime="${filing_date}">${monthDay(filing_date, 'short', year)}</time>`;
  const facts = (['category', 'neighborhood'] as const)
    .filter((fact) => question[fact].length !== 1 && !isUnknown(listing[fact]))
    .map((fact) => listing[fact]);
  const badge =
    isException(status) &&
    question.status.length !== 1 &&
    (hasLinks
      ? markup` <a class="badge" href="/about#facts">${say(`status.${status}`)}</a>`
      : markup` <span class="badge">${say(`status.${status}`)}</span>`);
  const shown = markup`<bdi>${name}</bdi>`;
  const linked = isByPlace
    ? markup`<a href="${formatPageAddress(findListing(listing))}" rel="nofollow">${shown}</a>`
    : shown;
  return markup`<li><span class="who"><b class="name">${linked}</b>${badge}</span>${day}${facts.length > 0 && markup`<span class="facts">${facts.join(', ')}</span>`}${canReport && renderReport(say, listing)}</li>`;
}

/** Renders the link to a prepared message about a listing. Its address names the listing as a search does. */
function renderReport(say: Localization['say'], { name, filing_date }: Listing): Markup {
  const one = { ...EVERYTHING, q: name.toWellFormed(), filed_from: filing_date, filed_to: filing_date };
  return markup`<a class="report" href="${formatSearchAddress('/about', one)}#correct" rel="nofollow">${say('correct.link')}</a>`;
}

type Paged = Pick<SearchView, 'layout' | 'shown' | 'question'>;

/**
 * Renders links to the pages before and after this one, which shows `shown` of `total`. `before`: the offset of the page
 * before, if pages differ in length.
 */
export function renderPager(
  view: Paged,
  { total, shown, label, before }: { total: number; shown: number; label?: string; before?: number },
): Markup {
  const { say } = view.layout.localization;
  const { offset } = view.question;
  const next = shown > 0 ? offset + shown : total;
  const isCapped = next < total && next >= FURTHEST;
  const fragment = view.shown.path === '/' ? '#found' : ''; // only a search has a form above its list
  const link = (isShown: boolean, to: number, rel: 'prev' | 'next', text: string) =>
    isShown &&
    markup`<a class="button quiet" rel="${rel} nofollow" href="${changeAddress(view, { offset: Math.max(0, to) })}${fragment}">${text}</a>`;
  const words = before === undefined ? 'results' : 'pages';
  const previous = link(offset > 0, before ?? offset - PAGE_LIMIT, 'prev', say(`${words}.previous`));
  const following = link(next < total && !isCapped, next, 'next', say(`${words}.next`));
  if (!previous && !following) return markup``;
  return markup`<nav class="pages"${label !== undefined && markup` aria-label="${label}"`}>${previous}${following}</nav>${isCapped && markup`<p class="note">${say('results.capped', { n: FURTHEST })}</p>`}`;
}
