/** Portals that ignore which page they are asked for, go round in circles, never end or answer with odd values: the pull ends, and nothing of it is kept. */

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listSourceFiles } from '../../../src/register/rows/source-files.ts';
import {
  AT,
  aPortal,
  aPortalCity,
  arcgisOf,
  COLUMNS,
  ckanOf,
  FIELDS,
  makeFilings,
  SOCRATA,
  socrataOf,
} from './a-portal.ts';

type Handler = (url: URL) => unknown;
type Flaw = 'deaf' | 'circling' | 'endless';

/** Where a page really begins, on a portal that has a flaw. */
const flawed = (flaw: Flaw, start: number, page: number): number =>
  flaw === 'deaf' ? 0 : flaw === 'circling' ? start % (2 * page) : start;

/** A Socrata data set that says it has `total` rows. */
function socrata(flaw: Flaw, total: number): Handler {
  const page = 10_000;
  const sound = socrataOf({ records: [], columns: COLUMNS, rowsUpdatedAt: 1, strays: false });
  return (url) => {
    if (url.searchParams.get('$select')?.startsWith('count')) return [{ n: String(total) }];
    if (!url.searchParams.has('$offset')) return sound(url);
    return makeFilings(page, { first: flawed(flaw, Number(url.searchParams.get('$offset')), page) });
  };
}

/** An ArcGIS layer: records are asked for by the last object id, so going round in circles is being deaf. */
function arcgis(flaw: Flaw, total: number): Handler {
  const page = 1_000;
  const sound = arcgisOf({ records: [], fields: FIELDS, page });
  return (url) => {
    if (url.searchParams.get('returnCountOnly') === 'true') return { count: total };
    if (!url.searchParams.has('outFields')) return sound(url);
    const last = Number(/OBJECTID > (-?\d+)/.exec(url.searchParams.get('where')!)![1]);
    const start = flawed(flaw, Math.max(0, last), page);
    const features = makeFilings(page, { first: start }).map((attributes, i) => ({
      attributes: { ...attributes, OBJECTID: start + i + 1 },
    }));
    return { features, exceededTransferLimit: true };
  };
}

/** A CKAN resource with pages of 500 records. */
function ckan(flaw: Flaw, total: number, isEstimate = false): Handler {
  const page = 500;
  const sound = ckanOf(makeFilings(1, { first: 0 }), 1);
  return (url) => {
    const { result } = sound(url) as { result: { fields: object[] } };
    const start = flawed(flaw, Number(url.searchParams.get('offset')), page);
    const given = makeFilings(page, { first: start }).map((record, i) => ({ _id: start + i + 1, ...record }));
    const limit = Math.min(page, Number(url.searchParams.get('limit')));
    return {
      success: true,
      result: {
        fields: result.fields,
        records: given.slice(0, limit),
        limit,
        total,
        total_was_estimated: isEstimate,
      },
    };
  };
}

type Kind = { from: string; path: string; portal: (flaw: Flaw, total: number) => Handler };
const KINDS: Record<string, Kind> = {
  Socrata: { from: SOCRATA, path: '/resource/abcd-1234.json', portal: socrata },
  ArcGIS: {
    from: "arcgis({ url: 'https://gis.rivermouth.example/FeatureServer/0' })",
    path: '/FeatureServer/0',
    portal: arcgis,
  },
  CKAN: {
    from: "ckan({ host: 'data.rivermouth.example', resource: 'r1' })",
    path: '/api/3/action/datastore_search?resource_id=r1',
    portal: ckan,
  },
};

const FLAWS: [flaw: Flaw, total: number, says: RegExp][] = [
  ['deaf', 45_000, /a page without a new record/],
  ['circling', 1_000_000_000, /a page without a new record/],
  ['endless', 3_000, /reports 3000 records but keeps returning more/],
];

