/** Which requests are refused under overload, in which order, and with which response. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { openMetrics } from '../../../src/service/web/metrics.ts';
import { CLOCKS } from '../../../src/service/web/plugins/load-shedding.ts';
import { aSignupServer } from '../mail/a-mailing.ts';
import { aDoor } from './a-door.ts';

const PATHS = [
  ...['/', '/docs', '/feed.json', '/feed.xml', '/nowhere', '/api/search', '/api/stats'],
  ...['/signup', '/confirm?token=x', '/unsubscribe?token=x', '/manage?token=x', '/api/health'],
];
const LINKS = ['/confirm?token=x', '/unsubscribe?token=x', '/manage?token=x'];
const SERVED: [waitedMs: number, paths: string[]][] = [
  [0, PATHS],
  [59, PATHS],
  [60, ['/api/search', '/api/stats', '/signup', ...LINKS, '/api/health']],
  [120, ['/signup', ...LINKS, '/api/health']],
  [600, [...LINKS, '/api/health']],
  [1_000, ['/api/health']],
  [60_000, ['/api/health']],
];

/** Clocks that only requests for `/takes/MS` move. Those are for people who leave, so they go first, and free. */
function aLoad() {
  let cpuMs = 0;
  const now = () => cpuMs;
  const routes = (app: FastifyInstance): void => {
    app.get('/takes/:ms', { config: { priority: 'leaving', isUnlimited: true } }, ({ params }, reply) => {
      cpuMs += Number((params as { ms: string }).ms);
      return reply.send('done');
    });
    app.get('/search', (_request, reply) => {
      cpuMs++;
      return reply.send('done');
    });
  };
  return { clocks: { wallMs: now, cpuMs: now }, routes, now };
}

