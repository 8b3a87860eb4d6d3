/** Renders the newest edition as a small picture of its email, with its numbers and without names, and weeks as bars. */

import type { Localization } from '../../shared/city/localization.ts';
import { isUnknown } from '../../shared/city/value-names.ts';
import type { Day } from '../../shared/day.ts';
import type { WeekInContext } from '../../shared/edition/week.ts';
import type { Counts } from '../../shared/listing.ts';
import { yearOf } from '../../shared/periods.ts';
import { renderBar } from '../chart/years.ts';
import { countGroups, type Group } from '../kinds/kinds.ts';
import { type Markup, markup } from '../markup.ts';

export type NewestEdition = {
  title: string;
  lead: string;
  /** Its last week is the edition. */
  week: WeekInContext;
  byCategory: Counts;
  byNeighborhood: Counts;
  /** Whether it was sent and has a page. Before the first edition, it is what the newest week would be. */
  isSent: boolean;
};

const MOST_PLACES = 4;

/** Renders what the email begins with or, beside a form on another page, its headline and its bars alone. */
export function renderEditionPicture(
  localization: Localization,
  { title, lead, week, byCategory, byNeighborhood, isSent }: NewestEdition,
  isSmall: boolean,
): Markup {
  const { say, count, monthDay, number } = localization;
  const { edition } = week.weeks.at(-1)!;
  const usual = isSent && week.usual !== undefined && count('home.usual', week.usual);
  const places = byNeighborhood
    .filter(({ value }) => !isUnknown(value))
    .slice(0, MOST_PLACES)
    .map(({ value, count: n }) => markup`<li><b><bdi>${value}</bdi></b> <span>${number(n)}</span></li>`);
  const more = markup`${renderTiles(localization, byCategory)}<ul class="sections">${places}</ul>`;
  const caption = isSent
    ? markup`<a href="/weekly/${edition}">${say('email.last', { day: monthDay(edition, 'long') })}</a>`
    : say('email.sample');
  return markup`<figure class="sheet${isSmall && ' small'}"><p class="issue"><span>${say('title')}</span>
<span>${monthDay(edition, 'short', yearOf(edition))}</span></p><p class="headline">${title}</p>
${!isSmall && markup`<p>${lead} ${usual}</p>`}${renderWeeks(localization, week.weeks)}${!isSmall && more}
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
    const link =
      hrefOf === undefined
        ? markup`<span class="tile">${tile}</span>`
        : markup`<a class="tile" href="${hrefOf(group)}" rel="nofollow">${tile}</a>`;
    return markup`<li class="${group}">${link}</li>`;
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
  const bars = weeks.map((week, i) => {
    const { edition, total } = week;
    const height = total === 0 ? 0 : Math.max(2, Math.round((total / most) * 100));
    const day = monthDay(edition, 'short', yearOf(last.edition));
    const name = (i === 0 || week === last) && markup`<span aria-hidden="true">${day}</span>`;
    const bar = markup`${renderBar(height, { text: week === last ? number(total) : undefined })}${name}`;
    const label = `${day}: ${count('archive.edition', total)}`;
    const shown = hrefOf
      ? markup`<a href="${hrefOf(edition)}" rel="nofollow">${bar}<span class="unseen">${label}</span></a>`
      : bar;
    return markup`<li class="${week === last ? 'now' : 'other'}">${shown}</li>`;
  });
  return hrefOf
    ? markup`<ul class="bars" data-arrows aria-label="${say('weeks.title')}">${bars}</ul>`
    : markup`<ul class="bars" aria-hidden="true">${bars}</ul>`;
}
