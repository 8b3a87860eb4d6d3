/** A command in the wrong folder creates nothing, and a misspelled setting is not ignored in silence. */

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeUnknownVariables } from '../../../src/app/cli/config-command.ts';
import { openService } from '../../../src/app/operations/service.ts';
import { aCity } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { shingle } from '../../a-process.ts';
import { aServer, asked } from '../../service/database/a-postgres.ts';

const primary = await aServer();
const folder = aFolder();

for (const args of [['status'], ['runs'], ['serve'], ['backup', 'copy.db']])
  test(`shingle ${args[0]} outside a city's folder creates nothing and says what is missing`, async () => {
    const { code, out, err } = await command(args, {}, { cwd: folder });
    assert.deepEqual([code, out], [78, '']);
    const said = `no data folder at ${join(folder, 'data')}: run this in`;
    assert.ok(
      args[0] === 'serve' ? JSON.parse(err).message.startsWith(said) : err.startsWith(`shingle: ${said}`),
      err,
    );
    assert.deepEqual(readdirSync(folder), []);
  });

test('a command that only reads creates no database in a data folder', async () => {
  const data = join(folder, 'empty');
  mkdirSync(data);
  await assert.rejects(openService({ ...aCity().config, dataFolder: data, mustExist: true }), {
    code: 'refused',
    message: /^no database in the data folder /,
  });
  assert.deepEqual(readdirSync(data), []);
});

test('no database is created while the disk of a city is not mounted, unless the operator allows it', async () => {
  const city = aCity();
  await city.ingest([{}]);
  const { dataFolder } = city.config;
  const disk = join(city.folder, 'disk');
  renameSync(dataFolder, disk);
  mkdirSync(dataFolder);
  const memory = join(city.folder, '.shingle', 'data.json');
  for (const args of [['start'], ['ingest'], ['status']]) {
    const { code, err } = await command(args, city.env);
    const said = `the data folder ${dataFolder} is empty, but had a database on 2026-11-20: is its disk mounted?`;
    assert.ok(code === 78 && err.includes(said) && err.includes(`remove ${memory}`), err);
    assert.deepEqual(readdirSync(dataFolder), []);
  }
  const copy = join(city.folder, 'copy.db');
  assert.equal((await command(['backup', copy], { ...city.env, SHINGLE_DATA: disk })).code, 0);
  assert.equal((await command(['restore', copy], city.env)).code, 0, 'a restore needs no mount');
  rmSync(dataFolder, { recursive: true });
  rmSync(memory);
  await (await city.open()).close();
});

test('an empty PostgreSQL database stays empty', async () => {
  const databaseUrl = await primary.fresh();
  await assert.rejects(openService({ ...aCity().config, databaseUrl, mustExist: true }), {
    code: 'refused',
    message: /^the database at DATABASE_URL has no data of Shingle/,
  });
  const tables = 'select table_name from information_schema.tables where table_schema = current_schema()';
  assert.deepEqual(await asked(databaseUrl, tables), []);
});

test('a warning names each unknown variable that looks like a setting once, with the nearest known one', async () => {
  const names = ['SMTP_URL', 'MAIL', 'MAILTO', 'PATH', 'DATABASE_USER', 'LC_ALL', 'PROT'];
  const known = Object.fromEntries(names.map((name) => [name, 'a']));
  const nearest = { SMTP_ULR: 'SMTP_URL', MAIL_FORM: 'MAIL_FROM', SHINGLE_DATE: 'SHINGLE_DATA' };
  const FAR = 'SMTP_POOL_OF_ANOTHER_PROGRAM';
  const given: Record<string, string> = { ...nearest, [FAR]: 'secret', ...known };
  const ignored = (name: string) => `${name} is not a variable of Shingle and is ignored`;
  assert.deepEqual(describeUnknownVariables(given), [
    ...Object.entries(nearest).map(([name, near]) => `${ignored(name)}. Did you mean ${near}?`),
    ignored(FAR),
  ]);
  assert.deepEqual(given, known, 'processes started later do not mention them again');
  const place = join(folder, 'with-env');
  mkdirSync(place);
  writeFileSync(join(place, '.env'), 'SMTP_ULR=smtp://user:secret@mail.example\n');
  const { err } = await shingle(['runs'], {}, undefined, { cwd: place });
  assert.ok(err.startsWith(`shingle: ${ignored('SMTP_ULR')}. Did you mean SMTP_URL?\n`), err);
});