function write(socket: Socket, path: string, header = ''): void {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: rivermouth.example\r\n${header}\r\n`);
}

/** The responses to requests that are sent at once on one connection, so that they are read in one turn and in this order. */
async function responsesOn(socket: Socket, paths: readonly string[]): Promise<string[]> {
  socket.setEncoding('latin1').cork();
  for (const path of paths) write(socket, path);
  write(socket, '/api/health', 'Connection: close\r\n');
  socket.uncork();
  const text = (await Array.fromAsync(socket as AsyncIterable<string>)).join('');
  const starts = [...text.matchAll(/HTTP\/1\.1 \d{3} \w/g)].map(({ index }) => index);
  return starts.map((start, i) => text.slice(start, starts[i + 1])).slice(0, paths.length);
}

const isRefused = (response: string) => response.startsWith('HTTP/1.1 503');

/** The response to a request that waits while others take some CPU time, in a turn that has done enough. */
async function responseAfter(port: number, waitedMs: number, path: string): Promise<string> {
  return (await responsesOn(connect(port, '127.0.0.1'), ['/takes/10', `/takes/${waitedMs}`, path]))[2]!;
}

test('under load, pages are refused first, then searches, signups and unsubscribes, and health is never refused', async (t) => {
  const metrics = openMetrics();
  const { port } = await aSignupServer(t, { metrics, ...aLoad() });
  for (const [waitedMs, paths] of SERVED) {
    const served: string[] = [];
    for (const path of PATHS) {
      const response = await responseAfter(port, waitedMs, path);
      if (!isRefused(response)) served.push(path);
      else assert.match(response, /\r\nretry-after: [1-5]\r\n.*\/overloaded"/s);
    }
    assert.deepEqual(served, paths, `after ${waitedMs} ms`);
  }
  assert.match(metrics.text([]), /shingle_shed_total\{route="\/api\/search"\} 4\n/);
});

test('after all requests have waited too long, most of them are still answered', async (t) => {
  const { port } = await aDoor(t, aLoad());
  const paths = ['/takes/10', '/takes/1000', ...Array<string>(20).fill('/search')];
  const all = await responsesOn(connect(port, '127.0.0.1'), paths);
  assert.equal(all.filter(isRefused).length, 4);
});

test('a waiting request is dropped if its client disconnects', async (t) => {
  const { now, ...load } = aLoad();
  const { port } = await aDoor(t, load);
  const gone = connect(port, '127.0.0.1');
  gone.cork();
  write(gone, '/takes/10');
  for (let i = 0; i < 500; i++) write(gone, '/takes/1');
  gone.uncork();
  await once(gone, 'data');
  gone.destroy();
  await responsesOn(connect(port, '127.0.0.1'), ['/search']);
  assert.ok(now() < 80, `${now()} ms`);
});

test('a request refused under load is not charged', async (t) => {
  const { port, get } = await aDoor(t, { limits: { burst: 3 }, ...aLoad() });
  for (let i = 0; i < 10; i++) assert.ok(isRefused(await responseAfter(port, 1_000, '/api/search')));
  assert.equal((await get('/api/search')).status, 200);
});

/** A connection that the server has accepted. */
async function accepted(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  write(socket, '/api/health');
  await once(socket, 'data');
  return socket;
}

test('at most 2,000 requests wait, and a client that sends without reading responses is disconnected', async (t) => {
  const { port } = await aDoor(t, { limits: 'off', ...aLoad() });
  const paths = ['/takes/10', ...Array<string>(900).fill('/nowhere')];
  const sockets = await Promise.all(Array.from({ length: 3 }, () => accepted(port)));
  const innocent = await accepted(port);
  const all = sockets.map((socket) => responsesOn(socket, paths).catch(() => []));
  const [refused] = await responsesOn(innocent, ['/nowhere']);
  assert.ok(isRefused(refused!), 'another client is told to come back');
  const answered = await Promise.all(all);
  const counts = answered.map((responses) => responses.filter((one) => !isRefused(one)).length);
  assert.deepEqual(counts.slice(0, 2), [901, 901]);
  assert.ok(
    answered[2]!.length < 901,
    `${answered[2]!.length} responses, refusals too: it was not disconnected`,
  );
});

const VISITORS = 300;

test(`a health check waits for about one response to each of ${VISITORS} visitors who came before it`, async (t) => {
  const { port, get } = await aDoor(t, { limits: 'off', ...aLoad() });
  let responses = 0;
  const visitors = Array.from({ length: VISITORS }, () => connect(port, '127.0.0.1'));
  t.after(() => visitors.forEach((socket) => void socket.destroy()));
  for (const socket of visitors) {
    write(socket, '/search');
    socket.on('data', () => {
      responses++;
      write(socket, '/search');
    });
  }
  assert.equal((await get('/api/health')).status, 200);
  assert.ok(responses < 4 * VISITORS, `${responses} responses`);
});

/** What 30 requests at once get, each of which keeps the service for a while. */
async function statusesOf30(t: TestContext, keep: () => void): Promise<number[]> {
  const routes = (app: FastifyInstance): void => {
    app.get('/slow', (_request, reply) => {
      keep();
      return reply.send('done');
    });
  };
  const { get } = await aDoor(t, { clocks: CLOCKS, routes });
  await Promise.all(Array.from({ length: 30 }, () => get('/api/health').then((response) => response.text()))); // connections
  const all = await Promise.all(Array.from({ length: 30 }, () => get('/slow').then(({ status }) => status)));
  assert.equal((await get('/slow')).status, 200, 'the next one comes in a turn of its own');
  return all;
}

test('if the first of many simultaneous requests take too much work, the last requests are refused', async (t) => {
  const all = await statusesOf30(t, () => {
    const { user } = process.threadCpuUsage();
    while (process.threadCpuUsage().user - user < 15_000);
  });
  assert.ok(all.includes(200) && all.includes(503), all.join(' '));
});

test('Shingle refuses nothing because of the CPU time of other programs', async (t) => {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  const all = await statusesOf30(t, () => Atomics.wait(nothing, 0, 0, 15)); // no CPU time, as if another program had it
  assert.deepEqual(all, Array(30).fill(200));
});
