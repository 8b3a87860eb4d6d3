/** Renders the newest edition, or the last year of an archive, as a sheet of paper, and weeks as bars. */

import type { Localization } from '../../shared/city/localization.ts';
import { isUnknown } from '../../shared/city/value-names.ts';
import type { Day } from '../../shared/day.ts';
import type { WeekInContext } from '../../shared/edition/week.ts';
import type { Counts, Listing } from '../../shared/listing.ts';
import { isOverlap, spanYear, sumCounts, yearOf } from '../../shared/periods.ts';
import { renderBar, renderBars, type YearsView } from '../chart/years.ts';
import { countGroups, type Group } from '../kinds/kinds.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { describeRegistered } from '../question-text.ts';
import { formatPageAddress, type SearchView } from '../search-view.ts';

export type NewestEdition = {
  title: string;
  lead: string;
  edition: Day;
  /** The weeks to it, oldest first, and the number of a usual one. */
  week: WeekInContext;
  byCategory: Counts;
  /** The neighborhood with the most listings, and its newest ones, which the email names first. */
  place: Counts[number] | undefined;
  listings: readonly Listing[];
  /** Whether it was sent and has a page. Before the first edition, it is what the newest week would be. */
  isSent: boolean;
};

const MOST_PLACES = 4;
/** From the last bar on, so many have no room for a number of their own. */
const NEAREST = 2;

/** Renders what the email begins with or, beside a form on another page, its headline and its bars alone. */
export function renderEditionPicture(
  localization: Localization,
  { title, lead, edition, week, byCategory, place, listings, isSent }: NewestEdition,
  isSmall: boolean,
): Markup {
  const { say, count, monthDay, nameValue } = localization;
  const names = listings.map(
    ({ name, category }) =>
      markup`<li><b><bdi>${name}</bdi></b> <span>${nameValue('category', category)}</span></li>`,
  );
  const usual = isSent && week.usual !== undefined && count('home.usual', week.usual);
  return renderSheet(localization, {
    title,
    day: monthDay(edition, 'short', yearOf(edition)),
    lead: !isSmall && markup`<p>${lead} ${usual}</p>`,
    bars: renderWeeks(localization, week.weeks),
    isSmall,
    more: markup`${renderTiles(localization, byCategory)}${renderPlaces(localization, place ? [place] : [])}<ul class="named">${names}</ul>`,
    caption: isSent
      ? markup`<a href="/weekly/${edition}">${say('email.last', { day: monthDay(edition, 'long') })}</a>`
      : markup`${say('email.sample')}`,
  });
}

/** Renders the last year of a register that has ended, and its years as links. */
export function renderLastYear(view: YearsView, facets: SearchView['facets']): Markup {
  const { layout, question, dataEnd } = view;
  const { category, neighborhood } = facets;
  const { localization } = layout;
  const year = spanYear(yearOf(dataEnd));
  const n = sumCounts(category);
  const places = neighborhood.filter(({ value }) => !isUnknown(value)).slice(0, MOST_PLACES);
  return renderSheet(localization, {
    title: describeRegistered({ layout, question: { ...question, ...year } }, n, dataEnd),
    day: yearOf(dataEnd),
    bars: renderBars(view, (days) => (isOverlap(year, days) ? 'now' : 'other'), { isSaid: true }),
    more: markup`${renderTiles(localization, category)}${renderPlaces(localization, places)}`,
    caption: linkTo(formatPageAddress({ ...question, ...year }), localization.say('view.listings')),
  });
}

type Sheet = {
  title: string;
  day: string;
  lead?: Markup | false;
  bars: Markup | undefined;
  /** A small sheet has no more than its bars. */
  isSmall?: boolean;
  more: Markup;
  caption: Markup;
};

function renderSheet(
  { say }: Localization,
  { title, day, lead, bars, isSmall = false, more, caption }: Sheet,
): Markup {
  return markup`<figure class="sheet${isSmall && ' small'}"><p class="issue"><span>${say('title')}</span>
<span>${day}</span></p><p class="headline">${title}</p>
${lead}${bars}${!isSmall && more}
<figcaption>${caption}</figcaption></figure>`;
}

function renderPlaces({ number }: Localization, places: Counts): Markup {
  const lines = places.map(
    ({ value, count }) => markup`<li><b><bdi>${value}</bdi></b> <span>${number(count)}</span></li>`,
  );
  return markup`<ul class="sections">${lines}</ul>`;
}

/** Renders a tile for each group of kinds with listings. `hrefOf`: where it leads. */
export function renderTiles(
  { say, number }: Localization,
  byCategory: Counts,
  hrefOf?: (group: Group) => string,
): Markup | undefined {
  const groups = [...countGroups(byCategory)].filter(([, n]) => n > 0);
  if (groups.length < 2) return undefined;
  const tiles = groups.map(([group, n]) => {
    const tile = markup`<b>${number(n)}</b> ${say(`group.${group}`)}`;
    const shown = hrefOf
      ? markup`<a class="tile" href="${hrefOf(group)}" rel="nofollow">${tile}</a>`
      : markup`<span class="tile">${tile}</span>`;
    return markup`<li class="${group}">${shown}</li>`;
  });
  return markup`<ul class="tiles" aria-label="${say('kinds.title')}">${tiles}</ul>`;
}

/** Renders each week as a link or, in a picture, as a bar alone. */
export function renderWeeks(
  { count, monthDay, number, say }: Localization,
  weeks: WeekInContext['weeks'],
  hrefOf?: (edition: Day) => string,
): Markup | undefined {
  if (weeks.length < 3) return undefined;
  const most = Math.max(1, ...weeks.map(({ total }) => total));
  const last = weeks.at(-1)!;
  const peak = weeks.slice(0, -NEAREST).findIndex(({ total }) => total === most);
  const bars = weeks.map((week, i) => {
    const { edition, total } = week;
    const height = total === 0 ? 0 : Math.max(2, Math.round((total / most) * 100));
    const day = monthDay(edition, 'short', yearOf(last.edition));
    const name = (i === 0 || week === last) && markup`<span aria-hidden="true">${day}</span>`;
    const text = week === last || i === peak ? number(total) : undefined;
    const bar = markup`${renderBar(height, { text })}${name}`;
    const label = `${day}: ${count('archive.edition', total)}`;
    const shown = hrefOf
      ? markup`<a href="${hrefOf(edition)}" rel="nofollow">${bar}<span class="unseen">${label}</span></a>`
      : bar;
    return markup`<li class="${week === last ? 'now' : 'other'}">${shown}</li>`;
  });
  const title = say('weeks.title');
  const role = hrefOf ? markup`data-arrows` : markup`aria-hidden="true"`;
  return markup`<ul class="bars" ${role} aria-label="${title}">${bars}</ul>`;
}
