/**
 * Placing by address, on two registers whose rows have both an address and a point: how many of one half are placed by the points of
 * the other and how many of those rightly; how fast addresses are loaded and placed; and what it costs an ingest.
 */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openAddresses } from '../src/register/address-files/open-addresses.ts';
import { readAddress } from '../src/register/profile/places/addresses/read-address.ts';
import { openBoundaries } from '../src/register/profile/places/boundaries.ts';
import { readShapes } from '../src/register/profile/places/boundary-shapes.ts';
import { openPlacer } from '../src/register/rows/placing.ts';
import { BOUNDARIES, LONG_BEACH, workFolder } from './data.ts';
import { type Addressed, judgePlacing, readAddressed, seededHalf } from './placed-addresses.ts';
import { mib, shingle, watched } from './process.ts';
import { median, type Result, type Row } from './report.ts';

const SEEDS = [1, 2, 3, 4, 5];
const ROUNDS = 5;
const POINTS = 300_000;
const CHICAGO = new URL('../../shared/data/chicago/', import.meta.url);
const PROFILE = fileURLToPath(new URL('../cities/long-beach/city.ts', import.meta.url));

export async function benchAddresses(): Promise<Result> {
  const columns = { address: 'SITELOCATION', longitude: 'LONGITUDE', latitude: 'LATITUDE', zip: '' };
  const longBeach = await readAddressed(LONG_BEACH, BOUNDARIES, columns);
  const chicago = await readAddressed(
    fileURLToPath(new URL('business-licenses-sample.csv', CHICAGO)),
    fileURLToPath(new URL('neighborhoods.geojson', CHICAGO)),
    { address: 'ADDRESS', longitude: 'LONGITUDE', latitude: 'LATITUDE', zip: 'ZIP CODE' },
  );
  const speed = await measureSpeed(longBeach.rows);
  const ratio = await compareIngests(longBeach.rows);
  const rows = [
    ...describePlacing('Long Beach', longBeach),
    ...describePlacing('Chicago sample', chicago),
    { what: `points loaded per second of CPU, of ${POINTS}`, value: median(speed.loaded).toFixed(0) },
    {
      what: 'memory of those points: resident, and held afterwards',
      value: `${mib(speed.resident)}, ${mib(speed.held)}`,
    },
    { what: 'addresses placed per second of CPU', value: median(speed.placed).toFixed(0) },
    { what: 'CPU of an ingest by address / by point', value: `${ratio.toFixed(2)} (median of ${ROUNDS})` },
  ];
  return {
    bench: 'addresses',
    listings: longBeach.rows.length,
    rows,
    figures: { ratio, placed: median(speed.placed), loaded: median(speed.loaded) },
  };
}

type Register = Awaited<ReturnType<typeof readAddressed>>;

function describePlacing(name: string, { rows, shapes }: Register): Row[] {
  const halves = SEEDS.map((seed) => {
    const [points, asked] = seededHalf(rows, seed);
    return judgePlacing({ points, asked, shapes });
  });
  const share = (values: number[]) =>
    `${(Math.min(...values) * 100).toFixed(2)} to ${(Math.max(...values) * 100).toFixed(2)} %`;
  const whole = judgePlacing({ points: rows, asked: rows, shapes });
  return [
    {
      what: `${name}: placed by half of the points, ${SEEDS.length} halves`,
      value: share(halves.map(({ placed }) => placed)),
    },
    { what: '  of those in the right neighborhood', value: share(halves.map(({ right }) => right)) },
    { what: `${name}: placed by all points`, value: `${(whole.placed * 100).toFixed(2)} %` },
    { what: '  of those in the right neighborhood', value: `${(whole.right * 100).toFixed(3)} %` },
  ];
}

/** The points of Long Beach, with house numbers moved on until there are enough. */
async function measureSpeed(rows: readonly Addressed[]) {
  const file = writeAddresses(join(workFolder('addresses'), 'points.csv'), rows, POINTS);
  const options = { tempFolder: workFolder('addresses'), userAgent: 'bench' };
  const boundaries = openBoundaries(readShapes(readFileSync(BOUNDARIES, 'utf8'), 'name'));
  const [loaded, placed]: [number[], number[]] = [[], []];
  const before = measureMemory();
  let resident = 0;
  let held = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    const { index } = await openAddresses([{ place: file, columns: {} }], options, () => {});
    loaded.push(POINTS / secondsSince(start));
    if (round === 0) {
      resident = measureMemory().resident - before.resident;
      globalThis.gc?.();
      held = measureMemory().held - before.held;
    }
    const place = openPlacer({}, { boundaries, addresses: index });
    const from = process.cpuUsage();
    for (const { address } of rows) place({ address, zip: '90802' });
    placed.push(rows.length / secondsSince(from));
  }
  return { loaded, placed, resident, held };
}

function measureMemory() {
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { resident: rss, held: heapUsed + arrayBuffers };
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

function writeAddresses(path: string, rows: readonly Addressed[], count: number): string {
  const lines = ['LON,LAT,NUMBER,STREET'];
  for (let round = 0; lines.length <= count; round++)
    for (const { address, longitude, latitude } of rows.slice(0, count + 1 - lines.length)) {
      const read = readAddress(address);
      if (typeof read === 'string') continue;
      lines.push(`${longitude},${latitude},${read.number + 2 * round},"${read.street}"`);
    }
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** The profile of Long Beach as it is, and one that gives the address in place of the point. */
async function compareIngests(rows: readonly Addressed[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-bench-'));
  try {
    cpSync(dirname(PROFILE), folder, { recursive: true });
    const text = readFileSync(PROFILE, 'utf8');
    const byAddress = text.replace(
      'point: { longitude: row.LONGITUDE, latitude: row.LATITUDE }',
      'address: row.SITELOCATION',
    );
    if (byAddress === text) throw new Error('the profile of Long Beach gives its points in another way');
    const withFile = byAddress.replace(
      '  boundaries: {',
      "  addresses: { file: './addresses.csv' },\n  boundaries: {",
    );
    if (withFile === byAddress)
      throw new Error('the profile of Long Beach gives its boundaries in another way');
    writeFileSync(join(folder, 'city.ts'), withFile);
    writeAddresses(join(folder, 'addresses.csv'), rows, rows.length);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const without = await measureIngest(PROFILE);
      ratios.push((await measureIngest(join(folder, 'city.ts'))) / without);
    }
    return median(ratios);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureIngest(city: string): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'shingle-bench-'));
  try {
    const child = shingle(['ingest', '--from', LONG_BEACH, '--boundaries', BOUNDARIES], {
      SHINGLE_CITY: city,
      SHINGLE_DATA: data,
    });
    child.stdout?.resume();
    const { code, cpuMs } = await watched(child);
    if (code !== 0) throw new Error(`ingest ended with ${code}`);
    return cpuMs;
  } finally {
    rmSync(data, { recursive: true });
  }
}
