/** The commands of docs/instances.md that restore a dump, with the programs of a PostgreSQL that this machine has. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { blockWith } from '../../blocks.ts';
import { asked, noPostgres, startServer } from './a-postgres.ts';

const [PROGRAMS] = globSync('/usr/lib/postgresql/*').filter((folder) => globSync(`${folder}/bin/pg_dump`)[0]);
const PAGE = 'docs/instances.md';
const [dump, restore] = [blockWith(PAGE, '--file=shingle.dump shingle'), blockWith(PAGE, 'pg_restore')];

test('the commands of the docs restore a dump, and removed listings stay removed', {
  skip:
    noPostgres || (PROGRAMS === undefined && 'no other PostgreSQL is installed below /usr/lib/postgresql'),
}, async () => {
  process.env.TEST_POSTGRES_PROGRAMS = PROGRAMS;
  delete process.env.TEST_POSTGRES_PORT; // a server of its own
  const { primary, end } = await startServer();
  const folder = mkdtempSync(join(tmpdir(), 'shingle-dump-'));
  try {
    const url = new URL(await primary.migrated());
    const database = url.pathname.slice(1);
    const run = (commands: string) => {
      const connect = { PGHOST: url.hostname, PGPORT: url.port, PGUSER: 'shingle', TMPDIR: folder };
      const env = { ...process.env, ...connect, PATH: `${PROGRAMS}/bin:${process.env.PATH}` };
      const named = commands
        .replaceAll(/(dbname=| )shingle$|(dbname=| )shingle(?= )/gm, `$1$2${database}`)
        .replace('/path/to', folder);
      const ended = spawnSync('bash', ['-e', '-c', named], { cwd: folder, env, encoding: 'utf8' });
      assert.equal(ended.status, 0, `${named}\n${ended.stderr}`);
    };
    const remove = (value: string) =>
      asked(
        url.href,
        `insert into suppression (value, reason, added_at) values ('${value}', 'asked', '2026-11-21T03:00:00.000Z')`,
      );
    const removed = async () =>
      (await asked<{ value: string }>(url.href, 'select value from suppression order by value')).map(
        ({ value }) => value,
      );
    await remove('before');
    run(dump);
    await remove('since');
    run(restore);
    assert.deepEqual(await removed(), ['before', 'since']);
    const owners = await asked(
      url.href,
      "select distinct tableowner from pg_tables where schemaname = 'public'",
    );
    assert.deepEqual(owners, [{ tableowner: 'shingle' }]);
  } finally {
    await end();
    rmSync(folder, { recursive: true, force: true });
  }
});
