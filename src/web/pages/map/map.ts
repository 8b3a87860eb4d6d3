/** Renders the map of a view. Each neighborhood is a link with its name, shaded by a number. */

import type { Outline } from '../../../city/places/outline.ts';
import { renderFacet } from '../facets.ts';
import { type Markup, markup } from '../markup.ts';
import { listFoundLabels } from '../question-text.ts';
import { type SearchView, toggleFilterAddress } from '../search-view.ts';
import { LINE_HEIGHT, type MapLabel, placeLabels } from './map-labels.ts';

/** Number of shades for values other than 0, both sides together. A phone has space for five shades in a row. */
const SHADES = 4;

/** A neighborhood on the map: its link, its label, and the class of its shade. */
export type MapArea = { href: string; label: string; look: string };

/** Renders the map of the listings and a list of all neighborhoods. A city without outlines has only the list. */
export function renderMap(view: SearchView): Markup {
  const { outline, layout, facets } = view;
  const { say } = layout.localization;
  const counts = new Map(facets.neighborhood.map(({ value, count: n }) => [value, n]));
  return markup`<section class="places" aria-labelledby="map"><h2 id="map" tabindex="-1">${say('map.title')}</h2>
${outline && renderCounts(view, outline, counts)}
${renderFacet(view, 'neighborhood')}</section>`;
}

function renderCounts(view: SearchView, outline: Outline, counts: ReadonlyMap<string, number>): Markup {
  const { say, count, number } = view.layout.localization;
  const countOf = (name: string) => counts.get(name) ?? 0;
  const shown = outline.areas.map(({ name }) => countOf(name));
  const lookOf = openShades(shown);
  const drawing = renderDrawing(view, outline, (name) => ({
    href: toggleFilterAddress(view, 'neighborhood', name),
    label: count('map.area', countOf(name), { value: name }),
    look: lookOf(countOf(name)),
  }));
  const format = (n: number) => (n === 0 ? say('map.none') : number(n));
  const what = listFoundLabels({ layout: view.layout, question: { ...view.question, neighborhood: [] } });
  const title = what.length === 0 ? say('map.legend') : say('map.legend.of', { what: what.join(', ') });
  return markup`${drawing}<p class="note">${title}</p>${renderLegend(listLooks(view, shown, { lookOf, format }))}`;
}

/**
 * Renders the areas, and the names of those with numbers. Draws chosen areas last, so that their borders stay visible.
 */
export function renderDrawing(
  { question }: SearchView,
  outline: Outline,
  describeArea: (name: string) => MapArea,
): Markup {
  const isChosen = (name: string) => question.neighborhood.includes(name);
  const described = outline.areas.map(({ name }) => describeArea(name));
  const inOrder = outline.areas
    .map((area, i) => ({ ...area, ...described[i]! }))
    .sort((a, b) => Number(isChosen(a.name)) - Number(isChosen(b.name)));
  const areas = inOrder.map(
    ({ name, path, href, label, look }) =>
      markup`<a href="${href}" rel="nofollow" data-key="area:${name}"${isChosen(name) && { html: ' aria-current="true"' }}><title>${label}</title><path class="${look}" d="${path}"/></a>`,
  );
  const { box } = outline;
  const { labels, numbered } = placeLabels(outline);
  const key =
    numbered.length > 0 &&
    markup`<ol class="key" aria-hidden="true">${numbered.map((name) => markup`<li>${name}</li>`)}</ol>`;
  const place = box && markup` data-box="${box.west} ${box.south} ${box.east} ${box.north}"`;
  return markup`<svg class="map" viewBox="-4 -4 ${outline.width + 8} ${outline.height + 8}" data-size="${outline.width} ${outline.height}"${place} role="group" aria-labelledby="map" data-arrows>${areas}<g class="names" aria-hidden="true">${labels.map((label, i) => renderLabel(label, described[i]!))}</g></svg>${key}`;
}

function renderLabel({ x, y, size, lines }: MapLabel, { look }: MapArea): Markup {
  const height = size * LINE_HEIGHT;
  const top = y - ((lines.length - 1) / 2) * height + size * 0.36;
  const tspans = lines.map(
    (line, i) => markup`<tspan x="${x}" y="${Math.round(top + i * height)}">${line}</tspan>`,
  );
  return markup`<text${look.endsWith('-4') && markup` class="${look}"`} font-size="${size}">${tspans}</text>`;
}

/**
 * Returns a function that finds the class of a value: `shade-0`, `shade-1` and so on, or `loss-1` for the least
 * negative. If values are on both sides of 0, uses every second class. The limits of the shades grow quadratically, so
 * that one large value does not make all others look alike.
 */
export function openShades(values: readonly number[]): (value: number) => string {
  const largest = Math.max(...values.map(Math.abs));
  const width = values.some((one) => one < 0) && values.some((one) => one > 0) ? 2 : 1;
  return (value) => {
    const step = value === 0 ? 0 : Math.ceil((Math.sqrt(Math.abs(value) / largest) * SHADES) / width);
    return `${value < 0 ? 'loss' : 'shade'}-${step * width}`;
  };
}

/** Lists the shades in use, each with its smallest and largest value. */
export function listLooks(
  { layout }: Pick<SearchView, 'layout'>,
  values: readonly number[],
  { lookOf, format }: { lookOf(value: number): string; format(value: number): string },
): Look[] {
  const byLook = Map.groupBy(
    values.toSorted((a, b) => a - b),
    lookOf,
  );
  return [...byLook].map(([look, some]) => {
    const [from, to] = [format(some[0]!), format(some.at(-1)!)];
    return { look, text: from === to ? from : layout.localization.say('changes.range', { from, to }) };
  });
}

/** The class of a color and its meaning. */
export type Look = { look: string; text: string };

export function renderLegend(items: readonly Look[]): Markup {
  return markup`<ul class="legend">${items.map(
    ({ look, text }) =>
      markup`<li><svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><rect class="${look}" width="1" height="1"/></svg>${text}</li>`,
  )}</ul>`;
}
