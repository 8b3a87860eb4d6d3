/** The runner of the tests runs what it is told to, and says what failed and what was skipped. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { countSeconds } from '../patience.ts';
import report from '../reporter.ts';
import { filesNamed, filesOf, listLeftOut, ROOT, sharesProcess, TIERS } from '../tiers.ts';

function run(...args: string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const program = ['bin/node.mjs', 'test/run.ts', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

test('the runner reports each file of a shared process by its name, and says why a test is skipped', () => {
  const files = ['test/house/a-mixed-file.ts', 'test/register/profile/keys.test.ts'];
  assert.ok(files.every(sharesProcess));
  const { status, said } = run('quick', ...files);
  assert.equal(status, 1, said);
  assert.match(said, /✖ test\/house\/a-mixed-file\.ts/);
  assert.match(said, /✔ test\/register\/profile\/keys\.test\.ts/);
  assert.match(said, /1 skipped: needs the moon\n.*tests \d+\n/);
  assert.match(said, /fail 1\n/);
});

/** What is printed of a run of two files: one is over, and the other is not when the run is ended. */
async function printed(ms: number): Promise<string> {
  const [slow, other] = [`${ROOT}test/a-slow.test.ts`, `${ROOT}test/another.test.ts`];
  const pending = new Error('failed', { cause: 'Promise resolution is still pending' });
  const failed = { name: other, nesting: 0, file: other, details: { duration_ms: 1, error: pending } };
  const events = [
    { type: 'test:summary', data: { file: slow, duration_ms: ms } },
    { type: 'test:interrupted', data: { tests: [{ name: other, nesting: 0, file: other }] } },
    { type: 'test:fail', data: failed },
    { type: 'test:diagnostic', data: { nesting: 0, message: 'tests 7' } },
  ] as unknown as TestEvent[];
  process.env.TEST_FILE_COUNT = '2';
  async function* given() {
    yield* events;
  }
  return (await Array.fromAsync(report(given()))).join('');
}

test('the runner prints its progress and the slowest files, and names the running file when it is interrupted', async () => {
  const lines = (await printed(7_000)).split('\n').map((line) => line.replace(/^.*ℹ /, ''));
  assert.deepEqual(lines.slice(0, 5), [
    ...[
      '1 of 2: test/a-slow.test.ts, 7.0 s',
      'the run was ended after 1 of 2 files, amid test/another.test.ts',
    ],
    ...['slowest of 1 files:', '    7.0 s  test/a-slow.test.ts', 'tests 7'],
  ]);
  assert.doesNotMatch(await printed(4_000), /slowest|pending/);
});

test('a second counts unless what a test waits for got no processor in it', () => {
  const countedAfter60 = (delayedShare: number | undefined): number => {
    let ms = 0;
    const delays = () => new Map(delayedShare === undefined ? [] : [['1', ms * delayedShare * 1e6]]);
    const count = countSeconds(() => ms, delays);
    return Array.from({ length: 60 }).reduce<number>((sum) => {
      ms += 1_000;
      return sum + count();
    }, 0);
  };
  assert.deepEqual([0, 0.5, 1, undefined].map(countedAfter60).map(Math.round), [60, 30, 6, 15]);
});

test('the summary of a run says why the watchdog ended a file', async () => {
  const [file, sentence] = [`${ROOT}test/a-slow.test.ts`, 'watchdog: it is ended: "a test" takes longer'];
  const error = new Error('failed', { cause: 'test failed' });
  const events = [
    { type: 'test:stderr', data: { file, message: `${sentence}\n` } },
    { type: 'test:fail', data: { name: file, nesting: 0, file, details: { duration_ms: 1, error } } },
  ];
  await Array.fromAsync(report(Readable.from(events) as AsyncIterable<TestEvent>));
  assert.equal(error.cause, sentence);
});

test('a folder stands for its files of a tier, and the runner names those that another command runs', () => {
  const { status, said } = run('quick', 'test/long');
  assert.equal(status, 1, said);
  assert.match(
    said,
    /left to npm run test:long: test\/long\/copying-long-beach\.long\.ts, .*sustained\.long\.ts\n/,
  );
  assert.match(said, /test\/long names no test file/);
  assert.deepEqual(listLeftOut('test/deploy/', 'long'), [
    'npm run test:deploy: test/deploy/image.deploy.ts, test/deploy/server.deploy.ts',
  ]);
  assert.ok(filesNamed('test/long', 'long').includes('test/long/history.long.ts'));
});

test('every test file belongs to a tier', () => {
  const named = new Set(TIERS.flatMap(filesOf));
  const all = globSync('test/**/*.{test,all,long}.ts', { cwd: ROOT });
  assert.deepEqual(
    all.filter((file) => !named.has(file)),
    [],
  );
});
