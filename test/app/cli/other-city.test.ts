/** Data knows its city: no command mixes it with that of another, and a city can be renamed. */

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aCity, businesses, type SmallCity } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { aServer } from '../../service/database/a-postgres.ts';

const primary = await aServer();

const BOTH = /is of Rivermouth, Oregon, and the city here is Otterfall, Ohio \(.*\)\. Nothing was changed\. /;

const REFUSED = [
  'ingest --from FILE',
  'ingest --accept 1',
  'start',
  'serve',
  'status',
  'weekly send',
  'correct list',
];

function otherCity(city: SmallCity): string {
  city.change("name: 'Rivermouth', region: 'Oregon'", "name: 'Otterfall', region: 'Ohio'");
  return city.config.city;
}

test('data of one city is refused to another until it is renamed', async () => {
  const city = aCity();
  const [own, file] = [city.config.city, city.csv(40)];
  const env = { SHINGLE_DATA: join(city.folder, 'other'), PORT: '0' };
  const shingle = (profile: string, ...args: string[]) => command(args, { ...env, SHINGLE_CITY: profile });
  assert.equal((await shingle(own, 'ingest', '--from', file)).code, 0);
  const other = otherCity(city);
  for (const line of REFUSED) {
    const args = line.replace('FILE', file).split(' ');
    const { code, err } = await shingle(other, ...args);
    assert.equal(code, 78, `${args}: ${err}`);
    assert.match(err, BOTH);
    assert.match(err, /"npx shingle rename\\?"\. For Rivermouth, run this in the folder of its city\.yaml, /);
  }
  const checked = await shingle(other, 'check', '--from', file);
  assert.deepEqual([checked.code, /40 added/.test(checked.out)], [0, true], checked.out);
  assert.match(
    checked.err,
    /the stored data is of Rivermouth, Oregon, so the file is checked as a first import of Otterfall/,
  );
  const sample = await shingle('sample', 'rename');
  assert.equal(sample.code, 78);
  assert.match(sample.err, /none of the sources of Rivermouth, Oregon \(licences\)/);
  const renamed = await shingle(other, 'rename');
  assert.equal(renamed.out, 'the data of Rivermouth, Oregon is now of Otterfall, Ohio\n');
  assert.equal((await shingle(other, 'runs')).code, 0);
  assert.equal((await shingle(own, 'runs')).code, 78);
});

test('in a folder without a city, the sample is not imported into the data of a city', async () => {
  const city = aCity();
  await city.ingest(businesses(40));
  const cwd = join(city.folder, 'home');
  mkdirSync(cwd);
  const here = (...args: string[]) => command(args, { SHINGLE_DATA: city.config.dataFolder }, { cwd });
  const { code, err } = await here('ingest');
  assert.equal(code, 78, err);
  assert.match(
    err,
    /is of Rivermouth, Oregon, .* The sample was chosen because this folder has no city\.yaml/,
  );
  assert.equal((await here('backup', join(cwd, 'copy.db'))).code, 0, 'a copy needs no city');
  const sample = await command(['check'], {}, { cwd });
  assert.match(sample.err, /this folder has no city\.yaml, so the sample city Otterfall is checked/);
  symlinkSync('city.yaml', join(cwd, 'city.yaml')); // a city that cannot be read
  for (const unread of ['check', 'config', 'start', 'serve']) {
    const ended = await command([unread], { PORT: '0' }, { cwd });
    assert.deepEqual([ended.code, /city\.yaml cannot be read: ELOOP/.test(ended.err)], [78, true], ended.err);
  }
});

test('restore and move accept only the data of the city whose folder they run in', async () => {
  const [city, empty] = [aCity(), aCity()];
  await city.ingest(businesses(40));
  const copy = join(city.folder, 'copy.db');
  assert.equal((await command(['backup', copy], city.env)).code, 0);
  const { env } = empty;
  otherCity(empty);
  const refused = await command(['restore', copy], { ...env, SHINGLE_CITY: empty.config.city });
  assert.deepEqual([refused.code, BOTH.test(refused.err)], [78, true], refused.err);
  assert.equal((await command(['restore', copy], env)).code, 0);
  const other = { SHINGLE_CITY: empty.config.city, SHINGLE_DATA: city.config.dataFolder };
  const moved = await command(['move'], { ...other, DATABASE_URL: await primary.fresh() });
  assert.deepEqual([moved.code, BOTH.test(moved.err)], [78, true], moved.err);
  assert.equal((await command(['rename'], other)).code, 0);
  const over = await command(['restore', copy], city.env);
  const isRefused = /is of Otterfall, Ohio, and the city here is Rivermouth, Oregon /.test(over.err);
  assert.deepEqual([over.code, isRefused], [78, true], over.err);
});

test('data without a usable run and without subscribers can be used for any city', async () => {
  const city = aCity();
  assert.equal((await command(['ingest', '--from', 'none.csv'], city.env)).code, 1);
  otherCity(city);
  const file = city.csv(40);
  assert.equal((await command(['ingest', '--from', file], city.env)).code, 0);
});
