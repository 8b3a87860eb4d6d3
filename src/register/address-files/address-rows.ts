/**
 * Reads the rows of an address file as points, or those of a street file as ranges of house numbers: the Census Bureau's (TIGER/Line
 * ADDRFEAT) or a county's. Finds columns by the profile's names, or by common names.
 */

import { type ShingleError, sourceError } from '../../shared/errors.ts';
import { rememberTexts } from '../../shared/remember.ts';
import { openWordLists } from '../../shared/text/word-table.ts';
import { LINE } from '../formats/geojson.ts';
import type { AddressFileColumns } from '../profile/define.ts';
import type { AddressIndexBuilder, StreetRanges } from '../profile/places/addresses/address-index.ts';
import { readAddress, readHouseNumber, readStreet } from '../profile/places/addresses/read-address.ts';
import { foldTown, parsePoint } from '../profile/places/place-text.ts';
import type { Point } from '../profile/places/points.ts';
import { formatFoundName } from '../readers/row.ts';

export type AddressRow = {
  read(column: string): string;
  /** The position of the row, for errors: `line 12`. */
  where: string;
};

type AddressHeader = {
  headers: readonly string[];
  columns: AddressFileColumns;
};

type AddressColumns = ReturnType<typeof findColumns>;

/** Opens a reader of rows. Throws `source` for a missing column, or coordinates that are not in degrees. */
export function openAddressRows(builder: AddressIndexBuilder, header: AddressHeader) {
  const columns = findColumns(header);
  const readHouse = openHouseReader(columns);
  const add = (row: AddressRow): void => {
    const house = readHouse(row);
    const spot = house && readPoint(row, columns);
    if (house === undefined || spot === undefined) return;
    const zip = columns.zip === undefined ? '' : (/^\d{5}/.exec(row.read(columns.zip))?.[0] ?? '');
    const town = columns.town === undefined ? '' : foldTown(row.read(columns.town));
    builder.addPoint({ ...house, ...spot, zip, town });
  };
  const used: ReadonlySet<string> = new Set(
    Object.values(columns)
      .flat()
      .filter((one) => one !== undefined),
  );
  return Object.assign(add, { used });
}

const listUsualNames = openWordLists('address-columns.csv');

/** Returns a function that finds a column by the names that publishers commonly give it, whatever their case. */
function openUsualNames(headers: readonly string[]) {
  const folded = new Map(headers.map((header) => [header.toLowerCase().replace(/[^a-z0-9]/g, ''), header]));
  return (what: string): string | undefined =>
    listUsualNames(what)
      .keys()
      .map((name) => folded.get(name))
      .find((header) => header !== undefined);
}

function findColumns({ headers, columns: named }: AddressHeader) {
  const missing = Object.values(named)
    .flat()
    .find((column) => !headers.includes(column));
  if (missing !== undefined) throw missingColumn(`column "${missing}"`, headers);
  const findUsual = openUsualNames(headers);
  const columns = {
    longitude: named.longitude ?? findUsual('longitude'),
    latitude: named.latitude ?? findUsual('latitude'),
    point: named.longitude === undefined ? findUsual('point') : undefined,
    number: named.number ?? findUsual('number'),
    street: named.street === undefined ? findStreet(findUsual) : [named.street].flat(),
    address: named.address ?? findUsual('address'),
    zip: named.zip ?? findUsual('zip'),
    town: named.town ?? findUsual('town'),
  };
  const hasCoordinates = columns.longitude !== undefined && columns.latitude !== undefined;
  if (!hasCoordinates && columns.point === undefined)
    throw missingColumn('column of longitudes and one of latitudes', headers);
  if ((columns.number === undefined || columns.street.length === 0) && columns.address === undefined)
    throw missingColumn('column of house numbers and one of streets', headers);
  return columns;
}

/** Finds the column of complete street names, or the columns of their parts, in the order in which they are spoken. */
function findStreet(findUsual: ReturnType<typeof openUsualNames>): string[] {
  const whole = findUsual('whole');
  if (whole !== undefined) return [whole];
  if (findUsual('name') === undefined) return [];
  return ['before', 'name', 'suffix', 'after'].map(findUsual).filter((column) => column !== undefined);
}

function missingColumn(what: string, headers: readonly string[]): ShingleError {
  const found = headers.slice(0, 20).map((header) => `"${formatFoundName(header)}"`);
  return sourceError(
    `there is no ${what}. The columns are ${found.join(', ') || 'none'}. Name them with columns: { ... }`,
  );
}

