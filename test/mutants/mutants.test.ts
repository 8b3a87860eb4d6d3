/** The parts of `npm run test:mutants` that decide: where mutants can be made, what they change, which tests are tried. */

import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { linesOfDiff } from './changed.ts';
import { browserReach, instrumentTree, type Reach, recordingEdits, TEST_FILES } from './coverage.ts';
import { stringUnions } from './operators.ts';
import { readOptions } from './options.ts';
import { orderTests } from './order.ts';
import { ROOT } from './scratch.ts';
import { linesOf, listMutants, pickMutants, plant, sitesIn } from './sites.ts';
import { applyEdits, MODULE, readProgram } from './syntax.ts';

const UNIONS = [['open', 'closed']];

/** Every source that a fault in this one can make. */
function faultsIn(text: string): string[] {
  return sitesIn('src/a.ts', text, UNIONS).flatMap((site) =>
    site.edits.map((edit) => plant(text, { ...site, edit })),
  );
}

test('each kind of mutant is made in the TypeScript source, with types and comments unchanged', () => {
  const cases: [text: string, faults: string[]][] = [
    ['const a = (b as number) < /* < */ c!;', ['const a = (b as number) <= /* < */ c!;']],
    ['x = a === b;', [';', 'x = a !== b;']],
    ['x = a && !b;', [';', 'x = a || !b;', 'x = a && b;']],
    ['const x = a ?? b;', ['const x = (a);', 'const x = (b);']],
    ['const x = true;', ['const x = false;']],
    ['const x: 3 = 3;', ['const x: 3 = 4;', 'const x: 3 = 2;']],
    ['const x = Math.max(a, b);', ['const x = Math.min(a, b);']],
    ['const x = a.slice(b, c!);', ['const x = a.slice((b) + 1, c!);', 'const x = a.slice(b, (c) - 1!);']],
    ["const x: State = 'open';", ["const x: State = 'closed';"]],
    ['const x = await f<number>();', ['const x =  f<number>();']],
    ['if (a) f();', ['if (true) f();', 'if (false) f();', 'if (a) ;']],
    ['for (; a; i++);', ['for (; a; i--);']],
  ];
  for (const [text, faults] of cases) assert.deepEqual(faultsIn(text), faults, text);
});

test('no fault is planted in texts, types, imports, comments and names of properties', () => {
  const text = [
    "import { a } from './open.ts';",
    "type State = 'open' | 1; // a < b",
    "const x = { open: 'Open ' + a + `a < b` };",
    'const y: { 1: true } | undefined = x satisfies object;',
  ].join('\n');
  assert.deepEqual(faultsIn(text), []);
});

test('members of a union of strings are found, to be swapped for each other', () => {
  assert.deepEqual(stringUnions("type A = 'kept' | 'on-hold';\nf('x', 'y')"), [['kept', 'on-hold']]);
});

test('the same seed picks the same faults, each in another place, and all of them parse', () => {
  const text = 'const x = a ?? b;\nconst y = a || b;\nexport const z = (c: number) => c + 1 < 2;';
  const sites = sitesIn('src/a.ts', text, []);
  const pick = (seed: number) => pickMutants(sites, () => text, { count: 4, seed });
  assert.deepEqual(pick(7), pick(7));
  assert.equal(new Set(pick(7).map(({ edit }) => edit.start)).size, 4);
  for (const mutant of pick(7)) assert.doesNotThrow(() => readProgram(plant(text, mutant)));
  assert.equal(pickMutants(sites, () => text, { count: 99, seed: 1 }).length, sites.length);
});

test('a fault is tried again by its place alone: all that the line can have, and no other', () => {
  const text = 'const x = a ?? b;\nconst y = a || b;\n';
  const sites = sitesIn('src/a.ts', text, []);
  const { only } = readOptions(['--only', 'src/a.ts:2']);
  const mutants = listMutants(sites, () => text, only!);
  assert.deepEqual(
    mutants.map((mutant) => [mutant.line, linesOf(text, mutant).after]),
    [[2, 'const y = a && b;']],
  );
  assert.throws(() => readOptions(['--only', 'src/a.ts']), /FILE:LINE/);
});

test('a place that no fault leaves sound is passed over', () => {
  const text = 'const x = 1;';
  const broken = [{ file: 'f', line: 1, inFunction: MODULE, edits: [{ start: 0, end: 5, text: '(' }] }];
  assert.deepEqual(
    pickMutants(broken, () => text, { count: 1, seed: 1 }),
    [],
  );
});

