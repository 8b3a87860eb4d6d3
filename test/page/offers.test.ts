/** What the page offers for a search, read as HTML: the chart, suggestions, email and feed, and what is new. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../an-answer.ts';
import { aMailing } from '../service/mail/a-mailing.ts';
import { aRow, catalogueOf } from '../service/search/made-up.ts';
import { anIndex, CITY } from '../service/web/a-door.ts';
import { pageOf } from './a-page.ts';

test('the months of the chart set the period of the search, and the texts to copy agree with it', async () => {
  const page = await pageOf('/changes?q=bakery&filed_from=2026-02-01&filed_to=2026-02-28');
  const time = (days: string) => `href="/changes?q=bakery${days}" rel="nofollow"`;
  assert.ok(page.includes(`<a class="beside" ${time('&amp;filed_from=2026-01-01&amp;filed_to=2026-01-31')}`));
  assert.match(page, /<title>January 2026: 0\. January 2025: 0</);
  assert.ok(page.includes(`<a class="asked part" ${time('')} aria-current="true">`));
  assert.match(page, /<title>February 1\s–\s21, 2026: 2\. February 1\s–\s21, 2025: 0</);
  const days = 'q=bakery&amp;filed_from=2026-02-01&amp;filed_to=2026-02-21';
  assert.ok(page.includes(`<a href="/api/stats.csv?${days}&amp;by=month" rel="nofollow"`));
  const inside = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  assert.ok(page.includes(inside(`<img src="https://rivermouth.example/chart.svg?${days}" alt=`)), 'as HTML');
});

test('the chart shows the first decades of a century as one number, which leads to their listings', async () => {
  const rows = Array.from({ length: 120 }, (_, i) => aRow({ key: `${i}`, filedOn: `${1907 + i}-02-01` }));
  const page = await pageOf('/?category=Restaurants', { catalogue: catalogueOf(rows) });
  const years = [...page.matchAll(/<span class="unseen">[^<]*?(\d{4}): /g)].map(([, year]) => year);
  assert.deepEqual([years.length, years[0], years.at(-1)], [23, '2004', '2026']);
  assert.match(
    page,
    /<p class="note ends"><a href="\/\?category=Restaurants&amp;filed_to=2003-12-31" rel="nofollow">2003 and earlier: 97<\/a></,
  );
});

test('a search without any results has no empty chart, and offers kinds and neighborhoods', async () => {
  const page = await pageOf('/changes?q=nothingatall');
  assert.match(page, /<p>“nothingatall”: no new businesses<\/p>/);
  assert.doesNotMatch(page, /class="columns/);
  const listings = await pageOf('/?q=nothingatall');
  assert.equal(/<section class="results".*/s.exec(listings)?.[0].match(/nothingatall/g)?.length, 1);
  assert.doesNotMatch(listings, /Ask something else/, 'four listings answer too little');
  assert.match(listings, /Choose a kind of business<.*<bdi>Cafes &amp; Bakeries<\/bdi>.*>3</);
  assert.match(listings, /Choose a neighborhood<.*<bdi>Naples<\/bdi><\/a> <span class="count">2</);
  assert.match(listings, /No name, kind or neighborhood matches these words\./);
  assert.doesNotMatch(listings, /class="chips|class="switch|href="#map"|id="map"|id="take"|id="email"/);
});

test('every suggestion has its count, in the singular for one result', async () => {
  const page = await pageOf('/?neighborhood=Napels');
  assert.match(page, /The listings have no “Napels”\./);
  assert.match(
    page,
    /<a href="\/\?neighborhood=Naples" rel="nofollow">Did you mean Naples\?<\/a> <span class="count">2 businesses<\/span>/,
  );
  assert.match(page, /<input type="hidden" name="neighborhood" value="Napels">/);
});

test('the years come before the first listings, and these before the map', async () => {
  const rows = Array.from({ length: 26 }, (_, i) =>
    aRow({ key: `${i}`, name: `Shop ${i}`, filedOn: `${2025 + (i % 2)}-01-05` }),
  );
  const page = await pageOf('/?category=Restaurants', { catalogue: catalogueOf(rows) });
  const places = ['id="found"', 'id="chart-years"', 'class="ledger"', 'id="map"'].map((one) =>
    page.indexOf(one),
  );
  assert.ok(!places.includes(-1), `${places}`);
  assert.deepEqual(
    places.toSorted((a, b) => a - b),
    places,
  );
});

