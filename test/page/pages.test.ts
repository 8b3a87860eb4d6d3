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
import { catalogueOf, manyListings } from '../service/search/made-up.ts';
import { aDoor, anIndex, CITY, someRows } from '../service/web/a-door.ts';
import { aRegister, assertPages, BAKERIES, no, pageOf, times } from './a-page.ts';

const ARCHIVE = { ...CITY, archive: true };
const { subscriptions } = await aMailing();
const SIGNUP = { subscriptions, catalogue: anIndex(someRows(60)) };

test('a search without results in one neighborhood shows the numbers of results in others', async () => {
  const page = await pageOf('/?q=tailor&neighborhood=Wrigley');
  assert.match(page, /<h1 id="found" tabindex="-1">No results for “tailor” in Wrigley<\/h1>/);
  assert.match(page, /No business matches all parts of this search\./);
  const near = page.matchAll(/<li><a href="([^"]*)" rel="nofollow">([^<]*\d[^<]*)<\/a><\/li>/g);
  assert.deepEqual(
    Array.from(near, ([, ...parts]) => parts),
    [
      ['/?q=tailor', '1 business matching “tailor”'],
      ['/?neighborhood=Wrigley', '2 businesses in Wrigley'],
    ],
  );
});

test('the count of each filter value applies all other filters of the search, and these counts shade the map', () =>
  assertPages(BAKERIES, {
    '/?q=bakery&status=open': [
      /<bdi>Naples<\/bdi><\/a> <span class="count">1</,
      /<option value="closed">closed \(1\)<\/option>/,
      /href="\/\?q=bakery&amp;neighborhood=Naples&amp;status=open#found"[^>]* aria-label="Naples, 1 new business"/,
      /aria-label="Empty &amp; Co, 0 new businesses"><path class="shade-0"/,
    ],
  }));

test('a filter value is accepted in any spelling and shown as in the listings, and a link removes it', () =>
  assertPages(BAKERIES, {
    '/?neighborhood=NAPLES&category=cafes+%26+bakeries': [
      /<h1 id="found" tabindex="-1">1 cafe or bakery in Naples<\/h1>/,
      /<a href="\/\?category=Cafes%20%26%20Bakeries" rel="nofollow" aria-label="Remove Naples">/,
      /<input type="hidden" name="neighborhood" value="Naples">/,
    ],
  }));

test('the header leads to the comparison, the signup and the page about the data', () =>
  assertPages(SIGNUP, {
    '/': /<nav aria-label="Main">(?:<a[^>]*href="\/(?:changes|signup|about)"[^>]*>[^<]*<\/a>\s*){3}<\/nav>/,
    '/signup': /<h1>New businesses by email, every week<\/h1>/,
  }));

test('the chosen values of a filter and the first day of arrivals stay when a person adds another value, which begins anew', async () => {
  await assertPages(BAKERIES, {
    '/?neighborhood=Naples&neighborhood=Wrigley&added_from=2026-01-05':
      /<input id="filter-neighborhood"(?![^>]* value=).*<input type="hidden" name="neighborhood" value="Naples"><input type="hidden" name="neighborhood" value="Wrigley">.*<input type="hidden" name="added_from" value="2026-01-05">/s,
    '/?status=open&status=-closed': /href="\/\?status=open" rel="nofollow" aria-label="Remove not closed"/,
  });
  const prev = /<nav class="pages">.*rel="prev/;
  const many = { catalogue: catalogueOf(manyListings(2_000)) };
  await assertPages(many, {
    '/?category=Old+Autos&offset=25': [
      /rel="next nofollow"[^>]*>Show 51 to 75 of 223</,
      /href="\/\?category=Old%20Autos&amp;offset=50#found"/,
      no(/href="[^"]*offset=.*href="[^"]*offset=|name="offset"/s),
    ],
    '/?category=Old+Autos&offset=175': [/>Show 201 to 223 of 223</, prev],
    '/?category=Old+Autos&offset=200': [prev, no(/rel="next/)], // the last page
    '/?q=zyzzyva': no(/<nav class="pages">/), // an empty one
  });
});

