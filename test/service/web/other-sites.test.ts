/** What pages of other sites can use of a visitor's budget: browsers say which requests are not the visitor's own. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aClient } from '../../abuse/a-client.ts';
import { textOf } from '../../an-answer.ts';
import { aDoor, CITY, someRows } from './a-door.ts';

const FOREIGN = { 'Sec-Fetch-Site': 'cross-site' };
const PICTURE = { ...FOREIGN, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' };
const SCRIPT = { ...FOREIGN, 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };
const FRAME = { ...FOREIGN, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' };
const LINK = { ...FOREIGN, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };

test('a page of another site with 110 pictures and 110 requests of its script spends at most a quarter of a budget', async (t) => {
  const { port } = await aDoor(t, { limits: { rows: 800, burst: 400 }, rows: someRows(900) });
  const { ask } = aClient(port); // `fetch` sends these headers itself
  const get = (path: string, { headers = {} }: { headers?: Record<string, string> } = {}) =>
    ask({ path, headers });
  const seen = { pictures: 0, scripts: 0 };
  for (let i = 0; i < 110; i++) {
    const picture = await get(`/chart.svg?q=shop&filed_from=2026-11-${10 + (i % 11)}&width=${300 + i}`, {
      headers: PICTURE,
    });
    if (picture.status === 200) seen.pictures++;
    const script = await get(`/api/search?offset=${25 * (i % 36)}`, { headers: SCRIPT });
    if (script.status === 200) seen.scripts++;
    else assert.equal(script.status, 429);
  }
  assert.ok(seen.pictures > 0 && seen.scripts > 0, 'pictures and the API are open to other sites');
  let own = 0;
  for (let i = 0; (await get(`/api/search?offset=${875 - 25 * i}`)).status === 200; i++) own += 25;
  assert.ok(own >= 0.75 * 400, `${own} of the 400 listings of a bucket are left`);
});

const ELSEWHERE = 'https://elsewhere.example';
const VISITS: Record<string, string>[] = [
  LINK,
  { Origin: ELSEWHERE },
  { Origin: 'null' },
  { Referer: `${ELSEWHERE}/page` },
];

test('links of other sites, and browsers without Sec-Fetch-Site, spend at most a quarter of a budget', async (t) => {
  for (const headers of VISITS) {
    const { port } = await aDoor(t, { limits: { rows: 800 }, rows: someRows(900) });
    const { ask } = aClient(port);
    let pages = 0;
    while ((await ask({ path: `/api/search?offset=${25 * pages}`, headers })).status === 200) pages++;
    assert.deepEqual(
      [pages, (await ask({ path: '/api/search?offset=800' })).status],
      [4, 200],
      JSON.stringify(headers),
    );
    const own = { Origin: `http://127.0.0.1:${port}`, Host: `127.0.0.1:${port}` };
    assert.equal((await ask({ path: '/api/search?offset=825', headers: own })).status, 200);
  }
});

const ANSWERS: [path: string, headers: Record<string, string>, status: number][] = [
  ['/chart.svg?q=shop', PICTURE, 200],
  ['/chart.png?q=shop', PICTURE, 200],
  ['/icon.svg', PICTURE, 200],
  ['/api/search?q=shop', PICTURE, 403],
  ['/?q=shop', PICTURE, 403],
  ['/feed.xml', { ...PICTURE, 'Sec-Fetch-Dest': 'script' }, 403],
  ['/api/search?q=shop', { ...PICTURE, 'Sec-Fetch-Dest': 'empty', 'Sec-Purpose': 'prefetch' }, 403],
  ['/api/search?q=shop', SCRIPT, 200],
  ['/embed?q=shop', FRAME, 200],
  ['/?q=shop', FRAME, 403],
  ['/?q=shop', LINK, 200],
  ['/?q=shop', { ...LINK, 'Sec-Purpose': 'prefetch;prerender' }, 403],
  ['/?q=shop', { ...FRAME, 'Sec-Fetch-Site': 'same-origin' }, 200],
  ['/api/search?q=shop', { ...PICTURE, 'Sec-Fetch-Site': 'same-site' }, 200],
];

test('without CORS, other sites get only pictures and frames', async (t) => {
  const { port } = await aDoor(t, { mayEmbed: true });
  const { ask } = aClient(port);
  for (const [path, headers, status] of ANSWERS) {
    const what = `${path} ${JSON.stringify(headers)}`;
    const { body, status: answered } = await ask({ path, headers });
    assert.equal(answered, status, what);
    if (status === 403) assert.match(body.toString(), /foreign-origin/, what);
  }
});

test('a city with invented data has the limit of a large city, and every page says that its data is invented', async (t) => {
  const { get } = await aDoor(t, { city: { ...CITY, invented: true } });
  const policy = (await get('/api/search')).headers.get('ratelimit-policy');
  assert.equal(policy, '"burst";q=600;w=60, "rows";q=10000;w=86400');
  for (const path of ['/', '/changes', '/about', '/docs', '/weekly', '/nowhere'])
    assert.match(
      await textOf(get(path, { headers: { Accept: 'text/html' } }), path === '/nowhere' ? 404 : 200),
      /All data is invented\./,
      path,
    );
  assert.match(await textOf(get('/llms.txt')), /^> Invented businesses, to try the service\./m);
  const real = await aDoor(t);
  assert.doesNotMatch(await textOf(real.get('/')), /invented/);
});