test('the head describes the page in a sentence, with the day of the data', async () => {
  const page = await pageOf('/');
  assert.match(
    page,
    /<h1 id="found"[^>]*><a [^>]*><b>2<\/b> businesses registered in the 12 months to February 21, 2026</,
  );
  assert.match(page, /<p class="lead">\s*The latest filing is from February 21, 2026\./);
  const late = catalogueOf([aRow({ filedOn: '2026-01-14' })]);
  assert.match(await pageOf('/', { catalogue: late }), /Newest filing: January 14, 2026, 46 days ago\./);
  const recent = catalogueOf([aRow({ filedOn: '2026-01-15' })]);
  assert.doesNotMatch(await pageOf('/', { catalogue: recent }), /Newest filing: January 15, 2026, /);
});

test('a search after the newest filing leads to the month and year of that filing, with their counts', async () => {
  const page = await pageOf('/?filed_from=2026-02-25');
  assert.match(
    page,
    /\?filed_from=2026-02-01&amp;filed_to=2026-02-28" rel="nofollow">2 businesses in February 2026</,
  );
  assert.match(page, /\?filed_from=2026-01-01&amp;filed_to=2026-12-31" rel="nofollow">2 businesses in 2026</);
});

test('a list says how many of its businesses are marked closed, and leads to them', async () => {
  const marked = /<a href="([^"]*)#found" rel="nofollow">Marked as closed: (\d+) of \d+\.</;
  assert.doesNotMatch(await pageOf('/'), marked);
  const [, href = '', n] = marked.exec(await pageOf('/?filed_from=2000-01-01')) ?? [];
  assert.equal(href, '/?status=closed&amp;filed_from=2000-01-01');
  assert.match(
    await pageOf(href.replace('&amp;', '&')),
    new RegExp(`: ${n} of \\d+ (?:is|are) marked closed<`),
  );
  assert.doesNotMatch(await pageOf('/?status=open'), /Marked as closed/);
  assert.match(
    await pageOf('/?status=closed'),
    /<p class="doubt"><span>The dates show when a business registered, not when it closed\.</,
  );
  for (const page of [
    await pageOf('/?status=closed'),
    await pageOf('/?filed_from=2000-01-01', { catalogue: catalogueOf([aRow({ status: 'open' })]) }),
    await pageOf('/?filed_from=2000-01-01', { catalogue: catalogueOf([aRow({ status: 'expired' })]) }),
  ])
    assert.doesNotMatch(page, /of them as/);
});

test('the map has the counts of the list below it', async () => {
  const countsOf = async (path: string) => {
    const page = await pageOf(path);
    const [, drawn = ''] = /<g class="names" aria-hidden="true">(.*?)<\/g>/s.exec(page)!;
    const [, places = ''] = /<section class="places"(.*?)<\/section>/s.exec(page)!;
    const listed = places.matchAll(/<bdi>(.*?)<\/bdi><\/a> <span class="count">(\d+)</gs);
    return [
      Array.from(drawn.matchAll(/data-place="([^"]*)">(\d+)</g), ([, ...one]) => one.join(' ')),
      Array.from(listed, ([, ...one]) => one.join(' ')),
    ];
  };
  const [drawn, listed] = await countsOf('/');
  assert.deepEqual(drawn!.toSorted(), listed!.toSorted());
  assert.ok(listed!.length > 1);
});

test('each further value shows its own count', async () => {
  const page = await pageOf('/?neighborhood=Naples&filed_from=2001-01-01');
  assert.match(page, /aria-current="true"><bdi>Naples<\/bdi><\/a> <span class="count">2</);
  assert.match(page, /<bdi>Wrigley<\/bdi><\/a> <span class="count">2</);
});

