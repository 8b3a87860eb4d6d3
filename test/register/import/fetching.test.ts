/** Hostile and broken servers: a download stays within its limits, fails with one sentence, and leaves no file. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http, { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import timers from 'node:timers/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import { FETCH_LIMITS, type FetchOptions, fetchTo } from '../../../src/register/readers/fetch.ts';
import { aFolder } from '../../a-folder.ts';
import { PATIENCE_MS } from '../../patience.ts';

const DATA = 'KEY,NAME\n1,Blue Heron\n'.repeat(50);
const LIMITS = {
  stalledMs: PATIENCE_MS,
  totalMs: PATIENCE_MS,
  wireBytes: 3_000_000,
  unpackedBytes: 40_000_000,
  ratio: 100,
  retryMs: 1,
};
const folder = aFolder();

const MODIFIED = 'Fri, 20 Nov 2026 12:00:00 GMT';

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

function redirect(location: string, status = 302): Answer {
  return (_, response) => response.writeHead(status, { location }).end('moved');
}

const packed = (encoding: string, body: string | Buffer): Answer => {
  return (_, response) => response.setHeader('content-encoding', encoding).end(body);
};

/** Writes without end, as fast as it is read. */
function endless(response: ServerResponse, chunk: Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

const ANSWERS: Record<string, Answer> = {
  '/data': (_, response) => response.end(DATA),
  '/agent': (request, response) => response.end(JSON.stringify(request.headers)),
  '/gzip': packed('gzip', gzipSync(DATA)),
  '/deflate': packed('deflate', deflateSync(DATA)),
  '/moved': redirect('/data', 301),
  '/moved-2': redirect('moved', 308),
  ...Object.fromEntries([3, 4, 5].map((times) => [`/moved-${times}`, redirect(`moved-${times - 1}`, 307)])),
  '/round': redirect('/round'),
  '/to-metadata': redirect('http://169.254.169.254/latest/meta-data/'),
  '/to-nat64': redirect('http://[64:ff9b::7f00:1]/data'),
  '/to-site-local': redirect('http://[fec0::1]/data'),
  '/to-benchmarks': redirect('http://198.18.0.1/data'),
  '/to-agent': redirect('/agent'),
  '/to-files': redirect('http://files.example/agent'),
  '/to-port': redirect('http://localhost:1/agent'),
  '/to-elsewhere': (_, response) => redirect(`http://localhost:${port}/data`)(_, response),
  '/dated': (request, response) => {
    const { 'if-none-match': etag, 'if-modified-since': since } = request.headers;
    response.setHeader('etag', '"v1"').setHeader('last-modified', MODIFIED);
    if (etag === '"v1"' && since === MODIFIED) response.writeHead(304).end();
    else response.end(DATA);
  },
  '/500': (_, response) => response.writeHead(500).end(),
  '/later': (_, response) => response.writeHead(429, { 'retry-after': '7' }).end(),
};

const server = createServer((request, response) => ANSWERS[request.url!.split('?')[0]!]!(request, response));
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;

after(() => {
  server.closeAllConnections();
  server.close();
});

async function fetched(address: string, options: Partial<FetchOptions> = {}): Promise<string> {
  const path = join(folder, 'file');
  const limits = { ...LIMITS, ...options.limits };
  const url = address.startsWith('/') ? `http://127.0.0.1:${port}${address}` : address;
  try {
    await fetchTo(url, path, { userAgent: 'Shingle/test', ...options, limits });
    return readFileSync(path, 'utf8');
  } finally {
    rmSync(path, { force: true });
  }
}

test('a file arrives unchanged, compressed or not, even after five redirects on the same host', async () => {
  for (const path of ['/data', '/gzip', '/deflate', '/moved', '/moved-5'])
    assert.equal(await fetched(path), DATA, path);
});

test('a file that has not changed since the last download is not downloaded again', async () => {
  const path = join(folder, 'dated');
  const fetchAgain = (known?: FetchOptions['known']) =>
    fetchTo(`http://127.0.0.1:${port}/dated`, path, { userAgent: 'Shingle/test', limits: LIMITS, known });
  const mark = await fetchAgain();
  assert.deepEqual(mark, { etag: '"v1"', lastModified: MODIFIED });
  assert.equal(await fetchAgain(mark as FetchOptions['known']), 'same');
  assert.equal(existsSync(path), false);
  assert.deepEqual(await fetchAgain({ etag: '"v0"', lastModified: MODIFIED }), mark);
  rmSync(path);
});

test('a download sends a User-Agent and no other header to the publisher', async () => {
  const headers = JSON.parse(await fetched('/agent'));
  assert.deepEqual(
    Object.keys(headers).sort().join(' '),
    'accept accept-encoding connection host user-agent',
  );
  assert.equal(headers['user-agent'], 'Shingle/test');
});

/** Modules that import what is mocked get the mock, until the test ends. */
function useMocks(t: TestContext): void {
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}

test('Shingle tries a download five times, and waits twice as long each time, or as long as the server asks', async (t) => {
  const waits: unknown[] = [];
  t.mock.method(timers, 'setTimeout', async (ms: unknown) => waits.push(ms));
  t.mock.method(Math, 'random', () => 1);
  useMocks(t);
  const limits = { ...LIMITS, retryMs: 2_000 };
  await assert.rejects(fetched('/500', { limits }), /returned 500/);
  assert.deepEqual(waits.splice(0), [2_000, 4_000, 8_000, 16_000]);
  await assert.rejects(fetched('/later', { limits }), /returned 429/);
  assert.deepEqual(waits.splice(0), [7_000, 7_000, 8_000, 16_000]);
  t.mock.method(Math, 'random', () => 0);
  await assert.rejects(fetched('/500', { limits }), /returned 500/);
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000], 'clients that failed together come back apart');
});

