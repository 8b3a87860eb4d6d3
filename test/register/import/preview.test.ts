/** What a check shows of a register: rows from all of it, the row that opened each listing, and counts, all in bounded memory. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Row } from '../../../src/register/profile/define.ts';
import { openCounter, openPreview } from '../../../src/register/rows/preview.ts';
import type { Judgement } from '../../../src/shared/report.ts';
import { SOURCE } from './a-register.ts';

const rowOf = (name: string, day = ''): Row => ({ NAME: name, DAY: day });
const openingOf = (key: string, name: string, filedOn: string): Judgement => ({
  ...{ kind: 'opening', key, name, filedOn, termOn: filedOn, expiresOn: null },
  ...{ category: 'Restaurants', neighborhood: 'Old Town', status: 'open' },
});

function aPreview() {
  const preview = openPreview(SOURCE, '2026-11-20');
  const keys = new Set<string>();
  let line = 1;
  return {
    see(judgement: Judgement, row: Row | undefined, file = 'a.csv'): void {
      const isKnown = 'key' in judgement && keys.has(judgement.key);
      preview.see(judgement, { file, line: ++line, row, isKnown });
      if ('key' in judgement) keys.add(judgement.key);
    },
    report: preview.report,
  };
}

test('if many rows are left out, check shows the same twenty from all parts of the file each time', () => {
  const lines = () => {
    const { see, report } = aPreview();
    for (let i = 0; i < 50_000; i++) see({ kind: 'skip', reason: 'landlord' }, rowOf(`Heron ${i}`));
    const [only] = report().leftOut;
    assert.equal(only!.count, 50_000);
    return only!.rows.map(({ line }) => line);
  };
  const once = lines();
  assert.equal(once.length, 20);
  assert.ok(once[0]! < 5_000 && once.at(-1)! > 30_000, once.join(' '));
  assert.deepEqual(lines(), once);
});

test('check shows at most thirty reasons, and counts a skip and a rejection with the same name separately', () => {
  const { see, report } = aPreview();
  see({ kind: 'reject', reason: 'reason 0' }, undefined);
  for (let i = 0; i < 100; i++) see({ kind: 'skip', reason: `reason ${i % 50}` }, rowOf('Heron'));
  const { leftOut } = report();
  assert.equal(leftOut.length, 30);
  assert.deepEqual(leftOut.find(({ kind }) => kind === 'reject')?.rows, [
    { file: 'a.csv', line: 2, cells: [] },
  ]);
});

test('check shows a listing beside the row of its first filing, from any file', () => {
  const { see, report } = aPreview();
  see(openingOf('1', 'Heron', '2026-03-01'), rowOf('Heron, renewed', '3/1/2026'));
  see(openingOf('1', 'Heron', '2025-03-01'), rowOf('Heron', '3/1/2025'), 'b.csv');
  see(openingOf('1', 'Heron', '2025-09-01'), rowOf('Heron, moved', '9/1/2025'), 'c.csv');
  const [{ listing, row } = { listing: undefined, row: undefined }] = report().newest;
  assert.equal(listing?.filing_date, '2025-03-01');
  assert.deepEqual(row, { file: 'b.csv', line: 3, cells: ['Heron', '3/1/2025'] });
});

test('check finds the newest listings with their rows, in any order of the file', () => {
  const { see, report } = aPreview();
  for (let i = 0; i < 9_000; i++) {
    const at = (i * 4_001) % 9_000; // every number once, in disorder
    const day = `${2000 + (at % 25)}-${String(1 + (at % 12)).padStart(2, '0')}-01`;
    see(
      openingOf(String(at), `Heron ${at}`, at < 20 ? `2026-11-${String(at + 1).padStart(2, '0')}` : day),
      rowOf(`HERON ${at}`),
    );
  }
  assert.deepEqual(
    report().newest.map(({ listing, row }) => [listing.name, row?.cells[0]]),
    Array.from({ length: 20 }, (_, i) => [`Heron ${19 - i}`, `HERON ${19 - i}`]),
  );
});

test('check counts the openings of a large file by year', () => {
  const { see, report } = aPreview();
  for (let i = 0; i < 130_000; i++) {
    see(openingOf(`${i}`, `Heron ${i}`, '2024-01-02'), rowOf(''));
    if (i < 50) see(openingOf('0', 'Heron Once', '2025-01-02'), rowOf(''));
  }
  assert.deepEqual(report().years, [
    ['2025', 50],
    ['2024', 130_000],
  ]);
});

test('however often texts repeat, only the most frequent ones are counted', () => {
  const counter = openCounter(100);
  for (let i = 0; i < 5_000; i++) {
    for (let times = 0; times < 3; times++) counter.see(`Heron ${i}`);
    counter.see('Vending Heron');
  }
  const counts = counter.list();
  assert.ok(counts.length <= 100, `${counts.length}`);
  assert.deepEqual(counts[0], ['Vending Heron', 5_000]);
});
