/** Every path with every method, content type and body size: each gets the response that HTTP requires. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyEighth } from '../depth.ts';
import { aSignupServer } from '../service/mail/a-mailing.ts';
import { type Answered, type Asked, aClient } from './a-client.ts';

const DAY_MS = 86_400_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const TYPES = [
  ...['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'],
  ...['text/plain', '@@', undefined],
];
const BOTH = 'application/json, text/event-stream'; // what /mcp asks for
const FORMS = ['/signup', '/confirm', '/unsubscribe', '/manage'];
const PROGRAMS = ['/api/signup', '/mcp'];

const allowOf = (path: string): string =>
  PROGRAMS.includes(path)
    ? 'OPTIONS, POST'
    : FORMS.includes(path)
      ? 'GET, HEAD, OPTIONS, POST'
      : 'GET, HEAD, OPTIONS';
const longestAt = (path: string): number => (path === '/mcp' ? 65_536 : 4096);

/** The statuses of a POST of nothing but spaces: no path makes anything of them. */
function posted(path: string, type: string | undefined, size: number): number[] {
  if (size > longestAt(path)) return [413];
  if (path === '/confirm' || path === '/manage') return [404];
  if (path === '/unsubscribe') return [200];
  if (path === '/signup') return type === TYPES[1] ? [422] : [415];
  return type === TYPES[0] ? [400] : [415];
}

function deserved(
  path: string,
  { method, type, size }: { method: string; type: string | undefined; size: number },
) {
  const allow = allowOf(path).split(', ');
  if (!allow.includes(method)) return [405];
  if (method === 'POST') return posted(path, type, size);
  if (method === 'OPTIONS') return [204];
  return path === '/confirm' || path === '/manage' ? [404] : [200];
}

/** What all refusals have in common. */
function assertBoring({ status, headers, body }: Answered, said: string): void {
  assert.equal(headers['cache-control'], 'no-store', said);
  assert.equal(headers['x-content-type-options'], 'nosniff', said);
  if (headers['content-type']?.startsWith('application/problem+json') && body.length > 0)
    assert.equal(JSON.parse(body.toString()).status, status, said);
}

test('every path follows the HTTP standard for every method, content type and size', async (t) => {
  const door = await aSignupServer(t, { limits: 'off' });
  const { askAll } = aClient(door.port);
  const cases = door.paths.flatMap((path) =>
    METHODS.flatMap((method, i) => {
      const all = TYPES.flatMap((type) =>
        [0, longestAt(path), longestAt(path) + 1].map((size) => ({
          ...{ path, method, type, size, body: size === 0 ? undefined : ' '.repeat(size) },
          headers: { Accept: BOTH, ...(type === undefined ? {} : { 'Content-Type': type }) },
        })),
      );
      return method === 'POST' ? all : everyEighth(all, i); // other methods are judged before type and size
    }),
  );
  const seen: Record<string, number> = {};
  await askAll(cases, (asked, answer) => {
    const { path, method, size } = asked;
    const said = `${method} ${path} ${asked.type} ${size} -> ${answer.status}`;
    assert.ok(deserved(path, asked).includes(answer.status), said);
    seen[answer.status] = (seen[answer.status] ?? 0) + 1;
    if (answer.status === 405 || answer.status === 204)
      assert.equal(answer.headers.allow, allowOf(path), said);
    if (answer.status >= 400) assertBoring(answer, said);
    if (method === 'HEAD' || answer.status === 204) assert.equal(answer.body.length, 0, said);
    const isUnread = size > 0 && !(method === 'POST' && answer.status !== 405 && answer.status !== 413);
    if (isUnread) assert.equal(answer.headers.connection, 'close', said);
  });
  t.diagnostic(`${cases.length} cases: ${JSON.stringify(seen)}`);
});

/** All headers but the time, the ETag of the text that names a day, and the length of the page that names one. */
function comparable({ headers: { date: _, etag, ...rest } }: Answered, path: string): Answered['headers'] {
  const { 'content-length': __, ...others } = rest;
  return { '/.well-known/security.txt': rest, '/signup': others }[path] ?? { etag, ...rest };
}

test('HEAD has every header of GET and costs the same, even for an error', async (t) => {
  const door = await aSignupServer(t);
  const { ask } = aClient(door.port);
  const asNewClient = (asked: Asked): Promise<Answered> => {
    door.clock.now += 2 * DAY_MS; // all that was used is back
    return ask(asked);
  };
  const known = door.paths.filter((path) => !PROGRAMS.includes(path));
  const questions = [
    ...['/api/search?zebra=1', '/api/search?q=shop&offset=25&limit=5'],
    ...['/?q=shop', '/nowhere', '/manage?token=x'],
  ];
  for (const path of [...known, ...questions]) {
    for (const headers of [{}, { Accept: 'text/html', 'Accept-Encoding': 'br' }, { 'If-None-Match': '*' }]) {
      const get = await asNewClient({ path, headers });
      const head = await asNewClient({ path, headers, method: 'HEAD' });
      assert.deepEqual([head.status, comparable(head, path)], [get.status, comparable(get, path)], path);
      assert.equal(head.body.length, 0, path);
    }
  }
});

test('no answer repeats an unknown path, for any method and client', async (t) => {
  const { askAll } = aClient((await aSignupServer(t, { limits: 'off' })).port);
  const paths = [
    ...['/canary', '/api/canary', '/problems/canary'],
    ...['/canary%0d%0aX: y', '/%3Ccanary%3E', '/canary?canary#canary'],
  ];
  const cases = paths.flatMap((path) =>
    METHODS.flatMap((method) =>
      ['*/*', 'text/html'].map((accept) => ({
        ...{
          path: path.replaceAll(' ', '%20'),
          method,
          headers: { Accept: accept, Cookie: 'canary', 'X-Canary': 'canary' },
        },
      })),
    ),
  );
  await askAll(cases, ({ path, method, headers }, answer) => {
    const said = `${method} ${path} ${headers.Accept}`;
    assert.equal(answer.status, path.includes('#') ? 400 : 404, said); // a target has no fragment (RFC 9112, 3.2)
    assert.doesNotMatch(JSON.stringify(answer.headers) + answer.body, /canary/i, said);
    assertBoring(answer, said);
  });
});
