/** Listings in the order of their filings, grouped by day or week if those have several, and links to other pages. */

import type { Localization } from '../../city/localization.ts';
import { addDays, type Day, toDayNumber } from '../../listings/day.ts';
import { isException, type Listing } from '../../listings/listing.ts';
import { FURTHEST, PAGE_LIMIT, type Question } from '../../search/parameters.ts';
import { formatStatus } from './filters.ts';
import { type Markup, markup } from './markup.ts';

/** Minimum average of listings per day or week to use it as a heading. */
const ENOUGH_EACH = 3;

/** A group of listings. If it has a `day`, they need no date of their own. */
type Group = { heading: Markup | undefined; day: Day | undefined; listings: readonly Listing[] };

export function renderLedger(localization: Localization, listings: readonly Listing[]): Markup {
  return markup`<div class="ledger">${groupListings(localization, listings).map(
    (group) =>
      markup`${group.heading && markup`<h3>${group.heading}</h3>`}<ul>${group.listings.map((listing) => renderEntry(localization, listing, group.day))}</ul>`,
  )}</div>`;
}

/** Groups the listings by day or week, or not at all if most groups would have one or two. */
function groupListings(localization: Localization, listings: readonly Listing[]): Group[] {
  const { say, date, monthDay } = localization;
  const byDay = Map.groupBy(listings, ({ filing_date }) => filing_date);
  const byWeek = Map.groupBy(listings, ({ filing_date }) => findMonday(filing_date));
  const isDense = (groups: ReadonlyMap<Day, unknown>) => listings.length >= ENOUGH_EACH * groups.size;
  const isByDay = isDense(byDay);
  if (!isByDay && !isDense(byWeek)) return [{ heading: undefined, day: undefined, listings }];
  return Array.from(isByDay ? byDay : byWeek, ([day, some]) => {
    const title = isByDay ? date(day) : say('list.week', { day: monthDay(day, 'long') });
    const heading = markup`<time datetime="${day}">${title}</time>`;
    return { heading, day: isByDay ? day : undefined, listings: some };
  });
}

function findMonday(day: Day): Day {
  return addDays(day, -((toDayNumber(day) + 3) % 7)); // 1970-01-01 was a Thursday
}

function renderEntry(
  { say, monthDay }: Localization,
  { name, category, neighborhood, status, filing_date }: Listing,
  headed: Day | undefined,
): Markup {
  const isPast = isException(status); // its date must not read as the day that it closed
  const short = monthDay(filing_date, 'short');
  const day =
    (isPast || filing_date !== headed) &&
    markup`<time class="day" datetime="${filing_date}">${isPast ? say('list.filed', { day: short }) : short}</time>`;
  return markup`<li><b class="name"><bdi>${name}</bdi></b>${day}<span class="facts">${category}, ${neighborhood}</span>${isPast && markup`<span class="badge">${formatStatus(say, status)}</span>`}</li>`;
}

type Pager = {
  question: Question;
  total: number;
  label?: string;
  next: number;
  addressOf(offset: number): string;
};

/** Renders links to the previous page and to the one that begins at `next`. */
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
