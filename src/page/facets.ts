/** Renders the values of a filter as links with their counts. The largest are visible, the others are folded. */

import { isUnknown } from '../shared/city/value-names.ts';
import type { Counts } from '../shared/listing.ts';
import { linkTo, type Markup, markup } from './markup.ts';
import { addChosen, type RowFilter, type SearchView, toggleFilterAddress } from './search-view.ts';

const SHOWN_AT_ONCE = 8;
const SHOWN_IN_KEY = 24;

export type CountedLink = {
  href: string;
  text: string;
  count: number;
  key?: string;
  isCurrent?: boolean;
};

type Faceted = Pick<SearchView, 'layout' | 'shown' | 'question' | 'reading'> & {
  facets: Pick<SearchView['facets'], RowFilter>;
};

/**
 * Renders the values, those with the most listings first, or as the key of a map by their `numbers`. How many listings
 * have none stands below.
 */
export function renderFacet(view: Faceted, filter: RowFilter, numbers?: ReadonlyMap<string, number>): Markup {
  const { layout, question, facets, reading } = view;
  const against = reading?.against?.[filter] ?? [];
  const { say, count, nameValue } = layout.localization;
  const all = addChosen(facets[filter], new Set([...(numbers?.keys() ?? []), ...question[filter]]));
  const unknown = all.find(({ value }) => isUnknown(value));
  const known = all.filter((one) => one !== unknown);
  const placeOf = (value: string) => numbers?.get(value) ?? all.length;
  const links = known
    .sort((a, b) => placeOf(a.value) - placeOf(b.value))
    .map(({ value, count: n }) => ({
      href: toggleFilterAddress(view, filter, value),
      text: nameValue(filter, value),
      count: n,
      key: `${filter}:${value}`,
      isCurrent: question[filter].includes(value) || against.includes(value),
    }));
  const shown = numbers === undefined ? SHOWN_AT_ONCE : SHOWN_IN_KEY;
  const list = (some: readonly CountedLink[], start = 1) => renderCounted(view, some, numbers && start);
  const rest =
    links.length > shown &&
    markup`<details id="rest-${filter}"><summary>${say(`facet.more.${filter}`, { n: links.length })}</summary>
${list(links.slice(shown), shown + 1)}</details>`;
  const link = ({ value, count: n }: Counts[number]) =>
    linkTo(toggleFilterAddress(view, filter, value), count(`facet.unknown.${filter}`, n), {
      key: `${filter}:${value}`,
    });
  const others = unknown && markup`<p class="note">${link(unknown)}</p>`;
  return markup`${list(links.slice(0, shown))}${rest}${others}`;
}

/** Renders links with their counts, as a list or with the numbers that a map has, from `start` on. */
export function renderCounted(
  { layout: { localization } }: Pick<SearchView, 'layout'>,
  links: readonly CountedLink[],
  start?: number,
): Markup {
  const items = links.map(({ href, text, count, ...known }) => {
    const link = linkTo(href, markup`<bdi>${text}</bdi>`, known);
    return markup`<li>${link} <span class="count">${localization.number(count)}</span></li>`;
  });
  return start === undefined
    ? markup`<ul class="counted">${items}</ul>`
    : markup`<ol class="counted key" start="${start}">${items}</ol>`;
}
