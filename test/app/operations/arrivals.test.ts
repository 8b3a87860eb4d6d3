/** Imports day by day: a program that asks what arrived since its last answer misses nothing. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findDataAsOf } from '../../../src/app/operations/current-index.ts';
import { openService, type Service } from '../../../src/app/operations/service.ts';
import type { Store } from '../../../src/service/data/store.ts';
import { openIndexBuilder } from '../../../src/service/search/index/build.ts';
import { type ListingIndex, openIndex } from '../../../src/service/search/index/open.ts';
import { formatInstant } from '../../../src/service/web/served-data.ts';
import { EVERYTHING, readQuestion } from '../../../src/shared/question.ts';
import { aCity } from '../../a-city.ts';
import { aFiling } from '../../a-filing.ts';
import { aFolder } from '../../a-folder.ts';
import { openStore } from '../../a-store.ts';
import { rounds, seedFrom } from '../../depth.ts';
import { kept, staged } from '../../service/database/store-cases.ts';

const folder = aFolder();
let stores = 0;

/** As src/app/operations/build-worker.ts builds it. */
async function indexOf({ listings }: Pick<Store, 'listings'>, day: string): Promise<ListingIndex> {
  const builder = openIndexBuilder({ version: await listings.version(), day, suppressed: [] });
  for await (const batch of listings.listings()) builder.add(batch);
  return openIndex(builder.finish());
}

const step = fc.oneof(
  fc.record({
    do: fc.constantFrom('import' as const, 'hold' as const),
    source: fc.constantFrom('a', 'b'),
    count: fc.nat(3),
  }),
  fc.record({ do: fc.constantFrom('accept', 'nothing new', 'serve', 'poll') }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, 400, 1_000, 59_000, 3_600_000) }),
  fc.record({ do: fc.constant('set the clock back' as const), ms: fc.constantFrom(1, 1_500, 86_400_000) }),
);

/**
 * Imports, and polls of a service that shows an import some time after it was kept. The clock of the imports may be set
 * back; that of the service is right, and behind the imports by less than a minute if a program uses `Date`.
 */
async function pollAlong(steps: readonly Step[], keeps: 'data_as_of' | 'date') {
  const store = await openStore(`${folder}/${++stores}`);
  let now = Date.parse('2026-01-05T12:00:00.250Z');
  let filed = 0;
  const at = () => new Date(now).toISOString();
  const filings = (count: number) =>
    Array.from({ length: count }, () => aFiling({ key: `k${++filed}`, name: `Shop ${filed}` }));
  const facts = (source: string) => ({ source, snapshot: false, startedAt: at(), endedAt: at() });
  const read = async () => {
    const dataAsOf = findDataAsOf(['a', 'b'], await store.filings.sourceStates());
    return { index: await indexOf(store, '2026-01-05'), dataAsOf: formatInstant(dataAsOf)! };
  };
  for (const source of ['a', 'b']) await kept(store, filings(1), facts(source));
  let served = await read();
  let staleSince = now;
  let since = '2026-01-05';
  const known = new Set<string>();
  const poll = () => {
    const { problems, question, warnings } = readQuestion({ added_from: [since] });
    assert.deepEqual([problems, warnings], [[], []]);
    for (let offset = 0; ; offset += 25) {
      const { rows, total } = served.index.search({ ...question, offset });
      for (const { name } of served.index.readListings(rows)) known.add(name);
      if (offset + 25 >= total) break;
    }
    since = keeps === 'date' ? formatInstant(at())! : served.dataAsOf;
  };
  const serve = async () => {
    served = await read();
    staleSince = now;
  };
  const held: Awaited<ReturnType<typeof staged>>[] = [];
  for (const one of steps) {
    if (one.do === 'import') await kept(store, filings(one.count), facts(one.source));
    else if (one.do === 'hold') {
      const run = await staged(store, filings(one.count), facts(`held ${one.source} ${filed}`));
      const { run: number, ...ended } = run;
      await store.filings.end(number, 'held', ended);
      held.push(run);
    } else if (one.do === 'accept') {
      const run = held.shift();
      if (run !== undefined) await store.filings.keep({ ...run, endedAt: at() });
    } else if (one.do === 'nothing new') {
      const run = await staged(store, [], { ...facts('a'), snapshot: true });
      await store.filings.end(run.run, 'unchanged', { counts: run.counts, endedAt: at() });
    } else if (one.do === 'serve') await serve();
    else if (one.do === 'poll') poll();
    else if (one.do === 'wait') {
      if (keeps === 'date' && now + one.ms - staleSince >= 60_000) await serve();
      now += one.ms;
    } else if (one.do === 'set the clock back' && keeps === 'data_as_of') now -= one.ms;
  }
  poll();
  await serve();
  poll();
  assert.equal(known.size, served.index.size, `${known.size} of ${served.index.size}`);
  await store.close();
}
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

for (const keeps of ['data_as_of', 'date'] as const)
  test(`a program that sends the ${keeps} of its last answer misses nothing, in any order of imports and answers`, async () => {
    const courses = fc.array(step, { minLength: 3, maxLength: 25 });
    const property = fc.asyncProperty(courses, (steps) => pollAlong(steps, keeps));
    await fc.assert(property, { seed: seedFrom(20_261_120), numRuns: rounds(80) });
  });

test('listings that are imported again after a restore arrive again', async () => {
  const city = aCity();
  const [first, second] = [40, 45].map((count) => city.csv(count));
  const before = await city.open('2026-11-01T12:00:00.000Z');
  await before.ingest({ from: first! });
  const copy = city.copyData();
  const later = await city.open('2026-11-02T12:00:00.000Z');
  await later.ingest({ from: second! });
  const restored = await openService({ ...city.config, dataFolder: copy }, () => '2026-11-03T12:00:00.000Z');
  await restored.ingest({ from: second! });
  const count = async (service: Service, since: string) =>
    (await indexOf(service.store, '2026-11-03')).search({ ...EVERYTHING, added_from: since }).total;
  assert.deepEqual([await count(later, '2026-11-02'), await count(later, '2026-11-03')], [5, 0]);
  assert.deepEqual([await count(restored, '2026-11-03'), await count(restored, '2026-11-01')], [5, 45]);
  await restored.close();
});
