/** Which requests are refused under overload, in which order, and with which response. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { openMetrics } from '../../src/server/metrics.ts';
import { openBatches } from '../../src/server/plugins/load-shedding.ts';
import { aSignupServer } from '../newsletter/a-mailing.ts';
import { aDoor } from './a-door.ts';

const PATHS = [
  '/',
  '/docs',
  '/feed.json',
  '/feed.xml',
  '/nowhere',
  '/api/search',
  '/api/stats',
  '/signup',
  '/confirm?token=x',
  '/unsubscribe?token=x',
  '/manage?token=x',
  '/api/health',
];
const LINKS = ['/confirm?token=x', '/unsubscribe?token=x', '/manage?token=x'];
const SERVED: [batchMs: number, paths: string[]][] = [
  [0, PATHS],
  [59, PATHS],
  [60, ['/api/search', '/api/stats', '/signup', ...LINKS, '/api/health']],
  [120, ['/signup', ...LINKS, '/api/health']],
  [600, [...LINKS, '/api/health']],
  [1_000, ['/api/health']],
  [60_000, ['/api/health']],
];

test('pages are refused first, then searches, then signups, then unsubscribes; health never', async (t) => {
  let batchMs = 0;
  const metrics = openMetrics();
  const { get } = await aSignupServer(t, { metrics, batchMs: () => batchMs });
  for (const [taken, paths] of SERVED) {
    batchMs = taken;
    const served: string[] = [];
    for (const path of PATHS) {
      const response = await get(path);
      if (response.status !== 503) served.push(path);
      else {
        const after = Number(response.headers.get('retry-after'));
        assert.ok(after >= 1 && after <= 5);
        assert.match(((await response.json()) as { type: string }).type, /overloaded$/);
      }
    }
    assert.deepEqual(served, paths, `after ${taken} ms`);
  }
  assert.match(metrics.text([]), /shingle_shed_total\{route="\/api\/search"\} 4\n/);
});

test('a request refused under load is not charged', async (t) => {
  let batchMs = 1_000;
  const { get } = await aDoor(t, { limits: { burst: 3 }, batchMs: () => batchMs });
  for (let i = 0; i < 10; i++) assert.equal((await get('/api/search')).status, 503);
  batchMs = 0;
  assert.equal((await get('/api/search')).status, 200);
});

/** What 30 requests at once get, each of which keeps the service for a while. */
async function statusesOf30(t: TestContext, keep: () => void): Promise<number[]> {
  const routes = (app: FastifyInstance): void => {
    app.get('/slow', (_request, reply) => {
      keep();
      return reply.send('done');
    });
  };
  const { get } = await aDoor(t, { batchMs: openBatches(), routes });
  await Promise.all(Array.from({ length: 30 }, () => get('/api/health').then((response) => response.text()))); // connections
  const all = await Promise.all(Array.from({ length: 30 }, () => get('/slow').then(({ status }) => status)));
  assert.equal((await get('/slow')).status, 200, 'the next one is a batch of its own');
  return all;
}

test('the last of requests that come together are refused when the batch has taken too much work', async (t) => {
  const all = await statusesOf30(t, () => {
    const { user } = process.threadCpuUsage();
    while (process.threadCpuUsage().user - user < 15_000);
  });
  assert.ok(all.includes(200) && all.includes(503), all.join(' '));
});

test('time in which other programs use the CPU does not count as load: nothing is refused', async (t) => {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  const all = await statusesOf30(t, () => Atomics.wait(nothing, 0, 0, 15)); // no CPU time, as if another program had it
  assert.deepEqual(all, Array(30).fill(200));
});
