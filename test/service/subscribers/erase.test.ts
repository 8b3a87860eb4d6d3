/** Erased people are in no file and stay erased after a restore; unsubscribed people stay unsubscribed, and nothing is sent twice. */

import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openMail } from '../../../src/app/operations/connect-mail.ts';
import { pruneMailFiles } from '../../../src/service/mail/mail-files.ts';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { aCity } from '../../a-city.ts';
import { openStore } from '../../a-store.ts';
import { addressesOf, addSubscribers } from '../../a-subscriber.ts';
import { until } from '../../until.ts';
import { aMailing, confirmed, type Mailing, tokenIn } from '../mail/a-mailing.ts';
import { holding } from '../mail/holding.ts';

const ANN = 'Ann.Erased@rivermouth.example';
const limits = { confirmationsAnHour: 200, recipientDomain: { hour: 10, day: 30 } };

/** What an operator does with a copy: the database is put in place of the lost one. */
async function restored(mailing: Mailing, copy: string): Promise<Awaited<ReturnType<typeof openStore>>> {
  await mailing.store.close();
  for (const end of ['', '-wal', '-shm']) rmSync(join(mailing.folder, `shingle.db${end}`), { force: true });
  copyFileSync(copy, join(mailing.folder, 'shingle.db'));
  const store = await openStore(mailing.folder);
  await store.repairAfterRestore(new Date(mailing.clock.now).toISOString());
  return store;
}

test('an erased address is in no file of the data folder and not in the next backup', async () => {
  const mailing = await aMailing();
  const { links } = await confirmed(mailing, ANN);
  await confirmed(mailing, ANN, 'pro-waitlist');
  await mailing.edition();
  assert.ok(holding(mailing.folder, 'ann.erased').length > 0, 'it was there');
  assert.equal(await mailing.subscriptions.erase(tokenIn(links.manage!)), true);
  await mailing.store.backup(join(mailing.folder, 'copy.db'));
  for (const text of ['ann.erased', 'annerased']) assert.deepEqual(holding(mailing.folder, text), []);
  assert.equal((await mailing.store.subscribers.all()).length, 0);
});

/** 400 people, of whom every other one is erased, and how many of those are still somewhere in a database file. */
async function aHalfErasedList(
  t: TestContext,
  prepare: (path: string) => Promise<string | undefined> | undefined,
) {
  const city = aCity();
  const at = '2026-11-21T03:00:00.000Z';
  const service = await city.open(at);
  await addSubscribers(service.store, addressesOf(400), { at });
  await service.close();
  const path = join(city.config.dataFolder, 'shingle.db');
  const folder = await prepare(path);
  const store = await openStore(folder ?? city.config.dataFolder);
  t.after(store.close);
  const gone = (await store.subscribers.all()).filter((_, i) => i % 2 === 0);
  for (const { subscriber } of gone) await store.subscribers.erase(subscriber, at);
  const file = folder === undefined ? path : join(folder, 'shingle.db');
  const countLeft = () => {
    const text = ['', '-wal'].map((end) => readFileSync(`${file}${end}`, 'latin1')).join('');
    return gone.filter(({ address }) => text.includes(address)).length;
  };
  return { store, folder: folder ?? city.config.dataFolder, countLeft };
}

test('the next backup removes copies of erased people that SQLite leaves in free pages', async (t) => {
  const { store, folder, countLeft } = await aHalfErasedList(t, (path) => {
    const db = new DatabaseSync(path);
    db.exec('pragma secure_delete = off; vacuum');
    db.close();
    return undefined;
  });
  assert.ok(countLeft() > 0, 'there are such copies');
  mkdirSync(join(folder, 'backups'));
  await store.backup(join(folder, 'backups', 'copy.db'));
  assert.equal(countLeft(), 0);
  assert.equal((await store.subscribers.all()).length, 200);
});

