/** What the page offers for a search, read as HTML: the chart, suggestions, email and feed, and what is new. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aMailing } from '../newsletter/a-mailing.ts';
import { aRow, catalogueOf } from '../search/made-up.ts';
import { CITY } from '../server/a-door.ts';
import { pageOf } from './a-page.ts';

test('the chart is about the search: its months set the time, and what can be copied says the same', async (t) => {
  const page = await pageOf(t, '/?q=bakery&filed_from=2026-02-01&filed_to=2026-02-28');
  assert.match(page, /<p>“bakery”, February 1\s–\s21, 2026: 2 filings<\/p>/);
  assert.match(
    page,
    /<a class="beside" href="\/\?q=bakery&amp;filed_from=2026-01-01&amp;filed_to=2026-01-31"[^>]*><span class="unseen">January 2026: 0\. January 2025: 0</,
  );
  assert.match(
    page,
    /<a class="asked part" href="\/\?q=bakery"[^>]*aria-current="true"><span class="unseen">February 1\s–\s21, 2026: 2\. February 1\s–\s21, 2025: 0</,
  );
  assert.match(page, /<a href="\/\?q=bakery" rel="nofollow" data-key="span:0">All time<\/a>/);
  assert.match(
    page,
    /<textarea id="numbers-text" rows="6" readonly>\nMonth\tFilings\n2026-02\t2\tto February 21, 2026<\/textarea>/,
  );
  assert.match(
    page,
    /<a href="\/api\/stats\?q=bakery&amp;filed_from=2026-02-01&amp;filed_to=2026-02-28" rel="nofollow">/,
  );
  assert.match(
    page,
    /https:\/\/rivermouth\.example\/chart\.svg\?q=bakery&amp;filed_from=2026-02-01&amp;filed_to=2026-02-28</,
  );
  assert.match(
    page,
    /“bakery” in Rivermouth, February 1\s–\s21, 2026: 2 registered\. The same days a year before \(February 1\s–\s21, 2025\): 0\. Source: City of &lt;Rivermouth&gt;; New businesses in Rivermouth, https:\/\/rivermouth\.example\/\?q=bakery&amp;filed_from=2026-02-01&amp;filed_to=2026-02-28, data as of November 18, 2026\./,
  );
});

test('the chart of a register that has ended ends with its last month, others with the current one', async (t) => {
  const months = (page: string) =>
    [...page.matchAll(/data-key="time:(\d{4}-\d{2})"/g)].map(([, month]) => month!);
  const current = await pageOf(t, '/');
  assert.deepEqual([months(current)[0], months(current).at(-1)], ['2025-04', '2026-03']);
  assert.match(
    current,
    /filed_from=2026-03-01&amp;filed_to=2026-03-31" rel="nofollow" data-key="span:2">This month</,
  );
  const ended = await pageOf(t, '/', { city: { ...CITY, archive: true } });
  assert.deepEqual([months(ended)[0], months(ended).at(-1)], ['2025-03', '2026-02']);
  assert.match(
    ended,
    /filed_from=2026-02-01&amp;filed_to=2026-02-28" rel="nofollow" data-key="span:2">February 2026</,
  );
});

test('a search that nothing ever matched has no empty chart, and offers all businesses once', async (t) => {
  const page = await pageOf(t, '/?q=nothingatall');
  assert.match(page, /<p>“nothingatall”: no filings<\/p>/);
  assert.doesNotMatch(page, /class="columns/);
  assert.match(page, /<ul class="help"><li><a href="\/">all businesses \(4\)<\/a><\/li><\/ul>/);
});

test('every suggestion has its count, in the singular where it is one', async (t) => {
  const page = await pageOf(t, '/?neighborhood=Napels');
  assert.match(page, /“Napels” is not one of the values you can filter by\./);
  assert.match(
    page,
    /<a href="\/\?neighborhood=Naples" rel="nofollow">Did you mean Naples\?<\/a> <span class="count">2 businesses<\/span>/,
  );
  assert.match(page, /value="Napels" list="values-neighborhood"/);
  assert.match(
    await pageOf(t, '/?q=tailr'),
    /Did you mean tailor\?<\/a> <span class="count">1 business<\/span>/,
  );
});

test('the answer comes before the map, and the map before the newest registrations', async (t) => {
  const order = (page: string) => [...page.matchAll(/<section[^>]* id="(map|results)"/g)].map(([, id]) => id);
  assert.deepEqual(order(await pageOf(t, '/')), ['map', 'results']);
  assert.deepEqual(order(await pageOf(t, '/?q=nothingatall')), ['results', 'map']);
});

test('a search for an address leads to the neighborhoods', async (t) => {
  const page = await pageOf(t, '/?q=90802');
  assert.match(page, /Listings have no addresses\./);
  assert.match(
    page,
    /Choose a neighborhood instead:<\/p><ul class="places"><li><a href="\/\?neighborhood=Naples"/,
  );
});

test('the search can be had by email and as a feed; of an archive there is only the feed', async (t) => {
  const { door } = await aMailing();
  const { get } = await door(t);
  const page = await (await get('/?q=shop&neighborhood=Unknown&offset=25')).text();
  assert.match(page, /<a href="\/signup\?neighborhood=Unknown" rel="nofollow">by email, weekly<\/a>/);
  assert.match(
    page,
    /<a href="\/feed\.json\?q=shop&amp;neighborhood=Unknown" rel="nofollow">as a feed \(JSON\)<\/a>/,
  );
  assert.doesNotMatch(await pageOf(t, '/', { city: { ...CITY, archive: true } }), /by email, weekly/);
});

test('the Pro waitlist is explained, and once the register has ended it is all there is to sign up for', async (t) => {
  const current = await (await aMailing()).door(t);
  const page = await (await current.get('/')).text();
  assert.match(page, /Pro is planned for people who need more than this page and the weekly email\./);
  assert.match(page, /<h2 id="email-title">New businesses by email<\/h2>/);
  const ended = await (await aMailing({ city: { ...CITY, archive: true } })).door(t);
  for (const path of ['/', '/signup']) {
    const only = await (await ended.get(path)).text();
    assert.match(only, /value="pro-waitlist" checked/, path);
    assert.doesNotMatch(only, /value="weekly"|name="categories"/, path);
  }
  assert.match(
    await (await ended.get('/')).text(),
    /<h2 id="email-title">Get an email when Pro launches<\/h2>/,
  );
});

test('new this week is what was filed lately, not what was published late; closed ones are marked', async (t) => {
  const seen = { firstSeenAt: '2026-11-19T00:00:00.000Z' };
  const rows = [
    aRow({ key: 'A', name: 'Fresh Bakery', filedOn: '2026-11-10', ...seen }),
    aRow({ key: 'B', name: 'Gone Bakery', filedOn: '2026-11-09', status: 'closed', ...seen }),
    aRow({ key: 'C', name: 'Late Bakery', filedOn: '2019-05-05', ...seen }),
  ];
  const page = await pageOf(t, '/', { catalogue: catalogueOf(rows, { day: '2026-11-20' }) });
  const week = /<section class="panel week".*?<\/section>/s.exec(page)![0];
  assert.match(week, /2 new businesses in the seven days to November 20, 2026/);
  assert.match(week, /Fresh Bakery.*November 10, 2026.*<li class="ended"><span class="name">Gone Bakery/s);
  assert.doesNotMatch(week, /Late Bakery/);
});
