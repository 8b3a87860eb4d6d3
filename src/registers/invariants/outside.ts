/** Checks `outside-city`: finds openings that a town, state or coordinate column places elsewhere. */

import type { City } from '../../city/define.ts';
import { isMissing } from '../../city/missing.ts';
import type { Boundaries } from '../../city/places/boundaries.ts';
import type { Box } from '../../city/places/geojson.ts';
import { foldTown, readTown, zipArea } from '../../city/places/place-text.ts';
import { countEdits } from '../../listings/edits.ts';
import { rememberTexts } from '../../listings/remember.ts';
import { countTowns, findMiddle, type Point, readPoint } from '../locations.ts';
import { countRows } from '../survey.ts';
import type { Evidence } from './evidence.ts';
import {
  type FindingCheck,
  isMoreThan,
  listNames,
  makeFinding,
  openCounts,
  openExamples,
  type ReadText,
  type Repair,
  type ShownFinding,
} from './finding.ts';

const OUTSIDE_SHARE = 0.02;
/** Minimum distance of a point outside, in degrees (about 50 km) from the middle, if there are no boundaries. */
const FAR = 0.5;
/** Minimum distance of a point outside, as a share of the boundaries' width. Closer ones may be in a gap or harbor. */
const MARGIN = 0.1;
/** Minimum towns in a register of a whole state, none of which has most of the rows. */
const TOWNS_OF_A_STATE = 30;
const TOWNS_SHOWN = 5;

/** A column that can show that a row is outside. `findElsewhere` returns `undefined` for other rows. */
type Witness = {
  columns: readonly string[];
  count: number;
  repair?: Repair;
  findElsewhere(cell: ReadText): string | undefined;
};

export function openOutsideCheck(
  evidence: Evidence,
  sample: readonly ReadText[],
  { city, boundaries }: { city: City; boundaries: Boundaries | undefined },
): FindingCheck {
  const { location, state } = evidence;
  const readState = (text: string) => (isMissing(text) ? undefined : text.toUpperCase());
  const witnesses = [
    openTownWitness(evidence, city) ?? openHomeWitness(location.postalCode?.name, sample, readRegion),
    openHomeWitness(state, sample, readState, (home) => ({ inside: { column: state!, values: [home, ''] } })),
    openFlagWitness(evidence),
    openPointWitness(evidence, sample, boundaries),
  ].filter((one) => one !== undefined);
  const examples = openExamples();
  const towns = openCounts(2_000);
  const townColumn = (location.town?.column ?? location.counties)?.name;
  let count = 0;
  function findWholeState(openings: number): ShownFinding[] {
    const state = describeState(towns.list(), openings);
    if (state === '' || townColumn === undefined || isCounty(city)) return [];
    const values = { towns: state.replace(/^.*county: /, ''), columns: listNames([townColumn]) };
    const shown = towns.list().slice(0, TOWNS_SHOWN);
    const examples = shown.map(([town, rows]) => `${town}: ${rows.toLocaleString('en')}`);
    return [makeFinding('wholeState', { count: openings, of: openings, examples, values })];
  }
  return {
    see({ name }, cell, { weight }) {
      const town = townColumn === undefined ? '' : foldTown(readTown(cell(townColumn)));
      if (town !== '') towns.add(town, weight);
      let where: string | undefined;
      for (const witness of witnesses) {
        const elsewhere = witness.findElsewhere(cell);
        if (elsewhere === undefined) continue;
        witness.count += weight;
        where ??= elsewhere;
      }
      if (where === undefined) return;
      count += weight;
      examples.keep(`${name} (${where})`);
    },
    find(openings) {
      if (!isMoreThan(OUTSIDE_SHARE, count, openings)) return findWholeState(openings);
      const seen = witnesses.filter((witness) => witness.count > 0);
      const by = seen.map(({ columns, count: n }) => `${listNames(columns)}: ${n.toLocaleString('en')}`);
      const { columns, repair } = seen[0]!;
      const values = {
        by: by.join(', '),
        state: describeState(towns.list(), openings),
        columns: listNames(columns),
      };
      const found = { count, of: openings, examples: examples.list(), values };
      return [makeFinding('outsideCity', { ...found, ...(repair && { repair }) })];
    },
  };
}

/** Describes a register that seems to cover an entire state. */
function describeState(towns: readonly (readonly [string, number])[], openings: number): string {
  if (towns.length < TOWNS_OF_A_STATE || towns[0]![1] > openings * 0.5) return '';
  const first = towns.slice(0, TOWNS_SHOWN).map(([, rows]) => rows.toLocaleString('en'));
  return `; the register seems to cover a whole state or county: ${towns.length} towns, the largest with ${first.join(', ')} rows`;
}

