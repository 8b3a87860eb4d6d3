/** The reference for developers: its order, its links and its size. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillInReference } from '../../src/app/web/docs.ts';
import { textOf } from '../an-answer.ts';
import { aSignupServer } from '../service/mail/a-mailing.ts';
import { aDoor } from '../service/web/a-door.ts';

const SECTIONS = [
  ...['overview', 'a-listing', 'search', 'counts', 'signup', 'errors', 'limits', 'caching-and-cors', 'feeds'],
  ...['tables', 'pictures', 'agents', 'service', 'health'],
];

test('the reference is in the order that a developer needs, and every link in it leads somewhere', async (t) => {
  const { get } = await aSignupServer(t);
  const page = await textOf(get('/docs'));
  const found = (text: string, what: RegExp) => Array.from(text.matchAll(what), ([, one]) => one!);
  assert.deepEqual(found(page, /<section id="([\w-]+)"/g), SECTIONS);
  const contents = page.slice(page.indexOf('<nav class="contents"'), page.indexOf('class="sections"'));
  assert.deepEqual(found(contents, /href="#([\w-]+)"/g), SECTIONS);
  const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
  const ids = found(page, / id="([^"]+)"/g);
  assert.equal(new Set(ids).size, ids.length);
  for (const anchor of found(main, /href="#([\w-]+)"/g)) assert.ok(ids.includes(anchor), anchor);
  for (const path of found(main, /href="(\/[^"]+)"/g))
    assert.equal((await get(path.replaceAll('&amp;', '&'))).status, 200, path);
});

test('the reference has no scripts and no pages for people, and is small', async (t) => {
  const { get } = await aDoor(t);
  const response = await get('/docs', { headers: { 'Accept-Encoding': 'br' } });
  assert.ok(Number(response.headers.get('content-length')) < 20_000);
  const page = await response.text();
  assert.doesNotMatch(page, /<script|\/confirm|\/unsubscribe|\/manage/);
});

test('the reference replaces example texts even across line breaks, and fails if an example is missing', () => {
  const values = { 'in a city.': 'in Harbor.', '1.0.0': '$& 2' };
  assert.equal(fillInReference('1.0.0 is in\na  city.', values), '$& 2 is in Harbor.');
  assert.throws(() => fillInReference('1-0-0 in a city.', values), /does not contain "1.0.0"/);
});

test('the reference shows the limits of the city', async (t) => {
  const { get } = await aDoor(t, { limits: { burst: 120, rows: 2500, signup: 7 } });
  const page = await textOf(get('/docs'));
  for (const text of ['120 requests in a minute', '2,500 listings in any 24 hours', '7 signups in an hour'])
    assert.ok(page.includes(text), text);
  const free = await aDoor(t, { limits: 'off' });
  assert.match(await textOf(free.get('/docs')), /Rate limits are turned off on this service/);
});
