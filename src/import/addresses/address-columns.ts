/** Finds the columns of an address file: those named in the profile, else by the names that publishers commonly use. */

import type { AddressFileColumns } from '../../city/define.ts';
import { openWordLists } from '../../data/word-table.ts';
import { ShingleError } from '../../errors.ts';
import { formatFoundName } from '../readers/row.ts';

/** Names of columns. Several street columns are joined in this order. */
export type AddressColumns = {
  /** Missing if each record has a geometry. */
  longitude: string | undefined;
  latitude: string | undefined;
  /** A column with both coordinates as text. */
  point: string | undefined;
  /** Either the number and the street, or the entire address. */
  number: string | undefined;
  street: readonly string[];
  address: string | undefined;
  zip: string | undefined;
  town: string | undefined;
};

/** Common names of each column (`src/data/address-columns.csv`). */
const listUsualNames = openWordLists('address-columns.csv');

/** Finds the columns of a file with these headers. Throws `source`, naming the missing column and the headers. */
export function findAddressColumns(
  headers: readonly string[],
  said: AddressFileColumns,
  hasGeometry: boolean,
): AddressColumns {
  const folded = new Map(headers.map((header) => [foldHeader(header), header]));
  const findUsual: FindUsual = (what) => {
    const name = listUsualNames(what)
      .keys()
      .find((one) => folded.has(one));
    return name && folded.get(name);
  };
  for (const column of Object.values(said).flat())
    if (!headers.includes(column)) throw missingColumn(`the column "${column}"`, headers);
  const columns: AddressColumns = {
    longitude: said.longitude ?? findUsual('longitude'),
    latitude: said.latitude ?? findUsual('latitude'),
    point: said.longitude === undefined ? findUsual('point') : undefined,
    number: said.number ?? findUsual('number'),
    street: said.street === undefined ? findStreet(findUsual) : [said.street].flat(),
    address: said.address ?? findUsual('address'),
    zip: said.zip ?? findUsual('zip'),
    town: said.town ?? findUsual('town'),
  };
  const hasCoordinates = columns.longitude !== undefined && columns.latitude !== undefined;
  if (!hasGeometry && !hasCoordinates && columns.point === undefined)
    throw missingColumn('a column of longitudes and one of latitudes', headers);
  if ((columns.number === undefined || columns.street.length === 0) && columns.address === undefined)
    throw missingColumn('a column of house numbers and one of streets', headers);
  return columns;
}

/** Finds the column of a file with a common name. */
type FindUsual = (what: string) => string | undefined;

/** Finds a column of entire streets, else the columns of their parts, in spoken order. */
function findStreet(findUsual: FindUsual): string[] {
  const parts = (['before', 'name', 'suffix', 'after'] as const).map(findUsual);
  const whole = findUsual('whole');
  if (whole !== undefined) return [whole];
  return parts[1] === undefined ? [] : parts.filter((column) => column !== undefined);
}

function foldHeader(header: string): string {
  return header.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function missingColumn(what: string, headers: readonly string[]): ShingleError {
  const found = headers.slice(0, 20).map((header) => `"${formatFoundName(header)}"`);
  return new ShingleError(
    'source',
    `there is no ${what.replace(/^(a|the) /, '')}. The columns are ${found.join(', ') || 'none'}. Name them with columns: { ... }`,
  );
}
