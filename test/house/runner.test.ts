/** The runner of the tests runs what it is told to, and says what failed and what was skipped. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { filesOf, ROOT, sharesProcess, TIERS } from '../tiers.ts';

function run(...args: string[]) {
  const { NODE_TEST_CONTEXT: _, TEST_FILES: __, ...env } = process.env;
  const program = ['bin/node.mjs', 'test/run.ts', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

test('files that share a process are run alone, fail by their names, and say why a test is skipped', () => {
  const files = ['test/house/a-mixed-file.ts', 'test/city/keys.test.ts'];
  assert.ok(files.every(sharesProcess));
  const { status, said } = run('quick', ...files);
  assert.equal(status, 1, said);
  assert.match(said, /✖ test\/house\/a-mixed-file\.ts/);
  assert.match(said, /✔ test\/city\/keys\.test\.ts/);
  assert.match(said, /1 skipped: needs the moon\n.*tests \d+\n/);
  assert.match(said, /fail 1\n/);
});

test('a tier or file that does not exist is refused', () => {
  for (const [args, why] of [
    [['quick', 'test/no-such.test.ts'], /there is no test\/no-such\.test\.ts/],
    [['slow'], /use one of quick, all, long/],
  ] as const) {
    const { status, said } = run(...args);
    assert.equal(status, 1, said);
    assert.match(said, why);
  }
});

test('every test file belongs to a tier', () => {
  const named = new Set(TIERS.flatMap(filesOf));
  const all = globSync('test/**/*.{test,all,long}.ts', { cwd: ROOT });
  assert.deepEqual(
    all.filter((file) => !named.has(file)),
    [],
  );
});
