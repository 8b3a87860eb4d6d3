/** Words of a question that are no filters: names, needs, what no listing has, and what no filing tells. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { formatQuestion } from '../../../src/shared/question.ts';
import { aRow, asking, partsOf } from './made-up.ts';
import { check, index, NAMES, OPTIONS, read, search, unused } from './shops.ts';

test('a question can have any length, and unknown words in it are ignored', () => {
  const zs = Array.from({ length: 40 }, (_, i) => `zz${String.fromCharCode(97 + (i % 26))}q${i}`).join(' ');
  check({
    [`${'please '.repeat(90)}where can we find some pizza in old town`]: 'q=pizza&neighborhood=Old Town',
    [`${zs} pizza in old town`]: 'q=pizza&neighborhood=Old Town',
  });
  assert.equal(read(`${'please '.repeat(90)} sushi`).isCut, undefined);
  assert.equal(read(zs).isCut, true);
});

test('a name is found before its words are read as filters', () => {
  for (const name of Object.values(NAMES).flat()) {
    const { search: found } = read(name.toLowerCase());
    const listings = index.readListings(index.search({ ...found, limit: 25 }).rows);
    assert.ok(
      listings.some((listing) => listing.name === name),
      name,
    );
  }
  check({
    'not just bagels': 'q=not just bagels',
    'the open sesame': 'q=open sesame',
    'before sunrise': 'q=before sunrise',
    'best buy': 'q=best buy',
    'two or three sisters': 'q=two or three sisters',
    'last 10 woks': 'q=woks',
    'when did the last bar open': 'category=Bars & Nightlife',
    'bars that are still there': 'category=Bars & Nightlife&status=open',
    'sushi with sun in the name': 'q=sushi sun',
    'the five newest woks': 'q=woks',
    'no name bar 2015': 'q=no name bar&filed_from=2015-01-01&filed_to=2015-12-31',
    'not just bagels since 2015': 'q=not just bagels&filed_from=2015-01-01',
    'before sunrise kitchen, belmont shore': 'q=before sunrise kitchen&neighborhood=Belmont Shore',
  });
});

test('a name that begins with words of which no search has all is found before they are read as filters', () => {
  const names = [
    'Home Run Inn Pizzeria',
    'Peak Fitness Center',
    'Peak Fitness and Co',
    'Best Donuts & Bagels',
    'Sunset Inn',
    'Donuts',
  ];
  const rows = names.map((name) => aRow({ key: name, name, category: 'Restaurants' }));
  const { read } = openIndex(partsOf(rows), OPTIONS);
  for (const [q, expected] of Object.entries({
    'home run inn': 'home run inn',
    'when did peak fitness open': 'peak fitness',
    'home run donuts': 'donuts',
    'best donuts': 'donuts',
    // a joint is no end of a name
    'compare peak fitness and donuts': 'peak fitness',
  }))
    assert.equal(read(asking({ q })).search.q, expected, q);
});

test('homes that are rented out are left out with a note, unless a listing has their words', () => {
  check({ 'airbnbs in old town': 'neighborhood=Old Town', 'sushi or short-term rentals': 'q=sushi' });
  assert.deepEqual(unused('how many vrbo'), [['vrbo', 'lets']]);
  assert.deepEqual(unused('rooms for rent in old town'), [['rooms for rent', 'lets']]);
  const { read } = openIndex(partsOf([aRow({ key: '1', name: 'Beach Homestay Helpers' })]), OPTIONS);
  assert.deepEqual(
    read(asking({ q: 'new homestays' })).words.map(({ fate }) => fate),
    ['newest', 'name'],
  );
});

test('words that no listing has are left out with a note, and a trade takes precedence over a name', () => {
  check({
    'wok zzyzx': 'q=wok',
    'zzyzx old town': 'neighborhood=Old Town',
    'golden plumber': 'q=plumber',
    'hey where can my kids get some sushi': 'q=sushi',
    'where can I drink coffee': 'q=coffee',
    'where can we order a pizza in old town': 'q=pizza&neighborhood=Old Town',
    'wok opened by women': 'q=wok',
    'zzyzx quux': 'q=zzyzx quux',
    'pay parking ticket': 'q=pay parking ticket',
  });
  assert.deepEqual(unused('wok zzyzx lately'), [['zzyzx', 'unknown']]);
  assert.deepEqual(unused('golden plumber'), [['golden', 'together']]);
  assert.deepEqual(search('rapid drywall'), 'q=rapid&category=Construction & Trades');
});

test('a word that names have beside one that is left out is left out, too', () => {
  const rows = [['Signal Hill Petroleum'], ['Hill Dental', 'Dental'], ['Smiles', 'Dental']];
  const town = partsOf(
    rows.map(([name = '', category = 'Wholesale']) => aRow({ key: name, name, category })),
  );
  const { search: found, words } = openIndex(town, OPTIONS).read(asking({ q: 'Signal Hill dentists' }));
  assert.equal(found.q, 'dentists');
  assert.deepEqual(words[0], { text: 'Signal Hill', fate: 'not-used', why: 'together' });
});

test('a need, such as a leaking pipe, is read as a trade, with a note', () => {
  check({
    'leaking pipe': 'q=plumber',
    'my outlet is not working, old town': 'q=electrician&neighborhood=Old Town',
    'someone to fix my faucet, since 2015': 'q=plumber&filed_from=2015-01-01',
    'rapid repair': 'q=rapid repair',
    'unclog my faucet': 'q=plumber',
    // the trade is said, and needs no other word for it
    'lawyer for a divorce': 'q=lawyer',
    'who fixes woks': 'q=woks',
    'my ceiling fell in and I need an electrician': 'q=electrician',
  });
  assert.deepEqual(unused('lawyer for a divorce'), [['divorce', 'filings']]);
  assert.deepEqual(unused('who fixes woks'), [['fixes', 'together']]);
  assert.deepEqual(
    read('fix my pipes').words.find(({ fate }) => fate === 'corrected'),
    { text: 'fix pipes', fate: 'corrected', to: 'plumber' },
  );
});

test('a need of which hardly a name has the words is its trade', () => {
  const names = ['Fixes Computers', ...Array.from({ length: 20 }, (_, i) => `Computer Repair ${i}`)];
  const read = (count: number) =>
    openIndex(partsOf(names.slice(0, count).map((name, i) => aRow({ key: `${i}`, name }))), OPTIONS).read(
      asking({ q: 'someone who fixes computers' }),
    ).search.q;
  assert.deepEqual([read(21), read(20)], ['computer repair', 'fixes computers']);
  // of a trade that all closed, its kind
  const pets = [
    aRow({ key: 'a', name: 'Dirty Paws Grooming', category: 'Pets & Veterinary', status: 'closed' }),
    aRow({ key: 'b', name: 'Lake Animal Hospital', category: 'Pets & Veterinary', status: 'open' }),
  ];
  const kind = Array.from({ length: 20 }, (_, i) => aRow({ ...pets[1]!, key: `${i}`, name: `Vet ${i}` }));
  const { search: found, isNeed } = openIndex(partsOf([...pets, ...kind]), OPTIONS).read(
    asking({ q: 'my dog stinks, who can wash him' }),
  );
  assert.deepEqual([found.q, found.status, isNeed], ['"Pets & Veterinary"', ['open'], true]);
});

test('a style beside a kind is looked for in names, and not by its other words', () => {
  const names = ['Falafel Market', 'Corner Grocery', 'Halal Market'];
  const read = (count: number) => {
    const rows = names
      .slice(0, count)
      .map((name) => aRow({ key: name, name, category: 'Grocery & Convenience' }));
    return openIndex(partsOf(rows), OPTIONS).read(asking({ q: 'halal grocery' })).search.q;
  };
  assert.deepEqual([read(3), read(2)], ['"halal" grocery', 'grocery']);
});

test('“near”, “home”, opening hours and words of quality are left out with a note', () => {
  const whys = (q: string) => unused(q).map(([, why]) => why);
  assert.deepEqual(whys('near me'), ['near']);
  assert.deepEqual(whys('home businesses in old town'), ['home']);
  assert.deepEqual(whys('home based sushi'), ['home']);
  assert.deepEqual(whys('cheap bars near me'), ['filings', 'near']);
  check({ 'near me': '', 'new businesses': '', 'home businesses in old town': 'neighborhood=Old Town' });
});

test('what others are like, better or cheaper than is not the answer, and is excluded if words say so', () => {
  const cafes = 'category=Cafes & Bakeries';
  check({
    'cafes other than starbucks': `q=cafes -starbucks`,
    'other cafes than starbucks': `q=cafes -starbucks`,
    'cafes besides starbucks': `q=cafes -starbucks`,
    'cafes instead of starbucks': `q=cafes -starbucks`,
    'autres cafés que starbucks': `q=cafés -starbucks`,
    'cafés plutôt que starbucks': `q=cafés -starbucks`,
    // without a kind, the one that it has
    'alternatives to starbucks': `q=-starbucks&${cafes}`,
    'somewhere nicer than starbucks': cafes,
    'mieux que starbucks': cafes,
    // no other is likened
    'I like sushi': 'q=sushi',
    'new bars not old ones': 'category=Bars & Nightlife',
    'old not new bars': 'category=Bars & Nightlife',
  });
  for (const [q, text] of [
    ['sushi cheaper than starbucks', 'cheaper than starbucks'],
    ['sushi more affordable than starbucks', 'more affordable than starbucks'],
    ['sushi like starbucks', 'like starbucks'],
    ['sushi spicier than the lone wolf', 'spicier than the lone wolf'],
    ['sushi moins chers que starbucks', 'moins chers que starbucks'],
    ['sushi comme starbucks', 'comme starbucks'],
  ] as const)
    assert.deepEqual([search(q), unused(q)], ['q=sushi', [[text, 'filings']]], q);
  assert.equal(read('more starbucks than pizza').answer, 'compare');
});

test('a name is found before the day in it', () => {
  const read = (q: string) => {
    const rows = ['Children Today', 'Better Hair Today LLC', 'Corner Sushi'].map((name) =>
      aRow({ key: name, name }),
    );
    return formatQuestion(openIndex(partsOf(rows), OPTIONS).read(asking({ q })).search);
  };
  for (const q of ['children today', 'hair today', '"children today"']) assert.match(read(q), /^q=[^&]*$/, q);
  for (const q of ['sushi today', 'children yesterday']) assert.match(read(q), /filed_from/, q);
});

test('what people need done, and to what, is a trade', () => {
  const rows = [
    ['Sunny Day Care', 'Childcare'],
    ['Paws Pet Sitting', 'Pets & Veterinary'],
    ['Rapid Plumbing', 'Construction & Trades'],
    ['Lake Music School', 'Education & Training'],
    ['Green Gardens', 'Landscaping'],
  ].map(([name = '', category = '']) => aRow({ key: name, name, category }));
  const town = openIndex(partsOf(rows), OPTIONS);
  for (const [q, trade] of [
    ['who can watch my toddler, opened this year', 'daycare'],
    ['someone to look after the kids', 'daycare'],
    ['take care of my dog', 'pet sitting'],
    ['fix a leak', 'plumber'],
    ['teach my son piano', 'music lessons'],
    ['cut my grass', 'landscaper'],
  ] as const)
    assert.equal(town.read(asking({ q })).search.q, trade, q);
  const unknown = town.read(asking({ q: 'who can tame my dragon, opened in 2015' }));
  assert.equal(unknown.untold, 'tame dragon');
});

test('words before a kind that nothing has beside it are told first', () => {
  assert.equal(read('zeppelin pizza').untold, 'zeppelin pizza');
  assert.equal(read('zeppelin restaurants in old town').untold, 'zeppelin restaurants');
  assert.equal(read('vegan plumbers').untold, 'vegan plumbers');
  for (const q of ['pizza zeppelin', 'golden wok', 'how many zeppelin restaurants'])
    assert.equal(read(q).untold, undefined, q);
  check({ 'vegan plumbers': 'q=plumbers' });
});

test('takeout, delivery and the like say how food is sold, and not which', () => {
  check({
    'pizza delivery': 'q=pizza',
    'sushi takeout': 'q=sushi',
    'chinese takeout': 'q=chinese takeout',
    'chinese to go in belmont shore': 'q=chinese to go&neighborhood=Belmont Shore',
    'take out': 'category=Restaurants',
  });
  for (const q of ['chinese food', 'chinese take-out', 'chinese place', 'chinese delivery'])
    assert.equal(index.search(read(q).search).total, index.search(asking({ q: 'chinese food' })).total, q);
});

test('a trade that only names of other kinds have is its kind', () => {
  const rows = [
    aRow({ key: 'a', name: 'Weed Pullers', category: 'Landscaping' }),
    aRow({ key: 'b', name: 'Local Roots', category: 'Liquor & Tobacco' }),
  ];
  const read = (q: string) => openIndex(partsOf(rows), OPTIONS).read(asking({ q }));
  for (const q of ['weed', 'dispensary', 'marijuana dispensary', 'cannabis store'])
    assert.deepEqual([read(q).search.q, read(q).search.category], ['', ['Liquor & Tobacco']], q);
  assert.equal(read('weed pullers').search.q, 'weed pullers');
});

test('what kinds need a license for is looked for if a type of the register says it', () => {
  const rows = Array.from({ length: 20 }, (_, i) =>
    aRow({
      key: `${i}`,
      name: `Corner Grocery ${i}`,
      category: 'Grocery & Convenience',
      type: 'food store w alcohol',
    }),
  );
  const plain = [0, 1].map((i) =>
    aRow({ key: `g${i}`, name: 'Plain Grocery', category: 'Grocery & Convenience' }),
  );
  const { read } = openIndex(partsOf([...rows, ...plain]), OPTIONS);
  assert.equal(read(asking({ q: 'grocery with alcohol' })).search.q, 'grocery alcohol');
  assert.equal(read(asking({ q: 'grocery without alcohol' })).search.q, 'grocery');
});
