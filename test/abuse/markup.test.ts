/**
 * Businesses whose names are HTML, scripts or log lines: on the page, in the feed, over MCP and in the log they stay text.
 * test/service/mail/injection.test.ts proves the same for emails.
 */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { BuildRow } from '../../src/service/search/index/build.ts';
import { jsonOf, textOf, toolCall } from '../an-answer.ts';
import { rounds, seedFrom } from '../depth.ts';
import { aRow } from '../service/search/made-up.ts';
import { aDoor, anIndex } from '../service/web/a-door.ts';
import { wordsOf } from './model.ts';

const SEED = seedFrom(20_261_121);

const HOSTILE = [
  ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>'],
  ...["' onmouseover='alert(1)", '</title><svg onload=alert(1)>'],
  ...['</select></option><b>', '<!-- ', '--><i>', '<![CDATA[', ']]>'],
  ...['&lt;b&gt;', '&#60;b&#62;', '&', '<', '>', '"', "'", '`', '='],
  ...['javascript:alert(1)', '" autofocus onfocus="alert(1)'],
  ...['{{constructor.constructor("alert(1)")()}}', '<a href=//evil.example>'],
  ...['\u202eexe.txt', '\u2028{"level":60}', '\u0085', '%3Cscript%3E'],
  ...['</textarea><plaintext>', '<base href=//evil.example>'],
  ...['__proto__', '<style>*{display:none}</style>', '<x y=">">'],
  ...['$&', "$'", '\\u003cscript\\u003e', '</script><script>'],
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 5 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(' '));

/** What depends on the length of a text: names on the map, written only where they fit, and places where lines may break. */
const BY_LENGTH = /^(text font-size( class)?|tspan x y|\/text|\/tspan|wbr)$/;

