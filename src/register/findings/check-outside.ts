/** Checks `outside-city`: finds openings that a town, state or coordinate column places elsewhere. */

import { rememberTexts } from '../../shared/remember.ts';
import { isMissing } from '../profile/mapping/cells.ts';
import { foldTown, isInTown, readTown, zipArea } from '../profile/places/place-text.ts';
import type { Column } from '../survey/columns.ts';
import { findMiddle, isCountyName, isMisspelled, readPoint } from '../survey/locations.ts';
import type { Evidence, SampledRegister } from './evidence.ts';
import {
  countTexts,
  formatRows,
  listCounts,
  listNames,
  makeFinding,
  type ReadText,
  type ShownFinding,
  sumWeights,
  type Words,
} from './finding.ts';

/** Without boundaries, points farther than this from the center are outside. In degrees, about 50 km. */
const FAR = 0.5;
/** With boundaries, points farther than this share of their width are outside. Closer points may be in a harbor. */
const MARGIN = 0.1;
/** A register with at least this many towns, none with half of the rows, seems to cover more than a city, whatever its name. */
export const TOWNS_OF_A_REGION = 5;
const TOWNS_SHOWN = 5;

/** Columns that show whether a row is outside the city. `findElsewhere` returns where it is, or `undefined`. */
type Witness = {
  columns: readonly string[];
  write?: Words | undefined;
  findElsewhere(cell: ReadText): string | undefined;
};

export function checkOutside(register: SampledRegister): ShownFinding | undefined {
  const { evidence, openings, total: of } = register;
  const { states, state, postalCode, inside } = evidence.roles;
  const readState = (text: string) => (isMissing(text) ? undefined : text.toUpperCase());
  const witnesses = [
    openTownWitness(register) ?? openHomeWitness(postalCode, (text) => readRegion(text, state !== undefined)),
    openHomeWitness(states, readState, (home) => ({ inside: { column: states!.name, values: [home, ''] } })),
    inside && openFlagWitness(inside),
    openPointWitness(register),
  ]
    .filter((one) => one !== undefined)
    .map((witness) => ({ ...witness, places: openings.map(({ cell }) => witness.findElsewhere(cell)) }))
    .filter(({ places }) => places.some((place) => place !== undefined));
  const outside = openings
    .map(({ name, weight }, i) => {
      const where = witnesses.map(({ places }) => places[i]).find((place) => place !== undefined);
      return { name, weight, where };
    })
    .filter(({ where }) => where !== undefined);
  const by = witnesses.map(({ columns, places }) => {
    const rows = sumWeights(openings.filter((_, i) => places[i] !== undefined));
    return `${listNames(columns)}: ${formatRows(rows)}`;
  });
  const writes = witnesses.flatMap(({ write }) => write ?? []);
  const towns = countTownsOfARegion(register);
  const covers = describeTowns(towns);
  const wholeState = () =>
    makeFinding('wholeState', {
      count: of,
      of,
      columns: [findTownColumn(evidence)!],
      examples: listCounts(towns),
      values: { towns: covers },
    });
  // without a city, points tell only what is far from the middle of all towns
  if (covers !== '' && evidence.roles.needsTown) return wholeState();
  const found = makeFinding('outsideCity', {
    count: sumWeights(outside),
    of,
    columns: witnesses.flatMap((one) => one.columns),
    examples: outside.map(({ name, where }) => `${name} (${where})`),
    values: {
      by: by.join(', '),
      state: covers && `; the register seems to cover several towns: ${covers}`,
    },
    tries: writes.length > 1 ? [...writes, Object.assign({}, ...writes)] : writes,
  });
  if (found !== undefined || covers === '' || isCountyName(register.city.name)) return found;
  return wholeState();
}

function findTownColumn({ roles }: Evidence): string | undefined {
  return (roles.town?.column ?? roles.counties)?.name;
}

/**
 * Counts the openings of each town, if the register seems to cover more than a city. Otherwise, or if the mapping says which towns
 * are the city, returns `[]`.
 */
