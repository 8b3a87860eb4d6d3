/** Renders the map of a view: the city as a place. Each neighborhood is a link with its count, and shaded by it. */

import type { Outline } from '../../shared/city/outline.ts';
import { type Days, isOneYear, yearOf } from '../../shared/periods.ts';
import { renderFacet } from '../facets.ts';
import { type Look, ROUND_STEPS } from '../legend.ts';
import { type Markup, markup } from '../markup.ts';
import { type SearchView, toggleFilterAddress } from '../search-view.ts';

/** Number of shades for values other than 0. Where values rise and fall, each side has the shades of `SIDE`. */
const SHADES = [1, 2, 3, 4, 5];
const SIDE = [1, 3, 5];

/** A neighborhood on the map: its link, its label, which a pointer or the focus shows too, and the class of its shade. */
export type MapArea = { href: string; label: string; look: string };

/**
 * Renders the map of the listings and, if there are several, their counts on it and as a list. `days`: the period of the
 * counts, if it is not that of the search. `first`: the neighborhood that an answer names.
 */
export function renderMap(
  view: SearchView,
  { isCounted, days, first }: { isCounted: boolean; days: Days | undefined; first: string | undefined },
): Markup {
  const { outline, layout, facets } = view;
  const { say, nameValue } = layout.localization;
  const [only, ...others] = facets.neighborhood;
  const isOne = !isCounted && only !== undefined && others.length === 0;
  const title = isOne ? nameValue('neighborhood', only.value) : addYear(view, say('map.title'), days);
  return markup`<section class="places" aria-labelledby="map"><h2 id="map" tabindex="-1">${title}</h2>
${outline && renderCounts(view, outline, { isCounted, first })}
${isCounted && renderFacet(view, 'neighborhood')}</section>`;
}

/** Adds the year or the days of the counts to a heading, if they are not those of the search. */
export function addYear(
  { layout: { localization } }: SearchView,
  title: string,
  days: Days | undefined,
): string {
  if (days === undefined) return title;
  const { filed_from, filed_to } = days;
  if (!isOneYear(days)) return `${title}, ${localization.period(filed_from, filed_to)}`;
  return filed_from.endsWith('-01-01')
    ? localization.say('search.period', { what: title, period: yearOf(filed_from) })
    : `${title}, ${localization.daysOfYear(filed_from, filed_to)}`;
}

function renderCounts(
  view: SearchView,
  outline: Outline,
  { isCounted, first }: { isCounted: boolean; first: string | undefined },
): Markup {
  const { count, number } = view.layout.localization;
  const counts = new Map(view.facets.neighborhood.map(({ value, count: n }) => [value, n]));
  const countOf = (name: string) => counts.get(name) ?? 0;
  const scale = openScale(outline.areas.map(({ name }) => countOf(name)));
  const describe = (name: string) => ({
    href: toggleFilterAddress(view, 'neighborhood', name),
    label: count('map.area', countOf(name), { value: name }),
    look: `${scale.lookOf(countOf(name))}${name === first ? ' most' : ''}`,
  });
  const labels = isCounted ? [...counts].map(([name, n]) => [name, number(n)] as const) : [];
  return renderDrawing(view, outline, describe, new Map(labels));
}

const drawings = new WeakMap<Outline, ReturnType<typeof prepareDrawing>>();

/** Returns the paths, which take most of the text of a page, as HTML: of all areas together, of each, and the edges of those with holes. */
function prepareDrawing({ areas }: Outline) {
  const paths = new Map(areas.map(({ name, path }) => [name, markup`${path}`]));
  const edges = new Map(areas.map(({ name, path }) => [name, findEdge(path)]));
  return { paths, edges, coast: markup`${[...paths.values()]}` };
}

/** Renders the outer rings of an area with holes, because a border around a hole would mark the area inside. */
function findEdge(path: string): Markup | undefined {
  const rings = path.match(/M[^M]+/g) ?? [];
  const shapes = rings.map(listPoints);
  const outer = rings.filter(
    (_, i) => shapes.filter((other) => isAround(other, shapes[i]!)).length % 2 === 0,
  );
  return outer.length < rings.length ? markup`<path class="edge" d="${outer.join('')}"/>` : undefined;
}