const ELEMENT = /<(!doctype html|\/?[a-z][a-z0-9]*)((?:\s+[a-z][a-z0-9-]*(?:="[^"<>]*")?)*)\/?>/iy;

/** Where a page may lead: to itself, its origin, an address, or a search of the web for an encoded name. */
const LINK =
  /^(\/(?!\/)|#|https:\/\/[a-z.]*rivermouth\.example|mailto:|https:\/\/duckduckgo\.com\/\?q=[\w%.~!*'()&#;-]*$)/;

/** A page as its elements with the names of their attributes; fails where something is neither an element nor text. */
function skeleton(page: string): string[] {
  const found: string[] = [];
  for (let at = page.indexOf('<'); at !== -1; at = page.indexOf('<', at)) {
    ELEMENT.lastIndex = at;
    const tag = ELEMENT.exec(page);
    assert.ok(tag, `no element: ${page.slice(at, at + 80)}`);
    const names = [...tag[2]!.matchAll(/\s([a-z][a-z0-9-]*)(?:="([^"]*)")?/gi)].map(([, name, value]) => {
      if (['href', 'src', 'action'].includes(name!)) assert.match(value!, LINK);
      return name!;
    });
    const element = [tag[1]!.toLowerCase(), ...names].join(' ');
    if (!BY_LENGTH.test(element)) found.push(element);
    at += tag[0].length;
  }
  return found;
}

/** 25 businesses, their kinds and neighborhoods named so. */
const named = (nameOf: (i: number) => string): BuildRow[] =>
  Array.from({ length: 25 }, (_, i) =>
    aRow({
      key: String(i),
      name: nameOf(i),
      category: nameOf(i % 7),
      neighborhood: nameOf(i % 5),
      filedOn: `2026-11-${10 + (i % 10)}`,
    }),
  );

async function pagesOf(
  t: TestContext,
  nameOf: (i: number) => string,
  queries: readonly string[],
): Promise<string[]> {
  const areas = Array.from({ length: 5 }, (_, i) => ({
    name: nameOf(i),
    path: 'M0 0l50 0 0 50z',
    x: 35,
    y: 15,
  }));
  const door = await aDoor(t, {
    rows: named(nameOf),
    limits: 'off',
    outline: () => ({ width: 100, height: 50, areas }),
  });
  const pages = await Promise.all(queries.map(async (query) => (await door.get(query)).text()));
  await door.close();
  return pages;
}

test('no name of a business, category or neighborhood changes the elements and attributes of the page', async (t) => {
  const harmless = (i: number) => `Lemonade Heron ${String.fromCharCode(65 + i)}`;
  const asked = (nameOf: (i: number) => string) => [
    ...['/', '/docs', `/?category=${encodeURIComponent(nameOf(1))}`],
    `/?neighborhood=${encodeURIComponent(nameOf(2))}&status=open`,
  ];
  const [home, docs, ofKind, ofPlace] = (await pagesOf(t, harmless, asked(harmless))).map(skeleton);
  const names = [...HOSTILE, ...fc.sample(hostile, { seed: SEED, numRuns: rounds(400) })].map((name) =>
    name.toWellFormed(),
  );
  for (let from = 0; from < names.length; from += 25) {
    const evil = (i: number) => `${i}${names[(from + i) % names.length]!}`;
    const pages = (await pagesOf(t, evil, asked(evil))).map(skeleton);
    assert.deepEqual(pages, [home, docs, ofKind, ofPlace], JSON.stringify(names.slice(from, from + 25)));
  }
  t.diagnostic(`${names.length} names, ${home!.length} elements on the page`);
});

type Feed = { items: { title: string; url: string; tags: string[] }[]; next_url?: string };

test('the API and MCP return every name unchanged', async (t) => {
  const names = [
    ...HOSTILE,
    `${'a'.repeat(199)}🍕`,
    '\ud83c',
    'a b c d e f g h i j k l <a href=//evil.example>',
    ...fc.sample(hostile, { seed: SEED, numRuns: rounds(150) }),
  ].map((name) => name.toWellFormed()); // no import keeps half a character
  const rows = names.map((name, i) => aRow({ key: String(i), name, filedOn: '2026-11-10', arrival: i + 1 }));
  const { get } = await aDoor(t, { rows, limits: 'off' });
  const seen = { api: [] as string[], feed: [] as string[], agent: [] as string[] };
  let next: string | undefined = '/feed.json';
  for (let offset = 0; offset < names.length; offset += 25) {
    const found = await jsonOf<{
      listings: { name: string }[];
    }>(get(`/api/search?offset=${offset}`));
    seen.api.push(...found.listings.map(({ name }) => name));
    const feed: Feed = await jsonOf(get(next!));
    next = feed.next_url?.replace('https://rivermouth.example', '');
    for (const { title, url, tags } of feed.items) {
      if (tags.length === 0) continue; // how many more
      seen.feed.push(title);
      let asked = [...title].slice(0, 200).join('').toWellFormed();
      while (wordsOf(asked) > 12) asked = asked.replace(/\s\S*$/, ''); // a query has no more
      assert.deepEqual([...new URL(url).searchParams], [['q', asked]]);
      assert.equal(new URL(url).host, 'rivermouth.example');
    }
    const told = await textOf(get('/mcp', toolCall('search_listings', { offset })));
    assert.equal(told.split('\n').filter((line) => line !== '').length, 2, 'one event');
    const { result } = JSON.parse(told.slice(told.indexOf('data: ') + 6));
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    seen.agent.push(...result.structuredContent.listings.map(({ name }: { name: string }) => name));
  }
  assert.deepEqual([...new Set(seen.api)].toSorted(), [...new Set(names)].toSorted());
  assert.deepEqual(seen.agent, seen.api);
  assert.deepEqual([...new Set(seen.feed)].toSorted(), [...new Set(names)].toSorted());
});

test('the log has one line for each failure, without the message of the error', async (t) => {
  const messages = [
    'canary',
    'canary\n{"level":60,"msg":"canary"}',
    'a\r\n    at canary@b.example (canary)\n    at canary',
    '\n    at canary\u2028    at canary\x1b[2J',
    '',
  ];
  for (const message of messages) {
    const fails = (): never => {
      throw new Error(message);
    };
    const { get, warnings } = await aDoor(t, { catalogue: { ...anIndex([]), search: fails } });
    const response = await get('/api/search?q=canary');
    assert.deepEqual([response.status, response.headers.get('cache-control')], [500, 'no-store']);
    const { detail } = (await response.json()) as { detail: string };
    assert.doesNotMatch(detail, /canary|at /);
    assert.ok(warnings[0]!.includes(/reference ([\w-]+)/.exec(detail)![1]!));
    assert.equal(warnings.length, 1);
    assert.doesNotMatch(warnings[0]!, /canary|[\p{Cc}\u2028\u2029]/u, message);
    assert.match(warnings[0]!, /at Object\.fails|at fails/, 'where it happened is in it');
  }
});
