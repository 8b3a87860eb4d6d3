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
  aPulledCity,
  arcgisOf,
  ckanOf,
  type Dataset,
  makeFilings,
  socrataOf,
} from './a-portal.ts';

type Summed = { state: string; read: number; added: number };
const summed = ({ state, read, added }: Summed) => [state, read, added];
const SAME = ['unchanged', 'no changes, according to the publisher'];

test('a Socrata data set of several pages is read completely, despite stray rows, omitted nulls and refusals', async () => {
  const data = { records: makeFilings(23_000), strays: true };
  const { portal, pull, listings } = await aPulledCity('socrata', socrataOf(data));
  portal.problem = { status: 429, times: 2, headers: { 'retry-after': '0' } };
  const run = await pull();
  assert.deepEqual(summed(run), ['kept', 23_000, 23_000], run.detail ?? '');
  assert.equal(portal.asked.filter((path) => path.includes('$offset')).length, 3);
  assert.ok(!portal.asked.some((path) => path.includes('OWNER')), 'what is not declared is not asked for');
  const all = await listings();
  assert.equal(all[0]!.filedOn, '2025-03-01');
  assert.ok(all.some(({ neighborhood }) => neighborhood === null));
});

test('a data set on a portal can be joined to the rows of a file', async () => {
  const portal = await aPortal(socrataOf({ records: makeFilings(3) }));
  const from = `{ format: 'socrata', place: { url: '${portal.url}/resource/abcd-1234.json' } }`;
  const city = aCity();
  city.change(
    "delivers: 'snapshot'",
    `delivers: 'snapshot', join: { from: ${from}, column: 'ID', key: 'ID', take: ['DAY'] }`,
  );
  const service = await city.open();
  const text = 'ID,NAME,KIND,AREA,DAY,WHAT\nL1,Blue Heron,Restaurants,Old Town,2026-01-05,\n';
  const [run] = await service.ingest({ from: city.file('a.csv', text) });
  assert.deepEqual(summed(run!), ['kept', 1, 1], run?.detail ?? '');
});

/** 200 records on a portal, and how the service reads them. */
async function aPulledDataset() {
  const data: Dataset = { records: makeFilings(200) };
  return { data, ...(await aPulledCity('socrata', socrataOf(data))) };
}

test('an unchanged data set is not read again, and only the changed rows of a changed one are read', async () => {
  const { data, pull, listings } = await aPulledDataset();
  assert.deepEqual(summed(await pull()), ['kept', 200, 200]);
  const same = await pull();
  assert.deepEqual([same.state, same.detail], SAME);
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
  assert.equal((await listings()).length, 201, 'what was not read again is still there');
});

test('a data set with a new date but without changed rows is not imported again, and loses no rows', async () => {
  const { data, pull, listings } = await aPulledDataset();
  await pull();
  data.rowsUpdatedAt = 2;
  const run = await pull();
  assert.deepEqual(summed(run), ['unchanged', 0, 0], run.detail ?? '');
  assert.equal((await listings()).length, 200);
});

test('after a data set was replaced, it is read completely, and its rows are not news again', async () => {
  const { data, pull } = await aPulledDataset();
  await pull();
  data.rowsUpdatedAt = 2;
  data.records = data.records.map((row, i) => ({ ...row, ':id': `row-new-${i}`, ':updated_at': AT(3) }));
  const run = await pull();
  assert.deepEqual([...summed(run), run.unchanged, run.changed], ['kept', 200, 0, 200, 0]);
});

test('a row with a date in the future does not hide later changes', async () => {
  for (const time of ['9999-12-31T00:00:00.000Z', 'z'.repeat(100_000)]) {
    const records = [...makeFilings(1, { changedAt: time }), ...makeFilings(199, { first: 1 })];
    const data: Dataset = { records };
    const { pull } = await aPulledCity('socrata', socrataOf(data));
    const first = await pull();
    assert.ok(JSON.stringify(first.mark ?? '').length < 200, 'it is not stored either');
    data.rowsUpdatedAt = 2;
    data.records = [...makeFilings(200), ...makeFilings(1, { first: 200, changedAt: AT(2) })];
    const second = await pull();
    assert.deepEqual(summed(second), ['kept', 1, 1], second.detail ?? '');
  }
});

