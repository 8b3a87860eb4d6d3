/** No work of the write queue waits forever. Its order: `processes.test.ts`. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWriteQueue } from '../../../src/service/database/engines/engine.ts';

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
