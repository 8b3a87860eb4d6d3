/** The map: each neighborhood is a link, shaded by its number of openings in the current search. */

import { UNKNOWN_NEIGHBORHOOD } from '../listings/listing.ts';
import { type CityPageView, toggleFilterAddress } from './city-page-view.ts';
import { type Markup, markup } from './markup.ts';

const SHADES = 5;

export function renderMap(view: CityPageView): Markup | undefined {
  const { layout, outline, facets, question } = view;
  if (outline === undefined) return undefined;
  const { say } = layout.localization;
  const counts = new Map(facets.neighborhood.map(({ value, count }) => [value, count]));
  const shades = shadesOf(outline.areas.map(({ name }) => counts.get(name) ?? 0));
  const areas = outline.areas.map(({ name, path }) => {
    const n = counts.get(name) ?? 0;
    const label = say('map.area', { value: name, n });
    const isChosen = question.neighborhood.includes(name);
    return markup`<a href="${toggleFilterAddress(question, 'neighborhood', name)}" rel="nofollow" aria-label="${label}"${isChosen && { html: ' aria-current="true"' }}><path class="shade-${shades.of(n)}" d="${path}"><title>${label}</title></path></a>`;
  });
  const unplaced = counts.get(UNKNOWN_NEIGHBORHOOD) ?? 0;
  return markup`<section class="panel" id="map" aria-labelledby="map-title"><h2 id="map-title">${say('map.title')}</h2>
<p class="note">${say('map.help')}${unplaced > 0 && ` ${say('map.unplaced', { n: unplaced })}`}</p>
<svg class="map" viewBox="-4 -4 ${outline.width + 8} ${outline.height + 8}" role="group" aria-labelledby="map-title">${areas}</svg>
${legend(view, shades)}</section>`;
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