test('a missing column fails the run before a row is read, and names the nearest', async () => {
  const columns = ['ID', 'NAME', 'KIND', 'AREAS', 'DAY', 'WHAT'];
  const { portal, pull } = await aPulledCity('socrata', socrataOf({ records: makeFilings(30), columns }));
  const run = await pull();
  assert.equal(run.state, 'failed');
  assert.match(run.detail!, /column "AREA" is missing: .* "AREAS" \(nearest\)/);
  assert.ok(!portal.asked.some((path) => path.includes('$offset')));
});

/** A data set of 100 records, with another answer to some of what is asked. */
const except = (isAsked: (url: URL) => boolean, answer: unknown) => (url: URL) =>
  isAsked(url) ? answer : socrataOf({ records: makeFilings(100) })(url);
/** Cannot be made a text or a number: both conversions throw. */
const NO_TEXT = { toString: 1, valueOf: 1 };

const ODD_FORM = /: the response has an unexpected form$/;

/** What cannot be used: the answer with a wrong part, and what the run says. */
const ODD: [kind: 'socrata' | 'arcgis' | 'ckan', answer: (url: URL) => unknown, says: RegExp][] = [
  ['socrata', () => '<html>', /the response is not an object/],
  ['socrata', () => ({ error: true }), /no list of columns/],
  ['socrata', except((url) => url.searchParams.has('$select'), [7]), /the response is not a list of records/],
  [
    'socrata',
    except((url) => !!url.searchParams.get('$select')?.startsWith('count'), [{ n: '500' }]),
    /reports 500 rows but returned 100/,
  ],
  ['socrata', () => ({ columns: [{ fieldName: NO_TEXT }] }), ODD_FORM],
  ['arcgis', () => ({ fields: [{ name: NO_TEXT, type: 'esriFieldTypeOID' }] }), ODD_FORM],
  [
    'arcgis',
    (url) =>
      url.pathname.endsWith('/query')
        ? { error: { code: 498, message: 'Invalid token at 1 Some Street' } }
        : arcgisOf({ records: [] })(url),
    /error 498/,
  ],
  ['ckan', () => ({ success: true, result: { records: [], fields: [{ id: NO_TEXT }] } }), ODD_FORM],
  ['ckan', () => ({ success: false, error: { message: '1 Some Street' } }), /reports an error/],
];

for (const [kind, answer, says] of ODD)
  test(`${kind}: an answer that cannot be used fails the run with a message: ${says.source}`, async () => {
    const run = await (await aPulledCity(kind, answer)).pull();
    assert.equal(run.state, 'failed');
    assert.match(run.detail!, says);
    assert.doesNotMatch(run.detail!, /Some Street|\$select/);
  });

test('an ArcGIS layer is read by object id, with its dates as local days and its points as columns', async () => {
  const records = makeFilings(2_500).map((record, i) => ({
    ...record,
    // 16:30 on 1 March and 00:30 UTC on 2 March, which is 16:30 on 1 March in Rivermouth; midnight UTC is a bare day
    DAY: [Date.UTC(2025, 2, 2, 0, 30), Date.UTC(2025, 2, 1), null][i % 3 === 2 && i < 30 ? 2 : i % 2] ?? null,
    ...{ x: -118.2, y: 33.8 },
  }));
  const typeOf = (name: string) => (name === 'DAY' ? 'esriFieldTypeDate' : 'esriFieldTypeString');
  const fields = Object.keys(makeFilings(1)[0]!).map((name) => ({ name, type: typeOf(name) }));
  const layer = arcgisOf({ records, fields, edited: 7 });
  const { portal, pull, listings } = await aPulledCity('arcgis', layer, (city) =>
    city.change("columns: ['ID', 'NAME'", "columns: ['longitude', 'ID', 'NAME'"),
  );
  const run = await pull();
  assert.deepEqual(
    [run.state, run.read, run.openings, run.rejected[0]?.reason],
    ['kept', 2_500, 2_490, 'no filing date'],
  );
  const pages = () =>
    portal.asked.flatMap((path) => (path.includes('outFields') ? /outSR=\d+/.exec(path) : []));
  assert.deepEqual(pages(), Array(3).fill('outSR=4326'), 'points are in degrees');
  assert.deepEqual([...new Set((await listings()).map(({ filedOn }) => filedOn))], ['2025-03-01']);
  const same = await pull();
  assert.deepEqual([same.state, same.detail], SAME);
  assert.equal(pages().length, 3, 'nothing is read again');
});

