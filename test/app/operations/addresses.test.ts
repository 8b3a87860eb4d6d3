/** A register with nothing but addresses gets neighborhoods, and no address is kept: not in the database, not anywhere else. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aCity, NOW, type SmallCity } from '../../a-city.ts';
import { commandsOf } from '../../a-command.ts';
import { lastJson, running } from '../../a-process.ts';
import { textOf } from '../../an-answer.ts';
import { squaresInARow } from '../../squares.ts';
import { ingested, listed } from './an-ingest.ts';

const SQUARES = squaresInARow(0, 0, [{ name: 'Northbank' }, { name: 'Ropewalk' }]);
const ADDRESSES = 'LON,LAT,NUMBER,STREET\n0.5,0.5,12,Canary St\n0.52,0.5,20,Canary St\n1.5,0.5,7,Oak Ave\n';
const ROWS = [
  ...['12 Canary St #4', '16 CANARY STREET', '7 Oak Av', '9 Canarybird Ln'],
  ...['PO BOX 4711', '5 Aspen Rd', '11 Canarybird Ln', '2 Acacia Rd'],
];
const csv = (addresses: readonly string[]) =>
  `ID,NAME,ADDRESS,DAY\n${addresses.map((address, i) => `${i},Heron ${i},${address},2026-03-01\n`).join('')}`;

/** A small city whose rows have an address and no neighborhood. */
function anAddressedCity(): SmallCity & { export: string } {
  const city = aCity();
  city.file('squares.geojson', SQUARES);
  city.file('addresses.csv', ADDRESSES);
  city.change("['ID', 'NAME', 'KIND', 'AREA', 'DAY', 'WHAT']", "['ID', 'NAME', 'ADDRESS', 'DAY']");
  city.change("if (row.WHAT === 'landlord') return skip('landlord');", '');
  city.change(
    "if (row.WHAT === 'closure') return update({ key: row.ID, termOn: filedOn, status: 'closed' });",
    '',
  );
  city.change('category: row.KIND, neighborhood: row.AREA', 'address: row.ADDRESS');
  city.change(
    'sources: [',
    "boundaries: { file: 'squares.geojson', property: 'name' }, addresses: { file: 'addresses.csv' },\n  sources: [",
  );
  return { ...city, export: city.file('register.csv', csv(ROWS)) };
}

const PLACED = ['Northbank', 'Northbank', 'Ropewalk', ...Array<string>(5).fill('Unknown')];

/** A service of such a city, and the neighborhoods of its listings. */
async function aService() {
  const city = anAddressedCity();
  const service = await city.open();
  const neighborhoods = async () =>
    (await listed(service)).map(({ neighborhood }) => neighborhood ?? 'Unknown');
  return { city, ingest: () => ingested(service, city.export), neighborhoods };
}

test('check says how many businesses were placed, how, and which streets were not found', async () => {
  const city = anAddressedCity();
  const check = (...args: string[]) =>
    commandsOf(city)('check', '--from', city.export, '--now', NOW, ...args);
  const { out } = await check();
  assert.match(
    out,
    /with a category: 0 %, with a neighborhood: 37.5 %\n {2}placed: 2 by their address, 1 between neighbors on their street/,
  );
  assert.match(out, /addresses not placed: 4 street not found, 1 post office box/);
  assert.match(out, /streets not found: CANARYBIRD LN \(2\), ACACIA RD \(1\), ASPEN RD \(1\)/);
  assert.deepEqual(lastJson(await check('--json')).runs[0]!.placing, {
    placed: { exact: 2, interpolated: 1 },
    missed: { 'street not found': 4, 'post office box': 1 },
    streets: [
      { street: 'CANARYBIRD LN', count: 2 },
      { street: 'ACACIA RD', count: 1 },
      { street: 'ASPEN RD', count: 1 },
    ],
  });
});

test('an address is placed at its point or between neighbors, or not at all, and again only if the address file has changed', async () => {
  const { city, ingest, neighborhoods } = await aService();
  assert.equal((await ingest()).state, 'kept');
  assert.deepEqual(await neighborhoods(), PLACED);
  assert.equal((await ingest()).state, 'unchanged');
  city.file('addresses.csv', ADDRESSES.replace('1.5,0.5,7', '0.6,0.5,7'));
  const again = await ingest();
  assert.deepEqual([again.state, again.changed], ['kept', 1]);
  assert.deepEqual(await neighborhoods(), PLACED.with(2, 'Northbank'));
});

test('an address file that cannot be used fails the run and changes nothing', async () => {
  const { city, ingest, neighborhoods } = await aService();
  await ingest();
  city.file('addresses.csv', 'LON,LAT,NUMBER,STREET\n640000,1800000,12,Canary St\n');
  const run = await ingest();
  assert.equal(run.state, 'failed');
  assert.match(run.detail ?? '', /the addresses in addresses\.csv cannot be used: line 2 is not in degrees/);
  assert.deepEqual(await neighborhoods(), PLACED);
});

test('a profile with addresses but without boundaries is refused', async () => {
  const city = anAddressedCity();
  city.change("boundaries: { file: 'squares.geojson', property: 'name' }, ", '');
  const refused = await commandsOf({ env: { SHINGLE_CITY: city.config.city } })('check');
  assert.equal(refused.code, 78, refused.err);
  assert.match(refused.err, /addresses need boundaries/);
});

test('no address is kept in the database, a backup, a run, a log or an answer', async () => {
  const city = anAddressedCity();
  const backup = join(city.folder, 'backup.db');
  for (const line of [
    `ingest --from ${city.export} --now ${NOW} --json`,
    `backup ${backup}`,
    'runs show 1',
  ]) {
    const { code, out, err } = await commandsOf(city)(...line.split(' '));
    assert.equal(code, 0, err);
    assert.doesNotMatch(out + err, /canary|4711/i);
  }
  const files = [backup, ...listFilesBelow(city.config.dataFolder)];
  assert.ok(files.length >= 2);
  for (const path of files) assert.doesNotMatch(readFileSync(path, 'latin1'), /canary|4711|Oak Av/i, path);
  const serving = await running(['serve'], city.env);
  for (const path of ['/', '/api/search', '/api/search?q=heron', '/api/stats', '/feed.json', '/api/health'])
    assert.doesNotMatch(await textOf(fetch(`${serving.url}${path}`)), /canary|4711|oak av/i, path);
  await serving.stop();
  assert.doesNotMatch(Object.values(serving.said()).join(), /canary|4711/i);
});

function listFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
