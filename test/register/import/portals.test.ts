/** Filings from portals, read in pages from servers that behave like real portals. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listSourceFiles } from '../../../src/register/rows/source-files.ts';
import { aCity } from '../../a-city.ts';
import {
  AT,
  aPortal,
  aPortalCity,
  arcgisOf,
  COLUMNS,
  ckanOf,
  type Dataset,
  FIELDS,
  makeFilings,
  type Records,
  SOCRATA,
  socrataOf,
} from './a-portal.ts';

const dataset = (rows: Records): Dataset => ({
  records: rows,
  columns: COLUMNS,
  rowsUpdatedAt: 1,
  strays: false,
});
const summed = (run: {
  state: string;
  read: number;
  openings: number;
  added: number;
  detail: string | null;
}) => [run.state, run.read, run.added];

test('a Socrata data set of several pages is read completely, despite stray rows, omitted nulls and refusals', async () => {
  const portal = await aPortal(socrataOf({ ...dataset(makeFilings(23_000)), strays: true }));
  const city = aPortalCity(SOCRATA);
  const service = await city.open();
  portal.problem = { status: 429, times: 2, headers: { 'retry-after': '0' } };
  const [run] = await service.ingest({ from: `${portal.url}/resource/abcd-1234.json` });
  assert.deepEqual(summed(run!), ['kept', 23_000, 23_000], run?.detail ?? '');
  assert.equal(portal.asked.filter((path) => path.includes('$offset')).length, 3);
  assert.ok(!portal.asked.some((path) => path.includes('OWNER')), 'what is not declared is not asked for');
  const [first] = await Array.fromAsync(service.store.listings.listings());
  assert.deepEqual(
    [first![0]!.filedOn, first!.some(({ neighborhood }) => neighborhood === null)],
    ['2025-03-01', true],
  );
});

test('a data set on a portal can be joined to the rows of a file', async () => {
  const portal = await aPortal(socrataOf(dataset(makeFilings(3))));
  const from = `{ format: 'socrata', place: { url: '${portal.url}/resource/abcd-1234.json' } }`;
  const city = aCity();
  city.change(
    "delivers: 'snapshot'",
    `delivers: 'snapshot', join: { from: ${from}, column: 'ID', key: 'ID', take: ['DAY'] }`,
  );
  const service = await city.open();
  const path = city.file(
    'a.csv',
    'ID,NAME,KIND,AREA,DAY,WHAT\nL1,Blue Heron,Restaurants,Old Town,2026-01-05,\n',
  );
  const [run] = await service.ingest({ from: path });
  assert.deepEqual(summed(run!), ['kept', 1, 1], run?.detail ?? '');
});

/** 200 records on a portal, and how the service reads them. */
async function aPulledDataset() {
  const data = dataset(makeFilings(200));
  const portal = await aPortal(socrataOf(data));
  const service = await aPortalCity(SOCRATA).open();
  const pull = async () => (await service.ingest({ from: `${portal.url}/resource/abcd-1234.json` }))[0]!;
  return { data, pull, service };
}

test('an unchanged data set is not read again, and only the changed rows of a changed one are read', async () => {
  const { data, pull, service } = await aPulledDataset();
  assert.deepEqual(summed(await pull()), ['kept', 200, 200]);
  const same = await pull();
  assert.deepEqual([same.state, same.detail], ['unchanged', 'no changes, according to the publisher']);
  const before = makeFilings(201);
  for (const [at, name] of ['Renamed', 'Renamed again', 'Renamed'].entries()) {
    const updated = { ':updated_at': AT(at + 2) };
    data.rowsUpdatedAt = at + 2;
    data.records = before.map((row, i) => {
      if (i === 200) return { ...row, ...updated };
      return i < 3 ? { ...row, NAME: `${name} ${i}`, ...updated } : row;
    });
    const changed = await pull();
    assert.deepEqual([...summed(changed), changed.changed], ['kept', 4, at === 0 ? 1 : 0, 3], name);
  }
  const all = (await Array.fromAsync(service.store.listings.listings())).flat();
  assert.equal(all.length, 201, 'what was not read again is still there');
});

test('a data set with a new date but without changed rows is not imported again, and loses no rows', async () => {
  const { data, pull, service } = await aPulledDataset();
  await pull();
  data.rowsUpdatedAt = 2;
  const run = await pull();
  assert.deepEqual(summed(run), ['unchanged', 0, 0], run.detail ?? '');
  assert.equal((await Array.fromAsync(service.store.listings.listings())).flat().length, 200);
});

test('after a data set was replaced, it is read completely, and its rows are not news again', async () => {
  const { data, pull } = await aPulledDataset();
  await pull();
  data.rowsUpdatedAt = 2;
  data.records = data.records.map((row, i) => ({ ...row, ':id': `row-new-${i}`, ':updated_at': AT(3) }));
  const run = await pull();
  assert.deepEqual([...summed(run), run.unchanged, run.changed], ['kept', 200, 0, 200, 0]);
});

