/** A pooler that lends one session to several clients is refused at the start, by name; one that keeps sessions is not. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgres } from '../../../src/service/database/engines/postgres.ts';
import { aCity } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { openPostgresStore } from '../../a-store.ts';
import { without } from '../../app/operations/a-proxy.ts';
import { aPooler, IGNORED } from './a-pooler.ts';
import { aServer, asked } from './a-postgres.ts';

const needs = { skip: without('pgbouncer', true) };
const primary = await aServer();

const SHARED =
  /"level":"error","message":"the database at 127\.0\.0\.1:\d+ is behind a connection pooler that (shares sessions, as PgBouncer does|refuses the timeouts) .* DATABASE_URL, or set in pgbouncer\.ini: pool_mode = session, ignore_/;

for (const [what, mode, more, hasOthers] of [
  ['transaction mode', 'transaction', [IGNORED], false],
  ['transaction mode, beside other clients', 'transaction', [IGNORED], true],
  ['transaction mode that takes turns', 'transaction', [IGNORED, 'server_round_robin = 1'], true],
  ['transaction mode with one session', 'transaction', [IGNORED, 'default_pool_size = 1'], false],
  ['statement mode', 'statement', [IGNORED], false],
  ['its default configuration', 'session', [], false],
] as const) {
  test(`PgBouncer in ${what} is refused at the start`, needs, async () => {
    const pooled = await aPooler(await primary.fresh(), mode, more);
    if (hasOthers) await Promise.all(Array.from({ length: 5 }, () => asked(pooled, 'select pg_sleep(0.1)')));
    const { code, err } = await command(['serve'], { ...aCity().env, DATABASE_URL: pooled });
    assert.match(err, SHARED);
    assert.equal(code, 78);
  });
}

test('PgBouncer in session mode keeps sessions and their locks', needs, async () => {
  const url = await primary.fresh();
  const pooled = await aPooler(url, 'session', [IGNORED]);
  const store = await openPostgresStore(pooled);
  const alone = async () => (await asked(url, "select 1 from pg_locks where locktype = 'advisory'")).length;
  assert.equal(await store.alone('outbox', 0, alone), 1);
  assert.equal(await alone(), 0);
  await store.close();
  const few = await aPooler(url, 'session', [IGNORED, 'default_pool_size = 1']);
  await assert.rejects(openPostgres(few), {
    code: 'refused',
    message: /does not open a second session\. Let it open 16/,
  });
});
