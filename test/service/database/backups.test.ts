/** Copies of a data folder: before an upgrade, verified, and put in the place of the database. */

import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import {
  deleteOldCopies,
  readBackups,
  replaceDatabase,
  verifyBackup,
} from '../../../src/service/data/backups.ts';
import { openPostgres } from '../../../src/service/database/engines/postgres.ts';
import { openSqlite } from '../../../src/service/database/engines/sqlite.ts';
import { lastStep, migrate, readStep } from '../../../src/service/database/migrations.ts';
import { aFiling } from '../../a-filing.ts';
import { aFolder } from '../../a-folder.ts';
import { running, shingle } from '../../a-process.ts';
import { openPostgresStore, openStore } from '../../a-store.ts';
import { aServer } from './a-postgres.ts';
import { INVENTED, STEPS_BEFORE } from './invented-steps.ts';
import { add, at } from './mailing-steps.ts';
import { kept, keysIn } from './store-cases.ts';

const primary = await aServer();

const NOW = at();
const STEP_BEFORE = lastStep(STEPS_BEFORE);

/** A folder whose tables are those of the version before. */
async function anOlderFolder(): Promise<string> {
  const folder = aFolder();
  const engine = openSqlite(folder);
  await migrate(engine, STEPS_BEFORE);
  await engine.close();
  return folder;
}

const copyIn = (folder: string): string => join(folder, 'backups', `before-step-${STEP_BEFORE + 1}.db`);

/** A folder with one listing and one subscriber, and a backup of it. */
async function aBackedUpFolder(): Promise<{ folder: string; backup: string }> {
  const [folder, backup] = [aFolder(), join(aFolder(), 'copy.db')];
  const store = await openStore(folder);
  await kept(store, [aFiling({ key: 'before' })]);
  await add(store, 'ann@b.example');
  await store.backup(backup);
  await store.close();
  return { folder, backup };
}

test('an upgrade of the tables first copies the database, and names the copy', async () => {
  const folder = await anOlderFolder();
  const store = await openStore(folder);
  const copy = copyIn(folder);
  assert.ok(store.upgraded!.includes(copy));
  assert.equal(verifyBackup(copy).step, STEP_BEFORE);
  await store.close();
  const again = await openStore(folder);
  assert.equal(again.upgraded, undefined, 'nothing was left to do');
  await again.close();
});

test('the service logs the path of the copy that an upgrade makes, and a command prints it', async () => {
  const [served, listed] = [await anOlderFolder(), await anOlderFolder()];
  const service = await running(['serve'], { ...INVENTED, SHINGLE_DATA: served });
  assert.equal(await service.stop(), 0);
  assert.ok(service.said().err.includes(copyIn(served)), service.said().err);
  const { err } = await shingle(['runs'], { ...INVENTED, SHINGLE_DATA: listed });
  assert.ok(err.includes(copyIn(listed)), err);
});

test('an upgrade that cannot copy the database does not take place', async () => {
  const folder = await anOlderFolder();
  writeFileSync(join(folder, 'backups'), 'no folder');
  await assert.rejects(openStore(folder));
  const engine = openSqlite(folder);
  assert.equal(await readStep(engine), STEP_BEFORE);
  await engine.close();
});

test('an upgrade on PostgreSQL says that going back needs a dump', async () => {
  const url = await primary.fresh();
  const older = await openPostgres(url);
  await migrate(older, STEPS_BEFORE);
  await older.close();
  for (const wanted of [/restore the dump from before the upgrade$/, /^$/]) {
    const store = await openPostgresStore(url);
    assert.match(store.upgraded ?? '', wanted);
    await assert.rejects(store.backup('copy.db'), { code: 'usage', message: /back it up with pg_dump or/ });
    await store.close();
  }
});

test('a backup from before the first release or from a newer version is refused', async () => {
  for (const [step, why] of [
    [11, /from before the first release/],
    [1_000, /newer version/],
  ] as const) {
    const { folder, backup } = await aBackedUpFolder();
    const db = new DatabaseSync(backup);
    db.exec(
      `update migration set number = ${step} where number = ${lastStep()}; delete from migration where number > 11 and number < 999`,
    );
    db.close();
    assert.throws(() => verifyBackup(backup), { code: 'source', message: why });
    await assert.rejects(replaceDatabase(backup, folder, NOW), { code: 'source' });
  }
});

