/** Renders the values of a filter as links with their counts, and the groups of kinds as chips. */

import { isUnknown } from '../shared/city/value-names.ts';
import type { NamedFilter } from '../shared/listing.ts';
import { countGroups, findGroup, GROUPS, listGroup } from './kinds/kinds.ts';
import { linkTo, type Markup, markup } from './markup.ts';
import { addChosen, changeAddress, type SearchView, toggleFilterAddress } from './search-view.ts';

const SHOWN_AT_ONCE = 8;

export type CountedLink = {
  href: string;
  text: string;
  /** The length of the bar. Below 0, it has the color of a loss. */
  count: number;
  /** The length of a second bar, for the other side of a comparison. */
  other?: number;
  /** What stands for the count. */
  said?: string;
  isCurrent?: boolean;
};

type Laid = Pick<SearchView, 'layout'>;
type Faceted = Pick<SearchView, 'layout' | 'shown' | 'question' | 'reading' | 'facets'>;

/** Renders the values, those with the most listings first. How many listings have none stands below. */
export function renderFacet(view: Faceted, filter: NamedFilter): Markup {
  const { layout, question, facets, reading } = view;
  const against = question[filter].length > 0 ? (reading?.against?.[filter] ?? []) : []; // the list is of one side
  const { count, nameValue } = layout.localization;
  const all = addChosen(facets[filter], new Set(question[filter]));
  const unknown = all.find(({ value }) => isUnknown(value));
  const links = all
    .filter((one) => one !== unknown)
    .map(({ value, count: n }) => ({
      href: toggleFilterAddress(view, filter, value),
      text: nameValue(filter, value),
      count: n,
      isCurrent: question[filter].includes(value) || against.includes(value),
    }));
  const own = links.findIndex(({ isCurrent }, i) => isCurrent && i >= SHOWN_AT_ONCE);
  if (own > 0) links.splice(SHOWN_AT_ONCE - 1, 0, ...links.splice(own, 1));
  const folded = renderFolded(view, filter, links);
  if (unknown === undefined) return folded;
  const { value, count: n } = unknown;
  const link = linkTo(toggleFilterAddress(view, filter, value), count(`facet.unknown.${filter}`, n));
  return markup`${folded}<p class="note">${link}</p>`;
}

/** Renders links with their counts, of which the first ones are not folded. */
export function renderFolded(view: Laid, filter: NamedFilter, links: readonly CountedLink[]): Markup {
  const [first, rest] = [links.slice(0, SHOWN_AT_ONCE), links.slice(SHOWN_AT_ONCE)];
  const most = Math.max(1, ...links.map(({ count, other = 0 }) => Math.max(Math.abs(count), other)));
  const more = view.layout.localization.say(`facet.more.${filter}`, { n: links.length });
  const folded =
    rest.length > 0 &&
    markup`<details id="rest-${filter}"><summary>${more}</summary>
${renderCounted(view, rest, most)}</details>`;
  return markup`${renderCounted(view, first, most)}${folded}`;
}

/** Renders links with their counts, and bars on the scale of `most`. */
export function renderCounted(
  { layout: { localization } }: Laid,
  links: readonly CountedLink[],
  most = Math.max(1, ...links.map(({ count }) => count)),
): Markup {
  const drawBar = (count: number, look = count < 0 ? 'less' : '') =>
    markup`<svg${look !== '' && markup` class="${look}"`} aria-hidden="true"><rect width="${Math.round((100 * Math.abs(count)) / most)}%" height="100%"/></svg>`;
  const items = links.map(({ href, text, count, other, said = localization.number(count), ...known }) => {
    const link = linkTo(href, markup`<bdi>${text}</bdi>`, known);
    return markup`<li>${link} <span class="count">${said}</span>${drawBar(count)}${other !== undefined && drawBar(other, 'other')}</li>`;
  });
  return markup`<ul class="counted">${items}</ul>`;
}

export function renderGroups(view: Faceted): Markup | undefined {
  const { layout, question, facets } = view;
  const { say } = layout.localization;
  const counts = countGroups(facets.category);
  const shown = GROUPS.filter((group) => counts.get(group)! > 0);
  const chosen = findGroup(layout.city, question.category);
  const isFree = question.category.length === 0;
  if (shown.length < 2 || !(isFree || chosen !== undefined)) return undefined;
  const chip = (look: string, label: string, category: readonly string[], isCurrent: boolean) =>
    markup`<li class="${look}">${linkTo(changeAddress(view, { category }), label, { isCurrent })}</li>`;
  const all = chip('all', say('group.all'), [], isFree);
  const groups = shown.map((group) =>
    chip(group, say(`group.${group}`), listGroup(layout.city, group), group === chosen),
  );
  return markup`<ul class="chips groups" aria-label="${say('kinds.title')}">${all}${groups}</ul>`;
}
