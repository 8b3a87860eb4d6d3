/** Portals that ignore which page they are asked for, go round in circles or never end: the pull ends, and nothing of it is kept. */

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listSourceFiles } from '../../../src/register/rows/source-files.ts';
import { aPulledCity, arcgisOf, ckanOf, makeFilings, socrataOf } from './a-portal.ts';

type Handler = (url: URL) => unknown;
type Flaw = 'deaf' | 'circling' | 'endless';

/** Where a page really begins, on a portal that has a flaw. */
const flawed = (flaw: Flaw, start: number, page: number): number =>
  flaw === 'deaf' ? 0 : flaw === 'circling' ? start % (2 * page) : start;

/** A Socrata data set that says it has `total` rows. */
function socrata(flaw: Flaw, total: number): Handler {
  const page = 10_000;
  const sound = socrataOf({ records: [] });
  return (url) => {
    if (url.searchParams.get('$select')?.startsWith('count')) return [{ n: String(total) }];
    if (!url.searchParams.has('$offset')) return sound(url);
    return makeFilings(page, { first: flawed(flaw, Number(url.searchParams.get('$offset')), page) });
  };
}

/** An ArcGIS layer: records are asked for by the last object id, so going round in circles is being deaf. */
function arcgis(flaw: Flaw, total: number): Handler {
  const page = 1_000;
  const sound = arcgisOf({ records: [], page });
  return (url) => {
    if (url.searchParams.get('returnCountOnly') === 'true') return { count: total };
    if (!url.searchParams.has('outFields')) return sound(url);
    const last = Number(/OBJECTID > (-?\d+)/.exec(url.searchParams.get('where')!)![1]);
    const first = flawed(flaw, Math.max(0, last), page);
    const features = makeFilings(page, { first }).map((attributes, i) => {
      return { attributes: { ...attributes, OBJECTID: first + i + 1 } };
    });
    return { features, exceededTransferLimit: true };
  };
}

/** A CKAN resource with pages of 500 records. */
function ckan(flaw: Flaw, total: number, total_was_estimated = false): Handler {
  const page = 500;
  const sound = ckanOf(makeFilings(1, { first: 0 }), 1);
  return (url) => {
    const { fields } = (sound(url) as { result: { fields: object[] } }).result;
    const first = flawed(flaw, Number(url.searchParams.get('offset')), page);
    const limit = Math.min(page, Number(url.searchParams.get('limit')));
    const records = makeFilings(limit, { first }).map((record, i) => ({ _id: first + i + 1, ...record }));
    return { success: true, result: { fields, records, limit, total, total_was_estimated } };
  };
}

for (const [kind, portalOf] of Object.entries({ socrata, arcgis, ckan }))
  for (const [flaw, total, says] of [
    ['deaf', 45_000, /a page without a new record/],
    ['circling', 1_000_000_000, /a page without a new record/],
    ['endless', 3_000, /reports 3000 records but keeps returning more/],
  ] as const)
    test(`a portal (${kind}) that is ${flaw} fails the run, and no row of it is kept`, async () => {
      const { portal, pull, listings } = await aPulledCity(kind as 'ckan', portalOf(flaw, total));
      const run = await pull();
      assert.equal(run.state, 'failed');
      assert.match(run.detail!, says);
      assert.ok(portal.asked.length <= 20, `${portal.asked.length} requests`);
      assert.deepEqual(await listings(), []);
    });

test('all pages of a pull share one deadline, and no temporary file remains', async () => {
  const { portal, city, service, place } = await aPulledCity('ckan', ckan('endless', 3_000, true));
  const tempFolder = join(city.folder, 'pulled');
  // a slow machine asks for the third page later
  for (let totalMs = 500; portal.asked.length <= 2; totalMs *= 2) {
    portal.asked.length = 0;
    const options = { tempFolder, userAgent: 'Shingle/test', timeZone: 'UTC', known: undefined };
    const files = listSourceFiles(service.loaded.city.sources[0]!, place, {
      ...options,
      limits: { totalMs },
    });
    await assert.rejects(Array.fromAsync(files), {
      code: 'source',
      message: new RegExp(`longer than ${totalMs / 1000} s`),
    });
    assert.deepEqual(readdirSync(tempFolder), []);
  }
});
