/**
 * A year of a city, one for each seed: 365 ingests, 52 editions, people who come and go, an operator's troubles, and crashes at any write.
 * The seed and the commit of a year that fails are printed; `YEAR_SEEDS=7 npm run test:long -- test/long/year.long.ts` repeats year 7.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import { aCity } from '../a-city.ts';
import { aServer } from '../database/a-postgres.ts';
import { runYear } from './year/year.ts';

const SEEDS = (process.env.YEAR_SEEDS ?? '1,2,3,4,5').split(',').map(Number);
const { primary, end } = await aServer();
after(end);
const COMMIT = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();

for (const seed of SEEDS)
  test(`year ${seed}: nothing acknowledged is lost, nobody gets an edition twice or after leaving, and what is served is the register`, async (t) => {
    const before = process.cpuUsage();
    const year = await runYear({
      seed,
      days: 365,
      start: '2026-06-01',
      city: aCity(),
      freshDatabase: primary.fresh,
    }).catch((error: Error) => {
      throw new Error(`YEAR_SEEDS=${seed} at commit ${COMMIT}: ${error.message}`, { cause: error });
    });
    const { user, system } = process.cpuUsage(before);
    const { crashes, samples, warnings, ...counts } = year;
    t.diagnostic(
      `${JSON.stringify(counts)}; ${crashes.length} crashes, ${((user + system) / 1e6).toFixed(0)} s of CPU`,
    );
    for (const sample of samples) t.diagnostic(JSON.stringify(sample));
    assert.ok(year.editions >= 50 && crashes.length >= 50 && year.mails >= 1_000);
    assert.ok(samples.at(-1)!.heapMb < 2 * samples[1]!.heapMb + 50, 'memory does not grow with the year');
    assert.ok(warnings.length > 0);
  });
