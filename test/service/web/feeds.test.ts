/** Both feeds: what arrived as news, as JSON and as XML that a parser reads, and one budget. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { Compile } from 'typebox/compile';
import type { BuildRow } from '../../../src/service/search/index/build.ts';
import { schemaOf } from '../../../src/service/web/openapi.ts';
import type { Listing } from '../../../src/shared/listing.ts';
import { jsonOf, textOf } from '../../an-answer.ts';
import { aRow, catalogueOf } from '../search/made-up.ts';
import { aDoor, someRows } from './a-door.ts';

type Item = {
  id: string;
  url: string;
  title: string;
  content_text: string;
  date_published: string;
  date_modified: string;
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
  const json = await jsonOf<Feed>(get(`/feed.json${query}`));
  return { json, xml: await textOf(get(`/feed.xml${query}`)) };
}

/** Listings of the first import. */
const FIRST = someRows(60).map((row) => ({ ...row, isNews: false, arrival: 0 }));

/** What arrived with each of several later imports, at noon UTC on these days of November, as news of the day before. */
function arrivalsOn(days: Record<number, number>): BuildRow[] {
  return Object.entries(days).flatMap(([day, count]) =>
    Array.from({ length: count }, (_, i) =>
      aRow({
        ...{ key: `${day} ${i}`, name: `Arrival ${day} ${i}`, filedOn: `2026-11-0${Number(day) - 1}` },
        ...{ arrivedAt: `2026-11-0${day}T12:00:00.000Z`, arrival: i + 1 },
      }),
    ),
  );
}

const titlesOf = ({ items }: Feed) => items.map(({ title }) => title);

test('a feed without news has the newest filings of the first import', async (t) => {
  const late = aRow({ key: 'late', name: 'Late shop', filedOn: '2026-11-20', isNews: false });
  const door = await aDoor(t, { rows: [...FIRST, late] });
  const response = await door.get('/feed.json?q=shop&limit=3');
  assert.match(response.headers.get('content-type')!, /^application\/feed\+json/);
  const answered = await response.json();
  assert.ok(isFeed.Check(answered));
  const feed = answered as Feed;
  const same = await door.get('/api/search?q=shop&limit=4');
  const { listings } = (await same.json()) as { listings: Listing[] };
  assert.deepEqual(
    [late.name, ...titlesOf(feed)],
    listings.map(({ name }) => name),
    'an old filing that arrived later is no news',
  );
  assert.deepEqual([feed.next_url, feed.items[0]!.date_modified], [undefined, '2026-01-01T00:00:00Z']);
  assert.equal(feed.home_page_url, 'https://rivermouth.example/?q=shop');
  assert.equal(feed.items[0]!.date_published, `${listings[1]!.filing_date}T00:00:00-08:00`);
  const { category, neighborhood, filing_date: filed } = listings[1]!;
  const says = new RegExp(`^${category} in ${neighborhood}, filed on (\\w+ \\d+, \\d{4})`);
  const [, day] = says.exec(feed.items[0]!.content_text) ?? [];
  assert.equal(new Date(`${day} UTC`).toISOString().slice(0, 10), filed, feed.items[0]!.content_text);
  assert.equal((await door.get('/feed.json?categry=x')).status, 400);
});

test('the titles of a feed and of its link name the search', async (t) => {
  const rows = ['Restaurants', 'Auto Repair'].map((category) =>
    aRow({ key: category, name: 'Corner Shop', category, neighborhood: 'Café Row' }),
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
    assert.equal((await jsonOf<Feed>(get(`/feed.json${query}`))).title, title);
    assert.equal(parseAtom(await textOf(get(`/feed.xml${query}`))).title, title);
    const page = await textOf(get(`/${query}`));
    assert.match(page, new RegExp(`<link rel="alternate" [^>]*title="${title}">`));
  }
});

