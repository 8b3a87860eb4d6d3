/** `shingle move` as an operator uses it: all or nothing, and never two copies in use by accident. */

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { aCity } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { type Ended, lastJson, running } from '../../a-process.ts';
import { openPostgresStore } from '../../a-store.ts';
import { aServer, asked } from '../../service/database/a-postgres.ts';
import { listingsIn } from '../../service/database/store-cases.ts';

const SUPPRESSED = 'Never To Be Served LLC';
const LISTINGS = 600;
const primary = await aServer();
const city = aCity();
const envOf = (folder: string) => ({ ...city.env, SHINGLE_DATA: folder });

before(async () => {
  await city.ingest(LISTINGS);
  for (const args of [
    ['subscribers', 'add', 'ann@b.example', '--confirmed'],
    ['suppress', 'add', SUPPRESSED, '--reason', 'asked for'],
  ])
    assert.equal((await command(args, city.env)).code, 0);
});

/** Moves a folder; whatever comes of it, the password is not told. */
async function move(folder: string, url: string, env: Record<string, string> = {}): Promise<Ended> {
  const ended = await command(['move', '--json'], { ...envOf(folder), DATABASE_URL: url, ...env });
  assert.doesNotMatch(ended.out + ended.err, /secret/);
  return ended;
}

const bytesOf = (folder: string): string => hash('sha256', readFileSync(join(folder, 'shingle.db')));

async function serves(folder: string): Promise<void> {
  const service = await running(['serve'], envOf(folder));
  const answer = (await (await fetch(`${service.url}/api/search`)).json()) as { total: number };
  assert.equal(answer.total, LISTINGS);
  assert.equal(await service.stop(), 0);
}

test('a move copies the whole installation, and the old folder is no longer served', async () => {
  const [folder, url] = [city.copyData(), await primary.fresh()];
  const ended = await move(folder, url);
  assert.equal(ended.code, 0, ended.err);
  const { to, tables } = lastJson(ended) as unknown as { to: string; tables: Record<string, number> };
  assert.equal(to, `127.0.0.1:${primary.port}/${url.split('/').at(-1)}`);
  assert.deepEqual(
    [tables.listing, tables.run, tables.subscriber, tables.subscription, tables.suppression, tables.outbox],
    [LISTINGS, 1, 1, 1, 1, 1],
  );
  assert.match(ended.out, /moved to 127[\s\S]*DATABASE_URL=postgres:\/\/USER:PASSWORD@127\.0\.0\.1/);
  const store = await openPostgresStore(url);
  assert.equal((await listingsIn(store)).length, LISTINGS);
  const [ann] = await store.subscribers.all();
  assert.deepEqual([ann?.address, ann?.subscriptions[0]?.state], ['ann@b.example', 'confirmed']);
  assert.equal((await store.listings.suppressions())[0]?.value, SUPPRESSED);
  await store.close();
  for (const args of [['serve'], ['start'], ['runs'], ['ingest'], ['move']]) {
    const to: Record<string, string> = args[0] === 'move' ? { DATABASE_URL: url } : { PORT: '0' };
    const refused = await command(args, { ...envOf(folder), ...to });
    assert.equal(refused.code, 78, args.join(' '));
    assert.doesNotMatch(refused.err, /secret/);
    assert.match(refused.err, /was moved to PostgreSQL at 127.*set DATABASE_URL.*remove .*moved\.txt/);
  }
  assert.doesNotMatch(readFileSync(join(folder, 'moved.txt'), 'utf8'), /secret/);
  rmSync(join(folder, 'moved.txt'));
  await serves(folder);
});

const UNFIT: [what: string, code: number, wanted: RegExp, url: () => Promise<string>][] = [
  [
    'nobody answers',
    75,
    /is temporarily unavailable.*ECONNREFUSED \(connection\)\. Is PostgreSQL running there\? Check the host/,
    async () => 'postgres://u:secret@127.0.0.1:9/x',
  ],
  [
    'the tables of a newer Shingle are there',
    78,
    /by a newer version of Shingle/,
    async () => {
      const url = await primary.fresh();
      await asked(url, 'create table migration as select 999 as number');
      return url;
    },
  ],
];

for (const [what, code, wanted, url] of UNFIT) {
  test(`a move changes nothing in the old folder if ${what}`, async () => {
    const folder = city.copyData();
    const bytes = bytesOf(folder);
    const ended = await move(folder, await url());
    assert.equal(ended.code, code, ended.err);
    assert.match(ended.err, wanted);
    assert.doesNotMatch(ended.err, /\bat .*\.ts:\d+/, 'no stack');
    assert.equal(bytesOf(folder), bytes);
    assert.equal(existsSync(join(folder, 'moved.txt')), false);
  });
}

test('if a move is killed after the copy but before the marker, the second attempt reports it', async () => {
  const [folder, url] = [city.copyData(), await primary.fresh()];
  assert.equal((await move(folder, url, { DIES_AT: 'move:committed 1' })).code, null);
  const again = await move(folder, url);
  assert.equal(again.code, 78);
  assert.match(again.err, /is not empty: its table "run" has \d+ rows\. Nothing was changed/);
  await serves(folder);
});
