/** Questions in the search box that the page answers with a sentence: about a business, homes, change and days. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { random } from '../../cities/sample/random.ts';
import { atDepth, seedFrom } from '../depth.ts';
import { aRow, catalogueOf } from '../service/search/made-up.ts';
import { aDoor, CITY } from '../service/web/a-door.ts';
import { pageOf, ROWS } from './a-page.ts';

test('the answer to a question about a business is its status as filed, and never more than the register shows', async () => {
  const answer = async (q: string) => {
    const page = await pageOf(`/?q=${encodeURIComponent(q)}`);
    return [
      ...(/id="answer".*?>(<h1.*?)<p id="caveat">/s.exec(page)?.[1]?.matchAll(/<(?:h1|p)[^>]*>([^<]*)/g) ??
        []),
    ].map(([, one]) => one);
  };
  assert.deepEqual(await answer('is Harbor Bakery still open?'), [
    'By the register, yes: Harbor Bakery, registered February 20, 2026: no closing on record by February 21, 2026.',
  ]);
  assert.match(
    String(await answer('is Dough Bakery closed')),
    /^Dough Bakery, registered [^:]+: closed \(as filed\)\.$/,
  );
  const moved = /a business marked as closed may go on elsewhere/;
  assert.match(await pageOf('/?q=is+Dough+Bakery+still+open'), moved);
  assert.doesNotMatch(await pageOf('/?q=is+Harbor+Bakery+still+open'), moved);
  assert.deepEqual(await answer('Harbor Bakery'), []);
  assert.deepEqual(await answer('are cafes and bakeries open?'), [], 'a kind of business');
  assert.match(await pageOf('/?q=is+Dough+Bakery+open'), /name="q" value="is Dough Bakery open"/);
});

test('a question about an unknown business keeps its name, and never becomes a question about all businesses', async () => {
  const page = await pageOf('/?q=is+Lone+Wolf+in+Naples+open%3F');
  assert.match(page, /id="found"[^>]*>No business named “Lone Wolf”/);
  assert.match(page, /The business may be registered under another name\./);
  assert.doesNotMatch(page, /href="[^"]*status=/);
  assert.doesNotMatch(await pageOf('/?q=lone+wolf+closed'), /href="[^"]*status=/, 'not a question');
});

test('of businesses whose names have the words of a question, all are answered if they are few, and else those with the same name', async () => {
  const named = (names: readonly string[]) =>
    catalogueOf(names.map((name, i) => aRow({ key: `${i}`, name, status: 'closed', filedOn: '2026-02-20' })));
  const answered = async (...names: string[]) => {
    const page = await pageOf('/?q=is+Quay+Books+open', { catalogue: named(names) });
    const [, answer = ''] = /id="answer"[^>]*>(.*?)id="source"/s.exec(page) ?? [];
    return Array.from(answer.matchAll(/>([^<>]*), registered February/g), ([, name]) => name).toSorted();
  };
  assert.deepEqual(await answered('Quay Books', 'Quay Books Annex'), ['Quay Books', 'Quay Books Annex']);
  const many = ['Annex', 'Cafe', 'Garden', 'Print'].map((more) => `Quay Books ${more}`);
  assert.deepEqual(await answered('Quay Books', ...many), ['Quay Books']);
  const branches = ['Quay Books', 'Quay Books #2', 'Quay Books No. 3', 'Quay Books Store 4'];
  assert.deepEqual(await answered(...branches), [], 'branches are counted');
  const open = catalogueOf(branches.map((name) => aRow({ key: name, name })));
  assert.match(
    await pageOf('/?q=is+Quay+Books+open', { catalogue: open }),
    /This register does not record when a business closes\./,
  );
});

test('a comparison by the words of a kind leads to the whole kind', async () => {
  const names = ['Alder Coffee', 'Brick Cafe', 'Cove Coffee', 'Dell Bread', 'Elm Grill'];
  const rows = names.map((name, i) =>
    aRow({ key: name, name, category: i < 4 ? 'Cafes & Bakeries' : 'Restaurants' }),
  );
  const page = await pageOf('/?q=more+restaurants+than+coffee+shops', { catalogue: catalogueOf(rows) });
  assert.match(page, /The whole kind is <a href="[^"]*category=Cafes[^"]*"[^>]*>4 /);
});

test('an answer leads to its chart and its numbers, but not to those of a status of one business', async () => {
  const links = async (path: string) => {
    const page = await pageOf(path);
    const [answer = ''] = /<section[^>]*id="answer".*?<\/section>/s.exec(page) ?? [];
    return ['/chart.png', '/api/stats.csv'].map((one) => answer.includes(`get" href="${one}`));
  };
  assert.deepEqual(await links('/?q=how+many+bakeries+in+2026'), [true, true]);
  assert.deepEqual(
    await links('/?q=how+many+bakeries+are+closed'),
    [false, true],
    'the dates are of registrations',
  );
  assert.deepEqual(await links('/?q=is+Harbor+Bakery+open'), [false, false]);
});

test('words of questions are never searched for on their own', async () => {
  const rows = ['Of That Sort', 'Which Witch', 'Bread'].map((name, i) => aRow({ key: `${i}`, name }));
  const page = await pageOf('/?q=which+of+that+bread+zyzzyva', { catalogue: catalogueOf(rows) });
  assert.match(
    page,
    /<h1[^>]*>No business matches “bread zyzzyva”<.*<h2 id="listed"><a href="\/\?q=bread"[^>]*>1 business matching “bread”</s,
  );
});

test('a question about two kinds in two places adds up or compares two searches', async () => {
  const page = async (q: string) => await pageOf(`/?q=${encodeURIComponent(q)}`);
  const sum = await page('bakeries in Naples and cafes in Wrigley');
  assert.match(
    sum,
    />1 business matching “bakeries” in Naples and 2 businesses matching “cafes” in Wrigley</,
  );
  assert.match(sum, /The list shows only those in Naples\./);
  const contest = await page('more bakeries in Naples or cafes in Wrigley');
  assert.match(
    contest,
    />2 businesses matching “cafes” registered in Wrigley, 1\smore than “bakeries”, Naples</,
  );
  assert.doesNotMatch(contest, /id="chosen"/, 'the sentence names both sides');
  assert.match(contest, /<g class="names" aria-hidden="true"><text /);
});

test('a misspelled name in a question is corrected with a note, unless it is short', async () => {
  const rows = ['Starbucks', 'Starbucks', 'Copy Shop'].map((name, i) => aRow({ key: `${i}`, name }));
  const catalogue = catalogueOf(rows);
  const page = await pageOf('/?q=is+starbuks+still+open', { catalogue });
  assert.match(
    page,
    /<p class="doubt"><span>Showing results for <strong>“starbucks”<\/strong>\. Few or no businesses match “starbuks”\.<\/span>/,
  );
  assert.match(page, />Starbucks, registered [^<.]*\. This register does not record/);
  assert.match(page, /name="q" value="is starbuks still open"/);
  const short = await pageOf('/?q=is+copz+still+open', { catalogue });
  assert.match(short, /No business named “copz”.*Did you mean copy\?/s);
});

test('a short word is never corrected, and a correction beside filters has a note', async () => {
  const rows = [
    aRow({ key: 'a', name: 'Taco Hut' }),
    aRow({ key: 'b', name: 'Kite', category: 'Restaurants' }),
  ];
  const catalogue = catalogueOf(rows);
  const short = await pageOf('/?q=tacp', { catalogue });
  assert.match(short, /No results for “tacp”.*Did you mean taco\?/s);
  const filters = await pageOf('/?q=new+resturants', { catalogue });
  assert.match(
    filters,
    /Showing results for <strong>“restaurants”<\/strong>\. Few or no businesses match “resturants”\./,
  );
});

test('the page lists the oldest businesses first, and links to the whole list', async () => {
  const rows = Array.from({ length: 30 }, (_, i) =>
    aRow({
      key: `${i}`,
      name: `Bakery ${i}`,
      filedOn: `2020-${i < 15 ? '01' : '02'}-${String(1 + (i % 15)).padStart(2, '0')}`,
    }),
  );
  const page = await pageOf('/?q=the+3+oldest+bakeries', { catalogue: catalogueOf(rows) });
  const names = Array.from(page.matchAll(/class="name"><bdi>(Bakery \d+)</g), ([, name]) => name);
  assert.deepEqual([names.length, ...names.slice(0, 3)], [25, 'Bakery 0', 'Bakery 1', 'Bakery 2']);
  assert.match(
    page,
    /<h1[^>]*>The oldest on record: Bakery 0, registered on January 1, 2020<.*Oldest first.*>See the list</s,
  );
  assert.doesNotMatch(page, /offset=/);
  for (const [days, what] of [
    [2, 'Bakery 0 and Bakery 1'],
    [4, '4 businesses matching “bakery”'],
  ] as const) {
    const tied = rows.map((row, i) => (i < days ? { ...row, filedOn: '2020-01-01' } : row));
    const first = await pageOf('/?q=oldest+bakery', { catalogue: catalogueOf(tied) });
    assert.match(first, new RegExp(`<h1[^>]*>The oldest on record: ${what}, registered on January 1, 2020<`));
  }
});

test('the answer to “where are more of one kind than of another” lists exactly these places', async () => {
  const page = await pageOf('/?q=which+neighborhoods+have+more+bakeries+than+tailors');
  assert.match(
    page,
    /In 1 of the neighborhoods, there are more “bakeries” than “tailors”, above all in Wrigley</,
  );
  assert.match(page, /<th scope="row">.*?Wrigley.*?<td>2 and 0<\/td><td[^>]*>\+2\*</s);
  const none = await pageOf('/?q=which+neighborhoods+have+more+tailors+than+bakeries');
  assert.match(none, /None of the neighborhoods has more “tailors” than “bakeries”/);
});

test('a question about “near me” offers the neighborhoods', async () => {
  for (const q of ['near+me', 'what+opened+near+me', 'on+my+street', 'new+in+my+area']) {
    const page = await pageOf(`/?q=${q}`);
    assert.match(page, /id="found"[^>]*>Choose your neighborhood</, q);
    assert.match(page, /href="\/\?neighborhood=Naples#found"[^>]*><bdi>Naples<.*id="map"/s, q);
    assert.match(page, /href="#map">/, q);
    assert.doesNotMatch(page, /class="ledger"/, q);
  }
  const more = await pageOf('/?q=bakery+near+me');
  assert.match(more, /<p class="doubt" id="here-said"[^>]*>Choose your neighborhood to search near you\.</);
  assert.match(more, /id="found"[^>]*>3 businesses matching “bakery”</);
  assert.doesNotMatch(await pageOf('/?q=bakery+near+me&neighborhood=Naples'), /choose your neighborhood/);
});

test('the average of a year is the average of the whole years that the bars show', async () => {
  // two a year for 22 years, one long before and one in a year that is not over
  const days = [
    '1916-05-01',
    ...Array.from({ length: 44 }, (_, i) => `${1993 + (i % 22)}-04-10`),
    '2015-02-01',
  ];
  const rows = days.map((filedOn, i) => aRow({ key: `${i}`, name: `Cafe ${i}`, filedOn }));
  const page = await pageOf('/?q=cafe+per+year', { catalogue: catalogueOf(rows) });
  assert.match(page, /46 businesses matching “cafe”, about 2 a year \(whole years: 1993\s–\u2060?\s?2014\)</);
  for (const q of ['cafes+per+month', 'how+many+cafes+a+month'])
    assert.match(await pageOf(`/?q=${q}`, { catalogue: catalogueOf(rows) }), /, about 0\.2 a month \(/, q);
  const months = await pageOf('/?q=which+month+do+most+cafes+open', { catalogue: catalogueOf(rows) });
  assert.match(months, />April has had the most: 44 businesses matching “cafes” registered</);
  assert.match(months, /We count each month in whole years only \(1917[^)]*2014\), so that months are/);
  // from July 2011 to February 1, 2015: seven in 3.6 years, not in five
  const since = await pageOf('/?q=cafes+per+year+since+july+2011', { catalogue: catalogueOf(rows) });
  assert.match(since, /7 businesses matching “cafes” since July 1, 2011, about 1\.9 a year</);
});

test('a comparison says beside its numbers that a type with other trades is not counted', async () => {
  const rows = Array.from({ length: 20 }, (_, i) =>
    aRow({ key: `t${i}`, name: `Chair ${i}`, category: 'Beauty & Hair', type: 'barber beauty booth' }),
  );
  rows.push(aRow({ key: 'b', name: 'Ann Barber', category: 'Beauty & Hair' }));
  rows.push(aRow({ key: 'n', name: 'Nails by Ann', category: 'Beauty & Hair' }));
  const page = await pageOf('/?q=barbers+vs+nail+salons', { catalogue: catalogueOf(rows) });
  assert.match(page, /id="caveat">[^<]*We count businesses with “barbers” in their name/);
  assert.match(page, /We count businesses with “nails” in their name/);
  assert.equal(page.split('We count businesses').length, 3, 'once each');
  assert.match(page, /href="\/\?q=%22Beauty%20%26%20Hair%22" rel="nofollow">See all “Beauty &amp; Hair”/);
});

test('people who ask for a service are led to where it is', async () => {
  const catalogue = catalogueOf([aRow({ name: 'Alder Bakery', filedOn: '2015-03-01' })]);
  for (const [q, language, link] of [
    ['please remove my listing', 'en', /<a href="\/correct"[^>]*>To correct or remove a business/],
    ['email me new bakeries', 'en', /<a href="\/signup"[^>]*>To get new businesses by email/],
    ['how do I register a business?', 'en', /<a href="https:[^>]*>Businesses do not register here but with /],
    ['prévenez-moi', 'fr', /<a href="\/signup"[^>]*>Pour recevoir les nouveaux établissements/],
    ['créer mon entreprise', 'fr', /<a href="https:[^>]*>Les entreprises ne s’enregistrent pas ici/],
  ] as const) {
    const page = await pageOf(`/?q=${encodeURIComponent(q)}`, {
      catalogue,
      ...(language === 'fr' && { city: { ...CITY, language } }),
    });
    assert.match(page, link, q);
  }
  assert.ok(!/href="\/correct"[^>]*>To correct/.test(await pageOf('/?q=bakeries', { catalogue })));
});

test('a period after the data is not compared as one without businesses', async () => {
  const rows = ['2014-03-01', '2015-03-01'].map((filedOn, i) =>
    aRow({ key: `${i}`, name: `Shop ${i}`, category: 'Legal', filedOn }),
  );
  const catalogue = catalogueOf(rows);
  for (const q of ['did more lawyers open in 2017 than in 2014', 'more lawyers in 2014 or 2017?']) {
    const page = await pageOf(`/?q=${encodeURIComponent(q)}`, { catalogue });
    assert.match(page, />1 [^<]* registered in 2014; the data ends on March 1, 2015, before 2017</, q);
    assert.ok(!/more than|incomplete|>0<\/a>/.test(page), q);
  }
});

test('the answer to a comparison gives both numbers, and says if the difference may be chance', async () => {
  const rows = [2014, 2015, 2015, 2015].map((year, i) =>
    aRow({ key: `${i}`, name: `Shop ${i}`, category: 'Legal', filedOn: `${year}-03-01` }),
  );
  const page = await pageOf('/?q=2015+vs+2014', { catalogue: catalogueOf(rows) });
  // the data ends on March 1, 2015: both sides have the same days
  assert.match(
    page,
    /id="answer".*3 businesses registered in 2015, 2\smore than in 2014<.*January 1[^M]+March 1 of each year<.*"now">2015<\/dt><dd><a [^>]*>3<.*"was">2014<\/dt><dd><a [^>]*>1<.*<a class="switch" href="\/changes\?filed_from=2015-01-01&amp;filed_to=2015-03-01"[^>]*>See the whole table</s,
  );
  assert.match(page, /<p id="caveat">A difference this small could be chance\./);
  const many = Array.from({ length: 228 }, (_, i) =>
    aRow({ key: `${i}`, filedOn: `${i < 100 ? 2014 : 2015}-03-01` }),
  );
  assert.match(
    await pageOf('/?q=2015+vs+2014', { catalogue: catalogueOf(many) }),
    /128 businesses registered in 2015, 28%\smore than in 2014</,
  );
  const none = await pageOf('/?q=lawyers+in+2010+vs+2011', { catalogue: catalogueOf(rows) });
  assert.match(none, /id="found"[^>]*>None for 2010, and none for 2011</);
  assert.match(
    page,
    /Our listings begin in March 2014, so businesses from before then may be counted as new/,
  );
  const ranked = await pageOf('/?q=which+year+had+the+most+lawyers', { catalogue: catalogueOf(rows) });
  assert.match(
    ranked,
    /<th scope="row"><a href="[^"]*filed_from=2015-01-01[^>]*>2015<\/a>.*<td>3<.*2014<\/a>.*<td>1</s,
  );
});

test('the answer for a period without filings names the nearest end of the data', async () => {
  const catalogue = catalogueOf([
    aRow({ key: 'a', filedOn: '2021-03-04' }),
    aRow({ key: 'b', filedOn: '2022-05-06' }),
    aRow({ key: 'c', filedOn: '2022-05-05', status: 'closed' }),
  ]);
  const read = (query: string) => pageOf(`/?${query}`, { catalogue });
  assert.match(
    await read('filed_to=1901'),
    /No matching business registered in this period\. The oldest registered in March 2021\./,
  );
  assert.match(
    await read('filed_from=2021-06&filed_to=2021-07'),
    /No matching business registered in this period\. The newest registered on May 6, 2022\./,
  );
  // one registered in that year, and its status has no day
  const closed = await read('filed_from=2021&filed_to=2021&status=closed');
  assert.match(closed, /The dates show when a business registered, not when it closed\./);
  assert.doesNotMatch(closed, /registered in this period/);
});

test('if a register records no closings, a search for them leads to the statuses that it records', async () => {
  const catalogue = catalogueOf([
    aRow({ key: 'a', category: 'Legal', status: 'open' }),
    aRow({ key: 'b', category: 'Legal', status: 'abandoned' }),
  ]);
  const page = await pageOf('/?category=Legal&status=closed', { catalogue });
  assert.match(page, /<h1[^>]*>This register does not record when a business closes\.<\/h1>/);
  const offers = [...page.matchAll(/<li><a href="([^"]*)" rel="nofollow">(\d[^<]*)</g)].map(
    ([, , text]) => text,
  );
  assert.deepEqual(offers, ['1 legal practice: name given up', '2 legal practices']);
  const meaning = 'The owner gave up the registered name\\. The business may have closed';
  assert.match(page, new RegExp(`name given up</a> <span class="note">${meaning}`));
  const given = await pageOf('/?category=Legal&status=abandoned', { catalogue });
  assert.match(given, new RegExp(`<p class="doubt"><span>${meaning}`));
});

test('a question about businesses run from home shows all businesses, and a sentence explains it', async () => {
  const page = await pageOf('/?q=home+businesses');
  assert.match(
    page,
    /id="found"[^>]*>Our listings do not say which businesses are run from home<.*They are in this list, without an address\./s,
  );
  assert.match(page, /<bdi>Harbor Bakery/);
});

test('a question about a name of many businesses is answered with their numbers by status', async () => {
  const rows = Array.from({ length: 6 }, (_, i) =>
    aRow({ key: `${i}`, name: `Lone Wolf ${i}`, status: i < 2 ? 'closed' : 'open', neighborhood: 'Naples' }),
  );
  const catalogue = catalogueOf([...rows, aRow({ key: 'b', name: 'Brisk’s Fox', filedOn: '2026-02-20' })]);
  const answer = async (q: string) =>
    /id="answer"[^>]*><h1[^>]*>[^<]*(.*?)<p id="caveat">/s.exec(
      await pageOf(`/?q=${encodeURIComponent(q)}`, { catalogue }),
    )?.[1];
  const many = (search: string) =>
    '</h1>\n<div class="shown"><div class="figures"><dl class="numerals">' +
    `<div><dt>no closing on record by Feb 20, 2026</dt><dd><a href="/?${search}&amp;status=open" rel="nofollow">4</a></dd></div>` +
    `<div><dt>closed</dt><dd><a href="/?${search}&amp;status=closed" rel="nofollow">2</a></dd></div></dl></div></div>`;
  assert.equal(await answer('is Lone Wolf still open?'), many('q=Lone%20Wolf'));
  assert.equal(
    await answer('is the lone wolf in naples still open?'),
    many('q=lone%20wolf&amp;neighborhood=Naples'),
    'the place is a filter',
  );
  assert.match(
    await pageOf('/?q=is+lone+wolf+still+open', { catalogue }),
    /<h1[^>]*>By the register, mostly yes: 4 of 6 businesses matching “lone wolf” have no closing on record</,
  );
  const street = 'is the lone wolf on 4th street closed';
  assert.equal(await answer(street), many('q=lone%20wolf'), 'no address');
  assert.match(
    await pageOf(`/?q=${street.replaceAll(' ', '+')}`, { catalogue }),
    /We ignored “4th street” because/,
  );
  assert.match(
    await pageOf('/?q=is+the+brisks+fox+open', { catalogue }),
    /<h1 id="found"[^>]*>By the register, yes: Brisk’s Fox, registered February 20, 2026: no closing on record by February 20, 2026\.</,
  );
});

test('the page says when it counts days back from late data, and names filters that find nothing', async () => {
  const catalogue = catalogueOf([
    aRow({ key: 'a', category: 'Restaurants', neighborhood: 'Naples', filedOn: '2025-10-06' }),
    aRow({ key: 'b', category: 'Legal', neighborhood: 'Wrigley', filedOn: '2025-09-06' }),
  ]);
  const read = (q: string) => pageOf(`/?q=${encodeURIComponent(q)}`, { catalogue });
  const month = await read('restaurants this month');
  assert.match(month, /id="found"[^>]*>1 restaurant in October 2025</);
  assert.match(month, /The data ends on October 6, 2025\./);
  assert.doesNotMatch(await read('restaurants in 2025'), /The data ends/);
  const none = await read('expired licenses in naples');
  assert.match(none, /id="found"[^>]*>No results in Naples: license expired</);
  assert.match(none, /href="\/\?neighborhood=Naples" rel="nofollow">1 business in Naples</);
});

test('the answer to a question about change lists what changed most, and leads to the comparison', async () => {
  const rows = ['2025', '2025', '2024', '2026', '2026', '2026'].map((year, i) =>
    aRow({ key: `${i}`, category: i > 2 ? 'Dental' : 'Legal', filedOn: `${year}-02-0${i + 1}` }),
  );
  const grown = await pageOf('/?q=what+grew+most', { catalogue: catalogueOf(rows) });
  assert.match(
    grown,
    />Nothing clearly grew: Dental rose most, from 0 to 3 regis.*Year to February 6, 2026, and the year before</s,
  );
  const many = Array.from({ length: 9 }, (_, i) =>
    aRow({ key: `more ${i}`, category: 'Dental', filedOn: '2026-02-06' }),
  );
  const clear = await pageOf('/?q=what+grew+most', { catalogue: catalogueOf([...rows, ...many]) });
  assert.match(clear, />Dental grew most, from 0 to 12 registrations</);
  assert.doesNotMatch(clear, /id="chosen"/, 'nobody chose it');
  const inNaples = rows.map((row) => ({ ...row, neighborhood: 'Naples' }));
  assert.match(
    await pageOf('/?q=what+grew+most+in+naples', { catalogue: catalogueOf(inNaples) }),
    />New businesses in Naples\. Year to February 6, 2026, and the year before</,
  );
  assert.match(
    grown,
    /<h2 id="listed">3 dental practices<.*<h2 id="map"[^>]*>Dental: change by neighborhood</s,
  );
  const page = await pageOf('/?q=which+neighborhoods+grew+most');
  assert.match(page, /<h1 id="found"[^>]*>Nothing grew<.*<th scope="row">/s);
  assert.match(page, /<a class="switch" href="\/changes\?[^"]*" [^>]*>See the whole table</);
  assert.match(
    await pageOf('/?q=which+kinds+of+business+grew+most+in+naples'),
    /<a class="switch" href="\/changes\?neighborhood=Naples[^"]*" [^>]*>See the whole table</,
  );
});

const PIECES = [
  'harbor|bakery|bakeries|naples|wrigley|tailor|cafes|laundry|dough|zzyzx|bakry|not|or|and|without',
  '-dough|OR|"naples tailor"|in|on|near me|elm street|new|2026|2015|since|before|last month|vs',
  'more|than|most|which neighborhood|oldest|closed|open|is|still open?|how many|trend of|,|/',
  'home based|best|the|tailr',
].flatMap((some) => some.split('|'));

test('the total of a page equals the total of the API, or of the query that its warning gives', async (t) => {
  const { get } = await aDoor(t, { catalogue: catalogueOf(ROWS), limits: 'off' });
  const next = random(seedFrom(20_261_128));
  const totalOf = async (path: string) => {
    const { total, warnings = [] } = (await (await get(path)).json()) as {
      total: number;
      warnings?: { href?: string }[];
    };
    return { total, href: warnings.find(({ href }) => href !== undefined)?.href };
  };
  for (let i = 0; i < atDepth(100, 2_000); i++) {
    const q = Array.from(
      { length: 1 + Math.floor(next() * 5) },
      () => PIECES[Math.floor(next() * PIECES.length)],
    ).join(' ');
    const page = await (await get(`/?q=${encodeURIComponent(q)}`)).text();
    const shown = /<a href="(\/api\/search[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
    const onPage = shown === undefined ? 0 : (await totalOf(shown)).total;
    const { total, href } = await totalOf(`/api/search?limit=0&q=${encodeURIComponent(q)}`);
    const meant = href === undefined ? total : (await totalOf(href)).total;
    assert.ok(
      [total, meant].includes(onPage),
      `${q}: ${onPage} on the page, ${total} in the API, ${meant} meant`,
    );
  }
});
