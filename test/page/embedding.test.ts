/** The frame, the feed and the picture of the chart in a real browser, whatever the names in them are. */

import assert from 'node:assert/strict';
import { NASTY_TEXTS } from '../abuse/nasty.ts';
import { textOf } from '../an-answer.ts';
import { aRow, catalogueOf } from '../service/search/made-up.ts';
import { aDoor } from '../service/web/a-door.ts';
import { aBrowser, faultsInBothModes, test } from './a-browser.ts';

const visit = aBrowser();

const HOSTILE = [
  ...['</title><script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onload='alert(1)"],
  ...['<!--', '&', '&lt;', '&#0;', '&#0;&#x1f;%00', '</title></entry></feed>', '\u202e'],
  `<script>alert(1)</script>"'&amp;&nbsp;`,
  ...[']]><!-- --><?xml version="1.0"?>', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;'],
  'control \u0000\u0001\u0008\u000b\u000c\u001b\u001f\u007f\u0085 characters',
  'noncharacters \ufffe\uffff, halves \ud800 \udc00, pairs \u{1f355}\u{10ffff}',
  ...['x'.repeat(150), '東京 '.repeat(20)],
];

test('axe finds no violation in the frame, in light and dark mode', async (t) => {
  const { url } = await aDoor(t, { limits: 'off', mayEmbed: true });
  const { page } = await visit(t, url, { viewport: { width: 320, height: 640 } });
  for (const path of ['/embed', '/embed?q=shop', '/embed?q=nothing', '/feeds?q=shop']) {
    await page.goto(path);
    assert.deepEqual(await faultsInBothModes(page), [], path);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, path);
  }
});

test('no search and no category name adds an element to the chart', async (t) => {
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
  assert.deepEqual(new Set(await elementsOf(categories)), new Set([plain]));
});

test('a browser can read the Atom feed as XML, whatever names it has', async (t) => {
  const rows = HOSTILE.map((name, i) => aRow({ key: `${i}`, name, neighborhood: name, category: name }));
  const { url, get } = await aDoor(t, { rows });
  const text = await textOf(get('/feed.xml'));
  const { page } = await visit(t, url);
  await page.goto('/docs');
  const read = (await page.evaluate(`(() => {
    const { documentElement } = new DOMParser().parseFromString(${JSON.stringify(text)}, 'application/xml');
    const titles = [...documentElement.querySelectorAll('entry > title')].map((one) => one.textContent);
    return { name: documentElement.nodeName, titles, elements: documentElement.querySelectorAll('*').length };
  })()`)) as { name: string; titles: string[]; elements: number };
  assert.equal(read.name, 'feed', text);
  const kept = (name: string) =>
    name.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '\ufffd');
  assert.deepEqual(read.titles.toSorted(), HOSTILE.map(kept).toSorted());
  assert.equal(read.elements, 9 + HOSTILE.length * 10);
});
