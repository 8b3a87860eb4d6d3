/** Ambiguous HTTP, floods on one connection, and disconnects at the wrong moment. */

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { openMetrics } from '../../src/service/web/metrics.ts';
import { aSignupServer } from '../service/mail/a-mailing.ts';
import { exchange, statuses } from '../service/web/wire.ts';

const H = 'Host: rivermouth.example\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const SECOND = `GET /api/stats HTTP/1.1\r\n${H}\r\n`;
const post = (headers: string, body: string) =>
  `POST /api/signup HTTP/1.1\r\n${H}${JSON_TYPE}${headers}\r\n${body}`;
const get = (headers: string) => `GET /api/health HTTP/1.1\r\n${H}${headers}\r\n`;
const chunked = (body: string) => post('Transfer-Encoding: chunked\r\n', body);
const CHUNK = '2\r\n{}\r\n0\r\n\r\n';

/** What is sent, followed by a second request, and the answers to both: after a refusal there is never a second one. */
const DOUBTS: [name: string, bytes: string, answers: number[]][] = [
  ['a body in chunks, which is fine', chunked(CHUNK), [400, 200]],
  ['chunks named twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', CHUNK), [400]],
  ['chunks inside chunks', post('Transfer-Encoding: chunked, chunked\r\n', CHUNK), [400]],
  ['chunks that are not the last coding', post('Transfer-Encoding: chunked, identity\r\n', CHUNK), [400]],
  ['a coding nobody knows', post('Transfer-Encoding: xchunked\r\n', CHUNK), [400]],
  ['a coding hidden behind a control character', post('Transfer-Encoding: \x0bchunked\r\n', CHUNK), [400]],
  [
    'chunks, and a length after them',
    post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', CHUNK),
    [400],
  ],
  ['two equal lengths', post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'), [400]],
  ['a list of lengths', post('Content-Length: 2, 2\r\n', '{}'), [400]],
  ['a length with a sign', post('Content-Length: +2\r\n', '{}'), [400]],
  ['a negative length', post('Content-Length: -2\r\n', '{}'), [400]],
  ['a hexadecimal length', post('Content-Length: 0x2\r\n', '{}'), [400]],
  ['a length past all counting', post(`Content-Length: ${'9'.repeat(40)}\r\n`, '{}'), [400]],
  ['a length after chunks', post('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n', CHUNK), [400]],
  ['a chunk whose size is no number', chunked('zz\r\n{}\r\n0\r\n\r\n'), [400]],
  ['a chunk of negative size', chunked('-2\r\n{}\r\n0\r\n\r\n'), [400]],
  ['a chunk with 0x before its size', chunked('0x2\r\n{}\r\n0\r\n\r\n'), [400]],
  ['a chunk of more than can be counted', chunked('fffffffffffffffff\r\n{}\r\n0\r\n\r\n'), [400]],
  ['a chunk longer than its size', chunked('2\r\n{}x\r\n0\r\n\r\n'), [400]],
  ['a chunk whose size ends in LF alone', chunked('2\n{}\r\n0\r\n\r\n'), [400]],
  ['an extension of 20 KiB', chunked(`2;a=${'a'.repeat(20_480)}\r\n{}\r\n0\r\n\r\n`), [413]],
  ['chunks of more than 4 KiB in all', chunked(`1001\r\n${' '.repeat(4097)}\r\n0\r\n\r\n`), [413]],
  ['a length of more than 4 KiB', post('Content-Length: 4097\r\n', ' '.repeat(4097)), [413]],
  ['a body that nobody waits for', post('Content-Length: 4097\r\nExpect: 100-continue\r\n', ''), [413]],
  ['lines that end in LF alone', get('').replaceAll('\r\n', '\n'), [400]],
  ['a header line that ends in LF alone', get('X-A: 1\nX-B: 2\r\n'), [400]],
  ['a CR inside a header', get('X-A: 1\rX-B: 2\r\n'), [400]],
  ['a NUL in a header', get('X-A: 1\x002\r\n'), [400]],
  ['a NUL in the name of a header', get('X-\0A: 1\r\n'), [400]],
  ['a NUL in the path', `GET /api/\0health HTTP/1.1\r\n${H}\r\n`, [400]],
  ['a header without a name', get(': 1\r\n'), [400]],
  ['a header without a colon', get('X-A\r\n'), [400]],
  ['a folded length', post('Content-Length:\r\n 2\r\n', '{}'), [400]],
  ['a first line that is folded', `GET /api/health\r\n HTTP/1.1\r\n${H}\r\n`, [400]],
  ['a version with a space', `GET /api/health HTTP/1. 1\r\n${H}\r\n`, [400]],
  ['two Host headers', `GET /api/health HTTP/1.1\r\n${H}${H}\r\n`, [400]],
  ['no Host header', 'GET /api/health HTTP/1.1\r\n\r\n', [400]],
  ['an absolute address', `GET http://other.example/api/health HTTP/1.1\r\n${H}\r\n`, [400]],
  ['a body where none is read', `DELETE /api/search HTTP/1.1\r\n${H}Content-Length: 2\r\n\r\n{}`, [405]],
  ['a body that is a request', get(`Content-Length: ${SECOND.length}\r\n`) + SECOND, [200]],
  ['a broken second half after a sound first one', `${get('')}GET /api/health HTTP/1.1\r\nX\r\n\r\n`, [200]],
];

