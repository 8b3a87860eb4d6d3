/** The results: up to 25 listings by filing date, links to further pages, and help if there are none. */

import type { Localization } from '../../city/localization.ts';
import type { PageWord } from '../../city/words.ts';
import { isException, type Listing, UNKNOWN_NEIGHBORHOOD } from '../../listings/listing.ts';
import {
  asksAnything,
  EVERYTHING,
  FURTHEST,
  formatQuestion,
  isNarrowedBy,
  NARROWING,
  type NarrowingName,
  PAGE_LIMIT,
  type Question,
} from '../../search/parameters.ts';
import { type CityPageView, changePageAddress, type Doubt, formatPageAddress } from './city-page-view.ts';
import { formatStatus, listChips, renderChips } from './filters.ts';
import { type Markup, markup } from './markup.ts';

export function renderResults(view: CityPageView): Markup {
  const { listings, total } = view;
  return markup`<section class="results" id="results" data-live aria-labelledby="found">
<div class="found"><h2 id="found" tabindex="-1">${heading(view)}</h2>${total > 0 && listings.length > 0 && range(view)}</div>
${renderChips(view)}
${view.doubts.map((one) => renderDoubt(view, one))}
${listings.length === 0 ? help(view) : renderLedger(view.layout.localization, listings)}
${renderPagination(view)}
${renderFollow(view)}
</section>`;
}

function heading(view: CityPageView): string {
  const { layout, question, total } = view;
  const { say } = layout.localization;
  if (total === 0) return nothing(view);
  if (!asksAnything(question)) return say('results.newest');
  return layout.localization.count('results.count', total);
}

function nothing(view: CityPageView): string {
  const { say } = view.layout.localization;
  const { q } = view.question;
  const place = listChips({ ...view, question: { ...view.question, q: '' } })
    .map(({ label }) => label)
    .join(', ');
  if (place === '') return q === '' ? say('results.none') : say('results.none.q', { q });
  return q === '' ? say('results.none.in', { place }) : say('results.none.both', { place, q });
}

function range({ layout, question, total, listings }: CityPageView): Markup {
  const from = question.offset + 1;
  const values = { from, to: question.offset + listings.length, n: total };
  return markup`<p class="note">${layout.localization.say('results.range', values)}</p>`;
}

/** The dates are headings, as in a register. */
export function renderLedger(localization: Localization, listings: readonly Listing[]): Markup {
  const days = [...new Set(listings.map(({ filing_date }) => filing_date))];
  return markup`<div class="ledger">${days.map(
    (day) => markup`<h3><time datetime="${day}">${localization.date(day)}</time></h3>
<ul>${listings.filter(({ filing_date }) => filing_date === day).map((listing) => entry(localization, listing))}</ul>`,
  )}</div>`;
}

function entry({ say }: Localization, { name, category, neighborhood, status }: Listing): Markup {
  return markup`<li${isException(status) && { html: ' class="ended"' }}><span class="name">${name}</span><span class="facts">${category}, ${neighborhood}</span>${isException(status) && markup`<span class="badge">${formatStatus(say, status)}</span>`}</li>`;
}

/** What the weekly email can be limited to. */
const EMAIL_FILTERS: readonly NarrowingName[] = ['category', 'neighborhood'];

const DOUBT_WORDS: Record<Doubt['cause'], PageWord> = {
  value: 'warning.value',
  words: 'warning.words',
  dates: 'warning.dates',
  newest: 'warning.newest',
  few: 'warning.few',
  kind: 'warning.kind',
  meant: 'warning.meant',
  unknown: 'warning.unknown',
  address: 'warning.address',
  long: 'warning.long',
};

function renderDoubt({ layout }: CityPageView, { cause, word = '', meant }: Doubt): Markup {
  const { say, day } = layout.localization;
  const detail = say(DOUBT_WORDS[cause], { word: cause === 'newest' ? day(word) : word });
  if (meant === undefined) return markup`<p class="doubt">${detail}</p>`;
  const { value, question, count } = meant;
  return markup`<p class="doubt">${detail} <a href="${formatPageAddress(question)}" rel="nofollow">${say('suggestion.link', { value })}</a> <span class="count">${layout.localization.count('suggestion.count', count)}</span></p>`;
}

