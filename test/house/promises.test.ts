/** docs/promises.md cannot go stale: every test it names is there. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/promises.md'), 'utf8');
const ROWS = PAGE.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promise '));

const TESTS = /\btest\(\s*(['"`])([\s\S]*?)\1/g;
/** The cases that every engine's store has to pass are named in `*-cases.ts`. */
const CASES = /^ {2}(['"`])(.*)\1: async \(/gm;

/** The names of the tests of a file, as far as they are written out. */
function namesIn(path: string): string {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const named = path.endsWith('-cases.ts') ? CASES : TESTS;
  return [...text.matchAll(named)].map(([, , name]) => name).join('\n');
}

test('every promise names an existing test by its exact name', () => {
  assert.ok(ROWS.length > 25);
  for (const row of ROWS) {
    const cited = row.split(/(?=`test\/)/).slice(1);
    assert.ok(cited.length > 0, `no test in: ${row}`);
    for (const one of cited) {
      const path = /^`(test\/[^`]+)`/.exec(one)![1]!;
      assert.ok(existsSync(join(ROOT, path)), `${path} in: ${row}`);
      const names = [...one.matchAll(/"([^"]+)"/g)].map(([, name]) => name!);
      assert.ok(names.length > 0, `no test named of ${path} in: ${row}`);
      for (const name of names) assert.ok(namesIn(path).includes(name), `${path} has no test "${name}"`);
    }
  }
});
