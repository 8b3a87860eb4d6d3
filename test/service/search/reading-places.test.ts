/** Places of a question: neighborhoods, parts of the town, the town itself, and what is no neighborhood. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reading } from '../../../src/shared/reading.ts';
import { aRow, namedRows } from './made-up.ts';
import { aTown, check, read, search, unused } from './shops.ts';

const YEAR = '&filed_from=2015-01-01&filed_to=2015-12-31';

test('a note names streets, landmarks and other places that were ignored, and the other words are answered', () => {
  check({
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
  });
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
  const town = (...places: string[]) =>
    aTown(places.map((place) => aRow({ key: place, name: 'Golden Wok', neighborhood: place })));
  const placed = town('Downtown', 'West Side', 'Lakewood Village');
  for (const [q, place] of [
    ['wok in el centro', 'Downtown'],
    ['wok in the city center', 'Downtown'],
    ['wok westside', 'West Side'],
    ['wok on the west side', 'West Side'],
    ['wok in lakewood', 'Lakewood Village'],
  ] as const)
    assert.deepEqual(placed.search(q).neighborhood, [place], q);
  assert.deepEqual(town('Lower West Side').search('wok on the west side').neighborhood, ['Lower West Side']);
  assert.deepEqual(town('Harbor').search('wok downtown').neighborhood, []);
  const told = ({ words }: Reading) => words.flatMap(({ to = [] }) => to);
  for (const [q, ...places] of [
    ['wok in lakewood', 'Lakewood Village'],
    ['wok not in lakewood', 'Lakewood Village'],
    ['wok in lakewood village'],
  ] as const)
    assert.deepEqual(told(placed.read(q)), places, q);
  assert.deepEqual(told(read('pizza in the core')), ['Old Town']);
  // whatever else is asked for
  for (const q of ['pizza in seaside', 'seaside sushi', 'bars in seaside', 'violins in seaside'])
    assert.ok(told(read(q)).includes('Old Town / Belmont Shore'), q);
  // the number of a ZIP code says which it is
  assert.deepEqual(told(read('wok in 90802')), []);
});

test('the name of the town or its initials are part of the name of a business that has them', () => {
  const { q } = aTown(
    namedRows({ Restaurants: ['SJB Brew Lofts', 'Corner Brew House', 'Long Beach Deli', 'Anchor Grill'] }),
  );
  for (const [asked, name] of Object.entries({
    'is sjb brew closed': 'sjb brew',
    'when did long beach deli open': 'long beach deli',
    'is anchor grill long beach still open': 'anchor grill',
    'is sjb bicycle club open': 'sjb bicycle club',
  }))
    assert.equal(q(asked), name, asked);
});

test('a question for what is outside the city says that the register cannot tell it', () => {
  for (const [q, is, ...expected] of [
    ['wok near belmont shore', 'q=wok&neighborhood=Belmont Shore'],
    ['wok near me', 'q=wok', ['near me', 'near']],
    ['wok not in long beach', 'q=wok', ['not in long beach', 'town']],
    ['wok that is not from long beach', 'q=wok', ['not from long beach', 'town']],
    ['wok outside of long beach', 'q=wok', ['outside of long beach', 'town']],
    ['wok in long beach not in old town', 'q=wok&neighborhood=-Old Town'],
  ] as const)
    assert.deepEqual([search(q), unused(q)], [is, expected], q);
});
