/** Portals whose answers are not what they should be: no crash, and nothing that is believed for ever. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT, aPortal, aPortalCity, COLUMNS, makeFilings, SOCRATA, socrataOf } from './a-portal.ts';

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
