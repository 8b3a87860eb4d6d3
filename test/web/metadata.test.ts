/** What the page says of itself to programs: previews of links, the register as a data set, and an icon without SVG. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRow } from '../search/made-up.ts';
import { aDoor } from './a-door.ts';

/** The Open Graph properties of a page. */
function previewOf(page: string): Record<string, string> {
  const all = page.matchAll(/<meta property="og:(\w+)" content="([^"]*)">/g);
  return Object.fromEntries([...all].map(([, name, content]) => [name, content]));
}

function datasetOf(page: string) {
  const [, text] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(page) ?? [];
  return text && JSON.parse(text);
}

test('a link to a search is previewed as that search', async (t) => {
  const { get } = await aDoor(t);
  const home = previewOf(await (await get('/')).text());
  assert.equal(home.url, 'https://rivermouth.example/');
  const search = previewOf(await (await get('/?category=Restaurants&neighborhood=Café+Row')).text());
  assert.match(search.title!, /Restaurants/);
  assert.equal(
    search.url,
    'https://rivermouth.example/?category=Restaurants&amp;neighborhood=Caf%C3%A9%20Row',
  );
  assert.equal(
    search.description,
    '16 businesses in Café Row: Restaurants (Rivermouth). Registered is not the same as open.',
  );
  assert.deepEqual(Object.keys(search), ['type', 'site_name', 'title', 'description', 'url']);
});

test('the register is described as a data set, and no listing is', async (t) => {
  const rows = [aRow({ name: 'Millrace Coffee', filedOn: '2026-11-18' })];
  const { get } = await aDoor(t, { rows });
  const page = await (await get('/')).text();
  const dataset = datasetOf(page);
  assert.deepEqual(
    [dataset['@type'], dataset.license, dataset.creator[0].name, dataset.temporalCoverage],
    ['Dataset', ['CC0'], 'City of <Rivermouth>', '../2026-11-18'],
  );
  assert.doesNotMatch(JSON.stringify(dataset), /Millrace/);
  for (const { contentUrl } of dataset.distribution)
    assert.equal((await get(contentUrl.replace('https://rivermouth.example', ''))).status, 200, contentUrl);
  assert.equal(datasetOf(await (await get('/?q=millrace')).text()), undefined);
});

test('/favicon.ico is a bitmap of the right size', async (t) => {
  const { get } = await aDoor(t);
  const response = await get('/favicon.ico');
  assert.equal(response.headers.get('content-type'), 'image/x-icon');
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.deepEqual([...bytes.subarray(0, 8)], [0, 0, 1, 0, 1, 0, 32, 32]);
  assert.equal(bytes.length, bytes.readUInt32LE(14) + bytes.readUInt32LE(18));
});
