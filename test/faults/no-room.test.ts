/** A full disk asks for room and for nothing else: it never reads as damage, and systemd starts the service again. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../src/operations/data/store.ts';
import { openUnsubscribeLog } from '../../src/subscribers/unsubscribe-log.ts';
import { shingle } from '../a-process.ts';
import { aFolder } from '../database/a-folder.ts';
import { aSmallDisk, noSmallDisk } from './a-small-disk.ts';

const MAKE_ROOM = /^make room: [\d,]+ bytes are free on the disk of \S+$/;
const UNIT = readFileSync(join(import.meta.dirname, '../../deploy/shingle.service'), 'utf8');
const FINAL = /^RestartPreventExitStatus=(.*)$/m.exec(UNIT)![1]!.split(' ').map(Number);

test('on a full disk every command asks for room, ends with a code that systemd retries, and damages nothing', {
  skip: noSmallDisk,
}, async () => {
  const disk = aSmallDisk(4);
  const data = join(disk.path, 'data');
  await (await openStore(data)).close();
  disk.fill();
  await assert.rejects(openStore(data), { code: 'store', message: MAKE_ROOM });
  const env = { SHINGLE_DATA: data, MIN_FREE_BYTES: '0' };
  for (const command of [['serve'], ['status'], ['ingest'], ['backup', join(disk.path, 'copy.db')]]) {
    const { code, err } = await shingle(command, env);
    assert.match(err, new RegExp(`^shingle: ${MAKE_ROOM.source.slice(1, -1)}\\n$`), String(command));
    assert.ok(code !== 0 && !FINAL.includes(code!), `${command[0]}: ${code}`);
  }
  disk.empty();
  await (await openStore(data)).close();
});

test('an unsubscribe that cannot be written down asks for room', { skip: noSmallDisk }, () => {
  const disk = aSmallDisk(1);
  disk.fill();
  const log = openUnsubscribeLog(join(disk.path, 'departures.log'));
  const record = { what: 'erased', subscriber: 'a'.repeat(32), at: '2026-11-20T12:00:00.000Z' } as const;
  assert.throws(() => log.append(record), { code: 'store', message: MAKE_ROOM });
});

test('a database that cannot be opened is not called damaged before its pages were looked at', async (t) => {
  const folder = aFolder();
  t.after(folder.remove);
  await (await openStore(folder.path)).close();
  const { path } = folder;
  writeFileSync(join(path, 'shingle.db-shm'), '');
  mkdirSync(join(path, 'shingle.db-wal')); // so that SQLite cannot open the database, on a disk with room
  await assert.rejects(openStore(path), {
    code: 'store',
    message: /^the database is temporarily unavailable: /,
  });
});
