/** Renders the map of a view: the city as a place. Each neighborhood is a link with its count, and shaded by it. */

import type { Outline } from '../../shared/city/outline.ts';
import { type Days, isOneYear, yearOf } from '../../shared/periods.ts';
import { renderFacet } from '../facets.ts';
import { type Look, ROUND_STEPS, renderLegend } from '../legend.ts';
import { type Markup, markup } from '../markup.ts';
import { addPeriod, describeSubject } from '../question-text.ts';
import { type SearchView, toggleFilterAddress } from '../search-view.ts';

/** The shades of values other than 0. Where values rise and fall, each side has the shades of `SIDE`. */
const SHADES = [1, 2, 3, 4, 5];
const SIDE = [1, 3, 5];
/** A class of fewer values than this times its start is a part of the one before. */
const LEAST_CLASS = 1.2;
/** A value this many times the next has a class of its own. */
const FAR_AHEAD = 2;
/** The class of an area without a value. */
const APART = 'shade-0 few';

/** A neighborhood on the map: its link, its label, which a pointer or the focus shows too, and its value. */
export type MapArea = { href: string; label: string; value: number | undefined };

type MapOptions = {
  title: string;
  areaOf(name: string): MapArea;
  /** Writes values, other than 0 on the map. */
  format(value: number): string;
  /** What the legend calls areas without a value. */
  few?: string;
  /** The neighborhood that an answer names. */
  first?: string | undefined;
  /** What stands below. */
  list?: Markup | false | undefined;
};

/** Renders the map of the listings, with their counts on it and as a list. `days`: the period of the counts, if it is not that of the search. */
export function renderCountMap(
  view: SearchView,
  { days, ...options }: { days: Days | undefined } & Pick<MapOptions, 'first' | 'list'>,
): Markup {
  const { layout, question, facets } = view;
  const { say, count, number } = layout.localization;
  const what = describeSubject({ layout, question: { ...question, neighborhood: [] } });
  const counts = new Map(facets.neighborhood.map(({ value, count: n }) => [value, n]));
  return renderMap(view, {
    title: say('map.of', { what: addYear(view, addPeriod({ layout, question }, what), days) }),
    format: number,
    areaOf(name) {
      const value = counts.get(name) ?? 0;
      const label = count('map.area', value, { value: name });
      return { href: toggleFilterAddress(view, 'neighborhood', name), label, value };
    },
    list: renderFacet(view, 'neighborhood'),
    ...options,
  });
}

/** Renders a map whose areas are shaded by their values, its legend and a list below. */
export function renderMap(
  view: SearchView,
  { title, areaOf, format, few = '', first, list }: MapOptions,
): Markup {
  const { outline, layout } = view;
  const areas = outline?.areas.map((area) => ({ ...area, ...areaOf(area.name) })) ?? [];
  const values = areas.flatMap(({ value }) => value ?? []);
  const scale = openScale(values);
  const shaded = areas.map((area) => {
    const look = area.value === undefined ? APART : scale.lookOf(area.value);
    return { ...area, look: area.name === first ? `${look} most` : look };
  });
  const legend = scale.classes.map(({ look, ...limits }): Look => {
    const [from, to] = [format(limits.from), format(limits.to)];
    return { look, text: from === to ? from : layout.localization.say('changes.range', { from, to }) };
  });
  if (areas.some(({ value }) => value === undefined)) legend.push({ look: APART, text: few });
  return markup`<section class="places" aria-labelledby="map"><h2 id="map" tabindex="-1">${title}</h2>
${outline && markup`${renderDrawing(view, outline, { shaded, format })}${renderLegend(legend)}`}${list}</section>`;
}

/** Adds the year or the days of the counts to a heading, if they are not those of the search. */
export function addYear({ layout }: SearchView, title: string, days: Days | undefined): string {
  if (days === undefined) return title;
  const { localization } = layout;
  const { filed_from, filed_to } = days;
  if (!isOneYear(days)) return `${title}, ${localization.period(filed_from, filed_to)}`;
  return filed_from.endsWith('-01-01')
    ? localization.say('search.period', { what: title, period: yearOf(filed_from) })
    : `${title}, ${localization.daysOfYear(filed_from, filed_to)}`;
}

