/** Both feeds: the same items as the search, as JSON and as XML that a parser reads, and one budget. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { Compile } from 'typebox/compile';
import type { Listing } from '../../src/listings/listing.ts';
import type { BuildRow } from '../../src/search/listing-index.ts';
import { schemaOf } from '../../src/web/openapi.ts';
import { aRow, catalogueOf } from '../search/made-up.ts';
import { aDoor, someRows } from './a-door.ts';
import { aBrowser, noBrowser } from './pages/a-browser.ts';

type Item = {
  id: string;
  url: string;
  title: string;
  content_text: string;
  date_published: string;
  tags: string[];
};
type Feed = { title: string; next_url?: string; description: string; home_page_url: string; items: Item[] };
type Link = { rel: string; type: string; href: string };
type Entry = {
  id: string;
  title: string;
  updated: string;
  published: string;
  content: string;
  link: Link[];
  category: { term: string }[];
};
type Atom = {
  xmlns: string;
  'xml:lang': string;
  id: string;
  title: string;
  subtitle: string;
  updated: string;
  author: { name: string }[];
  link: Link[];
  entry: Entry[];
};
const isFeed = Compile(schemaOf('Feed'));
const visit = aBrowser();

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  isArray: (name) => ['entry', 'link', 'category', 'author'].includes(name),
});

/** A feed in XML, as a parser reads it. */
function parseAtom(text: string): Atom {
  assert.equal(XMLValidator.validate(text), true);
  return parser.parse(text).feed;
}

async function feedsOf(t: TestContext, rows: BuildRow[], query = ''): Promise<{ json: Feed; xml: string }> {
  const { get } = await aDoor(t, { rows });
  const json = (await (await get(`/feed.json${query}`)).json()) as Feed;
  return { json, xml: await (await get(`/feed.xml${query}`)).text() };
}

test('the feed has the same listings as the search, as a JSON Feed', async (t) => {
  const door = await aDoor(t);
  const response = await door.get('/feed.json?q=shop&limit=3');
  assert.match(response.headers.get('content-type')!, /^application\/feed\+json/);
  const answered = await response.json();
  assert.ok(isFeed.Check(answered));
  const feed = answered as Feed;
  const same = await door.get('/api/search?q=shop&limit=3');
  const { listings } = (await same.json()) as { listings: Listing[] };
  assert.deepEqual(
    feed.items.map(({ title }) => title),
    listings.map(({ name }) => name),
  );
  assert.equal(feed.home_page_url, 'https://rivermouth.example/?q=shop');
  assert.equal(feed.items[0]!.date_published, `${listings[0]!.filing_date}T00:00:00-08:00`);
  assert.match(feed.items[0]!.content_text, /^(Restaurants|Auto Repair|Uncategorized) in /);
  const etag = response.headers.get('etag')!;
  const again = await door.get('/feed.json?q=shop&limit=3', { headers: { 'If-None-Match': etag } });
  assert.deepEqual([again.status, again.headers.get('etag')], [304, etag]);
  assert.equal((await door.get('/feed.json?categry=x')).status, 400);
});

test('a feed is titled by its search, and so is its link on the page', async (t) => {
  const rows = ['Restaurants', 'Auto Repair'].map((category) =>
    aRow({ key: category, category, neighborhood: 'Café Row' }),
  );
  const { get } = await aDoor(t, { catalogue: catalogueOf(rows) });
  for (const [query, title] of [
    ['', 'New businesses in Rivermouth'],
    ['?category=RESTAURANTS&neighborhood=cafe+row', 'Restaurants in Café Row'],
    [
      '?q=shop&category=Restaurants&category=Auto+Repair',
      '“shop”, Restaurants and Auto Repair in Rivermouth',
    ],
    ['?status=closed', 'New businesses in Rivermouth, closed'],
  ] as const) {
    assert.equal(((await (await get(`/feed.json${query}`)).json()) as Feed).title, title);
    assert.equal(parseAtom(await (await get(`/feed.xml${query}`)).text()).title, title);
    const page = await (await get(`/${query}`)).text();
    assert.match(page, new RegExp(`<link rel="alternate" [^>]*title="${title}">`));
  }
});

test('a feed item keeps its id when status or category change, and duplicates appear once', async (t) => {
  const ids = async (...rows: BuildRow[]) => {
    const { get } = await aDoor(t, { rows });
    return ((await (await get('/feed.json')).json()) as Feed).items.map(({ id }) => id);
  };
  const [id] = await ids(aRow());
  assert.deepEqual(await ids(aRow({ key: 'K2', status: 'closed', category: 'Bars & Nightlife' }), aRow()), [
    id,
  ]);
  assert.notDeepEqual(await ids(aRow({ filedOn: '2026-11-02' })), [id]);
});

