/** A damaged database is never written to, and a store never silently starts empty. */

import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openStoreToRead } from '../../../src/service/data/store.ts';
import { openSqlite, refuseOldSqlite } from '../../../src/service/database/engines/sqlite.ts';
import { migrate } from '../../../src/service/database/migrations.ts';
import { aFiling } from '../../a-filing.ts';
import { aFolder } from '../../a-folder.ts';
import { openStore } from '../../a-store.ts';
import { kept, listingsIn, staged } from './store-cases.ts';

const LISTINGS = 3_000;

/** A database with listings, at rest. */
const intact = await (async () => {
  const folder = aFolder();
  const store = await openStore(folder);
  await kept(
    store,
    Array.from({ length: LISTINGS }, (_, i) =>
      aFiling({ key: `licence ${i}`, name: `Business number ${i}` }),
    ),
  );
  await store.close();
  return join(folder, 'shingle.db');
})();

const { pageSize, tablePage, indexPage } = (() => {
  const db = new DatabaseSync(intact, { readOnly: true });
  const root = (name: string) =>
    Number(db.prepare('select rootpage from sqlite_schema where name = ?').get(name)?.rootpage);
  const pageSize = Number(db.prepare('pragma page_size').get()?.page_size);
  const pages = { pageSize, tablePage: root('listing'), indexPage: root('sqlite_autoindex_listing_1') };
  db.close();
  return pages;
})();

const zeroPage = (bytes: Buffer, page: number) => bytes.fill(0, (page - 1) * pageSize, page * pageSize);

const DAMAGES: Record<string, (bytes: Buffer) => Buffer | string> = {
  'its first byte is wrong': (bytes) => bytes.fill(0, 0, 1),
  'it has no bytes left': (bytes) => bytes.subarray(0, 0),
  'half of it is gone': (bytes) => bytes.subarray(0, Math.floor(bytes.length / pageSize / 2) * pageSize),
  'a page of its table is zeroed': (bytes) => zeroPage(bytes, tablePage),
  'a page of its index is zeroed': (bytes) => zeroPage(bytes, indexPage),
  'it is a text file': () => 'name,category\nBlue Heron,Restaurants\n'.repeat(200),
};

function folderWith(bytes: Buffer | string): string {
  const folder = aFolder();
  writeFileSync(join(folder, 'shingle.db'), bytes);
  return folder;
}

async function assertRefused(folder: string): Promise<void> {
  const path = join(folder, 'shingle.db');
  const bytes = existsSync(path) ? readFileSync(path) : undefined;
  await assert.rejects(openStore(folder), { code: 'refused', message: /shingle backup/ });
  assert.deepEqual(existsSync(path) ? readFileSync(path) : undefined, bytes, 'the file must stay as it was');
}

for (const [what, damage] of Object.entries(DAMAGES)) {
  test(`Shingle refuses a database and does not change it when ${what}`, () =>
    assertRefused(folderWith(damage(readFileSync(intact)))));
}

test('Shingle refuses the database of another program and does not change it', async () => {
  const folder = aFolder();
  const db = new DatabaseSync(join(folder, 'shingle.db'));
  db.exec('create table recipe (name text)');
  db.close();
  await assertRefused(folder);
});

test('a folder that held a database never starts empty', async () => {
  const traces = ['shingle.db-wal', 'ingest.lock', 'backups/shingle-2026-11-20.db'];
  for (const trace of traces) {
    const folder = aFolder();
    mkdirSync(join(folder, 'backups'));
    copyFileSync(intact, join(folder, trace));
    await assertRefused(folder);
    assert.equal(existsSync(join(folder, 'shingle.db')), false);
  }
});

test('a database whose journal was deleted after a crash is refused until the operator allows it', async () => {
  const folder = aFolder();
  const running = await openStore(folder);
  await kept(running, [aFiling()]);
  const crashed = aFolder();
  for (const end of ['', '-wal', '-shm'])
    copyFileSync(join(folder, `shingle.db${end}`), join(crashed, `shingle.db${end}`));
  await running.close();
  const path = join(crashed, 'shingle.db');
  rmSync(`${path}-wal`);
  await assertRefused(crashed);
  rmSync(`${path}-shm`);
  await (await openStore(crashed)).close();
});

test('a single changed byte in an address is noticed, wherever it is stored', async () => {
  const folder = aFolder();
  const store = await openStore(folder);
  const who = {
    ...{ address: 'Zebrafish@b.example', identity: 'zebrafish@b.example', mailbox: 'zf@b.example' },
    ...{ type: 'weekly' as const, consent: { version: 'v', words: 'w' }, at: '2026-01-05T00:00:00.000Z' },
  };
  await store.subscribers.addConfirmed(who);
  await store.close();
  const bytes = readFileSync(join(folder, 'shingle.db'));
  const places = [...bytes.toString('latin1').matchAll(/zebrafish/gi)].map(({ index }) => index);
  assert.ok(places.length >= 2);
  let refused = 0;
  for (const place of places) {
    const changed = folderWith(Buffer.from(bytes).fill('y', place, place + 1));
    await openStore(changed).then(
      (opened) => opened.close(),
      () => refused++,
    );
  }
  assert.equal(refused, places.length);
});

