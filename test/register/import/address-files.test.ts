/** Address files of every kind a city may have, and damaged ones: each is read whole or refused in one sentence. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { openAddresses } from '../../../src/register/address-files/open-addresses.ts';
import type { AddressFileColumns } from '../../../src/register/profile/define.ts';
import {
  readAddress,
  type StreetAddress,
} from '../../../src/register/profile/places/addresses/read-address.ts';
import { aFolder } from '../../a-folder.ts';
import { aPortal } from './a-portal.ts';

const folder = aFolder();
const tempFolder = join(folder, 'temporary');
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

/** Where 12 N Main St of ZIP 97201 is, in one of these files. */
async function findMain(place: string, columns?: AddressFileColumns): Promise<unknown> {
  const { index } = await open(place, columns);
  const found = index.find(readAddress('12 N Main St') as StreetAddress, { zip: '97201', town: '' });
  return typeof found === 'string' ? found : [found.how, ...found.spots];
}

const HEADER = 'LON,LAT,NUMBER,STREET\n';
const OPEN_ADDRESSES = `LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH
-118.1,33.5,12,N MAIN ST,,OTTERFALL,,WM,97201-1234,,a1
-118.6,33.9,12,N MAIN ST,,MILLRACE,,WM,97202,,b1
-118.4,33.8,12 REAR,N MAIN ST,,OTTERFALL,,WM,97201,,a0
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
  'a collection': () => [streets(feature(ON_MAIN))],
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
};

for (const [kind, place] of Object.entries(KINDS))
  test(`${kind} places an address`, async () => assert.deepEqual(await findMain(...place()), AT_MAIN));

test('a folder of files is one set of addresses', async () => {
  const path = join(folder, 'several');
  mkdirSync(path);
  writeFileSync(join(path, 'a.csv'), `${HEADER}-118.1,33.5,12,N Main St\n`);
  writeFileSync(join(path, 'b.csv'), `${HEADER}-118.2,33.5,14,Oak St\n`);
  const { index } = await open(path);
  assert.equal(index.size.points, 2);
});

/** A street of the Census, whose numbers are text and may hold letters. */
const RANGE = {
  ...{ FULLNAME: 'N Main St', LFROMHN: '2', LTOHN: '98', RFROMHN: '1', RTOHN: '99' },
  ...{ ZIPL: '97201', ZIPR: '97201', PARITYL: 'E', PARITYR: 'O' },
};
const WEST_TO_EAST = [
  [-118.2, 33.5],
  [-118.1, 33.5],
];
const street = (properties: object, coordinates: unknown = WEST_TO_EAST, type = 'LineString') =>
  JSON.stringify({ type: 'Feature', properties, geometry: coordinates && { type, coordinates } });
const streets = (...features: string[]) =>
  file(`{"type":"FeatureCollection","features":[${features.join(',')}]}`, 'geojson');

/** What publishers call the same ranges. */
const STREET_FILES: Record<string, () => string> = {
  'the Census': () => streets(street(RANGE)),
  'the Census in lower case, as a database exports it': () =>
    streets(street(Object.fromEntries(Object.entries(RANGE).map(([name, to]) => [name.toLowerCase(), to])))),
  'the NENA standard, on each line a street': () => {
    const sides = {
      FromAddr_L: 2,
      ToAddr_L: 98,
      FromAddr_R: 1,
      ToAddr_R: 99,
      Parity_L: 'Even',
      Parity_R: 'Odd',
    };
    return file(`${street({ St_PreDir: 'N', St_Name: 'Main', St_PosTyp: 'St', ...sides })}\n`, 'geojson');
  },
  'a county with streets of several parts, zipped, and no parity': () => {
    const sides = { L_F_ADD: 2, L_T_ADD: 98, R_F_ADD: 1, R_T_ADD: 99 };
    const text = street({ STREET: 'N Main St', ...sides }, [WEST_TO_EAST, [[0, 0]]], 'MultiLineString');
    return file(zipSync({ 'centerlines.geojson': strToU8(text) }), 'zip');
  },
};

for (const [publisher, place] of Object.entries(STREET_FILES))
  test(`ranges of ${publisher} place an address on its side of the street`, async () => {
    const [how, spot] = (await findMain(place())) as [string, [number, number]];
    assert.equal(how, 'range');
    assert.ok(spot[0] > -118.2 && spot[0] < -118.18 && spot[1] > 33.5, `${spot}`);
  });

test('a street without a side, a line or a name is used without this part', async () => {
  const odd = { ...RANGE, FULLNAME: 'Oak St', LFROMHN: '2A', LTOHN: '8B', RFROMHN: null, RTOHN: null };
  const unnumbered = { ...RANGE, FULLNAME: 'Fir St', LFROMHN: 0, LTOHN: 0 };
  const { index } = await open(
    streets(
      ...[street({ ...RANGE, FULLNAME: 'Elm St' }, null), street(RANGE), street(odd), street(unnumbered)],
      ...[street({ ...RANGE, FULLNAME: '' }), street({ ...RANGE, FULLNAME: 'Bay St' }, [])],
    ),
  );
  assert.deepEqual(index.size, { points: 0, ranges: 4 });
});

test('the same address files have the same digest, and a changed file has another', async () => {
  const digest = async (text: string) => (await open(streets(text))).content;
  assert.equal(await digest(street(RANGE)), await digest(street(RANGE)));
  assert.notEqual(await digest(street(RANGE)), await digest(street({ ...RANGE, LTOHN: '96' })));
});

const REFUSED: [place: () => string, says: RegExp][] = [
  [() => file(`${HEADER}1856000.5,640000.1,12,Main St\n`), /line 2 is not in degrees .*export it as WGS 84/],
  [() => file(`${HEADER}west,north,12,Main St\n`), /line 2 is not in degrees/],
  [
    () => file('LON,LAT,NUMBER,COLOUR\n1,1,12,red\n'),
    /there is no column of house numbers and one of streets. The columns are "LON"/,
  ],
  [() => file('NUMBER,STREET\n12,Main St\n'), /there is no column of longitudes/],
  [() => file(`${HEADER},,12,Main St\n`), /no row has a house number, a street and coordinates/],
  [() => file(''), /the file is empty/],
  [() => file('<!doctype html><p>Not found'), /looks like a web page/],
  [() => streets(street({ a: 1 }, [], 'Polygon')), /no feature is a point/],
  [() => file(`${feature(ON_MAIN)}\n{"type":"Fea`, 'geojson'), /line 2 is not a complete JSON value/],
  [() => streets(street(RANGE, [[1856.5, 640.1]])), /line 1 is not in degrees \(1856\.5, 640\.1\)/],
  [() => streets(street(RANGE, [['west', null], 7])), /line 1 is not in degrees/],
  [
    () => streets(street({ FULLNAME: 'N Main St' })),
    /no feature is a point with properties, or a line with ranges of house numbers/,
  ],
  [
    () => file(Buffer.from('0000270a0000', 'hex'), 'shp'),
    /the file is a shapefile\. Convert it with GDAL: ogr2ogr -f GeoJSON /,
  ],
  [
    () => file(zipSync({ 'tl/streets.SHP': strToU8('x'), 'tl/streets.dbf': strToU8('x') }), 'zip'),
    /the archive [\w.-]+ contains a shapefile\. Convert it with GDAL: ogr2ogr /,
  ],
];

for (const [place, says] of REFUSED)
  test(`an address file is refused in one sentence: ${says.source}`, async () => {
    await assert.rejects(open(place()), (error: Error) => {
      assert.match(error.message, says);
      assert.match(error.message, /^the addresses in [\w.-]+ cannot be used: [^\n]+$/);
      return true;
    });
  });

test('an address file is downloaded, and a missing file is an error', async () => {
  const { url } = await aPortal((asked, response) => {
    response.statusCode = asked.pathname === '/a.csv' ? 200 : 404;
    response.end(OPEN_ADDRESSES);
  });
  assert.deepEqual(await findMain(`${url}/a.csv?token=secret`), AT_MAIN);
  await assert.rejects(
    open(`${url}/b.csv?token=secret`),
    (error: Error) => !error.message.includes('secret'),
  );
});
