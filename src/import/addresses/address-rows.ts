/** Reads rows of an address file as points: number, street and coordinates. Skips rows without one of them. */

import type { AddressIndexBuilder } from '../../city/places/addresses/address-index.ts';
import { readAddress, readHouseNumber, readStreet } from '../../city/places/addresses/read-address.ts';
import type { StreetName } from '../../city/places/addresses/street-name.ts';
import { foldTown, parsePoint } from '../../city/places/place-text.ts';
import { ShingleError } from '../../errors.ts';
import type { AddressColumns } from './address-columns.ts';

/** A row by its columns, and its geometry if the file has geometries. */
export type AddressRow = {
  read(column: string): string;
  /** Degrees, as numbers. */
  geometry?: readonly unknown[] | undefined;
  /** The position for errors: `line 12`. */
  where: string;
};

export type AddressRowReader = (row: AddressRow) => void;

/** Adds rows to the builder. Throws `source` for coordinates not in degrees, which come from another system. */
export function openAddressRows(builder: AddressIndexBuilder, columns: AddressColumns): AddressRowReader {
  const readStreetOf = rememberStreets();
  const houseOf = (row: AddressRow) => {
    if (columns.number === undefined || columns.street.length === 0) return readWholeAddress(row, columns);
    const house = readHouseNumber(row.read(columns.number));
    const street = readStreetOf(joinStreet(row, columns.street));
    return house && street && { ...house, street };
  };
  return (row) => {
    const house = houseOf(row);
    const spot = house && readSpot(row, columns);
    if (house === undefined || spot === undefined) return;
    const zip = columns.zip === undefined ? '' : (/^\d{5}/.exec(row.read(columns.zip))?.[0] ?? '');
    const town = columns.town === undefined ? '' : foldTown(row.read(columns.town));
    builder.addPoint({ ...house, ...spot, zip, town });
  };
}

/** Caches streets: a file has many rows and few streets. */
function rememberStreets(): (text: string) => StreetName | undefined {
  const known = new Map<string, StreetName | undefined>();
  return (text) => {
    if (known.has(text)) return known.get(text);
    const street = readStreet(text);
    known.set(text, street);
    return street;
  };
}

/** Joins the parts of a street (`N`, `MAIN`, `ST`). Does not repeat a part. */
function joinStreet(row: AddressRow, columns: readonly string[]): string {
  if (columns.length === 1) return row.read(columns[0]!);
  const parts = columns.map((column) => row.read(column)).filter((text) => text !== '');
  return parts.filter((part, i) => part !== parts[i - 1]).join(' ');
}

function readWholeAddress(row: AddressRow, { address }: AddressColumns) {
  const read = readAddress(row.read(address!));
  return typeof read === 'string'
    ? undefined
    : { number: read.number, detail: read.detail, street: read.streets[0]! };
}

function readSpot(row: AddressRow, { longitude, latitude, point }: AddressColumns) {
  if (row.geometry !== undefined)
    return checkSpot(Number(row.geometry[0]), Number(row.geometry[1]), row.where);
  if (longitude !== undefined && latitude !== undefined) {
    const [x, y] = [row.read(longitude), row.read(latitude)];
    return x === '' || y === '' ? undefined : checkSpot(Number(x), Number(y), row.where);
  }
  const both = point === undefined ? undefined : parsePoint(row.read(point));
  return both && checkSpot(Number(both.longitude), Number(both.latitude), row.where);
}

function checkSpot(longitude: number, latitude: number, where: string) {
  if (longitude === 0 && latitude === 0) return undefined;
  if (Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90) return { longitude, latitude };
  throw new ShingleError(
    'source',
    `${where} is not in degrees (${longitude}, ${latitude}). The file seems to be projected; export it as WGS 84`,
  );
}
