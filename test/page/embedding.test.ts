/** The listings and the picture of the chart in a real browser: on a page of another origin, and the picture whatever the names in it are. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { NASTY_TEXTS } from '../abuse/nasty.ts';
import { aRow, catalogueOf } from '../service/search/made-up.ts';
import { aDoor } from '../service/web/a-door.ts';
import { aBrowser, faultsOf, noBrowser } from './a-browser.ts';

const visit = aBrowser();
const LIMITS = { skip: noBrowser };

const HOSTILE = [
  ...['</title><script>alert(1)</script>', '"><img src=x onerror=alert(1)>'],
  ...["' onload='alert(1)", ']]>', '<!--'],
  ...['&', '&lt;', '&#0;', '<?xml?>', '\ufffe\uffff', '\u202e'],
  ...['\u0000\u0008', 'x'.repeat(150), '東京 '.repeat(20)],
];

/** A page of another origin that shows this. */
async function aPageWith(
  t: TestContext,
  html: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers });
    response.end(`<!doctype html><title>A page</title><link rel="icon" href="data:,">${html}`);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

test('a page of another origin can frame /embed and its errors, and no other page', LIMITS, async (t) => {
  const { url } = await aDoor(t, { limits: 'off', mayEmbed: true });
  const paths = ['/embed?q=shop', '/embed?zebra=1', '/', '/feeds', '/docs'];
  const frames = paths.map((path) => `<iframe src="${url}${path}" title="It" width="390"></iframe>`);
  const elsewhere = await aPageWith(t, frames.join(''));
  const { page, hosts } = await visit(t, elsewhere, { expected: /frame-ancestors|status of 40[03]/ });
  await page.goto('/');
  const textOf = (n: number) => page.frameLocator('iframe').nth(n).locator('body').innerText();
  assert.match(await textOf(0), /SHOP 38[\s\S]*See all 30 registered businesses/);
  assert.match(await textOf(1), /zebra/);
  for (const n of [2, 3, 4]) assert.doesNotMatch(await textOf(n), /SHOP|Rivermouth/i);
  const links = page.frameLocator('iframe').nth(0).locator('a');
  for (const link of await links.all()) assert.equal(await link.getAttribute('target'), '_blank');
  assert.equal(await page.frameLocator('iframe').nth(0).locator('script').count(), 0);
  assert.ok(hosts.delete(url), 'the frames came from there');
});

test('axe finds no violation in the frame, in light and dark mode', LIMITS, async (t) => {
  const { url } = await aDoor(t, { limits: 'off', mayEmbed: true });
  const { page } = await visit(t, url, { viewport: { width: 320, height: 640 } });
  for (const path of ['/embed', '/embed?q=shop', '/embed?q=nothing', '/feeds?q=shop'])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(path);
      assert.deepEqual(await faultsOf(page), [], `${path}, ${colorScheme}`);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, path);
    }
});

test('a browser that opens a feed gets a page about it, and programs get the feed', LIMITS, async (t) => {
  const { url, get } = await aDoor(t);
  const { page } = await visit(t, url);
  for (const path of ['/feed.xml', '/feed.json']) {
    await page.goto(`${path}?q=shop&offset=5`);
    assert.equal(page.url(), `${url}/feeds?q=shop&offset=5`);
    assert.equal(
      await page.getByLabel('Address of the feed').first().inputValue(),
      'https://rivermouth.example/feed.xml?q=shop',
    );
    const headers = { accept: 'text/html,*/*' };
    assert.match((await get(path, { headers })).headers.get('content-type')!, /feed\+json|atom\+xml/);
  }
});

test('a page of another origin shows the chart in an img element', LIMITS, async (t) => {
  const { url } = await aDoor(t, { limits: 'off' });
  // the browser is asked to refuse what does not offer itself to other sites
  const policy = { 'cross-origin-embedder-policy': 'require-corp' };
  const elsewhere = await aPageWith(t, `<img src="${url}/chart.svg?q=shop&amp;width=640">`, policy);
  const { page, hosts } = await visit(t, elsewhere);
  await page.goto(elsewhere);
  const size = await page.locator('img').evaluate((image: { decode(): Promise<void> }) =>
    image.decode().then(() => {
      const { naturalWidth, naturalHeight } = image as unknown as Record<string, number>;
      return [naturalWidth, naturalHeight];
    }),
  );
  assert.equal(size[0], 640);
  assert.ok(size[1]! > 200);
  assert.ok(hosts.delete(url), 'the picture came from there');
});

test('no search and no category name adds an element to the chart', LIMITS, async (t) => {
  const rows = HOSTILE.map((name, i) => aRow({ key: String(i), category: `${i}${name.toWellFormed()}` }));
  const { url } = await aDoor(t, { catalogue: catalogueOf(rows), limits: 'off' });
  const { page } = await visit(t, url);
  await page.goto(`${url}/docs`);
  const elementsOf = (queries: readonly string[]) =>
    page.evaluate<string[]>(
      `Promise.all(${JSON.stringify(queries)}.map(async (query) => {
        const text = await (await fetch('/chart.svg?' + query)).text();
        const picture = new DOMParser().parseFromString(text, 'image/svg+xml');
        const all = [...picture.querySelectorAll('*')].map((one) => [one.localName, ...one.getAttributeNames()].join(' '));
        return [...new Set(all)].toSorted().join();
      }))`,
    );
  const [plain = ''] = await elementsOf(['q=heron']);
  assert.match(plain, /svg xmlns/);
  assert.doesNotMatch(plain, /parsererror|script|style|onload/);
  const encoded = [...HOSTILE, ...NASTY_TEXTS]
    .filter((one) => one.length <= 200)
    .map((one) => encodeURIComponent(one.toWellFormed()));
  const queries = encoded.flatMap((text) => [`q=heron&category=${text}`, `q=${text}`]);
  const known = new Set(plain.split(','));
  for (const [i, elements] of (await elementsOf(queries)).entries())
    assert.deepEqual(new Set(elements.split(',')).difference(known), new Set(), queries[i]!);
  const categories = rows.map(({ category }) => `category=${encodeURIComponent(category)}`);
  assert.deepEqual(
    await elementsOf(categories),
    categories.map(() => plain),
  );
});