test('a backup has each row once, so that a later erasure finds every copy', async (t) => {
  const { countLeft } = await aHalfErasedList(t, async (path) => {
    const store = await openStore(dirname(path));
    const folder = join(dirname(path), 'restored');
    mkdirSync(folder);
    await store.backup(join(folder, 'shingle.db'));
    await store.close();
    return folder;
  });
  assert.equal(countLeft(), 0);
});

test('a person who is erased during a read is in no file once the read ends', async () => {
  const mailing = await aMailing();
  const { links } = await confirmed(mailing, ANN);
  const reader = new DatabaseSync(join(mailing.folder, 'shingle.db'), { readOnly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from subscriber').get();
  const erased = mailing.subscriptions.erase(tokenIn(links.manage!));
  await turn();
  assert.ok(holding(mailing.folder, 'ann.erased').length > 0, 'the reader holds it back');
  reader.close();
  assert.equal(await erased, true);
  assert.deepEqual(holding(mailing.folder, 'ann.erased'), []);
});

test('a restored copy brings back no person who has unsubscribed or was erased since, and keeps all other people', async () => {
  const mailing = await aMailing();
  const erased = await confirmed(mailing, ANN);
  const left = await confirmed(mailing, 'left@b.example');
  await confirmed(mailing, 'stays@b.example');
  const copy = join(mailing.folder, 'copy.db');
  await mailing.store.backup(copy);
  mailing.clock.now += 60_000;
  await mailing.subscriptions.erase(tokenIn(erased.links.manage!));
  await mailing.subscriptions.leave('manage', tokenIn(left.links.manage!), 'weekly');
  assert.ok(holding(mailing.folder, 'left@b.example').every((path) => !path.endsWith('departures.log')));
  const store = await restored(mailing, copy);
  const people = await store.subscribers.all();
  const states = people.map(({ address, subscriptions }) => `${address} ${subscriptions[0]?.state}`);
  assert.deepEqual(states.toSorted(), ['left@b.example left', 'stays@b.example confirmed']);
  assert.deepEqual(holding(mailing.folder, 'ann.erased'), [copy]);
  await store.close();
});

test('a restored copy sends no email that may have been sent already, and skips all slots before the restore', async () => {
  const mailing = await aMailing();
  await confirmed(mailing, 'stays@b.example');
  const now = () => new Date(mailing.clock.now).toISOString();
  for (const address of ['sending@b.example', 'waits@b.example']) {
    await mailing.subscriptions.requestSignup(parseAddress(address)!, 'weekly', 'api');
    if (address === 'sending@b.example')
      await mailing.store.outbox.claim({ ...limits, now: now(), done: undefined });
  }
  const copy = join(mailing.folder, 'copy.db');
  await mailing.store.backup(copy);
  mailing.clock.now += 3_600_000;
  const store = await restored(mailing, copy);
  assert.equal(await store.outbox.isDue(now(), limits), false);
  const counts = (await store.outbox.countMessages()).map(({ state, count }) => `${count} ${state}`);
  assert.deepEqual(counts, ['2 canceled', '1 sent']);
  assert.equal(await store.editions.since(), now());
  await store.repairAfterRestore(new Date(mailing.clock.now + 60_000).toISOString());
  assert.equal(await store.editions.since(), now(), 'restored once, not every time it is opened');
  await store.close();
});

test('a person who unsubscribed and signed up again stays subscribed after each start', async () => {
  const mailing = await aMailing();
  const first = await confirmed(mailing, ANN);
  mailing.clock.now += 3_600_000;
  await mailing.subscriptions.leave('manage', tokenIn(first.links.manage!), 'weekly');
  mailing.clock.now += 3_600_000;
  await confirmed(mailing, ANN);
  await mailing.store.close();
  const store = await openStore(mailing.folder);
  await store.repairAfterRestore(new Date(mailing.clock.now + 1).toISOString());
  assert.equal((await store.subscribers.all())[0]?.subscriptions[0]?.state, 'confirmed');
  await store.close();
});

test('while an erasure waits for a message that is being sent, no other message to the person begins', async () => {
  const mailing = await aMailing();
  const { store, subscriptions } = mailing;
  const { links } = await confirmed(mailing, ANN);
  await confirmed(mailing, ANN, 'pro-waitlist');
  const decidedAt = new Date(mailing.clock.now).toISOString();
  const deciding = { decidedAt, expiresAt: new Date(mailing.clock.now + 86_400_000).toISOString() };
  await store.announcements.decide(
    { type: 'pro-waitlist', subject: 'Pro', words: '# Pro' },
    { now: decidedAt, dry: false, timeZone: 'UTC' },
  );
  const edition = { edition: '2026-11-23', reason: null, content: '{}' } as const;
  await store.editions.decide({ ...edition, ...deciding }, []);
  const claim = () => store.outbox.claim({ ...limits, now: decidedAt, done: undefined });
  const { message } = (await claim())!;
  const erased = subscriptions.erase(tokenIn(links.manage!));
  const { promise: waits, resolve } = Promise.withResolvers<void>();
  const { isSendingTo } = store.subscribers;
  store.subscribers.isSendingTo = (subscriber) => isSendingTo(subscriber).finally(resolve);
  await waits;
  assert.equal(await claim(), undefined);
  await store.outbox.finish({ message, at: decidedAt, code: '250', state: 'sent' });
  assert.equal(await erased, true);
});

test('emails in files are deleted with the person, and with the record of the message', async () => {
  const city = aCity();
  const service = await city.open('2026-11-23T17:00:00.000Z');
  const { subscriptions, delivery } = openMail(service);
  const { subscribers, outbox } = service.store;
  for (const text of [ANN, 'stays@b.example'])
    await subscriptions.requestSignup(parseAddress(text)!, 'weekly', 'form');
  await service.store.alone('mail', 0, delivery.round);
  const folder = join(city.config.dataFolder, 'mail');
  writeFileSync(join(folder, 'a-note.eml'), 'an operator put it there');
  assert.ok(holding(city.config.dataFolder, 'ann.erased').length > 1, 'a file and the database have it');
  const ann = (await subscribers.find(parseAddress(ANN)!.identity))!;
  assert.equal(await subscribers.erase(ann.subscriber, service.now()), true);
  assert.deepEqual(holding(city.config.dataFolder, 'ann.erased'), []);
  assert.equal(readdirSync(folder).length, 2, 'the email of the other person stays, and so does the note');
  await outbox.sweep('2026-12-01T17:00:00.000Z');
  await pruneMailFiles(folder, outbox.hasRecord);
  assert.deepEqual(readdirSync(folder), ['a-note.eml']);
  await service.close();
});

test('each second, the service deletes some people who are due, and their emails in files', async () => {
  const city = aCity();
  const service = await city.open();
  using db = new DatabaseSync(join(city.config.dataFolder, 'shingle.db'));
  db.exec(`insert into subscriber (subscriber, identity, address, asked_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 600) select i, i, i, '2026-01-01' from n`);
  db.exec(`insert into subscription (subscriber, type, state, source, consent, asked_at, left_at)
    select subscriber, 'weekly', 'left', 'form', 'v', asked_at, asked_at from subscriber`);
  const mail = openMail(service);
  const folder = join(city.config.dataFolder, 'mail');
  mkdirSync(folder, { recursive: true });
  const old = join(folder, `2026-01-01T000000-confirmation-${'0'.repeat(32)}.eml`);
  writeFileSync(old, 'To: forgotten@b.example');
  mail.start();
  await until(() => (existsSync(old) ? undefined : true), 'the file to be deleted');
  const all = async () => (await service.store.subscribers.all()).length;
  await until(async () => ((await all()) === 0 ? true : undefined), 'all of them to be deleted');
  await mail.close();
  await service.close();
});
