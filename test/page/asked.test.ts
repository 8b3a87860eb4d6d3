/** Questions in the search box that the page answers with a sentence: about a business, homes, change and days. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { random } from '../../cities/sample/random.ts';
import { addDays } from '../../src/shared/day.ts';
import { jsonOf } from '../an-answer.ts';
import { atDepth, seedFrom } from '../depth.ts';
import { aDoor, CITY } from '../service/web/a-door.ts';
import { aRegister, assertPages, BAKERIES, no, pageOf, times } from './a-page.ts';

const BY_REGISTRATION = 'The dates show when a business registered, not when it closed.';
const CLOSED = `Dough Bakery, registered March 1, 2024: closed (as filed). We leave out filings of moves and of new owners, so a business marked as closed may go on elsewhere. ${BY_REGISTRATION}`;

test('the answer to a question about a business is its status as filed, and never more than the register shows', () =>
  assertPages(BAKERIES, {
    'is Harbor Bakery still open?': `By the register, yes: Harbor Bakery, registered February 20, 2026: no closing on record by February 21, 2026. ${BY_REGISTRATION}`,
    'is Dough Bakery closed': CLOSED,
    'is Dough Bakery still open': [CLOSED, /name="q" value="is Dough Bakery still open"/],
    'Harbor Bakery': '1 business matching “Harbor Bakery”',
    // a kind of business
    'are cafes and bakeries open?':
      '2 cafes and bakeries: no closing on record The register has no opening hours and does not say what is open now.',
    // an unknown business, never all businesses
    'is Lone Wolf in Naples open?': [
      /id="found"[^>]*>No business named “Lone Wolf”/,
      /The business may be registered under another name\./,
      no(/href="[^"]*status=/),
    ],
    'lone wolf closed': no(/href="[^"]*status=/),
  }));

test('of businesses whose names have the words of a question, all are answered if they are few, and else those with the same name', async () => {
  const answered = async (...names: string[]) => {
    const rows = names.map((name) => ({ name, status: 'closed', filedOn: '2026-02-20' }) as const);
    const page = await pageOf('is Quay Books open', aRegister(rows));
    const [, answer = ''] = /id="answer"[^>]*>(.*?)id="source"/s.exec(page) ?? [];
    return Array.from(answer.matchAll(/>([^<>]*), registered February/g), ([, name]) => name).toSorted();
  };
  assert.deepEqual(await answered('Quay Books', 'Quay Books Annex'), ['Quay Books', 'Quay Books Annex']);
  const many = ['Annex', 'Cafe', 'Garden', 'Print'].map((more) => `Quay Books ${more}`);
  assert.deepEqual(await answered('Quay Books', ...many), ['Quay Books']);
  const branches = ['Quay Books', 'Quay Books #2', 'Quay Books No. 3', 'Quay Books Store 4'];
  assert.deepEqual(await answered(...branches), [], 'branches are counted');
  await assertPages(aRegister(branches.map((name) => ({ name }))), {
    'is Quay Books open': /This register does not record when a business closes\./,
  });
});

const COFFEE = ['Alder Coffee', 'Brick Cafe', 'Cove Coffee', 'Dell Bread'];

test('a comparison by the words of a kind leads to the whole kind', () =>
  assertPages(
    aRegister([{ name: 'Elm' }, ...COFFEE.map((name) => ({ name, category: 'Cafes & Bakeries' }))]),
    {
      'more restaurants than coffee shops': /The whole kind is <a href="[^"]*category=Cafes[^"]*"[^>]*>4 /,
    },
  ));

test('an answer leads to its chart and its numbers, but not to those of a status of one business', async () => {
  const inAnswer = (address: string) =>
    new RegExp(`id="answer"(?:(?!</section>).)*get" href="${address}`, 's');
  const [chart, numbers] = [inAnswer('/chart.png'), inAnswer('/api/stats.csv')];
  await assertPages(BAKERIES, {
    'how many bakeries in 2026': [chart, numbers],
    'how many bakeries are closed': [no(chart), numbers], // the dates are of registrations
    'is Harbor Bakery open': [no(chart), no(numbers)],
  });
});

test('words of questions are never searched for on their own', () =>
  assertPages(aRegister([{ name: 'Of That Sort' }, { name: 'Which Witch' }, { name: 'Bread' }]), {
    'which of that bread zyzzyva':
      /<h1[^>]*>No business matches “bread zyzzyva”<.*<h2 id="listed"><a href="\/\?q=bread"[^>]*>1 business matching “bread”</s,
  }));

test('a question about two kinds in two places adds up or compares two searches, and lists where one has more', () =>
  assertPages(BAKERIES, {
    'bakeries in Naples and cafes in Wrigley':
      '1 business matching “bakeries” in Naples and 2 businesses matching “cafes” in Wrigley The list shows only those in Naples.',
    'more bakeries in Naples or cafes in Wrigley': [
      />2 businesses matching “cafes” registered in Wrigley, 1\smore than “bakeries”, Naples</,
      /<g class="names" aria-hidden="true"><text /,
      no(/id="chosen"/), // the sentence names both sides
    ],
    'which neighborhoods have more bakeries than tailors': [
      /In 1 of the neighborhoods, there are more “bakeries” than “tailors”, above all in Wrigley</,
      /<th scope="row">.*?Wrigley.*?<td>2 and 0<\/td><td[^>]*>\+2\*</s,
    ],
    'which neighborhoods have more tailors than bakeries':
      /None of the neighborhoods has more “tailors” than “bakeries”/,
  }));

const NAMES = ['Starbucks', 'Starbucks', 'Copy Shop', 'Taco Hut', 'Kite'];

test('a misspelled word is corrected with a note, in a question and beside filters, unless it is short', () =>
  assertPages(aRegister(NAMES.map((name) => ({ name }))), {
    'is starbuks still open': [
      /<p class="doubt"><span>Showing results for <strong>“starbucks”<\/strong>\. Few or no businesses match “starbuks”\.<\/span>/,
      />Starbucks, registered [^<.]*\. This register does not record/,
      /name="q" value="is starbuks still open"/,
    ],
    'is copz still open': /No business named “copz”.*Did you mean copy\?/s,
    tacp: /No results for “tacp”.*Did you mean taco\?/s,
    'new resturants':
      /Showing results for <strong>“restaurants”<\/strong>\. Few or no businesses match “resturants”\./,
  }));

test('the page lists the oldest businesses first, and links to the whole list', async () => {
  const oldest = (tied: number) =>
    aRegister(times(30, (i) => ({ name: `Bakery ${i}`, filedOn: addDays('2020-01-01', i < tied ? 0 : i) })));
  const page = await pageOf('the 3 oldest bakeries', oldest(1));
  const names = Array.from(page.matchAll(/class="name"><bdi>(Bakery \d+)</g), ([, name]) => name);
  assert.deepEqual([names.length, ...names.slice(0, 3)], [25, 'Bakery 0', 'Bakery 1', 'Bakery 2']);
  assert.match(page, /Oldest first.*>See the list</s);
  assert.doesNotMatch(page, /offset=/);
  for (const [tied, what] of [
    [1, 'Bakery 0'],
    [2, 'Bakery 0 and Bakery 1'],
    [4, '4 businesses matching “bakery”'],
  ] as const)
    await assertPages(oldest(tied), {
      'oldest bakery': new RegExp(`<h1[^>]*>The oldest on record: ${what}, registered on January 1, 2020<`),
    });
});

test('a question about “near me” offers the neighborhoods', async () => {
  const places = [
    /id="found"[^>]*>Choose your neighborhood</,
    /href="\/\?neighborhood=Naples#found"[^>]*><bdi>Naples<.*id="map"/s,
    /href="#map">/,
    no(/class="ledger"/),
  ];
  await assertPages(BAKERIES, {
    'near me': places,
    'what opened near me': places,
    'on my street': places,
    'new in my area': places,
    'bakery near me': [
      /<p class="doubt" id="here-said"[^>]*>Choose your neighborhood to search near you\.</,
      /id="found"[^>]*>3 businesses matching “bakery”</,
    ],
    '/?q=bakery+near+me&neighborhood=Naples': no(/choose your neighborhood/i),
  });
});

/** Two cafes a year for 22 years, one long before and one in a year that is not over. */
const CAFES = [
  '1916-05-01',
  ...Array.from({ length: 44 }, (_, i) => `${1993 + (i % 22)}-04-10`),
  '2015-02-01',
];

