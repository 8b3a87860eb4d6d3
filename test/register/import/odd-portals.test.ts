/** Portals whose answers are not what they should be: no crash, and nothing that is believed for ever. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity, type SmallCity } from '../../a-city.ts';
import { aPortal, type Records, socrataOf } from './a-portal.ts';

const SOCRATA = "socrata({ host: 'data.rivermouth.example', dataset: 'abcd-1234' })";
const AT = (second: number) => `2026-11-20T00:00:0${second}.000Z`;

function cityOf(from: string): SmallCity {
  const city = aCity();
  city.change('from: csv()', `from: ${from}`);
  city.change('import { csv,', 'import { arcgis, ckan, socrata,');
  return city;
}

function licences(count: number, time: string): Records {
  return Array.from({ length: count }, (_, i) => ({
    ...{ ID: `L${i}`, NAME: `Shop ${i}`, KIND: 'Restaurants', AREA: 'Old Town', DAY: '2025-03-01', WHAT: '' },
    ...{ ':id': `row-${i}`, ':updated_at': time },
  }));
}

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

test('an answer with an object where a name belongs is a failed run, not a crash', async () => {
  for (const [from, path, answer] of ODD_ANSWERS) {
    const portal = await aPortal(() => answer);
    const service = await cityOf(from).open();
    const [run] = await service.ingest({ from: `${portal.url}${path}` });
    assert.deepEqual(
      [run?.state, run?.detail?.replace(/.*: /, '')],
      ['failed', 'the response has an unexpected form'],
    );
  }
});

test('a row dated in the future does not hide the changes that come after it', async () => {
  for (const time of ['9999-12-31T00:00:00.000Z', 'z'.repeat(100_000)]) {
    const columns = ['ID', 'NAME', 'KIND', 'AREA', 'DAY', 'WHAT'];
    const records = [...licences(1, time), ...licences(200, AT(1)).slice(1)];
    const data = { records, columns, rowsUpdatedAt: 1, strays: false };
    const portal = await aPortal(socrataOf(data));
    const service = await cityOf(SOCRATA).open();
    const pull = async () => (await service.ingest({ from: `${portal.url}/resource/abcd-1234.json` }))[0]!;
    const first = await pull();
    assert.ok((first.mark ?? '').length < 200, 'it is not stored either');
    data.rowsUpdatedAt = 2;
    data.records = [...licences(200, AT(1)), ...licences(201, AT(2)).slice(200)];
    const second = await pull();
    assert.deepEqual([second.state, second.read, second.added], ['kept', 1, 1], second.detail ?? '');
  }
});
