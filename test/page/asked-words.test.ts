/** What the page says of the words of a question, and by which others it found listings. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRow, catalogueOf } from '../service/search/made-up.ts';
import { pageOf } from './a-page.ts';

test('the page answers the words that it understood, and keeps the question', async () => {
  const read = (q: string) => pageOf(`/?q=${encodeURIComponent(q)}`);
  const place = await read('bakery in springfield');
  assert.match(place, /id="found"[^>]*>3 businesses matching “bakery”</);
  assert.match(place, /No neighborhood of [^<]* is named “springfield”/);
  assert.match(place, /name="q" value="bakery in springfield"/);
  assert.match(await read('bakery without dough'), /\d business(?:es)? matching “bakery” without “dough”/);
  assert.match(await read('bakery not in naples'), /aria-label="Remove not Naples"/);
});

test('if no name has a word, the page says which other words or which kind it counts', async () => {
  const none = await pageOf('/?q=shoe+repair');
  assert.match(
    none,
    /No results for “shoe repair”<.*category=Laundry%20%26%20Tailoring"[^>]*>1 laundry or tailor</s,
  );
  const cafe = aRow({ key: 'cafe', name: 'Corner Cafe', category: 'Cafes & Bakeries' });
  const page = await pageOf('/?q=coffee', { catalogue: catalogueOf([cafe]) });
  assert.match(page, /1 business matching “coffee”<.*“coffee” also finds names with cafe\./s);
});

test('the page leads to all of a type with other trades, and says what a ranking and a comparison leave out', async () => {
  const rows = [
    ...Array.from({ length: 20 }, (_, i) =>
      aRow({ key: `${i}`, name: `Chair ${i}`, category: 'Beauty & Hair', type: 'barber beauty booth' }),
    ),
    aRow({ key: 'named', name: 'Ann Barber', category: 'Beauty & Hair', neighborhood: 'Naples' }),
    aRow({ key: 'none', name: 'Pine Bar', category: 'Uncategorized' }),
  ];
  const catalogue = catalogueOf(rows);
  const page = (q: string) => pageOf(`/?q=${encodeURIComponent(q)}`, { catalogue });
  assert.match(
    await page('barbers'),
    /We count businesses with “barbers” in their name\. <a href="\/\?q=%22barber%20beauty%20booth%22" rel="nofollow">See all “barber beauty booth”</,
  );
  assert.match(
    await page('most common kind'),
    /Not counted, because their kind is unknown: 1 of 22 businesses/,
  );
  const more = Array.from({ length: 99 }, (_, i) => aRow({ key: `more ${i}` }));
  const many = await pageOf('/?q=most+common+kind', { catalogue: catalogueOf([...rows, ...more]) });
  assert.doesNotMatch(many, /businesses is not known/, 'under 1 % change nothing');
  assert.match(
    await page('barbers vs grommet makers'),
    /None for “grommet makers”: no name or kind here says it/,
  );
});
