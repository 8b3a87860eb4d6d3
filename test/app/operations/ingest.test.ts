/** A run is kept completely or not at all, and no row is dropped silently. */

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readStatus } from '../../../src/app/operations/service-status.ts';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { commandsOf } from '../../a-command.ts';
import { textCell, workbook } from '../../register/import/a-workbook.ts';
import { ingested, listed } from './an-ingest.ts';

test('a type that 20 listings share is stored, and a rarer type is not', async () => {
  const city = aCity();
  city.change('name: row.NAME,', 'name: row.NAME, type: row.AREA,');
  city.change('neighborhood: row.AREA,', '');
  const service = await city.open();
  const rows = businesses(39).map((one, i) => ({
    ...one,
    area: i < 20 ? 'Marimba tuning' : 'Zither repair',
  }));
  await ingested(service, city.csv(rows));
  const types = (await listed(service)).map(({ type }) => type);
  assert.deepEqual(types.toSorted(), [...Array(20).fill('marimba tuning'), ...Array(19).fill(undefined)]);
});

const COLUMNS = ['ID', 'NAME', 'KIND', 'AREA', 'DAY', 'WHAT'];
const MANY = 9_000; // several chunks of a file, and more filings than are put aside at once
const LINES_SHOWN = 20;

/** Rows of every verdict in turn: two openings, one that is skipped, one that is rejected, and the first one's closure. */
function rowsOfEveryKind(count: number): string[][] {
  return Array.from({ length: count }, (_, i) => {
    const name = `Café "Nº ${i}", ${'and so on '.repeat(i % 7)}`.trim();
    const row = (id: string, day: string, what: string) => [id, name, 'Legal', 'Harbor', day, what];
    if (i % 5 === 2) return row(`landlord ${i}`, '2025-01-01', 'landlord');
    if (i % 5 === 3) return row(`undated ${i}`, 'soon', '');
    return i % 5 === 4 ? row(`k${i - 4}`, '2025-02-02', 'closure') : row(`k${i}`, '2025-01-01', '');
  });
}

const recordOf = (cells: readonly string[]) => Object.fromEntries(cells.map((cell, i) => [COLUMNS[i], cell]));
const quoted = (cells: readonly string[]) =>
  cells.map((cell) => `"${cell.replaceAll('"', '""').replace(' ', '\n')}"`).join(',');
const sheetRow = (cells: readonly string[], i: number) =>
  `<row r="${i + 1}">${cells.map((cell, at) => textCell(`${'ABCDEF'[at]}${i + 1}`, cell)).join('')}</row>`;

type Form = {
  format: string;
  file: string;
  rows: number;
  /** The number of its first row. */
  first: number;
  write(rows: string[][]): string | Uint8Array;
};

const FORMS: Record<string, Form> = {
  'CSV with line breaks in its cells': {
    ...{ format: 'csv', file: 'a.csv', rows: MANY, first: 2 },
    write: (rows) => [COLUMNS, ...rows].map((cells) => `${quoted(cells)}\r\n`).join(''),
  },
  'a JSON array': {
    ...{ format: 'json', file: 'a.json', rows: MANY, first: 1 },
    write: (rows) => JSON.stringify(rows.map(recordOf)),
  },
  'a workbook': {
    ...{ format: 'excel', file: 'a.xlsx', rows: 1_999, first: 2 },
    write: (rows) => workbook([COLUMNS, ...rows].map(sheetRow).join('')),
  },
};

for (const [form, { format, file, rows, first, write }] of Object.entries(FORMS)) {
  test(`every row of a long file is accounted for, and its openings are listed: ${form}`, async () => {
    const city = aCity();
    city.change("'DAY', 'WHAT']", "'DAY', 'WHAT'], rejectedShare: 0.5");
    city.change('{ csv,', `{ ${format},`);
    city.change('from: csv()', `from: ${format}()`);
    const service = await city.open();
    const given = rowsOfEveryKind(rows);
    const run = await ingested(service, city.file(file, write(given) as string));
    assert.equal(run.state, 'kept', run.detail ?? '');
    const of = (...remainders: number[]) => given.flatMap((_, i) => (remainders.includes(i % 5) ? [i] : []));
    const [opened, rejected] = [of(0, 1), of(3)];
    const isClosed = new Set(of(4).map((i) => i - 4));
    const lineOf = (i: number) => first + (format === 'csv' ? lineBreaksBefore(given, i) : i);
    const lines = rejected.slice(0, LINES_SHOWN).map(lineOf);
    const counts = { read: run.read, openings: run.openings, updates: run.updates, skipped: run.skipped };
    assert.deepEqual(counts, {
      ...{ read: rows, openings: opened.length, updates: isClosed.size, skipped: { landlord: of(2).length } },
    });
    assert.deepEqual(run.rejected, [{ reason: 'no filing date', count: rejected.length, lines }]);
    const statusOf = (i: number) => (isClosed.has(i) ? 'closed' : 'open');
    const found = (await listed(service)).map(({ key, name, status }) => `${key} ${name} ${status}`);
    const wanted = opened.map((i) => `k${i} ${given[i]![1]} ${statusOf(i)}`);
    assert.deepEqual(found.toSorted(), wanted.toSorted());
  });
}

