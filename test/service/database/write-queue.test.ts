/** The write queue keeps its order, and no work waits forever. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWriteQueue } from '../../../src/service/database/engines/engine.ts';
import { PATIENCE_MS } from '../../patience.ts';

test('work runs one after another, even if the previous one fails', async () => {
  const { enqueue: queued, idle } = openWriteQueue(PATIENCE_MS);
  const order: string[] = [];
  const first = queued(async () => {
    await Promise.resolve();
    order.push('first');
    throw new Error('changed its mind');
  });
  const second = queued(async (waitMs) => {
    assert.ok(waitMs > 0 && waitMs <= PATIENCE_MS);
    order.push('second');
    return 2;
  });
  await assert.rejects(first, /changed its mind/);
  assert.equal(await second, 2);
  await idle();
  assert.deepEqual(order, ['first', 'second']);
});

test('work that waits too long fails, and other work continues', async () => {
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
