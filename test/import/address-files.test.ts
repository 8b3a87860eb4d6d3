/** Address files of every kind a city may have, and damaged ones: each is read whole or refused in one sentence. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import type { AddressFileColumns } from '../../src/city/define.ts';
import { readAddress, type StreetAddress } from '../../src/city/places/addresses/read-address.ts';
import { openAddresses } from '../../src/import/addresses/open-addresses.ts';
import { type Shape, shapefile } from './a-shapefile.ts';

const folder = mkdtempSync(join(tmpdir(), 'shingle-addresses-'));
const tempFolder = join(folder, 'temporary');
after(() => rmSync(folder, { recursive: true }));
let written = 0;

function file(content: string | Uint8Array, ending = 'csv'): string {
  const path = join(folder, `addresses-${written++}.${ending}`);
  writeFileSync(path, content);
  return path;
}

async function open(place: string, columns: AddressFileColumns = {}) {
  const opened = await openAddresses([{ place, columns }], { tempFolder, userAgent: 'test' }, () => {});
  assert.deepEqual(existsSync(tempFolder) ? readdirSync(tempFolder) : [], [], 'nothing is left behind');
  return opened;
}

/** Where 12 N Main St is, in one of these files. */
async function findMain(place: string, columns?: AddressFileColumns): Promise<unknown> {
  const { index } = await open(place, columns);
  const found = index.find(readAddress('12 N Main St') as StreetAddress, { zip: '', town: '' });
  return typeof found === 'string' ? found : [found.how, ...found.spots];
}

const OPEN_ADDRESSES = `LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH
-118.1,33.5,12,N MAIN ST,,OTTERFALL,,WM,97201,,a1
-118.2,33.6,14,N MAIN ST,,OTTERFALL,,WM,97201,,a2
,,16,N MAIN ST,,OTTERFALL,,WM,97201,,a3
-118.3,33.7,,N MAIN ST,,OTTERFALL,,WM,97201,,a4
0,0,18,N MAIN ST,,OTTERFALL,,WM,97201,,a5
`;
const feature = (properties: object, coordinates: unknown = [-118.1, 33.5]) =>
  JSON.stringify({ type: 'Feature', properties, geometry: { type: 'Point', coordinates } });
const ON_MAIN = { number: '12', street: 'N Main St' };
const AT_MAIN = ['exact', [-118.1, 33.5]];

const KINDS: Record<string, () => [place: string, columns?: AddressFileColumns]> = {
  'CSV as OpenAddresses publishes it': () => [file(OPEN_ADDRESSES)],
  'gzipped CSV': () => [file(gzipSync(OPEN_ADDRESSES), 'csv.gz')],
  'zipped CSV': () => [file(zipSync({ 'us/wm/otterfall.csv': strToU8(OPEN_ADDRESSES) }), 'zip')],
  'a feature on each line': () => [
    file(`${feature(ON_MAIN)}\n${feature({ ...ON_MAIN, number: 14 }, [1, 1])}\n`, 'geojson'),
  ],
  'a FeatureCollection': () => [
    file(`{"type":"FeatureCollection","features":[${feature(ON_MAIN)}]}`, 'geojson'),
  ],
  'a list of features': () => [file(`[${feature(ON_MAIN)}]`, 'json')],
  "a city's own columns by their usual names": () => [
    file('OBJECTID;ADD_NUMBER;ST_PREDIR;ST_NAME;ST_POSTYP;X;Y\n1;12;N;MAIN;ST;-118.1;33.5\n'),
  ],
  'the whole address in one column, and a point as text': () => [
    file('FULLADDR,THE_GEOM\n"12 N Main St, Apt 3",POINT (-118.1 33.5)\n'),
  ],
  'columns that the profile names': () => [
    file('hausnr|weg|oost|noord\n12|N Main St|-118.1|33.5\n'),
    { number: 'hausnr', street: 'weg', longitude: 'oost', latitude: 'noord' },
  ],
  'a zipped shapefile of points': () => {
    const shapes: Shape[] = [{ fields: { ADDRNUM: '12', FULLNAME: 'N Main St' }, spots: [[-118.1, 33.5]] }];
    return [file(zipSync(shapefile(shapes)), 'zip')];
  },
};

for (const [kind, place] of Object.entries(KINDS))
  test(`${kind} places an address`, async () => assert.deepEqual(await findMain(...place()), AT_MAIN));

