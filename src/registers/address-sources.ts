/** What `shingle init` says where a register has addresses and no points: which files place them, and where to get those. */

import { zipArea } from '../city/places/place-text.ts';
import { findCountyCode, findStateCode } from './counties.ts';
import type { Roles } from './roles.ts';
import { shareOf } from './survey.ts';

/** The newest year of the Census Bureau's address ranges when this was written; older ones stay where they are. */
const CENSUS_YEAR = 2025;

export type AddressSources = {
  /** Headers of the columns that hold the address. */
  columns: readonly string[];
  /** The Census Bureau's file of the county, or the folder where it is. */
  census: string;
  /** The county's page of OpenAddresses begins so. */
  openAddresses: string;
  /** The share of rows that a ZIP code alone would place, in areas larger than neighborhoods; 0 to 1. */
  zipShare: number;
};

/** `undefined` where the rows have no addresses, or have points or neighborhoods of their own. */
export function findAddressSources(roles: Roles): AddressSources | undefined {
  const { address, point, neighborhood, town, postalCode, state, county } = roles;
  const hasNeighborhoods = neighborhood !== undefined && neighborhood !== town?.column;
  if (address.length === 0 || point !== undefined || hasNeighborhoods) return undefined;
  const folder = `https://www2.census.gov/geo/tiger/TIGER${CENSUS_YEAR}/ADDRFEAT/`;
  const code = state && (county === undefined ? undefined : findCountyCode(state.name, county));
  return {
    columns: address.map(({ name }) => name),
    census: code === undefined ? folder : `${folder}tl_${CENSUS_YEAR}_${code}_addrfeat.zip`,
    openAddresses: 'https://batch.openaddresses.io/data',
    zipShare:
      postalCode === undefined
        ? 0
        : shareOf(postalCode, (text) => zipArea(text) !== undefined) * postalCode.filled,
  };
}

/** For a person: what to get, and how to draft the city again. */
export function describeAddressSources(sources: AddressSources, { state, county }: Roles): string[] {
  const { columns, census, openAddresses, zipShare } = sources;
  const code = state && findStateCode(state.name);
  const place = county ?? (state === undefined ? 'your county' : `your county in ${state.name}`);
  const list = columns.map((column) => `"${column}"`).join(', ');
  return [
    `The rows have addresses (${list}) but no coordinates. Two files turn them into neighborhoods:`,
    '  1. The outlines of the neighborhoods as GeoJSON, usually from the open data of the city.',
    `  2. The addresses of ${place}: from OpenAddresses (${openAddresses}), from the open data of the city, or from the Census Bureau:`,
    `     ${census}${census.endsWith('/') ? ` (tl_${CENSUS_YEAR}_CODE_addrfeat.zip; the code of a county has five digits${code === undefined ? '' : `, in ${state!.name} the first two are ${code}`})` : ''}`,
    'Then draft the city again in a new folder: add --boundaries FILE --addresses FILE --out NEW_FOLDER.',
    ...(zipShare > 0
      ? [
          `ZIP codes alone would place ${Math.round(zipShare * 100)} % of the rows, in areas larger than neighborhoods.`,
        ]
      : []),
  ];
}
