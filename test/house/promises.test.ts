/** test/promises.md cannot go stale: every test it names is there, by its whole name, and runs. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'test/promises.md'), 'utf8');
const ROWS = PAGE.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promise '));

const PROOF = /^`(test\/[^`]+\.ts)`/;
const TESTS = /\b(?:test|it)(?:\.(skip|todo))?\(\s*(['"`])((?:\\.|(?!\2)[\s\S])*)\2(?:,\s*(\{[^{}]*\}),)?/g;
/** The cases that every engine's store has to pass are named in `*-cases.ts`. */
const CASES = /^ {2}()(['"`])(.*)\2: async \(/gm;
const SKIPPED = /\b(?:skip|todo):\s*(?:true|['"`])/;

/** The tests of a file by name, as it is written, and whether each always runs. */
function readTests(text: string, pattern: RegExp): Map<string, { runs: boolean }> {
  const found = [...text.matchAll(pattern)].map(([, mode, , name, options = '']) => {
    const runs = mode !== 'skip' && mode !== 'todo' && !SKIPPED.test(options);
    return [name!.replaceAll(/\\(.)/g, '$1'), { runs }] as const;
  });
  return new Map(found);
}

test('every promise names existing tests by their whole names, and none that is always skipped', () => {
  assert.ok(ROWS.length > 25);
  const wrong: string[] = [];
  for (const row of ROWS) {
    const cited = row.split(/(?=`test\/)/).slice(1);
    assert.ok(cited.length > 0, `no test in: ${row}`);
    for (const one of cited) {
      const path = PROOF.exec(one)?.[1];
      assert.ok(path !== undefined && existsSync(join(ROOT, path)), `no test file: ${one.slice(0, 80)}`);
      const tests = readTests(
        readFileSync(join(ROOT, path), 'utf8'),
        path.endsWith('-cases.ts') ? CASES : TESTS,
      );
      const names = [...one.matchAll(/"([^"]+)"/g)].map(([, name]) => name!);
      assert.ok(names.length > 0, `no test named of ${path} in: ${row}`);
      for (const name of names) if (tests.get(name)?.runs !== true) wrong.push(`${path} "${name}"`);
    }
  }
  assert.deepEqual(wrong, [], 'no such test, or it never runs');
});

test('a test is known by its whole name, and one that is skipped or to do is noticed', () => {
  const text = [
    "test('runs', () => {});",
    'test(`all of them`, { skip: noBrowser }, () => {});',
    "test('never', { skip: true }, () => {});",
    "test('not here', { timeout: 1, skip: 'no reason' }, () => {});",
    "test('later', { todo: true }, () => {});",
    "test.skip('left out', () => {});",
    "test.todo('planned');",
    "test('it\\'s', () => {});",
  ].join('\n');
  const tests = [...readTests(text, TESTS)].map(([name, { runs }]) => [name, runs]);
  assert.deepEqual(tests, [
    ['runs', true],
    ['all of them', true],
    ['never', false],
    ['not here', false],
    ['later', false],
    ['left out', false],
    ['planned', false],
    ["it's", true],
  ]);
});