const HOSTS = ['files.example', 'localhost:1'];

test('only the publisher, and no host of a redirect, gets the headers of the source', async (t) => {
  const request = http.request;
  // what a name server does: these names lead to this machine, though it is not a private address
  t.mock.method(
    http,
    'request',
    (url: URL, { lookup: _, ...asking }: http.RequestOptions, answered: () => void) =>
      request(HOSTS.includes(url.host) ? `http://127.0.0.1:${port}${url.pathname}` : url, asking, answered),
  );
  useMocks(t);
  const own = {
    headers: { 'x-app-token': 'secret' },
    known: { etag: '"1"', lastModified: 'Mon, 05 Jan 2026 00:00:00 GMT' },
  };
  const names = ['x-app-token', 'if-none-match', 'if-modified-since', 'user-agent'];
  const given = async (path: string) => {
    const headers = JSON.parse(await fetched(path, { ...own, hosts: HOSTS }));
    return names.filter((name) => name in headers);
  };
  assert.deepEqual(await given('/agent'), names);
  assert.deepEqual(await given('/to-agent'), names);
  assert.deepEqual(await given('/to-files'), ['user-agent']);
  assert.deepEqual(await given(`http://localhost:${port}/to-port`), ['user-agent'], 'another port');
});

const QUIET = { stalledMs: 300 };
const now = (response: ServerResponse) => response.write('x');
const dripping: Answer = (_, response) => {
  const timer = setInterval(now, 20, response);
  response.on('close', () => clearInterval(timer));
};
const status = (code: number): Answer => {
  return (_, response) => response.writeHead(code).end('Walter Example, 1 Some Street');
};

