/** The map: each neighborhood is a link with its name, shaded by its number of businesses in the current search, and in a list beside it. */

import type { Outline } from '../../city/places/outline.ts';
import { UNKNOWN_NEIGHBORHOOD } from '../../listings/listing.ts';
import { addChosen, type CityPageView, toggleFilterAddress } from './city-page-view.ts';
import { type MapLabel, placeLabels, SMALL_LABEL } from './map-labels.ts';
import { type Markup, markup } from './markup.ts';

const SHADES = 5;
/** Neighborhoods that are listed at once; the others are folded away. */
const SHOWN_PLACES = 8;

/** The map with the list of its neighborhoods, if the city has outlines. */
export function renderMap(view: CityPageView): Markup | undefined {
  const { outline, layout, facets } = view;
  if (outline === undefined) return undefined;
  const { say } = layout.localization;
  const counts = new Map(facets.neighborhood.map(({ value, count }) => [value, count]));
  const shades = shadesOf(outline.areas.map(({ name }) => counts.get(name) ?? 0));
  const unplaced = counts.get(UNKNOWN_NEIGHBORHOOD) ?? 0;
  return markup`<section class="panel map-panel" id="map" data-live aria-labelledby="map-title"><div class="found"><h2 id="map-title">${say('map.title')}</h2>${outline.box && renderHereButton(view)}</div>
<p class="note">${say('map.help')}${unplaced > 0 && ` ${layout.localization.count('map.unplaced', unplaced)}`}</p>
${renderDrawing(view, outline, { counts, shades })}
${legend(view, shades)}
${renderPlaces(view)}</section>`;
}

/** Shown by the style when the script runs. The position is compared with the map in the browser and goes nowhere. */
function renderHereButton({ layout }: CityPageView): Markup {
  const { say } = layout.localization;
  return markup`<button class="quiet here" type="button" id="here" data-outside="${say('map.outside')}" data-denied="${say('map.denied')}" data-failed="${say('map.failed')}">${say('map.here')}</button>`;
}

function renderDrawing(
  { layout, question }: CityPageView,
  outline: Outline,
  { counts, shades }: { counts: ReadonlyMap<string, number>; shades: Shades },
): Markup {
  const areas = outline.areas.map(({ name, path }) => {
    const n = counts.get(name) ?? 0;
    const label = layout.localization.say('map.area', { value: name, n });
    const isChosen = question.neighborhood.includes(name);
    return markup`<a href="${toggleFilterAddress(question, 'neighborhood', name)}" rel="nofollow" data-key="area:${name}"${isChosen && { html: ' aria-current="true"' }}><title>${label}</title><path class="shade-${shades.of(n)}" d="${path}"/></a>`;
  });
  const { box } = outline;
  const place = box && markup` data-box="${box.west} ${box.south} ${box.east} ${box.north}"`;
  return markup`<svg class="map" viewBox="-4 -4 ${outline.width + 8} ${outline.height + 8}" data-size="${outline.width} ${outline.height}"${place} role="group" aria-labelledby="map-title" data-arrows>${areas}<g class="names" aria-hidden="true">${[...placeLabels(outline).values()].map(renderLabel)}</g></svg><p class="note" id="here-said" role="status"></p>`;
}

function renderLabel({ x, y, size, lines }: MapLabel): Markup {
  const top = y - ((lines.length - 1) / 2) * size * 1.1 + size * 0.36;
  return markup`<text font-size="${size}"${size < SMALL_LABEL && { html: ' class="small"' }}>${lines.map((line, i) => markup`<tspan x="${x}" y="${Math.round(top + i * size * 1.1)}">${line}</tspan>`)}</text>`;
}

/** Every neighborhood as a link, largest first. */
function renderPlaces({ layout, question, facets }: CityPageView): Markup {
  const { say, number } = layout.localization;
  const places = addChosen(facets.neighborhood, question.neighborhood).map(({ value, count }) => {
    const isChosen = question.neighborhood.includes(value) && { html: ' aria-current="true"' };
    return markup`<li><a href="${toggleFilterAddress(question, 'neighborhood', value)}" rel="nofollow" data-key="place:${value}"${isChosen}>${value}</a> <span class="count">${number(count)}</span></li>`;
  });
  const rest = places.slice(SHOWN_PLACES);
  return markup`<ul class="places">${places.slice(0, SHOWN_PLACES)}</ul>${
    rest.length > 0 &&
    markup`<details id="places-rest"><summary>${say('bars.more', { n: places.length })}</summary><ul class="places">${rest}</ul></details>`
  }`;
}

type Shades = { of(count: number): number; from: readonly number[] };

/** Shades with about the same number of neighborhoods each; equal counts have equal shades. */
function shadesOf(counts: readonly number[]): Shades {
  const sorted = counts.filter((count) => count > 0).sort((a, b) => a - b);
  const from = [
    ...new Set(Array.from({ length: SHADES }, (_, i) => sorted[Math.floor((i * sorted.length) / SHADES)])),
  ].filter((count) => count !== undefined);
  return { from, of: (count) => from.filter((least) => count >= least).length };
}

function legend({ layout }: CityPageView, { from }: Shades): Markup {
  const { say, number } = layout.localization;
  const items = from.map((least, i) => {
    const next = from[i + 1];
    const text =
      next === undefined
        ? `${number(least)}+`
        : next - 1 > least
          ? `${number(least)}–${number(next - 1)}`
          : number(least);
    return markup`<li>${swatch(i + 1)}${text}</li>`;
  });
  return markup`<ul class="legend"><li>${swatch(0)}${say('map.none')}</li>${items}</ul>`;
}

function swatch(shade: number): Markup {
  return markup`<svg viewBox="0 0 1 1" aria-hidden="true"><rect class="shade-${shade}" width="1" height="1"/></svg>`;
}
