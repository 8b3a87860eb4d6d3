/** What the page offers for a search, read as HTML: the chart, suggestions, email and feed, and what is new. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aMailing } from '../service/mail/a-mailing.ts';
import { anIndex, CITY, someRows } from '../service/web/a-door.ts';
import { aRegister, assertPages, BAKERIES, no, pageOf, times } from './a-page.ts';

const ARCHIVE = { city: { ...CITY, archive: true } };
const { subscriptions } = await aMailing();
const SHOPS = { subscriptions, catalogue: anIndex(someRows(60)) };

test('the months of the chart set the period of the search, and the texts to copy agree with it', () => {
  const time = (days: string) => `href="/changes\\?q=bakery${days}" rel="nofollow"`;
  const days = 'q=bakery&amp;filed_from=2026-02-01&amp;filed_to=2026-02-21';
  return assertPages(BAKERIES, {
    '/changes?q=bakery&filed_from=2026-02-01&filed_to=2026-02-28': [
      new RegExp(`<a class="beside" ${time('&amp;filed_from=2026-01-01&amp;filed_to=2026-01-31')}`),
      /<title>January 2026: 0\. January 2025: 0</,
      new RegExp(`<a class="asked part" ${time('')} aria-current="true">`),
      /<title>February 1\s–\s21, 2026: 2\. February 1\s–\s21, 2025: 0</,
      new RegExp(`<a href="/api/stats\\.csv\\?${days}&amp;by=month" rel="nofollow"`),
    ],
  });
});

test('the chart shows the first decades of a century as one number, which leads to their listings', async () => {
  const register = aRegister(times(120, (i) => ({ filedOn: `${1907 + i}-02-01` })));
  const page = await pageOf('/?category=Restaurants', register);
  const years = [...page.matchAll(/<span class="unseen">[^<]*?(\d{4}): /g)].map(([, year]) => year);
  assert.deepEqual([years.length, years[0], years.at(-1)], [23, '2004', '2026']);
  assert.match(
    page,
    /<p class="note"><a href="\/\?category=Restaurants&amp;filed_to=2003-12-31" rel="nofollow">2003 and earlier: 97<\/a></,
  );
});

test('a search without any results has no empty chart, and offers kinds and neighborhoods', () =>
  assertPages(BAKERIES, {
    '/changes?q=nothingatall': [/<p>“nothingatall”: no new businesses<\/p>/, no(/class="columns/)],
    nothingatall: [
      no(/<section class="results"(?:.*nothingatall){2}/s),
      no(/Ask something else/), // four listings answer too little
      /Choose a kind of business<.*<bdi>Cafes &amp; Bakeries<\/bdi>.*>3</,
      /Choose a neighborhood<.*<bdi>Naples<\/bdi><\/a> <span class="count">2</,
      /No name, kind or neighborhood matches these words\./,
      no(/class="chips|class="switch|href="#map"|id="map"|id="take"|id="email"/),
      no(/href="\/feeds\?|\/signup\?/),
    ],
  }));

test('every suggestion has its count, in the singular for one result', () =>
  assertPages(BAKERIES, {
    '/?neighborhood=Napels': [
      /The listings have no “Napels”\./,
      /<a href="\/\?neighborhood=Naples" rel="nofollow">Did you mean Naples\?<\/a> <span class="count">2 businesses<\/span>/,
      /<input type="hidden" name="neighborhood" value="Napels">/,
    ],
  }));

test('the years come before the first listings, and these before the map', () =>
  assertPages(aRegister(times(26, (i) => ({ filedOn: `${2025 + (i % 2)}-01-05` }))), {
    '/?category=Restaurants': /id="found".*class="bars years".*class="ledger".*id="map"/s,
  }));

test('the head describes the page in a sentence, with the day of the data', async () => {
  await assertPages(BAKERIES, {
    '/': [
      /<h1 id="found"[^>]*><a [^>]*><b>2<\/b> businesses registered in the 12 months to February 21, 2026</,
      /<p class="lead">\s*The latest filing is from February 21, 2026\./,
    ],
  });
  await assertPages(aRegister([{ filedOn: '2026-01-14' }]), {
    '/': /Newest filing: January 14, 2026, 46 days ago\./,
  });
  await assertPages(aRegister([{ filedOn: '2026-01-15' }]), { '/': no(/Newest filing: January 15, 2026, /) });
});

test('a search after the newest filing leads to the month and year of that filing, with their counts', () =>
  assertPages(BAKERIES, {
    '/?filed_from=2026-02-25': [
      /\?filed_from=2026-02-01&amp;filed_to=2026-02-28" rel="nofollow">2 businesses in February 2026</,
      /\?filed_from=2026-01-01&amp;filed_to=2026-12-31" rel="nofollow">2 businesses in 2026</,
    ],
  }));

test('a list says how many of its businesses are marked closed, and leads to them', async () => {
  const marked =
    /<a href="\/\?status=closed&amp;filed_from=2000-01-01#found" rel="nofollow">Marked as closed: 1 of 4\.</;
  await assertPages(BAKERIES, {
    '/': no(/Marked as closed/),
    '/?filed_from=2000-01-01': marked,
    '/?status=closed&filed_from=2000-01-01': /: 1 of 4 is marked closed</,
    '/?status=open': no(/Marked as closed/),
    '/?status=closed': [
      /<p class="doubt"><span>The dates show when a business registered, not when it closed\.</,
      no(/Marked as closed/),
    ],
  });
  for (const status of ['open', 'expired'] as const)
    await assertPages(aRegister([{ status }]), { '/?filed_from=2000-01-01': no(/Marked as closed/) });
});

test('each further value of a chosen filter has its own count', () =>
  assertPages(BAKERIES, {
    '/?neighborhood=Naples&filed_from=2001-01-01': [
      /aria-current="true"><bdi>Naples<\/bdi><\/a> <span class="count">2</,
      /<bdi>Wrigley<\/bdi><\/a> <span class="count">2</,
    ],
  }));

test('people can share a search from the line under its heading, and follow it unless the register has ended', async () => {
  const panel = /<details id="take"><summary>Share<(?:(?!<\/details>).)*/s.source;
  await assertPages(BAKERIES, {
    bakery: [
      new RegExp(`${panel}>Feed</a>`, 's'),
      /<details id="take">.*take-link.*Copy link.*data-send=.*\/chart\.png.*\/feeds.*Data and embedding.*by=month.*by=neighborhood.*by=category.*\/api\/search\?q=bakery/s,
    ],
    '/changes?q=bakery':
      /take-link.*\/changes\?q=bakery&amp;filed_from=.*\/chart\.png\?q=bakery&amp;filed_from=.*take-data(?!.*api\/search)/s,
  });
  await assertPages(ARCHIVE, { bakery: [new RegExp(panel, 's'), no(new RegExp(`${panel}feed`, 's'))] });
});

