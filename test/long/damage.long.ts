/** 2,000 exports damaged by zzuf, in every file format: read, judged and ingested, and no listing is ever lost. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { strToU8 } from 'fflate';
import type { Run } from '../../src/service/runs/runs.ts';
import { aCity, businesses, csvText } from '../a-city.ts';
import { cpuMsUntil } from '../cpu.ts';
import { textCell, workbook } from '../register/import/a-workbook.ts';
import { lacks, residentMiB, zzuf } from './tools.ts';

const EACH = 500;
const GENTLE = '0.000004:0.0002'; // a few bits of a file, so that some get as far as being judged
const MOST_GOOD = 20; // as much CPU as so many files that are sound
const MOST_MIB = 256;
const GOOD = businesses(200);
const CSV = csvText(GOOD);
const TABLE = CSV.trim()
  .split('\n')
  .map((line) => line.split(','));
const RECORDS = JSON.stringify(
  TABLE.slice(1).map((cells) => Object.fromEntries(TABLE[0]!.map((name, i) => [name, cells[i]]))),
);

const SHEET = TABLE.map(
  (cells, i) =>
    `<row r="${i + 1}">${cells.map((one, at) => textCell(`${'ABCDEF'[at]}${i + 1}`, one)).join('')}</row>`,
).join('');

const FORMS: [form: string, name: string, bytes: Uint8Array][] = [
  ['csv', 'export.csv', strToU8(CSV)],
  ['json', 'export.json', strToU8(RECORDS)],
  ['csv', 'export.csv.gz', gzipSync(CSV)],
  ['excel', 'export.xlsx', workbook(SHEET)],
];

for (const [index, [form, name, good]] of FORMS.entries()) {
  test(`${EACH} damaged files like ${name} are kept, held or refused, and none removes a listing`, {
    skip: lacks('zzuf'),
  }, async (t) => {
    const city = aCity();
    if (form !== 'csv') {
      city.change('{ csv,', `{ ${form},`);
      city.change('from: csv()', `from: ${form}()`);
    }
    const service = await city.open();
    let runs: Run[] = [];
    const ingest = (file: string, bytes: Uint8Array) =>
      cpuMsUntil(async () => {
        runs = await service.ingest({ from: city.file(file, bytes as unknown as string) });
      });
    const goodMs = await ingest(name, good);
    const [first] = runs;
    assert.deepEqual([first!.state, first!.added], ['kept', 200], first!.detail ?? '');
    const listed = new Set(GOOD.map(({ id }) => id));
    const states: Record<string, number> = {};
    let [dearestMs, mostMiB] = [0, 0];
    for (let seed = index * EACH; seed < (index + 1) * EACH; seed++) {
      const bytes = zzuf(good, seed, seed % 2 === 0 ? undefined : GENTLE);
      dearestMs = Math.max(dearestMs, await ingest(`damaged-${name}`, bytes));
      const [run] = runs;
      assert.ok(['kept', 'held', 'failed', 'unchanged'].includes(run!.state), `seed ${seed}: ${run!.state}`);
      states[run!.state] = (states[run!.state] ?? 0) + 1;
      mostMiB = Math.max(mostMiB, residentMiB(process.pid));
      if (seed % 25 === 0) await turn();
      if (seed % 50 !== 49) continue;
      const now = (await Array.fromAsync(service.store.listings.listings())).flat();
      const keys = new Set(now.map(({ key }) => key));
      assert.deepEqual(
        [...listed].filter((key) => !keys.has(key!)),
        [],
        `by seed ${seed} listings are gone`,
      );
    }
    t.diagnostic(
      `${name}: ${JSON.stringify(states)}; the dearest ${dearestMs.toFixed(0)} ms of CPU, a sound one ${goodMs.toFixed(0)}; at most ${mostMiB.toFixed(0)} MiB resident`,
    );
    assert.ok(dearestMs <= MOST_GOOD * goodMs, `one took ${dearestMs} ms of CPU, a sound one ${goodMs}`);
    assert.ok(mostMiB <= MOST_MIB, `${mostMiB} MiB`);
  });
}