test('a backup is verified page by page, and a file that cannot be restored is named', async () => {
  const { folder, backup } = await aBackedUpFolder();
  assert.deepEqual(verifyBackup(backup), { listings: 1, subscribers: 1, step: lastStep() });
  const bytes = readFileSync(backup);
  const wrong = {
    '^the backup \\S+ is damaged .*\\. Nothing was changed: try another backup$': bytes.subarray(
      0,
      bytes.length / 2,
    ),
    'is empty': '',
    'another program|damaged': 'name,category\n'.repeat(900),
    'does not exist': undefined,
  };
  for (const [why, content] of Object.entries(wrong)) {
    const file = join(aFolder(), 'wrong.db');
    if (content !== undefined) writeFileSync(file, content);
    assert.throws(() => verifyBackup(file), { code: 'source', message: new RegExp(why) });
    await assert.rejects(replaceDatabase(file, folder, NOW), { code: 'source' });
  }
  assert.throws(() => verifyBackup(folder), { code: 'source', message: /is a folder/ });
  const store = await openStore(folder);
  await kept(store, [aFiling({ key: 'before' }), aFiling({ key: 'in the journal' })]);
  assert.throws(() => verifyBackup(join(folder, 'shingle.db')), { code: 'source', message: /in use/ });
  await store.close();
});

test('a restore keeps the old database, removes the people who have left since, and cannot run beside the service', async () => {
  const { folder, backup } = await aBackedUpFolder();
  const store = await openStore(folder);
  const [ann] = await store.subscribers.all();
  await store.subscribers.erase(ann!.subscriber, NOW);
  await kept(store, [aFiling({ key: 'before' }), aFiling({ key: 'after' })]);
  const services = [store.markServing(), store.markServing()];
  for (const stopService of services) {
    await assert.rejects(replaceDatabase(backup, folder, NOW), {
      code: 'refused',
      message: /stop Shingle first/,
    });
    stopService();
  }
  await store.close();
  const taken = join(folder, `replaced-${NOW.slice(0, 19).replaceAll(':', '-')}Z.db`);
  mkdirSync(taken);
  const failed = replaceDatabase(backup, folder, NOW);
  await assert.rejects(failed, { code: 'EISDIR' }, 'another failure is not told as a service that runs');
  rmSync(taken, { recursive: true });
  const { old } = await replaceDatabase(backup, folder, NOW);
  assert.equal(verifyBackup(old!).listings, 2, 'what was replaced can be restored in turn');
  assert.deepEqual(
    readdirSync(folder).filter((name) => /restored|^shingle.db-/.test(name)),
    [],
  );
  assert.equal(statSync(join(folder, 'shingle.db')).mode & 0o777, 0o600);
  const restored = await openStore(folder);
  await restored.repairAfterRestore(NOW);
  assert.equal(await keysIn(restored), 'before');
  assert.deepEqual(await restored.subscribers.all(), []);
  await restored.close();
});

test('a restore keeps removals, corrections and what was left out of the email since the backup, or says that it cannot read them', async () => {
  const { folder, backup } = await aBackedUpFolder();
  const store = await openStore(folder);
  const facts = { name: null, category: null, neighborhood: null, status: null, reason: '', addedAt: NOW };
  await store.suppressions.add({ value: 'in both', reason: 'asked', addedAt: NOW });
  await store.suppressions.correct({ ...facts, value: 'a', category: 'Legal' });
  const later = join(aFolder(), 'later.db');
  await store.backup(later);
  await store.suppressions.add({ value: 'since', reason: 'asked', addedAt: NOW });
  await store.suppressions.correct({ ...facts, value: 'a', status: 'closed', addedAt: at(1_000) });
  await store.suppressions.correct({ ...facts, value: 'b', neighborhood: 'Harbor' });
  await store.suppressions.remove('in both');
  await store.editions.leaveOut([{ source: 's', key: 'left out' }], NOW);
  const lists = async () => {
    const restored = await openStore(folder);
    const listed = [
      (await restored.listings.suppressions()).map(({ value }) => value),
      (await restored.listings.corrections()).map(({ value }) => value),
      (await restored.editions.leftOut()).map(({ key }) => key),
    ];
    await restored.close();
    return listed.map((list) => list.toSorted().join());
  };
  await store.close();
  const { kept: carried } = await replaceDatabase(later, folder, NOW);
  assert.deepEqual(carried, { suppressions: 1, corrections: 2 });
  assert.deepEqual(await lists(), ['in both,since', 'a,b', 'left out'], 'a removal of the backup stays, too');
  truncateSync(join(folder, 'shingle.db'), 5000);
  const lost = await replaceDatabase(backup, folder, at(1_000));
  assert.match('problem' in lost.kept ? lost.kept.problem : '', /malformed|damaged|disk image/);
  assert.deepEqual(await lists(), ['', '', '']);
});

test('a copy of a database file in use is not accepted as a backup', async () => {
  const { folder } = await aBackedUpFolder();
  const store = await openStore(folder);
  await add(store, 'late@b.example');
  const copy = join(aFolder(), 'shingle.db');
  copyFileSync(join(folder, 'shingle.db'), copy);
  await store.close();
  const wanted = {
    code: 'source',
    message: /was copied from a database in use.* "npx shingle backup FILE" with SHINGLE_DATA/,
  };
  assert.throws(() => verifyBackup(copy), wanted);
  await assert.rejects(replaceDatabase(copy, folder, NOW), wanted);
  const [sound, engine] = [join(aFolder(), 'sound.db'), await openStore(join(copy, '..'))];
  await engine.backup(sound);
  await engine.close();
  assert.equal(verifyBackup(sound).listings, 1, 'what the message says helps');
});

