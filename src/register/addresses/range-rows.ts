/** Reads the rows of a street file as ranges of house numbers: the Census Bureau's (TIGER/Line ADDRFEAT) or a county's. */

import { LINE } from '../formats/geojson.ts';
import type { AddressIndexBuilder, StreetRanges } from '../profile/places/addresses/address-index.ts';
import { readHouseNumber, readStreet } from '../profile/places/addresses/read-address.ts';
import type { Point } from '../profile/places/points.ts';
import {
  type AddressHeader,
  type AddressRow,
  findStreet,
  joinStreet,
  notInDegrees,
  openUsualNames,
} from './address-rows.ts';

const PARITIES = { E: 'even', O: 'odd', B: 'both' } as const;

type Side = StreetRanges['ranges'][number]['side'];

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

type SideColumns = NonNullable<ReturnType<typeof findSide>>;

function findSide(findUsual: ReturnType<typeof openUsualNames>, side: Side) {
  const [from, to] = [findUsual(`${side} from`), findUsual(`${side} to`)];
  if (from === undefined || to === undefined) return undefined;
  return { side, from, to, parity: findUsual(`${side} parity`) ?? '', zip: findUsual(`${side} zip`) ?? '' };
}

function readSide(
  { read }: AddressRow,
  { side, ...columns }: SideColumns,
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
