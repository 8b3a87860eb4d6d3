/** What `shingle init` and its `--use` take and refuse. A refused init leaves nothing on the disk. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { isoOf, nameOf } from '../../register/survey/a-register.ts';

const folder = aFolder();
const env = { SHINGLE_DATA: join(folder, 'data') };
const file = (called: string, text: string) => {
  writeFileSync(join(folder, called), text);
  return join(folder, called);
};
const registerOf = (date: string) =>
  [
    `License No,Trade Name,${date}`,
    ...Array.from({ length: 240 }, (_, i) => `L${i},${nameOf(i)},${isoOf(i)}`),
  ].join('\n');

test('--use sets the column of a role, and refuses a column that the file lacks', async () => {
  const place = file('undated.csv', registerOf('Expiration Date'));
  const out = join(folder, 'undated');
  const asked = await command(['init', place, '--out', out, '--no-install'], env);
  assert.deepEqual([asked.code, existsSync(out)], [3, false], asked.err);
  assert.match(asked.err, /No column is the date of a first filing/);
  const shown = /Expiration Date: 100 % of the rows have it, ([\d-]+) to ([\d-]+), written as/.exec(
    asked.err,
  );
  assert.ok(shown![1]! < shown![2]!, asked.err);
  assert.match(asked.err, /--use filed="COLUMN"/);
  const told = await command(
    ['init', place, '--out', out, '--use', 'filed=Expiration Date', '--no-install'],
    env,
  );
  assert.equal(told.code, 0, told.err);
  assert.match(told.out, /stop no-first-date/, 'what was chosen is still judged');
  for (const [use, reason] of [
    ['filed=Nothing', /no column "Nothing"\. It has: License No, Trade Name, Expiration Date/],
    ['born=Trade Name', /--use must be ROLE=COLUMN/],
  ] as const) {
    const refused = await command(['init', place, '--out', `${out}-2`, '--use', use], env);
    assert.deepEqual([refused.code, reason.test(refused.err)], [2, true], refused.err);
  }
});

test('init shows a cell whose day it cannot read: of another calendar, in another language, or in two orders', async () => {
  const days = {
    'the Hijri calendar': (day: string) => `14${day.slice(2, 4)}/${day.slice(5, 7)}/01`,
    'the Buddhist calendar': (day: string) => `${Number(day.slice(0, 4)) + 543}${day.slice(4)}`,
    'the calendar of Taiwan': (day: string) => `民國${Number(day.slice(0, 4)) - 1911}年${day.slice(5, 7)}月`,
    'months in German': (day: string) => `${day.slice(8)}. Februar ${day.slice(0, 4)}`,
    'moments and days': (day: string, i: number) => (i % 2 ? day : `${Date.parse(day) / 1_000 + 1}`),
  };
  for (const [what, write] of Object.entries(days)) {
    const rows = Array.from({ length: 60 }, (_, i) => `L${i},${nameOf(i)},${write(isoOf(i), i)}`);
    const place = file('unread.csv', ['Registration Number,Trade Name,Start Date', ...rows].join('\n'));
    const asked = await command(['init', place, '--out', join(folder, 'unread'), '--no-install'], env);
    assert.equal(asked.code, 3, `${what}: ${asked.out}`);
    assert.match(asked.err, /dates in no format that Shingle reads, or in several.+ {2}Start Date: /s, what);
    assert.doesNotMatch(asked.err, / {2}Registration Number: /, what);
  }
});

test('an init that fails leaves no half-made folder, and changes no other folder', async () => {
  const example = fileURLToPath(new URL('../../../docs/example/', import.meta.url));
  const register = join(example, 'register.csv');
  const boundaries = ['--boundaries', join(example, 'neighborhoods.geojson')];
  const init = (place: string, out: string, ...args: readonly string[]) =>
    command(['init', place, '--out', out, '--no-install', ...args], env);
  const broken = file('no-boundaries.json', '{');
  const dateless = file('dateless.csv', 'No,Trade Name\n1,Heron Bakery\n2,Tern Books\n3,Kestrel Cycles\n');
  const missing = ['--addresses', join(folder, 'no-such.csv')];
  for (const [place, args, code] of [
    [register, [...boundaries, ...missing], 1],
    [register, ['--boundaries', broken], 78],
    [dateless, [], 3],
  ] as const) {
    const out = join(folder, 'half');
    const ended = await init(place, out, ...args);
    assert.deepEqual([ended.code, existsSync(out)], [code, false], ended.err);
  }
  const kept = join(folder, 'kept');
  mkdirSync(kept);
  writeFileSync(join(kept, 'notes.txt'), 'ours');
  assert.notEqual((await init(register, kept, ...boundaries, ...missing)).code, 0);
  assert.ok(existsSync(join(kept, 'notes.txt')));
});