/** The answers in what was heard, taken apart by their lengths; fails where bytes are left over. */
function answersIn(heard: string): { status: number; body: string }[] {
  const answers: { status: number; body: string }[] = [];
  let rest = heard.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  while (rest !== '') {
    const [, status, head] =
      /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n(.*?)\r\n\r\n/s.exec(rest) ?? assert.fail(rest.slice(0, 200));
    const length = Number(/^content-length: (\d+)/im.exec(head!)![1]);
    const from = rest.indexOf('\r\n\r\n') + 4;
    answers.push({ status: Number(status), body: rest.slice(from, from + length) });
    rest = rest.slice(from + length);
  }
  return answers;
}

test('an ambiguous request is refused, and nothing after it is answered', async (t) => {
  const door = await aSignupServer(t, { limits: 'off' });
  const all = DOUBTS.map(async ([name, bytes, wanted]) => {
    const heard = await exchange(door.port, bytes + SECOND);
    const answers = answersIn(heard);
    assert.deepEqual(
      answers.map(({ status }) => status),
      wanted,
      `${name}: ${heard.slice(0, 300)}`,
    );
    const last = answers.at(-1);
    if (last === undefined || last.status < 400) return;
    assert.equal(JSON.parse(last.body).status, last.status, name);
    assert.match(heard, /no-store/i, name);
    assert.match(heard, /^content-security-policy: default-src 'none';/im, name);
  });
  await Promise.all(all);
  assert.equal((await door.get('/api/health')).status, 200);
  assert.deepEqual(door.warnings, []);
});

test('a hundred pipelined requests are answered in order', async (t) => {
  const door = await aSignupServer(t, { limits: 'off' });
  const asked = Array.from({ length: 100 }, (_, i) => `/api/search?limit=1&offset=${i % 60}`);
  const bytes = asked.map((path) => `GET ${path} HTTP/1.1\r\n${H}\r\n`).join('');
  const offsets = answersIn(await exchange(door.port, bytes)).map(({ body }) => JSON.parse(body).offset);
  assert.deepEqual(
    offsets,
    asked.map((_, i) => i % 60),
  );
});

test('if one of a hundred pipelined requests is broken, the requests before it are answered and all later requests are refused', async (t) => {
  const door = await aSignupServer(t, { limits: 'off' });
  const bytes = `${get('').repeat(49)}${post('Content-Length: 4097\r\n', ' '.repeat(4097))}${get('').repeat(50)}`;
  const answered = answersIn(await exchange(door.port, bytes)).map(({ status }) => status);
  assert.deepEqual(answered, [...Array(49).fill(200), 413]);
});

/** A socket that notes what it hears and leaves its own side as the test says. */
async function aSocket(
  port: number,
): Promise<{ socket: Socket; heard: () => string; closed: Promise<void> }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let heard = '';
  socket.on('data', (data) => {
    heard += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  await new Promise<void>((resolve) => socket.on('connect', resolve));
  return { socket, heard: () => heard, closed };
}

test('the body of a refused request is read before the response is sent, but Shingle does not wait long for it', async (t) => {
  const door = await aSignupServer(t, { limits: 'off' });
  const [whole, stalled] = await Promise.all([aSocket(door.port), aSocket(door.port)]);
  const half = ' '.repeat(2500);
  for (const { socket } of [whole, stalled]) {
    socket.on('end', () => socket.end());
    socket.write(post('Content-Length: 5000\r\n', half));
  }
  assert.equal((await door.get('/api/health')).status, 200);
  assert.equal(whole.heard(), ''); // a response now, and a closed connection, would be a 502 of Caddy
  whole.socket.write(half);
  await Promise.all([whole.closed, stalled.closed]);
  for (const { heard } of [whole, stalled]) assert.deepEqual(statuses(heard()), [413]);
});

test('a client that half-closes its connection after the request is answered', async (t) => {
  const door = await aSignupServer(t, { limits: 'off' });
  const { socket, heard, closed } = await aSocket(door.port);
  socket.end(get('Connection: close\r\n'));
  await closed;
  assert.deepEqual(statuses(heard()), [200]);
});

test('a client that disconnects midway affects no one, and its connection is released', async (t) => {
  const metrics = openMetrics();
  const door = await aSignupServer(t, { limits: 'off', metrics });
  const started = post('Content-Length: 100\r\n', '{"email":');
  const ways: [name: string, bytes: string, leave: (socket: Socket) => unknown][] = [
    ['half-closed in a header', 'GET /api/hea', (socket) => socket.end()],
    ['half-closed in a body', started, (socket) => socket.end()],
    ['half-closed in a chunk', chunked('20\r\n{"email"'), (socket) => socket.end()],
    ['reset in a body', started, (socket) => socket.resetAndDestroy()],
    ['reset in a chunk', chunked('20\r\n{"email"'), (socket) => socket.resetAndDestroy()],
    ['reset amid a hundred answers', get('').repeat(100), (socket) => socket.resetAndDestroy()],
    [
      'reset after a refusal',
      post('Content-Length: 70000\r\n', ' '.repeat(9000)),
      (socket) => socket.resetAndDestroy(),
    ],
  ];
  for (const [name, bytes, leave] of ways) {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => aSocket(door.port)));
    for (const { socket } of sockets) socket.write(bytes, 'latin1', () => leave(socket));
    await Promise.all(sockets.map(({ closed }) => closed));
    for (const { heard } of sockets)
      assert.ok(!statuses(heard()).includes(408), `${name}: let go at once, not when its time was over`);
    assert.equal((await door.get('/api/health')).status, 200, name);
  }
  assert.deepEqual(door.warnings, []);
  assert.doesNotMatch(metrics.text([]), /status="5/, 'no error of the service');
});
