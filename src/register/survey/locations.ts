/** Finds the columns that place a business, from the address to the point. */

import { countEdits } from '../../shared/text/edits.ts';
import { foldWords } from '../../shared/words.ts';
import { isMissing } from '../profile/mapping/cells.ts';
import { hasCompanyForm } from '../profile/people/company-forms.ts';
import { DIRECTIONS, SUFFIXES } from '../profile/places/addresses/street-name.ts';
import {
  foldTown,
  isInTown,
  parsePoint,
  readTown,
  readTownAfterProvince,
  zipArea,
} from '../profile/places/place-text.ts';
import type { Point } from '../profile/places/points.ts';
import {
  type Column,
  countBy,
  countRows,
  FEW,
  HALF,
  isAddressText,
  isContactText,
  isPointText,
  isZipText,
  listColumns,
  MOST,
  NEARLY_ALL,
  type Ranked,
  rankColumns,
  SOME,
  sampleOf,
  shareOf,
  topShare,
} from './columns.ts';
import { type HeaderRole, weighHeader } from './header-words.ts';
import { contradictsPoints, findRegion, findTimeZone, isStateText, readPlaceWord } from './regions.ts';
import type { Choosing } from './role-choices.ts';
import { countWith, textAt } from './table.ts';

export type PointColumns = { longitude: Column; latitude: Column };

export type TownRole = {
  column: Column;
  /** The spellings of the city in the register, the usual one first. Empty if no town is the city. */
  keep: readonly string[];
  share: number;
  /** Towns with their rows, the largest first. */
  towns: readonly (readonly [town: string, rows: number])[];
};

export type LocationRoles = ReturnType<typeof findLocations>;

/** Returns whether a column is about another place, such as a mailing address or the owner's. */
function isElsewhere({ header }: Column): boolean {
  return weighHeader(header, 'elsewhere') > 0;
}

/** Rates a column of places. That of the shop is better than that of the business, which may be an office. */
function ratePlace({ header, filled }: Column, weight: number): number {
  return weight * filled * (weighHeader(header, 'premises') > 0 ? PREMISES : 1);
}

const PREMISES = 1.2;

export function findLocations(
  columns: readonly Column[],
  cityName: string | undefined,
  { choose, chooseAll }: Choosing,
) {
  const near = columns.filter((column) => !isElsewhere(column));
  const addresses = rankAddresses(near);
  const firstAddress = findAddress(near, addresses);
  const address = chooseAll('address', firstAddress, listColumns(addresses));
  const towns = listColumns(rankTowns(near, cityName));
  const firstTown = towns[0] ?? firstAddress.find(holdsTown) ?? findUnnamedTown(near);
  const townColumn = choose('town', firstTown, towns);
  const town = townColumn && readTownRole(townColumn, cityName, findWards(near));
  const point = findPoint(near);
  const middle = point && findMiddle(point);
  const postalCode = findPostalCode(near, [firstTown, ...firstAddress], middle);
  const stated = listColumns(rankColumns(near, 'state', ratePlace));
  const states = stated.find((one) => shareOf(one, isStateText) > NEARLY_ALL);
  const [countries] = listColumns(rankColumns(near, 'country'));
  const wholeAddress = address.length > 1 ? undefined : address[0];
  const placed = { states: states ?? stated[0], countries, zips: postalCode, address: wholeAddress };
  const state = findRegion(placed, middle);
  const areas = listColumns(rankAreas(near));
  const isOfManyTowns = town !== undefined && town.keep.length === 0 && town.towns.length > 1;
  const isCounty = cityName !== undefined && isCountyName(cityName);
  // people in a county search by town
  const isArea = isOfManyTowns && (cityName === undefined || isCounty) && !address.includes(town.column);
  const [counties] = listColumns(rankColumns(columns, 'county'));
  return {
    address,
    town,
    /** Whether a person must say which of several towns is the city. */
    needsTown: isOfManyTowns && !isCounty,
    inside: findInside(columns),
    states,
    state,
    counties,
    county: counties && topShare(counties) > NEARLY_ALL ? counties.values[0]![0] : undefined,
    neighborhood: choose('neighborhood', areas[0] ?? (isArea ? town.column : undefined), areas),
    postalCode: choose('postal-code', postalCode, []),
    point,
    timeZone: state?.timeZone ?? (middle && findTimeZone(middle)),
  };
}

export function isCountyName(name: string): boolean {
  return readPlaceWord(name) === 'county';
}