const REFUSALS: [answer: Answer, says: RegExp, limits?: FetchOptions['limits']][] = [
  [redirect('http://169.254.169.254/latest/'), /redirects to another host \(169\.254\.169\.254\)/],
  [redirect('file:///etc/passwd'), /redirects to another scheme \(file:\)/],
  [redirect('https://127.0.0.1/data'), /redirects to another scheme \(https:\)/],
  [redirect(`http://localhost:${port}/data`), /redirects to another host \(localhost/],
  [status(302), /redirects to an invalid URL/],
  [redirect('/round'), /redirects more than 5 times/],
  [status(304), /the server returned 304/],
  [status(500), /the server returned 500$/],
  [status(206), /the server returned 206/],
  [(_, response) => endless(response, Buffer.alloc(65_536, 'x')), /larger than 3000000 bytes/],
  [(_, response) => now(response.writeHead(200)), /no data arrived for 0\.3 s/, QUIET],
  [() => undefined, /no data arrived for 0\.3 s/, QUIET],
  [dripping, /longer than 0\.5 s/, { totalMs: 500 }],
  [packed('gzip', gzipSync(Buffer.alloc(30_000_000))), /unpacks to more than 100 times its size/],
  [packed('gzip', gzipSync(Buffer.alloc(5e7))), /larger than 40000000 bytes unpacked/, { ratio: 10_000 }],
  [packed('gzip, gzip', gzipSync(DATA)), /unsupported content encoding/],
  [packed('gzip', DATA), /not match its content encoding/],
  [packed('gzip', gzipSync(DATA).subarray(0, 40)), /not match its content encoding/],
];

test('the default limits are 30 s of silence, 30 minutes for a download, 512 MiB for a file and 2 GiB unpacked', () => {
  const { retryMs: _, ...bounds } = FETCH_LIMITS;
  assert.deepEqual(bounds, {
    ...{ stalledMs: 30_000, totalMs: 30 * 60_000, wireBytes: 512 * 2 ** 20, unpackedBytes: 2 * 2 ** 30 },
    ratio: 100,
  });
});

for (const [i, [answer, says, limits = {}]] of REFUSALS.entries()) {
  const path = `/refused-${i}`;
  ANSWERS[path] = answer;
  test(`an answer is refused, and no file stays: ${says.source}`, async () => {
    const failed = fetchTo(`http://127.0.0.1:${port}${path}?token=secret`, join(folder, 'kept'), {
      userAgent: 'Shingle/test',
      limits: { ...LIMITS, ...limits },
    });
    await assert.rejects(failed, (error: Error & { code: string }) => {
      assert.equal(error.code, 'source');
      assert.match(error.message, says);
      assert.match(error.message, new RegExp(`^http://127\\.0\\.0\\.1:${port}${path} cannot be fetched: `));
      assert.doesNotMatch(error.message, /secret|Walter/);
      return true;
    });
    assert.deepEqual(readdirSync(folder), []);
  });
}

test('a redirect into a private network is refused even to a host that the source lists', async () => {
  const hosts = [`localhost:${port}`, '169.254.169.254'];
  await assert.rejects(fetched('/to-elsewhere', { hosts }), /redirects to a private address/);
  await assert.rejects(fetched('/to-metadata', { hosts }), /redirects to a private address/);
  const special = ['[64:ff9b::7f00:1]', '[fec0::1]', '198.18.0.1'];
  for (const path of ['/to-nat64', '/to-site-local', '/to-benchmarks'])
    await assert.rejects(fetched(path, { hosts: special }), /redirects to a private address/, path);
});

const HEAD = 'HTTP/1.1 200 OK\r\n';
const BODY = randomBytes(1_000_000);
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
const PACKED = gzipSync(BODY).subarray(0, 500_000);
/** What a server sends before it ends the connection, or breaks it. */
const LOST: [what: string, sent: (string | Buffer)[], ends?: 'reset'[]][] = [
  ['before the headers', []],
  ['within the headers', [`${HEAD}Conte`]],
  ['after the headers', [`${HEAD}Content-Length: 5000\r\n\r\n`]],
  ['before its length', [`${HEAD}Content-Length: 5000000\r\n\r\n`, BODY]],
  ['within a chunk', [`${CHUNKED}4c4b40\r\n`, BODY]],
  ['after a chunk', [`${CHUNKED}f4240\r\n`, BODY, '\r\n']],
  ['without a length', [`${HEAD}\r\n`, BODY], ['reset']],
  ['packed', [`${HEAD}Content-Encoding: gzip\r\n\r\n`, PACKED]],
];

for (const [what, sent, ends = ['ended', 'reset'] as const] of LOST)
  test(`a response whose connection is lost ${what} is refused, and no file stays`, async () => {
    for (const how of ends) {
      const liar = createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => {
          for (const part of sent) socket.write(part);
          socket.write('', () => (how === 'ended' ? socket.end() : socket.resetAndDestroy()));
        });
      });
      await once(liar.listen(0, '127.0.0.1'), 'listening');
      const { port: at } = liar.address() as AddressInfo;
      const failed = fetchTo(`http://127.0.0.1:${at}/data`, join(folder, 'kept'), {
        ...{ userAgent: 'Shingle/test', limits: LIMITS },
      });
      await assert.rejects(failed, /the response (is incomplete|does not match its content encoding)/, how);
      assert.deepEqual(readdirSync(folder), [], how);
      liar.close();
    }
  });

test('a download uses https, or http on this machine, and sends no password', async () => {
  await assert.rejects(fetched('http://example.org/data'), /only https is allowed/);
  await assert.rejects(fetched('http://127.0.0.1.example.org/data'), /only https is allowed/);
  for (const who of ['me:secret', 'secret', ':secret'])
    await assert.rejects(fetched(`http://${who}@127.0.0.1:${port}/data`), (error: Error) => {
      assert.match(error.message, /user name or password/);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
  await assert.rejects(fetched(`https://127.0.0.1:${port}/data`), /cannot be fetched/);
});
