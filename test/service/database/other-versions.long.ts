/** The engine on every other major version of PostgreSQL that this machine has, such as Debian's. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { noPostgres } from './a-postgres.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FILES = ['postgres', 'postgres-engine'].map((name) => `test/service/database/${name}.test.ts`);
const FOUND = globSync('/usr/lib/postgresql/*').filter(
  (folder) => globSync(`${folder}/bin/initdb`).length > 0,
);

test('the tests of the database pass on other major versions of PostgreSQL', {
  skip: noPostgres || (FOUND.length === 0 && 'no other PostgreSQL is installed below /usr/lib/postgresql'),
}, (t) => {
  for (const folder of FOUND) {
    const { TEST_POSTGRES_PORT: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
    const ended = spawnSync(process.execPath, ['test/run.ts', 'quick', ...FILES], {
      ...{ cwd: ROOT, encoding: 'utf8' },
      env: { ...env, TEST_POSTGRES_PROGRAMS: folder },
    });
    assert.equal(ended.status, 0, `${folder}\n${ended.stdout}${ended.stderr}`);
    t.diagnostic(folder);
  }
});