/** How many lines of the CSV lie between its first row and this one: a cell with a space in it holds a line break. */
function lineBreaksBefore(rows: readonly string[][], row: number): number {
  const before = rows.slice(0, row);
  return before.length + before.flat().filter((cell) => cell.includes(' ')).length;
}

test('a held run cannot be accepted after a later run was kept or unchanged', async () => {
  const city = aCity();
  const service = await city.open();
  const good = city.csv(100);
  await ingested(service, good);
  const held = await ingested(service, city.csv(50));
  const offers = async () =>
    (await commandsOf(city)('runs', 'show', String(held.run))).out.includes('--accept');
  assert.equal(await offers(), true);
  assert.equal((await ingested(service, good)).state, 'unchanged');
  assert.equal(await offers(), false);
  const accept = () => service.accept(held.run);
  await assert.rejects(accept, { code: 'conflict', message: /found the register as it was before/ });
  await ingested(service, city.csv(99));
  await assert.rejects(accept, { code: 'conflict', message: /is already kept/ });
});

test('a refused file stays refused until it or the profile changes, and later files are imported', async () => {
  const city = aCity();
  const service = await city.open();
  await ingested(service, city.csv(100));
  const shrunken = city.csv(50);
  const { run } = await ingested(service, shrunken);
  await service.store.filings.refuse(run);
  await assert.rejects(service.accept(run), { code: 'conflict', message: /is refused, not held/ });
  const again = await ingested(service, shrunken);
  const detail = `You refused this file in run ${run}. It is not imported until the file or city.yaml changes`;
  assert.deepEqual([again.state, again.read, again.detail], ['refused', 0, detail]);
  const checked = await commandsOf(city)('check', '--from', shrunken);
  assert.equal(checked.code, 0);
  assert.ok(checked.out.includes(`${detail}\n  an import reads none of these rows; check shows them anyway`));
  const { sources, concerns } = await readStatus(service);
  assert.equal(sources[0]!.state, 'refused');
  assert.ok(!concerns.some(({ kind }) => kind === 'failed' || kind === 'held'));
  assert.equal((await ingested(service, city.csv(51))).state, 'held');
});

test('the files of a folder are imported in the order of their names, until a run is held', async () => {
  const city = aCity();
  const service = await city.open();
  const folder = join(city.folder, 'days');
  mkdirSync(folder);
  for (const [i, count] of [60, 61, 10, 62].entries())
    writeFileSync(join(folder, `${i}.csv`), csvText(businesses(count)));
  const runs = await service.ingest({ from: folder });
  const told = runs.map(({ place, state, baseline }) => `${place} ${state} ${baseline}`);
  assert.deepEqual(told, ['0.csv kept true', '1.csv kept true', '2.csv held false']);
  assert.equal((await ingested(service, city.csv(63))).baseline, false);
  const news = (await listed(service)).filter(({ isNews }) => isNews).map(({ name }) => name);
  assert.deepEqual(news.toSorted(), ['Business 62', 'Business 63']);
});

test('implausible dates are rejected with the reason, and never repaired', async () => {
  const city = aCity();
  const days = ['1899-12-31', '1900-01-01', '2027-02-18', '2027-02-19', '9999-12-31'];
  const rows = [...businesses(500), ...days.map((day, i) => ({ id: `d${i}`, day }))];
  assert.deepEqual((await ingested(await city.open(), city.csv(rows))).rejected, [
    { reason: 'filing date before 1900 or unknown', count: 2, lines: [502, 503] },
    { reason: 'filing date more than 90 days ahead', count: 2, lines: [505, 506] },
  ]);
});

test('while the baseline of a source cannot be read, no other file of that source is read', async () => {
  const city = aCity();
  city.file('week.csv', csvText(businesses(45)));
  city.change('from: csv()', "baseline: { file: 'first.csv' }, from: csv({ file: 'week.csv' })");
  const service = await city.open();
  const [failed, ...afterIt] = await service.ingest({});
  assert.deepEqual([failed!.state, afterIt], ['failed', []]);
  assert.match(failed!.detail!, /first\.csv/);
  city.file('first.csv', csvText(businesses(40)));
  const runs = await service.ingest({});
  const told = runs.map(({ place, state, baseline, added }) => `${place} ${state} ${baseline} ${added}`);
  assert.deepEqual(told, ['first.csv kept true 40', 'week.csv kept false 5']);
});
