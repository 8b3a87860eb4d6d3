/** Whose pages may post: those of the service's own address, also where a name of somebody else's leads to it (DNS rebinding). */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { aClient } from '../abuse/a-client.ts';
import { aSignupServer } from '../mail/a-mailing.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const POSTS: Record<string, { type: string; body: string }> = {
  '/mcp': { type: JSON_TYPE, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
  '/api/signup': { type: JSON_TYPE, body: '{"email":"ann@b.example","type":"weekly"}' },
  '/signup': { type: FORM, body: 'email=ann%40b.example&type=weekly' },
};

/** Which of the paths take a post with these headers: a browser of the name in `Host` sends them. */
async function aPoster(t: TestContext, publicUrl: string) {
  const { port } = await aSignupServer(t, { publicUrl, limits: 'off' });
  const client = aClient(port);
  const taking = async (headers: Record<string, string>): Promise<string[]> => {
    const taken: string[] = [];
    for (const [path, { type, body }] of Object.entries(POSTS)) {
      const accept = path === '/signup' ? 'text/html' : 'application/json, text/event-stream';
      const all = { 'content-type': type, accept, ...headers };
      const { status } = await client.ask({ path, method: 'POST', headers: all, body });
      if (status !== 403) taken.push(path);
      assert.ok(status < 300 || status === 403, `${path}: ${status}`);
    }
    return taken;
  };
  return { port, taking };
}

const ALL = Object.keys(POSTS);

test('a name that leads to the service is not its own: Origin is compared with PUBLIC_URL, not with Host', async (t) => {
  const { port, taking } = await aPoster(t, 'https://openings.example.org/city');
  assert.deepEqual(await taking({ origin: 'https://openings.example.org' }), ALL);
  assert.deepEqual(await taking({}), ALL, 'a program');
  for (const name of ['evil.example', `evil.example:${port}`, `127.0.0.1:${port}`, 'localhost']) {
    const rebound = { host: name, origin: `http://${name}` };
    assert.deepEqual(await taking(rebound), [], name);
    assert.deepEqual(await taking({ ...rebound, 'sec-fetch-site': 'same-origin' }), [], name);
  }
  for (const origin of ['null', 'http://openings.example.org', 'https://openings.example.org.evil.example'])
    assert.deepEqual(await taking({ origin, host: 'openings.example.org' }), [], origin);
});

test('without a PUBLIC_URL, the names of this machine are its own, and no others', async (t) => {
  for (const publicUrl of [
    ...['http://127.0.0.1:0', 'http://0.0.0.0:3000', 'http://[::]:3000', 'http://localhost:3000'],
  ]) {
    const { port, taking } = await aPoster(t, publicUrl);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `127.0.0.9:${port}`, `[::1]:${port}`])
      assert.deepEqual(await taking({ host, origin: `http://${host}` }), ALL, host);
    const evil = `evil.example:${port}`;
    assert.deepEqual(await taking({ host: evil, origin: `http://${evil}` }), []);
    assert.deepEqual(
      await taking({ host: evil, origin: `http://${evil}`, 'sec-fetch-site': 'same-origin' }),
      [],
    );
    const other = { host: `localhost:${port}`, origin: 'http://localhost:9' };
    assert.deepEqual(await taking(other), [], 'another program of this machine');
    for (const name of ['localhost.evil.example', '127.0.0.1.evil.example', '203.0.113.1'])
      assert.deepEqual(await taking({ host: name, origin: `http://${name}` }), [], name);
  }
});