type Spot = readonly [x: number, y: number];

/** Lists the points of a ring, whose path has steps after its first point. */
function listPoints(ring: string): Spot[] {
  let [x, y] = [0, 0];
  return Array.from(ring.matchAll(/(-?\d+) ?(-?\d+)/g), ([, right, down]) => {
    x += Number(right);
    y += Number(down);
    return [x, y];
  });
}

function isAround(ring: readonly Spot[], inner: readonly Spot[]): boolean {
  const [x, y] = inner[0]!;
  const crossed = ring.filter(([x1, y1], i) => {
    const [x2, y2] = ring.at(i - 1)!;
    return y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1);
  });
  return ring !== inner && crossed.length % 2 === 1;
}

/**
 * Renders the outline of the city and its neighborhoods with their labels. Draws chosen areas
 * last, so that their borders stay visible.
 */
export function renderDrawing(
  { question, reading }: SearchView,
  outline: Outline,
  describeArea: (name: string) => MapArea,
  labels: ReadonlyMap<string, string>,
): Markup {
  const asked = [question, ...(reading?.against === undefined ? [] : [reading.against])];
  const isChosen = (name: string) => asked.some(({ neighborhood }) => neighborhood.includes(name));
  const { coast, paths, edges } = drawings.getOrInsertComputed(outline, prepareDrawing);
  const inOrder = outline.areas
    .map((area) => ({ ...area, ...describeArea(area.name) }))
    .sort((a, b) => Number(isChosen(a.name)) - Number(isChosen(b.name)));
  const areas = inOrder.map(
    ({ name, href, label, look }) =>
      markup`<a href="${href}" rel="nofollow" data-key="area:${name}" data-place="${name}"
 aria-label="${label}"${isChosen(name) && { html: ' aria-current="true"' }}><path class="${look}" d="${paths.get(name)}"/>${edges.get(name)}</a>`,
  );
  const { box, width, height } = outline;
  const placed = inOrder.flatMap(({ name, look: shade, x, y }) => {
    const text = labels.get(name);
    return text === undefined || x === undefined || y === undefined ? [] : [{ name, shade, x, y, text }];
  });
  const texts = placed.map(
    ({ name, shade, x, y, text }) =>
      markup`<text class="${shade}" x="${x}" y="${y}" data-place="${name}">${text}</text>`,
  );
  const place = box && markup` data-box="${box.west} ${box.south} ${box.east} ${box.north}"`;
  const margin = Math.round(Math.max(width, height) * 0.04);
  const frame = `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`;
  return markup`<div class="place"><svg class="map" viewBox="${frame}" data-size="${width} ${height}"${place} role="group"
 aria-labelledby="map" data-arrows><path class="coast" d="${coast}"/>${areas}<g class="names" aria-hidden="true">${texts}</g></svg></div>`;
}

/** How values are shaded: the class of each, and the classes in use with their limits, lowest first. */
export type Scale = {
  lookOf(value: number): string;
  classes: readonly { look: string; from: number; to: number }[];
};

/**
 * Divides values into at most five shades of about as many areas each, with round limits and no gaps between them. If
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

/** Lists the highest value of each shade: those nearest to equal shares of all values, made as round as possible. */
function listLimits(values: readonly number[], shades: number): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const ends = [...sorted.keys()].filter((i) => i > 0 && sorted[i - 1] !== sorted[i]);
  const limits = Array.from({ length: shades - 1 }, (_, i) => {
    const share = ((i + 1) * sorted.length) / shades;
    const [end] = ends.toSorted((a, b) => Math.abs(a - share) - Math.abs(b - share));
    return end === undefined ? [] : roundLimit(sorted[end - 1]!, sorted[end]! - 1);
  });
  return [...new Set([...limits.flat(), ...sorted.slice(-1)])];
}

/** Returns the roundest number between two. */
function roundLimit(low: number, high: number): number {
  const step = ROUND_STEPS.findLast((one) => Math.floor(high / one) * one >= low)!;
  return Math.floor(high / step) * step;
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