test('a missing column fails the run before a row is read, and names the nearest', async () => {
  const data = {
    ...dataset(makeFilings(30)),
    columns: COLUMNS.map((name) => (name === 'AREA' ? 'AREAS' : name)),
  };
  const portal = await aPortal(socrataOf(data));
  const service = await aPortalCity(SOCRATA).open();
  const [run] = await service.ingest({ from: `${portal.url}/resource/abcd-1234.json` });
  assert.equal(run!.state, 'failed');
  assert.match(run!.detail!, /column "AREA" is missing: .* "AREAS" \(nearest\)/);
  assert.ok(!portal.asked.some((path) => path.includes('$offset')));
});

test('a portal that keeps failing, returns a web page or gives too few rows fails the run with a message', async () => {
  for (const [answer, reason] of [
    [() => '<html>', /the response is not an object/],
    [() => ({ error: true }), /no list of columns/],
    [
      (url: URL) => (url.searchParams.has('$select') ? [7] : socrataOf(dataset(makeFilings(100)))(url)),
      /the response is not a list of records/,
    ],
    [
      (url: URL) =>
        url.searchParams.get('$select')?.startsWith('count')
          ? [{ n: '500' }]
          : socrataOf(dataset(makeFilings(100)))(url),
      /reports 500 rows but returned 100/,
    ],
  ] as [(url: URL) => unknown, RegExp][]) {
    const portal = await aPortal(answer);
    const service = await aPortalCity(SOCRATA).open();
    const [run] = await service.ingest({ from: `${portal.url}/resource/abcd-1234.json` });
    assert.equal(run!.state, 'failed');
    assert.match(run!.detail!, reason);
    assert.doesNotMatch(run!.detail!, /Some Street|\$select/);
  }
});

test('an ArcGIS layer is read by object id, with its dates as local days and its points as columns', async () => {
  const city = aPortalCity("arcgis({ url: 'https://gis.rivermouth.example/FeatureServer/0' })");
  city.change("columns: ['ID', 'NAME'", "columns: ['longitude', 'ID', 'NAME'");
  const dated = makeFilings(2_500).map((record, i) => ({
    ...record,
    // 16:30 on 1 March and 00:30 UTC on 2 March, which is 16:30 on 1 March in Rivermouth; midnight UTC is a bare day
    DAY: [Date.UTC(2025, 2, 2, 0, 30), Date.UTC(2025, 2, 1), null][i % 3 === 2 && i < 30 ? 2 : i % 2] ?? null,
    ...{ x: -118.2, y: 33.8 },
  }));
  const fields = [...FIELDS.filter(({ name }) => name !== 'DAY'), { name: 'DAY', type: 'esriFieldTypeDate' }];
  const portal = await aPortal(arcgisOf({ records: dated, fields, page: 1_000, edited: 7 }));
  const service = await city.open();
  const pull = async () =>
    (await service.ingest({ from: `${portal.url}/arcgis/rest/services/L/FeatureServer/0` }))[0]!;
  const run = await pull();
  assert.deepEqual(
    [run.state, run.read, run.openings, run.rejected[0]?.reason],
    ['kept', 2_500, 2_490, 'no filing date'],
  );
  const pages = portal.asked.filter((path) => path.includes('outFields'));
  assert.deepEqual(
    pages.map((path) => /outSR=\d+/.exec(path)?.[0]),
    Array(3).fill('outSR=4326'),
    'points are in degrees',
  );
  const all = (await Array.fromAsync(service.store.listings.listings())).flat();
  assert.deepEqual([...new Set(all.map(({ filedOn }) => filedOn))], ['2025-03-01']);
  const same = await pull();
  assert.deepEqual([same.state, same.detail], ['unchanged', 'no changes, according to the publisher']);
  assert.equal(portal.asked.filter((path) => path.includes('outFields')).length, 3, 'nothing is read again');
});

/** What a portal answers in a page, cut short without a word. */
const cut: Record<string, (answer: never) => unknown> = {
  arcgis: ({ features, ...answer }: { features?: unknown[]; exceededTransferLimit?: boolean }) =>
    features === undefined ? answer : { features: features.slice(0, 400) },
  ckan: ({ result, ...answer }: { result: { records: unknown[] } }) => ({
    ...answer,
    result: { ...result, records: result.records.slice(0, 100) },
  }),
  socrata: (answer: unknown[]) => (Array.isArray(answer) ? answer.slice(0, 400) : answer),
};