test('the page shows notices of the publishers word for word, and the contact for removal', () => {
  const notice = 'The City makes no <warranty> & "accepts" no liability.';
  const given = { city: { ...CITY, sources: [{ ...CITY.sources[0]!, notice }] } };
  return assertPages(given, {
    '/about': [
      /<q>The City makes no &lt;warranty&gt; &amp; &quot;accepts&quot; no liability\.<\/q>/,
      /Write to <a href="mailto:listings@rivermouth\.example">listings@rivermouth\.example<\/a> with the name/,
      /<a class="button" href="mailto:listings@rivermouth\.example\?subject=[^"]*&amp;body=Name[^"]*wrong/,
      /We read the register on November 18, 2026/,
    ],
  });
});

test('the page of an archive says that it is an archive, and its week ends on the date of the archive, of which no line breaks', async (t) => {
  const city = { ...CITY, asOf: '2026-03-01' };
  const given = { ...aRegister([{ filedOn: '2026-02-25' }]), city };
  await assertPages(given, {
    '/about': /The statuses are from March 1, 2026\./,
    '/': /<a href="\/\?filed_from=2025-02-26&amp;filed_to=2026-02-25" rel="nofollow"><b>1<\/b> business registered/,
  });
  const { get } = await aDoor(t, { city });
  assert.match(await (await get('/about')).text(), /from March\u00a01,\u00a02026\./);
});

test('the head of the page names the usual number of a week, a week far above it, and late data', async () => {
  for (const [counts, head] of [
    [[30], /^30 new businesses in the week to February 21 A typical week has 40\.$/],
    [[100], /^100 new businesses in the week to February 21 A typical week has 40\.$/],
    [
      [101],
      /^101 new .* A typical week has 40\. A number this high can include filings that were published late\./,
    ],
    [[20, 20], /^40 new businesses in the week to February 7 .* publishes filings late/],
  ] as const) {
    const weeks = [...counts, ...Array<number>(14).fill(40)];
    const rows = weeks.flatMap((n, week) => times(n, { filedOn: addDays('2026-02-21', -7 * week) }));
    const [, text] = /<h1 id="found".*?<a [^>]*>(.*?<\/p>)/s.exec(await pageOf('/', aRegister(rows)))!;
    assert.match(text!.replace(/(?:<.*?>|\s)+/g, ' ').trim(), head);
  }
});

test('a day of another year than the newest one has its year, in the headline and below the bars', async () => {
  for (const [newest, day, ...days] of [
    ['2026-02-21', '2026-02-23', 'February 21', 'Dec 6, 2025', 'Feb 21'],
    ['2025-12-30', '2026-01-04', 'December 30, 2025', 'Oct 14', 'Dec 30'],
  ] as const) {
    const rows = times(15 * 30, (i) => ({ filedOn: addDays(newest, -7 * (i % 15)) }));
    const page = await pageOf('/', aRegister(rows, { day }));
    const [, bars = ''] = /<ul class="bars"(.*?)<\/ul>/s.exec(page)!;
    const labels = Array.from(bars.matchAll(/<span aria-hidden="true">(.*?)</g), ([, text]) => text);
    const shown = [/in the week to (.*?)</.exec(page)?.[1], ...labels];
    assert.deepEqual(
      shown.map((text) => text?.replace(/\s/g, ' ')),
      days,
    );
  }
});

test('the headline, the map and the kinds of the first page cover the same period: a week that fills the list, or the newest year', async () => {
  for (const [week, city, n, period] of [
    [25, CITY, 25, 'new businesses in the week to June 20'],
    [24, CITY, 54, 'businesses registered in 2026, to June 20'],
    [25, ARCHIVE, 55, 'businesses registered in 2026, to June 20'],
  ] as const) {
    const rows = times(week + 30, (i) => ({
      ...{ neighborhood: 'Naples', category: i < week + 29 ? 'Legal' : 'Medical' },
      filedOn: i < week ? '2026-06-20' : '2026-02-01',
    }));
    const given = { ...aRegister(rows, { day: '2026-06-21' }), city };
    await assertPages(given, {
      '/': [
        new RegExp(`<h1 id="found"[^>]*><a [^>]*><b>${n}</b> ${period}</a>`),
        new RegExp(`aria-label="Naples, ${n} new`),
        new RegExp(`Legal</bdi></a> <span class="count">${n > week ? n - 1 : n}<`),
      ],
    });
  }
});

