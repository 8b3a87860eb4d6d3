/** Answers that take their time: finished when the service stops, given up on when nobody waits so long. */

import assert from 'node:assert/strict';
import { Agent, get as httpGet, Server } from 'node:http';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import type { Resource } from '../../src/http/reply.ts';
import { PROBLEM } from '../../src/http/schemas.ts';
import { until } from '../a-process.ts';
import { PATIENCE_MS } from '../patience.ts';
import { aDoor } from './a-door.ts';

const isProblem = Compile(PROBLEM);

/** Answers when the test says so. */
function slowResource(patienceMs = PATIENCE_MS): {
  resource: Resource;
  arrived: () => number;
  release: () => void;
} {
  const gate = Promise.withResolvers<void>();
  let arrived = 0;
  const answerLate = async () => {
    arrived++;
    await gate.promise;
    return { status: 200, headers: ['Content-Type', 'text/plain'], body: Buffer.from('done') };
  };
  const resource: Resource = {
    path: '/slow',
    patienceMs,
    get: answerLate,
    post: answerLate,
  };
  return { resource, arrived: () => arrived, release: gate.resolve };
}

test('when it stops, 200 requests under way are all answered, and idle connections do not hold it', async (t) => {
  const slow = slowResource();
  const { url, close } = await aDoor(t, { more: [slow.resource] });
  const [idle, busy] = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 250 })) as [Agent, Agent];
  t.after(() => [idle, busy].forEach((agent) => void agent.destroy()));
  const ask = (path: string, agent: Agent) =>
    new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
      httpGet(url + path, { agent }, (response) => {
        response.resume().on('end', () => {
          resolve({ status: response.statusCode!, connection: response.headers.connection });
        });
      }).on('error', reject);
    });
  await Promise.all(Array.from({ length: 50 }, () => ask('/api/health', idle))); // and left open
  const answers = Array.from({ length: 200 }, () => ask('/slow', busy));
  await until(() => slow.arrived() === 200 || undefined, 'all requests');
  const cut = t.mock.method(Server.prototype, 'closeAllConnections').mock; // what is still open after ten seconds
  const closed = close();
  await assert.rejects(fetch(`${url}/api/health`), ({ cause }) => cause.code === 'ECONNREFUSED');
  slow.release();
  for (const answer of await Promise.all(answers))
    assert.deepEqual(answer, { status: 200, connection: 'close' });
  await closed;
  assert.equal(cut.callCount(), 0, 'nothing had to be cut');
});

const ASKING: RequestInit[] = [
  {},
  { method: 'POST' },
  { method: 'POST', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } },
];

for (const init of ASKING) {
  const what = `${init.method ?? 'GET'}${init.body === undefined ? '' : ' with a body'}`;
  test(`an answer that waits for ever is given up on, and said so: ${what}`, async (t) => {
    const slow = slowResource(100);
    const { get } = await aDoor(t, { more: [slow.resource] });
    const response = await get('/slow', init);
    assert.equal(response.status, 503);
    const body = (await response.json()) as { detail: string };
    assert.ok(isProblem.Check(body));
    assert.match(body.detail, /took too long/); // and not that there are no filings yet
    slow.release();
    assert.equal((await get('/api/health')).status, 200);
  });
}
