/** A draft keeps to the city, and places a business by what names neighborhoods: never by its town or a district number. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lastJson } from '../../a-process.ts';
import { squaresInARow } from '../../squares.ts';
import {
  COUNT,
  checkDraft,
  folder,
  init,
  isoOf,
  makeRecords,
  nameOf,
  testDrafts,
  tradeOf,
  writeCsv,
} from './a-register.ts';

const OUTSIDE = 'outside the city';
const SEVERAL = /outside-city: the register seems to cover several towns/;
const OTTERFALL = ['--name', 'Otterfall'];
const TOWNS = ['Otterfall', 'Millrace', 'Northbank', 'Ropewalk'];
const SPELT = ['OTTERFALL, AR 72201-1234', 'Otterfall, AR', 'Millrace, AR 72114', 'Otterfall, AR 722011234'];
const cityOf = (town: (i: number) => string) => (i: number) => ({ City: town(i) });

testDrafts({
  'rows of other towns and states are skipped, and every spelling of the town is kept': {
    cells: (i) => ({
      'Account #': `${10_000 + i}`,
      DBA: nameOf(i),
      'Bus address': `${i} Quay St`,
      'Bus City, State': i % 40 === 2 ? 'OTTERFAL, AR 72201' : SPELT[i % 4]!,
      'Start date': isoOf(i),
    }),
    lines: ['name: Otterfall', 'timeZone: America/Chicago', 'region: Arkansas'],
    leftOut: { [OUTSIDE]: COUNT / 4 },
    neighborhoods: [null],
  },
  'the largest town of many small ones is the city': {
    shop: cityOf((i) => (i % 5 < 2 ? 'Otterfall' : `Town ${nameOf(i % 30)}`)),
    leftOut: { [OUTSIDE]: (COUNT * 3) / 5 },
  },
  'a town that is only the first of several is not the city': {
    shop: cityOf((i) => ['Otterfall', 'Otterfall', 'Millrace', 'Saltmarsh', 'Heronby'][i % 5]!),
    held: /outside-city/,
  },
  'a register of several towns is held until its city or county is named': {
    shop: cityOf((i) => ['Otterfall', 'OTTERFALL', 'Millrace', 'Saltmarsh'][i % 4]!),
    held: /outside-city: the register seems to cover several towns, .* 3 towns/,
  },
  'a map of their points does not make several towns a city': {
    shop: (i) => ({
      City: ['Otterfall', 'OTTERFALL', 'Millrace', 'Saltmarsh'][i % 4]!,
      Latitude: `4${i % 4}.5${10 + i}`,
      Longitude: '-104.91234',
    }),
    held: /outside-city: the register seems to cover several towns, .* 3 towns/,
  },
  'a city that is named has the rows of its town': {
    shop: cityOf((i) => ['Otterfall', 'OTTERFALL', 'Millrace', 'Saltmarsh'][i % 4]!),
    args: OTTERFALL,
    leftOut: { [OUTSIDE]: COUNT / 2 },
    held: false,
  },
  'a county that is named has all rows': {
    shop: cityOf((i) => ['Otterfall', 'OTTERFALL', 'Millrace', 'Saltmarsh'][i % 4]!),
    args: ['--name', 'Otterfall County'],
    held: false,
  },
  'a small town of a county is kept once it is named': {
    shop: cityOf((i) => (i % 20 ? `Farfield ${'ABCDEFGHI'[i % 9]}` : 'Otterfall')),
    args: OTTERFALL,
    leftOut: { [OUTSIDE]: COUNT * 0.95 },
    held: false,
  },
  'a small town of many others is kept once it is named': {
    shop: cityOf((i) => (i % 20 ? `Farfield ${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[i % 26]}` : 'Otterfall')),
    args: OTTERFALL,
    leftOut: { [OUTSIDE]: COUNT * 0.95 },
    held: false,
  },
  'a town beside one that has most of the rows is held': {
    shop: cityOf((i) => (i % 20 ? (i % 3 ? 'Millrace' : `Farfield ${'ABCDEFGHI'[i % 9]}`) : 'Otterfall')),
    args: OTTERFALL,
    leftOut: { [OUTSIDE]: COUNT * 0.95 },
    held: /outside-city: .* are left out, because they have another town/,
  },
  'a column of yes and no decides which rows are in the city': {
    shop: (i) => ({ zip: i % 4 ? '98101' : '59718', is_otterfall_address: i % 4 ? '1' : '0' }),
    leftOut: { [OUTSIDE]: COUNT / 4 },
  },
  'a town, a district number or a ZIP area is a neighborhood only if the operator says so': {
    shop: (i) => ({
      City: 'OTTERFALL',
      'Council District': `${i % 9}`,
      Ward: `Ward ${i % 6}`,
      Zip: `8020${i % 4}1234`,
    }),
    lines: ['timeZone: America/Denver'],
    lacks: ['neighborhood'],
    neighborhoods: [null],
  },
  'a column of neighborhoods takes precedence, and an empty cell means no neighborhood': {
    shop: (i) => ({
      City: 'OTTERFALL',
      'Council District': `${i % 9}`,
      LocalArea: ['NORTHBANK', 'ROPEWALK', 'COOPER WHARF', ''][i % 4]!,
      Zip: '80202',
    }),
    neighborhoods: ['Cooper Wharf', 'Northbank', 'Ropewalk', null],
  },
  'a register without a main town is a county, and its towns are used as neighborhoods': {
    shop: (i) => ({ city: TOWNS[i % 4]!, county: 'QUARRY' }),
    lines: ['name: Quarry County', 'neighborhood: city'],
    neighborhoods: TOWNS.toSorted(),
  },
  'the towns of a county are neighborhoods': {
    shop: cityOf((i) => `Farfield ${'ABCDEFGH'[i % 8]}`),
    args: ['--name', 'Otterfall County'],
    lines: ['neighborhood: City'],
    held: false,
  },
  'numbers of districts, also Roman ones, are no neighborhoods': {
    shop: (i) => ({ 'Community District Name': `District ${['I', 'II', 'III', 'IV'][i % 4]}` }),
    args: OTTERFALL,
    lacks: ['neighborhood'],
  },
  'a time zone without evidence has no default': { lines: ['timeZone: Etc/UTC'] },
  'init does not mistake addresses for neighborhoods, a counter for a postal code, or an expiry for a closure':
    {
      cells: (i) => ({
        index: `${i + 1}`,
        dba_name: i % 4 === 0 ? 'Data Not Available' : nameOf(i),
        business_name: `${nameOf(i)} LLC`,
        address: `${i} Quay St, ${TOWNS[i % 4]}, AR 72${200 + (i % 4)}`,
        zipcode: `72${200 + (i % 4)}`,
        status: i % 5 === 2 ? 'Deferred' : 'Granted',
        start_date: isoOf(i),
        license_end_date: '2029-12-31',
      }),
      lines: [
        'postalCode: zipcode',
        'expires: { column: license_end_date,...',
        'name: [ dba_name, business_name ]',
      ],
      lacks: ['neighborhood', 'ended'],
      leftOut: { 'never opened: Deferred': COUNT / 5 },
    },
  'a postal town lies in the city if its rows have a council district': {
    shop: (i) => ({
      City: ['OTTERFALL', 'OTTERFALL', 'OTTERFALL', 'Millrace', 'NORTHBANK'][i % 5]!,
      'Council District': i % 5 === 4 || i % 50 === 0 ? '' : `${1 + (i % 9)}`,
    }),
    lines: ['town: { column: City, keep: [ OTTERFALL, Millrace ] }'],
    leftOut: { [OUTSIDE]: COUNT / 5 },
  },
  'headers that are glued, shortened or in the plural name types, quarters and the parts of an address': {
    cells: (i) => ({
      GETBUSID: `${10_000 + i}`,
      TRADENAME: `Solaris ${i}`,
      ADDRESS_NO: `${100 + i}`,
      ADDRESS_PD: i % 2 ? 'N' : 'W',
      ADDRESS_ROAD: `HERON ${'ABCDEFGHIJ'[i % 10]}`,
      ADDRESS_SFX: 'ST',
      COMDISTCD: `Q${i % 7}`,
      COMDISTNM: `Quarter ${'ABCDEFG'[i % 7]}`,
      SECONDARYACTIVITY: tradeOf(i + 1),
      LICENCETYPES: tradeOf(i),
      FIRST_ISS_DT: isoOf(i),
    }),
    lines: [
      'category: { column: LICENCETYPES,...',
      'neighborhood: COMDISTNM',
      'address: [ ADDRESS_NO, ADDRESS_PD, ADDRESS_ROAD, ADDRESS_SFX ]',
    ],
  },
});

for (const kind of ['ESTABLISHMENT', 'PHYSICAL', 'PREMISES']) {
  const placeIn = (of: string, i: number, town: string, zip: string) => ({
    [`${of}_ADDRESS_1`]: `${i + 1} Quay St`,
    [`${of}_CITY`]: town,
    [`${of}_ZIP_CODE`]: zip,
  });
  testDrafts({
    [`the place "${kind}" outranks that of the business, which may be an office`]: {
      shop: (i) => ({
        ...placeIn('BUSINESS', i, i % 4 ? 'Otterfall' : 'Farfield', i % 4 ? '72201' : '10001'),
        ...placeIn(kind, i + 500, 'Otterfall', '72202'),
      }),
      lines: [`address: ${kind}_ADDRESS_1`, `postalCode: ${kind}_ZIP_CODE`],
    },
  });
}

for (const [latitude, longitude] of ['WGS84위도 WGS84경도', '緯度 経度', 'Широта Долгота', 'MapA MapB'].map(
  (two) => two.split(' '),
))
  testDrafts({
    [`"${latitude}" is the latitude, and "${longitude}" the longitude`]: {
      shop: (i) => ({ [longitude!]: `127.${100_123 + i}`, [latitude!]: `37.${500_123 + i}` }),
      lines: [`point: { longitude: ${longitude}, latitude: ${latitude} }`],
    },
  });

for (const [town, left, placeOf] of [
  ['진주시', COUNT / 4, (i) => (i % 4 ? '경상남도 진주시 동성동' : '경상남도 하동군 악양면')],
  ['서울특별시', 0, (i) => `서울특별시 ${['강남구', '종로구', '마포구'][i % 3]} 역삼동`],
] as [string, number, (i: number) => string][])
  testDrafts({
    [`the town of Korean addresses in ${town} is the city`]: {
      cells: (i) => ({
        관리번호: `5310000-201-${1000 + i}`,
        사업장명: `하늘정원펜션 ${i}호점`,
        인허가일자: isoOf(i),
        소재지전체주소: `${placeOf(i)} ${i + 1}번지, 2층`,
      }),
      lines: [`name: ${town}`],
      leftOut: left === 0 ? {} : { [OUTSIDE]: left },
    },
  });

for (const header of ['LocalAuthorityName', 'Comarca', 'Municipality', '市区町村名', '시군명', 'Gemeinde'])
  testDrafts({
    [`"${header}" is a town`]: {
      shop: (i) => ({ [header]: i % 4 === 0 ? 'Millrace' : 'Otterfall' }),
      leftOut: { [OUTSIDE]: COUNT / 4 },
    },
  });

for (const [number, street] of ['street_num street_name', 'STNO Address'].map((two) => two.split(' ')))
  testDrafts({
    [`the house number in "${number}" is a part of the address`]: {
      shop: (i) => ({ [number!]: `${100 + i}`, [street!]: `HERON ${'ABCDEFGHIJ'[i % 10]} ST` }),
      lines: [`address: [ ${number}, ${street} ]`],
    },
  });

/** Registers of more than a city: the column of the place, and the place of each row. */
const REGIONS: Record<string, [column: string, placeOf: (i: number) => string]> = {
  'a Korean province': ['도로명전체주소', (i) => `경상남도 ${TOWNS_KO[i % 18]} 동성로 ${i}`],
  'a Korean province in short': ['도로명전체주소', (i) => `경남 ${TOWNS_KO[i % 18]} 동성로 ${i}`],
  'a Japanese prefecture': ['住所', (i) => `愛媛県${TOWNS_JA[i % 6]}二番町${i}`],
  'a few municipalities': ['Municipality', (i) => `Farfield ${'ABCDE'[i % 5]}`],
};
const TOWNS_KO =
  '창원시 진주시 통영시 사천시 김해시 밀양시 거제시 양산시 의령군 함안군 창녕군 고성군 남해군 하동군 산청군 함양군 거창군 합천군'.split(
    ' ',
  );
