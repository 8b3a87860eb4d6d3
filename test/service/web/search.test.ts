/** Search responses: pages, links, warnings, and every kind of invalid query. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { schemaOf } from '../../../src/service/web/openapi.ts';
import type { Listing } from '../../../src/shared/listing.ts';
import { NARROWING } from '../../../src/shared/question.ts';
import { jsonOf, textOf } from '../../an-answer.ts';
import { aDoor, someRows } from './a-door.ts';

const isSearch = Compile(schemaOf('SearchResult'));
/** The version of the listings, which links to other pages carry. */
const DATA = 'data=7bd57e8';
const isProblem = Compile(schemaOf('Problem'));

type Warning = { code: string; parameter: string; detail: string; did_you_mean?: string; href?: string };
type Found = {
  total: number;
  limit: number;
  offset: number;
  next: string | null;
  listings: Listing[];
  warnings?: Warning[];
};

type Get = (path: string) => Promise<Response>;

async function found(get: Get, query: string): Promise<Found> {
  const body = await jsonOf<Found>(get(`/api/search${query}`));
  assert.ok(isSearch.Check(body), JSON.stringify(body));
  return body;
}

async function refused(get: Get, query: string): Promise<{ detail: string; errors: Warning[] }> {
  const response = await get(`/api/search${query}`);
  assert.match(response.headers.get('content-type')!, /^application\/problem\+json/);
  const body = await jsonOf<{ detail: string; errors: Warning[] }>(response, 400);
  assert.ok(isProblem.Check(body));
  return body;
}

test('a search without parameters returns the 25 newest listings, with fields in the documented order', async (t) => {
  const { get } = await aDoor(t);
  const text = await textOf(get('/api/search'));
  assert.deepEqual(Object.keys(JSON.parse(text)), [
    ...['total', 'limit', 'offset', 'next', 'listings', 'data_as_of', 'latest_filing'],
  ]);
  const { listings, total, next } = await found(get, '');
  assert.deepEqual(
    [total, listings.length, listings[0]!.filing_date, next],
    [60, 25, '2026-11-20', `/api/search?offset=25&${DATA}`],
  );
});

test('paging past 1,000 is refused if more listings match, and is empty otherwise', async (t) => {
  const { get } = await aDoor(t, { rows: someRows(1100) });
  for (const query of ['?offset=1000', '?offset=990', '?offset=1099&limit=1', '?offset=999&limit=2']) {
    const { detail } = await refused(get, query);
    assert.match(detail, /Narrow it with q, category, neighborhood, status/);
  }
  const narrow = await refused(get, '?offset=990&status=open');
  const others = NARROWING.filter((name) => name !== 'status');
  assert.ok(narrow.detail.endsWith(` Narrow it with ${others.join(', ')}.`), narrow.detail);
  assert.equal((await found(get, '?offset=999&limit=1')).listings.length, 1);
  for (const offset of ['1100', '1101', '5000', '99999999999999999999', '9'.repeat(400)]) {
    const page = await found(get, `?offset=${offset}`);
    assert.deepEqual([page.listings, page.next, page.total], [[], null, 1100]);
  }
  const isCut = async (query: string) =>
    (await found(get, query)).warnings?.map(({ code }) => code).includes('paging-ends') ?? false;
  const cut = ['?added_from=2000-01-01', '?added_from=2000-01-01&offset=25', '?offset=25', '', '?offset=975'];
  assert.deepEqual(await Promise.all(cut.map(isCut)), [true, false, false, false, true]);
  const few = await aDoor(t, { rows: someRows(1000) });
  assert.equal((await found(few.get, '?added_from=2000-01-01')).warnings, undefined);
  assert.equal((await found(few.get, '?offset=990')).listings.length, 10);
});

test('the Link header has the next and the previous page', async (t) => {
  const { get } = await aDoor(t);
  const link = async (query: string) => (await get(`/api/search${query}`)).headers.get('link');
  assert.equal(
    await link('?q=shop&offset=5&limit=5'),
    `</api/search?q=shop&limit=5&offset=10&${DATA}>; rel="next", </api/search?q=shop&limit=5&${DATA}>; rel="prev"`,
  );
  assert.equal(
    await link('?limit=5&offset=3'),
    `</api/search?limit=5&offset=8&${DATA}>; rel="next", </api/search?limit=3&${DATA}>; rel="prev"`,
  );
  assert.equal(await link('?limit=0&offset=3'), null);
  assert.equal(await link('?offset=50'), `</api/search?offset=25&${DATA}>; rel="prev"`);
  assert.equal(await link('?offset=700'), `</api/search?offset=35&${DATA}>; rel="prev"`);
});

test('limit=0 only counts, and a limit above 25 counts as 25 with a warning', async (t) => {
  const { get } = await aDoor(t);
  const none = await found(get, '?limit=0');
  assert.deepEqual(
    [none.total, none.limit, none.listings, none.next, none.warnings],
    [60, 0, [], null, undefined],
  );
  for (const limit of ['26', '1000', '9'.repeat(30)]) {
    const many = await found(get, `?limit=${limit}`);
    assert.deepEqual([many.limit, many.listings.length, many.warnings![0]!.parameter], [25, 25, 'limit']);
    assert.equal(many.next, `/api/search?offset=25&${DATA}`);
  }
});

test('a space in a parameter can be a plus or percent-encoded', async (t) => {
  const { get } = await aDoor(t);
  for (const value of ['Caf%C3%A9+Row', 'caf%c3%a9%20row', 'Caf%C3%A9%20Row']) {
    const { total, next } = await found(get, `?neighborhood=${value}&limit=1`);
    assert.equal(total, 48);
    assert.match(next!, /neighborhood=caf%C3%A9%20row&limit=1&offset=1&/i);
  }
});

