/** Responses to invalid and unusual bytes: plain and exact. What two servers could read differently: abuse/protocol.test.ts. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDoor } from './a-door.ts';
import { exchange, statuses } from './wire.ts';

const H = 'Host: rivermouth.example\r\n';
const lines = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: 1\r\n`).join('');

/** What is sent, and the statuses that must come back; `[]`: the connection ends without an answer. */
const ABUSES: [name: string, bytes: string, answers: number[]][] = [
  ['an absolute address', `GET http://rivermouth.example/api/health HTTP/1.1\r\n${H}\r\n`, [200]],
  [
    'one of another scheme and case',
    `GET HTTPS://Rivermouth.example:443/api/health HTTP/1.1\r\n${H}\r\n`,
    [200],
  ],
  ['one with only a query', `GET http://rivermouth.example?q=a HTTP/1.1\r\n${H}\r\n`, [200]],
  ['one of another port', `GET http://rivermouth.example:81/api/health HTTP/1.1\r\n${H}\r\n`, [400]],
  ['one with a user', `GET http://a@rivermouth.example/api/health HTTP/1.1\r\n${H}\r\n`, [400]],
  ['one of no web page', `GET ftp://rivermouth.example/api/health HTTP/1.1\r\n${H}\r\n`, [400]],
  ['one without a host', 'GET http:///api/health HTTP/1.1\r\nHost:\r\n\r\n', [400]],
  ['one to a path that is not there', `GET http://rivermouth.example/nowhere HTTP/1.1\r\n${H}\r\n`, [404]],
  ['a question about the whole server', `OPTIONS * HTTP/1.1\r\n${H}\r\n`, [204]],
  ['the same without a Host', 'OPTIONS * HTTP/1.1\r\n\r\n', [400]],
  ['an asterisk with another method', `GET * HTTP/1.1\r\n${H}\r\n`, [400]],
  ['HTTP/1.0 with a Host', `GET /api/health HTTP/1.0\r\n${H}\r\n`, [200]],
  ['HTTP/1.0 without one', 'GET /api/health HTTP/1.0\r\n\r\n', [200]],
  ['HTTP/1.0 with an absolute address', 'GET http://rivermouth.example/api/health HTTP/1.0\r\n\r\n', [200]],
  ['HTTP/1.0 with two', `GET /api/health HTTP/1.0\r\n${H}${H}\r\n`, [400]],
  ['an unknown method', `FOO / HTTP/1.1\r\n${H}\r\n`, [400]],
  ['words after the version', `GET /api/health HTTP/1.1 a\r\n${H}\r\n`, [400]],
  ['an empty line before the first', `\r\nGET /api/health HTTP/1.1\r\n${H}\r\n`, [200]],
  ['a path without a slash', `GET api/health HTTP/1.1\r\n${H}\r\n`, [400]],
  ['HTTP/0.9', 'GET /api/health\r\n\r\n', [400]],
  ['HTTP/3.7', `GET /api/health HTTP/3.7\r\n${H}\r\n`, [400]],
  ['a space before the colon', `GET /api/health HTTP/1.1\r\nHost : a\r\n\r\n`, [400]],
  ['70 header lines', `GET /api/health HTTP/1.1\r\n${H}${lines(69)}\r\n`, [431]],
  ['64 header lines, which is fine', `GET /api/health HTTP/1.1\r\n${H}${lines(63)}\r\n`, [200]],
  ['a header of 20 KiB', `GET /api/health HTTP/1.1\r\n${H}X-A: ${'a'.repeat(20_480)}\r\n\r\n`, [431]],
  ['an address of 3 KiB', `GET /api/search?q=${'a'.repeat(3072)} HTTP/1.1\r\n${H}\r\n`, [414]],
  ['bytes that are not ASCII', `GET /api/search?q=caf\u00e9 HTTP/1.1\r\n${H}\r\n`, [400]],
  ['TRACE', `TRACE /api/health HTTP/1.1\r\n${H}\r\n`, [405]],
  ['CONNECT', `CONNECT rivermouth.example:443 HTTP/1.1\r\n${H}\r\n`, [405]],
  ['PROPFIND', `PROPFIND /api/stats HTTP/1.1\r\n${H}\r\n`, [405]],
  ['QUERY without a type', `QUERY /api/search HTTP/1.1\r\n${H}Content-Length: 1\r\n\r\na`, [405]],
  ['a method in lower case', `get /api/health HTTP/1.1\r\n${H}\r\n`, [400]],
  ['a broken path', `GET /%zz HTTP/1.1\r\n${H}\r\n`, [400]],
  ['a fragment', `GET /api/search#a HTTP/1.1\r\n${H}\r\n`, [400]],
  ['a broken fragment', `GET /a#%zz HTTP/1.1\r\n${H}\r\n`, [400]],
  ['a broken fragment where it is not taken', `DELETE /api/search#%zz HTTP/1.1\r\n${H}\r\n`, [400]],
  [
    'an unreadable type on an unknown path',
    `POST /x HTTP/1.1\r\n${H}Content-Type: @@\r\nContent-Length: 1\r\n\r\na`,
    [404],
  ],
  ['an upgrade', `GET /api/health HTTP/1.1\r\n${H}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, [200]],
];

test('each request with invalid bytes gets exactly one error', async (t) => {
  const door = await aDoor(t);
  for (const [name, bytes, answers] of ABUSES) {
    const heard = await exchange(door.port, bytes);
    assert.deepEqual(statuses(heard), answers, `${name}: ${heard.slice(0, 300)}`);
    if (answers[0]! < 400) continue;
    assert.match(heard, /application\/problem\+json/, name);
    assert.match(heard, /no-store/i, name);
    const body = heard.slice(heard.indexOf('\r\n\r\n') + 4);
    assert.equal(JSON.parse(body).status, answers[0], name);
    if (name === 'an unknown method') assert.match(body, /The method of the request/);
  }
  assert.equal((await door.get('/api/health')).status, 200);
  assert.deepEqual(door.warnings, []);
});
