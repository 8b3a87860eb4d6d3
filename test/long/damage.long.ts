/** 2,000 exports that zzuf has been at, in every form a file comes in: read, judged and ingested, and nothing is ever wiped. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { strToU8 } from 'fflate';
import { aCity, businesses, csvText } from '../a-city.ts';
import { textCell, workbook } from '../filings/a-workbook.ts';
import { lacks, residentMiB, zzuf } from './tools.ts';

const EACH = 500;
const GENTLE = '0.000004:0.0002'; // a few bits of a file, so that some get as far as being judged
const SLOWEST_MS = 2000;
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
  test(`${EACH} damaged files like ${name} are kept, held or refused, and none takes a listing away`, {
    skip: lacks('zzuf'),
    timeout: 300_000,
  }, async (t) => {
    const city = aCity();
    if (form !== 'csv') {
      city.change('{ csv,', `{ ${form},`);
      city.change('from: csv()', `from: ${form}()`);
    }
    const service = await city.open();
    const [first] = await service.ingest({ from: city.file(name, good as unknown as string) });
    assert.deepEqual([first!.state, first!.added], ['kept', 200], first!.detail ?? '');
    const listed = new Set(GOOD.map(({ id }) => id));
    const states: Record<string, number> = {};
    let [slowestMs, mostMiB] = [0, 0];
    for (let seed = index * EACH; seed < (index + 1) * EACH; seed++) {
      const bytes = zzuf(good, seed, seed % 2 === 0 ? undefined : GENTLE);
      const from = city.file(`damaged-${name}`, bytes as unknown as string);
      const start = performance.now();
      const [run] = await service.ingest({ from });
      slowestMs = Math.max(slowestMs, performance.now() - start);
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
      `${name}: ${JSON.stringify(states)}; slowest ${slowestMs.toFixed(0)} ms; at most ${mostMiB.toFixed(0)} MiB resident`,
    );
    assert.ok(slowestMs <= SLOWEST_MS, `one took ${slowestMs} ms`);
    assert.ok(mostMiB <= MOST_MIB, `${mostMiB} MiB`);
  });
}
