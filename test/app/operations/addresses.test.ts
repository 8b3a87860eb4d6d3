/** A register with nothing but addresses gets neighborhoods, and no address is kept: not in the database, not anywhere else. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aCity, NOW, type SmallCity } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { lastJson, running } from '../../a-process.ts';
import { textOf } from '../../an-answer.ts';
import { squaresInARow } from '../../squares.ts';

const SQUARES = squaresInARow(0, 0, [{ name: 'Northbank' }, { name: 'Ropewalk' }]);
const ADDRESSES = 'LON,LAT,NUMBER,STREET\n0.5,0.5,12,Canary St\n0.52,0.5,20,Canary St\n1.5,0.5,7,Oak Ave\n';
const ROWS = [
  '12 Canary St #4',
  '16 CANARY STREET',
  '7 Oak Av',
  '9 Canarybird Ln',
  'PO BOX 4711',
  '5 Aspen Rd',
  '11 Canarybird Ln',
  '2 Acacia Rd',
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

async function listNeighborhoods(city: SmallCity): Promise<Record<string, string>> {
  const service = await city.open();
  const found: Record<string, string> = {};
  for await (const batch of service.store.listings.listings())
    for (const { name, neighborhood } of batch) found[name] = neighborhood ?? 'Unknown';
  return found;
}

const PLACED = {
  'Heron 0': 'Northbank',
  'Heron 1': 'Northbank',
  'Heron 2': 'Ropewalk',
  'Heron 3': 'Unknown',
  'Heron 4': 'Unknown',
  'Heron 5': 'Unknown',
  'Heron 6': 'Unknown',
  'Heron 7': 'Unknown',
};

test('an address is placed in a neighborhood at its point or between neighbors, and not at all if the place is uncertain', async () => {
  const city = anAddressedCity();
  const service = await city.open();
  const [run] = await service.ingest({ from: city.export });
  assert.equal(run?.state, 'kept', run?.detail ?? '');
  assert.deepEqual(await listNeighborhoods(city), PLACED);
});

test('check says how many businesses were placed, how, and which streets were not found', async () => {
  const city = anAddressedCity();
  const env = city.env;
  const shown = await command(['check', '--from', city.export, '--now', NOW], env);
  assert.match(
    shown.out,
    /with a category: 0 %, with a neighborhood: 37.5 %\n {2}placed: 2 by their address, 1 between neighbors on their street/,
  );
  assert.match(shown.out, /addresses not placed: 4 street not found, 1 post office box/);
  assert.match(shown.out, /streets not found: CANARYBIRD LN \(2\), ACACIA RD \(1\), ASPEN RD \(1\)/);
  const json = lastJson(await command(['check', '--from', city.export, '--now', NOW, '--json'], env));
  assert.deepEqual(json.runs[0]!.placing, {
    placed: { exact: 2, interpolated: 1 },
    missed: { 'street not found': 4, 'post office box': 1 },
    streets: [
      { street: 'CANARYBIRD LN', count: 2 },
      { street: 'ACACIA RD', count: 1 },
      { street: 'ASPEN RD', count: 1 },
    ],
  });
});

test('an import places businesses again only if the address file has changed', async () => {
  const city = anAddressedCity();
  const service = await city.open();
  const ingest = async () => (await service.ingest({ from: city.export }))[0]!;
  await ingest();
  assert.equal((await ingest()).state, 'unchanged');
  city.file('addresses.csv', ADDRESSES.replace('1.5,0.5,7', '0.6,0.5,7'));
  const again = await ingest();
  assert.deepEqual([again.state, again.changed], ['kept', 1]);
  assert.deepEqual(await listNeighborhoods(city), { ...PLACED, 'Heron 2': 'Northbank' });
});

test('an address file that cannot be used fails the run and changes nothing', async () => {
  const city = anAddressedCity();
  const service = await city.open();
  await service.ingest({ from: city.export });
  city.file('addresses.csv', 'LON,LAT,NUMBER,STREET\n640000,1800000,12,Canary St\n');
  const [run] = await service.ingest({ from: city.export });
  assert.equal(run?.state, 'failed');
  assert.match(run?.detail ?? '', /the addresses in addresses\.csv cannot be used: line 2 is not in degrees/);
  assert.deepEqual(await listNeighborhoods(city), PLACED);
});

test('a profile with addresses but without boundaries is refused', async () => {
  const city = anAddressedCity();
  city.change("boundaries: { file: 'squares.geojson', property: 'name' }, ", '');
  const refused = await command(['check', '--from', city.export], { SHINGLE_CITY: city.config.city });
  assert.equal(refused.code, 78, refused.err);
  assert.match(refused.err, /addresses need boundaries/);
});

test('no address is kept in the database, a backup, a run, a log or an answer', async () => {
  const city = anAddressedCity();
  const env = city.env;
  const ingest = await command(['ingest', '--from', city.export, '--now', NOW, '--json'], env);
  assert.equal(ingest.code, 0, ingest.err);
  const backup = join(city.folder, 'backup.db');
  const others = [
    ['runs', 'show', '1'],
    ['backup', backup],
    ['runs', '--json'],
  ];
  const printed = [ingest, ...(await Promise.all(others.map((args) => command(args, env))))];
  for (const { out, err } of printed) assert.doesNotMatch(out + err, /canary|4711/i);
  const files = [backup, ...listFilesBelow(city.config.dataFolder)];
  assert.ok(files.length >= 2);
  for (const path of files) assert.doesNotMatch(readFileSync(path, 'latin1'), /canary|4711|Oak Av/i, path);
  const serving = await running(['serve'], env);
  for (const path of ['/', '/api/search', '/api/search?q=heron', '/api/stats', '/feed.json', '/api/health'])
    assert.doesNotMatch(await textOf(fetch(`${serving.url}${path}`)), /canary|4711|oak av/i, path);
  await serving.stop();
  assert.doesNotMatch(serving.said().out + serving.said().err, /canary|4711/i);
});

function listFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