test('a damaged database can be replaced, and a new folder gets the unsubscribe log that lies beside the backup', async () => {
  const { folder, backup } = await aBackedUpFolder();
  const store = await openStore(folder);
  const [ann] = await store.subscribers.all();
  await store.subscribers.erase(ann!.subscriber, NOW);
  await store.backup(join(backup, '../later.db'));
  await store.close();
  truncateSync(join(folder, 'shingle.db'), 5000);
  writeFileSync(join(folder, 'shingle.db-wal'), 'of the lost database');
  for (const place of [folder, join(aFolder(), 'new')]) {
    await replaceDatabase(backup, place, NOW);
    const restored = await openStore(place);
    await restored.repairAfterRestore(NOW);
    assert.deepEqual([await keysIn(restored), await restored.subscribers.all()], ['before', []]);
    await restored.close();
  }
});

test('a restored copy does not count the instances of the original', async () => {
  const [folder, backup] = [aFolder(), join(aFolder(), 'copy.db')];
  const store = await openStore(folder);
  await store.alerts.pulse({ instance: 'a', command: 'start', startedAt: NOW }, NOW);
  await store.backup(backup);
  assert.equal((await store.alerts.instances()).length, 1);
  await store.close();
  await replaceDatabase(backup, folder, NOW);
  const restored = await openStore(folder);
  await restored.repairAfterRestore(NOW);
  assert.deepEqual(await restored.alerts.instances(), []);
  await restored.close();
});

test('status reports an empty backup and a backup folder that cannot be made, but not a sound backup', async () => {
  const { folder, backup } = await aBackedUpFolder();
  const store = await openStore(folder);
  const problem = async () => (await store.readBackups('2026-11-20T09:00:00.000Z'))?.problem?.detail;
  assert.equal(await problem(), undefined);
  const backups = join(folder, 'backups');
  writeFileSync(backups, 'no folder');
  assert.match((await problem())!, /^no backup can be made: \S+backups is not a folder/);
  rmSync(backups);
  mkdirSync(backups);
  const daily = join(backups, 'shingle-2026-11-20.db');
  const empty = await openStore(aFolder());
  await empty.backup(daily);
  await empty.close();
  const verified = await shingle(['backup', '--verify', daily], INVENTED);
  const nowhere = await shingle(['backup', join(daily, 'none/copy.db')], {
    ...INVENTED,
    SHINGLE_DATA: folder,
  });
  assert.match(
    nowhere.err,
    /^shingle: \S+none\/copy\.db cannot be written \([^\n]+\): name a file in another folder\n$/,
  );
  assert.deepEqual([verified.code, verified.err], [1, `shingle: ${daily} is sound, but has no listings\n`]);
  assert.match((await problem())!, /^the newest backup cannot be used: \S+ has no listings$/);
  writeFileSync(daily, '');
  assert.match((await problem())!, /^the newest backup cannot be used: /);
  writeFileSync(daily, readFileSync(backup));
  assert.equal(await problem(), undefined);
  assert.equal(readBackups(folder, new Date().toISOString()).newestAt, statSync(daily).mtime.toISOString());
  await store.close();
});

test('the next start deletes the files of a killed restore', async () => {
  const folder = aFolder();
  await (await openStore(folder)).close();
  const left = join(folder, `shingle.db.part-${2 ** 22 + 1}`);
  writeFileSync(left, '');
  await (await openStore(folder)).close();
  assert.equal(existsSync(left), false);
});

test('Shingle deletes old temporary copies, and keeps other files', async () => {
  const { folder, backup } = await aBackedUpFolder();
  await replaceDatabase(backup, folder, NOW);
  const store = await openStore(folder);
  mkdirSync(join(folder, 'backups'));
  for (const name of ['before-step-3.db', 'shingle-2026-11-01.db', 'by-hand.db'])
    await store.backup(join(folder, 'backups', name));
  await store.close();
  const names = () => [...readdirSync(folder), ...readdirSync(join(folder, 'backups'))].toSorted();
  const before = names();
  const replaced = before.find((name) => name.startsWith('replaced-'))!;
  utimesSync(join(folder, replaced), 0, 0); // nothing had been stored for years before it was replaced
  deleteOldCopies(folder, '2001-01-01T00:00:00.000Z');
  assert.deepEqual(names(), before);
  deleteOldCopies(folder, '2999-01-01T00:00:00.000Z');
  assert.deepEqual(
    before.filter((name) => !names().includes(name)),
    ['before-step-3.db', replaced],
  );
});
