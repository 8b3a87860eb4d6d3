/** Renders the newest edition as a sheet of paper, and weeks as bars. */

import type { Localization } from '../../shared/city/localization.ts';
import type { Day } from '../../shared/day.ts';
import type { WeekInContext } from '../../shared/edition/week.ts';
import type { Counts, Listing } from '../../shared/listing.ts';
import { yearOf } from '../../shared/periods.ts';
import { renderBar } from '../chart/years.ts';
import { countGroups, type Group } from '../kinds/kinds.ts';
import { type Markup, markup } from '../markup.ts';

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
  /** Whether it was sent and has a page. Before the first edition, it is what the newest week would be or, of an archive, was. */
  isSent: boolean;
  isEnded: boolean;
};

/** From the last bar on, so many have no room for a number of their own. */
const NEAREST = 2;

/** Renders what the email begins with. */
export function renderEditionPicture(
  localization: Localization,
  { title, lead, edition, week, byCategory, place, listings, isSent, isEnded }: NewestEdition,
): Markup {
  const { say, count, number, monthDay, nameValue } = localization;
  const names = listings.map(
    ({ name, category }) =>
      markup`<li><b><bdi>${name}</bdi></b> <span>${nameValue('category', category)}</span></li>`,
  );
  const usual = isSent && week.usual !== undefined && count('home.usual', week.usual);
  const caption = isEnded
    ? markup`<a href="/weekly">${say('ended.week')}</a>`
    : isSent
      ? markup`<a href="/weekly/${edition}">${say('email.last', { day: monthDay(edition, 'long') })}</a>`
      : say('email.sample');
  const most =
    place &&
    markup`<ul class="sections"><li><b><bdi>${place.value}</bdi></b> <span>${number(place.count)}</span></li></ul>`;
  return markup`<figure class="sheet"><p class="issue"><span>${say('title')}</span>
<span>${monthDay(edition, 'short', isEnded ? '' : yearOf(edition))}</span></p><p class="headline">${title}</p>
<p>${lead} ${usual}</p>${renderWeeks(localization, week.weeks)}${renderTiles(localization, byCategory)}${most}<ul class="named">${names}</ul>
<figcaption>${caption}</figcaption></figure>`;
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