function rankAddresses(columns: readonly Column[]): Ranked {
  return rankColumns(columns, 'address', (column, weight) => {
    const { header, distinct, filled, total, rows } = column;
    if (distinct < Math.min(5, total * HALF)) return 0;
    if (shareOf(column, isPointText) > HALF || shareOf(column, isContactText) > HALF) return 0;
    const addresses = shareOf(column, isAddressText);
    if (weight > 0) return ratePlace(column, weight * (0.4 + addresses));
    const isUnnamed = weighHeader(header, 'name') === 0;
    return addresses > HALF && distinct > rows * SOME && isUnnamed ? 2 * addresses * filled : 0;
  });
}

function findAddress(columns: readonly Column[], [best]: Ranked): readonly Column[] {
  const whole = best?.column;
  const find = (role: HeaderRole) => listColumns(rankColumns(columns, role));
  const findMadeOf = (role: HeaderRole, words: ReadonlyMap<string, string>) => {
    const isOne = (text: string) => words.has(text.toUpperCase().replace('.', ''));
    return find(role).find((column) => shareOf(column, isOne) > MOST);
  };
  const [number] = find('house');
  const hasNumbers = whole !== undefined && shareOf(whole, (text) => /\d/.test(text)) > HALF;
  if (whole !== undefined && (hasNumbers || number === undefined)) return [whole];
  const [before, after] = [findMadeOf('before', DIRECTIONS), findMadeOf('after', DIRECTIONS)];
  const street = find('street')[0] ?? whole;
  const first = before === after ? undefined : before;
  const parts = [number, first, street, findMadeOf('suffix', SUFFIXES), after, find('unit')[0]];
  return [...new Set(parts.filter((column) => column !== undefined))];
}

/** Ranks columns of towns by header or, without one, by few distinct texts that include the city. */
function rankTowns(columns: readonly Column[], cityName: string | undefined): Ranked {
  const wanted = foldTown(cityName ?? '');
  const isCity = (text: string) => foldTown(readTown(text)) === wanted;
  return rankColumns(columns, 'town', (column, weight) => {
    const { filled, length, distinct } = column;
    const holdsCity = cityName !== undefined && shareOf(column, isCity) > FEW;
    if (weight > 0) return ratePlace(column, weight * (holdsCity ? 2 : 1));
    const isTown = distinct < 5_000 && length < 30 && shareOf(column, hasCompanyForm) < FEW;
    return holdsCity && isTown ? filled : 0;
  });
}

function holdsTown(column: Column): boolean {
  const isUs = (text: string) => /^\d[^,]*,.*[^,\d]+,?\s+[A-Z]{2}\b/.test(text);
  return shareOf(column, (text) => isUs(text) || readTownAfterProvince(text) !== undefined) > HALF;
}

/** A postal code of fewer rows shows nothing, and of those that do, a code tells the town at least four times as well as no code. */
const FEWEST_OF_ZIP = 5;
const TIMES_BETTER = 4;

/**
 * Finds the towns of a file without a header: texts of letters that the postal code tells. Of several such columns, as of counties and
 * states, that of towns has the most texts.
 */
function findUnnamedTown(columns: readonly Column[]): Column | undefined {
  const hasHeader = columns.some(({ name }) => !/^\d+$/.test(name));
  const zips = columns.find(isMadeOfZips);
  if (hasHeader || zips === undefined) return undefined;
  const byZip = Map.groupBy(Array(zips.rows).keys(), (row) => zipArea(textAt(zips, row)));
  const groups = [...byZip.values()].filter((rows) => rows.length >= FEWEST_OF_ZIP);
  const isToldByZip = (column: Column) => {
    const towns = column.texts.map(foldTown);
    const countOthers = (rows: readonly number[]) => {
      const [[, usual] = ['', 0]] = countBy(
        rows.map((row) => [row, 1] as const),
        (row) => towns[column.codes[row]!],
      );
      return rows.length - usual;
    };
    const others = groups.reduce((sum, rows) => sum + countOthers(rows), 0);
    return others * TIMES_BETTER < countOthers(groups.flat());
  };
  return columns
    .filter(
      (one) => one !== zips && one.distinct > 1 && one.distinct <= zips.distinct && one.letters > NEARLY_ALL,
    )
    .filter((one) => one.filled > HALF && one.length > 3 && isToldByZip(one))
    .sort((a, b) => b.distinct - a.distinct)[0];
}

/** Share that makes the largest town the city. It is 67% or more in city registers, 12 to 30% in state registers. */
const MAJORITY = 0.55;
/** A smaller share is enough if the next town is far behind: businesses of many towns sell in Boulder, whose share is 47 %. */
const PLURALITY = 0.35;
const TIMES_THE_NEXT = 5;
/** Minimum share of rows in the city. A town with fewer rows only has the same name. */
const LEAST_OF_CITY = 0.0005;