test('people can share a search from the line under its heading, and follow it unless the register has ended', async () => {
  const share = async (city: typeof CITY) =>
    /<details id="take"><summary>([^<]*)<.*?<\/details>/s.exec(await pageOf('/?q=bakery', { city }));
  const [current, label] = (await share(CITY))!;
  assert.equal(label, 'Share');
  assert.match(current, />Feed<\/a>/);
  assert.match(
    current,
    /take-link.*Copy link.*data-send=.*\/chart\.png.*\/feeds.*Data and embedding.*by=month.*by=neighborhood.*by=category.*\/api\/search\?q=bakery.*take-picture.*\/chart\.svg/s,
  );
  assert.match(current, /alt=&quot;“bakery” in Rivermouth&quot;/, 'without numbers, which would soon be old');
  const compared = await pageOf('/changes?q=bakery');
  assert.match(
    compared,
    /take-link.*\/changes\?q=bakery&amp;filed_from=.*\/chart\.png\?q=bakery&amp;filed_from=.*take-data(?!.*api\/search)/s,
  );
  const [ended, only] = (await share({ ...CITY, archive: true }))!;
  assert.equal(only, 'Share');
  assert.doesNotMatch(ended, /feed/);
});

test('each listing leads to a message with its name and date', async () => {
  const page = await pageOf('/?q=bakery');
  const links = [...page.matchAll(/<a href="(\/correct\?[^"]*)" rel="nofollow">Report a mistake</g)];
  assert.match(
    page,
    /<a href="https:\/\/duckduckgo\.com\/\?q=Crumb%20Bakery%20Rivermouth" rel="nofollow noreferrer">Search the web</,
  );
  const [, one] = /<a href="([^"]*as=typed)" rel="nofollow">Link</.exec(page)!;
  assert.match(
    await pageOf(one!.replaceAll('&amp;', '&')),
    /<h1 id="found"[^>]*>Crumb Bakery<\/h1>.*>Neighborhood<\/th><td><a[^>]*>Wrigley</s,
  );
  const names = [...page.matchAll(/<b class="name"><bdi>([^<]*)</g)].map(([, name]) => name!);
  assert.equal(links.length, names.length);
  assert.ok(names.length > 1);
  const about = await pageOf(links[1]![1]!.replaceAll('&amp;', '&'));
  assert.match(
    about,
    new RegExp(
      `This is all that we show about this business:<.*<bdi>${names[1]}</bdi></b>.*Cafes &amp; Bakeries, `,
    ),
  );
  assert.ok(
    about.includes(
      `body=Name%20of%20the%20business%3A%20${encodeURIComponent(names[1]!)}%0ADate%20shown%20with%20it%3A%20February%C2%A020%2C%C2%A02026%0APage%3A%20http`,
    ),
  );
  assert.doesNotMatch(about, /Date%20shown%20with%20it%3A%20%0A/);
  const undated = await pageOf('/correct?q=bakery');
  assert.match(undated, /<h1>Corrections and removals<\/h1><p>Write to /, 'a search names no business');
});

test('a search for an address leads to the neighborhoods', async () => {
  const page = await pageOf('/?q=90802');
  assert.match(page, /because the listings have no ZIP codes\. Choose a neighborhood instead\./);
  assert.match(page, /Choose a neighborhood<\/h2><ul class="counted"><li><a href="\/\?neighborhood=Naples"/);
});

test('a telephone number is not read as a name, and the page suggests neither its digits nor the word street', async () => {
  for (const q of ['(562) 555-0134', '123 main street', 'harbor street 4']) {
    const page = await pageOf(`/?q=${encodeURIComponent(q)}`);
    assert.doesNotMatch(page, /businesses? for “(?:\d+|street)”/, q);
  }
  assert.match(
    await pageOf('/?q=562-555-0134'),
    /because the listings have no addresses or phone numbers, only/,
  );
});

test('people can follow a search by feed, and by email if the email has the same choices', async (t) => {
  const { get } = await (await aMailing()).door(t);
  const read = async (path: string) => (await get(path)).text();
  const search = await read('/?q=shop&neighborhood=Unknown&offset=25');
  assert.match(search, /<a href="\/feeds\?q=shop&amp;neighborhood=Unknown" rel="nofollow">Feed<\/a>/);
  assert.match(search, /<a href="\/signup\?neighborhood=Unknown">/);
  assert.doesNotMatch(search, /href="\/signup[^"]*q=/);
  const place = await read('/?neighborhood=Unknown');
  assert.match(
    place,
    /name="neighborhoods" value="Unknown">.*<p class="note">You will get only this: New businesses in Rivermouth, Neighborhood unknown\.<\/p>.*href="\/signup\?neighborhood=Unknown"/s,
  );
  assert.match(await read('/signup?neighborhood=Unknown'), /value="Unknown" checked/);
  assert.doesNotMatch(await read('/?q=nothingatall'), /href="\/feeds\?|\/signup\?|id="email"/);
});

