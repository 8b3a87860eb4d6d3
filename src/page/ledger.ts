/** Renders listings as rows that unfold, under the headings of neighborhoods if there are any, and links to further pages. */

import { isPlaceholder } from '../shared/city/placeholders.ts';
import { isUnknown } from '../shared/city/value-names.ts';
import { isException, type Listing } from '../shared/listing.ts';
import { yearOf } from '../shared/periods.ts';
import {
  EVERYTHING,
  FURTHEST,
  fitToQ,
  formatQuestion,
  PAGE_LIMIT,
  type Question,
} from '../shared/question.ts';
import { formatStatus } from './filters.ts';
import { groupOf } from './kinds/kinds.ts';
import { linkTo, type Markup, markup } from './markup.ts';
import type { PageLayout } from './page-layout.ts';
import { changeAddress, type SearchView } from './search-view.ts';

const WEB_SEARCH = 'https://duckduckgo.com/?q={words}';

type LedgerOptions = {
  question?: Question;
  /** Whether rows unfold to what can be done with a listing. A frame on another site has rows only. */
  isPlain?: boolean;
  /** Whether the first row is unfolded, because it is the only one. */
  isOpen?: boolean;
  /** The year that dates omit. */
  year?: string | undefined;
  /** What headings say of the days. Default: nothing, so each row has its day. */
  when?: When;
  /** The day or the year that stands above the list already. */
  said?: string | undefined;
};

/** Whether each day has a heading, each year, or each row its day. */
export type When = 'day' | 'year' | 'row';

/** Listings that share a day on average, so that it stands above them once. */
const FEWEST_OF_DAY = 3;
/** The same of a year. */
const FEWEST_OF_YEAR = 2;

/** Chooses what headings say of the days of a list. `year`: the year that needs no heading. */
export function chooseWhen(listings: readonly Listing[], year: string | undefined): When {
  const days = new Set(listings.map(({ filing_date }) => filing_date));
  if (listings.length >= FEWEST_OF_DAY * days.size) return 'day';
  const years = new Set(Array.from(days, yearOf));
  const isOther = years.size > 1 || !years.has(year ?? '');
  return isOther && listings.length >= FEWEST_OF_YEAR * years.size ? 'year' : 'row';
}

/** Returns what the heading above a listing says: its day, its year or nothing. */
export function headingOf(when: When, { filing_date }: Pick<Listing, 'filing_date'>): string {
  return when === 'day' ? filing_date : when === 'year' ? yearOf(filing_date) : '';
}

/** The key of the heading of all neighborhoods that have none of their own. */
export const OTHERS = '';

/** The headings of neighborhoods, to group by these. */
type Headings = ReadonlyMap<string, Markup>;

/** Renders the listings of a search. Omits facts that the heading already states. */
export function renderLedger(
  layout: PageLayout,
  listings: readonly Listing[],
  options: LedgerOptions = {},
  headings?: Headings,
): Markup {
  const renderList = (some: readonly Listing[], stated = options) =>
    markup`<ul>${some.map((listing) => renderEntry(layout, listing, stated))}</ul>`;
  const lists =
    headings === undefined
      ? renderDays(layout, listings, options, renderList)
      : Array.from(
          Map.groupBy(listings, ({ neighborhood }) => (headings.has(neighborhood) ? neighborhood : OTHERS)),
          ([place, some]) => {
            const neighborhood = place === OTHERS ? [] : [place];
            const question = { ...(options.question ?? EVERYTHING), neighborhood };
            return markup`<div><h2>${headings.get(place)}</h2>${renderList(some, { ...options, question })}</div>`;
          },
        );
  return markup`<div class="ledger">${lists}</div>`;
}

/** Renders the listings below their days or years, in the order of the list. A day omits the year that stands above it. */
function renderDays(
  { localization: { monthDay } }: PageLayout,
  listings: readonly Listing[],
  { when = 'row', said, year }: LedgerOptions,
  renderList: (some: readonly Listing[]) => Markup,
): Markup[] {
  const groups = Map.groupBy(listings, (listing) => headingOf(when, listing));
  let known = said ? yearOf(said) : year;
  return Array.from(groups, ([day, some]) => {
    const label = when === 'day' ? monthDay(day, 'long', known) : day;
    known = yearOf(day);
    const heading =
      when !== 'row' && day !== said && markup`<h2 class="when"><time datetime="${day}">${label}</time></h2>`;
    return markup`${heading}${renderList(some)}`;
  });
}

