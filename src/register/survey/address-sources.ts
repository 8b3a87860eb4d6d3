/** Explains which files can place a register's addresses if it has no points, and where to get them. */

import { readFileSync } from 'node:fs';
import { removeAccents } from '../../shared/words.ts';
import { zipArea } from '../profile/places/place-text.ts';
import type { Roles } from './roles.ts';
import { shareOf } from './survey.ts';

/** The year of the Census Bureau's address ranges that we recommend. Past years stay available for download. */
const CENSUS_YEAR = 2025;

/**
 * Finds address sources, as a list for programs and as sentences that also say how to draft the city again. Returns
 * `undefined` if the rows have no addresses, or have points or neighborhoods.
 */
export function findAddressSources({ address, point, neighborhood, town, postalCode, state, county }: Roles) {
  const hasNeighborhoods = neighborhood !== undefined && neighborhood !== town?.column;
  if (address.length === 0 || point !== undefined || hasNeighborhoods) return undefined;
  const folder = `https://www2.census.gov/geo/tiger/TIGER${CENSUS_YEAR}/ADDRFEAT/`;
  const code = state && county && findCountyCode(state.name, county);
  const stateCode = state && findStateCode(state.name);
  const listed = {
    columns: address.map(({ name }) => name),
    census: code === undefined ? folder : `${folder}tl_${CENSUS_YEAR}_${code}_addrfeat.zip`,
    openAddresses: 'https://batch.openaddresses.io/data',
    zipShare: postalCode ? shareOf(postalCode, (text) => zipArea(text) !== undefined) * postalCode.filled : 0,
  };
  const place = county ?? (state === undefined ? 'your county' : `your county in ${state.name}`);
  const columns = listed.columns.map((column) => `"${column}"`).join(', ');
  const states = stateCode && `, in ${state.name} the first two are ${stateCode}`;
  const file = ` (tl_${CENSUS_YEAR}_CODE_addrfeat.zip; the code of a county has five digits${states ?? ''})`;
  const share = `${Math.round(listed.zipShare * 100)} %`;
  const byZip = `ZIP codes alone would place ${share} of the rows, in areas larger than neighborhoods.`;
  const told = [
    `The rows have addresses (${columns}) but no coordinates. Two files turn them into neighborhoods:`,
    '  1. The outlines of the neighborhoods as GeoJSON, usually from the open data of the city.',
    `  2. The addresses of ${place}: from OpenAddresses (${listed.openAddresses}), from the open data of the city, or from the Census Bureau:`,
    `     ${listed.census}${code === undefined ? file : ''}`,
    '     a shapefile: ogr2ogr -f GeoJSON -t_srs EPSG:4326 streets.geojson /vsizip/FILE.zip makes GeoJSON of it',
    'Then draft the city again in a new folder: add --boundaries FILE --addresses FILE --out NEW_FOLDER.',
    ...(listed.zipShare > 0 ? [byZip] : []),
  ];
  return { listed, told };
}

/**
 * Counties with their FIPS codes, which the Census Bureau's file names contain. An omitted code is the previous code
 * plus two.
 */
const COUNTIES = new URL('../../data/counties.txt', import.meta.url);

/** Folds all spellings of a county to the same text: `Saint Clair County`, `ST. CLAIR` and `St Clair`. */
function foldCounty(name: string): string {
  return removeAccents(name)
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replace(/ (?:county|parish|borough|census area|municipality|municipio)$/, '')
    .replace(/^saint /, 'st ')
    .replace(/ /g, '');
}

export function findStateCode(state: string): string | undefined {
  return readState(state)?.code;
}

/** Returns the five-digit code of a county, or `undefined` if the state has no such county. */
export function findCountyCode(state: string, county: string): string | undefined {
  const found = readState(state);
  const wanted = foldCounty(county);
  let number = -1;
  for (const entry of found?.counties.split('|') ?? []) {
    const [, digits, name = ''] = /^(?:(\d+) )?(.*)$/.exec(entry)!;
    number = digits === undefined ? number + 2 : Number(digits);
    if (foldCounty(name) === wanted) return `${found!.code}${String(number).padStart(3, '0')}`;
  }
  return undefined;
}

function readState(state: string): { code: string; counties: string } | undefined {
  const line = readFileSync(COUNTIES, 'utf8')
    .split('\n')
    .find((one) => one.slice(3).startsWith(`${state}:`));
  return line === undefined ? undefined : { code: line.slice(0, 2), counties: line.slice(4 + state.length) };
}