test('the page of feeds keeps all parts of a search', async () => {
  const page = await pageOf('/feeds?q=shop&category=Restaurants&category=Cafes&neighborhood=Naples');
  const search = 'q=shop&amp;category=Restaurants&amp;category=Cafes&amp;neighborhood=Naples';
  assert.ok(page.includes(`/feed.xml?${search}</textarea>`));
  assert.ok(page.includes(`href="/?${search}">See these listings</a>`));
  const ended = await pageOf('/feeds?q=shop', { city: { ...CITY, archive: true } });
  assert.doesNotMatch(ended, /feed\.xml/);
  assert.match(ended, /<a href="\/\?q=shop">See these listings<\/a>/);
});

test('every offer of the signup links to past weekly emails', async (t) => {
  const { get } = await (await aMailing()).door(t);
  for (const path of ['/', '/signup'])
    assert.match(
      await textOf(get(path)),
      /<figure class="sheet.*<a href="\/weekly\/2026-11-16">See the edition of November\s16,\s2026</s,
      path,
    );
  const { subscriptions } = await aMailing();
  const early = await pageOf('/signup', { subscriptions, catalogue: catalogueOf([aRow({})]) });
  assert.match(early, /An edition of the newest week would look like this\./);
  assert.doesNotMatch(early, /See the edition/, 'there is none yet');
});

test('only listings that closed or expired have a mark, and the others say their status when they are opened', async () => {
  const statuses = ['open', 'unknown', 'closed', 'expired', 'abandoned'] as const;
  const rows = statuses.map((status) => aRow({ key: status, name: status, status }));
  const page = await pageOf('/', { catalogue: catalogueOf(rows) });
  const marks = [...page.matchAll(/<span class="badge">([^<]*)</g)].map(([, mark]) => mark);
  assert.deepEqual(marks, ['name given up', 'closed', 'license expired']);
  const notes = [...page.matchAll(/<p class="does"><span class="note">([^<]*)</g)].map(([, note]) => note);
  assert.deepEqual(notes, ['no closing on record', 'status unknown']);
});

test('the page says how many rows of the register are left out and why, and names no rare reason', async () => {
  const skipped = new Map([
    ['personal name', 6433],
    ['of Ann Example', 1],
    ['landlord', 26_723],
  ]);
  const leftOut = () => ({ read: 89_245, skipped, rejected: 2 });
  assert.match(
    await pageOf('/', { leftOut }),
    /"Search 4 registered businesses from public filings\. The newest filing is from February 21, 2026\.".*We leave out 33,159 of the 89,245 rows of the register\./s,
  );
  assert.match(
    await pageOf('/?q=zebrafish', { leftOut }),
    /We leave out 33,159 of the 89,245 rows of the register\. <a href="\/about#omitted">Why a business can be missing/,
  );
  const some = await pageOf('/?q=zzyzx+bakery+in+naples', { leftOut });
  assert.match(some, /No business matches “zzyzx bakery”.*We leave out 33,159 of the 89,245 rows/s);
  for (const asked of ['landlord', 'Landlords']) {
    const page = await pageOf(`/?q=${asked}`, { leftOut });
    assert.match(
      page,
      /<p class="doubt"><span>We leave out some of the 89,245 rows of the register on purpose: “landlord” \(26,723\), because renting out a building does not open a new business there\.</,
    );
    assert.doesNotMatch(page, /own name|Nothing matches all of this/);
  }
  assert.doesNotMatch(await pageOf('/?q=ann+example', { leftOut }), /of Ann Example/);
  const about = await pageOf('/about', { leftOut });
  assert.match(
    about,
    /We show 4 businesses\. The newest filing is from February 21, 2026\..*<p>We leave out 33,159 of the 89,245 rows of the register\. They are not new businesses/s,
  );
  const sizes = (page: string) =>
    Array.from(page.matchAll(/<dt>([^<]*)<\/dt><dd><a [^>]*>([\d,]+)</g), ([, what, n]) => `${what} ${n}`);
  assert.deepEqual(sizes(about), ['Businesses shown 4', 'Rows in the register 89,245']);
  const empty = await pageOf('/about', { leftOut, catalogue: catalogueOf([]) });
  for (const page of [await pageOf('/about'), empty]) assert.deepEqual(sizes(page), []);
  const rows = [...about.matchAll(/<th scope="row">([^<]*)<\/th><td>([−\d,]+)</g)];
  assert.deepEqual(
    rows.map(([, name, n]) => `${name} ${n}`),
    [
      'Rows in the register 89,245',
      'landlord −26,723',
      'business in a person’s own name −6,433',
      'damaged rows −2',
      'other reasons −1',
      'Rows used 56,086',
      'renewals and repeat filings of the same business −56,082',
      'Businesses shown 4',
    ],
  );
  assert.doesNotMatch(await pageOf('/'), /left out/);
});