test('the average of a year is the average of the whole years that the bars show', () =>
  assertPages(aRegister(CAFES.map((filedOn, i) => ({ name: `Cafe ${i}`, filedOn }))), {
    'cafe per year': /46 businesses matching “cafe”, about 2 a year \(whole years: 1993\s–\u2060?\s?2014\)</,
    'cafes per month': /, about 0\.2 a month \(/,
    'how many cafes a month': /, about 0\.2 a month \(/,
    'which month do most cafes open': [
      />April has had the most: 44 businesses matching “cafes” registered</,
      /We count each month in whole years only \(1917[^)]*2014\), so that months are/,
    ],
    // from July 2011 to February 1, 2015: seven in 3.6 years, not in five
    'cafes per year since july 2011': /7 businesses matching “cafes” since July 1, 2011, about 1\.9 a year</,
  }));

test('a comparison says beside its numbers that a type with other trades is not counted', async () => {
  const beauty = [
    ...times(20, { type: 'barber beauty booth' }),
    { name: 'Ann Barber' },
    { name: 'Nails by Ann' },
  ];
  const register = aRegister(beauty.map((one) => ({ ...one, category: 'Beauty & Hair' })));
  await assertPages(register, {
    'barbers vs nail salons': [
      /id="caveat">[^<]*We count businesses with “barbers” in their name/,
      /We count businesses with “nails” in their name/,
      no(/(We count businesses.*){3}/s), // once each
      /href="\/\?q=%22Beauty%20%26%20Hair%22" rel="nofollow">See all “Beauty &amp; Hair”/,
    ],
  });
});

test('people who ask for a service are led to where it is', async () => {
  const { catalogue } = aRegister([{ name: 'Alder Bakery', filedOn: '2015-03-01' }]);
  await assertPages(
    { catalogue },
    {
      'please remove my listing': /<a href="\/correct"[^>]*>To correct or remove a business/,
      'email me new bakeries': /<a href="\/signup"[^>]*>To get new businesses by email/,
      'how do I register a business?': /<a href="https:[^>]*>Businesses do not register here but with /,
      bakeries: no(/href="\/correct"[^>]*>To correct/),
    },
  );
  await assertPages(
    { catalogue, city: { ...CITY, language: 'fr' } },
    {
      'prévenez-moi': /<a href="\/signup"[^>]*>Pour recevoir les nouveaux établissements/,
      'créer mon entreprise': /<a href="https:[^>]*>Les entreprises ne s’enregistrent pas ici/,
    },
  );
});

const LAWYERS = aRegister(
  [2014, 2015, 2015, 2015].map((year) => ({ category: 'Legal', filedOn: `${year}-03-01` })),
);

test('a period after the data is not compared as one without businesses', () => {
  const answer = [
    />1 [^<]* registered in 2014; the data ends on March 1, 2015, before 2017</,
    no(/more than|incomplete|>0<\/a>/),
  ];
  return assertPages(LAWYERS, {
    'did more lawyers open in 2017 than in 2014': answer,
    'more lawyers in 2014 or 2017?': answer,
  });
});

test('the answer to a comparison gives both numbers, and says if the difference may be chance', async () => {
  await assertPages(LAWYERS, {
    // the data ends on March 1, 2015: both sides have the same days
    '2015 vs 2014': [
      /id="answer".*3 businesses registered in 2015, 2\smore than in 2014<.*January 1[^M]+March 1 of each year<.*"now">2015<\/dt><dd><a [^>]*>3<.*"was">2014<\/dt><dd><a [^>]*>1<.*<a class="switch" href="\/changes\?filed_from=2015-01-01&amp;filed_to=2015-03-01"[^>]*>See the whole table</s,
      /<p id="caveat">A difference this small could be chance\./,
      /Our listings begin in March 2014, so businesses from before then may be counted as new/,
    ],
    'lawyers in 2010 vs 2011': /id="found"[^>]*>None for 2010, and none for 2011</,
    'which year had the most lawyers':
      /<th scope="row"><a href="[^"]*filed_from=2015-01-01[^>]*>2015<\/a>.*<td>3<.*2014<\/a>.*<td>1</s,
  });
  await assertPages(aRegister(times(228, (i) => ({ filedOn: `${i < 100 ? 2014 : 2015}-03-01` }))), {
    '2015 vs 2014': /128 businesses registered in 2015, 28%\smore than in 2014</,
  });
});