test('a folder of files is one set of addresses', async () => {
  const path = join(folder, 'several');
  mkdirSync(path);
  writeFileSync(join(path, 'a.csv'), 'LON,LAT,NUMBER,STREET\n-118.1,33.5,12,N Main St\n');
  writeFileSync(join(path, 'b.csv'), 'LON,LAT,NUMBER,STREET\n-118.2,33.5,14,Oak St\n');
  const { index } = await open(path);
  assert.equal(index.size.points, 2);
});

const RANGE: Shape = {
  fields: {
    FULLNAME: 'N Main St',
    LFROMHN: '2',
    LTOHN: '98',
    RFROMHN: '1',
    RTOHN: '99',
    ZIPL: '97201',
    ZIPR: '97201',
    PARITYL: 'E',
    PARITYR: 'O',
  },
  spots: [
    [-118.2, 33.5],
    [-118.1, 33.5],
  ],
};
/** Letters in a number, no number on one side, no shape: as the Census publishes them. */
const ODD: Shape[] = [
  {
    ...RANGE,
    fields: { ...RANGE.fields, FULLNAME: 'Oak St', LFROMHN: '2A', LTOHN: '8B', RFROMHN: '', RTOHN: '' },
  },
  { ...RANGE, fields: { ...RANGE.fields, FULLNAME: 'Elm St' }, spots: [] },
  { ...RANGE, fields: { ...RANGE.fields, FULLNAME: '' } },
];

test('ranges of the Census place an address on its side of the street', async () => {
  for (const place of [file(zipSync(shapefile([RANGE, ...ODD])), 'zip'), beside(shapefile([RANGE]))]) {
    const [how, spot] = (await findMain(place)) as [string, [number, number]];
    assert.equal(how, 'range');
    assert.ok(spot[0] > -118.2 && spot[0] < -118.18 && spot[1] > 33.5, `${spot}`);
  }
  const { index } = await open(file(zipSync(shapefile([RANGE, ...ODD])), 'zip'));
  assert.deepEqual(index.size, { points: 0, ranges: 3 });
});

/** Unpacked, next to each other. Answers the path of the shapes. */
function beside(parts: Record<string, Uint8Array>): string {
  const path = join(folder, `unpacked-${written++}`);
  mkdirSync(path);
  for (const [name, bytes] of Object.entries(parts)) writeFileSync(join(path, name), bytes);
  return join(path, 'shapes.shp');
}

test('the same files are known by the same digest, and a changed one by another', async () => {
  const parts = shapefile([RANGE]);
  const place = beside(parts);
  const before = (await open(place)).content;
  assert.equal((await open(place)).content, before);
  const table = shapefile([{ ...RANGE, fields: { ...RANGE.fields, LTOHN: '96' } }])['shapes.dbf']!;
  writeFileSync(place.replace('.shp', '.dbf'), table);
  assert.notEqual((await open(place)).content, before, 'the table counts, too');
});

const shapes = () => shapefile([RANGE, RANGE, RANGE]);
const changed = (part: string, change: (bytes: Buffer) => void, all = shapes()) => {
  const bytes = Buffer.from(all[part]!);
  change(bytes);
  return { ...all, [part]: new Uint8Array(bytes) };
};
const zipped = (parts: Record<string, Uint8Array>) => file(zipSync(parts), 'zip');