type Page = { features?: unknown[]; result?: { records: unknown[] } };
/** What a portal answers in a page, cut short without a word. */
function cut(answer: Page): unknown {
  if (Array.isArray(answer)) return answer.slice(0, 400);
  const { features, result } = answer;
  if (features !== undefined) return { features: features.slice(0, 400) };
  return result === undefined
    ? answer
    : { ...answer, result: { ...result, records: result.records.slice(0, 100) } };
}

for (const [kind, count, answer] of [
  ['arcgis', 2_500, arcgisOf({ records: makeFilings(2_500) })],
  ['ckan', 700, ckanOf(makeFilings(700), 300)],
  ['socrata', 2_500, socrataOf({ records: makeFilings(2_500) })],
] as const)
  test(`${kind}: Shingle asks a portal that shortens pages until it has all rows that the portal counts, only Socrata gets its token, and only declared columns reach the disk`, async () => {
    const { portal, city, service, place, pull } = await aPulledCity(
      kind,
      (url) => cut(answer(url) as Page),
      (one) => {
        one.config.socrataToken = 'secret';
      },
    );
    const run = await pull();
    assert.deepEqual(summed(run), ['kept', count, count], run.detail ?? '');
    assert.equal(portal.headers['x-app-token'], kind === 'socrata' ? 'secret' : undefined);
    const options = { tempFolder: join(city.folder, 'pulled'), userAgent: 'Shingle/test', timeZone: 'UTC' };
    const [source] = service.loaded.city.sources;
    for await (const file of listSourceFiles(source!, place, { ...options, known: undefined }))
      assert.doesNotMatch(file === 'same' ? file : readFileSync(file.path, 'utf8'), /same|OWNER/);
  });

for (const [gives, state, read] of [
  [true, 'kept', 2_500],
  [false, 'failed', 0],
] as const)
  test(`records that the pages of an ArcGIS layer leave out are requested by their ids: ${state}`, async () => {
    const layer = arcgisOf({ records: makeFilings(2_500) });
    const { portal, pull } = await aPulledCity('arcgis', (url) => {
      const { features, ...answer } = layer(url) as { features?: { attributes: { OBJECTID: number } }[] };
      const isWhole = gives && url.searchParams.has('objectIds');
      return { ...answer, features: features?.filter((one) => isWhole || one.attributes.OBJECTID % 7 !== 0) };
    });
    const run = await pull();
    assert.deepEqual([run.state, run.read], [state, read], run.detail ?? '');
    assert.ok(portal.asked.length < 15, `${portal.asked.length} requests`);
  });

test('a CKAN resource is read in pages of the size that the portal gives, and with the filters of its source', async () => {
  const [all, filtered] = [ckanOf(makeFilings(900), 300), ckanOf(makeFilings(700), 300)];
  const isFiltered = (url: URL) => url.searchParams.get('filters') === '{"KIND":"Legal"}';
  const { pull } = await aPulledCity(
    'ckan',
    (url) => (isFiltered(url) ? filtered : all)(url),
    (city) => city.change("resource: 'r1'", "resource: 'r1', filters: { KIND: 'Legal' }"),
  );
  const run = await pull();
  assert.deepEqual(summed(run), ['kept', 700, 700], run.detail ?? '');
});

test('Shingle follows only redirects to hosts that the source names', async () => {
  const text = 'ID,NAME,KIND,AREA,DAY,WHAT\n1,Blue Heron,Legal,Old Town,2025-01-01,\n';
  const store = await aPortal((_url, response) => void response.end(text));
  const elsewhere = store.url.replace('127.0.0.1', 'localhost');
  const location = `${elsewhere}/export.csv`;
  const front = await aPortal((_url, response) => void response.writeHead(302, { location }).end());
  const detailWith = async (hosts: string) => {
    const city = aCity();
    city.change('from: csv(), delivers', `from: csv(), ${hosts}delivers`);
    const [run] = await (await city.open()).ingest({ from: `${front.url}/export.csv` });
    return `${run!.state} ${run!.detail}`;
  };
  assert.match(await detailWith(''), /^failed .*redirects to another host/);
  // a private address is refused even so
  assert.doesNotMatch(await detailWith(`hosts: ['${new URL(elsewhere).host}'], `), /another host/);
});