const drawings = new WeakMap<Outline, ReturnType<typeof prepareDrawing>>();

/** Returns the paths, which take most of the text of a page, as HTML: of all areas together, and of each. */
function prepareDrawing({ areas }: Outline) {
  const paths = new Map(areas.map(({ name, path }) => [name, markup`${path}`]));
  return { paths, coast: markup`${[...paths.values()]}` };
}

type Shaded = Outline['areas'][number] & MapArea & { look: string };

/** Renders the outline of the city and its neighborhoods with their labels. Draws chosen areas last, so that their borders stay visible. */
function renderDrawing(
  { question, reading }: SearchView,
  outline: Outline,
  { shaded, format }: { shaded: Shaded[]; format: MapOptions['format'] },
): Markup {
  const asked = [question, ...(reading?.against === undefined ? [] : [reading.against])];
  const isChosen = (name: string) => asked.some(({ neighborhood }) => neighborhood.includes(name));
  const { coast, paths } = drawings.getOrInsertComputed(outline, prepareDrawing);
  const inOrder = shaded.toSorted((a, b) => Number(isChosen(a.name)) - Number(isChosen(b.name)));
  const areas = inOrder.map(
    ({ name, href, label, look }) =>
      markup`<a href="${href}" rel="nofollow" data-place="${name}"
 aria-label="${label}"${isChosen(name) && { html: ' aria-current="true"' }}><path class="${look}" d="${paths.get(name)}"/></a>`,
  );
  const { box, width, height } = outline;
  const texts = inOrder
    .filter(({ value, x, y }) => value && x !== undefined && y !== undefined)
    .map(
      ({ name, look, x, y, value = 0 }) =>
        markup`<text class="${look}" x="${x}" y="${y}" data-place="${name}">${format(value)}</text>`,
    );
  const place = box && markup` data-box="${box.west} ${box.south} ${box.east} ${box.north}"`;
  const margin = Math.round(Math.max(width, height) * 0.04);
  const frame = `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`;
  return markup`<div class="place"><svg class="map" viewBox="${frame}" data-size="${width} ${height}"${place} role="group"
 aria-labelledby="map" data-arrows><path class="coast" d="${coast}"/>${areas}<g class="names" aria-hidden="true">${texts}</g></svg></div>`;
}

/** How values are shaded: the class of each, and the classes from the lowest to the highest in use with their limits. */
export type Scale = {
  lookOf(value: number): string;
  classes: readonly { look: string; from: number; to: number }[];
};

/**
 * Divides values into at most five shades with round limits, each about twice the one before. If values are on both
 * sides of 0, each side has at most three.
 */
export function openScale(values: readonly number[]): Scale {
  const [most, least] = [Math.max(0, ...values), Math.max(0, ...values.map((value) => -value))];
  const shades = most > 0 && least > 0 ? SIDE : SHADES;
  const [highest = 0, second = 0] = values.map(Math.abs).sort((a, b) => b - a);
  const above = ROUND_STEPS.filter((step) => step * LEAST_CLASS < highest);
  if (second * FAR_AHEAD <= highest && second > (above.at(-1) ?? 0)) above.splice(-1, 1, second);
  const limits = [...above.slice(1 - shades.length), highest];
  const numbered = limits.map((to, i) => ({
    n: shades.at(i - limits.length)!,
    from: (limits[i - 1] ?? 0) + 1,
    to,
  }));
  const upTo = (end: number) => numbered.filter(({ from }) => from <= end);
  const rises = upTo(most).map(({ n, from, to }) => ({ look: `shade-${n}`, from, to: Math.min(to, most) }));
  const lower = (to: number) => -Math.min(to, least);
  const falls = upTo(least).map(({ n, from, to }) => ({ look: `loss-${n}`, from: lower(to), to: -from }));
  const all = [...falls.reverse(), { look: 'shade-0', from: 0, to: 0 }, ...rises];
  const findClass = (value: number) => all.find(({ from, to }) => from <= value && value <= to)!;
  const drawn = values.map((value) => all.indexOf(findClass(value))).sort((a, b) => a - b);
  return {
    lookOf: (value) => findClass(value).look,
    classes: all.slice(drawn[0], (drawn.at(-1) ?? -1) + 1),
  };
}
