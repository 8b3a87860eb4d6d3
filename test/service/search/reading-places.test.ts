/** Places of a question: neighborhoods, parts of the town, the town itself, and what is no neighborhood. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { aRow, asking, partsOf } from './made-up.ts';
import { OPTIONS, read, search, unused } from './shops.ts';

const YEAR = '&filed_from=2015-01-01&filed_to=2015-12-31';

test('a note names streets, landmarks and other places that were ignored, and the other words are answered', () => {
  for (const [q, expected] of Object.entries({
    'sushi on robson street': 'q=sushi',
    'barbers near the city library': 'q=barbers',
    'sushi near lawyers': 'q=sushi',
    'barbers not too far from the belmont': 'q=barbers',
    'starbucks 123 main st': 'q=starbucks',
    'smith street barber': 'q=smith street barber',
    'wok in springfield': 'q=wok',
    'lawyers near belmont shore': 'q=lawyers&neighborhood=Belmont Shore',
    'lawyers near old town': 'q=lawyers',
    'wok in west long beach': 'q=wok',
    'wok in belmon shore': 'q=wok&neighborhood=Belmont Shore',
    'resturants in old twon': 'category=Restaurants&neighborhood=Old Town',
    'resturants in springfield': 'category=Restaurants',
    'sushi because parking at the bar is free': 'q=sushi',
    'restaurants in the Far East': 'category=Restaurants',
    'what opened near the public library': '',
    'did anything open on pine street': '',
    'wok in old town or springfield': 'q=wok&neighborhood=Old Town',
  }))
    assert.equal(search(q), expected, q);
  assert.deepEqual(unused('sushi on robson street'), [['robson street', 'address']]);
  for (const q of ['wok in springfield', 'wok in old town or springfield'])
    assert.deepEqual(unused(q), [['springfield', 'place']], q);
  // a street needs no preposition, even if names have its words; what may be one leaves the business that is asked for
  for (const [q, is, expected] of [
    ['starbucks smith street', 'q=starbucks', ['smith street', 'address']],
    ['nails third street in old town', 'q=nails&neighborhood=Old Town', ['third street', 'address']],
    ['hair or nails smith street', 'q=hair OR nails', ['smith street', 'address']],
    ['restaurants smith street 2015', `category=Restaurants${YEAR}`, ['smith street', 'address']],
    ['cuántos starbucks hay calle third', 'q=starbucks', ['calle third', 'address']],
    ['third street builders', 'q=third street builders', undefined],
    // also if it is called after the town or a neighborhood
    ['starbucks long beach blvd', 'q=starbucks', ['long beach blvd', 'address']],
    ['nails belmont shore avenue', 'q=nails', ['belmont shore avenue', 'address']],
    ['starbucks pine', 'q=starbucks', ['pine', 'together']],
    ['lone wolf pine', 'q=lone wolf', ['pine', 'together']],
    ['wok pine', 'q=wok pine', undefined],
  ] as const)
    assert.deepEqual([search(q), unused(q)], [is, expected ? [expected] : []], q);
  assert.deepEqual(unused('near the public library, zzyzx sushi'), [
    ['public library', 'address'],
    ['zzyzx', 'unknown'],
  ]);
  assert.deepEqual(unused('sushi near 90210'), [['90210', 'zip']]);
  for (const q of ['562-555-1212', '123 Main St', 'Elm Avenue'])
    assert.equal(unused(q).at(0)?.[1], 'address', q);
});

test('a part of the town has several names, and the page can say which neighborhood was meant by its first words', () => {
  const town = (names: readonly string[]) =>
    openIndex(
      partsOf(
        names.map((name) => aRow({ key: name, name: 'Golden Wok', neighborhood: name })),
        { day: '2016-10-06' },
      ),
      OPTIONS,
    );
  const placed = town(['Downtown', 'West Side', 'Lakewood Village']);
  for (const [q, place] of [
    ['wok in el centro', 'Downtown'],
    ['wok in the city center', 'Downtown'],
    ['wok westside', 'West Side'],
    ['wok on the west side', 'West Side'],
    ['wok in lakewood', 'Lakewood Village'],
  ] as const)
    assert.deepEqual(placed.read(asking({ q })).search.neighborhood, [place], q);
  const lower = town(['Lower West Side']).read(asking({ q: 'wok on the west side' }));
  assert.deepEqual(lower.search.neighborhood, ['Lower West Side']);
  assert.deepEqual(town(['Harbor']).read(asking({ q: 'wok downtown' })).search.neighborhood, []);
  const meant = (q: string) => placed.read(asking({ q })).words.flatMap(({ to = [] }) => to);
  assert.deepEqual(meant('wok in lakewood'), ['Lakewood Village']);
  const called = (q: string) => read(q).words.flatMap(({ to = [] }) => to);
  assert.deepEqual(called('pizza in the core'), ['Old Town']);
  // whatever else is asked for
  for (const q of ['pizza in seaside', 'seaside sushi', 'bars in seaside', 'violins in seaside'])
    assert.ok(called(q).includes('Old Town / Belmont Shore'), q);
  assert.deepEqual(meant('wok not in lakewood'), ['Lakewood Village']);
  assert.deepEqual(meant('wok in lakewood village'), []);
  // the number of a ZIP code says which it is
  assert.deepEqual(
    read('wok in 90802').words.flatMap(({ to = [] }) => to),
    [],
  );
});

test('the name of the town or its initials are part of the name of a business that has them', () => {
  const rows = ['SJB Brew Lofts', 'Corner Brew House', 'Long Beach Deli', 'Anchor Grill'].map((name) =>
    aRow({ key: name, name }),
  );
  const town = openIndex(partsOf(rows, { day: '2016-10-06' }), OPTIONS);
  const named = (q: string) => town.read(asking({ q })).search.q;
  assert.equal(named('is sjb brew closed'), 'sjb brew');
  assert.equal(named('when did long beach deli open'), 'long beach deli');
  assert.equal(named('is anchor grill long beach still open'), 'anchor grill');
  assert.equal(named('is sjb bicycle club open'), 'sjb bicycle club');
});

test('a question for what is outside the city says that the register cannot tell it', () => {
  assert.equal(search('wok near belmont shore'), 'q=wok&neighborhood=Belmont Shore');
  assert.deepEqual(unused('wok near me'), [['near me', 'near']]);
  for (const [q, said] of [
    ['wok not in long beach', 'not in long beach'],
    ['wok outside of long beach', 'outside of long beach'],
  ] as const) {
    assert.equal(search(q), 'q=wok', q);
    assert.deepEqual(unused(q), [[said, 'town']]);
  }
  assert.deepEqual(unused('wok in long beach not in old town'), []);
});
