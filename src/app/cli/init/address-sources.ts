/** Explains which files can place a register's addresses if it has no points, and where to get them. */

import SOURCES from '../../../data/address-sources.json' with { type: 'json' };
import { zipArea } from '../../../register/profile/places/place-text.ts';
import { type Column, countBy, countRows } from '../../../register/survey/columns.ts';
import { MOST_IN_AREA } from '../../../register/survey/locations.ts';
import type { Roles } from '../../../register/survey/survey.ts';
import { fillIn } from '../../../shared/text/fill-in.ts';

/** The year of the Census Bureau's address ranges that we recommend. Past years stay available for download. */
const CENSUS_YEAR = 2025;

/** Says where to get addresses. Returns `undefined` if the rows have no addresses, or have points or neighborhoods. */
export function describeAddressSources({ address, point, neighborhood, town, state, county }: Roles) {
  const hasNeighborhoods = neighborhood !== undefined && neighborhood !== town?.column;
  if (address.length === 0 || point !== undefined || hasNeighborhoods) return undefined;
  const place = county ?? (state === undefined ? 'your county' : `your county in ${state.name}`);
  const columns = address.map(({ name }) => `"${name}"`).join(', ');
  const values = { place, columns, year: CENSUS_YEAR };
  return SOURCES.map((line) => fillIn(line, values));
}

/** Returns the usual area of postal codes, or `undefined` if nearly all rows have the same one, so that they divide no city. */
export function findUsualArea(postalCode: Column | undefined): string | undefined {
  const areas = countBy(postalCode?.values ?? [], zipArea);
  const [[usual, rows] = ['', 0]] = areas;
  return rows > 0 && rows <= countRows(areas) * MOST_IN_AREA ? usual : undefined;
}