test('each listing leads to a message with its name and date', async () => {
  const page = await pageOf('bakery');
  const links = [...page.matchAll(/<a href="(\/correct\?[^"]*)" rel="nofollow">Report a mistake</g)];
  assert.match(
    page,
    /<a href="https:\/\/duckduckgo\.com\/\?q=Crumb%20Bakery%20Rivermouth" rel="nofollow noreferrer">Search the web</,
  );
  const pathIn = ([, href]: RegExpMatchArray) => href!.replaceAll('&amp;', '&');
  const names = [...page.matchAll(/<b class="name"><bdi>([^<]*)</g)].map(([, name]) => name!);
  assert.deepEqual([links.length, names[1]], [3, 'Harbor Bakery']);
  await assertPages(BAKERIES, {
    [pathIn(/<a href="([^"]*as=typed)" rel="nofollow">Link</.exec(page)!)]:
      /<h1 id="found"[^>]*>Crumb Bakery<\/h1>.*<details open>.*Wrigley<\/span>/s,
    [pathIn(links[1]!)]: [
      /This is all that we show about this business:<.*<bdi>Harbor Bakery<\/bdi><\/b>.*Cafes &amp; Bakeries, /,
      /body=Name%20of%20the%20business%3A%20Harbor%20Bakery%0ADate%20shown%20with%20it%3A%20February%C2%A020%2C%C2%A02026%0APage%3A%20http/,
    ],
    // a search names no business
    '/correct?q=bakery': /<h1>Corrections and removals<\/h1><p>Write to /,
  });
});