test('a feed is sorted by arrival, newest import first, for filings of any date', async (t) => {
  const rows = [
    ...FIRST,
    ...arrivalsOn({ 5: 2, 7: 1 }),
    aRow({ key: 'late', name: 'Late shop', isNews: false }),
  ];
  const { json, xml } = await feedsOf(t, rows);
  assert.deepEqual(titlesOf(json), ['Arrival 7 0', 'Arrival 5 0', 'Arrival 5 1']);
  const [newest] = json.items;
  assert.deepEqual(
    [newest!.date_published, newest!.date_modified],
    ['2026-11-06T00:00:00-08:00', '2026-11-07T12:00:00Z'],
  );
  assert.equal(parseAtom(xml).updated, '2026-11-07T12:00:00Z');
});

test('an item of a feed keeps its id after further filings, and two businesses with the same name and day have two ids', async (t) => {
  const ids = async (...rows: BuildRow[]) =>
    (await feedsOf(t, rows)).json.items.map(({ id, tags }) => `${id} ${tags[1]}`);
  const [id] = (await ids(aRow()))[0]!.split(' ');
  const changed = { status: 'closed', category: 'Bars & Nightlife', neighborhood: 'Hill' } as const;
  assert.deepEqual(await ids(aRow(changed)), [`${id} Hill`]);
  const later = { key: 'A', neighborhood: 'Bay', arrivedAt: '2026-02-01T00:00:00.000Z' };
  const both = await ids(aRow(later), aRow(changed));
  assert.deepEqual([both[1], both[0]!.endsWith(' Bay')], [`${id} Hill`, true]);
  assert.equal(new Set(both.map((one) => one.split(' ')[0])).size, 2);
  assert.notDeepEqual(await ids(aRow({ filedOn: '2026-11-02' })), [`${id} Old Town`]);
});

test('a full first page of a feed ends with an item that says how many more arrived that day', async (t) => {
  const last = async (days: Record<number, number>, query = '') => {
    const { json } = await feedsOf(t, [...FIRST, ...arrivalsOn(days)], query);
    return { ...json.items.at(-1)!, items: json.items.length };
  };
  const more = await last({ 5: 40 });
  assert.deepEqual(
    [more.items, more.title, more.url, more.date_modified],
    [
      26,
      '15 more businesses were added on November 5, 2026',
      'https://rivermouth.example/?added_from=2026-11-05',
      '2026-11-05T12:00:00Z',
    ],
  );
  const asked = 'added_from=2026-11-01';
  assert.equal((await last({ 5: 40 }, `?${asked}`)).url, `https://rivermouth.example/?${asked}`);
  const next = await last({ 5: 40, 6: 10 });
  assert.deepEqual([next.id, next.title], [more.id, '25 more businesses were added on November 5, 2026']);
  const other = await last({ 5: 40, 6: 27 });
  assert.equal(other.title, '2 more businesses were added on November 6, 2026');
  assert.notEqual(other.id, more.id);
  assert.equal((await last({ 5: 20, 6: 20 })).title, 'Arrival 5 4', 'a reader has seen the rest of that day');
  assert.equal((await last({ 5: 7 }, '?limit=5')).title, '2 more businesses were added on November 5, 2026');
  const { get } = await aDoor(t, { rows: arrivalsOn({ 5: 60 }) });
  const first = await jsonOf<Feed>(get('/feed.json'));
  const second = await jsonOf<Feed>(get(new URL(first.next_url!).href.slice(26)));
  assert.equal(second.items.length, 25, 'a reader that follows the link needs no such item');
});

test('a feed does not change for a reader until there is news, even after imports', async (t) => {
  let asOf = '2026-11-19T04:10:00.000Z';
  const { get } = await aDoor(t, { dataAsOf: () => asOf });
  for (const path of ['/feed.json', '/feed.xml?q=nothingatall']) {
    const first = await get(path);
    const text = await first.text();
    asOf = '2026-11-20T04:10:00.000Z';
    const again = await get(path, { headers: { 'If-None-Match': first.headers.get('etag')! } });
    assert.equal(again.status, 304);
    assert.equal(await textOf(get(path)), text);
  }
});

