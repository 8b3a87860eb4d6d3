/**
 * Finds the columns that place a business, from the address to the point. Unless a comment says otherwise, the
 * thresholds need not be exact: if one is halved or doubled, 16 real registers still get the same columns.
 */

import { hasCompanyForm } from '../city/people/persons.ts';
import { DIRECTIONS, SUFFIXES } from '../city/places/addresses/street-name.ts';
import { foldTown, isInTown, parsePoint, readTown, zipArea } from '../city/places/place-text.ts';
import { readDataLines } from '../data/word-table.ts';
import { countEdits } from '../listings/edits.ts';
import { forbidsRole, weighHeader } from './header-words.ts';
import {
  type Column,
  countRows,
  isAddressText,
  isContactText,
  isPointText,
  isZipText,
  type Ranked,
  rankColumns,
  shareOf,
  topShare,
} from './survey.ts';
import { textAt } from './table.ts';

export type PointColumns = { longitude: Column; latitude: Column };

export type TownRole = {
  column: Column;
  /** The spellings of the city in the register, the usual one first. Empty if no town is the city. */
  keep: readonly string[];
  share: number;
};

export type LocationRoles = ReturnType<typeof findLocations>;

/** Returns whether a column is about another place, such as a mailing address or the owner's. */
export function isElsewhere({ header }: Column): boolean {
  return weighHeader(header, 'elsewhere') > 0;
}

export function findLocations(columns: readonly Column[], cityName: string | undefined) {
  const near = columns.filter((column) => !isElsewhere(column));
  const addresses = rankAddresses(near);
  const address = findAddress(near, addresses);
  const towns = rankTowns(near, cityName);
  const townColumn = towns[0]?.column ?? address.find(holdsTown);
  const postalCode = findPostalCode(near, [townColumn, ...address]);
  const state = findStateIn(near, townColumn) ?? stateOfZips(postalCode);
  return {
    address,
    addresses,
    towns,
    town: townColumn && readTownRole(townColumn, cityName),
    inside: findInside(columns),
    state,
    ...findCounty(columns),
    /** Columns that may name neighborhoods. */
    areas: rankAreas(columns),
    postalCode,
    point: findPoint(columns),
  };
}

function rankAddresses(columns: readonly Column[]): Ranked {
  return rankColumns(columns, (column) => {
    const { header, length, distinct, filled, total } = column;
    if (
      filled < 0.3 ||
      length < 5 ||
      distinct < Math.min(5, total * 0.5) ||
      column.letters < 0.3 ||
      forbidsRole(header, 'address') ||
      shareOf(column, isPointText) > 0.5 ||
      shareOf(column, isContactText) > 0.5
    )
      return 0;
    const addresses = shareOf(column, isAddressText);
    const weight = weighHeader(header, 'address');
    return (
      (weight > 0
        ? weight * (0.4 + addresses)
        : addresses > 0.6 && distinct > column.rows * 0.3 && weighHeader(header, 'name') === 0
          ? 2 * addresses
          : 0) * filled
    );
  });
}

function findAddress(columns: readonly Column[], ranked: Ranked): readonly Column[] {
  const [best] = ranked;
  const whole = best?.column;
  const named = (role: 'house' | 'street' | 'unit', least: number) =>
    columns.find(({ header, filled }) => filled >= least && weighHeader(header, role) > 0);
  const number = named('house', 0.5);
  const street = named('street', 0.5);
  const hasNumbers = whole !== undefined && shareOf(whole, (text) => /\d/.test(text)) > 0.5;
  if (whole !== undefined && (hasNumbers || number === undefined)) return [whole];
  const made = (role: 'before' | 'after' | 'suffix', words: ReadonlyMap<string, string>) =>
    columns.find((column) => weighHeader(column.header, role) > 0 && isMadeOf(column, words));
  const [before, after, suffix] = [
    made('before', DIRECTIONS),
    made('after', DIRECTIONS),
    made('suffix', SUFFIXES),
  ];
  const parts = [
    number,
    before === after ? undefined : before,
    street ?? whole,
    suffix,
    after,
    named('unit', 0),
  ];
  return [...new Set(parts.filter((column) => column !== undefined))];
}

function isMadeOf(column: Column, words: ReadonlyMap<string, string>): boolean {
  return (
    column.distinct > 0 && shareOf(column, (text) => words.has(text.toUpperCase().replace('.', ''))) > 0.8
  );
}

/** Ranks columns of towns by header or, without one, by few distinct texts that include the city. */
function rankTowns(columns: readonly Column[], cityName: string | undefined): Ranked {
  return rankColumns(columns, (column) => {
    const { header, filled, letters, length, distinct } = column;
    if (filled < 0.3 || letters < 0.85 || length > 60 || forbidsRole(header, 'town')) return 0;
    const weight = weighHeader(header, 'town');
    const holdsCity = cityName !== undefined && shareOfTown(column, cityName) > 0.05;
    if (weight > 0) return weight * filled * (holdsCity ? 2 : 1);
    return holdsCity && distinct < 5_000 && length < 30 && shareOf(column, hasCompanyForm) < 0.05
      ? filled
      : 0;
  });
}

