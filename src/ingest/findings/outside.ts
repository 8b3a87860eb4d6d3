/** `outside-city`: openings that a town, state or coordinate column puts elsewhere. */

import type { Boundaries } from '../../city/boundaries.ts';
import type { City, Row } from '../../city/define.ts';
import type { Box } from '../../city/geojson.ts';
import { countEdits } from '../../listings/edits.ts';
import { readCell } from '../sources/row.ts';
import {
  type FindingCheck,
  foldText,
  formatOpenings,
  isMoreThan,
  keepExample,
  makeFinding,
} from './check.ts';
import type { ColumnRoles } from './column-roles.ts';

const OUTSIDE_SHARE = 0.02;
/** Degrees around the middle of the points where there are no boundaries: about 50 km. */
const FAR = 0.5;
/** Of the boundaries' width: a point so far from all of them is not beside a gap or a harbour. */
const MARGIN = 0.1;
const MOST_TEXTS = 10_000;

/** Says what puts a row outside; nothing where it lies inside, or says nothing. */
type Witness = { columns: readonly string[]; count: number; findElsewhere(row: Row): string | undefined };

export function openOutsideCheck(
  roles: ColumnRoles,
  sample: readonly Row[],
  { city, boundaries }: { city: City; boundaries: Boundaries | undefined },
): FindingCheck {
  const witnesses = [
    townWitness(roles, sample, city),
    stateWitness(roles, sample),
    flagWitness(roles),
    pointWitness(roles, sample, boundaries),
  ].filter((one) => one !== undefined);
  const examples: string[] = [];
  let count = 0;
  return {
    see({ name }, row, weight) {
      let where: string | undefined;
      for (const witness of witnesses) {
        const elsewhere = witness.findElsewhere(row);
        if (elsewhere === undefined) continue;
        witness.count += weight;
        where ??= elsewhere;
      }
      if (where === undefined) return;
      count += weight;
      keepExample(examples, `${name} (${where})`);
    },
    find(openings) {
      if (!isMoreThan(OUTSIDE_SHARE, count, openings)) return [];
      const by = witnesses
        .filter((witness) => witness.count > 0)
        .map(
          ({ columns, count: n }) =>
            `${columns.map((one) => `"${one}"`).join(' and ')}: ${n.toLocaleString('en')}`,
        );
      const detail = `${formatOpenings(count, openings)} lie outside the city (${by.join(', ')})`;
      const fix = `in the verdict, return skip('outside the city') for such rows, by ${by[0]!.replace(/: [\d,]+$/, '')}`;
      return [makeFinding('outside-city', 'stop', { count, of: openings, detail, examples, fix })];
    },
  };
}

/** The town before a comma: `San Luis Obispo, CA`. */
export function foldTownText(text: string): string {
  return foldText(text.replace(/,.*$/, ''));
}

/** The town that is meant: the city's name, else the most frequent one. A county has many towns. */
export function findHomeTown(
  town: string | undefined,
  sample: readonly Row[],
  city: City,
): string | undefined {
  if (town === undefined) return undefined;
  const named = foldText(city.name).replace(/^city of /, '');
  const counts = new Map<string, number>();
  for (const row of sample) {
    const text = foldTownText(readCell(row, town));
    if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const all = [...counts.values()].reduce((sum, n) => sum + n, 0);
  if ((counts.get(named) ?? 0) >= all * 0.05 && counts.has(named)) return named;
  if (/ (county|parish)$/.test(named)) return undefined;
  const [most, n = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  return n >= all * 0.3 ? most : undefined;
}

function townWitness({ town }: ColumnRoles, sample: readonly Row[], city: City): Witness | undefined {
  const home = findHomeTown(town, sample, city);
  if (town === undefined || home === undefined) return undefined;
  const isElsewhere = memoize((text) => {
    const found = foldTownText(text);
    const isMisspelt = home.length > 5 && countEdits(found, home, 40) <= 2;
    return found !== '' && found !== `city of ${home}` && !isMisspelt;
  });
  return {
    columns: [town],
    count: 0,
    findElsewhere(row) {
      const text = readCell(row, town);
      return isElsewhere(text) ? text : undefined;
    },
  };
}

function stateWitness({ state }: ColumnRoles, sample: readonly Row[]): Witness | undefined {
  if (state === undefined) return undefined;
  const texts = sample.map((row) => readCell(row, state).toUpperCase()).filter((text) => text !== '');
  const counts = Map.groupBy(texts, (text) => text);
  const [home, rows] = [...counts].sort((a, b) => b[1].length - a[1].length)[0] ?? [];
  if (home === undefined || rows!.length < texts.length * 0.3) return undefined;
  return {
    columns: [state],
    count: 0,
    findElsewhere(row) {
      const text = readCell(row, state);
      return text !== '' && text.toUpperCase() !== home ? text : undefined;
    },
  };
}

function flagWitness({ outside }: ColumnRoles): Witness | undefined {
  if (outside === undefined) return undefined;
  const { column, means } = outside;
  return {
    columns: [column],
    count: 0,
    findElsewhere: (row) => (means.test(readCell(row, column)) ? `${column} says so` : undefined),
  };
}

function pointWitness(
  { point }: ColumnRoles,
  sample: readonly Row[],
  boundaries: Boundaries | undefined,
): Witness | undefined {
  if (point.length === 0) return undefined;
  const box = boundaries === undefined ? boxAround(point, sample) : withMargin(boundaries.box);
  if (box === undefined) return undefined;
  return {
    columns: point,
    count: 0,
    findElsewhere(row) {
      const at = readPoint(row, point);
      if (at === undefined) return undefined;
      const [latitude, longitude] = at;
      const isInside =
        latitude >= box.south && latitude <= box.north && longitude >= box.west && longitude <= box.east;
      return isInside ? undefined : `at ${latitude.toFixed(2)}, ${longitude.toFixed(2)}`;
    },
  };
}

/** Latitude and longitude; nothing where there is no point, or it is 0/0. */
export function readPoint(row: Row, point: readonly string[]): readonly [number, number] | undefined {
  const text = point.map((column) => readCell(row, column)).join(' ');
  const [first, second] = (text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  if (first === undefined || second === undefined || (first === 0 && second === 0)) return undefined;
  return /^POINT/i.test(text) ? [second, first] : [first, second];
}

function boxAround(point: readonly string[], sample: readonly Row[]): Box | undefined {
  const points = sample.map((row) => readPoint(row, point)).filter((at) => at !== undefined);
  if (points.length === 0) return undefined;
  const middle = (at: 0 | 1) => points.map((one) => one[at]).sort((a, b) => a - b)[points.length >> 1]!;
  const [y, x] = [middle(0), middle(1)];
  return { south: y - FAR, north: y + FAR, west: x - FAR, east: x + FAR };
}

function withMargin({ west, east, south, north }: Box): Box {
  const [wide, high] = [(east - west) * MARGIN, (north - south) * MARGIN];
  return { west: west - wide, east: east + wide, south: south - high, north: north + high };
}

function memoize(test: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    let answer = known.get(text);
    if (answer === undefined) {
      answer = test(text);
      if (known.size < MOST_TEXTS) known.set(text, answer);
    }
    return answer;
  };
}
