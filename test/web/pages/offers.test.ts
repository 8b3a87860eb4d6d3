/** What the page offers for a search, read as HTML: the chart, suggestions, email and feed, and what is new. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aMailing } from '../../mail/a-mailing.ts';
import { aRow, catalogueOf } from '../../search/made-up.ts';
import { anIndex, CITY } from '../a-door.ts';
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

test('what is longer than a year is drawn by year, its first decades in one number', async (t) => {
  const rows = Array.from({ length: 120 }, (_, i) => aRow({ key: `${i}`, filedOn: `${1907 + i}-02-01` }));
  const page = await pageOf(t, '/', { catalogue: catalogueOf(rows) });
  assert.match(page, /<h2 id="chart-title">Filings per year<\/h2>/);
  const asked = [...page.matchAll(/class="asked( part)?"[^>]*data-key="time:(\d{4})"/g)].map(
    ([, , year]) => year,
  );
  assert.deepEqual([asked.length, asked[0], asked.at(-1)], [25, '2026', '2002']);
  const [, numbers] = /<textarea id="numbers-text"[^>]*>\n([^<]*)</.exec(page)!;
  assert.equal(numbers!.split('\n').at(-1), '2002 and earlier\t96');
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
  const limits = /Words, dates and status are not part of it\./;
  assert.match(page, limits);
  const whole = await (await get('/?neighborhood=Unknown')).text();
  assert.match(whole, /by email, weekly/);
  assert.doesNotMatch(whole, limits);
  const nothing = await (await get('/?q=nothingatall')).text();
  assert.match(nothing, /as a feed \(Atom\)/);
  assert.doesNotMatch(nothing, /by email, weekly|not part of it/);
});

test('past weekly emails are linked where people sign up for the next', async (t) => {
  const { get } = await (await aMailing()).door(t);
  for (const path of ['/', '/signup'])
    assert.match(await (await get(path)).text(), /<a href="\/weekly">Past weekly emails<\/a>/, path);
});

test('a listing has a mark only if it closed or its license expired', async (t) => {
  const statuses = ['open', 'unknown', 'closed', 'expired', 'abandoned'] as const;
  const rows = statuses.map((status) => aRow({ key: status, name: status, status }));
  const page = await pageOf(t, '/', { catalogue: catalogueOf(rows) });
  const marks = [...page.matchAll(/<span class="badge">([^<]*)</g)].map(([, mark]) => mark);
  assert.deepEqual(marks, ['abandoned', 'closed', 'license expired']);
});

test('the page says how many rows of the register are left out and why, and names no rare reason', async (t) => {
  const skipped = new Map([
    ['personal name', 6433],
    ['of Ann Example', 1],
    ['landlord', 26_723],
  ]);
  const page = await pageOf(t, '/', { leftOut: () => ({ read: 89_245, skipped, rejected: 2 }) });
  assert.match(
    page,
    /<p>33,159 of 89,245 rows of the register are left out: landlord 26,723, personal name 6,433, damaged rows 2, other reasons 1\.<\/p>/,
  );
  assert.doesNotMatch(await pageOf(t, '/'), /left out/);
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
  const page = await pageOf(t, '/', { catalogue: anIndex(rows) });
  const week = /<section class="panel week".*?<\/section>/s.exec(page)![0];
  assert.match(week, /2 new businesses in the seven days to November 20, 2026/);
  assert.match(week, /Fresh Bakery.*November 10, 2026.*<li class="ended"><span class="name">Gone Bakery/s);
  assert.doesNotMatch(week, /Late Bakery/);
});