test('Shingle refuses a copy beside the journal of a lost database and does not change it', async () => {
  const folder = aFolder();
  const lost = await openStore(folder);
  const copy = join(aFolder(), 'copy.db');
  await lost.backup(copy);
  await kept(lost, [aFiling()]);
  const restored = folderWith(readFileSync(copy));
  copyFileSync(join(folder, 'shingle.db-wal'), join(restored, 'shingle.db-wal'));
  await assertRefused(restored);
  await assert.rejects(openStore(restored), /is a copy/);
  const damaged = folderWith(readFileSync(join(folder, 'shingle.db')).fill(0, 0, 100)); // its journal has all of it
  copyFileSync(join(folder, 'shingle.db-wal'), join(damaged, 'shingle.db-wal'));
  await (await openStore(damaged)).close();
  rmSync(join(restored, 'shingle.db-wal'));
  await (await openStore(restored)).close();
  await lost.close();
});

test('a missing folder is created with a database and nothing else', async () => {
  const folder = join(aFolder(), 'not', 'yet');
  const store = await openStore(folder);
  await store.close();
  assert.deepEqual(readdirSync(folder), ['shingle.db']);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
});

test('a database of a newer Shingle is refused', async () => {
  const engine = openSqlite(folderWith(readFileSync(intact)));
  await engine.transaction((tx) => tx.write('insert into migration (number) values (?)', [[1_000]]));
  await assert.rejects(migrate(engine), { code: 'refused', message: /newer version of Shingle/ });
  await engine.close();
});

test('Shingle refuses a database from before the first release and does not change it', async () => {
  const folder = folderWith(readFileSync(intact));
  const db = new DatabaseSync(join(folder, 'shingle.db'));
  for (const sql of ['delete from migration', 'insert into migration (number) values (1), (2), (11)'])
    db.exec(sql);
  db.close();
  for (let times = 0; times < 2; times++)
    await assert.rejects(openStore(folder), {
      code: 'refused',
      message:
        /^the database was created by a version of Shingle from before the first release .*SHINGLE_DATA to a new folder/,
    });
  assert.equal(existsSync(join(folder, 'backups')), false);
});

test('a migration is applied completely or not at all', async () => {
  const engine = openSqlite(aFolder());
  const good = ['create table one (value text)', 'create table two (value text)'];
  await migrate(engine, [good]);
  const third = ['create table three (value text)'];
  const bad = ['drop table two', 'create table one (value text)'];
  await assert.rejects(migrate(engine, [good, third, bad]), { code: 'store' });
  assert.deepEqual(await engine.read('select value from two'), [], 'nothing of the step that failed');
  await assert.rejects(engine.read('select value from three'), { code: 'store' }, 'nor of the one before it');
  await migrate(engine, [good, ['drop table two']]);
  await assert.rejects(engine.read('select value from two'), { code: 'store' });
  await engine.close();
});

test('a SQLite version that may corrupt a database is refused', async (t) => {
  for (const version of ['3.53.1', '3.51.3', '2.99.99', undefined])
    assert.throws(() => refuseOldSqlite(version), { code: 'refused' });
  for (const version of ['3.53.2', '3.53.10', '3.54.0', '4.0.0']) refuseOldSqlite(version);
  const folder = aFolder();
  t.mock.property(process.versions, 'sqlite', '3.53.1');
  await assert.rejects(openStore(folder), { code: 'refused', message: /includes SQLite 3\.53\.1/ });
  assert.deepEqual(readdirSync(folder), [], 'nothing was made with it');
});

test('a command that only reads cannot change the database, and creates no file', async () => {
  const folder = aFolder();
  await assert.rejects(openStoreToRead({ dataFolder: folder, databaseUrl: undefined }), { code: 'refused' });
  assert.deepEqual(readdirSync(folder), []);
  const engine = openSqlite(folderWith(readFileSync(intact)), { readOnly: true });
  await assert.rejects(
    engine.transaction(async () => undefined),
    { code: 'store' },
  );
  await assert.rejects(engine.read("insert into suppression values ('a', 'b', 'c')"), { code: 'store' });
  await engine.close();
});

test('a backup is complete and private, and never overwrites a file', async () => {
  const store = await openStore(folderWith(readFileSync(intact)));
  await kept(store, [aFiling({ key: 'not yet in the file itself' })], { snapshot: false });
  const folder = aFolder();
  const copy = join(folder, 'shingle.db');
  await store.backup(copy);
  await assert.rejects(store.backup(copy), { code: 'refused', message: /exists/ });
  await assert.rejects(store.backup(join(folder, 'no such folder', 'copy.db')));
  assert.deepEqual(readdirSync(folder), ['shingle.db']);
  assert.equal(statSync(copy).mode & 0o777, 0o600);
  const restored = await openStore(folder);
  assert.deepEqual(await listingsIn(restored), await listingsIn(store));
  await restored.close();
  await store.close();
});

test('no staged filing that is not remembered remains after the end of its run', async () => {
  const folder = aFolder();
  const store = await openStore(folder);
  const db = new DatabaseSync(join(folder, 'shingle.db'), { readOnly: true });
  const aside = () => db.prepare('select run from staged').all().length;
  const same = { content: 'the same bytes' };
  await kept(store, [aFiling()], same);
  assert.equal(aside(), 0, 'kept');
  assert.equal((await kept(store, [aFiling()], same)).state, 'unchanged');
  assert.equal(aside(), 0, 'unchanged');
  const { run, counts } = await staged(store, [aFiling()]);
  assert.equal(aside(), 1, 'not yet ended');
  await store.filings.end(run, 'failed', { counts, endedAt: '2026-01-05T00:01:00.000Z', detail: 'torn' });
  assert.equal(aside(), 0, 'failed');
  db.close();
  await store.close();
});
