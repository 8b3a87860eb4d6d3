/** Several processes and concurrent writers: nothing is lost, and dead processes hold no locks. */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { Store } from '../../../src/service/data/store.ts';
import { openWriteQueue } from '../../../src/service/database/engines/engine.ts';
import { openSqlite } from '../../../src/service/database/engines/sqlite.ts';
import { aFiling } from '../../a-filing.ts';
import { aFolder } from '../../a-folder.ts';
import { openStore } from '../../a-store.ts';
import { rounds, seedFrom } from '../../depth.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { kept } from './store-cases.ts';

const SEED = seedFrom(20261120);
const src = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);
const folder = aFolder();
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Another process with the store open in `store`; resolves when it has said something or ended. */
async function elsewhere(path: string, work: string): Promise<ChildProcess> {
  const code = `
    import { openStoreAt } from ${src('service/data/store.ts')};
    import { installProbe } from ${src('shared/probe.ts')};
    const store = await openStoreAt({ dataFolder: ${JSON.stringify(path)}, databaseUrl: undefined });
    ${work}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')]);
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.signalCode !== null || child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

async function withStore(path: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(path);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

test('a process that imports keeps other imports out until it is killed', () =>
  withStore(`${folder}/lock`, async (store) => {
    const other = await elsewhere(
      `${folder}/lock`,
      `await store.alone('ingest', 0, () => new Promise(() => { console.log('held'); setInterval(() => {}, 1000); }));`,
    );
    await assert.rejects(
      store.alone('ingest', 50, async () => assert.fail('two at once')),
      { code: 'store', message: /another process/ },
    );
    await killed(other);
    assert.equal(await store.alone('ingest', PATIENCE_MS, async () => 'free'), 'free');
  }));

test(`fifty simultaneous transactions run one after the other (seed ${SEED})`, async () => {
  const engine = openSqlite(`${folder}/queue`);
  await engine.transaction((tx) => tx.write('create table counter (value integer not null)', [[]]));
  await engine.transaction((tx) => tx.write('insert into counter (value) values (0)', [[]]));
  let counted = 0;
  const addOne = (fails: boolean) =>
    engine.transaction(async (tx) => {
      const [row] = await tx.read<{ value: number }>('select value from counter');
      await tx.write('update counter set value = ?', [[row!.value + 1]]);
      await turn();
      if (fails) throw new Error('changed its mind');
    });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 50, maxLength: 50 }), async (fails) => {
      await Promise.allSettled(fails.map(addOne));
      counted += fails.filter((fail) => !fail).length;
      assert.deepEqual(await engine.read('select value from counter'), [{ value: counted }]);
    }),
    { seed: SEED, numRuns: rounds(20) },
  );
  await engine.close();
});

test('all batches of a read show the same data, despite later writes', () =>
  withStore(`${folder}/moment`, async (store) => {
    const filings = Array.from({ length: 5_000 }, (_, i) => aFiling({ key: `${i}` }));
    await kept(store, filings);
    const names = new Set<string>();
    let batches = 0;
    for await (const batch of store.listings.listings()) {
      if (batches++ === 0)
        await kept(
          store,
          filings.map((filing) => ({ ...filing, name: 'Grey Heron' })),
        );
      for (const { name } of batch) names.add(name);
    }
    assert.deepEqual([...names], ['Blue Heron LLC']);
    assert.ok(batches > 1);
  }));

test('a write that waits too long fails, and other writes continue', async () => {
  const { enqueue: queued } = openWriteQueue(50);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = queued(() => held);
  await assert.rejects(
    queued(async () => assert.fail('its turn came too late')),
    { code: 'store', message: /other processes have been writing/ },
  );
  const third = queued(async () => 'third');
  release();
  await first;
  assert.equal(await third, 'third');
});
