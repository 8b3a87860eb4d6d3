/** 2,000 requests damaged by zzuf, sent over TCP to a running service: it answers or closes the connection, and continues to serve. */

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { aCity, businesses } from '../a-city.ts';
import { running, until } from '../a-process.ts';
import { statuses } from '../web/wire.ts';
import { lacks, openFiles, quantile, zzuf } from './tools.ts';

const MUTATIONS = 2_000;
const AT_ONCE = 500;
const LONGEST_MS = 18_000; // a request may take 15 s; what is late is noticed every 2 s
const MAY_BE = [501, 505]; // of the 5xx: a method nobody knows, a version of HTTP nobody speaks

const H = 'Host: rivermouth.example\r\n';
const posted = (path: string, type: string, body: string, more = '') =>
  `POST ${path} HTTP/1.1\r\n${H}${more}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const CALL =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_listings","arguments":{"q":"business"}}}';
const MCP = 'Accept: application/json, text/event-stream\r\n';

/** Requests as browsers, programs and agents send them. */
const RECORDED = [
  `GET /api/search HTTP/1.1\r\n${H}\r\n`,
  `GET /api/search?q=business&category=Restaurants&limit=5&offset=25 HTTP/1.1\r\n${H}Accept: application/json\r\n\r\n`,
  `GET /api/search?q=caf%C3%A9&status=open HTTP/1.1\r\n${H}If-None-Match: "abc", W/"def"\r\n\r\n`,
  `HEAD /api/search HTTP/1.1\r\n${H}\r\n`,
  `OPTIONS /api/search HTTP/1.1\r\n${H}Origin: https://a.example\r\nAccess-Control-Request-Method: GET\r\n\r\n`,
  `GET /api/stats HTTP/1.1\r\n${H}Accept-Encoding: gzip, br\r\n\r\n`,
  `GET /api/health HTTP/1.1\r\n${H}\r\n`,
  `GET / HTTP/1.1\r\n${H}Accept: text/html,application/xhtml+xml\r\nAccept-Language: en\r\nAccept-Encoding: gzip\r\n\r\n`,
  `GET /?q=business&neighborhood=Old+Town&offset=25 HTTP/1.1\r\n${H}Cookie: a=b\r\n\r\n`,
  `GET /feed.json?category=Restaurants HTTP/1.1\r\n${H}\r\n`,
  `GET /openapi.json HTTP/1.1\r\n${H}\r\n`,
  `GET /docs HTTP/1.1\r\n${H}Range: bytes=0-99\r\n\r\n`,
  `GET /confirm?token=abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG HTTP/1.1\r\n${H}\r\n`,
  posted('/api/signup', 'application/json', '{"email":"ann@b.example","type":"weekly"}'),
  posted('/signup', 'application/x-www-form-urlencoded', 'email=ann%40b.example&type=weekly'),
  posted('/api/signup', 'application/json', '{"email":"bob@b.example"}', 'Expect: 100-continue\r\n'),
  posted('/mcp', 'application/json', CALL, MCP),
  `POST /api/signup HTTP/1.1\r\n${H}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1d\r\n{"email":"c@b.example","type":\r\n9\r\n"weekly"}\r\n0\r\n\r\n`,
  `GET /api/search HTTP/1.1\r\n${H}\r\nGET /api/stats HTTP/1.1\r\n${H}Connection: close\r\n\r\n`,
  `GET /api/search HTTP/1.0\r\n${H}X-Forwarded-For: 203.0.113.9, 10.0.0.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n`,
];

type Said = { heard: string; ms: number; isOpen: boolean };

/** Sends it and stays on the line until the service hangs up. */
function said(port: number, bytes: Buffer): Promise<Said> {
  return new Promise((resolve) => {
    const start = performance.now();
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let heard = '';
    const end = (isOpen: boolean) => {
      clearTimeout(patience);
      socket.destroy();
      resolve({ heard, ms: performance.now() - start, isOpen });
    };
    const patience = setTimeout(() => end(true), LONGEST_MS + 5000);
    socket.on('data', (data) => {
      heard += data.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => end(false));
  });
}

test(`${MUTATIONS} damaged requests get an error or a closed connection, and do not affect the service`, {
  skip: lacks('zzuf'),
}, async (t) => {
  const city = aCity();
  await city.ingest(businesses(200));
  const env = { ...city.env, SHINGLE_LIMITS: 'off' };
  const { child, url, said: logged, stop } = await running(['serve'], env);
  const isUp = () => fetch(`${url}/api/search`).then((one) => (one.status === 200 ? true : undefined));
  await until(isUp, 'the first answer');
  const filesBefore = openFiles(child.pid!);
  const all: Said[] = [];
  for (let seed = 0; seed < MUTATIONS; seed += AT_ONCE) {
    const sent = Array.from({ length: AT_ONCE }, (_, i) => {
      const recorded = Buffer.from(RECORDED[(seed + i) % RECORDED.length]!, 'latin1');
      return said(Number(new URL(url).port), zzuf(recorded, seed + i));
    });
    assert.ok(await isUp(), 'others are served meanwhile');
    all.push(...(await Promise.all(sent)));
    assert.equal(child.exitCode, null, 'it lives');
  }
  const counts: Record<string, number> = {};
  for (const { heard } of all) {
    const given = statuses(heard);
    for (const status of given.length === 0 ? ['nothing'] : given) counts[status] = (counts[status] ?? 0) + 1;
    for (const status of given) assert.ok(status < 500 || MAY_BE.includes(status), heard.slice(0, 400));
  }
  const times = all.map(({ ms }) => ms);
  t.diagnostic(`answers ${JSON.stringify(counts)}`);
  t.diagnostic(
    `sockets: median ${quantile(times, 0.5).toFixed(0)} ms, slowest ${quantile(times, 1).toFixed(0)} ms; files ${filesBefore}, then ${openFiles(child.pid!)}`,
  );
  assert.equal(all.filter(({ isOpen }) => isOpen).length, 0, 'sockets that never ended');
  assert.ok(quantile(times, 1) <= LONGEST_MS, `a socket was held for ${quantile(times, 1)} ms`);
  await until(() => (openFiles(child.pid!) <= filesBefore + 5 ? true : undefined), 'sockets to be let go');
  assert.doesNotMatch(logged().err, /a request failed/);
  assert.equal(await stop(), 0);
});