function shareOfTown(column: Column, town: string): number {
  const wanted = foldTown(town);
  return shareOf(column, (text) => foldTown(readTown(text)) === wanted);
}

function holdsTown(column: Column): boolean {
  return shareOf(column, (text) => /^\d[^,]*,.*[^,\d]+,?\s+[A-Z]{2}\b/.test(text)) > 0.6;
}

/** Share that makes the largest town the city. It is 67% or more in city registers, 12 to 30% in state registers. */
const MAJORITY = 0.55;
/** Minimum share of rows in the city. A town with fewer rows only has the same name. */
const LEAST_OF_CITY = 0.0005;

export function readTownRole(column: Column, cityName: string | undefined): TownRole {
  const counts = countTowns(column);
  const all = Math.max(1, countRows(counts));
  const named = cityName && counts.find(([town]) => foldTown(town) === foldTown(cityName));
  const [top] = counts;
  const city =
    named && named[1] / all > LEAST_OF_CITY ? named : top && top[1] / all >= MAJORITY ? top : undefined;
  if (city === undefined) return { column, keep: [], share: 0 };
  const near = counts.filter(
    ([other, rows]) => other !== city[0] && isMisspelled(other, city[0]) && rows < city[1] / 50,
  );
  const keep = [city[0], ...near.slice(0, 20).map(([other]) => other)];
  return { column, keep, share: shareOf(column, (text) => isInTown(text, keep)) };
}

export function countTowns(column: Column): [string, number][] {
  const counts = new Map<string, [string, number]>();
  for (const [text, rows] of column.values) {
    const town = readTown(text);
    const found = counts.get(foldTown(town)) ?? [town, 0];
    counts.set(foldTown(town), [found[0], found[1] + rows]);
  }
  return [...counts.values()].sort((a, b) => b[1] - a[1]);
}

/** Returns whether a town misspells a long name by one or two edits. SeaTac and Seattle are three edits apart. */
function isMisspelled(other: string, name: string): boolean {
  const [a, b] = [other.toLowerCase(), name.toLowerCase()];
  return b.length >= 6 && a[0] === b[0] && countEdits(a, b, 3) <= (b.length >= 9 ? 2 : 1);
}

const YES = /^(?:1|y|yes|true|t|in|inside|s[ií]|oui|sim|ja)$/i;
const NO = /^(?:0|n|no|false|f|out|outside|non|n[aã]o|nein)$/i;

function findInside(columns: readonly Column[]) {
  for (const column of columns) {
    const { header, values, filled } = column;
    const isIn = weighHeader(header, 'inside') > 0;
    const isOutside = !isIn && weighHeader(header, 'outside') > 0;
    if (filled < 0.5 || !(isOutside || isIn)) continue;
    if (values.length > 4 || !values.every(([text]) => YES.test(text) || NO.test(text))) continue;
    const inside = values.map(([text]) => text).filter((text) => (isOutside ? NO : YES).test(text));
    const share = shareOf(column, (text) => inside.includes(text));
    if (inside.length > 0 && share > 0.2) return { column, values: inside, share };
  }
  return undefined;
}

function findStateIn(columns: readonly Column[], towns: Column | undefined): State | undefined {
  const own = columns.find(({ header, filled }) => weighHeader(header, 'state') > 0 && filled > 0.3);
  if (own !== undefined && topShare(own) > 0.5) return findState(own.values[0]![0]);
  const behind = new Map<string, number>();
  for (const [text, rows] of towns?.values ?? []) {
    const state = /[,\s]([A-Z]{2})\b\.?[\s,]*(?:[\dA-Z][\d A-Z-]*)?$/.exec(text)?.[1];
    if (state !== undefined) behind.set(state, (behind.get(state) ?? 0) + rows);
  }
  const [top] = [...behind].sort((a, b) => b[1] - a[1]);
  return top === undefined || top[1] < (towns?.rows ?? 0) / 3 ? undefined : findState(top[0]);
}

function stateOfZips(zips: Column | undefined): State | undefined {
  if (zips === undefined || (zips.letters < 0.1 && !/\bzip\b/.test(zips.header))) return undefined;
  const area = zips?.values.map(([text]) => zipArea(text)).find((one) => one !== undefined);
  return area === undefined ? undefined : findStateOfZip(area.replace('ZIP ', ''));
}

function findCounty(columns: readonly Column[]) {
  const column = columns.find((one) => weighHeader(one.header, 'county') > 0 && one.letters > 0.9);
  const counties = column !== undefined && column.filled > 0.9 ? column : undefined;
  return { counties, county: counties && topShare(counties) > 0.9 ? counties.values[0]![0] : undefined };
}