test('the answer for a period without filings names the nearest end of the data', () =>
  assertPages(
    aRegister([
      { filedOn: '2021-03-04' },
      { filedOn: '2022-05-06' },
      { filedOn: '2022-05-05', status: 'closed' },
    ]),
    {
      '/?filed_to=1901':
        /No matching business registered in this period\. The oldest registered in March 2021\./,
      '/?filed_from=2021-06&filed_to=2021-07':
        /No matching business registered in this period\. The newest registered on May 6, 2022\./,
      // one registered in that year, and its status has no day
      '/?filed_from=2021&filed_to=2021&status=closed': [
        /The dates show when a business registered, not when it closed\./,
        no(/registered in this period/),
      ],
    },
  ));

test('if a register records no closings, a search for them leads to the statuses that it records', async () => {
  const register = aRegister([{ category: 'Legal' }, { category: 'Legal', status: 'abandoned' }]);
  const meaning = 'The owner gave up the registered name\\. The business may have closed';
  await assertPages(register, {
    '/?category=Legal&status=closed': [
      /<h1[^>]*>This register does not record when a business closes\.<\/h1>/,
      /<li><a [^>]*>1 legal practice: name given up<.*<li><a [^>]*>2 legal practices</s,
      no(/(?:<li><a [^>]*rel="nofollow">\d.*){3}/s),
      new RegExp(`name given up</a> <span class="note">${meaning}`),
    ],
    '/?category=Legal&status=abandoned': new RegExp(`<p class="doubt"><span>${meaning}`),
  });
});

