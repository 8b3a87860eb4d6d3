/** The first weeks of a simulated year (`year.long.ts`), with all of its troubles, twice: the same seed repeats them exactly. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity } from '../a-city.ts';
import { runYear } from './year/year.ts';

const SEED = 1;

test('twenty days of ingests, editions, people, troubles and crashes break no promise, and a seed repeats them', async (t) => {
  const one = () => runYear({ seed: SEED, days: 20, start: '2026-10-20', city: aCity() });
  const year = await one();
  t.diagnostic(`${year.crashes.length} crashes, ${year.mails} emails, ${year.editions} editions`);
  assert.ok(year.crashes.length > 0 && year.editions >= 2 && year.mails > 20);
  assert.equal((await one()).trace, year.trace);
});