function countTownsOfARegion(register: SampledRegister): [town: string, rows: number][] {
  const { evidence, source, openings, total } = register;
  const column = findTownColumn(evidence);
  if (column === undefined || source.mapping?.register.town !== undefined) return [];
  const all = countTexts(openings, ({ cell }) => foldTown(readTown(cell(column))));
  const towns = all.filter(([town]) => town !== '');
  const isRegion =
    evidence.roles.town?.keep.length === 0
      ? towns.length > 1
      : towns.length >= TOWNS_OF_A_REGION && towns[0]![1] <= total * 0.5;
  return isRegion ? towns : [];
}

function describeTowns(towns: readonly [string, number][]): string {
  const first = towns.slice(0, TOWNS_SHOWN).map(([, rows]) => formatRows(rows));
  return towns.length === 0 ? '' : `${towns.length} towns, the largest with ${first.join(', ')} rows`;
}

function openTownWitness({ evidence, city }: SampledRegister): Witness | undefined {
  const { town } = evidence.roles;
  if (town === undefined || town.keep.length === 0 || isCountyName(city.name)) return undefined;
  const { column, keep } = town;
  const home = foldTown(keep[0]!);
  const isHere = (text: string) =>
    isMissing(text) || isInTown(text, keep) || isMisspelled(foldTown(readTown(text)), home);
  const placeOf = rememberTexts((text) => (isHere(text) ? undefined : text));
  return openTextWitness(column, placeOf, { town: { column: column.name, keep } });
}

function openTextWitness(
  { name }: Column,
  placeOf: (text: string) => string | undefined,
  write?: Words,
): Witness {
  return { columns: [name], write, findElsewhere: (cell) => placeOf(cell(name)) };
}

/**
 * Returns the letter of a Canadian code, because Vancouver has V5 and V6, or the first two digits of a ZIP code. Codes of digits
 * are no ZIP codes unless the state is known: in other countries, they differ more within a city.
 */
function readRegion(text: string, isStateKnown: boolean): string | undefined {
  return (isStateKnown ? /^(?:ZIP \d\d|\p{L}(?=\d))/u : /^\p{L}(?=\d)/u).exec(zipArea(text) ?? '')?.[0];
}

/**
 * Opens a witness for a column by its most frequent value, as `read` returns it. Rows with other values are outside.
 */
function openHomeWitness(
  column: Column | undefined,
  read: (text: string) => string | undefined,
  writeFor?: (home: string) => Words,
): Witness | undefined {
  const values = column?.values.map(([text, weight]) => ({ value: read(text) ?? '', weight })) ?? [];
  const known = values.filter(({ value }) => value !== '');
  const [[home, rows] = ['', 0]] = countTexts(known, ({ value }) => value);
  if (column === undefined || rows === 0 || rows < sumWeights(known) * 0.3) return undefined;
  return openTextWitness(
    column,
    (text) => ((read(text) ?? home) === home ? undefined : text),
    writeFor?.(home),
  );
}

function openFlagWitness({ column, values }: { column: Column; values: string[] }): Witness {
  const placeOf = (text: string) =>
    isMissing(text) || values.includes(text) ? undefined : `${column.name} says so`;
  return openTextWitness(column, placeOf, { inside: { column: column.name, values } });
}

function openPointWitness({ evidence, map: { boundaries } }: SampledRegister): Witness | undefined {
  const { point } = evidence.roles;
  if (point === undefined) return undefined;
  const middle = findMiddle(point);
  if (middle === undefined) return undefined;
  const [longitude, latitude] = middle;
  const center = { west: longitude, east: longitude, south: latitude, north: latitude };
  const { west, east, south, north } = boundaries?.box ?? center;
  const [wide, high] = boundaries ? [(east - west) * MARGIN, (north - south) * MARGIN] : [FAR, FAR];
  return {
    columns: [...new Set([point.latitude.name, point.longitude.name])],
    findElsewhere(cell) {
      const found = readPoint(point, ({ name }) => cell(name));
      if (found === undefined) return undefined;
      const [x, y] = found;
      const isInside = y >= south - high && y <= north + high && x >= west - wide && x <= east + wide;
      return isInside ? undefined : `at ${y.toFixed(2)}, ${x.toFixed(2)}`;
    },
  };
}
