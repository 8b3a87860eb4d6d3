/** Questions in the search box that the page answers with a sentence: about a business, homes, change and days. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRow, catalogueOf } from '../service/search/made-up.ts';
import { pageOf } from './a-page.ts';

test('a question about a business is answered with its status as filed, and never that it is open', async (t) => {
  const answer = async (q: string) => {
    const page = await pageOf(t, `/?q=${encodeURIComponent(q)}`);
    return [...(/<div class="doubt">(.*?)<\/div>/.exec(page)?.[1]?.matchAll(/<p>([^<]*)/g) ?? [])].map(
      ([, one]) => one,
    );
  };
  const open = ['Harbor Bakery: no closing filed as of February 21, 2026.'];
  for (const q of [
    'is Harbor Bakery still open?',
    'is harbor bakery open',
    'Harbor Bakery closed?',
    'did Harbor Bakery close',
    'harbor bakery closed',
  ])
    assert.deepEqual(await answer(q), open, q);
  assert.deepEqual(await answer('is Dough Bakery closed'), ['Dough Bakery: closed (as filed).']);
  assert.deepEqual(await answer('Harbor Bakery'), []);
  assert.deepEqual(await answer('are cafes and bakeries open?'), [], 'a kind of business');
  assert.match(await pageOf(t, '/?q=is+Dough+Bakery+open'), /name="q" value="is Dough Bakery open"/);
});

test('a question about a business that is not found keeps its name, and never becomes one about all others', async (t) => {
  for (const q of ['is Lone Wolf still open?', 'did Lone Wolf close', 'is Lone Wolf in Naples open?']) {
    const page = await pageOf(t, `/?q=${encodeURIComponent(q)}`);
    assert.match(page, /id="found"[^>]*>No business named “Lone Wolf”/, q);
    assert.match(page, /That does not mean that it is open or closed\./, q);
    assert.doesNotMatch(page, /href="[^"]*status=/, q);
  }
  assert.doesNotMatch(await pageOf(t, '/?q=lone+wolf+closed'), /href="[^"]*status=/, 'not a question');
});

test('a misspelled name in a question is corrected and this is said, unless it is short', async (t) => {
  const rows = ['Starbucks', 'Starbucks', 'Copy Shop'].map((name, i) => aRow({ key: `${i}`, name }));
  const catalogue = catalogueOf(rows);
  const page = await pageOf(t, '/?q=is+starbuks+still+open', { catalogue });
  assert.match(
    page,
    /2 businesses for “starbucks”<\/h2>\s*<p class="doubt">Showing results for <strong>“starbucks”<\/strong>\. No business matches “starbuks”\.<\/p>/,
  );
  assert.match(
    page,
    /<p>Starbucks, registered [^<]*: registered \(as filed\)\. This register does not record/,
  );
  assert.match(page, /name="q" value="is starbuks still open"/);
  const short = await pageOf(t, '/?q=is+cozy+still+open', { catalogue });
  assert.match(short, /No business named “cozy”/);
  assert.doesNotMatch(short, /“?copy”?/);
});

test('a short word is never corrected without asking, and a correction beside filters is said', async (t) => {
  const rows = [
    aRow({ key: 'a', name: 'Taco Hut' }),
    aRow({ key: 'b', name: 'Kite', category: 'Restaurants' }),
  ];
  const catalogue = catalogueOf(rows);
  const short = await pageOf(t, '/?q=tacp', { catalogue });
  assert.match(short, /No results for “tacp”.*Did you mean taco\?/s);
  const filters = await pageOf(t, '/?q=new+resturants', { catalogue });
  assert.match(
    filters,
    /Showing results for <strong>Restaurants<\/strong>\. No business matches “new resturants”\./,
  );
});

test('what is near the person is answered with the neighborhoods to choose from', async (t) => {
  for (const q of ['near+me', 'what+opened+near+me', 'on+my+street', 'new+in+my+area']) {
    const page = await pageOf(t, `/?q=${q}`);
    assert.match(page, /id="found"[^>]*>Choose your neighborhood</, q);
    assert.match(page, /href="\/\?neighborhood=Naples" rel="nofollow"><bdi>Naples<.*id="map"/s, q);
    assert.match(page, /href="#map">/, q);
    assert.doesNotMatch(page, /class="ledger"/, q);
  }
  const more = await pageOf(t, '/?q=bakery+near+me');
  assert.match(more, /<p class="doubt" id="here-said"[^>]*>To search near you, choose your neighborhood\.</);
  assert.match(more, /id="found"[^>]*>3 businesses for “bakery”</);
  assert.match(await pageOf(t, '/?q=near+me&as=typed'), /Did you mean New businesses\?/);
  assert.doesNotMatch(await pageOf(t, '/?q=bakery+near+me&neighborhood=Naples'), /choose your neighborhood/);
});

test('a place that is no neighborhood is named, and the neighborhoods have the counts of the rest', async (t) => {
  const page = await pageOf(t, '/?q=bakery+in+springfield');
  assert.match(page, /No results for “bakery in springfield”/);
  assert.match(page, /has no neighborhood “springfield”\. <a [^>]*>3 businesses for “bakery”<\/a>/);
  assert.match(page, /Choose a neighborhood<.*<a href="\/\?q=bakery&amp;neighborhood=Naples"/s);
  assert.doesNotMatch(page, /Choose a kind|Try instead/);
});

test('words that no name has are not said to be found: their category stands for them', async (t) => {
  const page = await pageOf(t, '/?q=shoe+repair');
  assert.match(page, /id="found"[^>]*>1 business: Laundry &amp; Tailoring</);
  assert.match(
    page,
    /<p class="doubt">No name has “shoe repair”\. Such businesses count as Laundry &amp; Tailoring\.</,
  );
  assert.match(page, /aria-label="Remove Laundry &amp; Tailoring"/);
  assert.match(page, /name="q" value="shoe repair"/);
  assert.doesNotMatch(page, /for “shoe repair”|as=typed/);
  assert.match(await pageOf(t, '/?q=shoe+repair&as=typed'), /No name has “shoe repair”\./);
  assert.match(
    await pageOf(t, '/?q=shoe+repair+naples'),
    /1 business in Naples: Laundry &amp; Tailoring<.*No name has “shoe repair”\./s,
  );
  assert.match(await pageOf(t, '/?q=shoe+repair+zzz'), /No results for “shoe repair zzz”/);
  assert.match(await pageOf(t, '/?q=bakery'), /id="found"[^>]*>3 businesses for “bakery”</);
});

test('other words in the names are named, the most frequent first', async (t) => {
  const names = ['Kite Noodle Bar', 'Owl Noodles', 'Harbor Udon', 'Yarrow Ramen Shop'];
  const rows = names.map((name) => aRow({ key: name, name, category: 'Restaurants' }));
  const read = (count: number) => pageOf(t, '/?q=ramen', { catalogue: catalogueOf(rows.slice(0, count)) });
  const [without, one] = [await read(3), await read(4)];
  assert.match(without, /<p class="doubt">No name has “ramen”\. These have “noodles?” and “udon”\.</);
  assert.match(without, /id="found"[^>]*>\d+ businesses with “noodles?” or “udon”</);
  assert.match(without, /<title>“noodles?” or “udon” · /);
  assert.doesNotMatch(without, /Also includes/);
  assert.match(one, /Also includes “noodles?” and “udon”\./);
  assert.doesNotMatch(one, /No name has/);
});

test('a period without filings is answered with the nearest end of the data', async (t) => {
  const catalogue = catalogueOf([
    aRow({ key: 'a', filedOn: '2021-03-04' }),
    aRow({ key: 'b', filedOn: '2022-05-06' }),
  ]);
  const read = (query: string) => pageOf(t, `/?${query}`, { catalogue });
  assert.match(await read('filed_to=1901'), /None in this period\. The oldest is from March 2021\./);
  assert.match(
    await read('filed_from=2021-06&filed_to=2021-07'),
    /None in this period\. The newest is from May 6, 2022\./,
  );
});

test('what is taken along from a search without the word has the word that was found', async (t) => {
  const rows = ['Kite Noodle Bar', 'Owl Noodle House'].map((name) =>
    aRow({ key: name, name, category: 'Restaurants' }),
  );
  const catalogue = catalogueOf(rows);
  const page = await pageOf(t, '/?q=ramen', { catalogue });
  assert.match(page, /name="q" value="ramen"/);
  assert.match(page, /2 businesses with “noodle”.*No name has “ramen”\. These have “noodle”\./s);
  assert.match(page, /href="\/changes\?q=noodle"/);
  assert.match(page, /\/chart\.png\?q=noodle/);
  const corrected = await pageOf(t, '/?q=ramne', { catalogue });
  assert.match(
    corrected,
    /2 businesses with “noodle”.*No business matches “ramne”\..*These have “noodle”\./s,
  );
  assert.doesNotMatch(page, /(?:changes|chart\.png|stats\.csv|feed\.xml)\?[^"]*ramen/);
});

test('a kind that the words are only a part of is named', async (t) => {
  const rows = ['Wade Bakery', 'Kite Coffee'].map((name) =>
    aRow({ key: name, name, category: 'Cafes & Bakeries' }),
  );
  const page = await pageOf(t, '/?q=bakery', { catalogue: catalogueOf(rows) });
  assert.match(page, /2 businesses for “bakery”.*Also includes Cafes &amp; Bakeries\./s);
});

test('a search for closings that a register does not record leads to the statuses that it has', async (t) => {
  const catalogue = catalogueOf([
    aRow({ key: 'a', category: 'Legal', status: 'open' }),
    aRow({ key: 'b', category: 'Legal', status: 'abandoned' }),
  ]);
  const page = await pageOf(t, '/?category=Legal&status=closed', { catalogue });
  assert.match(page, /<p class="doubt">This register does not record closings\.<\/p>/);
  const offers = [...page.matchAll(/<li><a href="([^"]*)" rel="nofollow">(\d[^<]*)</g)].map(
    ([, , text]) => text,
  );
  assert.deepEqual(offers, ['1 business: Legal, name given up', '2 businesses: Legal']);
  const meaning = 'The owner gave up the registered name\\. The business may have closed';
  assert.match(page, new RegExp(`name given up</a> <span class="note">${meaning}`));
  const given = await pageOf(t, '/?category=Legal&status=abandoned', { catalogue });
  assert.match(given, new RegExp(`<p class="note"> *${meaning}`));
});

test('a question about businesses run from home shows all, with a sentence', async (t) => {
  const page = await pageOf(t, '/?q=home+businesses');
  assert.match(
    page,
    /id="found"[^>]*>Nothing marks businesses run from home<\/h2>\s*<p class="doubt">They are in this list like all others, without an address\./,
  );
  assert.match(page, /<bdi>Harbor Bakery/);
});

test('a question about a name that many have is answered with how many have each status', async (t) => {
  const rows = Array.from({ length: 6 }, (_, i) =>
    aRow({ key: `${i}`, name: `Lone Wolf ${i}`, status: i < 2 ? 'closed' : 'open', neighborhood: 'Naples' }),
  );
  const catalogue = catalogueOf([...rows, aRow({ key: 'b', name: 'Brisk Fox', filedOn: '2026-02-20' })]);
  const answer = async (q: string) =>
    /<div class="doubt">(.*?)<\/div>/.exec(
      await pageOf(t, `/?q=${encodeURIComponent(q)}`, { catalogue }),
    )?.[1];
  const many = (search: string) =>
    `<p><a href="/?${search}&amp;status=open" rel="nofollow">4 with no closing filed by Feb 20, 2026</a></p>` +
    `<p><a href="/?${search}&amp;status=closed" rel="nofollow">2 closed</a></p>`;
  assert.equal(await answer('is Lone Wolf still open?'), many('q=Lone%20Wolf'));
  assert.equal(
    await answer('is the lone wolf in naples still open?'),
    many('q=lone%20wolf&amp;neighborhood=Naples'),
    'the place is a filter',
  );
  const street = 'is the lone wolf on 4th street closed';
  assert.equal(await answer(street), many('q=lone%20wolf'), 'no address');
  assert.match(
    await pageOf(t, `/?q=${street.replaceAll(' ', '+')}`, { catalogue }),
    /We did not use “on 4th street”: the filings do not say\./,
  );
  assert.equal(
    await answer('is the brisk fox open?'),
    '<p>Brisk Fox: no closing filed as of February 20, 2026.</p>',
  );
});

test('days that are counted back from late data are said so, and filters that find nothing are shown', async (t) => {
  const catalogue = catalogueOf([
    aRow({ key: 'a', category: 'Restaurants', neighborhood: 'Naples', filedOn: '2025-10-06' }),
    aRow({ key: 'b', category: 'Legal', neighborhood: 'Wrigley', filedOn: '2025-09-06' }),
  ]);
  const read = (q: string) => pageOf(t, `/?q=${encodeURIComponent(q)}`, { catalogue });
  const month = await read('restaurants this month');
  assert.match(month, /id="found"[^>]*>1 business in October 2025: Restaurants</);
  assert.match(month, /“this month” is counted back from the newest filing, October 6, 2025\./);
  assert.doesNotMatch(await read('restaurants in 2025'), /counted back/);
  const none = await read('expired licenses in naples');
  assert.match(none, /id="found"[^>]*>No results in Naples: license expired</);
  assert.match(none, /href="\/\?neighborhood=Naples" rel="nofollow">1 business in Naples</);
});

test('a question about change leads to the comparison', async (t) => {
  const page = await pageOf(t, '/?q=which+neighborhoods+grew+most');
  assert.match(page, /<p class="doubt"><a href="\/changes" rel="nofollow">See how each neighborhood changed/);
  assert.match(
    await pageOf(t, '/?q=which+kinds+of+business+grew+most+in+naples'),
    /<a href="\/changes\?neighborhood=Naples" rel="nofollow">See how each kind of business changed/,
  );
});
