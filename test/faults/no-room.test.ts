/** A full disk asks for room and for nothing else: it never reads as damage, and systemd starts the service again. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findFileError } from '../../src/service/database/data-folder.ts';
import { openUnsubscribeLog } from '../../src/service/subscribers/unsubscribe-log.ts';
import { aCity, businesses, csvText, MAIL_ENV } from '../a-city.ts';
import { command } from '../a-command.ts';
import { aFolder } from '../a-folder.ts';
import { running, shingle } from '../a-process.ts';
import { postSignup } from '../a-signup.ts';
import { openStore } from '../a-store.ts';
import { jsonOf } from '../an-answer.ts';
import { until } from '../until.ts';
import { aSmallDisk, noSmallDisk, type SmallDisk } from './a-small-disk.ts';

const MAKE_ROOM = /^make room: [\d,]+ bytes are free on the disk of \S+$/;
const UNIT = readFileSync(join(import.meta.dirname, '../../deploy/shingle.service'), 'utf8');
const FINAL = /^RestartPreventExitStatus=(.*)$/m.exec(UNIT)![1]!.split(' ').map(Number);

test('on a full disk, commands that store data ask for space, end with a code on which systemd retries, and damage nothing', {
  skip: noSmallDisk,
}, async () => {
  const disk = aSmallDisk(4);
  const data = join(disk.path, 'data');
  await (await openStore(data)).close();
  disk.fill();
  await assert.rejects(openStore(join(disk.path, 'new')), { code: 'store', message: MAKE_ROOM });
  const env = { SHINGLE_DATA: data, MIN_FREE_BYTES: '0' };
  for (const command of [['ingest'], ['backup', join(disk.path, 'copy.db')], ['suppress', 'add', 'x']]) {
    const { code, err } = await shingle(command, env);
    assert.match(err, new RegExp(`^shingle: ${MAKE_ROOM.source.slice(1, -1)}\\n$`), String(command));
    assert.ok(code !== 0 && !FINAL.includes(code!), `${command[0]}: ${code}`);
  }
  disk.empty();
  await (await openStore(data)).close();
});

for (const [what, options, fill] of [
  ['no byte', 'size=16m', (disk: SmallDisk) => disk.fill()],
  ['no inode', 'size=16m,nr_inodes=40', fillInodes],
] as const)
  test(`a service that starts on a disk with ${what} free serves the stored data, and stores again once there is space`, {
    skip: noSmallDisk,
  }, async () => {
    const city = aCity();
    const disk = aSmallDisk(16, options);
    const env = {
      ...city.env,
      ...MAIL_ENV,
      SHINGLE_DATA: join(disk.path, 'data'),
      MIN_FREE_BYTES: '1048576',
    };
    const from = city.file('a.csv', csvText(businesses(40)));
    assert.equal((await command(['ingest', '--from', from], env)).code, 0);
    fill(disk);
    const service = await running(['start'], env);
    const search = async () =>
      (await fetch(`${service.url}/api/search`)).json() as Promise<{ total: number }>;
    assert.equal((await search()).total, 40);
    assert.equal((await fetch(service.url)).status, 200);
    assert.equal((await postSignup(service.url, 'ann@b.example')).status, 503);
    const health = await jsonOf<{
      status: string;
      detail: string;
    }>(fetch(`${service.url}/api/health`));
    assert.match(health.detail, /the disk is nearly full/);
    const { out } = await command(['status'], env);
    assert.match(out, /^Service +running, but it cannot report$/m);
    assert.match(
      out,
      /^- the disk of \S+ is full: nothing can\s+be\s+stored\.\s+Signups, .*\s1\s+MB\s+free/ms,
    );
    const said = service
      .said()
      .err.split('\n')
      .filter((line) => /full|room|stored/.test(line));
    assert.equal(said.length, 1, `one sentence says it: ${said.join('\n')}`);
    disk.empty();
    await until(
      async () => (await postSignup(service.url, 'ann@b.example')).status === 202 || undefined,
      'room',
    );
    assert.equal(
      (await command(['ingest', '--from', city.file('b.csv', csvText(businesses(44)))], env)).code,
      0,
    );
    await until(async () => (await search()).total === 44 || undefined, 'the new listings');
    assert.equal(await service.stop(), 0);
  });

function fillInodes(disk: SmallDisk): void {
  mkdirSync(join(disk.path, 'ballast'));
  try {
    for (let i = 0; i < 40; i++) writeFileSync(join(disk.path, 'ballast', String(i)), '');
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  }
}

test('the error about a folder that cannot be written names the folder and the cause', {
  skip: noSmallDisk,
}, async () => {
  const city = aCity();
  const disk = aSmallDisk(16);
  const env = { ...city.env, ...MAIL_ENV, SHINGLE_DATA: join(disk.path, 'data'), MIN_FREE_BYTES: '1048576' };
  const from = city.file('a.csv', csvText(businesses(40)));
  assert.equal((await command(['ingest', '--from', from], env)).code, 0);
  disk.remount('ro');
  const sentence = new RegExp(
    `${disk.path}/data\\S* is on a file system that is mounted read-only. Mount it for writing`,
  );
  for (const args of [['start'], ['status'], ['ingest', '--from', from]]) {
    const { code, err } = await command(args, env);
    assert.match(err, sentence);
    assert.deepEqual([code, err.includes('\n    at ')], [78, false], String(args));
  }
  for (const data of [join(disk.path, 'other'), city.file('a-file', ''), join(from, 'data')]) {
    const { code, err } = await command(['start'], { ...env, SHINGLE_DATA: data });
    assert.match(err, /is mounted read-only|is not a folder\. Set SHINGLE_DATA to a folder/);
    assert.deepEqual([code, err.includes('\n    at ')], [78, false], data);
  }
  const denied = Object.assign(new Error(), { code: 'EACCES', syscall: 'mkdir', path: '/etc/none' });
  assert.match(
    String(findFileError(denied)?.message),
    /^the user \S+ may not use \/etc\/none\. Give it to that user, or set SHINGLE_DATA to a folder/,
  );
});

test('a file that another user owns is named in the error', {
  skip: process.getuid?.() !== 0 && 'only root can be another user',
}, () => {
  const { folder, file } = aCity();
  const data = join(folder, 'data');
  const profile = file('city.yaml', '');
  for (const [path, mode] of [
    [folder, 0o755],
    [data, 0o700],
    [profile, 0o600],
  ] as const)
    chmodSync(path, mode);
  const module = new URL('../../src/service/database/data-folder.ts', import.meta.url).href;
  const code = `
    import { databaseIn, describeUnusable, readDatabaseBytes, readFileIdentity } from ${JSON.stringify(module)};
    const [data, profile] = process.argv.slice(1);
    const said = [describeUnusable(databaseIn(data)), describeUnusable(profile, 'EACCES')];
    console.log(JSON.stringify([...said, readFileIdentity(databaseIn(data)) ?? null, readDatabaseBytes(data)]));`;
  const options = { uid: 65_534, gid: 65_534, encoding: 'utf8', cwd: '/' } as const;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', code, data, profile],
    options,
  );
  assert.notEqual(stdout, '', stderr);
  const [ofData, ofProfile, ...rest] = JSON.parse(stdout);
  assert.match(ofData, /^the user \S+ may not use \S+shingle\.db\. Give it to that user/);
  assert.match(ofProfile, /^the user \S+ may not use \S+yaml\. Give it to that user/);
  assert.deepEqual(rest, [null, 0]);
});

test('a running service reports once that its folder has become immutable', {
  skip: noSmallDisk,
}, async (t) => {
  const city = aCity();
  const disk = aSmallDisk(16);
  const data = join(disk.path, 'data');
  const env = { ...city.env, ...MAIL_ENV, SHINGLE_DATA: data, MIN_FREE_BYTES: '1048576' };
  const from = city.file('a.csv', csvText(businesses(40)));
  assert.equal((await command(['ingest', '--from', from], env)).code, 0);
  const service = await running(['serve'], env);
  if (spawnSync('chattr', ['-R', '+i', data]).status !== 0)
    return t.skip('files have no such attribute here');
  try {
    const { out } = await command(['status'], env);
    const said = out.replaceAll(/\s+/g, ' ');
    assert.match(said, /- nothing can be stored, .* is protected against changes \(see "lsattr -d \S+"\)/);
    assert.deepEqual(out.match(/^- /gm)?.length, 1, out);
    const { code, err } = await command(['suppress', 'add', 'x'], env);
    assert.notEqual(code, 0);
    assert.match(err, /is protected against changes/);
  } finally {
    spawnSync('chattr', ['-R', '-i', data]);
  }
  assert.equal(await service.stop(), 0);
});

test('the error about an unsubscribe that cannot be stored asks for disk space', {
  skip: noSmallDisk,
}, () => {
  const disk = aSmallDisk(1);
  disk.fill();
  const log = openUnsubscribeLog(join(disk.path, 'departures.log'));
  const record = { what: 'erased', subscriber: 'a'.repeat(32), at: '2026-11-21T03:00:00.000Z' } as const;
  assert.throws(() => log.append(record), { code: 'store', message: MAKE_ROOM });
});

test('a database that cannot be opened is called damaged only after a check of its pages', async () => {
  const path = aFolder();
  await (await openStore(path)).close();
  writeFileSync(join(path, 'shingle.db-shm'), '');
  mkdirSync(join(path, 'shingle.db-wal')); // so that SQLite cannot open the database, on a disk with room
  await assert.rejects(openStore(path), {
    code: 'refused',
    message: /^the database \S+ cannot be written: unable to open database file$/,
  });
});
