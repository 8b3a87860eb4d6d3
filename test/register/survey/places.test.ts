/** A draft keeps to the city, and places a business by what names neighborhoods: never by its town or a district number. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { squaresInARow } from '../../squares.ts';
import {
  countSkipped,
  draftRegister,
  draftRows,
  env,
  folder,
  isoOf,
  makeRecords,
  nameOf,
  tradeOf,
  writeCsv,
} from './a-register.ts';

const COUNT = 400;

/** Two squares side by side, in the Mountain time zone. */
const SQUARES = squaresInARow(
  -105,
  39,
  ['Northbank', 'Ropewalk'].map((label, i) => {
    return { objectid: i + 1, GlobalID: `{0${i}A-7}`, nhood_label: label, kind: 'official' };
  }),
);

/** Drafts a profile of shops that have these cells besides. */
const draftShops = (cells: (i: number) => Record<string, string>, args: readonly string[] = []) =>
  draftRegister(
    makeRecords(COUNT, (i) => ({
      'License ID': `${10_000 + i}`,
      'Business Name': nameOf(i),
      ...cells(i),
      'Date Opened': isoOf(i),
    })),
    { args },
  );

test('rows of other towns and states are skipped, and every spelling of the town is kept', async () => {
  const towns = [
    'OTTERFALL, AR 72201-1234',
    'Otterfall, AR',
    'OTTERFAL, AR 72201',
    'Millrace, AR 72114',
    'Otterfall, AR 722011234',
  ];
  const drafted = await draftRows(COUNT, (i) => ({
    'Account #': `${10_000 + i}`,
    DBA: nameOf(i),
    'Bus address': `${i} Quay St`,
    'Bus City, State': i % 40 === 2 ? towns[2]! : towns[[0, 1, 3, 4][i % 4]!]!,
    'Start date': isoOf(i),
  }));
  assert.equal(countSkipped(drafted, 'outside the city'), COUNT / 4, drafted.text);
  assert.match(drafted.text, /^name: Otterfall$/m);
  assert.match(drafted.text, /^timeZone: America\/Chicago$/m);
  assert.match(drafted.text, /^region: Arkansas$/m);
  assert.deepEqual([...new Set(drafted.listings.map((one) => one.neighborhood))], [null]);
});

test('the largest town of many small ones is the city, and a town that is only the first of several is not', async () => {
  const draft = (townOf: (i: number) => string) =>
    draftRegister(
      makeRecords(COUNT, (i) => ({ dba_name: nameOf(i), city: townOf(i), effective_date: isoOf(i) })),
    );
  const manyFar = await draft((i) => (i % 5 < 2 ? 'Otterfall' : `Town ${nameOf(i % 30)}`));
  assert.equal(countSkipped(manyFar, 'outside the city'), (COUNT * 3) / 5, manyFar.text);
  const county = await draft((i) => ['Otterfall', 'Otterfall', 'Millrace', 'Saltmarsh', 'Heronby'][i % 5]!);
  assert.equal(countSkipped(county, 'outside the city'), 0, county.text);
});

test('a register of several towns is held until its city or county is named, and says how many rows are left out', async () => {
  const towns = ['Otterfall', 'OTTERFALL', 'Millrace', 'Saltmarsh'];
  const draft = (args: readonly string[] = []) => draftShops((i) => ({ City: towns[i % 4]! }), args);
  const mapped = await draftShops((i) => ({
    City: towns[i % 4]!,
    Latitude: `4${i % 4}.5${10 + i}`,
    Longitude: '-104.91234',
  }));
  for (const unnamed of [await draft(), mapped]) {
    assert.equal(unnamed.state, 'held');
    assert.match(unnamed.detail, /outside-city: the register seems to cover several towns, .* 3 towns/);
  }
  const named = await draft(['--name', 'Otterfall']);
  assert.equal(countSkipped(named, 'outside the city'), COUNT / 2, named.text);
  assert.doesNotMatch(named.detail, /several towns/);
  const county = await draft(['--name', 'Otterfall County']);
  assert.equal(countSkipped(county, 'outside the city'), 0);
  assert.doesNotMatch(county.detail, /outside-city/);
});

