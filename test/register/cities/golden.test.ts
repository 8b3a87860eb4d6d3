/** Checks every profile with test rows in its publisher's format. A missing verdict is written and shown, and fails the test. */

import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { City, Row, Verdict } from 'shingle/city';
import { loadCity } from '../../../src/register/profile/load.ts';

type Golden = { case: string; source?: string; today?: string; row: Row; verdict?: Verdict };

const CITIES = fileURLToPath(new URL('../../../cities/', import.meta.url));
const profiles = globSync('*/golden.json', { cwd: CITIES }).map((path) => join(CITIES, dirname(path)));

test('some profiles have golden cases', () => {
  const slugs = profiles.map((folder) => basename(folder));
  for (const slug of ['long-beach', 'chicago', 'pasco-county']) assert.ok(slugs.includes(slug), slug);
});

for (const folder of profiles) {
  const slug = basename(folder);
  const { city } = await loadCity(folder);
  const path = join(folder, 'golden.json');
  const goldens: Golden[] = JSON.parse(readFileSync(path, 'utf8'));
  const missing = goldens.filter((golden) => golden.verdict === undefined);

  for (const golden of goldens.filter((one) => one.verdict !== undefined)) {
    test(`${slug}: ${golden.case}`, () => assert.deepEqual(judged(city, golden), golden.verdict));
  }

  test(`${slug}: every golden case gets its expected verdict`, () => {
    for (const golden of missing) golden.verdict = judged(city, golden);
    if (missing.length > 0) writeFileSync(path, `${JSON.stringify(goldens, null, 2)}\n`);
    assert.deepEqual(missing, [], 'these verdicts were missing and are written: read them, then keep them');
  });

  test(`${slug}: the golden cases have every kind of verdict, and their rows have the columns that the profile reads`, () => {
    const kinds = new Set(goldens.map((golden) => golden.verdict?.kind));
    for (const kind of ['opening', 'skip', 'reject']) assert.ok(kinds.has(kind as 'skip'), kind);
    for (const golden of goldens)
      for (const column of sourceOf(city, golden).columns)
        assert.notEqual(golden.row[column], undefined, `${column} of ${golden.case}`);
  });
}

/** The verdict as JSON keeps it: facts that are undefined are not there. */
function judged(city: City, golden: Golden): Verdict {
  const today = golden.today ?? city.asOf ?? '2026-09-30';
  return JSON.parse(JSON.stringify(sourceOf(city, golden).verdict(golden.row, { today })));
}

function sourceOf(city: City, golden: Golden) {
  const found = city.sources.find((source) => golden.source === undefined || source.id === golden.source);
  assert.ok(found, `${golden.case}: no source ${golden.source}`);
  return found;
}