/** If one neighborhood has no results, others may have some. An address leads to the neighborhoods. */
function help(view: CityPageView): Markup {
  const { layout, question, total, without, doubts } = view;
  const { say } = layout.localization;
  if (total > 0)
    return markup`<p>${say('results.past')} <a href="${changePageAddress(question, {})}" rel="nofollow">${say('results.first')}</a></p>`;
  const ways = NARROWING.flatMap((name) => {
    const n = without[name] ?? 0;
    if (n === 0 || n === view.stats.total) return []; // all businesses are offered below
    const href = changePageAddress(question, { [name]: EVERYTHING[name] });
    return [
      markup`<li><a href="${href}" rel="nofollow">${say(`help.${name}`, { n, q: question.q })}</a></li>`,
    ];
  });
  const places = doubts.some(({ cause }) => cause === 'address') && renderNearbyPlaces(view);
  return markup`${places}<p>${say('help.title')}</p><ul class="help">${ways}<li><a href="/">${say('help.clear', { n: view.stats.total })}</a></li></ul>`;
}

const OFFERED_PLACES = 8;

/** Offers the largest neighborhoods to people who searched for an address. */
function renderNearbyPlaces({ layout, stats }: CityPageView): Markup {
  const { say, number } = layout.localization;
  const places = stats.byNeighborhood
    .filter(({ value }) => value !== UNKNOWN_NEIGHBORHOOD)
    .slice(0, OFFERED_PLACES)
    .map(
      ({ value, count }) =>
        markup`<li><a href="${formatPageAddress({ ...EVERYTHING, neighborhood: [value] })}" rel="nofollow">${value}</a> <span class="count">${number(count)}</span></li>`,
    );
  return places.length === 0
    ? markup``
    : markup`<p>${say('help.places')}</p><ul class="places">${places}</ul>`;
}

/** Renders links to follow the search: in a feed reader, and by weekly email if there is one and it can be narrowed like this. */
function renderFollow({ layout, question, signup, isArchive, total }: CityPageView): Markup {
  const { say } = layout.localization;
  const hasEmail = signup !== undefined && !isArchive && total > 0;
  const isMore = NARROWING.some((name) => !EMAIL_FILTERS.includes(name) && isNarrowedBy(question, name));
  const asked = formatQuestion({ ...question, limit: EVERYTHING.limit, offset: 0 });
  const { category, neighborhood } = question;
  const links: [path: string, query: string, word: PageWord][] = [
    ['/feed.xml', asked, 'follow.atom'],
    ['/feed.json', asked, 'follow.feed'],
  ];
  if (hasEmail)
    links.unshift(['/signup', formatQuestion({ ...EVERYTHING, category, neighborhood }), 'follow.email']);
  return markup`<p class="follow">${say('follow.title')} ${links.map(
    ([path, query, word]) =>
      markup`<a href="${path}${query !== '' && `?${query}`}" rel="nofollow">${say(word)}</a> `,
  )}${hasEmail && isMore && markup`<span class="note">${say('follow.email.note')}</span>`}</p>`;
}

function renderPagination({ layout, question, total, listings }: CityPageView): Markup {
  const after = question.offset + listings.length;
  return renderPager(layout.localization, {
    question,
    total,
    label: layout.localization.count('results.count', total),
    next: listings.length > 0 ? after : total,
    addressOf: (offset) => `${changePageAddress(question, { offset })}#results`,
  });
}

type Pager = {
  question: Question;
  total: number;
  label?: string;
  next: number;
  addressOf(offset: number): string;
};

/** Links to the page before and to the one that begins at `next`. */
export function renderPager(
  { say }: Localization,
  { question: { offset }, total, label, next, addressOf }: Pager,
): Markup {
  const isCapped = next < total && next >= FURTHEST;
  const link = (isShown: boolean, to: number, rel: 'prev' | 'next', text: string) =>
    isShown &&
    markup`<a class="button quiet" rel="${rel} nofollow" href="${addressOf(Math.max(0, to))}">${text}</a>`;
  const previous = link(offset > 0, offset - PAGE_LIMIT, 'prev', say('results.previous'));
  const following = link(next < total && !isCapped, next, 'next', say('results.next'));
  if (!previous && !following) return markup``;
  return markup`<nav class="pages"${label !== undefined && markup` aria-label="${label}"`}>${previous}${following}</nav>${isCapped && markup`<p class="note">${say('results.capped', { n: FURTHEST })}</p>`}`;
}
