/** What is given up on when the loop is late, in which order, and how it is said. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMetrics } from '../../src/http/metrics.ts';
import { watchLoop } from '../../src/http/overload.ts';
import { aMailing } from '../mailing/a-mailing.ts';
import { aDoor } from './a-door.ts';

const PATHS = [
  '/',
  '/docs',
  '/feed.json',
  '/nowhere',
  '/api/search',
  '/api/stats',
  '/signup',
  '/unsubscribe?token=x',
  '/api/health',
];
const SERVED: [latenessMs: number, paths: string[]][] = [
  [0, PATHS],
  [119, PATHS],
  [120, ['/api/search', '/api/stats', '/signup', '/unsubscribe?token=x', '/api/health']],
  [300, ['/signup', '/unsubscribe?token=x', '/api/health']],
  [800, ['/unsubscribe?token=x', '/api/health']],
  [2_000, ['/api/health']],
  [60_000, ['/api/health']],
];

test('pages are given up on first, then searches, then signups, then leaving; health never', async (t) => {
  const { desk } = await aMailing();
  let latenessMs = 0;
  const metrics = openMetrics();
  const { get } = await aDoor(t, { desk, metrics, latenessMs: () => latenessMs });
  for (const [lateness, paths] of SERVED) {
    latenessMs = lateness;
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
    assert.deepEqual(served, paths, `${lateness} ms late`);
  }
  assert.match(metrics.text([]), /shingle_shed_total\{route="\/api\/search"\} 4\n/);
});

test('what is given up on costs nothing of a budget', async (t) => {
  let latenessMs = 1_000;
  const { get } = await aDoor(t, { limits: { burst: 3 }, latenessMs: () => latenessMs });
  for (let i = 0; i < 10; i++) assert.equal((await get('/api/search')).status, 503);
  latenessMs = 0;
  assert.equal((await get('/api/search')).status, 200);
});

test('a loop that is held up is seen to be late, and on time again soon after', {
  timeout: 20_000,
}, async (t) => {
  const loop = watchLoop();
  t.after(loop.close);
  const turn = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  await turn(60);
  const end = performance.now() + 400;
  while (performance.now() < end);
  await turn(1);
  assert.ok(loop.latenessMs() >= 300, `${loop.latenessMs()}`);
  for (let waited = 0; loop.latenessMs() >= 120 && waited < 200; waited++) await turn(50);
  assert.ok(loop.latenessMs() < 120);
});