const TOWNS_JA = '松山市 今治市 四国中央市 伊予郡砥部町 八幡浜市 西条市'.split(' ');

for (const [what, [column, placeOf]] of Object.entries(REGIONS))
  testDrafts({
    [`a register of ${what} is held, because it is not one city`]: {
      shop: (i) => ({ [column]: placeOf(i) }),
      args: OTTERFALL,
      held: SEVERAL,
    },
  });

/** Columns that say where a register is, and the region and time zone that a draft takes from them. */
type CellsOf = (i: number) => Record<string, string>;
const PLACES: Record<string, [cells: CellsOf, region?: string, zone?: string]> = {
  'region ids of a portal, beside points in California': [
    (i) => ({
      Latitude: `37.7${100 + i}`,
      Longitude: `-122.4${100 + i}`,
      'Zip Codes': `288${50 + (i % 20)}`,
    }),
    'Fill in the region',
    'America/Los_Angeles',
  ],
  'region ids of all lengths': [(i) => ({ 'Zip Codes': ['64', '308', '28854', '94105'][i % 4]! })],
  'a state of another country': [() => ({ State: 'WA', Postcode: '6000' })],
  'a country without states of these names': [() => ({ Country: 'Georgia', State: 'Georgia' })],
  'Spanish postal codes under an English header': [
    (i) => ({ zip_code: `280${10 + (i % 40)}`, address: `Calle Mayor ${i}`, province: 'Madrid' }),
  ],
  'ZIP codes beside American addresses': [
    (i) => ({ zip_code: `280${10 + (i % 40)}`, address: `${i} Quay St` }),
    'North Carolina',
    'America/New_York',
  ],
  'five digits under another header': [() => ({ Postcode: '28801' })],
  'points between two time zones': [(i) => ({ Latitude: `38.7${100 + i}`, Longitude: `-102.0${100 + i}` })],
  'a department that is called like a state': [() => ({ Departamento: 'FLORIDA' })],
  'a state that its postal codes contradict': [() => ({ State: 'CA', Zip: '30301' })],
  'a state and its postal codes': [
    () => ({ State: 'CA', Zip: '94105', Country: 'USA' }),
    'California',
    'America/Los_Angeles',
  ],
};