for (const [name, kind] of Object.entries(KINDS))
  test(`a portal (${name}) that ignores the requested page, repeats pages or never ends fails the run, and no row of it is kept`, async () => {
    for (const [flaw, total, says] of FLAWS) {
      const portal = await aPortal(kind.portal(flaw, total));
      const city = aPortalCity(kind.from);
      const service = await city.open();
      const [run] = await service.ingest({ from: `${portal.url}${kind.path}` });
      assert.equal(run!.state, 'failed', flaw);
      assert.match(run!.detail!, says, flaw);
      assert.ok(portal.asked.length <= 20, `${flaw}: ${portal.asked.length} requests`);
      assert.equal((await Array.fromAsync(service.store.listings.listings())).flat().length, 0);
    }
  });

test('all pages of a pull share one deadline, and no temporary file remains', async () => {
  const portal = await aPortal((url) => ckan('endless', 3_000, true)(url));
  const city = aPortalCity(KINDS.CKAN!.from);
  const service = await city.open();
  const tempFolder = join(city.folder, 'pulled');
  // a slow machine asks for the third page later
  for (let totalMs = 500; portal.asked.length <= 2; totalMs *= 2) {
    portal.asked.length = 0;
    const pull = Array.fromAsync(
      listSourceFiles(service.loaded.city.sources[0]!, `${portal.url}${KINDS.CKAN!.path}`, {
        ...{ tempFolder, userAgent: 'Shingle/test', timeZone: 'UTC', known: undefined },
        limits: { totalMs },
      }),
    );
    await assert.rejects(pull, { code: 'source', message: new RegExp(`longer than ${totalMs / 1000} s`) });
    assert.deepEqual(readdirSync(tempFolder), []);
  }
});

/** Cannot be made a text or a number: both conversions throw. */
const NO_TEXT = { toString: 1, valueOf: 1 };
const ODD_ANSWERS: [from: string, path: string, answer: unknown][] = [
  [SOCRATA, '/resource/abcd-1234.json', { columns: [{ fieldName: NO_TEXT }] }],
  [
    "arcgis({ url: 'https://maps.example/FeatureServer/0' })",
    '/FeatureServer/0',
    { fields: [{ name: NO_TEXT, type: 'esriFieldTypeOID' }] },
  ],
  [
    "ckan({ host: 'data.example', resource: 'r' })",
    '/api/3/action/datastore_search',
    { success: true, result: { records: [], fields: [{ id: NO_TEXT }] } },
  ],
];

test('an answer with an object in place of a name fails the run without a crash', async () => {
  for (const [from, path, answer] of ODD_ANSWERS) {
    const portal = await aPortal(() => answer);
    const service = await aPortalCity(from).open();
    const [run] = await service.ingest({ from: `${portal.url}${path}` });
    assert.deepEqual(
      [run?.state, run?.detail?.replace(/.*: /, '')],
      ['failed', 'the response has an unexpected form'],
    );
  }
});

test('a row with a date in the future does not hide later changes', async () => {
  for (const time of ['9999-12-31T00:00:00.000Z', 'z'.repeat(100_000)]) {
    const records = [...makeFilings(1, { changedAt: time }), ...makeFilings(199, { first: 1 })];
    const data = { records, columns: COLUMNS, rowsUpdatedAt: 1, strays: false };
    const portal = await aPortal(socrataOf(data));
    const service = await aPortalCity(SOCRATA).open();
    const pull = async () => (await service.ingest({ from: `${portal.url}/resource/abcd-1234.json` }))[0]!;
    const first = await pull();
    assert.ok(JSON.stringify(first.mark ?? '').length < 200, 'it is not stored either');
    data.rowsUpdatedAt = 2;
    data.records = [...makeFilings(200), ...makeFilings(1, { first: 200, changedAt: AT(2) })];
    const second = await pull();
    assert.deepEqual([second.state, second.read, second.added], ['kept', 1, 1], second.detail ?? '');
  }
});
