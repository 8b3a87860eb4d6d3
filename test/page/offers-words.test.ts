/** What the page offers for words that it reads as filters, or that find nothing, read as HTML. */

import { test } from 'node:test';
import { aRegister, assertPages, BAKERIES, no, times } from './a-page.ts';

test('words that find nothing are read by their meaning, and no link leads to a page without results', async () => {
  const read = '/?q=cafes%20and%20bakeries%20in%20wrigley';
  await assertPages(BAKERIES, {
    tailr: [
      /<input id="q" type="search" name="q" value="tailr"/,
      /<h1 id="found" tabindex="-1">1 business matching “tailor”</,
      /<p class="doubt"><span>Showing results for <strong>“tailor”<\/strong>\. Few or no businesses match “tailr”\.<\/span>/,
      no(/Search only for/), // the words find nothing: no link to a page without results
    ],
    [read]: [
      /aria-label="Remove Cafes &amp; Bakeries"/,
      /id="q" type="search" name="q" value="cafes and bakeries in wrigley"/,
      no(/<form [^>]*id="search"(?:(?!<\/form>).)*<input type="hidden"/s), // other words in the box mean other filters
      /<a href="\/\?category=Cafes%20%26%20Bakeries" rel="nofollow" aria-label="Remove Wrigley">/,
      /<h1 id="found" tabindex="-1">2 cafes and bakeries in Wrigley</,
    ],
    [`${read}&as=typed`]: /No results for “cafes and bakeries in wrigley”/,
    // a filter that is the beginning of a value
    '/?neighborhood=nap&as=typed': /href="\/\?neighborhood=Naples"[^>]*>[^<]*Naples/,
  });
});

test('several words that are read as one kind are named in one sentence', () =>
  assertPages(aRegister([{}]), {
    'vegetarian or vegan place': [
      /cannot tell “vegetarian, vegan” apart here, so the list shows all of the kind “Restaurants”\./,
      no(/(?:so the list shows.*){2}/s),
    ],
  }));

test('words that clearly mean filters are applied, and the page says why it did not apply other words', () =>
  assertPages(BAKERIES, {
    'new cafes and bakeries':
      '3 cafes and bakeries “new” means newest first. The newest registered on February 21, 2026. Marked as closed: 1 of 3.',
    'new cafes and bakeries 2026': no(/The newest registered on/),
    'open cafes and bakeries':
      '2 cafes and bakeries: no closing on record The register has no opening hours and does not say what is open now.',
    'best cafes and bakeries 1999': [
      /id="found"[^>]*>No cafe or bakery in 1999</,
      /<p class="doubt"><span>We cannot answer “best” because a listing has only a name, a kind, a neighborhood, a status and the day it was registered\.</,
    ],
  }));

/** A heading without its links. */
const found = (heading: string) =>
  new RegExp(`id="found"[^>]*>(?:<[^>]*>)*${RegExp.escape(heading)}(?:<[^>]*>)*</h1>`);

test('words that name a value are read as a filter on every page if the value finds nearly all listings that the words find', async () => {
  const shops = times(60, (i) => ({
    ...{
      name: i === 0 ? 'Harbor House' : `Shop ${i}`,
      neighborhood: i < 30 ? 'Wrigley' : 'Harbor-Marina Area',
    },
    category: i % 2 === 0 ? 'Restaurants' : 'Legal',
  }));
  const legal = times(3, { name: 'Legal Eagle', neighborhood: 'Unknown', category: 'Legal' });
  await assertPages(aRegister([...shops, { name: 'Wrigley Grill', neighborhood: 'Unknown' }, ...legal]), {
    wrigley: [
      found('Wrigley'),
      /<a class="plain" href="\/\?q=wrigley&amp;as=typed" rel="nofollow">Search only for “wrigley” \(31\)</,
      /href="\/feeds\?neighborhood=Wrigley"/,
    ],
    '/?q=wrigley&as=typed': found('31 businesses matching “wrigley” registered since 2024'),
    'restaurants wrigley': found('15 restaurants in Wrigley'),
    harbor: found('Harbor-Marina Area'), // 30 of 31
    // a link to a business whose name has another neighborhood
    '/?q=wrigley+grill&neighborhood=Unknown': found(
      '1 business matching “wrigley grill”: Neighborhood unknown',
    ),
    '/?q=wrigley+restaurants&neighborhood=Unknown': found(
      '1 restaurant matching “wrigley”: Neighborhood unknown',
    ),
    grill: found('1 business matching “grill”'),
  });
  // 4 of 5 are too few for a beginning
  await assertPages(aRegister(shops.slice(0, 34)), { harbor: found('5 businesses matching “harbor”') });
});