function readTownRole(column: Column, cityName: string | undefined, wards: Column | undefined): TownRole {
  const counts = countTowns(column);
  const all = Math.max(1, countRows(counts));
  const named = cityName && counts.find(([town]) => foldTown(town) === foldTown(cityName));
  const [top, next] = counts;
  const least = (top?.[1] ?? 0) >= (next?.[1] ?? 0) * TIMES_THE_NEXT ? PLURALITY : MAJORITY;
  const city =
    named && named[1] / all > LEAST_OF_CITY ? named : top && top[1] / all >= least ? top : undefined;
  if (city === undefined) return { column, keep: [], share: 0, towns: counts };
  const others = counts.filter(([other]) => other !== city[0]);
  const near = others.filter(([other, rows]) => isMisspelled(other, city[0]) && rows < city[1] / 50);
  const inWards = wards === undefined ? new Set<string>() : findTownsInWards(column, wards);
  const inside = inWards.has(foldTown(city[0]))
    ? others.filter(([other]) => inWards.has(foldTown(other)))
    : [];
  const keep = [...new Set([city, ...near.slice(0, 20), ...inside].map(([town]) => town))].slice(
    0,
    MOST_TOWNS,
  );
  return { column, keep, share: shareOf(column, (text) => isInTown(text, keep)), towns: counts };
}

const MOST_TOWNS = 200;
/** Share of a town's rows that have a ward if the town lies in the city. Some addresses are not found on the map. */
const IN_WARDS = 0.8;
/** A town of fewer rows is a mistake of one of them. */
const FEWEST_OF_TOWN = 3;

/** Finds the column of wards or council districts. A city has them, and its postal towns lie in them or do not. */
function findWards(columns: readonly Column[]): Column | undefined {
  const isNumbered = (text: string) => NUMBERED.test(text);
  return listColumns(rankColumns(columns, 'ward')).find(
    (one) => weighHeader(one.header, 'ward') > 5 || shareOf(one, isNumbered) > MOST,
  );
}

/** Lists postal towns, folded, whose rows nearly all have a ward. */
function findTownsInWards(column: Column, wards: Column): Set<string> {
  const towns = column.texts.map((text) => foldTown(readTown(text)));
  const isWard = wards.texts.map(
    (text) => !isMissing(text) && !/^0+(?:\.0+)?$/.test(text) && !isOutside(text),
  );
  const counts = countWith(
    column.rows,
    (row) => towns[column.codes[row]!]!,
    (row) => isWard[wards.codes[row]!]!,
  );
  const inside = [...counts].filter(
    ([town, { rows, found }]) => town !== '' && rows >= FEWEST_OF_TOWN && found >= rows * IN_WARDS,
  );
  return new Set(inside.map(([town]) => town));
}

const isOutside = (text: string) => /^(?:out(?:side)?\b|no\b|none\b|county\b)/i.test(text);

function countTowns(column: Column): [string, number][] {
  const spellings = new Map<string, string>();
  return countBy(column.values, (text) => {
    const town = readTown(text);
    return spellings.getOrInsert(foldTown(town), town);
  });
}

/** Returns whether a town misspells a long name by one or two edits. SeaTac and Seattle are three edits apart. */
export function isMisspelled(other: string, name: string): boolean {
  const [a, b] = [other.toLowerCase(), name.toLowerCase()];
  return b.length >= 6 && a[0] === b[0] && countEdits(a, b, 3) <= (b.length >= 9 ? 2 : 1);
}

/** Finds the column that says of each row whether it is in the city, and its texts that say so. */
function findInside(columns: readonly Column[]) {
  const isAnswer = (text: string) => ['yes', 'no'].includes(readPlaceWord(text) ?? '');
  return columns
    .filter(
      ({ values, filled }) => filled >= HALF && values.length < 5 && values.every(([text]) => isAnswer(text)),
    )
    .flatMap((column) => {
      const isIn = weighHeader(column.header, 'inside') > 0;
      const wanted = isIn ? 'yes' : weighHeader(column.header, 'outside') > 0 ? 'no' : undefined;
      const values = column.values.map(([text]) => text).filter((text) => readPlaceWord(text) === wanted);
      return shareOf(column, (text) => values.includes(text)) > SOME ? [{ column, values }] : [];
    })[0];
}

/** Matches numbers and numbered areas such as `Ward 3` or `District 5`, which are not names. */
const NUMBERED = /^(?:\D{0,12}\s)?\d+\D?$|^\d+(?:st|nd|rd|th)\b/i;

/** Matches the number of a district after {@link foldWords}, also a Roman one: `district iv`, `council 3`. */
const DISTRICT =
  /^(?:(?:council|supervisor\w*|commission\w*|police|fire|city|community|district|ward|precinct|area|zone|no|number)\s*)*[ivx\d]{1,4}$/;

export function isDistrict(text: string): boolean {
  return DISTRICT.test(foldWords(text));
}

