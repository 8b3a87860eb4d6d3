/** Places the addresses of a register that has points, too, by the points of others, and compares the neighborhoods. */

import { readFileSync } from 'node:fs';
import { readCsv } from '../src/register/formats/csv.ts';
import { openAddressIndexBuilder } from '../src/register/profile/places/addresses/address-index.ts';
import { readAddress } from '../src/register/profile/places/addresses/read-address.ts';
import { type Boundaries, openBoundaries } from '../src/register/profile/places/boundaries.ts';
import { readShapes } from '../src/register/profile/places/boundary-shapes.ts';
import { openPlacer } from '../src/register/rows/placing.ts';

export type Addressed = { address: string; longitude: number; latitude: number; zip: string };
type Columns = { address: string; longitude: string; latitude: string; zip: string };

/** The rows with different addresses; with boundaries, those whose point is in one. `''` is a column that there is not. */
export async function readAddressed(
  path: string,
  boundaries: string | undefined,
  columns: Columns,
): Promise<{ rows: Addressed[]; shapes: Boundaries | undefined }> {
  const shapes =
    boundaries === undefined
      ? undefined
      : openBoundaries(readShapes(readFileSync(boundaries, 'utf8'), 'name'));
  const names = Object.values(columns).filter((name) => name !== '');
  const distinct = new Map<string, Addressed>();
  const format = { format: 'csv', delimiter: ',', place: undefined } as const;
  for await (const batch of readCsv(path, format, { columns: names, optional: [] }))
    for (const one of batch) {
      if (!('row' in one)) continue;
      const cell = (name: string) => (name === '' ? '' : one.row[name]!);
      const address = cell(columns.address);
      const [longitude, latitude] = [Number(cell(columns.longitude)), Number(cell(columns.latitude))];
      if (shapes !== undefined && shapes.place(longitude, latitude) === undefined) continue;
      if (!distinct.has(address))
        distinct.set(address, { address, longitude, latitude, zip: cell(columns.zip) });
    }
  return { rows: [...distinct.values()], shapes };
}

/** A random half and the other one. */
export function seededHalf<T>(all: readonly T[], seed: number): [T[], T[]] {
  let state = seed;
  const halves: [T[], T[]] = [[], []];
  for (const one of all) {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    halves[state < 2 ** 31 ? 0 : 1].push(one);
  }
  return halves;
}

/** The share of the asked that are placed, and of those the share in the neighborhood of their own point. */
export function judgePlacing(given: {
  points: readonly Addressed[];
  asked: readonly Addressed[];
  shapes: Boundaries | undefined;
}): { placed: number; right: number } {
  const builder = openAddressIndexBuilder();
  for (const { address, zip, ...point } of given.points) {
    const read = readAddress(address);
    if (typeof read === 'string') continue;
    builder.addPoint({
      number: read.number,
      detail: read.detail,
      street: read.streets[0]!,
      zip: zip.slice(0, 5),
      town: '',
      ...point,
    });
  }
  const place = openPlacer({}, { boundaries: given.shapes, addresses: builder.build() });
  let placed = 0;
  let right = 0;
  for (const { address, zip, longitude, latitude } of given.asked) {
    const { by, neighborhood } = place({ address, zip });
    if (by === undefined) continue;
    placed++;
    if (neighborhood === given.shapes?.place(longitude, latitude)) right++;
  }
  return { placed: placed / given.asked.length, right: right / placed };
}