test('a question about businesses run from home shows all businesses, and a sentence explains it', () =>
  assertPages(BAKERIES, {
    'home businesses': [
      /id="found"[^>]*>Our listings do not say which businesses are run from home<.*They are in this list, without an address\./s,
      /<bdi>Harbor Bakery/,
    ],
  }));

test('a question about a name of many businesses is answered with their numbers by status', () => {
  const many = (search: string) => {
    const linked = (status: string, name: string, n: number) =>
      `<a href="${RegExp.escape(`/?${search}&amp;status=${status}`)}" rel="nofollow"><bdi>${name}</bdi></a> <span class="count">${n}<.*?`;
    const both = [linked('open', 'No closing on record', 4), linked('closed', 'Closed', 2)];
    return new RegExp(`<div class="shown">.*?${both.join('')}<p id="caveat">`, 's');
  };
  const wolves = times(6, (i) => ({
    name: 'Lone Wolf',
    status: i < 2 ? 'closed' : 'open',
    neighborhood: 'Naples',
  }));
  return assertPages(aRegister([...wolves, { name: 'Brisk’s Fox', filedOn: '2026-02-20' }]), {
    'is Lone Wolf still open?': [
      many('q=Lone%20Wolf'),
      /<h1[^>]*>By the register, mostly yes: 4 of 6 businesses matching “Lone Wolf” have no closing on record</,
    ],
    'is the lone wolf in naples still open?': many('q=lone%20wolf&amp;neighborhood=Naples'),
    'is the lone wolf on 4th street closed': [many('q=lone%20wolf'), /We ignored “4th street” because/],
    'is the brisks fox open':
      /<h1 id="found"[^>]*>By the register, yes: Brisk’s Fox, registered February 20, 2026: no closing on record by February 20, 2026\.</,
  });
});