test('words of an address are neither names nor suggestions, and one alone leads to the neighborhoods', () => {
  const noName = no(/businesses? for “(?:\d+|street)”/);
  return assertPages(BAKERIES, {
    '90802': [
      /because the listings have no ZIP codes\. Choose a neighborhood instead\./,
      /Choose a neighborhood<\/h2><ul class="counted"><li><a href="\/\?neighborhood=Naples"/,
    ],
    '(562) 555-0134': noName,
    '562-555-0134': /because the listings have no addresses or phone numbers, only/,
    '123 main street': noName,
    'harbor street 4': noName,
  });
});

test('people can follow a search by feed, and by email if the email has the same choices', () =>
  assertPages(SHOPS, {
    '/?q=shop&neighborhood=Unknown&offset=25': [
      /<a href="\/feeds\?q=shop&amp;neighborhood=Unknown" rel="nofollow">Feed<\/a>/,
      /<a href="\/signup\?neighborhood=Unknown">/,
      no(/href="\/signup[^"]*q=/),
    ],
    '/?neighborhood=Unknown':
      /name="neighborhoods" value="Unknown">.*<p class="note">You will get only this: New businesses in Rivermouth, Neighborhood unknown\.<\/p>.*href="\/signup\?neighborhood=Unknown"/s,
    '/signup?neighborhood=Unknown': /value="Unknown" checked/,
  }));

test('the page of feeds keeps all parts of a search', async () => {
  const search = 'q=shop&amp;category=Restaurants&amp;category=Cafes&amp;neighborhood=Naples';
  await assertPages(BAKERIES, {
    [`/feeds?${search.replaceAll('&amp;', '&')}`]: [
      new RegExp(`/feed\\.xml\\?${search}</textarea>`),
      new RegExp(`href="/\\?${search}">See these listings</a>`),
    ],
  });
});

test('every offer of the signup links to past weekly emails', async () => {
  const past =
    /<figure class="sheet.*<a href="\/weekly\/2026-11-16">See the edition of November\s16,\s2026</s;
  await assertPages({ subscriptions, catalogue: anIndex(someRows(60)) }, { '/': past, '/signup': past });
  const early = { subscriptions, ...aRegister([{}]) };
  await assertPages(early, {
    '/signup': [
      /An edition of the newest week would look like this\./,
      no(/See the edition/), // there is none yet
    ],
  });
});

test('only listings that closed or expired have a mark, and the others say their status when they are opened', async () => {
  const statuses = ['open', 'unknown', 'closed', 'expired', 'abandoned'] as const;
  const page = await pageOf('/', aRegister(statuses.map((status) => ({ name: status, status }))));
  const textsOf = (part: RegExp) => Array.from(page.matchAll(part), ([, text]) => text);
  assert.deepEqual(textsOf(/<span class="badge">([^<]*)</g), ['name given up', 'closed', 'license expired']);
  assert.deepEqual(textsOf(/<p class="does"><span class="note">([^<]*)</g), [
    'no closing on record',
    'status unknown',
  ]);
});