const REFUSED: Record<string, [place: () => string, message: RegExp]> = {
  'coordinates outside the world': [
    () => file('LON,LAT,NUMBER,STREET\n1856000.5,640000.1,12,Main St\n'),
    /line 2 is not in degrees .*export it as WGS 84/,
  ],
  'coordinates that are no numbers': [
    () => file('LON,LAT,NUMBER,STREET\nwest,north,12,Main St\n'),
    /line 2 is not in degrees/,
  ],
  'no column of streets': [
    () => file('LON,LAT,NUMBER,COLOUR\n1,1,12,red\n'),
    /there is no column of house numbers and one of streets. The columns are "LON"/,
  ],
  'no coordinates': [() => file('NUMBER,STREET\n12,Main St\n'), /there is no column of longitudes/],
  'no usable row': [
    () => file('LON,LAT,NUMBER,STREET\n,,12,Main St\n'),
    /no row has a house number, a street and coordinates/,
  ],
  'an empty file': [() => file(''), /the file is empty/],
  'a web page': [() => file('<!doctype html><p>Not found'), /looks like a web page/],
  'outlines instead of points': [
    () =>
      file(
        '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1},"geometry":{"type":"Polygon","coordinates":[]}}]}',
        'geojson',
      ),
    /no feature is a Point/,
  ],
  'half a line of JSON': [
    () => file(`${feature(ON_MAIN)}\n{"type":"Fea`, 'geojson'),
    /line 2 is not a complete JSON value/,
  ],
  'a shapefile without its table': [
    () => zipped({ 'shapes.shp': shapes()['shapes.shp']! }),
    /has no \.dbf file/,
  ],
  'a projected shapefile': [
    () => zipped({ ...shapes(), 'shapes.prj': strToU8('PROJCS["NAD_1983_StatePlane"]') }),
    /it is projected, not in degrees/,
  ],
  'a length far beyond the file': [
    () => zipped(changed('shapes.shp', (bytes) => bytes.writeInt32BE(0x7fffffff, 104))),
    /a record of \d+ bytes/,
  ],
  'a negative length': [
    () => zipped(changed('shapes.shp', (bytes) => bytes.writeInt32BE(-4, 104))),
    /record 1 is damaged: it has -8 bytes/,
  ],
  'more corners than bytes': [
    () => zipped(changed('shapes.shp', (bytes) => bytes.writeInt32LE(0x7ffffff0, 148))),
    /record 1 is damaged: its lengths do not fit/,
  ],
  'corners outside the world': [
    () => zipped(changed('shapes.shp', (bytes) => bytes.writeDoubleLE(640_000, 156))),
    /record 1 is not in degrees/,
  ],
  'not a number': [
    () => zipped(changed('shapes.shp', (bytes) => bytes.writeDoubleLE(Number.NaN, 156))),
    /record 1 is not in degrees/,
  ],
  'a cut-off shape file': [
    () => zipped({ ...shapes(), 'shapes.shp': shapes()['shapes.shp']!.subarray(0, -10) }),
    /ends in the middle of a record/,
  ],
  'a cut-off table': [
    () => zipped({ ...shapes(), 'shapes.dbf': shapes()['shapes.dbf']!.subarray(0, -30) }),
    /ends in the middle of a record|has 2 of 3 records/,
  ],
  'a table of ten million records': [
    () => zipped(changed('shapes.dbf', (bytes) => bytes.writeUInt32LE(10_000_000, 4))),
    /has 3 of 10000000 records|ends in the middle/,
  ],
  'a table whose fields are wider than its records': [
    () => zipped(changed('shapes.dbf', (bytes) => bytes.writeUInt16LE(4, 10))),
    /not a dBASE table, or it is damaged/,
  ],
  'fewer shapes than rows': [
    () => zipped({ ...shapes(), 'shapes.shp': shapefile([RANGE])['shapes.shp']! }),
    /has 3 records in its table, but fewer shapes/,
  ],
  'a shapefile of areas': [
    () => zipped(changed('shapes.shp', (bytes) => bytes.writeInt32LE(5, 32))),
    /neither points nor lines/,
  ],
  'two shapefiles in one archive': [
    () => zipped({ ...shapes(), 'other.shp': shapes()['shapes.shp']!, 'other.dbf': shapes()['shapes.dbf']! }),
    /several \.shp files/,
  ],
};

for (const [what, [place, message]] of Object.entries(REFUSED))
  test(`${what}: refused in one sentence`, async () => {
    await assert.rejects(open(place()), (error: Error) => {
      assert.match(error.message, message);
      assert.match(error.message, /^the addresses in [\w.-]+ cannot be used: [^\n]+$/);
      return true;
    });
  });

test('every byte of a shapefile may be wrong: it is read or refused, and nothing else happens', async () => {
  const parts = shapefile([RANGE]);
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
    return seed % below;
  };
  for (let i = 0; i < 300; i++) {
    const part = ['shapes.shp', 'shapes.dbf'][random(2)]!;
    const bytes = changed(part, (one) => one.writeUInt8(random(256), random(one.length)), parts);
    await open(beside(bytes)).catch((error: Error) => assert.match(error.message, /cannot be used: /));
  }
});

test('an address file may be fetched, and what the server does not have is an error', async () => {
  const server = createServer(({ url }, response) => {
    response.statusCode = url?.startsWith('/a.csv') ? 200 : 404;
    response.end(OPEN_ADDRESSES);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.deepEqual(await findMain(`${base}/a.csv?token=secret`), AT_MAIN);
  await assert.rejects(
    open(`${base}/b.csv?token=secret`),
    (error: Error) => !error.message.includes('secret'),
  );
});