test('the head of a neighborhood has its year, and says of the year before no percentage of a few', async () => {
  const rows = [
    { filedOn: '2022-05-01', neighborhood: 'Naples' },
    { filedOn: '2026-02-21', neighborhood: 'Wrigley' },
  ];
  const page = await pageOf('/?neighborhood=Wrigley', aRegister(rows));
  const [head] = /<dl class="numerals">.*?<\/dl>/s.exec(page)!;
  assert.deepEqual(
    Array.from(head.matchAll(/<dt>([^<]*)<\/dt><dd><a [^>]*>(\d+)</g), ([, label, n]) => [label, n]),
    [['new in the 12 months to February 21, 2026', '1']],
  );
  assert.match(page, /<p class="lead">There were none in the same period a year before\./);
  assert.doesNotMatch(page.slice(0, page.indexOf('class="cols"')).replaceAll(/<[^>]*>/g, ''), /%/);
});

test('a phone shows six rows of the list, and a link to the other rows', async () => {
  const page = await pageOf('/?category=Restaurants', aRegister(times(30)));
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
  const titled = (words: string) => new RegExp(`<title>${words}New businesses in Rivermouth</title>`);
  await assertPages(BAKERIES, {
    '/': titled(''),
    'bakery in naples 2026': titled('“bakery” in Naples, 2026 – '),
    '/?category=Cafes+%26+Bakeries&neighborhood=Naples': titled('Cafes &amp; Bakeries in Naples – '),
    'which neighborhood has the most bakeries': titled(
      'Wrigley has had the most: 2 businesses matching “bakeries” registered – ',
    ),
    '/about': titled('About this data – '),
  });
  const years = ['2019', '2019', '2021', '2021', '2023', '2023', '2024'];
  await assertPages(aRegister(years.map((year) => ({ filedOn: `${year}-03-05` }))), {
    'which year had the most restaurants': [
      titled('2019, 2021, and 2023 have had the most, each with 2 restaurants registered – '),
      no(/Tied with/),
    ],
  });
});

test('the first page offers questions of its own city, each of which has an answer', async () => {
  const register = aRegister(
    times(60, (i) => ({
      category: i % 3 === 0 ? 'Legal' : 'Restaurants',
      neighborhood: i % 4 === 0 ? 'Wrigley' : 'Naples',
      filedOn: i < 24 ? '2025-03-05' : '2026-03-05',
    })),
    { day: '2026-06-21' },
  );
  const [, line = ''] = /<p class="examples">(.*?)<\/p>/s.exec(await pageOf('/', register)) ?? [];
  const links = Array.from(line.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g), ([, href, text]) => [
    text!,
    href!,
  ]);
  const answers = {
    'restaurants in Naples': /<h1 id="found"[^>]*>\d+ restaurants registered in Naples since 2025<\/h1>/,
    'what grew most':
      /<h1 id="found"[^>]*>Nothing clearly grew: Restaurants rose most, from 16 to 24 registrations<\/h1>/,
    'restaurants 2026 vs 2025':
      /<h1 id="found"[^>]*>24 restaurants registered in 2026, 8\smore than in 2025<\/h1>/,
  };
  assert.deepEqual(
    links.map(([text]) => text),
    Object.keys(answers),
  );
  for (const [i, answer] of Object.values(answers).entries())
    await assertPages(register, { [links[i]![1]!]: answer });
  await assertPages(BAKERIES, { '/': no(/class="examples"/) }); // too few for an answer
});

test('the page explains the Pro waitlist', () =>
  assertPages(SIGNUP, {
    '/signup': /Pro is planned for people who need more than this page\./,
    '/': /<a href="\/signup#waitlist">[^<]*Pro waitlist</,
  }));