for (const [what, [shop, region = 'Fill in the region', zone = 'Etc/UTC']] of Object.entries(PLACES))
  testDrafts({
    [`init drafts a region and a time zone that agree with all columns, or asks for them: ${what}`]: {
      shop,
      args: OTTERFALL,
      lines: [`region: ${region}`, `timeZone: ${zone}`],
      lacks: what.startsWith('region ids') ? ['postalCode'] : [],
    },
  });

test('postal codes of five digits outside North America are no ZIP codes, and differ within a city', async () => {
  const { listings } = await checkDraft({
    shop: (i) => ({
      Address: `Hauptstraße ${i}`,
      Zip: `1${i % 5}11${i % 10}`,
      ...{ Latitude: `52.4${100 + i}`, Longitude: `13.2${100 + i}` },
    }),
    args: [...OTTERFALL, '--postal-codes'],
    lines: ['neighborhood: { postalCode: Zip }'],
    held: false,
  });
  const areas = new Set(listings.map(({ neighborhood }) => neighborhood));
  assert.ok(areas.has('10110') && areas.size > 5, [...areas].join());
});

test('the towns of a file without a header are told by its postal codes', async () => {
  const place = writeCsv(
    makeRecords(COUNT, (i) => ({
      Id: `${10_000 + i}`,
      Name: `${nameOf(i)} LLC`,
      Status: i % 9 ? 'Active' : 'Closed',
      Address: `${i + 1} Quay St`,
      Town: TOWNS[i % 4]!,
      State: 'AR',
      Zip: `7220${i % 8}`,
      Opened: isoOf(i),
    })),
  );
  writeFileSync(place, readFileSync(place, 'utf8').replace(/^.*\r\n/, ''));
  const made = await init(place, '--json', '--use', 'name=2', '--use', 'filed=8');
  assert.match(String(lastJson(made).runs[0]!.detail), /outside-city: .* "5" has 4 towns/);
});

