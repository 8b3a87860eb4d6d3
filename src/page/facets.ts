/** Renders the values of a filter as links with their counts. The largest are visible, the others are folded. */

import { isUnknown } from '../shared/city/value-names.ts';
import { type Markup, markup } from './markup.ts';
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
  const list = (some: readonly CountedLink[], start = 1) =>
    numbers === undefined ? renderCounted(view, some) : renderKey(view, some, start);
  const help =
    question[filter].length > 0 &&
    links.some(({ isCurrent }) => !isCurrent) &&
    markup`<p class="note">${say('facet.add')}</p>`;
  const rest =
    links.length > shown &&
    markup`<details id="rest-${filter}"><summary>${say(`facet.more.${filter}`, { n: links.length })}</summary>
${list(links.slice(shown), shown + 1)}</details>`;
  const others =
    unknown &&
    markup`<p class="note"><a href="${toggleFilterAddress(view, filter, unknown.value)}" rel="nofollow"
 data-key="${filter}:${unknown.value}">${count(`facet.unknown.${filter}`, unknown.count)}</a></p>`;
  return markup`${help}${list(links.slice(0, shown))}${rest}${others}`;
}

export function renderCounted(view: Pick<SearchView, 'layout'>, links: readonly CountedLink[]): Markup {
  return markup`<ul class="counted">${listItems(view, links)}</ul>`;
}

/** Renders links with the numbers that a map has. */
function renderKey(view: Pick<SearchView, 'layout'>, links: readonly CountedLink[], start: number): Markup {
  return markup`<ol class="counted key" start="${start}">${listItems(view, links)}</ol>`;
}

function listItems({ layout }: Pick<SearchView, 'layout'>, links: readonly CountedLink[]): readonly Markup[] {
  const { number } = layout.localization;
  return links.map(({ href, text, count, key, isCurrent }) => {
    const known = key !== undefined && markup` data-key="${key}"`;
    const current = isCurrent === true && { html: ' aria-current="true"' };
    return markup`<li><a href="${href}" rel="nofollow"${known}${current}><bdi>${text}</bdi></a> <span class="count">${number(count)}</span></li>`;
  });
}
