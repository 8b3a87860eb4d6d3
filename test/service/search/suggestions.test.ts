/** What is suggested for a query that finds next to nothing. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOf } from '../../../src/register/profile/categories/kind.ts';
import { openIndexBuilder } from '../../../src/service/search/index/build.ts';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { searchListings } from '../../../src/service/search/search.ts';
import { formatWarnings } from '../../../src/service/search/warnings.ts';
import type { Question } from '../../../src/shared/question.ts';
import { countEdits } from '../../../src/shared/text/edits.ts';
import { aRow, asking, TODAY } from './made-up.ts';

const NAMES = [
  ...Array(30).fill('Harbor Coffee Company'),
  ...Array(30).fill('Corner Restaurant'),
  ...Array(40).fill('Smith Street Barber Shop'),
  ...Array(20).fill('Rapid Plumbing'),
  ...Array(25).fill('Starbucks'),
  'Cofee Roasters',
  'Lone Wolf',
];

const builder = openIndexBuilder({ version: 'v', day: TODAY, suppressed: [] });
builder.add(
  NAMES.map((name, i) => ({
    ...aRow({ key: `K${i}`, name, neighborhood: i % 2 === 0 ? 'Downtown' : 'Old Town' }),
    category: kindOf({ name }),
    source: 'made-up',
  })),
);
const index = openIndex(builder.finish(), { kindOfWord: (name) => kindOf({ name }) });

function suggestions(asked: Partial<Question>) {
  const result = searchListings(index, { question: asking(asked), warnings: [], faults: [] });
  assert.ok(!('tooFar' in result));
  return result.warnings.map(({ parameter, didYouMean }) => [parameter, didYouMean]);
}

test('a misspelled word leads to the whole query as it was probably meant', () => {
  assert.deepEqual(suggestions({ q: 'resturant' })[0], ['q', 'restaurant']);
  assert.deepEqual(suggestions({ q: 'Starbuks' })[0], ['q', 'starbucks']);
  assert.deepEqual(suggestions({ q: 'harbor cofee' })[0], ['q', 'harbor coffee']);
  assert.deepEqual(suggestions({ q: 'smith street barbar' })[0], ['q', 'smith street barber']);
  assert.deepEqual(suggestions({ q: 'resturant', neighborhood: ['Downtown'] })[0], ['q', 'restaurant']);
  assert.deepEqual(suggestions({ q: 'dwontown' })[0], ['q', 'downtown']);
});

test('a word that finds a single listing is answered, and the frequent word is suggested beside it', () => {
  const result = searchListings(index, { question: asking({ q: 'cofee' }), warnings: [], faults: [] });
  assert.ok(!('tooFar' in result));
  assert.equal(result.total, 1);
  assert.deepEqual(formatWarnings(result.warnings, '/api/search')[0], {
    code: 'misspelled',
    parameter: 'q',
    detail: 'Few listings match "cofee".',
    did_you_mean: 'coffee',
    href: '/api/search?q=coffee',
  });
});

test('a word that no listing has is named, if the listings have other words for it', () => {
  const read = (names: readonly string[]) => {
    const builder = openIndexBuilder({ version: 'v', day: TODAY, suppressed: [] });
    builder.add(
      names.map((name) => ({ ...aRow({ key: name, name }), category: 'Restaurants', source: 'made-up' })),
    );
    const known = openIndex(builder.finish(), { kindOfWord: (name) => kindOf({ name }) });
    const result = searchListings(known, { question: asking({ q: 'ramen' }), warnings: [], faults: [] });
    assert.ok(!('tooFar' in result));
    return { total: result.total, details: result.warnings.map(({ detail }) => detail) };
  };
  const noodles = Array.from({ length: 9 }, (_, i) => `Noodle House ${i}`);
  const detail = 'No listing has the word "ramen". These have other words for it.';
  assert.deepEqual(read(noodles), { total: 9, details: [detail] });
  assert.deepEqual(read([...noodles, 'Ramens']), { total: 10, details: [] });
  assert.deepEqual(read(noodles.slice(0, 1)).details[0], detail);
});

test('a word of a trade is never corrected, nor a possessive name to a trade', () => {
  const suggest = (q: string, names: readonly string[]) => {
    const rows = names.flatMap((name) => Array<string>(25).fill(name));
    const builder = openIndexBuilder({ version: 'v', day: TODAY, suppressed: [] });
    builder.add(
      rows.map((name, i) => ({
        ...aRow({ key: `K${i}`, name }),
        category: kindOf({ name }),
        source: 'made-up',
      })),
    );
    const known = openIndex(builder.finish(), { kindOfWord: (name) => kindOf({ name }) });
    return known.suggest(asking({ q }), 0).map(({ didYouMean }) => didYouMean);
  };
  assert.deepEqual(suggest('kebab', ['Kebap', 'Corner Restaurant']), ['Restaurants']);
  assert.deepEqual(suggest('ramwn', ['Ramen']), ['ramen']);
  for (const q of ['carls', "carl's", 'carls jr', "Carl's Jr", 'carl’s'])
    assert.ok(!suggest(q, ['Used Cars']).some((meant) => meant?.includes('cars')), q);
  assert.deepEqual(suggest('carss', ['Used Cars']), ['cars']);
  assert.deepEqual(suggest('dennis', ['Dennys']), ['dennys'], 'another name');
});

test('a word that names a category, and is no synonym of it, leads there; the other words stay', () => {
  const construction = kindOf({ name: 'drywall' });
  const meant = (q: string, more: Partial<Question> = {}) =>
    index.suggest(asking({ q, ...more }), 0).find(({ code }) => code === 'category-name')?.meant;
  assert.deepEqual(meant('drywall'), asking({ category: [construction] }));
  assert.deepEqual(meant('rapid drywall'), asking({ q: 'rapid', category: [construction] }));
  assert.equal(meant('zzz drywall'), undefined, 'this would find nothing');
  assert.equal(meant('drywall', { category: [construction] }), undefined);
  assert.equal(meant('drywall-zzz'), undefined, 'a punctuated word is left as it is');
});

test('nothing is suggested for what finds enough, for what is like nothing, or to somebody who asked nothing', () => {
  for (const q of ['', 'coffee', 'barber shop', 'restaurant', 'xylophonist', 'lone wolf', 'sm', '?!'])
    assert.deepEqual(
      suggestions({ q }).filter(([, meant]) => meant !== undefined),
      [],
      q,
    );
  assert.deepEqual(
    suggestions({ q: 'coffee', status: ['closed'] }),
    [],
    'the filter is to blame, not the word',
  );
});

test('a street, a house or a ZIP is told that addresses are not part of a listing', () => {
  for (const q of ['123 Main St', '90802', '4100 E. Ocean Blvd', 'Elm Avenue', '90802-1234', '12b Long Road'])
    assert.deepEqual(suggestions({ q })[0], ['q', undefined], q);
  for (const q of ['Smith Street', 'drive in', '7 eleven', 'place', '123']) {
    const result = searchListings(index, { question: asking({ q }), warnings: [], faults: [] });
    assert.ok(!('tooFar' in result));
    assert.ok(!result.warnings.some(({ detail }) => detail.startsWith('Addresses')), q);
  }
});

test('typos are counted as people make them', () => {
  assert.equal(countEdits('coffee', 'coffee', 3), 0);
  assert.equal(countEdits('cofefe', 'coffee', 3), 1);
  assert.equal(countEdits('coffe', 'coffee', 3), 1);
  assert.equal(countEdits('cooffee', 'coffee', 3), 1);
  assert.equal(countEdits('xoffee', 'coffee', 3), 1);
  assert.equal(countEdits('ocfefe', 'coffee', 3), 2);
  assert.equal(countEdits('tea', 'coffee', 3), 3);
  assert.equal(countEdits('ca', 'abc', 4), 3); // optimal string alignment: no letter is edited twice
});
