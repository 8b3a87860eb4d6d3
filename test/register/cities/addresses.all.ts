/** Real registers and the Census's ranges: how many addresses are read, how many are placed, and how many of those rightly. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { judgePlacing, readAddressed, seededHalf } from '../../../bench/placed-addresses.ts';
import { openAddresses } from '../../../src/register/address-files/open-addresses.ts';
import {
  readAddress,
  type StreetAddress,
} from '../../../src/register/profile/places/addresses/read-address.ts';
import { aFolder } from '../../a-folder.ts';
import { realData } from '../../real-data.ts';

const SEED = 20_261_122;
const folder = aFolder();

const REGISTERS = {
  'Long Beach': {
    file: realData('long-beach/business_licenses.csv'),
    boundaries: realData('long-beach/neighborhoods.geojson'),
    columns: { address: 'SITELOCATION', longitude: 'LONGITUDE', latitude: 'LATITUDE', zip: '' },
    half: { placed: 0.85, right: 0.97 },
    whole: { placed: 0.99, right: 0.999 },
  },
  Chicago: {
    file: realData('chicago/business-licenses-sample.csv'),
    boundaries: realData('chicago/neighborhoods.geojson'),
    columns: { address: 'ADDRESS', longitude: 'LONGITUDE', latitude: 'LATITUDE', zip: 'ZIP CODE' },
    half: { placed: 0.8, right: 0.95 },
    whole: { placed: 0.99, right: 0.999 },
  },
};

for (const [name, { file, boundaries, columns, half, whole }] of Object.entries(REGISTERS)) {
  test(`${name}: half of the points, and all of them, place the addresses`, {
    skip: file.skip,
  }, async (t) => {
    const { rows, shapes } = await readAddressed(file.path, boundaries.path, columns);
    const [given, asked] = seededHalf(rows, SEED);
    for (const [what, points, questions, goal] of [
      ['half', given, asked, half],
      ['all', rows, rows, whole],
    ] as const) {
      const { placed, right } = judgePlacing({ points, asked: questions, shapes });
      t.diagnostic(
        `${what}: ${(placed * 100).toFixed(2)} % placed, ${(right * 100).toFixed(2)} % of them right`,
      );
      assert.ok(placed >= goal.placed && right >= goal.right, `${what}: ${placed} placed, ${right} right`);
    }
  });
}

const STREETS: [file: string, column: string][] = [
  ['seattle/business_licenses.csv', 'street_address'],
  ['little-rock/business_licenses.csv', 'Address'],
  ['scottsdale/business_licenses.csv', 'ServiceStreet'],
];

for (const [file, column] of STREETS) {
  const { path, skip } = realData(file);
  test(`${file}: at least 97 % of the addresses are read, and each other one has a reason`, {
    skip,
  }, async (t) => {
    const columns = { address: column, longitude: '', latitude: '', zip: '' };
    const { rows } = await readAddressed(path, undefined, columns);
    const reasons = new Map<string, number>();
    for (const { address } of rows) {
      const read = readAddress(address);
      const reason = typeof read === 'string' ? read : 'read';
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
    t.diagnostic(JSON.stringify(Object.fromEntries(reasons)));
    const count = (...names: string[]) => names.reduce((sum, one) => sum + (reasons.get(one) ?? 0), 0);
    const streets = rows.length - count('empty', 'post office box', 'rural route', 'intersection');
    assert.ok(count('read') >= streets * 0.97, JSON.stringify([...reasons]));
  });
}

/** By hand: an address, the record of the Census's file that has it, and the side it is on. */
const IN_MEAGHER = `450 E Lincoln St, 34 left; 551 E. Lincoln Street, 34 right; 350 East Lincoln St, 68 left
  351 E LINCOLN ST, 68 right; 1950 Highway 360, 102 right; 550 E Main St, 136 left
  551 E Main St Apt 2, 136 right; 200 E Baker St, 170 left; 151 E Baker St, 170 right
  175 Grande Rd, 204 left; 850 W Main St, 238 left; 851 W Main St, 238 right; 601 6th Ave SW, 272 left
  51 Goat Mountain Road, 306 left; 350 E Smith Creek, 340 right; 151 Luppold Rd, 374 right
  451 Sixth Avenue SW, 408 right; 550 NFS Road 586, 442 right; 1750 US-89, 476 left
  1501 US Highway 89, 476 right; 50 Lind Ln, 510 left; 650 Birch Creek Rd, 544 right
  150 Spring Creek Rd, 578 right; 150 Maudlow Rd, 646 left`.split(/ *[;\n] */);
const CENSUS = realData('streets/tl_2021_30059_addrfeat.shp');
const skip = CENSUS.skip || (spawnSync('ogr2ogr', ['--version']).error && 'needs ogr2ogr (gdal-bin)');

test('the Census ranges of Meagher County, Montana, are read completely, and each address lies on its segment and side', {
  skip,
}, async () => {
  const options = { tempFolder: folder, userAgent: 'test' };
  const place = join(folder, 'streets.geojson');
  const convert = ['-f', 'GeoJSON', '-t_srs', 'EPSG:4326', place, CENSUS.path]; // as docs/adding-a-city.md says
  assert.equal(spawnSync('ogr2ogr', convert).status, 0);
  const { index } = await openAddresses([{ place, columns: {} }], options, () => {});
  const { features: records } = JSON.parse(readFileSync(place, 'utf8')) as { features: Feature[] };
  const sides = records.flatMap(({ properties: { LFROMHN, RFROMHN } }) => [LFROMHN, RFROMHN]).filter(Boolean);
  assert.equal(index.size.ranges, sides.length, 'every range of the file');
  for (const one of IN_MEAGHER) {
    const [, address = '', record, side] = /^(.*), (\d+) (left|right)$/.exec(one)!;
    const found = index.find(readAddress(address) as StreetAddress, { zip: '', town: '' });
    assert.ok(typeof found === 'object' && found.how === 'range', `${address}: ${JSON.stringify(found)}`);
    const line = records[Number(record) - 1]!.geometry.coordinates as [number, number][];
    const isBeside = found.spots.some((spot) => sideOf(line, spot) === side);
    assert.ok(isBeside, `${address}: ${JSON.stringify(found.spots)}`);
  }
});

type Feature = { properties: Record<string, string>; geometry: { coordinates: unknown } };

/** The side of the nearest piece of a line that a spot is on; nothing far from the line. */
function sideOf(line: readonly [number, number][], [x, y]: readonly [number, number]): string | undefined {
  const scale = Math.cos((y * Math.PI) / 180);
  const pieces = line.slice(1).map((end, i) => {
    const [ax, ay] = [(line[i]![0] - x) * scale, line[i]![1] - y];
    const [dx, dy] = [(end[0] - line[i]![0]) * scale, end[1] - line[i]![1]];
    const share = Math.min(1, Math.max(0, -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)));
    return { far: Math.hypot(ax + dx * share, ay + dy * share), cross: dx * -ay - dy * -ax };
  });
  const nearest = pieces.reduce((a, b) => (b.far < a.far ? b : a));
  if (nearest.far > 0.0003) return undefined;
  return nearest.cross > 0 ? 'left' : 'right';
}
