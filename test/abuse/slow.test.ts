/** The limits on slow clients: they are disconnected after the documented time, which does not count what the service itself takes. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { limitSlowClients } from '../../src/service/web/connections.ts';
import { aSignupServer } from '../service/mail/a-mailing.ts';
import { AN_EDITION, describeApp } from '../service/web/a-door.ts';
import { statuses } from '../service/web/wire.ts';
import { until } from '../until.ts';

const ROOM = 2000; // docs/deploy.md
const ANSWERS = 200; // more than the buffers of the system take
const H = 'Host: rivermouth.example\r\n';

const HEADER = `GET /api/search HTTP/1.1\r\n${H}`;
const ASKS = `GET /api/health HTTP/1.1\r\n${H}\r\n`;
const SIGNUP = `POST /api/signup HTTP/1.1\r\n${H}Content-Type: application/json\r\nContent-Length: 40\r\n`;

async function aSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

test('the server holds 2,000 connections, and accepts another when one closes', async (t) => {
  const door = await aSignupServer(t, { limits: 'off' });
  const sockets = await Promise.all(Array.from({ length: ROOM }, () => aSocket(door.port)));
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  const answered = async (socket: Socket): Promise<boolean> => {
    socket.write(ASKS);
    return await Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ]);
  };
  assert.ok(await answered(sockets.at(-1)!), 'the last of them is served');
  assert.ok(!(await answered(await aSocket(door.port))), 'one more is not');
  assert.ok(
    sockets.every((socket) => !socket.destroyed),
    'and costs nobody their place',
  );
  const gone = sockets[0]!;
  gone.end(ASKS.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  await once(gone.resume(), 'close');
  const another = await aSocket(door.port);
  assert.ok(await answered(another), 'there is room again');
  another.destroy();
});

/** A service whose seconds the test counts, however long they last. */
async function aServiceBySeconds(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const door = await aSignupServer(t, { limits: 'off' });
  /** Seconds in which the event loop turns. */
  const pass = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i++) {
      t.mock.timers.tick(1000);
      for (let turns = 0; turns < 3; turns++) await turn();
    }
  };
  return { door, pass, second: () => t.mock.timers.tick(1000) };
}

type Talk = { socket: Socket; heard: () => number[]; isOpen: () => boolean };

async function talk(port: number, said: string): Promise<Talk> {
  const socket = await aSocket(port);
  let [heard, isOpen] = ['', true];
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    heard += chunk;
  });
  socket.on('close', () => {
    isOpen = false;
  });
  socket.write(said);
  return { socket, heard: () => statuses(heard), isOpen: () => isOpen };
}

test('every route answers requests that arrive while the service is busy for a long time', async (t) => {
  const { door, pass, second } = await aServiceBySeconds(t);
  const routes = await describeApp((app) => app.targets());
  const body = '{"email":"ann@b.example","type":"weekly"}';
  const asked = routes.flatMap(({ path, methods }) =>
    methods.map((method) => {
      const line = `${method} ${path.replace(':edition', AN_EDITION)} HTTP/1.1\r\n${H}`;
      return method === 'POST'
        ? [`${line}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`, '\r\n', body]
        : [line, '\r\n', ''];
    }),
  );
  assert.ok(asked.length > 100, `${asked.length} routes and methods`);
  /** What a client has said before, for how many seconds the service waits for the rest, and the rest. */
  const stages = asked.flatMap(([line, end, rest]): [said: string, seconds: number, rest: string][] => [
    ['', 10, line! + end! + rest!],
    [line!, 10, end! + rest!],
    [ASKS, 10, line! + end! + rest!],
    ...(rest === '' ? [] : [[line! + end!, 15, rest!] satisfies [string, number, string]]),
  ]);
  for (const limit of [10, 15]) {
    const late = stages.filter(([, seconds]) => seconds === limit);
    const talks = await Promise.all(late.map(([said]) => talk(door.port, said)));
    const before = late.map(([said]) => (said === ASKS ? 1 : 0));
    await until(() => talks.every(({ heard }, i) => heard().length === before[i]) || undefined, 'an answer');
    await pass(limit);
    await sleep(0); // timers come before what has arrived
    for (const [i, { socket }] of talks.entries()) socket.write(late[i]![2]);
    second();
    const isOver = ({ heard, isOpen }: Talk, i: number) => !isOpen() || heard().length > before[i]!;
    await until(() => talks.every(isOver) || undefined, 'answers');
    const cut = talks.filter(({ heard }, i) => heard().includes(408) || heard().length === before[i]);
    assert.equal(cut.length, 0, `${cut.length} of ${talks.length} were too late after ${limit} s`);
    for (const { socket } of talks) socket.destroy();
  }
});

/** What a client says, by the second; in which second it is let go, and what it has heard by then. */
const SLOW: [who: string, says: (second: number) => string, until: number, heard: number[]][] = [
  ['says nothing at all', () => '', 10, [408]],
  ['says half a header', (second) => (second === 0 ? `${HEADER}X-A` : ''), 10, [408]],
  ['always has one more header', (second) => (second === 0 ? HEADER : 'X-A: 1\r\n'), 10, [408]],
  ['was answered and asks nothing more', (second) => (second === 0 ? ASKS : ''), 10, [200]],
  ['was answered and begins again', (second) => ({ 0: ASKS, 1: 'GET' })[second] ?? '', 11, [200, 408]],
  ['says half a body', (second) => (second === 0 ? `${SIGNUP}\r\n{"email":` : ''), 15, [408]],
  ['says a body a byte at a time', (second) => (second === 0 ? `${SIGNUP}\r\n{` : ' '), 15, [408]],
  ['is slow with the header', (second) => ({ 0: SIGNUP, 8: '\r\n{"email":' })[second] ?? '', 15, [408]],
];

test('a slow client is disconnected with an error: headers get 10 s, a request 15 s', async (t) => {
  const { door, pass } = await aServiceBySeconds(t);
  const deaf = await talk(door.port, 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(ANSWERS));
  deaf.socket.pause();
  const talks = await Promise.all(SLOW.map(([, says]) => talk(door.port, says(0))));
  const isAnswered = ({ heard }: Talk, i: number) => heard().length > 0 || !SLOW[i]![1](0).includes(ASKS);
  await until(() => talks.every(isAnswered) || undefined, 'the answers');
  for (let second = 1; second <= 17; second++) {
    await pass(1);
    for (const [i, [who, says, end]] of SLOW.entries()) {
      if (second <= end) assert.ok(talks[i]!.isOpen(), `${who}: let go before second ${second}`);
      else await until(() => !talks[i]!.isOpen() || undefined, `${who}: the end, in second ${second}`);
      if (talks[i]!.socket.writable) talks[i]!.socket.write(says(second));
    }
    assert.equal((await door.get('/api/health')).status, 200); // what they said has arrived
  }
  assert.deepEqual(
    talks.map(({ heard }) => heard()),
    SLOW.map(([, , , heard]) => heard),
  );
  await pass(60);
  deaf.socket.resume();
  await until(() => !deaf.isOpen() || undefined, 'the end of what is not read');
  assert.ok(deaf.heard().length < ANSWERS);
});

test('Node’s own time limits are off, because they count the time in which the process is busy', () => {
  const server = createServer();
  limitSlowClients(server, () => undefined);
  const { headersTimeout, requestTimeout, timeout } = server;
  assert.deepEqual([headersTimeout, requestTimeout, timeout], [0, 0, 0]);
  assert.ok(
    server.emit('timeout', new Socket()),
    'the end of a kept connection is for the service to decide',
  );
});