test('a link to the next page works even if its listing is gone, and a broken link is an error', async (t) => {
  const rows = arrivalsOn({ 5: 9, 7: 9 });
  const { json } = await feedsOf(t, rows, '?limit=5');
  const after = new URL(json.next_url!).search;
  const without = rows.filter(({ name }) => name !== json.items[4]!.title);
  assert.deepEqual(titlesOf((await feedsOf(t, without, after)).json), [
    ...['Arrival 7 5', 'Arrival 7 6', 'Arrival 7 7', 'Arrival 7 8', 'Arrival 5 0'],
  ]);
  const { get } = await aDoor(t);
  for (const query of ['before=x', 'before=20261105120000000', 'before=1-1&before=2-1', 'offset=25'])
    assert.equal((await get(`/feed.xml?${query}`)).status, 400, query);
});

test('the Atom feed has all that RFC 4287 requires, and the items of the JSON Feed', async (t) => {
  const { get } = await aDoor(t);
  const response = await get('/feed.xml?q=shop&limit=3&before=20260101000000000-5');
  assert.equal(response.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
  const feed = parseAtom(await response.text());
  const json = await jsonOf<Feed>(get('/feed.json?q=shop&limit=3&before=20260101000000000-5'));
  assert.deepEqual([feed.xmlns, feed['xml:lang']], ['http://www.w3.org/2005/Atom', 'en']);
  assert.match(feed.id, /^urn:shingle:[\w-]{22}$/);
  assert.deepEqual([feed.title, feed.subtitle], [json.title, json.description]);
  assert.equal(feed.updated, '2026-01-01T00:00:00Z');
  assert.deepEqual(feed.author, [{ name: 'Rivermouth Library' }]);
  assert.deepEqual(feed.link, [
    { rel: 'self', type: 'application/atom+xml', href: 'https://rivermouth.example/feed.xml?q=shop' },
    {
      rel: 'next',
      type: 'application/atom+xml',
      href: 'https://rivermouth.example/feed.xml?q=shop&limit=3&before=20260101000000000-11',
    },
    { rel: 'alternate', type: 'text/html', href: json.home_page_url },
  ]);
  assert.deepEqual(
    feed.entry.map(({ id, title, updated, published, content, link, category }) => ({
      ...{ id, title, content_text: content, date_published: published, date_modified: updated },
      ...{ url: link[0]!.href, tags: category.map(({ term }) => term) },
    })),
    json.items,
  );
  assert.equal(feed.entry.length, 3);
});

test('the id of a feed follows from its search, and is the same with new data and on every page', async (t) => {
  const idOf = async (rows: BuildRow[], query: string) => parseAtom((await feedsOf(t, rows, query)).xml).id;
  const id = await idOf(someRows(60), '?q=shop');
  assert.equal(await idOf(someRows(30), '?q=shop&before=20260101000000000-5&limit=2'), id);
  assert.notEqual(await idOf(someRows(60), '?q=shop&status=open'), id);
});

test('a search that finds nothing has an item that leads to its page', async (t) => {
  for (const query of ['?category=Restarants', '?q=nothingatall']) {
    const { json, xml } = await feedsOf(t, someRows(10), query);
    const [item, ...more] = json.items;
    assert.deepEqual([item!.title, more], ['Nothing matches this search yet', []]);
    assert.equal(parseAtom(xml).entry[0]!.content, item!.content_text);
    assert.equal(item!.url, `https://rivermouth.example/${query}`);
  }
  for (const [rows, query] of [
    [[], ''],
    [someRows(10), '?before=00000101000000000-1'],
    [someRows(10), '?q=shop&limit=0'],
  ] as const)
    assert.deepEqual((await feedsOf(t, [...rows], query)).json.items, [], query);
});

test('the page leads to both feeds of its search', async (t) => {
  const { get } = await aDoor(t);
  const page = await textOf(get('/?q=shop&category=Restaurants&offset=25'));
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