test('the Atom feed has all that RFC 4287 asks for, and the items of the JSON Feed', async (t) => {
  const { get } = await aDoor(t);
  const response = await get('/feed.xml?q=shop&limit=3&offset=3');
  assert.equal(response.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
  const feed = parseAtom(await response.text());
  const json = (await (await get('/feed.json?q=shop&limit=3&offset=3')).json()) as Feed;
  assert.deepEqual([feed.xmlns, feed['xml:lang']], ['http://www.w3.org/2005/Atom', 'en']);
  assert.match(feed.id, /^urn:shingle:[\w-]{22}$/);
  assert.deepEqual([feed.title, feed.subtitle], [json.title, json.description]);
  assert.equal(feed.updated, '2026-11-19T04:10:00Z');
  assert.deepEqual(feed.author, [{ name: 'Rivermouth Library' }]);
  assert.deepEqual(feed.link, [
    { rel: 'self', type: 'application/atom+xml', href: 'https://rivermouth.example/feed.xml?q=shop' },
    {
      rel: 'next',
      type: 'application/atom+xml',
      href: 'https://rivermouth.example/feed.xml?q=shop&limit=3&offset=6',
    },
    { rel: 'alternate', type: 'text/html', href: json.home_page_url },
  ]);
  assert.deepEqual(
    feed.entry.map(({ id, title, updated, published, content, link, category }) => ({
      ...{ id, title, content_text: content, date_published: updated, published },
      ...{ url: link[0]!.href, tags: category.map(({ term }) => term) },
    })),
    json.items.map((item) => ({ ...item, published: item.date_published })),
  );
  assert.equal(feed.entry.length, 3);
});

test('the id of a feed is that of its question, and stays with new data and another page', async (t) => {
  const idOf = async (rows: BuildRow[], query: string) => parseAtom((await feedsOf(t, rows, query)).xml).id;
  const id = await idOf(someRows(60), '?q=shop');
  assert.equal(await idOf(someRows(30), '?q=shop&offset=3&limit=2'), id);
  assert.notEqual(await idOf(someRows(60), '?q=shop&status=open'), id);
});

test('both feeds lead on to every listing, once', async (t) => {
  const { get } = await aDoor(t);
  const follow = async (first: string, next: (text: string) => string | undefined) => {
    let pages = 0;
    const ids: string[] = [];
    for (let path: string | undefined = first; path !== undefined; pages++) {
      const text = await (await get(path)).text();
      ids.push(...(text.match(/urn:shingle:[\w-]{22}/g) ?? []));
      path = next(text)?.replaceAll('&amp;', '&').replace('https://rivermouth.example', '');
    }
    return { pages, ids: new Set(ids).size };
  };
  const json = await follow('/feed.json?limit=20', (text) => (JSON.parse(text) as Feed).next_url);
  assert.deepEqual(json, { pages: 3, ids: 60 });
  const atom = await follow('/feed.xml?q=shop', (text) => /rel="next"[^>]* href="([^"]+)"/.exec(text)?.[1]);
  assert.deepEqual(atom, { pages: 2, ids: 31 }, 'and the feed has an id');
});

test('a search that finds nothing says so in an item, with what was probably meant', async (t) => {
  for (const query of ['?category=Restarants', '?q=nothingatall']) {
    const { json, xml } = await feedsOf(t, someRows(10), query);
    const [item, ...more] = json.items;
    assert.deepEqual([item!.title, more], ['Nothing matches this search yet', []]);
    assert.equal(parseAtom(xml).entry[0]!.content, item!.content_text);
    assert.equal(item!.url, `https://rivermouth.example/${query}`);
  }
  const { json } = await feedsOf(t, someRows(10), '?category=Restarants');
  assert.match(json.items[0]!.content_text, /Did you mean “Restaurants”\?/);
  for (const [rows, query] of [
    [[], ''],
    [someRows(10), '?offset=500'],
    [someRows(10), '?q=shop&limit=0'],
  ] as const)
    assert.deepEqual((await feedsOf(t, [...rows], query)).json.items, [], query);
});

const HOSTILE = [
  `<script>alert(1)</script>"'&amp;&nbsp;`,
  ']]><!-- --><?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
  '</title></entry></feed>',
  'control \u0000\u0001\u0008\u000b\u000c\u001b\u001f\u007f\u0085 characters',
  'noncharacters \ufffe\uffff, halves \ud800 \udc00, pairs \u{1f355}\u{10ffff}',
  '&#0;&#x1f;%00',
];

test('whatever the names are, a browser reads the Atom feed as XML', { skip: noBrowser }, async (t) => {
  const hostile = HOSTILE.map((name, i) =>
    aRow({ key: String(i), name, neighborhood: name, category: name }),
  );
  const { url, get } = await aDoor(t, { rows: hostile });
  const text = await (await get('/feed.xml')).text();
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

test('the page leads to both feeds of its search', async (t) => {
  const { get } = await aDoor(t);
  const page = await (await get('/?q=shop&category=Restaurants&offset=25')).text();
  const links = [...page.matchAll(/<link rel="alternate" type="([^"]+)" href="([^"]+)"/g)];
  assert.deepEqual(
    links.map(([, type, href]) => [type, href]),
    [
      ['application/feed+json', '/feed.json?q=shop&amp;category=Restaurants'],
      ['application/atom+xml', '/feed.xml?q=shop&amp;category=Restaurants'],
    ],
  );
  for (const [, type = '', href = ''] of links) {
    const { headers } = await get(href.replace('&amp;', '&'));
    assert.ok(headers.get('content-type')?.startsWith(type), href);
  }
});