/** If most rows have the same area, it divides no city. */
export const MOST_IN_AREA = 0.6;

function rankAreas(columns: readonly Column[]): Ranked {
  return rankColumns(columns, 'area', (one, weight) => {
    if (
      weight === 0 ||
      topShare(one) >= MOST_IN_AREA ||
      shareOf(one, (text) => NUMBERED.test(text) || isDistrict(text)) >= HALF
    )
      return 0;
    return weight * (one.letters > HALF ? 1 : 0.5);
  });
}

/** Matches degrees as exact as a house: of two such columns, the one beyond 90 degrees is the longitude, whatever its header. */
const isExact = (text: string) => /^-?\d{1,3}\.\d{4,}$/.test(text) && Math.abs(Number(text)) <= 180;
const isBeyondPoles = (text: string) => Math.abs(Number(text)) > 90;

function findPoint(columns: readonly Column[]): PointColumns | undefined {
  const isDegrees = (text: string, most: number) =>
    /^-?\d{1,3}\.\d+$/.test(text) && Math.abs(Number(text)) <= most;
  const find = (role: 'latitude' | 'longitude', most: number) =>
    listColumns(rankColumns(columns, role)).find(
      (column) => shareOf(column, (text) => isDegrees(text, most)) > MOST,
    );
  const [latitude, longitude] = [find('latitude', 90), find('longitude', 180)];
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
  const exact = columns.filter((column) => shareOf(column, isExact) > MOST);
  const [wide, narrow] = [true, false].map((isWide) =>
    exact.filter((column) => shareOf(column, isBeyondPoles) > MOST === isWide),
  );
  if (wide!.length === 1 && narrow!.length === 1) return { longitude: wide![0]!, latitude: narrow![0]! };
  const both = columns.find(
    (column) => column.filled > SOME && column.length > 8 && shareOf(column, isPointText) > MOST,
  );
  return both && { latitude: both, longitude: both };
}

export function findMiddle(point: PointColumns): Point | undefined {
  const { rows } = point.longitude;
  const [xs, ys] = [new Float64Array(rows), new Float64Array(rows)];
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const found = readPoint(point, (column) => textAt(column, row));
    if (found === undefined) continue;
    xs[count] = found[0];
    ys[count++] = found[1];
  }
  const middleOf = (axis: Float64Array) => axis.subarray(0, count).sort()[count >> 1]!;
  return count === 0 ? undefined : [middleOf(xs), middleOf(ys)];
}

/** Reads the point of a row from one or two columns. A coordinate of 0 means that there is no point. */
export function readPoint(
  { longitude, latitude }: PointColumns,
  cell: (column: Column) => string,
): Point | undefined {
  const both = longitude === latitude ? parsePoint(cell(longitude)) : undefined;
  const text = longitude === latitude ? both : { longitude: cell(longitude), latitude: cell(latitude) };
  const [x, y] = [Number(text?.longitude), Number(text?.latitude)];
  return x && y ? [x, y] : undefined;
}

/** Finds the postal codes. Codes of a portal's own regions are none: they differ in length, or lie far from the points. */
function findPostalCode(
  near: readonly Column[],
  others: readonly (Column | undefined)[],
  middle: Point | undefined,
) {
  const isZip = (column: Column) => shareOf(column, (text) => zipArea(text) !== undefined) > MOST;
  const isPossible = (column: Column) => haveOneLength(column) && !contradictsPoints(column, middle);
  const named = listColumns(rankColumns(near, 'zip', ratePlace)).filter(isPossible);
  return (
    named.find(isZip) ??
    named.find(({ length }) => length > 3 && length < 11) ??
    near.find((one) => isMadeOfZips(one) && isPossible(one)) ??
    others.find((one) => one !== undefined && isZip(one))
  );
}

/** Returns whether a column has postal codes, whatever its header: a few codes that repeat. */
function isMadeOfZips(column: Column): boolean {
  const { filled, length, distinct, total } = column;
  const isRepeated = distinct > 1 && distinct < total * SOME;
  return filled > SOME && length > 4 && isRepeated && shareOf(column, isZipText) > NEARLY_ALL;
}

/** Returns whether most codes have as many digits as the others, without an extension of four digits. */
function haveOneLength({ values }: Column): boolean {
  const codes = sampleOf(values).filter(([text]) => /^\d+(?:-\d+)?(?:\.0+)?$/.test(text));
  const lengthOf = (text: string) =>
    text.replace(/\.0+$|-\d{1,4}$/, '').replace(/^(\d{5})\d{4}$/, '$1').length;
  const [[, usual] = [0, 0]] = countBy(codes, lengthOf);
  return usual >= countRows(codes) * MOST;
}