for (const [kind, from, path, answer] of [
  [
    'arcgis',
    "arcgis({ url: 'https://a.example/FeatureServer/0' })",
    '/L/FeatureServer/0',
    arcgisOf({ records: makeFilings(2_500), fields: FIELDS, page: 1_000 }),
  ],
  [
    'ckan',
    "ckan({ host: 'a.example', resource: 'r1' })",
    '/api/3/action/datastore_search?resource_id=r1',
    ckanOf(makeFilings(700), 300),
  ],
  ['socrata', SOCRATA, '/resource/abcd-1234.json', socrataOf(dataset(makeFilings(2_500)))],
] as const)
  test(`${kind}: Shingle asks a portal that shortens pages until it has all rows that the portal counts, only Socrata gets its token, and only declared columns reach the disk`, async () => {
    const portal = await aPortal((url) => cut[kind]!(answer(url) as never));
    const city = aPortalCity(from);
    city.config.socrataToken = 'secret';
    const service = await city.open();
    const [run] = await service.ingest({ from: portal.url + path });
    const count = kind === 'ckan' ? 700 : 2_500;
    assert.deepEqual(summed(run!), ['kept', count, count], run?.detail ?? '');
    assert.equal(portal.headers['x-app-token'], kind === 'socrata' ? 'secret' : undefined);
    const options = { tempFolder: join(city.folder, 'pulled'), userAgent: 'Shingle/test', timeZone: 'UTC' };
    const [source] = service.loaded.city.sources;
    const place = portal.url + path;
    for await (const file of listSourceFiles(source!, place, { ...options, known: undefined }))
      assert.doesNotMatch(file === 'same' ? file : readFileSync(file.path, 'utf8'), /same|OWNER/);
  });

test('Shingle requests records that the pages of an ArcGIS layer leave out by their ids', async () => {
  const layer = arcgisOf({ records: makeFilings(2_500), fields: FIELDS, page: 1_000 });
  const leavesOut = (feature: { attributes: { OBJECTID: number } }) => feature.attributes.OBJECTID % 7 === 0;
  for (const [gives, state] of [
    [true, 'kept'],
    [false, 'failed'],
  ] as const) {
    const portal = await aPortal((url) => {
      const { features, ...answer } = layer(url) as { features?: never[] };
      if (features === undefined || (gives && url.searchParams.has('objectIds')))
        return { ...answer, features };
      return { ...answer, features: features.filter((one) => !leavesOut(one)) };
    });
    const service = await aPortalCity("arcgis({ url: 'https://a.example/FeatureServer/0' })").open();
    const [run] = await service.ingest({ from: `${portal.url}/FeatureServer/0` });
    assert.deepEqual([run!.state, run!.read], [state, gives ? 2_500 : 0], run!.detail ?? '');
    assert.ok(portal.asked.length < 15, `${portal.asked.length} requests`);
  }
});

test('an error in an answer with status 200 fails the run, and only its number is shown', async () => {
  const portal = await aPortal((url) =>
    url.pathname.endsWith('/query')
      ? { error: { code: 498, message: 'Invalid token at 1 Some Street' } }
      : arcgisOf({ records: [], fields: FIELDS, page: 1_000 })(url),
  );
  const service = await aPortalCity(
    "arcgis({ url: 'https://gis.rivermouth.example/FeatureServer/0' })",
  ).open();
  const [run] = await service.ingest({ from: `${portal.url}/FeatureServer/0` });
  assert.deepEqual(
    [run!.state, /error 498/.test(run!.detail!), /Street/.test(run!.detail!)],
    ['failed', true, false],
  );
});

test('a CKAN resource is read in pages of the size that the portal gives, and with the filters of its source', async () => {
  const [all, filtered] = [ckanOf(makeFilings(900), 300), ckanOf(makeFilings(700), 300)];
  const isFiltered = (url: URL) => url.searchParams.get('filters') === '{"KIND":"Legal"}';
  const portal = await aPortal((url) => (isFiltered(url) ? filtered : all)(url));
  const resource = "{ host: 'data.rivermouth.example', resource: 'r1', filters: { KIND: 'Legal' } }";
  const city = aPortalCity(`ckan(${resource})`);
  const service = await city.open();
  const [run] = await service.ingest({ from: `${portal.url}/api/3/action/datastore_search?resource_id=r1` });
  assert.deepEqual(summed(run!), ['kept', 700, 700], run?.detail ?? '');
  const failing = await aPortal(() => ({ success: false, error: { message: '1 Some Street' } }));
  const [failed] = await service.ingest({
    from: `${failing.url}/api/3/action/datastore_search?resource_id=r1`,
  });
  assert.match(failed!.detail!, /reports an error/);
});

test('Shingle follows only redirects to hosts that the source names', async () => {
  const store = await aPortal(
    (_url, response) =>
      void response.end('ID,NAME,KIND,AREA,DAY,WHAT\n1,Blue Heron,Legal,Old Town,2025-01-01,\n'),
  );
  const elsewhere = store.url.replace('127.0.0.1', 'localhost');
  const front = await aPortal(
    (_url, response) => void response.writeHead(302, { location: `${elsewhere}/export.csv` }).end(),
  );
  const states: string[] = [];
  for (const hosts of ['', `hosts: ['${new URL(elsewhere).host}'], `]) {
    const city = aCity();
    city.change('from: csv(), delivers', `from: csv(), ${hosts}delivers`);
    const service = await city.open();
    const [run] = await service.ingest({ from: `${front.url}/export.csv` });
    states.push(`${run!.state} ${run!.detail ?? ''}`);
  }
  assert.match(states[0]!, /^failed .*redirects to another host/);
  assert.doesNotMatch(states[1]!, /another host/); // a private address is refused even so
});
