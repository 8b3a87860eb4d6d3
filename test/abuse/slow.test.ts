/** Clients that send half a request, or nothing, are disconnected after the documented time; the number of connections is limited. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { aSignupServer } from '../mail/a-mailing.ts';
import { PATIENCE_MS } from '../patience.ts';
import { statuses } from '../web/wire.ts';

const ROOM = 2000; // docs/reverse-proxy.md
const TICK_MS = 100;
const H = 'Host: rivermouth.example\r\n';

type Slow = {
  who: string;
  /** What it says, and when, in seconds. */
  says: [at: number, what: string][];
  hears: RegExp;
  /** Let go not before and not after, in seconds from when it came; the latter by a clock that stops while nobody here gets to work. */
  between: [from: number, to: number];
};

const HEADER = `GET /api/search HTTP/1.1\r\n${H}`;
const ASKS = `GET /api/health HTTP/1.1\r\n${H}\r\n`;
const SIGNUP = `POST /api/signup HTTP/1.1\r\n${H}Content-Type: application/json\r\nContent-Length: 40\r\n`;
const everySecond = (what: string) => Array.from({ length: 19 }, (_, i): [number, string] => [i + 1, what]);
const SLOW: Slow[] = [
  { who: 'says nothing at all', says: [], hears: /^408$/, between: [10, 13] },
  { who: 'says half a header', says: [[0, `${HEADER}X-A`]], hears: /^408$/, between: [10, 13] },
  {
    ...{ who: 'always has one more header', says: [[0, HEADER], ...everySecond('X-A: 1\r\n')] },
    ...{ hears: /^408$/, between: [10, 13] },
  },
  { who: 'says half a body', says: [[0, `${SIGNUP}\r\n{"email":`]], hears: /^408$/, between: [15, 18] },
  {
    ...{ who: 'says a body a byte at a time', says: [[0, `${SIGNUP}\r\n{`], ...everySecond(' ')] },
    ...{ hears: /^408$/, between: [15, 18] },
  },
  {
    who: 'is slow with the header, and then says half a body',
    says: [
      [0, SIGNUP],
      [8, '\r\n{"email":'],
    ],
    ...{ hears: /^408$/, between: [15, 18] },
  },
  { who: 'was answered and asks nothing more', says: [[0, ASKS]], hears: /^200$/, between: [10, 13] },
  {
    ...{ who: 'was answered and begins again', says: [[0, `${ASKS}GET /api/he`]] },
    ...{ hears: /^200( 408)?$/, between: [10, 13] },
  },
];

async function aSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** What it heard, and after how many seconds it was let go, of all and of those in which the service could have done so. */
async function heldOn(
  port: number,
  { says }: Slow,
): Promise<{ heard: string; seconds: number; worked: number }> {
  let heard = '';
  let ticks = 0;
  const clock = setInterval(() => ticks++, TICK_MS);
  const start = performance.now();
  const socket = await aSocket(port);
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    heard += chunk;
  });
  const patience = setTimeout(() => socket.destroy(), PATIENCE_MS);
  const words = says.map(([at, what]) => setTimeout(() => socket.writable && socket.write(what), at * 1000));
  await once(socket, 'close');
  for (const timer of [clock, patience, ...words]) clearTimeout(timer);
  return { heard, seconds: (performance.now() - start) / 1000, worked: (ticks * TICK_MS) / 1000 };
}

test('a slow client is disconnected with an error: headers get 10 s, a request 15 s', async (t) => {
  const door = await aSignupServer(t, { limits: 'off' });
  const all = await Promise.all(SLOW.map(async (slow) => ({ ...slow, ...(await heldOn(door.port, slow)) })));
  for (const { who, heard, hears, seconds, worked, between } of all) {
    t.diagnostic(`${who}: ${statuses(heard)} after ${seconds.toFixed(1)} s`);
    const [from, to] = between;
    assert.match(statuses(heard).join(' '), hears, who);
    assert.ok(seconds >= from - 0.1 && worked <= to, `${who}: let go after ${seconds.toFixed(1)} s`);
  }
  assert.equal((await door.get('/api/health')).status, 200);
});

test('it holds 2,000 connections; one more is accepted when another closes', async (t) => {
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
