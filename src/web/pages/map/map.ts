/** The map of a view: each neighborhood is a link with its name, shaded by a number. */

import type { Outline } from '../../../city/places/outline.ts';
import { UNKNOWN_NEIGHBORHOOD } from '../../../listings/listing.ts';
import { renderFacet } from '../facets.ts';
import { type Markup, markup } from '../markup.ts';
import { type SearchView, toggleFilterAddress } from '../search-view.ts';
import { type MapLabel, placeLabels, SMALL_LABEL } from './map-labels.ts';

const SHADES = 5;

/** What the map shows of one neighborhood: its link, what it says, and the class of its shade. */
export type MapArea = { href: string; label: string; look: string };

/** The map of the listings, and all neighborhoods as a list; of a city without outlines the list alone. */
export function renderMap(view: SearchView): Markup {
  const { outline, layout, facets } = view;
  const { say, count } = layout.localization;
  const counts = new Map(facets.neighborhood.map(({ value, count: n }) => [value, n]));
  const unplaced = counts.get(UNKNOWN_NEIGHBORHOOD) ?? 0;
  return markup`<section class="places" aria-labelledby="map"><h2 id="map" tabindex="-1">${say('map.title')}</h2>
${outline && renderCounts(view, outline, counts)}${outline && unplaced > 0 && markup`<p class="note">${count('map.unplaced', unplaced)}</p>`}
${renderFacet(view, 'neighborhood')}</section>`;
}

function renderCounts(view: SearchView, outline: Outline, counts: ReadonlyMap<string, number>): Markup {
  const shown = outline.areas.map(({ name }) => counts.get(name) ?? 0);
  const shades = shadesOf(shown);
  const drawing = renderDrawing(view, outline, (name) => {
    const n = counts.get(name) ?? 0;
    return {
      href: toggleFilterAddress(view, 'neighborhood', name),
      label: view.layout.localization.count('map.area', n, { value: name }),
      look: `shade-${shades.filter((least) => n >= least).length}`,
    };
  });
  return markup`${drawing}<p class="note">${view.layout.localization.say('map.legend')}</p>${renderShades(view, shades, Math.max(...shown))}`;
}

/** The chosen areas are drawn last, so that no neighbor covers their borders. */
export function renderDrawing(
  { question }: SearchView,
  outline: Outline,
  describeArea: (name: string) => MapArea,
): Markup {
  const isChosen = (name: string) => question.neighborhood.includes(name);
  const inOrder = [
    ...outline.areas.filter(({ name }) => !isChosen(name)),
    ...outline.areas.filter(({ name }) => isChosen(name)),
  ];
  const areas = inOrder.map(({ name, path }) => {
    const { href, label, look } = describeArea(name);
    return markup`<a href="${href}" rel="nofollow" data-key="area:${name}"${isChosen(name) && { html: ' aria-current="true"' }}><title>${label}</title><path class="${look}" d="${path}"/></a>`;
  });
  const { box } = outline;
  const place = box && markup` data-box="${box.west} ${box.south} ${box.east} ${box.north}"`;
  return markup`<svg class="map" viewBox="-4 -4 ${outline.width + 8} ${outline.height + 8}" data-size="${outline.width} ${outline.height}"${place} role="group" aria-labelledby="map" data-arrows>${areas}<g class="names" aria-hidden="true">${[...placeLabels(outline).values()].map(renderLabel)}</g></svg>`;
}

function renderLabel({ x, y, size, lines }: MapLabel): Markup {
  const top = y - ((lines.length - 1) / 2) * size * 1.1 + size * 0.36;
  return markup`<text font-size="${size}"${size < SMALL_LABEL && { html: ' class="small"' }}>${lines.map((line, i) => markup`<tspan x="${x}" y="${Math.round(top + i * size * 1.1)}">${line}</tspan>`)}</text>`;
}

/** The least count of each shade. They have about the same number of neighborhoods; equal counts have equal shades. */
function shadesOf(counts: readonly number[]): number[] {
  const sorted = counts.filter((count) => count > 0).sort((a, b) => a - b);
  const least = Array.from({ length: SHADES }, (_, i) => sorted[Math.floor((i * sorted.length) / SHADES)]);
  return [...new Set(least)].filter((count) => count !== undefined);
}

function renderShades({ layout }: SearchView, shades: readonly number[], largest: number): Markup {
  const { say, number } = layout.localization;
  const items = shades.map((least, i) => {
    const most = (shades[i + 1] ?? largest + 1) - 1;
    const text = most > least ? `${number(least)}–${number(most)}` : number(least);
    return { look: `shade-${i + 1}`, text };
  });
  return renderLegend([{ look: 'shade-0', text: say('map.none') }, ...items]);
}

export function renderLegend(items: readonly { look: string; text: string }[]): Markup {
  return markup`<ul class="legend">${items.map(
    ({ look, text }) =>
      markup`<li><svg viewBox="0 0 1 1" aria-hidden="true"><rect class="${look}" width="1" height="1"/></svg>${text}</li>`,
  )}</ul>`;
}
