/** Bars that are links: the values of a filter with their counts. Drawn as SVG without inline style. */

import type { ValueFilter } from '../../../search/parameters.ts';
import { addChosen, type CityPageView, toggleFilterAddress } from '../city-page-view.ts';
import { type Markup, markup } from '../markup.ts';

const SHOWN_BARS = 8;

/** Renders the largest values, and the others in a `details` element. Returns `undefined` if there is nothing to choose. */
export function renderBars(view: CityPageView, filter: ValueFilter, title: string): Markup | undefined {
  const counts = addChosen(view.facets[filter], view.question[filter]);
  if (counts.length === 0) return undefined;
  const most = Math.max(1, ...counts.map(({ count }) => count));
  const items = counts.map((one) => bar(view, filter, { ...one, share: one.count / most }));
  const rest = items.slice(SHOWN_BARS);
  const { say } = view.layout.localization;
  const id = `bars-${filter}`;
  return markup`<section class="panel" aria-labelledby="${id}"><h2 id="${id}">${title}</h2><ul class="bars">${items.slice(0, SHOWN_BARS)}</ul>${
    rest.length > 0 &&
    markup`<details class="rest" id="rest-${filter}"><summary>${say('bars.more', { n: counts.length })}</summary><ul class="bars">${rest}</ul></details>`
  }</section>`;
}

function bar(
  { layout, question }: CityPageView,
  filter: ValueFilter,
  { value, count, share }: { value: string; count: number; share: number },
): Markup {
  const chosen = question[filter].includes(value) && { html: ' aria-current="true"' };
  return markup`<li><a href="${toggleFilterAddress(question, filter, value)}" rel="nofollow" data-key="${filter}:${value}"${chosen}><span>${value}</span><span class="count">${layout.localization.number(count)}</span><svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${toPercent(share)}" height="1"/></svg></a></li>`;
}

/** The length of a bar, in hundredths of the longest. A share above 0 is at least 1, so that it can be seen. */
export function toPercent(share: number): number {
  return Math.max(share === 0 ? 0 : 1, Math.round(share * 100));
}
