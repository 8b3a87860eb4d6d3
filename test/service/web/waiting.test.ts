/** Slow responses: finished when the service stops, and ended after a time limit. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Compile } from 'typebox/compile';
import type { SubscriptionService } from '../../../src/service/subscribers/subscription-service.ts';
import { schemaOf } from '../../../src/service/web/openapi.ts';
import { ShingleError } from '../../../src/shared/errors.ts';
import { type Asked, aClient } from '../../abuse/a-client.ts';
import { refused } from '../../faults/requests-under-way.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { aDoor } from './a-door.ts';

const isProblem = Compile(schemaOf('Problem'));

/** A route that answers when the test says so. */
function slowRoute(timeoutMs = PATIENCE_MS): {
  routes: (app: FastifyInstance) => void;
  arrived: () => number;
  release: () => void;
} {
  const gate = Promise.withResolvers<void>();
  let arrived = 0;
  const answerLate = async () => {
    arrived++;
    await gate.promise;
    return 'done';
  };
  const routes = (app: FastifyInstance): void => {
    app.get('/slow', { config: { timeoutMs } }, answerLate);
    app.post('/slow', { config: { timeoutMs } }, answerLate);
  };
  return { routes, arrived: () => arrived, release: gate.resolve };
}

test('a server that is told to stop answers requests for ten seconds, and then sends 503', async (t) => {
  for (const [ms, status] of [
    [9_999, 200],
    [10_000, 503],
  ] as const) {
    const slow = slowRoute(60_000);
    const { url, get, close } = await aDoor(t, { routes: slow.routes });
    t.mock.timers.enable({ apis: ['setInterval'] });
    const asked = get('/slow');
    while (slow.arrived() < 1) await turn();
    const closed = close();
    while (!(await refused(url))) await turn();
    t.mock.timers.tick(ms);
    await turn();
    slow.release();
    const answer = await asked;
    assert.equal(answer.status, status, `${ms} ms`);
    assert.equal(answer.headers.get('retry-after') !== null, status === 503);
    await answer.text();
    await closed;
    t.mock.timers.reset();
  }
});

const ASKING: RequestInit[] = [
  {},
  { method: 'POST' },
  { method: 'POST', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } },
];

for (const init of ASKING) {
  const what = `${init.method ?? 'GET'}${init.body === undefined ? '' : ' with a body'}`;
  test(`a request that gets no response ends with an error after the timeout: ${what}`, async (t) => {
    const slow = slowRoute(100);
    const { get } = await aDoor(t, { routes: slow.routes });
    const response = await get('/slow', init);
    assert.equal(response.status, 503);
    const body = (await response.json()) as { detail: string };
    assert.ok(isProblem.Check(body));
    assert.match(body.detail, /took too long/); // and not that there are no filings yet
    slow.release();
    assert.equal((await get('/api/health')).status, 200);
  });
}

/** A desk whose store never answers, until `release`. */
function aWaitingDesk(): { subscriptions: SubscriptionService; asked: () => number; release: () => void } {
  const gate = Promise.withResolvers<never>();
  let asked = 0;
  const wait = () => {
    asked++;
    return gate.promise;
  };
  const subscriptions: SubscriptionService = {
    requestSignup: wait,
    changePreferences: wait,
    findTokenHolder: wait,
    confirm: wait,
    leave: wait,
    erase: wait,
  };
  return {
    subscriptions,
    asked: () => asked,
    release: () => gate.reject(new ShingleError('store', 'released')),
  };
}

const TOKEN = 'A'.repeat(43);
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const SIGNUP = JSON.stringify({ email: 'ann@b.example', type: 'weekly' });

const GIVEN_UP_MS = 10_000;

/** Requests that wait for the store. */
const WAITING: Asked[] = [
  { path: '/api/signup', method: 'POST', body: SIGNUP, headers: { 'Content-Type': 'application/json' } },
  { path: '/signup', method: 'POST', body: 'email=ann@b.example&type=weekly', headers: FORM },
  { path: `/confirm?token=${TOKEN}` },
  { path: `/confirm?token=${TOKEN}`, method: 'POST' },
  { path: `/unsubscribe?token=${TOKEN}`, method: 'POST' },
  { path: `/manage?token=${TOKEN}`, method: 'POST', body: 'action=erase', headers: FORM },
];

for (const asked of WAITING) {
  const { method = 'GET', path } = asked;
  const what = `${method} ${path.split('?', 1)}`;
  test(`a request that waits for the store gets an error after ten seconds, and not earlier: ${what}`, async (t) => {
    const waiting = aWaitingDesk();
    const { port } = await aDoor(t, { subscriptions: waiting.subscriptions });
    const { ask } = aClient(port);
    t.mock.timers.enable({ apis: ['setInterval'] });
    let status: number | undefined;
    const answered = ask(asked).then((answer) => {
      status = answer.status;
    });
    try {
      // requests that come and go meanwhile: what can be answered has been, and no time has passed by the test's clock
      const othersUntil = async (isSo: () => boolean) => {
        for (let i = 0; i < 100 && !isSo(); i++) await ask({ path: '/api/health' });
      };
      await othersUntil(() => waiting.asked() > 0);
      assert.equal(waiting.asked(), 1, 'it waits for the store');
      t.mock.timers.tick(GIVEN_UP_MS - 1);
      await othersUntil(() => status !== undefined);
      assert.equal(status, undefined, 'answered before ten seconds were over');
      t.mock.timers.tick(1);
      await turn();
      await othersUntil(() => status !== undefined);
      assert.equal(status, 503, 'not given up on after ten seconds');
    } finally {
      waiting.release();
      await answered;
    }
  });
}
