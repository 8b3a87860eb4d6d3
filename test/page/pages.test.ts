/** The content and headers of the page, read as HTML: counts, help, texts, links, compression, and who gets a page or JSON. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import type { City } from '../../src/register/profile/define.ts';
import { listProfileProblems } from '../../src/register/profile/schema/profile.ts';
import { listWordsOf } from '../../src/shared/city/page-words.ts';
import { addDays } from '../../src/shared/day.ts';
import { textOf } from '../an-answer.ts';
import { aMailing } from '../service/mail/a-mailing.ts';
import { aRow, catalogueOf, manyListings } from '../service/search/made-up.ts';
import { aDoor, CITY } from '../service/web/a-door.ts';
import { pageOf } from './a-page.ts';

test('a search without results in one neighborhood shows the numbers of results in others', async () => {
  const page = await pageOf('/?q=tailor&neighborhood=Wrigley');
  assert.match(page, /<h1 id="found" tabindex="-1">No results for “tailor” in Wrigley<\/h1>/);
  assert.match(page, /No business matches all parts of this search\./);
  const near = [...page.matchAll(/<li><a href="([^"]*)" rel="nofollow">([^<]*\d[^<]*)<\/a><\/li>/g)];
  assert.deepEqual(
    near.map(([, ...parts]) => parts),
    [
      ['/?q=tailor', '1 business matching “tailor”'],
      ['/?neighborhood=Wrigley', '2 businesses in Wrigley'],
    ],
  );
});

test('the count of each filter value applies all other filters of the search, and these counts shade the map', async () => {
  const page = await pageOf('/?q=bakery&status=open');
  assert.match(page, /<bdi>Naples<\/bdi><\/a> <span class="count">1</);
  assert.match(page, /<option value="closed">closed \(1\)<\/option>/);
  assert.match(
    page,
    /href="\/\?q=bakery&amp;neighborhood=Naples&amp;status=open#found"[^>]* aria-label="Naples, 1 new business"/,
  );
  assert.match(page, /aria-label="Empty &amp; Co, 0 new businesses"><path class="shade-0"/);
});

test('a filter value is accepted in any spelling and shown as in the listings, and a link removes it', async () => {
  const page = await pageOf('/?neighborhood=NAPLES&category=cafes+%26+bakeries');
  assert.match(page, /<h1 id="found" tabindex="-1">1 cafe or bakery in Naples<\/h1>/);
  assert.match(
    page,
    /<a href="\/\?category=Cafes%20%26%20Bakeries" rel="nofollow" aria-label="Remove Naples">/,
  );
  assert.match(page, /<input type="hidden" name="neighborhood" value="Naples">/);
});

test('the header leads to the signup, until the register ends, and to the page about the data', async (t) => {
  const linksOf = (page: string) =>
    [.../<nav aria-label="Main">.*?<\/nav>/s.exec(page)![0].matchAll(/href="([^"]+)"/g)].map(([, to]) => to);
  const ended = await pageOf('/', { city: { ...CITY, archive: true } });
  assert.deepEqual(linksOf(ended), ['/changes', '/about']);
  const { get } = await (await aMailing()).door(t);
  assert.deepEqual(linksOf(await textOf(get('/'))), ['/changes', '/signup', '/about']);
  for (const path of ['/signup', '/about']) assert.equal((await get(path)).status, 200, path);
});

test('the chosen values of a filter and the first day of arrivals stay when a person adds another value', async () => {
  const page = await pageOf('/?neighborhood=Naples&neighborhood=Wrigley&added_from=2026-01-05');
  assert.match(
    page,
    /<input id="filter-neighborhood"(?![^>]* value=).*<input type="hidden" name="neighborhood" value="Naples"><input type="hidden" name="neighborhood" value="Wrigley">.*<input type="hidden" name="added_from" value="2026-01-05">/s,
  );
  const statuses = await pageOf('/?status=open&status=-closed');
  assert.match(statuses, /href="\/\?status=open" rel="nofollow" aria-label="Remove not closed"/);
  const many = catalogueOf(manyListings(2_000));
  const second = await pageOf('/?category=Old+Autos&offset=25', { catalogue: many });
  const later = [...second.matchAll(/href="([^"]*offset=[^"]*)"|name="offset"/g)].map(([, href]) => href);
  assert.deepEqual(later, ['/?category=Old%20Autos&amp;offset=50#found'], 'another filter begins anew');
  assert.match(second, /rel="next nofollow"[^>]*>Show 51 to 75 of 223</);
  const lastButOne = await pageOf('/?category=Old+Autos&offset=175', { catalogue: many });
  assert.match(lastButOne, />Show 201 to 223 of 223</);
  const pager = async (path: string) =>
    /<nav class="pages">.*?<\/nav>/.exec(await pageOf(path, { catalogue: many }))?.[0].match(/rel="\w+/g);
  assert.deepEqual(await pager('/?category=Old+Autos&offset=200'), ['rel="prev'], 'the last page');
  assert.equal(await pager('/?q=zyzzyva'), undefined, 'an empty one');
});

test('the page shows notices of the publishers word for word, and the contact for removal', async () => {
  const notice = 'The City makes no <warranty> & "accepts" no liability.';
  const city: City = { ...CITY, sources: [{ ...CITY.sources[0]!, notice }] };
  const page = await pageOf('/about', { city });
  assert.ok(
    page.includes('<q>The City makes no &lt;warranty&gt; &amp; &quot;accepts&quot; no liability.</q>'),
  );
  assert.match(
    page,
    /Write to <a href="mailto:listings@rivermouth\.example">listings@rivermouth\.example<\/a> with the name/,
  );
  assert.match(
    page,
    /<a class="button" href="mailto:listings@rivermouth\.example\?subject=[^"]*&amp;body=Name[^"]*wrong/,
  );
  assert.match(page, /We read the register on November 18, 2026/);
});

test('no date on a page is broken across lines', async (t) => {
  const { get } = await aDoor(t, { city: { ...CITY, asOf: '2026-03-01' } });
  assert.match(await (await get('/about')).text(), /from March\u00a01,\u00a02026\./);
});

test('the page of an archive says that it is an archive, and its week ends on the date of the archive', async () => {
  const city = { ...CITY, asOf: '2026-03-01' };
  assert.match(await pageOf('/about', { city }), /The statuses are from March 1, 2026\./);
  assert.match(
    await pageOf('/', { city, catalogue: catalogueOf([aRow({ filedOn: '2026-02-25' })]) }),
    /<a href="\/\?filed_from=2025-02-26&amp;filed_to=2026-02-25" rel="nofollow"><b>1<\/b> business registered/,
  );
});

test('the head of the page names the usual number of a week, a week far above it, and late data', async () => {
  const weeks = async (...counts: number[]) => {
    const rows = [...counts, ...Array.from({ length: 14 }, () => 40)].flatMap((n, week) =>
      Array.from({ length: n }, (_, i) =>
        aRow({ key: `${week}-${i}`, filedOn: addDays('2026-02-21', -7 * week) }),
      ),
    );
    const [, head] = /<h1 id="found".*?<a [^>]*>(.*?<\/p>)/s.exec(
      await pageOf('/', { catalogue: catalogueOf(rows) }),
    )!;
    return head!.replace(/(?:<.*?>|\s)+/g, ' ').trim();
  };
  const usual = 'A typical week has 40.';
  assert.equal(await weeks(30), `30 new businesses in the week to February 21 ${usual}`);
  assert.equal(await weeks(100), `100 new businesses in the week to February 21 ${usual}`);
  assert.match(
    await weeks(101),
    /^101 new .* A typical week has 40\. A number this high can include filings that were published late\./,
  );
  assert.match(await weeks(20, 20), /^40 new businesses in the week to February 7 .* publishes filings late/);
});

test('a day of another year than the newest one has its year, in the headline and below the bars', async () => {
  const read = async (newest: string, day: string) => {
    const rows = Array.from({ length: 15 * 30 }, (_, i) =>
      aRow({ key: `${i}`, filedOn: addDays(newest, -7 * (i % 15)) }),
    );
    const page = await pageOf('/', { catalogue: catalogueOf(rows, { day }) });
    const [, bars = ''] = /<ul class="bars"(.*?)<\/ul>/s.exec(page)!;
    const labels = Array.from(bars.matchAll(/<span aria-hidden="true">(.*?)</g), ([, text]) => text);
    return [/in the week to (.*?)</.exec(page)?.[1], ...labels].map((text) => text?.replace(/\s/g, ' '));
  };
  assert.deepEqual(await read('2026-02-21', '2026-02-23'), ['February 21', 'Dec 6, 2025', 'Feb 21']);
  assert.deepEqual(await read('2025-12-30', '2026-01-04'), ['December 30, 2025', 'Oct 14', 'Dec 30']);
});

test('the headline, the map and the kinds of the first page cover the same period: a week that fills the list, or the newest year', async () => {
  const rowsOf = (week: number, before: number) =>
    Array.from({ length: week + before }, (_, i) =>
      aRow({
        ...{ key: `${i}`, neighborhood: 'Naples', category: 'Legal' },
        filedOn: i < week ? '2026-06-20' : '2026-02-01',
      }),
    );
  const read = async (week: number, before: number, city: City = CITY) => {
    const catalogue = catalogueOf(rowsOf(week, before), { day: '2026-06-21' });
    const page = await pageOf('/', { city, catalogue });
    const [, headline] = /<h1 id="found"[^>]*><a [^>]*><b>(.*?)<\/a>/.exec(page)!;
    const [, map] = /aria-label="Naples, (\d+) new/.exec(page)!;
    const [, kind] = /Legal<\/bdi><\/a> <span class="count">(\d+)</.exec(page)!;
    return [headline!.replace('</b>', ''), map, kind];
  };
  assert.deepEqual(await read(25, 30), ['25 new businesses in the week to June 20', '25', '25']);
  assert.deepEqual(await read(24, 30), ['54 businesses registered in 2026, to June 20', '54', '54']);
  assert.deepEqual(await read(25, 30, { ...CITY, archive: true }), [
    '55 businesses registered in 2026, to June 20',
    '55',
    '55',
  ]);
});

test('the head of a neighborhood has its year, and says of the year before no percentage of a few', async () => {
  const page = await pageOf('/?neighborhood=Wrigley', {
    catalogue: catalogueOf([
      aRow({ key: 'old', filedOn: '2022-05-01', neighborhood: 'Naples' }),
      aRow({ key: 'new', filedOn: '2026-02-21', neighborhood: 'Wrigley' }),
    ]),
  });
  const [head] = /<dl class="numerals">.*?<\/dl>/s.exec(page)!;
  assert.deepEqual(
    Array.from(head.matchAll(/<dt>([^<]*)<\/dt><dd><a [^>]*>(\d+)</g), ([, label, n]) => [label, n]),
    [['new in the 12 months to February 21, 2026', '1']],
  );
  assert.match(page, /<p class="lead">There were none in the same period a year before\./);
  assert.doesNotMatch(page.slice(0, page.indexOf('class="cols"')).replaceAll(/<[^>]*>/g, ''), /%/);
});

test('a phone shows six rows of the list, and a link to the other rows', async () => {
  const catalogue = catalogueOf(Array.from({ length: 30 }, (_, i) => aRow({ key: `${i}` })));
  const page = await pageOf('/?category=Restaurants', { catalogue });
  const [list = ''] = /<section class="results".*?<\/section>/s.exec(page) ?? [];
  const [first = '', others = ''] = list.split('<div id="others">');
  assert.deepEqual(
    [first, others].map((part) => part.match(/<details>/g)?.length),
    [6, 19],
  );
  assert.match(first, /<p class="more"><a class="button quiet" href="#others">Show 19 more<\/a><\/p>\s*$/);
  assert.match(others, /rel="next/);
});

test('the tab of a browser names the search or states the answer, before the name of the site', async () => {
  const titleOf = async (path: string) => /<title>(.*?)<\/title>/.exec(await pageOf(path))![1];
  const site = 'New businesses in Rivermouth';
  assert.equal(await titleOf('/'), site);
  assert.equal(await titleOf('/?q=bakery+in+naples+2026'), `“bakery” in Naples, 2026 – ${site}`);
  assert.equal(
    await titleOf('/?category=Cafes+%26+Bakeries&neighborhood=Naples'),
    `Cafes &amp; Bakeries in Naples – ${site}`,
  );
  assert.equal(
    await titleOf('/?q=which+neighborhood+has+the+most+bakeries'),
    `Wrigley has had the most: 2 businesses matching “bakeries” registered – ${site}`,
  );
  const years = ['2019', '2019', '2021', '2021', '2023', '2023', '2024'];
  const catalogue = catalogueOf(years.map((year, i) => aRow({ key: `${i}`, filedOn: `${year}-03-05` })));
  const tied = await pageOf('/?q=which+year+had+the+most+restaurants', { catalogue });
  assert.match(tied, /<title>2019, 2021, and 2023 have had the most, each with 2 restaurants registered – /);
  assert.doesNotMatch(tied, /Tied with/);
  assert.equal(await titleOf('/about'), `About this data – ${site}`);
});

test('the first page offers questions of its own city, each of which has an answer', async () => {
  const rows = Array.from({ length: 60 }, (_, i) =>
    aRow({
      ...{ key: `${i}`, category: i % 3 === 0 ? 'Legal' : 'Restaurants' },
      neighborhood: i % 4 === 0 ? 'Wrigley' : 'Naples',
      filedOn: i < 24 ? '2025-03-05' : '2026-03-05',
    }),
  );
  const catalogue = catalogueOf(rows, { day: '2026-06-21' });
  const page = await pageOf('/', { catalogue });
  const [, line = ''] = /<p class="examples">(.*?)<\/p>/s.exec(page) ?? [];
  const links = [...line.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g)].map(([, ...parts]) => parts);
  assert.deepEqual(
    links.map(([, text]) => text),
    ['restaurants in Naples', 'what grew most', 'restaurants 2026 vs 2025'],
  );
  const answers = await Promise.all(links.map(([href]) => pageOf(href!, { catalogue })));
  const found = answers.map((answer) => /<h1 id="found"[^>]*>(.*?)<\/h1>/.exec(answer)![1]);
  assert.match(found[0]!, /^\d+ restaurants registered in Naples since 2025$/);
  assert.match(found[1]!, /^Nothing clearly grew: Restaurants rose most, from 16 to 24 registrations$/);
  assert.match(found[2]!, /^24 restaurants registered in 2026, 8\smore than in 2025$/);
  assert.doesNotMatch(await pageOf('/'), /class="examples"/, 'too few for an answer');
  const none = await pageOf('/?q=zyzzyva', { catalogue });
  const offered = /Ask something else<\/h2><ul class="nearest">(.*?)<\/ul>/s.exec(none)?.[1] ?? '';
  assert.deepEqual(
    Array.from(offered.matchAll(/<a href="([^"]*)"/g), ([, href]) => href),
    links.map(([href]) => href),
    'a search without results offers them too',
  );
});

test('the page explains the Pro waitlist, and offers no signup once the register has ended', async (t) => {
  const current = await (await aMailing()).door(t);
  const page = await textOf(current.get('/signup'));
  assert.match(page, /Pro is planned for people who need more than this page\./);
  assert.match(page, /<h1>New businesses by email, every week<\/h1>/);
  assert.match(await textOf(current.get('/')), /<a href="\/signup#waitlist">[^<]*Pro waitlist</);
  const ended = await (await aMailing({ city: { ...CITY, archive: true } })).door(t);
  const only = await textOf(ended.get('/signup'));
  assert.match(only, /<title>There is no weekly email – /);
  assert.match(only, /The published data stops on .*, so there is nothing new to send\./);
  for (const href of ['/changes', 'https://data.rivermouth.example/licences'])
    assert.ok(only.includes(`<li><a href="${href}">`), href);
  assert.match(only, /<form role="search" action="\/">/);
  assert.doesNotMatch(only, /<figure/, 'an archive has no newest edition');
  assert.doesNotMatch(only, /method="post"|Pro/);
  assert.match(
    await textOf(ended.get('/about')),
    /We no longer send a weekly email\. [^<]*<\/p><details><summary>/,
  );
  assert.doesNotMatch(only, /value="weekly"|name="categories"/);
});

test('a contact that is no email address has no prepared message, and without a contact the page names the publisher', async (t) => {
  const atHall = { ...CITY, operator: { ...CITY.operator, contact: 'at the town hall' } };
  const hall = await aDoor(t, { city: atHall });
  for (const path of ['/about', '/correct?q=bakery']) {
    const page = await textOf(hall.get(path));
    assert.match(page, /at the town hall/, path);
    assert.doesNotMatch(page, /mailto:|Write a message|href=""/, path);
  }
  const city = { ...CITY, operator: { ...CITY.operator, contact: 'fill in' } };
  const { get } = await aDoor(t, { city });
  assert.doesNotMatch(await textOf(get('/')), /Report a mistake|report"/);
  assert.match(
    await textOf(get('/about')),
    /cannot take corrections yet\. Ask the publisher to correct the register: <a href="https:/,
  );
});

test('the page of an ended register names its last day, calls no business new, and offers no weekly email or feed', async (t) => {
  const { get } = await (await aMailing({ city: { ...CITY, archive: true } })).door(t);
  const page = await textOf(get('/'));
  assert.match(page, /<h1 [^>]*><a [^>]*><b>\d+<\/b> businesses registered in \d{4}, to \w+ \d+</);
  assert.match(page, /An archive of \d+ businesses since \d{4}\./);
  const two = catalogueOf(
    ['2022-05-01', '2024-03-01', '2024-07-09', '2025-06-09', '2025-07-08', '2025-07-09'].map((filedOn, i) =>
      aRow({ key: `${i}`, filedOn }),
    ),
  );
  assert.match(
    await pageOf('/', { city: { ...CITY, archive: true }, catalogue: two }),
    /<p class="late">Archive: data to July 9, 2025\.<.*That is 1 more than in the same period of 2024 \(2\)\. /s,
  );
  assert.match(await textOf(get('/?q=bakery')), /<p class="late">Archive: data to \w+ \d+, \d{4}\.</);
  assert.doesNotMatch(page, /filed_from=\d{4}-\d\d-\d\d"|value="weekly"|by email/);
  const signup = await textOf(get('/signup'));
  assert.match(signup, /<h1>There is no weekly email<\/h1>/);
  const dead = await textOf(get('/confirm?token=x'), 404);
  assert.match(
    dead,
    /<h1>This link does not work<\/h1><p>The link may be too old, incomplete or already used\.<\/p>/,
  );
  const stale = await textOf(get('/manage?token=x'), 404);
  assert.match(stale, /<h1>Link no longer valid<\/h1>.*use the link in the latest one/);
  for (const one of [page, signup, dead, stale]) assert.doesNotMatch(one, /href="\/(signup|feeds|feed\.)/);
  const current = await (await aMailing()).door(t);
  assert.match(await textOf(current.get('/confirm?token=x'), 404), /href="\/signup">Sign up again</);
  assert.doesNotMatch(await textOf(current.get('/manage?token=x'), 404), /Sign up again/);
  const { archive: _, ...unsaid } = CITY;
  const old = catalogueOf([aRow({ filedOn: '2026-01-10' })], { day: '2026-07-10' });
  const fresh = catalogueOf([aRow({ filedOn: '2026-01-11' })], { day: '2026-07-10' });
  assert.match(await pageOf('/', { city: unsaid, catalogue: old }), /An archive of 1 business/);
  assert.doesNotMatch(await pageOf('/', { city: unsaid, catalogue: fresh }), /archive/);
});

test('the map shows the whole outline, with space for the coast on each side', async () => {
  const box = /<svg class="map" viewBox="([^"]*)"/.exec(await pageOf('/'))?.[1];
  assert.equal(box, '-4 -4 108 58');
});

test('each bar has its share of the longest bar, in hundredths', async () => {
  const rows = ['2025-02-03', '2026-02-03', '2026-02-04'].map((filedOn) => aRow({ key: filedOn, filedOn }));
  const catalogue = catalogueOf(rows, { day: '2026-03-01' });
  const page = await pageOf('/changes?filed_from=2026-02&filed_to=2026-02', { catalogue });
  const columns = [
    ...page.matchAll(/<rect( class="then")? x="(\d)" y="(\d+)" width="1" height="(\d+)"\/>/g),
  ].map(([, ...numbers]) => numbers.join());
  assert.equal(columns.filter((size) => size === ',1,0,100').length, 1, 'February');
  assert.ok(columns.includes(' class="then",0,50,50'), 'February of the year before');
});

test('a city without boundaries has no map', async () => {
  assert.doesNotMatch(await pageOf('/', { outline: () => undefined }), /<svg class="map"/);
});

test('a city in another language and direction shows all its own texts, and marks an error that is in English', async (t) => {
  const words = Object.fromEntries(listWordsOf('ar').map((word) => [word, `«${word}» {n}`]));
  const city: City = { ...CITY, language: 'ar', words };
  assert.deepEqual(listProfileProblems(city), []);
  const page = await pageOf('/?q=bakery', { city });
  assert.match(page, /<html lang="ar" dir="rtl">/);
  const text = page.replaceAll(/<[^>]*>/g, ' ');
  for (const english of ['Name, kind', 'Neighborhood', 'Listings', 'Terms', 'businesses'])
    assert.ok(!text.includes(english), english);
  assert.match(await pageOf('/', { city }), /«map\.area\.\w+» [١1]/);
  const { get } = await aDoor(t, { city });
  const missing = await textOf(get('/nowhere', { headers: { accept: 'text/html' } }), 404);
  assert.match(
    missing,
    /<html lang="en" dir="ltr">.*<header class="bar" lang="ar" dir="rtl">.*This page does not exist/s,
  );
});

test('what is kept is compressed as far as possible: assets, and answers to nothing, as empty forms ask', async (t) => {
  const { get } = await aDoor(t, { mayEmbed: true });
  assert.equal(await (await get('/?q=&category=')).text(), await (await get('/')).text());
  assert.equal((await get('/embed?other=')).status, 400);
  const empty = ['/?q=&category=', '/api/stats?status='];
  for (const path of ['/', ...empty, '/docs', '/style.css', '/page.js']) {
    const response = await get(path, { headers: { 'Accept-Encoding': 'br' } });
    const bytes = Number(response.headers.get('content-length'));
    const quick = brotliCompressSync(await response.text(), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
    });
    assert.ok(bytes > 0 && bytes < quick.length, `${path}: ${bytes} bytes, ${quick.length} in a hurry`);
  }
});

test('pages with a token in their address are never compressed or stored, and send no referrer', async (t) => {
  const { get } = await (await aMailing()).door(t);
  const response = await get('/manage?token=x', { headers: { 'Accept-Encoding': 'br' } });
  const { headers } = response;
  const said = ['content-encoding', 'cache-control', 'referrer-policy', 'x-robots-tag'].map((name) =>
    headers.get(name),
  );
  assert.deepEqual(said, [null, 'no-store', 'no-referrer', 'noindex']);
});

test('search engines may not follow links of single filters, and may not index pages with a query', async () => {
  const page = await pageOf('/?q=bakery');
  assert.match(page, /<meta name="robots" content="noindex">/);
  assert.match(page, /<link rel="canonical" href="https:\/\/rivermouth\.example\/">/);
  const loose = [...page.matchAll(/<a [^>]*href="\/\?[^>]*>/g)]
    .map(([link]) => link)
    .filter((link) => !link.includes('nofollow'));
  assert.deepEqual(loose, []);
  assert.doesNotMatch(await pageOf('/'), /name="robots"/);
  assert.match(await pageOf('/?offset=25'), /name="robots" content="noindex"/);
});

test('a question for another town or a street alone offers the neighborhoods, and says what was ignored', async () => {
  for (const [q, reason] of [
    ['businesses near the library', 'We ignored “library” because the listings have no addresses'],
    ['new businesses in springfield', 'No neighborhood of [^<]* is named “springfield”'],
    ['waterfront', 'No neighborhood of [^<]* is named “waterfront”'],
  ] as const) {
    const page = await pageOf(`/?q=${encodeURIComponent(q)}`);
    assert.match(page, /id="found"[^>]*>Choose a neighborhood<\/h1>\s*<p class="doubt">/, q);
    assert.match(page, new RegExp(reason), q);
    assert.doesNotMatch(page, /class="name"><bdi>Harbor Bakery/, q);
  }
});

test('an excluded neighborhood is no corner of the city, and phrases keep their words', async () => {
  const excluded = await pageOf('/?neighborhood=-Naples');
  assert.match(excluded, /id="found"[^>]*>2 businesses: not Naples</);
  assert.doesNotMatch(excluded, />-Naples</);
  const page = await pageOf('/?q=%22bakery+OR+tailor%22+OR+crumb');
  assert.match(page, /matching “&quot;bakery OR tailor&quot;” or “crumb”/);
});
