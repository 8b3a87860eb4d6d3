/** What the page offers for words that it reads as filters, or that find nothing, read as HTML. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRow, catalogueOf } from '../service/search/made-up.ts';
import { pageOf, ROWS } from './a-page.ts';

test('words that find nothing are read by their meaning, and no link leads to a page without results', async () => {
  const typo = await pageOf('/?q=tailr');
  assert.match(typo, /<input id="q" type="search" name="q" value="tailr"/);
  assert.match(typo, /<h1 id="found" tabindex="-1">1 business matching “tailor”</);
  assert.match(
    typo,
    /<p class="doubt"><span>Showing results for <strong>“tailor”<\/strong>\. Few or no businesses match “tailr”\.<\/span>/,
  );
  assert.doesNotMatch(typo, /Search only for/, 'the words find nothing: no link to a page without results');
  const filters = await pageOf('/?q=cafes%20and%20bakeries%20in%20wrigley');
  assert.match(filters, /aria-label="Remove Cafes &amp; Bakeries"/);
  assert.match(filters, /id="q" type="search" name="q" value="cafes and bakeries in wrigley"/);
  const [form] = /<form [^>]*id="search".*?<\/form>/s.exec(filters)!;
  assert.doesNotMatch(form, /<input type="hidden"/, 'other words in the box mean other filters');
  assert.match(
    filters,
    /<a href="\/\?category=Cafes%20%26%20Bakeries" rel="nofollow" aria-label="Remove Wrigley">/,
  );
  assert.match(filters, /<h1 id="found" tabindex="-1">2 cafes and bakeries in Wrigley</);
  const literal = await pageOf('/?q=cafes%20and%20bakeries%20in%20wrigley&as=typed');
  assert.match(literal, /No results for “cafes and bakeries in wrigley”/);
});

test('several words that are read as one kind are named in one sentence', async () => {
  const page = await pageOf('/?q=vegetarian%20or%20vegan%20place', { catalogue: catalogueOf([aRow()]) });
  assert.equal(page.split('so the list shows').length, 2);
  assert.match(
    page,
    /cannot tell “vegetarian, vegan” apart here, so the list shows all of the kind “Restaurants”\./,
  );
});

test('words that clearly mean filters are applied, and the page says why it did not apply other words', async () => {
  const notes = async (q: string) => {
    const page = await pageOf(`/?q=${encodeURIComponent(q)}`);
    return [
      /<p class="doubt"><span>([^<]*)</.exec(page)?.[1] ?? '',
      /id="found"[^>]*>(.*?)<\/h1>/.exec(page)?.[1]?.replaceAll(/<.*?>/g, ''),
    ];
  };
  assert.deepEqual(await notes('new cafes and bakeries'), [
    '“new” means newest first.',
    '3 cafes and bakeries',
  ]);
  const newest = ROWS.filter(({ category }) => category === 'Cafes & Bakeries').map(({ filedOn }) => filedOn);
  const day = new Date(newest.toSorted().at(-1)!).toLocaleDateString('en', {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  assert.ok(
    (await pageOf('/?q=new%20cafes%20and%20bakeries')).includes(
      `<span>The newest registered on ${day}.</span>`,
    ),
  );
  assert.doesNotMatch(await pageOf('/?q=new%20cafes%20and%20bakeries%202026'), /The newest registered on/);
  assert.deepEqual(await notes('open cafes and bakeries'), [
    'The register has no opening hours and does not say what is open now.',
    '2 cafes and bakeries: no closing on record',
  ]);
  assert.deepEqual(await notes('best cafes and bakeries 1999'), [
    'We cannot answer “best” because a listing has only a name, a kind, a neighborhood, a status and the day it was registered.',
    'No cafe or bakery in 1999',
  ]);
});

test('words that name a value are read as a filter on every page if the value finds nearly all listings that the words find', async () => {
  const found = (page: string) => /id="found"[^>]*>(.*?)<\/h1>/.exec(page)?.[1]?.replaceAll(/<.*?>/g, '');
  const shop = (i: number, name: string, neighborhood: string) =>
    aRow({ key: `${i}`, name, neighborhood, category: i % 2 === 0 ? 'Restaurants' : 'Legal' });
  const rows = Array.from({ length: 60 }, (_, i) =>
    shop(i, i === 0 ? 'Harbor House' : `Shop ${i}`, i < 30 ? 'Wrigley' : 'Harbor-Marina Area'),
  );
  const catalogue = catalogueOf([
    ...rows,
    shop(100, 'Wrigley Grill', 'Unknown'),
    ...[101, 103, 105].map((i) => shop(i, 'Legal Eagle', 'Unknown')),
  ]);
  const read = async (q: string, more = '') => pageOf(`/?q=${q}${more}`, { catalogue });
  const wrigley = await read('wrigley');
  assert.equal(found(wrigley), 'Wrigley');
  assert.match(
    wrigley,
    /<a class="plain" href="\/\?q=wrigley&amp;as=typed" rel="nofollow">Search only for “wrigley” \(31\)</,
  );
  assert.match(wrigley, /href="\/feeds\?neighborhood=Wrigley"/);
  assert.equal(
    found(await read('wrigley', '&as=typed')),
    '31 businesses matching “wrigley” registered since 2024',
  );
  assert.equal(found(await read('restaurants+wrigley')), '15 restaurants in Wrigley');
  assert.equal(found(await read('harbor')), 'Harbor-Marina Area', '30 of 31');
  assert.equal(
    found(await read('wrigley+grill', '&neighborhood=Unknown')),
    '1 business matching “wrigley grill”: Neighborhood unknown',
    'a link to a business whose name has another neighborhood',
  );
  assert.equal(
    found(await read('wrigley+restaurants', '&neighborhood=Unknown')),
    '1 restaurant matching “wrigley”: Neighborhood unknown',
  );
  assert.equal(found(await read('grill')), '1 business matching “grill”');
  const fewer = catalogueOf(rows.slice(0, 34));
  assert.equal(
    found(await pageOf('/?q=harbor', { catalogue: fewer })),
    '5 businesses matching “harbor”',
    '4 of 5 are too few for a beginning',
  );
});

test('a filter that is the beginning of a value offers it, with what it finds', async () => {
  const page = await pageOf('/?neighborhood=nap&as=typed', { catalogue: catalogueOf(ROWS) });
  assert.match(page, /href="\/\?neighborhood=Naples"[^>]*>[^<]*Naples/);
});