const MOST_STREETS = 100_000;

function openHouseReader({ number, street: parts, address }: AddressColumns) {
  if (number === undefined || parts.length === 0)
    return (row: AddressRow) => {
      const read = readAddress(row.read(address!));
      if (typeof read === 'string') return undefined;
      return { number: read.number, detail: read.detail, street: read.streets[0]! };
    };
  const streetOf = rememberTexts(readStreet, MOST_STREETS);
  return (row: AddressRow) => {
    const house = readHouseNumber(row.read(number));
    const street = streetOf(joinStreet(row, parts));
    return house && street && { ...house, street };
  };
}

function joinStreet(row: AddressRow, columns: readonly string[]): string {
  if (columns.length === 1) return row.read(columns[0]!);
  const parts = columns.map((column) => row.read(column)).filter((text) => text !== '');
  return parts.filter((part, i) => part !== parts[i - 1]).join(' ');
}

function readPoint(row: AddressRow, columns: AddressColumns) {
  const { longitude: across, latitude: up, point } = columns;
  const both = point === undefined ? undefined : parsePoint(row.read(point));
  const [x, y] =
    across === undefined || up === undefined
      ? [both?.longitude ?? '', both?.latitude ?? '']
      : [row.read(across), row.read(up)];
  if (x === '' || y === '') return undefined;
  const [longitude, latitude] = [Number(x), Number(y)];
  if (longitude === 0 && latitude === 0) return undefined;
  if (Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90) return { longitude, latitude };
  throw notInDegrees(row.where, [longitude, latitude]);
}

function notInDegrees(where: string, point: readonly number[]): ShingleError {
  return sourceError(
    `${where} is not in degrees (${point.join(', ')}). The file seems to be projected; export it as WGS 84`,
  );
}

const PARITIES = { E: 'even', O: 'odd', B: 'both' } as const;

/** Opens a reader of rows with a line. Returns `undefined` if the columns have no ranges. */
export function openRangeRows(builder: AddressIndexBuilder, { headers, columns }: AddressHeader) {
  const findUsual = openUsualNames(headers);
  const street = columns.street === undefined ? findStreet(findUsual) : [columns.street].flat();
  const sides = (['left', 'right'] as const).flatMap((side) => findSide(findUsual, side) ?? []);
  if (street.length === 0 || sides.length === 0) return undefined;
  const add = (row: AddressRow): void => {
    const name = readStreet(joinStreet(row, street));
    if (name === undefined || row.read(LINE) === '') return;
    const ranges = sides.map((side) => readSide(row, side)).filter((one) => one !== undefined);
    builder.addRanges({ street: name, line: readLine(row), ranges });
  };
  const used = sides.flatMap(({ side: _, ...names }) => Object.values(names));
  return Object.assign(add, { used: new Set([LINE, ...street, ...used]) });
}

function findSide(findUsual: ReturnType<typeof openUsualNames>, side: 'left' | 'right') {
  const [from, to] = [findUsual(`${side} from`), findUsual(`${side} to`)];
  if (from === undefined || to === undefined) return undefined;
  return { side, from, to, parity: findUsual(`${side} parity`) ?? '', zip: findUsual(`${side} zip`) ?? '' };
}

function readSide(
  { read }: AddressRow,
  { side, ...columns }: NonNullable<ReturnType<typeof findSide>>,
): StreetRanges['ranges'][number] | undefined {
  const from = readHouseNumber(read(columns.from))?.number;
  const to = readHouseNumber(read(columns.to))?.number;
  if (!from || !to) return undefined; // some counties write 0 where there is no house
  const stated = read(columns.parity).charAt(0).toUpperCase() as keyof typeof PARITIES;
  const parity = PARITIES[stated] ?? (from % 2 !== to % 2 ? 'both' : from % 2 === 0 ? 'even' : 'odd');
  return { from, to, parity, side, zip: read(columns.zip).slice(0, 5) };
}

function readLine({ read, where }: AddressRow): Point[] {
  const line: unknown = JSON.parse(read(LINE));
  if (!Array.isArray(line)) return [];
  return line.map((corner: unknown): Point => {
    const [longitude = Number.NaN, latitude = Number.NaN] = Array.isArray(corner) ? corner.map(Number) : [];
    if (Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90) return [longitude, latitude];
    throw notInDegrees(where, [longitude, latitude]);
  });
}