test('the page says how many rows of the register are left out and why, and names no rare reason', async () => {
  const skipped = new Map([
    ['personal name', 6425],
    ['of Ann Example', 9],
    ['landlord', 26_723],
  ]);
  const given = { leftOut: () => ({ read: 89_245, skipped, rejected: 2 }) };
  const landlord = [
    /<p class="doubt"><span>We leave out some of the 89,245 rows of the register on purpose: “landlord” \(26,723\), because renting out a building does not open a new business there\.</,
    no(/own name|Nothing matches all of this/),
  ];
  await assertPages(given, {
    '/': /"Search 4 registered businesses from public filings\. The newest filing is from February 21, 2026\.".*We leave out 33,159 of the 89,245 rows of the register\./s,
    zebrafish:
      /We leave out 33,159 of the 89,245 rows of the register\. <a href="\/about#omitted">Why a business can be missing/,
    'zzyzx bakery in naples': /No business matches “zzyzx bakery”.*We leave out 33,159 of the 89,245 rows/s,
    landlord,
    Landlords: landlord,
    'ann example': no(/of Ann Example/),
    '/about':
      /We show 4 businesses\. The newest filing is from February 21, 2026\..*<p>We leave out 33,159 of the 89,245 rows of the register\. They are not new businesses/s,
  });
  const about = await pageOf('/about', given);
  const numbersIn = (rows: RegExp) => Array.from(about.matchAll(rows), ([, name, n]) => `${name} ${n}`);
  await assertPages(BAKERIES, { '/': no(/left out/) });
  assert.deepEqual(numbersIn(/<th scope="row">([^<]*)<\/th><td>([−\d,]+)</g), [
    'Rows in the register 89,245',
    'landlord −26,723',
    'business in a person’s own name −6,425',
    'damaged rows −2',
    'other reasons −9',
    'Rows used 56,086',
    'renewals and repeat filings of the same business −56,082',
    'Businesses shown 4',
  ]);
});

test('“new this week” shows recent filings, and no old filings that were published late', () => {
  const rows = [
    { filedOn: '2026-11-16' },
    { filedOn: '2026-11-15', status: 'closed' },
    { filedOn: '2019-05-05', isNews: false },
  ] as const;
  const register = aRegister(
    rows.map((one) => ({ ...one, arrivedAt: '2026-11-19T00:00:00.000Z' })),
    {
      day: '2026-11-20',
    },
  );
  return assertPages(register, {
    '/': /<h1 [^>]*><a [^>]*><b>2<\/b> businesses registered in 2026, to November 16</, // named by its dates
    '/?filed_from=2026-11-10': /id="found"[^>]*>2 businesses since November 10, 2026</,
  });
});

test('the page /about begins with links to its sections, and has no form', async () => {
  const page = await pageOf('/about', { subscriptions });
  assert.match(page, /<h1>About this data<\/h1>/);
  assert.match(page, /<a href="\/about">About<\/a><\/nav>/);
  const links = [...page.matchAll(/<li><a href="#(\w+)">([^<]*)<\/a><\/li>/g)];
  const sections = ['source', 'facts', 'omitted', 'correct', 'email', 'terms'];
  assert.deepEqual(
    links.map(([, id]) => id),
    sections,
  );
  for (const [, id, title] of links) assert.ok(page.includes(`<section id="${id}"><h2>${title}</h2>`), id!);
  assert.doesNotMatch(page, /<form|Rows in the register/);
  assert.match(page, /We show no addresses, because many of them are homes/);
  const [source] = CITY.sources;
  const from = (...sources: typeof CITY.sources) => ({ city: { ...CITY, sources } });
  await assertPages(from({ ...source!, terms: 'https://cc.example/zero' }), {
    '/about': [
      /License: <a href="https:\/\/cc\.example\/zero" rel="nofollow">CC0<\/a>\./,
      /<th scope="row">no closing on record \(\d+\)<\/th>/,
    ],
  });
  const often = { 'at least once a day': [24, 720], 'every 7 days': [720, 168], 'every 2 days': [48] };
  for (const [said, hours] of Object.entries(often)) {
    const read = from(...hours.map((everyHours) => ({ ...source!, everyHours })));
    await assertPages(read, { '/about': new RegExp(`We read the register ${said}\\.`) });
  }
});