/** Two squares side by side, in the Mountain time zone. */
const boundaries = join(folder, 'squares.geojson');
const labels = ['Northbank', 'Ropewalk'].map((label, i) => {
  return { objectid: i + 1, GlobalID: `{0${i}A-7}`, nhood_label: label, kind: 'official' };
});
writeFileSync(boundaries, squaresInARow(-105, 39, labels));

for (const [how, columns] of [
  ['in two columns', (x: string, y: string) => ({ LATITUDE: y, LONGITUDE: x })],
  ['as "latitude, longitude"', (x: string, y: string) => ({ geo_point_2d: `${y}, ${x}` })],
  ['as WKT', (x: string, y: string) => ({ Location: `POINT (${x} ${y})` })],
  ['as GeoJSON', (x: string, y: string) => ({ Geom: `{"coordinates": [${x}, ${y}], "type": "Point"}` })],
] as const)
  test(`points ${how} are placed in boundaries, which are copied into the folder`, async () => {
    const { listings } = await checkDraft({
      shop: (i) => ({ City: 'OTTERFALL', ...columns(`${-104.9 + (i % 2)}0${i}`, `39.5${i}`) }),
      args: ['--boundaries', boundaries],
      lines: ['boundaries: { file: boundaries.geojson, property: nhood_label }', 'timeZone: America/Denver'],
      neighborhoods: ['Northbank', 'Ropewalk'],
    });
    assert.equal(listings.filter(({ neighborhood }) => neighborhood === 'Ropewalk').length, COUNT / 2);
  });