test('a survivor is shown as its line was and as it became', () => {
  const text = 'one();\n  if (a < b)\n    two();\n';
  const site = sitesIn('src/a.ts', text, []).find(({ edits }) => edits[0]?.text === '<=')!;
  assert.equal(site.line, 2);
  assert.deepEqual(linesOf(text, { ...site, edit: site.edits[0]! }), {
    before: 'if (a < b)',
    after: 'if (a <= b)',
  });
});

test('every function says that it was called, and works as before', () => {
  const text =
    'return [1].map((a) => (b: number) => ({ c: a + b })).map(function (f) { return f(2) as object; });';
  const source = `const f = () => { ${text} };`;
  const starts: number[] = [];
  const edits = recordingEdits(readProgram(source), (start) => starts.push(start));
  const called: number[] = [];
  const script = applyEdits(source, edits).replaceAll(/: number| as object/g, '');
  const run = new Function('__reach', `${script} return f();`);
  assert.deepEqual(
    run((number: number) => called.push(number)),
    [{ c: 3 }],
  );
  assert.deepEqual(called.toSorted(), [1, 2, 3, 4]);
});

test('tests that reach the function are tried, the quick and the named first, and none that fails anyway', () => {
  const reach = (name: string, more: Partial<Reach>): Reach => ({
    ...{ test: `test/a/${name}.test.ts`, passes: true, durationMs: 100, reached: { 'src/a/b.ts': [5] } },
    ...more,
  });
  const reaches = [
    reach('slow', { durationMs: 5000 }),
    reach('quick', {}),
    reach('b', { durationMs: 1000 }),
    reach('failing', { passes: false }),
    reach('elsewhere', { reached: { 'src/a/b.ts': [MODULE] } }),
  ];
  const mutant = { file: 'src/a/b.ts', line: 1, inFunction: 5, edit: { start: 6, end: 7, text: '' } };
  assert.deepEqual(
    orderTests(mutant, reaches, () => '').map(({ test: file }) => file),
    ['test/a/b.test.ts', 'test/a/quick.test.ts', 'test/a/slow.test.ts'],
  );
});

test('the lines that a change touched are read from the diff', () => {
  const diff = `--- a/src/a.ts
+++ b/src/a.ts
@@ -3 +3,2 @@ f
-old
+new
+er
@@ -9,2 +9,0 @@
-gone
-gone
--- a/src/b.ts
+++ /dev/null
@@ -1 +0,0 @@
-gone
+++ b/src/c.ts
@@ -0,0 +1 @@
+new`;
  assert.deepEqual(
    linesOfDiff(diff),
    new Map([
      ['src/a.ts', new Set([3, 4])],
      ['src/c.ts', new Set([1])],
    ]),
  );
});

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test('every file of src can be reached: its functions report themselves, or tests open it in a browser', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'reach-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = globSync('src/**/*.ts', { cwd: ROOT });
  const sources = new Map(files.map((file) => [file, textOf(file)]));
  const reported = instrumentTree({ folder, sources, write: () => undefined });
  const inBrowser = browserReach('test/web/pages/map.test.ts');
  const scripts = files.filter((file) => existsSync(join(ROOT, dirname(file), 'tsconfig.json'))); // compiled for browsers
  assert.deepEqual(Object.keys(inBrowser), scripts);
  assert.ok(Object.values(inBrowser).every((starts) => starts.length > 1));
  const others = files.filter((file) => !scripts.includes(file));
  assert.deepEqual(new Set(reported.map(({ file }) => file)), new Set(others));
});

test('only test files open a browser, so each is known by its own imports', () => {
  const opening = globSync('test/**/*.ts', { cwd: ROOT }).filter((file) =>
    textOf(file).includes("/a-browser.ts'"),
  );
  const tests = new Set(globSync(TEST_FILES, { cwd: ROOT }));
  assert.deepEqual(
    opening.filter((file) => !tests.has(file)),
    [],
  );
});

test('every file and folder that the tool names exists', () => {
  const tool = globSync('test/mutants/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  const named = tool.flatMap(
    (file) => textOf(file).match(/(?<=['"`^](?:\.\/)?)(?:src|test|cities)\/[\w./-]*/g) ?? [],
  );
  assert.ok(named.length > 4);
  for (const path of named) assert.ok(existsSync(join(ROOT, path)), path);
});