/** Matches numbers and numbered areas such as `Ward 3` or `District 5`, which are not names. */
const NUMBERED = /^(?:\D{0,12}\s)?\d+\D?$|^\d+(?:st|nd|rd|th)\b/i;

function rankAreas(columns: readonly Column[]): Ranked {
  return rankColumns(
    columns.filter(
      (one) =>
        one.distinct > 1 &&
        one.distinct < 1_000 &&
        one.filled > 0.4 &&
        !isElsewhere(one) &&
        one.length <= 45 &&
        topShare(one) < 0.6 &&
        shareOf(one, (text) => NUMBERED.test(text)) < 0.5,
    ),
    (one) => weighHeader(one.header, 'area') * (one.letters > 0.5 ? 1 : 0.5),
  );
}

function findPoint(columns: readonly Column[]): PointColumns | undefined {
  const isDegrees = (column: Column, most: number) =>
    column.filled > 0.2 &&
    shareOf(column, (text) => /^-?\d{1,3}\.\d+$/.test(text) && Math.abs(Number(text)) <= most) > 0.8;
  const find = (role: 'latitude' | 'longitude', most: number) =>
    columns.find(
      (column) => weighHeader(column.header, role) > 0 && !isElsewhere(column) && isDegrees(column, most),
    );
  const latitude = find('latitude', 90);
  const longitude = find('longitude', 180);
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
  const both = columns.find(
    (column) =>
      column.filled > 0.2 &&
      column.length > 8 &&
      shareOf(column, (text) => parsePoint(text) !== undefined) > 0.8,
  );
  return both && { latitude: both, longitude: both };
}

export type Point = { longitude: number; latitude: number };

export function findMiddle(point: PointColumns): Point | undefined {
  const rows = Array.from({ length: point.longitude.rows }, (_, row) =>
    readPoint(point, (column) => textAt(column, row)),
  );
  const points = rows.filter((one) => one !== undefined);
  const middleOf = (axis: keyof Point) =>
    points.map((one) => one[axis]).sort((a, b) => a - b)[points.length >> 1]!;
  return points.length === 0
    ? undefined
    : { longitude: middleOf('longitude'), latitude: middleOf('latitude') };
}

/** Reads the point of a row from one or two columns. A coordinate of 0 means that there is no point. */
export function readPoint(
  { longitude, latitude }: PointColumns,
  cell: (column: Column) => string,
): Point | undefined {
  const text =
    longitude === latitude
      ? parsePoint(cell(longitude))
      : { longitude: cell(longitude), latitude: cell(latitude) };
  const point = text && { longitude: Number(text.longitude), latitude: Number(text.latitude) };
  return point === undefined || !point.longitude || !point.latitude ? undefined : point;
}

function findPostalCode(
  near: readonly Column[],
  others: readonly (Column | undefined)[],
): Column | undefined {
  const isZip = (column: Column) => shareOf(column, (text) => zipArea(text) !== undefined) > 0.7;
  const filled = near.filter((one) => one.filled > 0.3);
  const named = filled.filter(({ header }) => weighHeader(header, 'zip') > 0);
  return (
    named.find(isZip) ??
    named.find(({ length }) => length > 3 && length < 11) ??
    filled.find(
      (one) =>
        shareOf(one, isZipText) > 0.95 &&
        one.distinct > 1 &&
        one.distinct < one.total * 0.2 &&
        one.length > 4,
    ) ??
    others.find((one) => one !== undefined && isZip(one))
  );
}

type State = { name: string; timeZone: string; latitude: number; longitude: number };

const STATES = readDataLines('states.csv').map(
  ([short = '', name = '', timeZone = '', latitude, longitude, codes = '']) => ({
    state: { name, timeZone, latitude: Number(latitude), longitude: Number(longitude) } satisfies State,
    texts: [short.toLowerCase(), name.toLowerCase()],
    codes: codes.split('|').map((range) => range.split('-')),
  }),
);

function findState(text: string): State | undefined {
  const wanted = text.trim().replace(/\.$/, '').toLowerCase();
  return STATES.find(({ texts }) => texts.includes(wanted))?.state;
}

function findStateOfZip(code: string): State | undefined {
  const area = code.slice(0, 3).toUpperCase();
  return STATES.find(({ codes }) => codes.some(([from = '', to = '']) => area >= from && area <= to))?.state;
}

const FARTHEST_DEGREES = 9;

/** Returns the state whose center is nearest, or `undefined` if none is close. May be wrong near a border. */
export function findNearestState(point: { longitude: number; latitude: number }): State | undefined {
  const far = (state: State) =>
    Math.hypot(
      state.latitude - point.latitude,
      (state.longitude - point.longitude) * Math.cos((point.latitude * Math.PI) / 180),
    );
  const nearest = STATES.map(({ state }) => state).reduce((a, b) => (far(b) < far(a) ? b : a));
  return far(nearest) > FARTHEST_DEGREES ? undefined : nearest;
}