test('an empty parameter counts as absent', async (t) => {
  const { get } = await aDoor(t);
  for (const query of ['?', '?&&', '?q=', '?q', '?category=&category=', '?limit=&offset=', '?q=&q='])
    assert.equal((await found(get, query)).total, 60, query);
  assert.equal((await found(get, '?q=shop&q=')).total, 30);
});

const NO_NUMBERS = [
  ...['1e1', '0x10', '%2025', '25%20', '1.0', '-1', '+1', '01', 'ten', '%EF%BC%91', 'NaN', 'null', '1,0'],
];
/** Parameters, each with queries in which it is wrong. */
const WRONG: Record<string, string[]> = {
  limit: [...NO_NUMBERS.map((value) => `limit=${value}`), 'limit=1&limit=1'],
  offset: [...NO_NUMBERS.map((value) => `offset=${value}`), 'offset=1&offset=2'],
  q: [
    ...['q=a&q=b', 'q=a&q=a', 'q=%', 'q=%4', 'q=%zz', 'q=%ff', 'q=%c0%af', 'q=%ed%a0%80'],
    `q=${'a'.repeat(201)}`,
  ],
  category: ['category=%E9'],
  ...Object.fromEntries(['Q', '__proto__', 'constructor', 'foo'].map((name) => [name, [`${name}=1`, name]])),
  '(unreadable)': ['q[]=a', '%ff=1', '=1'],
};

test('the error for an invalid parameter names the parameter, and the parameter that was probably meant', async (t) => {
  const { get } = await aDoor(t, { limits: 'off' });
  for (const [name, queries] of Object.entries(WRONG))
    for (const query of queries) {
      const { errors } = await refused(get, `?${query}`);
      assert.deepEqual([errors.length, errors[0]!.parameter], [1, name], query);
    }
  const hints = ['2026-11-28T19:54:36+01:00', 'Sat, 28 Nov 2026 19:54:36 GMT'].map(async (since) =>
    / Write \+ as %2B\.$/.test((await refused(get, `?added_from=${since}`)).detail),
  );
  assert.deepEqual(await Promise.all(hints), [true, false]);
  for (const [name, nearest] of Object.entries({
    ...{ categry: 'category', Category: 'category', neighbourhood: 'neighborhood', state: 'status' },
    ...{ limits: 'limit', ofset: 'offset', zebra: undefined },
  }))
    assert.equal((await refused(get, `?${name}=1`)).errors[0]!.did_you_mean, nearest, name);
});

test('a query can have 200 characters of any number of bytes, and 12 different words with any repetition', async (t) => {
  const { get } = await aDoor(t);
  const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`);
  for (const q of [
    ...['%F0%A0%80%80'.repeat(150), 'a'.repeat(200), words(12).join('+')],
    ...[[...words(12), ...words(12)], Array(99).fill('s'), Array(49).fill('s-s')].map((all) => all.join('+')),
  ])
    assert.equal((await found(get, `?q=${q}`)).total, 0);
  await refused(get, `?q=${'🍕'.repeat(50)}${'a'.repeat(151)}`);
  const detail = 'q can have at most 12 different words. The page at / reads longer questions.';
  const pairs = 'a-b+b-a+a-c+c-a+b-c+c-b+a-a+b-b+c-c+a-d+d-a+d-b+b-d';
  for (const q of [words(13).join('+'), words(13).join('-'), pairs])
    assert.deepEqual((await refused(get, `?q=${q}`)).errors, [{ parameter: 'q', detail }]);
  const question =
    'please could we see what restaurants opened around here within the year 2015 thank you very much';
  const { errors } = await refused(get, `?q=${question.replaceAll(' ', '+')}`);
  assert.deepEqual(
    errors.map(({ href }) => href),
    ['/api/search?category=Restaurants&filed_from=2015-01-01&filed_to=2015-12-31'],
  );
  const page = await textOf(get(`/?q=${words(13).join('+')}`));
  assert.match(page, /A search can have at most 200 characters and 12 different words\./);
});

test('the answer to a query with a thousand errors has the first ten', async (t) => {
  const { get } = await aDoor(t);
  const queries = ['a', 'categor', 'q=%ff', '%ff'].map((piece) =>
    Array.from({ length: 2000 / (piece.length + 1) }, () => piece).join('&'),
  );
  for (const path of ['/api/search', '/feed.json', '/feed.xml'])
    for (const query of queries) {
      const body = await textOf(get(`${path}?${query}`), 400);
      assert.deepEqual([JSON.parse(body).errors.length, body.length < 4000], [10, true]);
    }
  const { errors } = await refused(get, `?${queries[0]}&limit=x`);
  assert.equal(errors.at(-1)?.parameter, 'limit', 'errors of known parameters are always told');
});

test('a search reads arrays in the form of axios, and ignores parameters that links and caches add', async (t) => {
  const { get } = await aDoor(t);
  const plain = await found(get, '?category=Restaurants&category=Auto+Repair&limit=3');
  for (const query of [
    '?category[]=Restaurants&category[]=Auto+Repair&limit=3',
    '?category%5B%5D=Restaurants&category=Auto+Repair&limit=3&_=1763900000',
    '?category=Restaurants&category=Auto+Repair&limit=3&utm_source=mail&utm_medium=%ff',
  ])
    assert.deepEqual(await found(get, query), plain, query);
  for (const query of ['?q[]=a', '?category[0]=a', '?limit[]=1', '?utm=1', '?__=1', '?[]=a'])
    assert.equal((await get(`/api/search${query}`)).status, 400, query);
});
