/** The frame for other sites over HTTP: only where the operator allows it, charged like a search, and nothing else may be framed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../an-answer.ts';
import { aDoor, CITY } from './a-door.ts';

const FRAMED = /frame-ancestors \*/;
const NOT_FRAMED = /frame-ancestors 'none'/;
const policyOf = ({ headers }: Response) => headers.get('content-security-policy') ?? '';

test('without EMBED, Shingle serves no frame, and no page offers one', async (t) => {
  const { get } = await aDoor(t);
  const missing = await get('/embed?q=shop');
  assert.equal(missing.status, 404);
  assert.match(policyOf(missing), NOT_FRAMED);
  assert.doesNotMatch(await textOf(get('/?q=shop')), /iframe/);
});

test('other sites can show only /embed in a frame, with its errors and refusals', async (t) => {
  const { get, paths } = await aDoor(t, { mayEmbed: true, limits: { rows: 70 } });
  const headers = { accept: 'text/html' };
  const answers = [
    ...['/embed?q=shop', '/embed?zebra=1', '/embed?limit=5', '/embed?offset=10'],
    ...[
      '/embed?filed_from=never',
      '/embed?category=Restaurants',
      '/embed?q=cafe',
      '/embed?q=caf*&status=open&filed_from=2000',
    ],
  ];
  const statuses = [];
  for (const path of answers) {
    const response = await get(path, { headers });
    statuses.push(response.status);
    assert.match(policyOf(response), FRAMED, path);
    assert.doesNotMatch(policyOf(response), NOT_FRAMED, path);
    assert.equal(response.headers.get('x-frame-options'), null);
    assert.doesNotMatch(await response.text(), /<script/, path);
  }
  assert.deepEqual(statuses, [200, 400, 400, 400, 400, 200, 429, 429]);
  const posted = await get('/embed', { method: 'POST' });
  assert.deepEqual([posted.status, FRAMED.test(policyOf(posted))], [405, true]);
  for (const path of [...paths.filter((one) => one !== '/embed'), '/embed/', '/embeds'])
    assert.doesNotMatch(policyOf(await get(path, { headers })), FRAMED, path);
});

test('a frame has the ten newest listings of its search', async (t) => {
  const { get } = await aDoor(t, { mayEmbed: true });
  const first = await get('/embed?q=shop&category=Restaurants');
  const text = await first.text();
  assert.equal(text.match(/<li class="food"><div class="entry">/g)?.length, 10);
  assert.match(
    text,
    /href="https:\/\/rivermouth.example\/\?q=shop&amp;category=Restaurants" target="_blank"/,
  );
  assert.match(text, /<p class="note">Source: [^<]+\. Registered is not the same as open\./);
  assert.match(await textOf(get('/embed?q=nothing')), /No listings match this search yet/);
});

test('the page of a search offers the HTML of a frame with the same search', async (t) => {
  const { get } = await aDoor(t, { mayEmbed: true });
  const page = await textOf(get('/?q=shop&offset=25'));
  const [, html = ''] = /(&lt;iframe[\s\S]*?)<\/textarea>/.exec(page) ?? [];
  assert.match(html, /src=&quot;https:\/\/rivermouth\.example\/embed\?q=shop&quot;/);
  assert.match(html, /title=&quot;“shop”/);
  assert.match(html, /height=&quot;860&quot;/, 'as high as ten of the thirty listings');
});

test('the frame of a register that has ended says that it is an archive', async (t) => {
  const { get } = await aDoor(t, { mayEmbed: true, city: { ...CITY, archive: true } });
  assert.match(await textOf(get('/embed')), /Archive: data to \w+ \d+, \d{4}\./);
});
