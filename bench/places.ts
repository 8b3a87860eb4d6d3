/** Measures how many points a second are placed in the real neighborhoods of Long Beach, compared with a bounding box lookup. */

import { createReadStream, readFileSync } from 'node:fs';
import { parse } from 'csv-parse';
import { openBoundaries } from '../src/register/profile/places/boundaries.ts';
import { readShapes } from '../src/register/profile/places/boundary-shapes.ts';
import { BOUNDARIES, LONG_BEACH } from './data.ts';
import { median, type Result } from './report.ts';

const ROUNDS = 7;

export async function benchPlaces(listings: number): Promise<Result> {
  const boundaries = openBoundaries(readShapes(readFileSync(BOUNDARIES, 'utf8'), 'name'));
  const points: [string, string][] = [];
  for await (const row of createReadStream(LONG_BEACH).pipe(parse({ bom: true, columns: true })))
    points.push([row.LONGITUDE, row.LATITUDE]);
  const rates: number[] = [];
  let placed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    placed = points.filter(
      ([longitude, latitude]) => boundaries.place(longitude, latitude) !== undefined,
    ).length;
    rates.push((points.length * 1000) / (performance.now() - start));
  }
  const rate = median(rates);
  const rows = [
    { what: 'points a second', value: `${Math.round(rate).toLocaleString('en')} (median of ${ROUNDS})` },
    { what: 'placed', value: `${placed} of ${points.length}` },
  ];
  return { bench: 'places', listings, rows, figures: { rate } };
}