function renderEntry(
  layout: PageLayout,
  listing: Listing,
  { question = EVERYTHING, isPlain, isOpen, year, when = 'row' }: LedgerOptions,
): Markup {
  const { say, monthDay, nameValue } = layout.localization;
  const { name, category, neighborhood, status, filing_date } = listing;
  const kind = question.category.length !== 1 && nameValue('category', category);
  const isPlaced = question.neighborhood.length !== 1 && !isUnknown(neighborhood);
  const place = isPlaced && nameValue('neighborhood', neighborhood);
  const badge =
    isException(status) &&
    question.status.length !== 1 &&
    markup` <span class="badge">${say(`status.${status}`)}</span>`;
  const filed = yearOf(filing_date);
  const other = when === 'row' && filed !== year && markup` <span>${filed}</span>`;
  // below a day, the place stands where rows have their day
  const end =
    when === 'day'
      ? place && markup`<span class="day where">${place}</span>`
      : markup`<time class="day" datetime="${filing_date}">${monthDay(filing_date, 'short', filed)}${other}</time>`;
  const facts = [kind, when !== 'day' && place].filter((one) => one !== false);
  const who = markup`<span class="who"><b class="name"><bdi>${name}</bdi></b>${badge}</span>`;
  const row = markup`${who}<span class="facts">${facts.join(', ')}</span>${end}`;
  const entry = isPlain
    ? markup`<div class="entry">${row}</div>`
    : markup`<details${isOpen === true && { html: ' open' }}><summary class="entry">${row}</summary>${renderActions(layout, listing)}</details>`;
  return markup`<li class="${groupOf(category)}">${entry}</li>`;
}

/** Renders where a row leads: to the web, to its own address, and to a correction. */
function renderActions(layout: PageLayout, listing: Listing): Markup {
  const { city, localization } = layout;
  const { say } = localization;
  const { name, filing_date, status } = listing;
  const words = encodeURIComponent(`${name} ${city.name}`.toWellFormed());
  const web = (city.webSearch ?? WEB_SEARCH).replace('{words}', () => words);
  const one = formatQuestion({
    ...EVERYTHING,
    q: fitToQ(name),
    filed_from: filing_date,
    filed_to: filing_date,
  });
  const report = !isPlaceholder(city.operator.contact) && linkTo(`/correct?${one}`, say('correct.link'));
  const unsaid = !isException(status) && markup`<span class="note">${formatStatus(layout, status)}</span>`;
  const own = markup`<a href="/?${one}&amp;as=typed" rel="nofollow">${say('entry.link')}</a>`;
  return markup`<p class="does">${unsaid}<a href="${web}" rel="nofollow noreferrer">${say('entry.web')}</a>
${own}${report}</p>`;
}

type Paged = Pick<SearchView, 'layout' | 'shown' | 'question'>;

/**
 * Renders links to the pages before and after this one, which shows `shown` of `total`. `before`: the offset of the page
 * before, if pages differ in length.
 */
export function renderPager(
  view: Paged,
  { total, shown, before }: { total: number; shown: number; before?: number },
): Markup {
  const { say } = view.layout.localization;
  const { offset } = view.question;
  const next = shown > 0 ? offset + shown : total;
  const isCapped = next < total && next >= FURTHEST;
  const fragment = view.shown.path === '/' ? '#found' : ''; // only a search has a form above its list
  const link = (isShown: boolean, to: number, rel: 'prev' | 'next', text: string) =>
    isShown &&
    markup`<a class="button quiet" rel="${rel} nofollow" href="${changeAddress(view, { offset: Math.max(0, to) })}${fragment}">${text}</a>`;
  const range = { from: next + 1, to: Math.min(total, next + PAGE_LIMIT), n: total };
  const label = before === undefined ? say('results.next', range) : say('pages.next');
  const following = link(next < total && !isCapped, next, 'next', label);
  const previous = link(offset > 0, before ?? offset - PAGE_LIMIT, 'prev', say('pages.previous'));
  if (!previous && !following) return markup``;
  const capped = isCapped && markup`<p class="note">${say('results.capped', { n: FURTHEST })}</p>`;
  return markup`<nav class="pages">${previous}${following}</nav>${capped}`;
}
