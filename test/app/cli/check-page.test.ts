/** `check.html`: what it shows, who may read it, and that nothing of a hostile register becomes markup in it. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { addDays } from '../../../src/shared/day.ts';
import { aCity } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { type Cells, rowsWith } from '../../register/import/a-register.ts';
import { aHostileCity } from './a-hostile-city.ts';
import { aMappedCity, type MappedCity } from './a-mapped-city.ts';

const NOW = ['--now', '2026-11-21T03:00:00Z'];
const check = (city: MappedCity, ...args: string[]) => command(['check', ...args, ...NOW], city.env);

/** The section of a page, as text without tags. */
function textOf(page: string, section: string): string {
  const [, html] = new RegExp(`<section id="licenses-${section}">([^]*?)</section>`).exec(page) ?? [];
  assert.ok(html !== undefined, `there is no section ${section}`);
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

const oddRows = () =>
  rowsWith((i): Cells => {
    if (i < 2) return { KIND: 'Unheard of' };
    if (i >= 20 && i < 23) return { NAME: 'Пекарня Солнце' };
    if (i === 399) return { DAY: 'someday' };
    return i >= 30 && i < 390 && i % 2 === 0 ? { DAY: '' } : {};
  });

test('check.html shows listings beside their rows, some rows for each reason, and counts', async () => {
  const city = aMappedCity(oddRows());
  const { out, err } = await check(city);
  assert.match(out, /Rows and listings to look at: .*check\.html\n$/, err);
  const page = city.read('check.html');
  assert.match(
    textOf(page, 'newest'),
    /Heron Bakery 0 Cafes &amp; Bakeries Old Town open 2026-11-18 2 L0 Heron Bakery 0 Unheard of 2026-11-18 Old Town/,
  );
  assert.equal(page.match(/<td class="served day">/g)?.length, 20);
  assert.match(textOf(page, 'types'), /Unheard of 2\b/);
  assert.match(textOf(page, 'names'), /language or script of 3 names.*Пекарня Солнце/);
  assert.match(textOf(page, 'counts'), /Category Rows Restaurants \d+/);
  const left = textOf(page, 'left-out');
  assert.match(left, /Skipped: no filing date \(180\)/);
  assert.match(left, /Rejected: unreadable filing date \(1\) .* 401 L399/);
  const [, skipped] = left.split('Skipped: no filing date');
  const ids = [...skipped!.split('Rejected')[0]!.matchAll(/ L(\d+) /g)].map(([, id]) => Number(id));
  assert.equal(ids.length, 20);
  assert.ok(ids[0]! < 60 && ids.at(-1)! > 320, `rows are from all of the file: ${ids.join(' ')}`);
  assert.match(textOf(page, 'counts'), /Year of filing Rows 2026 \d+ 2025 \d+ /);
});

test('a finding names its line of city.yaml on the screen and on the page, and the words to write', async () => {
  const city = aMappedCity(
    rowsWith((i) => ({ TOWN: i < 40 ? 'Farfield' : 'RIVERMOUTH', CREATED: addDays('2001-02-03', i) })),
  );
  const { out } = await check(city);
  const lines = city.read('city.yaml').split('\n');
  const [filed, register] = ['filed: {', '- id: licenses'].map(
    (text) => lines.findIndex((line) => line.includes(text)) + 1,
  );
  assert.ok(out.includes(`date-choice: city.yaml:${filed}: compare "CREATED" and the filing date`), out);
  assert.ok(out.includes(`outside-city: city.yaml:${register}: look at the examples`), out);
  assert.match(out, /\n {7}town: \{ column: TOWN, keep: \[ RIVERMOUTH \] \}\n/);
  const page = textOf(city.read('check.html'), 'report');
  assert.ok(page.includes(`date-choice: city.yaml:${filed}: compare`), page);
  assert.match(
    page,
    /Tried on these rows, and it ends the finding: town: \{ column: TOWN, keep: \[ RIVERMOUTH \] \}/,
  );
  assert.match(page, /for example: Heron Bakery 0 \(Farfield\)/);
});

test('only the owner can read check.html, and --json does not write it', async () => {
  const city = aMappedCity(rowsWith());
  const path = city.path('check.html');
  await check(city, '--json');
  assert.equal(existsSync(path), false);
  writeFileSync(path, 'old', { mode: 0o644 });
  await check(city);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.match(city.read('check.html'), /^<!doctype html>/);
  assert.deepEqual(
    readdirSync(city.folder).toSorted(),
    ['categories.csv', 'check.html', 'city.yaml', 'register.csv'],
    'nothing else is left',
  );
});

test('check reports that it cannot write check.html, and keeps its exit code', async () => {
  const city = aMappedCity(rowsWith());
  mkdirSync(city.path('check.html'));
  const { code, err, out } = await check(city);
  assert.equal(code, 0);
  assert.match(err, /check\.html could not be written: /);
  assert.match(out, /The newest 5 listings/);
  const { env } = aCity();
  const shipped = await command(['check', ...NOW], { ...env, SHINGLE_CITY: 'sample' });
  assert.match(shipped.err, /check\.html is not written for a city that comes with Shingle/);
  assert.equal(existsSync(new URL('../../../cities/sample/check.html', import.meta.url)), false);
});

test('a hostile register adds no markup to check.html, and the page stays small', async () => {
  const city = aHostileCity();
  const { err, out } = await check(city);
  const page = city.read('check.html');
  assert.ok(page.includes('&lt;script&gt;'), err + out + page);
  assert.ok(page.length < 2_000_000, `${page.length} bytes`);
  assert.doesNotMatch(page, /<\/?(script|img|svg|iframe|object|link|base|form)\b/i);
  assert.equal(page.match(/<\/style>/g)?.length, 1);
  assert.doesNotMatch(page, /<[^>]*\son[a-z]+=/i);
  assert.doesNotMatch(page, /[\u0000-\u0008\u001b\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/);
  assert.doesNotMatch(page, /A{201}/);
  assert.match(
    page,
    /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;">/,
  );
});

test('check.html has at most 2 MB, even with many long cells in many rows and reasons', async () => {
  const columns = Array.from({ length: 24 }, (_, at) => `C${at}`);
  const wide = Object.fromEntries(columns.map((column) => [column, "'&<".repeat(70)]));
  const skips = Array.from({ length: 11 }, (_, at) => ({
    ...{ column: 'KIND', values: [`K${at}`], because: `reason ${at}` },
  }));
  const words = `address: [${columns.join()}]\n    skip: ${JSON.stringify(skips)}`;
  const rows = rowsWith((i) => ({ ...wide, KIND: `K${i % 12}` }));
  const city = aMappedCity(rows, ['neighborhood: AREA', words]);
  const { err } = await check(city);
  const { size } = statSync(city.path('check.html'));
  assert.ok(size > 1_000_000 && size < 2_000_000, `${size} bytes ${err}`);
  assert.match(city.read('check.html'), /more rows are left out: the page would be too large/);
});
