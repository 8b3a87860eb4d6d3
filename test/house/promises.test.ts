/** test/promises.md cannot go stale: each file that it names has tests, at least one of which always runs, and a command runs the file. */

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesOf, ROOT, TIERS } from '../tiers.ts';

const PROMISES = readFileSync(join(ROOT, 'test/promises.md'), 'utf8').matchAll(
  /^- (.+?[.)])((?: `[\w/.-]+\/[\w/.-]+`)+)$/gm,
);
const MOST_WORDS = 30;

/** A test, or a case of those that every engine's store has to pass. */
const TESTS =
  /(?:(?:\b(?:test|it)|Test)\(\s*|^ {2})(['"`])(?:\\.|(?!\1)[\s\S])*\1(?:,\s*(\{[^{}]*\}),|: async \(|,)/gm;
const SKIPPED = /\b(?:skip|todo):\s*(?:true|['"`])/;

const hasTest = (text: string): boolean =>
  [...text.matchAll(TESTS)].some(([, , options = '']) => !SKIPPED.test(options));

test('every promise has few words, and names files with tests that run', () => {
  const run = [...TIERS.flatMap(filesOf), ...globSync('test/deploy/*.deploy.ts', { cwd: ROOT })];
  const texts = globSync('test/**/*.ts', { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const imported = new Set(
    texts.flatMap((text) => [...text.matchAll(/\/([\w-]+\.ts)'/g)].map(([, name]) => name)),
  );
  const all = [...PROMISES];
  assert.ok(all.length > 150);
  for (const [, sentence, files] of all) {
    assert.ok(sentence!.split(/\s+/).length <= MOST_WORDS, `too long: ${sentence}`);
    for (const [, name] of files!.matchAll(/`([^`]+)`/g)) {
      const path = [`test/${name}.test.ts`, `test/${name}.ts`].find((one) => existsSync(join(ROOT, one)));
      assert.ok(path !== undefined, `no file ${name}: ${sentence}`);
      const text = readFileSync(join(ROOT, path), 'utf8');
      assert.ok(hasTest(text), `no test that always runs in ${path}`);
      assert.ok(run.includes(path) || imported.has(path.split('/').at(-1)), `nothing runs ${path}`);
    }
  }
});