test('the page says when it counts days back from late data, and names filters that find nothing', () =>
  assertPages(
    aRegister([
      { neighborhood: 'Naples', filedOn: '2025-10-06' },
      { category: 'Legal', neighborhood: 'Wrigley', filedOn: '2025-09-06' },
    ]),
    {
      'restaurants this month': [
        /id="found"[^>]*>1 restaurant in October 2025</,
        /The data ends on October 6, 2025\./,
      ],
      'restaurants in 2025': no(/The data ends/),
      'expired licenses in naples': [
        /id="found"[^>]*>No results in Naples: license expired</,
        /href="\/\?neighborhood=Naples" rel="nofollow">1 business in Naples</,
      ],
    },
  ));

test('the answer to a question about change lists what changed most, and leads to the comparison', async () => {
  const rows = ['2025', '2025', '2024', '2026', '2026', '2026'].map((year, i) => ({
    category: i > 2 ? 'Dental' : 'Legal',
    filedOn: `${year}-02-0${i + 1}`,
  }));
  const inNaples = rows.map((row) => ({ ...row, neighborhood: 'Naples' }));
  await assertPages(aRegister(rows), {
    'what grew most': [
      />Nothing clearly grew: Dental rose most, from 0 to 3 regis.*Year to February 6, 2026, and the year before</s,
      /<h2 id="listed">3 dental practices<.*<h2 id="map"[^>]*>Dental: change by neighborhood</s,
    ],
  });
  await assertPages(aRegister([...rows, ...times(9, { category: 'Dental', filedOn: '2026-02-06' })]), {
    'what grew most': [
      />Dental grew most, from 0 to 12 registrations</,
      no(/id="chosen"/), // nobody chose it
    ],
  });
  await assertPages(aRegister(inNaples), {
    'what grew most in naples': />New businesses in Naples\. Year to February 6, 2026, and the year before</,
  });
  await assertPages(BAKERIES, {
    'which neighborhoods grew most': [
      /<h1 id="found"[^>]*>Nothing grew<.*<th scope="row">/s,
      /<a class="switch" href="\/changes\?[^"]*" [^>]*>See the whole table</,
    ],
    'which kinds of business grew most in naples':
      /<a class="switch" href="\/changes\?neighborhood=Naples[^"]*" [^>]*>See the whole table</,
  });
});

const PIECES = [
  'harbor|bakery|bakeries|naples|wrigley|tailor|cafes|laundry|dough|zzyzx|bakry|not|or|and|without',
  '-dough|OR|"naples tailor"|in|on|near me|elm street|new|2026|2015|since|before|last month|vs',
  'more|than|most|which neighborhood|oldest|closed|open|is|still open?|how many|trend of|,|/',
  'home based|best|the|tailr',
].flatMap((some) => some.split('|'));

test('the total of a page equals the total of the API, or of the query that its warning gives', async (t) => {
  const { get } = await aDoor(t, { ...BAKERIES, limits: 'off' });
  const next = random(seedFrom(20_261_128));
  const totalOf = async (path: string) => {
    type Found = { total: number; warnings?: { href?: string }[] };
    const { total, warnings = [] } = await jsonOf<Found>(get(path));
    return { total, href: warnings.find(({ href }) => href !== undefined)?.href };
  };
  for (let i = 0; i < atDepth(100, 2_000); i++) {
    const words = Array.from(
      { length: 1 + Math.floor(next() * 5) },
      () => PIECES[Math.floor(next() * PIECES.length)],
    );
    const q = words.join(' ');
    const page = await (await get(`/?q=${encodeURIComponent(q)}`)).text();
    const shown = /<a href="(\/api\/search[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
    const onPage = shown === undefined ? 0 : (await totalOf(shown)).total;
    const { total, href } = await totalOf(`/api/search?limit=0&q=${encodeURIComponent(q)}`);
    const meant = href === undefined ? total : (await totalOf(href)).total;
    const said = `${q}: ${onPage} on the page, ${total} in the API, ${meant} meant`;
    assert.ok([total, meant].includes(onPage), said);
  }
});