test('the towns of a file without a header are told by its postal codes', async () => {
  const towns = ['Otterfall', 'Millrace', 'Saltmarsh', 'Heronby'];
  const place = writeCsv(
    makeRecords(COUNT, (i) => ({
      Id: `${10_000 + i}`,
      Name: `${nameOf(i)} LLC`,
      Status: i % 9 ? 'Active' : 'Closed',
      Address: `${i + 1} Quay St`,
      Town: towns[i % 4]!,
      State: 'AR',
      Zip: `7220${i % 8}`,
      Opened: isoOf(i),
    })),
  );
  writeFileSync(place, readFileSync(place, 'utf8').replace(/^.*\r\n/, ''));
  const args = ['--json', '--no-install', '--use', 'name=2', '--use', 'filed=8'];
  const made = await command(['init', place, '--out', join(folder, 'bare'), ...args], env);
  assert.match(String(lastJson(made).runs[0]!.detail), /outside-city: .* "5" has 4 towns/);
});

test('a small town of a county is kept once it is named, unless another town has most of the rows', async () => {
  const draft = (townOf: (i: number) => string) =>
    draftShops((i) => ({ City: i % 20 ? townOf(i) : 'Otterfall' }), ['--name', 'Otterfall']);
  for (const towns of ['ABCDEFGHI', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ']) {
    const county = await draft((i) => `Farfield ${towns[i % towns.length]}`);
    assert.deepEqual([county.state, countSkipped(county, 'outside the city')], ['kept', COUNT * 0.95]);
  }
  const neighbor = await draft((i) => (i % 3 ? 'Millrace' : `Farfield ${'ABCDEFGHI'[i % 9]}`));
  assert.equal(neighbor.state, 'held');
  assert.match(neighbor.detail, /outside-city: .* are left out, because they have another town/);
});

test('the place of an establishment outranks that of the business, which may be an office', async () => {
  const place = (kind: string, i: number, town: string, zip: string) => ({
    [`${kind}_ADDRESS_1`]: `${i + 1} Quay St`,
    [`${kind}_CITY`]: town,
    [`${kind}_ZIP_CODE`]: zip,
  });
  for (const kind of ['ESTABLISHMENT', 'PHYSICAL', 'PREMISES']) {
    const drafted = await draftShops((i) => ({
      ...place('BUSINESS', i, i % 4 ? 'Otterfall' : 'Farfield', i % 4 ? '72201' : '10001'),
      ...place(kind, i + 500, 'Otterfall', '72202'),
    }));
    const { text } = drafted;
    assert.equal(countSkipped(drafted, 'outside the city'), 0, text);
    assert.match(text, new RegExp(`address: ${kind}_ADDRESS_1\\n +postalCode: ${kind}_ZIP_CODE$`, 'm'));
  }
});

test('coordinates are found in other scripts, and by their degrees where one is beyond 90', async () => {
  for (const [latitude, longitude] of [
    ['WGS84위도', 'WGS84경도'],
    ['緯度', '経度'],
    ['Широта', 'Долгота'],
    ['Map A', 'Map B'],
  ] as const) {
    const drafted = await draftShops((i) => ({
      [longitude]: `127.${100_123 + i}`,
      [latitude]: `37.${500_123 + i}`,
    }));
    assert.ok(
      drafted.text.includes(`point: { longitude: ${longitude}, latitude: ${latitude} }`),
      drafted.text,
    );
  }
});

test('the town of a Korean address is the city, in a province and in a city of its own', async () => {
  const draft = (placeOf: (i: number) => string) =>
    draftRows(COUNT, (i) => ({
      관리번호: `5310000-201-${1000 + i}`,
      사업장명: `하늘정원펜션 ${i}호점`,
      인허가일자: isoOf(i),
      소재지전체주소: `${placeOf(i)} ${i + 1}번지, 2층`,
    }));
  const province = await draft((i) => (i % 4 ? '경상남도 진주시 동성동' : '경상남도 하동군 악양면'));
  assert.match(province.text, /^name: 진주시$/m);
  assert.equal(countSkipped(province, 'outside the city'), COUNT / 4, province.text);
  const metropolis = await draft((i) => `서울특별시 ${['강남구', '종로구', '마포구'][i % 3]} 역삼동`);
  assert.match(metropolis.text, /^name: 서울특별시$/m);
});

test('a column of yes and no decides which rows are in the city', async () => {
  const drafted = await draftRows(COUNT, (i) => ({
    license_number: `L${10_000 + i}`,
    trade_name: nameOf(i),
    zip: i % 4 ? '98101' : '59718',
    is_otterfall_address: i % 4 ? '1' : '0',
    open_date: isoOf(i),
  }));
  assert.equal(countSkipped(drafted, 'outside the city'), COUNT / 4, drafted.text);
});

test('a town, a district number or a ZIP area is a neighborhood only if the operator says so', async () => {
  const drafted = await draftShops((i) => ({
    City: 'OTTERFALL',
    'Council District': `${i % 9}`,
    Ward: `Ward ${i % 6}`,
    Zip: `8020${i % 4}1234`,
  }));
  assert.deepEqual(
    [...new Set(drafted.listings.map(({ neighborhood }) => neighborhood))],
    [null],
    drafted.text,
  );
  assert.doesNotMatch(drafted.text, /^ +neighborhood:/m);
  assert.match(drafted.text, /^timeZone: America\/Denver$/m);
});

test('a column of neighborhoods takes precedence, and an empty cell means no neighborhood', async () => {
  const drafted = await draftShops((i) => ({
    City: 'OTTERFALL',
    'Council District': `${i % 9}`,
    LocalArea: ['NORTHBANK', 'ROPEWALK', 'COOPER WHARF', ''][i % 4]!,
    Zip: '80202',
  }));
  assert.deepEqual(
    [...new Set(drafted.listings.map(({ neighborhood }) => neighborhood))].sort(),
    ['Cooper Wharf', 'Northbank', 'Ropewalk', null],
    drafted.text,
  );
});

for (const [how, columns] of [
  ['in two columns', (x: string, y: string) => ({ LATITUDE: y, LONGITUDE: x })],
  ['as "latitude, longitude"', (x: string, y: string) => ({ geo_point_2d: `${y}, ${x}` })],
  ['as WKT', (x: string, y: string) => ({ Location: `POINT (${x} ${y})` })],
  ['as GeoJSON', (x: string, y: string) => ({ Geom: `{"coordinates": [${x}, ${y}], "type": "Point"}` })],
] as const) {
  test(`points ${how} are placed in boundaries, which are copied into the folder`, async () => {
    const boundaries = join(folder, 'squares.geojson');
    writeFileSync(boundaries, SQUARES);
    const cells = (i: number) => columns(`${-104.9 + (i % 2)}0${i}`, `39.5${i}`);
    const drafted = await draftShops(
      (i) => ({ City: 'OTTERFALL', ...cells(i) }),
      ['--boundaries', boundaries],
    );
    const counts = ['Northbank', 'Ropewalk'].map(
      (name) => drafted.listings.filter((one) => one.neighborhood === name).length,
    );
    assert.deepEqual(counts, [COUNT / 2, COUNT / 2], drafted.text);
    assert.match(drafted.text, /^boundaries: \{ file: boundaries.geojson, property: nhood_label \}$/m);
    assert.match(drafted.text, /^timeZone: America\/Denver$/m);
  });
}

test('a register without a main town is a county, and its towns are used as neighborhoods and marked to check', async () => {
  const towns = ['Otterfall', 'Millrace', 'Northbank', 'Ropewalk'];
  const drafted = await draftRows(COUNT, (i) => ({
    doc_number: `L26${10_000 + i}`,
    name: `${nameOf(i)} LLC`,
    filing_date: isoOf(i),
    city: towns[i % 4]!,
    county: 'QUARRY',
  }));
  assert.deepEqual(
    [...new Set(drafted.listings.map(({ neighborhood }) => neighborhood))].sort(),
    towns.toSorted(),
  );
  assert.match(drafted.text, /^name: Quarry County$/m);
  assert.match(drafted.text, /^ +neighborhood: city$/m);
});

test('a time zone without evidence has no default, and is marked to check', async () => {
  const drafted = await draftRegister(
    makeRecords(COUNT, (i) => ({ id: `${i}`, business_name: nameOf(i), type: tradeOf(i), opened: isoOf(i) })),
  );
  assert.match(drafted.text, /^timeZone: Etc\/UTC$/m);
});

test('init does not mistake addresses for neighborhoods, a counter for a postal code, or an expiry for a closure', async () => {
  const towns = ['Otterfall', 'Millrace', 'Northbank', 'Ropewalk'];
  const drafted = await draftRows(COUNT, (i) => ({
    index: `${i + 1}`,
    dba_name: i % 4 === 0 ? 'Data Not Available' : nameOf(i),
    business_name: `${nameOf(i)} LLC`,
    address: `${i} Quay St, ${towns[i % 4]}, AR 72${200 + (i % 4)}`,
    zipcode: `72${200 + (i % 4)}`,
    status: i % 5 === 2 ? 'Deferred' : 'Granted',
    start_date: isoOf(i),
    license_end_date: '2029-12-31',
  }));
  assert.doesNotMatch(drafted.text, /^ +(?:neighborhood|ended):/m);
  assert.match(drafted.text, /^ +postalCode: zipcode$/m);
  assert.equal(countSkipped(drafted, 'never opened: Deferred'), COUNT / 5, drafted.text);
  assert.match(drafted.text, /^ +expires: \{ column: license_end_date,/m);
  assert.equal(drafted.listings.filter(({ name }) => name === `${nameOf(0)} LLC`).length, 1, drafted.text);
  assert.ok(drafted.listings.every(({ name }) => !/not available/i.test(name)));
});

test('a postal town lies in the city if its rows have a council district', async () => {
  const towns = ['OTTERFALL', 'OTTERFALL', 'OTTERFALL', 'Millrace', 'NORTHBANK'];
  const drafted = await draftShops((i) => ({
    City: towns[i % 5]!,
    'Council District': i % 5 === 4 || i % 50 === 0 ? '' : `${1 + (i % 9)}`,
  }));
  assert.match(drafted.text, /keep: \[ OTTERFALL, Millrace \]/);
  assert.equal(countSkipped(drafted, 'outside the city'), COUNT / 5);
});

/** Columns that say where a register is, and the region and time zone that a draft takes from them. */
const PLACES: Record<string, [cells: (i: number) => Record<string, string>, region: string, zone: string]> = {
  'region ids of a portal, beside points in California': [
    (i) => ({
      Latitude: `37.7${100 + i}`,
      Longitude: `-122.4${100 + i}`,
      'Zip Codes': `288${50 + (i % 20)}`,
    }),
    'Fill in the region',
    'America/Los_Angeles',
  ],
  'region ids of all lengths': [
    (i) => ({ 'Zip Codes': ['64', '308', '28854', '94105'][i % 4]! }),
    'Fill in the region',
    'Etc/UTC',
  ],
  'a state of another country': [() => ({ State: 'WA', Postcode: '6000' }), 'Fill in the region', 'Etc/UTC'],
  'a country without states of these names': [
    () => ({ Country: 'Georgia', State: 'Georgia' }),
    'Fill in the region',
    'Etc/UTC',
  ],
  'Spanish postal codes under an English header': [
    (i) => ({ zip_code: `280${10 + (i % 40)}`, address: `Calle Mayor ${i}`, province: 'Madrid' }),
    'Fill in the region',
    'Etc/UTC',
  ],
  'ZIP codes beside American addresses': [
    (i) => ({ zip_code: `280${10 + (i % 40)}`, address: `${i} Quay St` }),
    'North Carolina',
    'America/New_York',
  ],
  'a department that is called like a state': [
    () => ({ Departamento: 'FLORIDA' }),
    'Fill in the region',
    'Etc/UTC',
  ],
  'a state that its postal codes contradict': [
    () => ({ State: 'CA', Zip: '30301' }),
    'Fill in the region',
    'Etc/UTC',
  ],
  'a state and its postal codes': [
    () => ({ State: 'CA', Zip: '94105', Country: 'USA' }),
    'California',
    'America/Los_Angeles',
  ],
};

for (const [what, [cells, region, zone]] of Object.entries(PLACES))
  test(`init drafts a region and a time zone that agree with all columns, or asks for them: ${what}`, async () => {
    const { text } = await draftShops(cells, ['--name', 'Otterfall']);
    assert.deepEqual(
      [/^region: (.*)$/m.exec(text)?.[1], /^timeZone: (.*)$/m.exec(text)?.[1]],
      [region, zone],
      text,
    );
    if (what.startsWith('region ids')) assert.doesNotMatch(text, /postalCode/);
  });

test('postal codes of five digits outside North America are no ZIP codes, and differ within a city', async () => {
  const cells = (i: number) => ({
    Address: `Hauptstraße ${i}`,
    Zip: `1${i % 5}11${i % 10}`,
    ...{ Latitude: `52.4${100 + i}`, Longitude: `13.2${100 + i}` },
  });
  const drafted = await draftShops(cells, ['--name', 'Otterfall', '--postal-codes']);
  assert.match(drafted.text, /neighborhood: \{ postalCode: Zip \}/);
  const areas = new Set(drafted.listings.map(({ neighborhood }) => neighborhood));
  assert.ok(areas.has('10110') && areas.size > 5, [...areas].join());
  assert.equal(drafted.detail, '');
});

/** Registers of more than a city: the column of the place, the place of each row, and a name for `init`. */
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
  test(`a register of ${what} is held, because it is not one city`, async () => {
    const drafted = await draftShops((i) => ({ [column]: placeOf(i) }), ['--name', 'Otterfall']);
    assert.equal(drafted.state, 'held');
    assert.match(drafted.detail, /outside-city: the register seems to cover several towns/);
  });

test('the towns of a county are neighborhoods, and numbers of districts, also Roman ones, are none', async () => {
  const draft = (name: string, column: string, placeOf: (i: number) => string) =>
    draftShops((i) => ({ [column]: placeOf(i) }), ['--name', name]);
  const county = await draft('Otterfall County', 'City', (i) => `Farfield ${'ABCDEFGH'[i % 8]}`);
  assert.match(county.text, /^ +neighborhood: City$/m);
  assert.equal(county.detail, '');
  const districts = await draft(
    'Otterfall',
    'Community District Name',
    (i) => `District ${['I', 'II', 'III', 'IV'][i % 4]}`,
  );
  assert.doesNotMatch(districts.text, /^ +neighborhood:/m);
});

for (const header of ['LocalAuthorityName', 'Comarca', 'Municipality', '市区町村名', '시군명', 'Gemeinde'])
  test(`"${header}" is a town`, async () => {
    const drafted = await draftShops((i) => ({
      [header]: i % 4 === 0 ? 'Millrace' : 'Otterfall',
    }));
    assert.equal(countSkipped(drafted, 'outside the city'), COUNT / 4, drafted.text);
  });

test('headers that are glued, shortened or in the plural name types, quarters and the parts of an address', async () => {
  const drafted = await draftRows(COUNT, (i) => ({
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
  }));
  assert.match(drafted.text, /^ +category: \{ column: LICENCETYPES,/m);
  assert.match(drafted.text, /^ +neighborhood: COMDISTNM$/m);
  assert.match(drafted.text, /^ +address: \[ ADDRESS_NO, ADDRESS_PD, ADDRESS_ROAD, ADDRESS_SFX \]$/m);
});

for (const [number, street] of [
  ['street_num', 'street_name'],
  ['STNO', 'Address'],
] as const)
  test(`the house number in "${number}" is a part of the address`, async () => {
    const drafted = await draftRows(COUNT, (i) => ({
      dba_name: nameOf(i),
      [number]: `${100 + i}`,
      [street]: `HERON ${'ABCDEFGHIJ'[i % 10]} ST`,
      issue_date: isoOf(i),
    }));
    assert.match(drafted.text, new RegExp(`^ +address: \\[ ${number}, ${street} \\]$`, 'm'));
  });
