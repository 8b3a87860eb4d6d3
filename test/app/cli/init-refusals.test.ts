/** What `shingle init --use` takes and refuses. */

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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
