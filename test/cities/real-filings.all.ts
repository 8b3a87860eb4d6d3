/** Checks the real profiles with real filings, if available: every row gets a verdict, and the counts add up. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Source, Verdict } from 'shingle/city';
import { loadCity } from '../../src/city/load.ts';
import { realData } from '../real-data.ts';

type Sums = {
  rows: number;
  opening: number;
  update: number;
  skip: number;
  reject: number;
  keys: Set<string>;
};

/** Judges rows given as cells in the order of the header. */
function judge(source: Source, header: string[], rows: string[][], today: string): Sums {
  const at = source.columns.map((column) => [column, header.indexOf(column)] as const);
  for (const [column, i] of at) assert.notEqual(i, -1, `${column} is in the header`);
  const sums: Sums = { rows: rows.length, opening: 0, update: 0, skip: 0, reject: 0, keys: new Set() };
  for (const cells of rows) {
    const row = Object.fromEntries(at.map(([column, i]) => [column, cells[i]!.trim()]));
    const verdict = source.verdict(row, { today });
    sums[verdict.kind]++;
    hold(verdict, sums);
  }
  assert.equal(sums.opening + sums.update + sums.skip + sums.reject, sums.rows);
  return sums;
}

function hold(verdict: Verdict, sums: Sums): void {
  if (verdict.kind === 'skip' || verdict.kind === 'reject') {
    assert.notEqual(verdict.reason, '');
    return;
  }
  assert.notEqual(verdict.facts.key, '');
  if (verdict.kind === 'update') return;
  assert.match(verdict.facts.name, /[\p{L}\p{N}]/u);
  sums.keys.add(verdict.facts.key);
}

function csvRows(path: string): { header: string[]; rows: string[][] } {
  const [header, ...rows] = parse(readFileSync(path), { bom: true }) as string[][];
  return { header: header!, rows };
}

const longBeach = realData('long-beach/business_licenses.csv');
test('Long Beach: all 89,245 licences get a verdict', { skip: longBeach.skip }, async () => {
  const { city } = await loadCity('long-beach');
  const { header, rows } = csvRows(longBeach.path);
  const sums = judge(city.sources[0]!, header, rows, city.asOf!);
  assert.equal(sums.rows, 89_245);
  assert.equal(sums.reject, 0);
  assert.ok(sums.opening > 45_000 && sums.opening < 52_000, `${sums.opening} openings`);
  assert.ok(sums.keys.size < sums.opening * 0.9, 'booth holders and agents fold into their shops');
});

test('Long Beach: every description of the register is known to the profile', {
  skip: longBeach.skip,
}, async () => {
  const { BROAD, EXACT, NO_SHOP, SILENT } = await import('../../cities/long-beach/kinds.ts');
  const { header, rows } = csvRows(longBeach.path);
  const [kind, description] = [header.indexOf('CLASSDESC'), header.indexOf('LICCATDESC')];
  const known = [...EXACT.keys(), ...BROAD.keys(), ...NO_SHOP.keys(), ...SILENT];
  const seen = new Set(
    rows.filter((row) => !row[kind]!.startsWith('Rental ')).map((row) => row[description]!),
  );
  assert.deepEqual(new Set(known), seen);
  assert.equal(known.length, seen.size, 'none is named twice');
});

const chicago = realData('chicago/business-licenses-sample.csv');
test('Chicago: all 10,000 terms get a verdict, and only first licences open', {
  skip: chicago.skip,
}, async () => {
  const { city } = await loadCity('chicago');
  const { header, rows } = csvRows(chicago.path);
  const sums = judge(city.sources[0]!, header, rows, '2020-07-15');
  assert.equal(sums.rows, 10_000);
  assert.equal(sums.reject, 0);
  const first = rows.filter((row) => row[header.indexOf('APPLICATION TYPE')] === 'ISSUE').length;
  assert.ok(sums.opening > 1_500 && sums.opening <= first, `${sums.opening} openings`);
});

test('Chicago: every description of the register is known to the profile', {
  skip: chicago.skip,
}, async () => {
  const { BROAD, EXACT, NO_SHOP, SILENT } = await import('../../cities/chicago/kinds.ts');
  const { header, rows } = csvRows(chicago.path);
  const known = [...EXACT.keys(), ...BROAD.keys(), ...NO_SHOP.keys(), ...SILENT];
  const seen = new Set(rows.map((row) => row[header.indexOf('LICENSE DESCRIPTION')]!));
  assert.deepEqual(new Set(known), seen);
  assert.equal(known.length, seen.size, 'none is named twice');
});

const pasco = realData('pasco-county/daily/');
test('Pasco County: all 3,293 filings open a company, each its own', { skip: pasco.skip }, async () => {
  const { city } = await loadCity('pasco-county');
  const filings: Record<string, string>[] = readdirSync(pasco.path).flatMap(
    (file) => JSON.parse(readFileSync(join(pasco.path, file), 'utf8')).filings,
  );
  const header = Object.keys(filings[0]!);
  const rows = filings.map((filing) => header.map((column) => filing[column]!));
  const sums = judge(city.sources[0]!, header, rows, '2026-08-21');
  assert.equal(sums.keys.size, 3_293);
  assert.equal(sums.opening, 3_293);
});
