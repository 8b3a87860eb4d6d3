/** Words of a question that are no filters: names, needs, what no listing has, and what no filing tells. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatQuestion } from '../../../src/shared/question.ts';
import { aRow, asking, namedRows, numbered } from './made-up.ts';
import { aTown, check, index, NAMES, read, search, unused } from './shops.ts';

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
  const { q } = aTown(
    namedRows({
      Restaurants: [
        ...['Home Run Inn Pizzeria', 'Peak Fitness Center', 'Peak Fitness and Co', 'Best Donuts & Bagels'],
        ...['Sunset Inn', 'Donuts'],
      ],
    }),
  );
  for (const [asked, expected] of Object.entries({
    'home run inn': 'home run inn',
    'when did peak fitness open': 'peak fitness',
    'home run donuts': 'donuts',
    'best donuts': 'donuts',
    // a joint is no end of a name
    'compare peak fitness and donuts': 'peak fitness',
  }))
    assert.equal(q(asked), expected, asked);
});

test('homes that are rented out are left out with a note, unless a listing has their words', () => {
  check({ 'airbnbs in old town': 'neighborhood=Old Town', 'sushi or short-term rentals': 'q=sushi' });
  assert.deepEqual(unused('how many vrbo'), [['vrbo', 'lets']]);
  assert.deepEqual(unused('rooms for rent in old town'), [['rooms for rent', 'lets']]);
  const { words } = aTown([aRow({ name: 'Beach Homestay Helpers' })]).read('new homestays');
  assert.deepEqual(
    words.map(({ fate }) => fate),
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
  const { search: found, words } = aTown(
    namedRows({ Wholesale: ['Signal Hill Petroleum'], Dental: ['Hill Dental', 'Smiles'] }),
  ).read('Signal Hill dentists');
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
  const names = ['Fixes Computers', ...numbered('Computer Repair', 20)];
  const read = (count: number) =>
    aTown(namedRows({ Restaurants: names.slice(0, count) })).q('someone who fixes computers');
  assert.deepEqual([read(21), read(20)], ['computer repair', 'fixes computers']);
  // of a trade that all closed, its kind
  const pets = [
    ...namedRows({ 'Pets & Veterinary': ['Lake Animal Hospital', ...numbered('Vet', 20)] }),
    aRow({ name: 'Dirty Paws Grooming', category: 'Pets & Veterinary', status: 'closed' }),
  ];
  const { search: found, isNeed } = aTown(pets).read('my dog stinks, who can wash him');
  assert.deepEqual([found.q, found.status, isNeed], ['"Pets & Veterinary"', ['open'], true]);
});

test('a style beside a kind is looked for in names, and not by its other words', () => {
  const names = ['Falafel Market', 'Corner Grocery', 'Halal Market'];
  const read = (count: number) =>
    aTown(namedRows({ 'Grocery & Convenience': names.slice(0, count) })).q('halal grocery');
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
  const { search } = aTown(
    namedRows({ Restaurants: ['Children Today', 'Better Hair Today LLC', 'Corner Sushi'] }),
  );
  const read = (q: string) => formatQuestion(search(q));
  for (const q of ['children today', 'hair today', '"children today"']) assert.match(read(q), /^q=[^&]*$/, q);
  for (const q of ['sushi today', 'children yesterday']) assert.match(read(q), /filed_from/, q);
});

test('what people need done, and to what, is a trade', () => {
  const town = aTown(
    namedRows({
      Childcare: ['Sunny Day Care'],
      'Pets & Veterinary': ['Paws Pet Sitting'],
      'Construction & Trades': ['Rapid Plumbing'],
      'Education & Training': ['Lake Music School'],
      Landscaping: ['Green Gardens'],
    }),
  );
  for (const [q, trade] of [
    ['who can watch my toddler, opened this year', 'daycare'],
    ['someone to look after the kids', 'daycare'],
    ['take care of my dog', 'pet sitting'],
    ['fix a leak', 'plumber'],
    ['teach my son piano', 'music lessons'],
    ['cut my grass', 'landscaper'],
  ] as const)
    assert.equal(town.q(q), trade, q);
  assert.equal(town.read('who can tame my dragon, opened in 2015').untold, 'tame dragon');
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
  const { search } = aTown(namedRows({ Landscaping: ['Weed Pullers'], 'Liquor & Tobacco': ['Local Roots'] }));
  for (const q of ['weed', 'dispensary', 'marijuana dispensary', 'cannabis store'])
    assert.deepEqual([search(q).q, search(q).category], ['', ['Liquor & Tobacco']], q);
  assert.equal(search('weed pullers').q, 'weed pullers');
});

test('what kinds need a license for is looked for if a type of the register says it', () => {
  const kind = 'Grocery & Convenience';
  const { q } = aTown([
    ...namedRows({ [kind]: numbered('Corner Grocery', 20) }, { type: 'food store w alcohol' }),
    ...namedRows({ [kind]: numbered('Plain Grocery', 2) }),
  ]);
  assert.equal(q('grocery with alcohol'), 'grocery alcohol');
  assert.equal(q('grocery without alcohol'), 'grocery');
});
