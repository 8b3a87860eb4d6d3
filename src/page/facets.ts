/** Renders the values of a filter as links with their counts. The largest are visible, the others are folded. */

import { isUnknown, putUnknownLast } from '../shared/city/value-names.ts';
import { type Markup, markup } from './markup.ts';
import { addChosen, type RowFilter, type SearchView, toggleFilterAddress } from './search-view.ts';

/** `key`: a column with the numbers of a map, in two columns. */
const SHOWN_AT_ONCE = { column: 8, row: 12, key: 24 };

export type CountedLink = {
  href: string;
  text: string;
  count: number;
  key?: string;
  isCurrent?: boolean;
};

type Faceted = Pick<SearchView, 'layout' | 'shown' | 'question'> & {
  facets: Pick<SearchView['facets'], RowFilter>;
};

/**
 * Renders the values, those with the most listings first. How many listings have none stands below a column of values,
 * and last in a row.
 */
export function renderFacet(
  view: Faceted,
  filter: RowFilter,
  look: keyof typeof SHOWN_AT_ONCE = 'column',
): Markup {
  const { layout, question, facets } = view;
  const all = putUnknownLast(addChosen(facets[filter], question[filter]));
  const unknown = look !== 'row' ? all.find(({ value }) => isUnknown(value)) : undefined;
  const links = all
    .filter((one) => one !== unknown)
    .map(({ value, count }) => ({
      href: toggleFilterAddress(view, filter, value),
      text: layout.localization.nameValue(filter, value),
      count,
      key: `${filter}:${value}`,
      isCurrent: question[filter].includes(value),
    }));
  const [first, rest] = [links.slice(0, SHOWN_AT_ONCE[look]), links.slice(SHOWN_AT_ONCE[look])];
  const help =
    question[filter].length > 0 &&
    links.some(({ isCurrent }) => !isCurrent) &&
    markup`<p class="note">${layout.localization.say('facet.add')}</p>`;
  const list = (some: readonly CountedLink[], start = 1) =>
    look === 'key' ? renderKey(view, some, start) : renderCounted(view, some);
  return markup`${help}${list(first)}${
    rest.length > 0 &&
    markup`<details id="rest-${filter}"><summary>${layout.localization.say(`facet.more.${filter}`, { n: links.length })}</summary>${list(rest, first.length + 1)}</details>`
  }${unknown && markup`<p class="note"><a href="${toggleFilterAddress(view, filter, unknown.value)}" rel="nofollow" data-key="${filter}:${unknown.value}">${layout.localization.count(`facet.unknown.${filter}`, unknown.count)}</a></p>`}`;
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
  return links.map(
    ({ href, text, count, key, isCurrent }) =>
      markup`<li><a href="${href}" rel="nofollow"${key !== undefined && markup` data-key="${key}"`}${isCurrent === true && { html: ' aria-current="true"' }}><bdi>${text}</bdi></a> <span class="count">${number(count)}</span></li>`,
  );
}