function isCounty({ name }: City): boolean {
  return / (?:county|parish)$/.test(foldTown(name));
}

/** Returns the intended town: the city's name, or the most frequent town. Returns none for a county, which has many. */
function findHomeTown({ location }: Evidence, city: City): string | undefined {
  if (location.town === undefined) return undefined;
  const named = foldTown(city.name);
  const counts = countTowns(location.town.column);
  const all = countRows(counts);
  if (counts.some(([town]) => foldTown(town) === named)) return named;
  if (isCounty(city)) return undefined;
  const [most, rows = 0] = counts[0] ?? [];
  return most !== undefined && rows >= all * 0.3 ? foldTown(most) : undefined;
}

function openTownWitness(evidence: Evidence, city: City): Witness | undefined {
  const { town } = evidence.location;
  const home = findHomeTown(evidence, city);
  if (town === undefined || home === undefined) return undefined;
  const column = town.column.name;
  const isElsewhere = rememberTexts((text) => {
    if (isMissing(text)) return false;
    const found = foldTown(readTown(text));
    const isMisspelled = home.length > 5 && countEdits(found, home, 40) <= 2;
    return found !== '' && found !== home && !isMisspelled;
  });
  return {
    columns: [column],
    count: 0,
    repair: { town: { column, keep: town.keep.length > 0 ? town.keep : [city.name] } },
    findElsewhere(cell) {
      const text = cell(column);
      return isElsewhere(text) ? text : undefined;
    },
  };
}

/** Returns the first two digits of a ZIP code, or the letter of a Canadian one: cities such as Vancouver have V5 and V6. */
function readRegion(text: string): string | undefined {
  return /^(?:ZIP (\d\d)|(\p{L}))/u
    .exec(zipArea(text) ?? '')
    ?.slice(1)
    .find((one) => one !== undefined);
}

/** Opens a witness for a column with one value on most rows, as returned by `read`. Other values are elsewhere. */
function openHomeWitness(
  column: string | undefined,
  sample: readonly ReadText[],
  read: (text: string) => string | undefined,
  repairOf?: (home: string) => Repair,
): Witness | undefined {
  if (column === undefined) return undefined;
  const counts = openCounts();
  for (const found of sample.map((cell) => read(cell(column)))) if (found !== undefined) counts.add(found, 1);
  const [[home, rows] = ['', 0]] = counts.list();
  if (rows === 0 || rows < countRows(counts.list()) * 0.3) return undefined;
  return {
    columns: [column],
    count: 0,
    ...(repairOf && { repair: repairOf(home) }),
    findElsewhere(cell) {
      const found = read(cell(column));
      return found !== undefined && found !== home ? cell(column) : undefined;
    },
  };
}

function openFlagWitness({ inside }: Evidence): Witness | undefined {
  if (inside === undefined) return undefined;
  const { column, values } = inside;
  return {
    columns: [column],
    count: 0,
    repair: { inside: { column, values } },
    findElsewhere(cell) {
      const text = cell(column);
      return !isMissing(text) && !values.includes(text) ? `${column} says so` : undefined;
    },
  };
}

function openPointWitness(
  { location: { point } }: Evidence,
  sample: readonly ReadText[],
  boundaries: Boundaries | undefined,
): Witness | undefined {
  if (point === undefined) return undefined;
  const pointOf = (cell: ReadText) => readPoint(point, ({ name }) => cell(name));
  const middle = findMiddle(sample.map(pointOf));
  const box = boundaries === undefined ? middle && boxAround(middle) : withMargin(boundaries.box);
  if (box === undefined) return undefined;
  return {
    columns: [...new Set([point.latitude.name, point.longitude.name])],
    count: 0,
    findElsewhere(cell) {
      const { latitude, longitude } = pointOf(cell) ?? {};
      if (latitude === undefined || longitude === undefined) return undefined;
      const isInside =
        latitude >= box.south && latitude <= box.north && longitude >= box.west && longitude <= box.east;
      return isInside ? undefined : `at ${latitude.toFixed(2)}, ${longitude.toFixed(2)}`;
    },
  };
}

function boxAround({ longitude: x, latitude: y }: Point): Box {
  return { south: y - FAR, north: y + FAR, west: x - FAR, east: x + FAR };
}

function withMargin({ west, east, south, north }: Box): Box {
  const [wide, high] = [(east - west) * MARGIN, (north - south) * MARGIN];
  return { west: west - wide, east: east + wide, south: south - high, north: north + high };
}