test('a contact that is no email address has no prepared message, and without a contact the page names the publisher', async () => {
  const withContact = (contact: string) => ({ city: { ...CITY, operator: { ...CITY.operator, contact } } });
  const said = [/at the town hall/, no(/mailto:|Write a message|href=""/)];
  await assertPages(withContact('at the town hall'), { '/about': said, '/correct?q=bakery': said });
  await assertPages(withContact('fill in'), {
    '/': no(/Report a mistake|report"/),
    '/about': /cannot take corrections yet\. Ask the publisher to correct the register: <a href="https:/,
  });
});

test('the pages of an ended register name its last day, call no business new, and offer no weekly email or feed', async () => {
  const noOffer = no(/href="\/(signup|feeds|feed\.)/);
  const stops = /The published data stops on November 20, 2026, so there is nothing new to send\./;
  const ended = { ...SIGNUP, city: ARCHIVE };
  await assertPages(ended, {
    '/': [
      /<nav aria-label="Main">(?:<a[^>]*href="\/(?:changes|about)"[^>]*>[^<]*<\/a>\s*){2}<\/nav>/,
      /<h1 [^>]*><a [^>]*><b>60<\/b> businesses registered in 2026, to November 20</,
      /An archive of 60 businesses since 2026\./,
      no(/filed_from=\d{4}-\d\d-\d\d"|value="weekly"|by email/),
      noOffer,
    ],
    shop: /<p class="late">Archive: data to November 20, 2026\.</,
    '/signup': [
      /<title>There is no weekly email – .*<h1>There is no weekly email<\/h1>/s,
      stops,
      /<a class="button" href="\/weekly">See the last week</,
      /<a href="https:\/\/data\.rivermouth\.example\/licences"/,
      /<figure class="sheet">.*businesses registered in Rivermouth in the last week of the data<.*<ul class="bars"/s,
      no(/method="post"|Pro|value="weekly"|name="categories"/),
      noOffer,
    ],
    '/about': /We no longer send a weekly email\. [^<]*<\/p><details><summary>/,
    '/feeds': [stops, /See the last week/],
    '/feeds?q=shop': [no(/feed\.xml/), /<a href="\/\?q=shop">See these listings<\/a>/],
    '/weekly': [
      /November\s14\s–\s20, 2026<.*<b>21<\/b> businesses registered in Rivermouth in the last week of the data</s,
      /<ul class="bars".*<div class="ledger"><h2 class="when">/s,
      /<a href="\/\?filed_from=2026-11-14&amp;filed_to=2026-11-20"/,
      no(/Get the weekly email/),
    ],
    '/confirm?token=x': [
      /<h1>This link does not work<\/h1><p>The link may be too old, incomplete or already used\.<\/p>/,
      noOffer,
    ],
    '/manage?token=x': [/<h1>Link no longer valid<\/h1>.*use the link in the latest one/, noOffer],
  });
  const days = ['2022-05-01', '2024-03-01', '2024-07-09', '2025-06-09', '2025-07-08', '2025-07-09'];
  const compared = { ...aRegister(days.map((filedOn) => ({ filedOn }))), subscriptions, city: ARCHIVE };
  await assertPages(compared, {
    '/': /<p class="late">Archive: data to July 9, 2025\.<.*That is 1 more than in the same period of 2024 \(2\)\. /s,
    '/weekly': [
      /The published data stops on July 9, 2025/,
      no(/class="filters"|Get the weekly email|yet|recently/),
    ],
  });
  await assertPages(SIGNUP, {
    '/confirm?token=x': /href="\/signup">Sign up again</,
    '/manage?token=x': no(/Sign up again/),
  });
  const { archive: _, ...city } = CITY;
  for (const [filedOn, said] of [
    ['2026-01-10', /An archive of 1 business/],
    ['2026-01-11', no(/archive/)],
  ] as const)
    await assertPages({ ...aRegister([{ filedOn }], { day: '2026-07-10' }), city }, { '/': said });
});

test('the map shows the whole outline, with space for the coast on each side, and a city without boundaries has none', async () => {
  await assertPages(BAKERIES, { '/': /<svg class="map" viewBox="-4 -4 108 58"/ });
  await assertPages({ outline: () => undefined }, { '/': no(/<svg class="map"/) });
});

test('each bar has its share of the longest bar, in hundredths', async () => {
  const days = ['2025-02-03', '2026-02-03', '2026-02-04'];
  const register = aRegister(
    days.map((filedOn) => ({ filedOn })),
    { day: '2026-03-01' },
  );
  const february = '<rect x="1" y="0" width="1" height="100"/>';
  const before = '<rect class="then" x="0" y="50" width="1" height="50"/>';
  await assertPages(register, {
    '/changes?filed_from=2026-02&filed_to=2026-02': [
      new RegExp(february),
      no(new RegExp(`${february}.*${february}`, 's')),
      new RegExp(before),
    ],
  });
});

test('a city in another language and direction shows all its own texts, and marks an error that is in English', async (t) => {
  const words = Object.fromEntries(listWordsOf('ar').map((word) => [word, `«${word}» {n}`]));
  const city: City = { ...CITY, language: 'ar', words };
  assert.deepEqual(listProfileProblems(city), []);
  const given = { ...BAKERIES, city };
  const english = />[^<]*(?:Name, kind|Neighborhood|Listings|Terms|businesses)/;
  await assertPages(given, {
    bakery: [/<html lang="ar" dir="rtl">/, no(english)],
    '/': /«map\.area\.\w+» [١1]/,
  });
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
  for (const path of ['/', '/?q=&category=', '/api/stats?status=', '/docs', '/style.css', '/page.js']) {
    const response = await get(path, { headers: { 'Accept-Encoding': 'br' } });
    const bytes = Number(response.headers.get('content-length'));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
    const quick = brotliCompressSync(await response.text(), { params });
    assert.ok(bytes > 0 && bytes < quick.length, `${path}: ${bytes} bytes, ${quick.length} in a hurry`);
  }
});

test('pages with a token in their address are never compressed or stored, and send no referrer', async (t) => {
  const { get } = await aDoor(t, SIGNUP);
  const { headers } = await get('/manage?token=x', { headers: { 'Accept-Encoding': 'br' } });
  const names = ['content-encoding', 'cache-control', 'referrer-policy', 'x-robots-tag'];
  assert.deepEqual(
    names.map((name) => headers.get(name)),
    [null, 'no-store', 'no-referrer', 'noindex'],
  );
});

test('search engines may not follow links of single filters, and may not index pages with a query', () =>
  assertPages(BAKERIES, {
    bakery: [
      /<meta name="robots" content="noindex">/,
      /<link rel="canonical" href="https:\/\/rivermouth\.example\/">/,
      no(/<a (?=[^>]*href="\/\?)(?![^>]*nofollow)/),
    ],
    '/': no(/name="robots"/),
    '/?offset=25': /name="robots" content="noindex"/,
  }));

test('a question for another town or a street alone offers the neighborhoods, and says what was ignored', () => {
  const offer = [
    /id="found"[^>]*>Choose a neighborhood<\/h1>\s*<p class="doubt">/,
    no(/class="name"><bdi>Harbor Bakery/),
  ];
  return assertPages(BAKERIES, {
    'businesses near the library': [...offer, /We ignored “library” because the listings have no addresses/],
    'new businesses in springfield': [...offer, /No neighborhood of [^<]* is named “springfield”/],
    waterfront: [...offer, /No neighborhood of [^<]* is named “waterfront”/],
  });
});

test('an excluded neighborhood is no corner of the city, and phrases keep their words', () =>
  assertPages(BAKERIES, {
    '/?neighborhood=-Naples': [/id="found"[^>]*>2 businesses: not Naples</, no(/>-Naples</)],
    '"bakery OR tailor" OR crumb': /matching “&quot;bakery OR tailor&quot;” or “crumb”/,
  }));