test('“new this week” shows recent filings, and no old filings that were published late', async () => {
  const seen = { arrivedAt: '2026-11-19T00:00:00.000Z' };
  const rows = [
    aRow({ key: 'A', name: 'Fresh Bakery', filedOn: '2026-11-16', ...seen }),
    aRow({ key: 'B', name: 'Gone Bakery', filedOn: '2026-11-15', status: 'closed', ...seen }),
    aRow({ key: 'C', name: 'Late Bakery', filedOn: '2019-05-05', ...seen, isNews: false }),
  ];
  const page = await pageOf('/', { catalogue: anIndex(rows) });
  assert.match(
    page,
    /<h1 [^>]*><a [^>]*><b>2<\/b> businesses registered in 2026, to November 16</,
    'named by its dates',
  );
  const week = await pageOf('/?filed_from=2026-11-10', { catalogue: anIndex(rows) });
  assert.match(week, /id="found"[^>]*>2 businesses since November 10, 2026</);
});

test('the page /about begins with links to its sections, and has no form', async (t) => {
  const { get } = await (await aMailing()).door(t);
  const page = await textOf(get('/about'));
  assert.match(page, /<h1>About this data<\/h1>/);
  assert.match(page, /<a href="\/about">About<\/a><\/nav>/);
  const links = [...page.matchAll(/<li><a href="#(\w+)">([^<]*)<\/a><\/li>/g)];
  assert.deepEqual(
    links.map(([, id]) => id),
    ['source', 'facts', 'omitted', 'correct', 'email', 'terms'],
  );
  for (const [, id, title] of links) assert.ok(page.includes(`<section id="${id}"><h2>${title}</h2>`), id!);
  assert.doesNotMatch(page, /<form|Rows in the register/);
  assert.match(page, /We show no addresses, because many of them are homes/);
  const sources = CITY.sources.map((one) => ({ ...one, terms: 'https://cc.example/zero' }));
  const linked = await pageOf('/about', { city: { ...CITY, sources } });
  assert.match(linked, /License: <a href="https:\/\/cc\.example\/zero" rel="nofollow">CC0<\/a>\./);
  assert.match(linked, /<th scope="row">no closing on record \(\d+\)<\/th>/);
  const often = { 'at least once a day': [24, 720], 'every 7 days': [720, 168], 'every 2 days': [48] };
  for (const [said, hours] of Object.entries(often)) {
    const read = hours.map((everyHours) => ({ ...CITY.sources[0]!, everyHours }));
    const about = await pageOf('/about', { city: { ...CITY, sources: read } });
    assert.ok(about.includes(`We read the register ${said}.`), said);
  }
});

test('once the register has ended, the page says that no email is sent and that the data will not change', async (t) => {
  const ended = await (await aMailing({ city: { ...CITY, archive: true } })).door(t);
  const read = async (path: string) => (await ended.get(path)).text();
  assert.match(
    await read('/feeds'),
    /data stops on [^<]*, so there is nothing new to send.*role="search".*Compare years/s,
  );
  assert.doesNotMatch(await read('/weekly'), /Get the weekly email/);
  const { subscriptions } = await aMailing();
  const rows = ['2016-10-06', '2016-03-01', '2015-05-05'].map((filedOn, i) =>
    aRow({ filedOn, key: `K${i}` }),
  );
  const [city, catalogue] = [{ ...CITY, archive: true }, catalogueOf(rows)];
  const none = await pageOf('/weekly', { city, subscriptions, catalogue });
  assert.match(none, /The published data stops on October 6, 2016, so there is nothing new to send\./);
  assert.doesNotMatch(none, /class="filters"|Get the weekly email|yet/);
});
