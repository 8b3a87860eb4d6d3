/** The picture of the chart in a real browser: on a page of another origin, and as a document whatever the names in it are. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { NASTY_TEXTS } from '../../abuse/nasty.ts';
import { aRow, catalogueOf } from '../../search/made-up.ts';
import { aDoor } from '../a-door.ts';
import { aBrowser, noBrowser } from './a-browser.ts';

const visit = aBrowser();
const LIMITS = { skip: noBrowser, timeout: 600_000 }; // a guard against hanging

const HOSTILE = [
  ...['</title><script>alert(1)</script>', '"><img src=x onerror=alert(1)>'],
  ...["' onload='alert(1)", ']]>', '<!--'],
  ...['&', '&lt;', '&#0;', '<?xml?>', '\ufffe\uffff', '\u202e'],
  ...['\u0000\u0008', 'x'.repeat(150), '東京 '.repeat(20)],
];

/** A page of another origin that shows one picture. It asks the browser to refuse what does not offer itself to other sites. */
async function aPageWith(t: TestContext, picture: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'cross-origin-embedder-policy': 'require-corp' });
    response.end(`<!doctype html><title>A page</title><link rel="icon" href="data:,"><img src="${picture}">`);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

test('a page of another origin shows the picture in an img', LIMITS, async (t) => {
  const { url } = await aDoor(t, { limits: 'off' });
  const elsewhere = await aPageWith(t, `${url}/chart.svg?q=shop&amp;width=640`);
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

test(
  'whatever is searched for and however categories are named, the picture is the same SVG',
  LIMITS,
  async (t) => {
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
  },
);
