/** What places a business in a neighborhood: a column that names it, a point, a ZIP area, and else nothing. */

import { parsePoint, zipArea } from '../city/place-text.ts';
import { textAt } from '../registers/table.ts';
import {
  type Column,
  describeFill,
  rankColumns,
  scoreColumn,
  shareOf,
  topShare,
  type Weighted,
} from './columns.ts';
import { ELSEWHERE, type PlaceGuesses } from './places.ts';

export type PointGuess = {
  /** Two columns of degrees, or one that holds both. */
  longitude: Column;
  latitude: Column;
  evidence: string;
};

export type NeighborhoodGuess = { column: Column; isTown: boolean; evidence: string };

export type AreaGuesses = {
  neighborhood: NeighborhoodGuess | undefined;
  point: PointGuess | undefined;
  zip: { column: Column; evidence: string } | undefined;
};

export function guessAreas(columns: readonly Column[], places: PlaceGuesses): AreaGuesses {
  return {
    neighborhood: neighborhoodColumn(columns) ?? townsOfACounty(places),
    point: pointColumns(columns),
    zip: zipColumn(columns, places),
  };
}

const AREAS: Weighted = [
  [/\bneighborhoods?\b/, 12],
  [/\b(community|local|planning|statistical) (area|name|area name)\b|\bquarter\b|\bsuburb\b/, 9],
  [/\b(borough|barrio|village)\b/, 8],
  [/^area( name)?$|^district name$|\bsubdivision\b/, 5],
];
const NOT_AREA =
  /\b(police|fire|phone|code|council|school|voting|precinct|ward|number|id|tax|sq|square|improvement|bid)\b/;

/** Values that are names: not numbers, and not `Ward 3` or `District 5`. */
const NUMBERED = /^(?:\D{0,12}\s)?\d+\D?$|^\d+(?:st|nd|rd|th)\b/i;

function neighborhoodColumn(columns: readonly Column[]): NeighborhoodGuess | undefined {
  const [column] = rankColumns(
    columns.filter(
      (one) =>
        one.distinct > 1 &&
        one.distinct < 1_000 &&
        one.filled > 0.4 &&
        !ELSEWHERE.test(one.header) &&
        !NOT_AREA.test(one.header) &&
        one.length <= 45 &&
        topShare(one) < 0.6 &&
        shareOf(one, (text) => NUMBERED.test(text)) < 0.5,
    ),
    (one) => scoreColumn(one, AREAS) * (one.letters > 0.5 ? 1 : 0.5),
  );
  return column && { column, isTown: false, evidence: describeFill(column) };
}

/** Where no town has a majority the register is a county's, and its towns are what people look for. */
function townsOfACounty({ towns }: PlaceGuesses): NeighborhoodGuess | undefined {
  if (towns === undefined || topShare(towns) > 0.55 || towns.distinct < 2) return undefined;
  return {
    column: towns,
    isTown: true,
    evidence: `no town has most of the rows, so the towns stand for neighborhoods; ${describeFill(towns)}`,
  };
}

const LATITUDE = /\b(lat|latitude|y|y coord\w*|gpsy|point y)$/;
const LONGITUDE = /\b(longitude|x|x coord\w*|gpsx|point x)$/;

function pointColumns(columns: readonly Column[]): PointGuess | undefined {
  const isDegrees = (column: Column, most: number) =>
    column.filled > 0.2 &&
    shareOf(column, (text) => /^-?\d{1,3}\.\d+$/.test(text) && Math.abs(Number(text)) <= most) > 0.8;
  const find = (header: RegExp, most: number) =>
    columns.find(
      (column) => header.test(column.header) && !ELSEWHERE.test(column.header) && isDegrees(column, most),
    );
  const latitude = find(LATITUDE, 90);
  const longitude = find(LONGITUDE, 180);
  if (latitude !== undefined && longitude !== undefined)
    return { latitude, longitude, evidence: `degrees; ${describeFill(latitude)}` };
  const both = columns.find(
    (column) =>
      column.filled > 0.2 &&
      column.length > 8 &&
      shareOf(column, (text) => parsePoint(text) !== undefined) > 0.8,
  );
  return both && { latitude: both, longitude: both, evidence: `points; ${describeFill(both)}` };
}

/** The middle one of the points, which no stray point moves. */
export function middlePoint({
  longitude,
  latitude,
}: PointGuess): { longitude: number; latitude: number } | undefined {
  const points: { longitude: number; latitude: number }[] = [];
  for (let row = 0; row < longitude.rows; row++) {
    const point = readPointAt({ longitude, latitude }, row);
    if (point !== undefined) points.push(point);
  }
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  if (points.length === 0) return undefined;
  return {
    longitude: middle(points.map((one) => one.longitude)),
    latitude: middle(points.map((one) => one.latitude)),
  };
}

export function readPointAt(
  { longitude, latitude }: Pick<PointGuess, 'longitude' | 'latitude'>,
  row: number,
): { longitude: number; latitude: number } | undefined {
  const text =
    longitude === latitude
      ? parsePoint(textAt(longitude, row))
      : { longitude: textAt(longitude, row), latitude: textAt(latitude, row) };
  const point = text && { longitude: Number(text.longitude), latitude: Number(text.latitude) };
  return point === undefined || !point.longitude || !point.latitude ? undefined : point;
}

function zipColumn(columns: readonly Column[], { town, towns, address }: PlaceGuesses): AreaGuesses['zip'] {
  const near = columns.filter(({ header, filled }) => !ELSEWHERE.test(header) && filled > 0.3);
  const isZip = (column: Column) => shareOf(column, (text) => zipArea(text) !== undefined) > 0.7;
  const column =
    near.find((one) => /\b(zip|zipcode|postal|postcode)\b/.test(one.header) && isZip(one)) ??
    [town?.column, towns, ...address].find((one) => one !== undefined && isZip(one));
  return column && { column, evidence: describeFill(column) };
}
