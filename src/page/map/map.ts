/** Renders the map of a view. Each neighborhood is a link with its name, shaded by a number. */

import type { Outline } from '../../shared/outline.ts';
import { renderFacet } from '../facets.ts';
import { type Look, ROUND_STEPS, renderLegend } from '../legend.ts';
import { type Markup, markup } from '../markup.ts';
import { listFoundLabels } from '../question-text.ts';
import { type SearchView, toggleFilterAddress } from '../search-view.ts';
import { LINE_HEIGHT, type MapLabel, placeLabels } from './map-labels.ts';

/** Number of shades for values other than 0. Where values rise and fall, each side has the shades of `SIDE`. */
const SHADES = [1, 2, 3, 4];
const SIDE = [1, 2, 4];

/** A neighborhood on the map: its link, its label, and the class of its shade. */
export type MapArea = { href: string; label: string; look: string };

/** Renders the map of the listings and, unless it stands elsewhere, a list of all neighborhoods. */
export function renderMap(view: SearchView, hasList = true): Markup {
  const { outline, layout, facets } = view;
  const { say } = layout.localization;
  const counts = new Map(facets.neighborhood.map(({ value, count: n }) => [value, n]));
  return markup`<section class="places" aria-labelledby="map"><h2 id="map" tabindex="-1">${say('map.title')}</h2>
${outline && renderCounts(view, outline, counts)}
${hasList && renderFacet(view, 'neighborhood')}</section>`;
}

function renderCounts(view: SearchView, outline: Outline, counts: ReadonlyMap<string, number>): Markup {
  const { say, count, number } = view.layout.localization;
  const countOf = (name: string) => counts.get(name) ?? 0;
  const shown = outline.areas.map(({ name }) => countOf(name));
  const scale = openScale(shown);
  const drawing = renderDrawing(view, outline, (name) => ({
    href: toggleFilterAddress(view, 'neighborhood', name),
    label: count('map.area', countOf(name), { value: name }),
    look: scale.lookOf(countOf(name)),
  }));
  const format = (n: number) => (n === 0 ? say('map.none') : number(n));
  const what = listFoundLabels({ ...view, question: { ...view.question, neighborhood: [] } });
  const title = what.length === 0 ? say('map.legend') : say('map.legend.of', { what: what.join(', ') });
  return markup`${drawing}<p class="note">${title}</p>${renderLegend(listLooks(view, scale, format))}`;
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

/** How values are shaded: the class of each, and the classes in use with their limits, lowest first. */
export type Scale = {
  lookOf(value: number): string;
  classes: readonly { look: string; from: number; to: number }[];
};

/**
 * Divides values into at most four shades of about as many areas each, with round limits and no gaps between them. If
 * values are on both sides of 0, each side has at most three. Values are rounded to multiples of `unit`.
 */
export function openScale(values: readonly number[], unit = 1): Scale {
  const steps = values.map((value) => Math.round(value / unit));
  const [most, least] = [Math.max(0, ...steps), Math.max(0, ...steps.map((step) => -step))];
  const shades = most > 0 && least > 0 ? SIDE : SHADES;
  const limits = listLimits(steps.filter((step) => step !== 0).map(Math.abs), shades.length);
  const numbered = limits.map((to, i) => ({
    n: shades.at(i - limits.length)!,
    from: (limits[i - 1] ?? 0) + 1,
    to,
  }));
  const rises = numbered.map(({ n, from, to }) => ({ look: `shade-${n}`, from, to: Math.min(to, most) }));
  const falls = numbered.map(({ n, from, to }) => ({
    look: `loss-${n}`,
    from: -Math.min(to, least),
    to: -from,
  }));
  const all = [...falls.reverse(), { look: 'shade-0', from: 0, to: 0 }, ...rises];
  const findClass = (step: number) => all.find(({ from, to }) => from <= step && step <= to)!;
  const drawn = new Set(steps.map(findClass));
  return {
    lookOf: (value) => findClass(Math.round(value / unit)).look,
    classes: all
      .filter((one) => drawn.has(one))
      .map(({ look, from, to }) => ({ look, from: from * unit, to: to * unit })),
  };
}

/** How far a limit may be from equal shares, as a share of all areas, to be a rounder number. */
const LEEWAY = 0.1;

/** Lists the highest value of each shade. Fewer values than shades get a shade each. */
function listLimits(values: readonly number[], shades: number): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const limits: number[] = [];
  let start = 0;
  for (let left = shades; left > 1; left--) {
    const share = start + (sorted.length - start) / left;
    const ranked = [...sorted.keys()]
      .filter((i) => i > start && sorted[i - 1] !== sorted[i])
      .slice(0, 2 - left || undefined) // each later shade needs a value too
      .map((i) => ({ i, off: Math.abs(i - share), ...roundLimit(sorted[i - 1]!, sorted[i]! - 1) }))
      .sort((a, b) => a.off - b.off);
    const nearest = ranked.filter(({ off }) => off <= Math.max(ranked[0]!.off, sorted.length * LEEWAY));
    const [best] = nearest.sort((a, b) => b.step - a.step);
    if (best === undefined) continue;
    limits.push(best.limit);
    start = best.i;
  }
  return [...limits, ...sorted.slice(-1)];
}

/** Returns the roundest number between two. */
function roundLimit(low: number, high: number): { limit: number; step: number } {
  const step = ROUND_STEPS.findLast((one) => Math.floor(high / one) * one >= low)!;
  return { limit: Math.floor(high / step) * step, step };
}

/** Lists the shades with their limits. */
export function listLooks(
  { layout }: Pick<SearchView, 'layout'>,
  { classes }: Scale,
  format: (value: number) => string,
): Look[] {
  return classes.map(({ look, ...limits }) => {
    const [from, to] = [format(limits.from), format(limits.to)];
    return { look, text: from === to ? from : layout.localization.say('changes.range', { from, to }) };
  });
}

/** The class of a color and its meaning. */
