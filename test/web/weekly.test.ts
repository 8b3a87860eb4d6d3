/** Past editions over HTTP: charged like a search, not indexed, known again by their ETag. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AN_EDITION, aDoor } from './a-door.ts';

const PAGE = `/weekly/${AN_EDITION}`;

test('listings of past editions count against the budget of searches', async (t) => {
  const { get } = await aDoor(t, { limits: { rows: 60 } });
  const status = async (path: string) => (await get(path)).status;
  assert.equal(await status('/api/search?status=open'), 200);
  assert.equal(await status(PAGE), 200);
  assert.equal(await status(`${PAGE}?offset=25`), 429);
  assert.equal(await status(`${PAGE}?offset=50`), 200, 'ten are left');
  assert.equal(await status('/api/search?limit=1'), 429);
  assert.equal(await status('/weekly'), 429, 'the list of editions says how many match, and none is left');
});

test('they are not indexed, and a known one is 304', async (t) => {
  const { get } = await aDoor(t);
  for (const path of ['/weekly', PAGE, `${PAGE}?category=Restaurants`]) {
    const first = await get(path);
    assert.deepEqual([first.status, first.headers.get('x-robots-tag')], [200, 'noindex'], path);
    const headers = { 'if-none-match': first.headers.get('etag')! };
    assert.equal((await get(path, { headers })).status, 304, path);
  }
});

test('an edition that does not exist is 404, other methods are 405, and all wait for the first run', async (t) => {
  const { get } = await aDoor(t);
  for (const name of ['2026-11-17', 'latest', '2026-11-16x'])
    assert.equal((await get(`/weekly/${name}`)).status, 404);
  const posted = await get(PAGE, { method: 'POST' });
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
  const early = await aDoor(t, { catalogue: null });
  for (const path of ['/weekly', PAGE]) assert.equal((await early.get(path)).status, 503);
});
