/** The sample city is what its generator makes, and shows what a real one would. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stale } from '../../../cities/sample/generate.ts';
import { dryRunCity } from '../../../src/app/operations/dry-run-city.ts';
import { aCity, NOW } from '../../a-city.ts';
import { listed } from '../../app/operations/an-ingest.ts';

test('the generator of the sample writes exactly its bytes', () => {
  assert.deepEqual(stale(), []);
});

test('the sample has a first import and one later week, so that it has news', async () => {
  const city = aCity();
  city.config.city = 'sample';
  const service = await city.open();
  const [baseline, week] = await service.ingest({});
  assert.deepEqual(
    [baseline?.state, baseline?.baseline, week?.state, week?.baseline],
    ['kept', true, 'kept', false],
  );
  const rejected = baseline!.rejected.reduce((sum, { count }) => sum + count, 0);
  assert.ok(baseline!.read > 5_000 && rejected > 0 && rejected < baseline!.read / 100);
  assert.ok(week!.added > 20 && week!.updated > 0);
  const neighborhoods = new Set((await listed(service)).map(({ neighborhood }) => neighborhood));
  assert.equal(neighborhoods.size, 12, 'all eleven, and none');
  const [again, ...others] = await service.ingest({});
  assert.deepEqual([again!.state, others], ['unchanged', []]);
});

test('most listings of the sample have a kind and a neighborhood', async () => {
  const [week] = await dryRunCity({ ...aCity().config, city: 'sample' }, { now: () => NOW });
  assert.equal(week?.state, 'kept');
  assert.ok(week.coverage.category > 0.85 && week.coverage.neighborhood > 0.9, JSON.stringify(week.coverage));
});
