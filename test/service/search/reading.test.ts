/** What a question means: the search, and what became of each word. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { searchListings } from '../../../src/service/search/search.ts';
import { formatWarnings } from '../../../src/service/search/warnings.ts';
import { aRow, asking, namedRows, partsOf, repeatedRows } from './made-up.ts';
import { aTown, check, index, OPTIONS, ROWS, read, search, unused } from './shops.ts';

const YEAR = 'filed_from=2015-01-01&filed_to=2015-12-31';

test('words that mean filters become filters, and trades and names remain words', () =>
  check({
    'new restaurants in Belmont Shore': 'category=Restaurants&neighborhood=Belmont Shore',
    'lawyers in long beach': 'q=lawyers',
    'pizza old town': 'q=pizza&neighborhood=Old Town',
    'pizza in the core': 'q=pizza&neighborhood=Old Town',
    'palace shops': 'q=palace',
    'korean pizza or burger place': 'q=pizza OR burger',
    'fast pizza or burger place': 'q=pizza OR burger',
    'golden pizza or sushi': 'q=pizza OR sushi',
    'mexican taqueria or pizza': 'q=mexican taqueria OR pizza',
    'pizza in seaside': 'q=pizza&neighborhood=Old Town&neighborhood=Belmont Shore',
    'tiệm làm tóc in old town': 'category=Beauty & Hair&neighborhood=Old Town',
    'where can I get sushi': 'q=sushi',
    'barbers near me': 'q=barbers',
    // what is counted and what is listed is one set
    bars: 'category=Bars & Nightlife',
    'how many bars': 'category=Bars & Nightlife',
    'closed bars': 'category=Bars & Nightlife&status=closed&status=abandoned',
    'open now': 'status=open',
    'restaurants oldtown': 'category=Restaurants&neighborhood=Old Town',
    'wok in naples': 'q=wok&neighborhood=Naples-Marina Area',
    'restaurants 90802': 'category=Restaurants&neighborhood=ZIP 90802',
    'sjb restaurants': 'category=Restaurants',
    'lone wolf': 'q=lone wolf',
    '7-eleven': 'q=7-eleven',
    'how do i get a business license': 'q=how do i get a business license',
  }));

test('what people say about themselves before they ask, or behind a comma, is not looked for', () => {
  check({
    'I sell coffee machines and want to know which bars opened': 'category=Bars & Nightlife',
    'we run a coffee place in naples, any pizza in old town': 'q=pizza&neighborhood=Old Town',
    'as a plumber I need to know how many bars closed':
      'category=Bars & Nightlife&status=closed&status=abandoned',
    'new pizza places, I sell coffee': 'q=pizza',
    // where they are is where they ask for
    'I live in old town and want pizza': 'q=pizza&neighborhood=Old Town',
    // and what they are about is what they ask for, if they name nothing else
    'my husband and I dream of a small pizza place in naples, how many have opened there since 2015':
      'q=pizza&neighborhood=Naples-Marina Area&filed_from=2015-01-01',
    'my son and I dream of a pizza place near sunset row, how many are there': 'q=pizza',
    'mon mari et moi rêvons de pizza à old town, combien ont ouvert depuis 2015':
      'q=pizza&neighborhood=Old Town&filed_from=2015-01-01',
    'I sell coffee, what opened in old town': 'neighborhood=Old Town',
    'my wife dreams of a pizza place, and before we sign anything, how many opened in old town':
      'q=pizza&neighborhood=Old Town',
    'je vends du coffee et je cherche pizza': 'q=pizza',
    'vendo coffee y quiero saber qué pizza abrió': 'q=pizza',
    // what is not wanted is no request, and a request at the beginning has nothing before it
    'I dont want pizza just sushi': 'q=sushi -pizza',
    'I want pizza and coffee': 'q=pizza OR coffee',
    'where can we get coffee': 'q=coffee',
    "we're a family and need pizza": 'q=pizza',
    'reporter here, new pizza places': 'q=pizza',
    // others of one's own kind are what is asked for
    'I run a pizza place and want to see my competitors': 'q=pizza',
    'pizza still in old town': 'q=pizza&neighborhood=Old Town',
  });
  assert.equal(read('I run a wok, how many bars').answer, 'count');
  assert.deepEqual(unused('we dream of pizza near sunset row, how many opened'), [['sunset row', 'address']]);
});

test('a note quotes words as they are typed, and none is about words without content', () => {
  const { words } = aTown(
    namedRows({ 'Grocery & Convenience': ['7-Eleven', 'Two for Two', 'Corner Market'] }),
  ).read('grocery stores except 7-eleven');
  assert.equal(words.find(({ fate }) => fate === 'excluded')?.text, '7-eleven');
  for (const q of ['pizza from out', 'pizza since over', 'pizza depuis chez'])
    assert.deepEqual([search(q), unused(q)], ['q=pizza', []], q);
  assert.deepEqual(unused('pizza before zeppelin'), [['before zeppelin', 'unread']]);
  for (const [q, text] of [
    ['pizza but not from out of town', 'but not from out of town'],
    ['pizza from another city', 'from another city'],
    ['pizza mais pas d’une autre ville', 'mais pas d une autre ville'],
  ] as const)
    assert.deepEqual([search(q), unused(q)], ['q=pizza', [[text, 'town']]], q);
});

test('a general noun of a place of business adds nothing to its trade or kind', () => {
  const town = aTown(
    namedRows({
      'Auto Repair': ['Ace Auto Repair Shop', 'Best Motors', 'Auto Body Shop'],
      'Auto Sales & Parts': ['Tire Shop Uno', 'Tires for Less', 'Tacos on Wheels'],
      'Home & Garden Stores': ['Rosa Florist Shop', 'Blue Flowers'],
      'Food Trucks & Catering': ['Lobster Roll', 'Thunderbird'],
      'Specialty Retail': ['Goodwill', 'Frame Shop'],
      'Bars & Nightlife': ['The Nail'],
    }),
  );
  for (const [q, n] of [
    ['auto repair shops', 3],
    ['auto repair', 3],
    ['auto repair services', 3],
    ['florist services', 2],
    ['florist shops', 2],
    ['florist', 2],
    ['tire shops', 2],
    ['tire stores', 2],
    ['tires', 2],
    ['body shops', 1],
    ['thrift stores', 1],
    ['frame shop', 1],
    ['lobster shops', 1],
    ['tire shop uno', 1],
    ['shops', 4],
    // no listing says it, and two are of the kind
    ['food trucks', 2],
    ['how many food trucks', 2],
  ] as const)
    assert.equal(town.count(q), n, q);
  const ranked = town.read('which kind of shop grew most');
  assert.deepEqual(ranked.rank, { by: 'category', order: 'grew' });
  assert.deepEqual([ranked.search.q, ranked.search.category.includes('Specialty Retail')], ['', true]);
  const { search } = aTown(
    namedRows({ 'Garages automobiles': ['Garage du Pont'], 'Autres magasins': ['Chez Rose'] }),
    { language: 'fr' },
  );
  assert.deepEqual(search('magasin de garage'), search('garage'));
  assert.deepEqual(search('magasins').category, ['Autres magasins']);
});

test('a plural of what a register has means all of it', () =>
  check({
    'licenses issued in 2015': YEAR,
    'permits granted in 2015': YEAR,
    'filings of 2015': YEAR,
    'registrations in 2015': YEAR,
    'restaurant licenses issued in 2015': `category=Restaurants&${YEAR}`,
  }));

test('a noun of all listings keeps the filters of a question whose other words no listing has', () => {
  check({
    'businesses near cal poly': '',
    'businesses that opened in 2015 and vanished': YEAR,
    'unheard of businesses in old town': 'neighborhood=Old Town',
    'gone businesses': 'status=closed&status=abandoned',
    'which of the businesses that opened in 2015 are already gone':
      'status=closed&status=abandoned&filed_from=2015-01-01&filed_to=2015-12-31',
    'zyzzyva businesses': 'q=zyzzyva businesses',
  });
  assert.deepEqual(unused('businesses near cal poly'), [['cal poly', 'address']]);
  assert.deepEqual(unused('businesses that opened in 2015 and vanished'), [['vanished', 'unknown']]);
});

test('people can exclude words, categories, neighborhoods and statuses', () => {
  // no name has the word, for which its whole category stands where it is asked for
  const { search: all } = read('restaurants not steakhouses');
  assert.equal(index.count(all), index.count(read('restaurants').search));
  check({
    'restaurants not in old town': 'category=Restaurants&neighborhood=-Old Town',
    // `but` ends what is excluded
    'not pizza but sushi': 'q=sushi -pizza',
    'restaurants not in naples but old town':
      'category=Restaurants&neighborhood=-Naples-Marina Area&neighborhood=Old Town',
    'coffee -starbucks': 'q=coffee -starbucks',
    'coffee without starbucks': 'q=coffee -starbucks',
    'coffee but not starbucks in old town': 'q=coffee -starbucks&neighborhood=Old Town',
    'everything except restaurants': 'category=-Restaurants',
    'no open bars': 'category=Bars & Nightlife&status=abandoned&status=closed&status=expired',
    'bars that are not closed': 'category=Bars & Nightlife&status=-closed&status=-abandoned',
    'not pizza or burger restaurants': 'q=-pizza -burger&category=Restaurants',
    'restaurants other than pizza and burgers': 'q=-pizza -burgers&category=Restaurants',
    'restaurants no ice cream': 'q=-ice-cream&category=Restaurants',
    'closed places, not restaurants': 'category=-Restaurants&status=closed&status=abandoned',
    'no such thing': 'q=no such thing',
    'no pizza': 'q=-pizza',
    'no restaurants': 'category=-Restaurants',
    // `non` is of the next word only, and what cannot be excluded is said
    'non golden restaurants': 'q=-golden&category=Restaurants',
    'restaurants non golden': 'q=-golden&category=Restaurants',
    'pizza not new': 'q=pizza',
    'pizza but not the newest ones in old town': 'q=pizza&neighborhood=Old Town',
    'pizza, not new restaurants': 'q=pizza&category=-Restaurants',
    'no pizza just restaurants': 'q=-pizza&category=Restaurants',
    'no ice cream only sushi': 'q=sushi -ice-cream',
    'um, maybe sushi': 'q=sushi',
    "hi I'd like to know about sushi": 'q=sushi',
    // words of questions are corrected too
    'resteraunts in 90802 sinse 2015': 'q=resteraunts&neighborhood=ZIP 90802&filed_from=2015-01-01',
    'sushi befor 2015': 'q=sushi&filed_to=2014-12-31',
    'sushi in febuary 2015': 'q=sushi&filed_from=2015-02-01&filed_to=2015-02-28',
    'sushi betwen 2014 and 2015': 'q=sushi&filed_from=2014-01-01&filed_to=2015-12-31',
    'fromm sushi': 'q=sushi',
    // what no filing tells is not excluded, and the rest stays
    'non chain pizza places': 'q=pizza',
    'restaurants that are not a franchise': 'category=Restaurants',
    // no name has these words, so they may be one
    'no frills pizza': 'q=pizza',
    'anything but ice cream': 'q=-ice-cream',
    'restaurants outside old town': 'category=Restaurants&neighborhood=-Old Town',
    'nails excluding the ones that closed': 'q=nails&status=-closed&status=-abandoned',
    'neither plumbers nor restaurants in old town': 'q=-plumbers&category=-Restaurants&neighborhood=Old Town',
    'sushi drive-in': 'q=sushi',
    'not only sushi': 'q=sushi',
    "restaurants that don't have pizza": 'q=-pizza&category=Restaurants',
    "restaurants that don't serve pizza": 'q=-pizza&category=Restaurants',
    'restaurants but not pizza palace': 'q=-pizza-palace&category=Restaurants',
    'restaurants but not golden restaurants': 'q=-golden-restaurants&category=Restaurants',
    // of several kinds, those that are left
    'food businesses that are not restaurants': 'category=Cafes & Bakeries&category=Bars & Nightlife',
    // no name has the words, but a kind is called so
    'food businesses that are not night life': 'category=Restaurants&category=Cafes & Bakeries',
    // nothing has the word beside the others, so it excludes nothing, which is said
    'restaurants without alcohol': 'category=Restaurants',
    'restaurants other than night life': 'category=Restaurants',
    // what else businesses sell is not their kind
    "bars that don't serve food in old town": 'category=Bars & Nightlife&neighborhood=Old Town',
    'bars qui ne vendent pas de food': 'category=Bars & Nightlife',
    'bars that serve alcohol in old town': 'category=Bars & Nightlife&neighborhood=Old Town',
    'bars without a food license in old town': 'category=Bars & Nightlife&neighborhood=Old Town',
    'no sushi just pizza in old town': 'q=pizza&neighborhood=Old Town',
    'sushi not in the north or west': 'q=sushi',
    'not many restaurants in old town': 'category=Restaurants&neighborhood=Old Town',
    // a place behind "but" is excluded, and a kind behind its comma is not
    'all restaurants but old town': 'category=Restaurants&neighborhood=-Old Town',
    'anywhere but old town bars': 'category=Bars & Nightlife&neighborhood=-Old Town',
    'everywhere except old town, restaurants': 'category=Restaurants&neighborhood=-Old Town',
    'not old town, not belmont shore, bars':
      'category=Bars & Nightlife&neighborhood=-Old Town&neighborhood=-Belmont Shore',
    // two conditions that are excluded together
    'restaurants but not pizza in old town': 'q=-pizza&category=Restaurants&neighborhood=Old Town',
    'restaurants but not in old town': 'category=Restaurants&neighborhood=-Old Town',
    'restaurants in belmont shore but not bars in old town':
      'category=Restaurants&neighborhood=Belmont Shore',
    'bars but not bars in old town': 'category=Bars & Nightlife&neighborhood=-Old Town',
    'restaurants but not old town restaurants': 'category=Restaurants&neighborhood=-Old Town',
    'restaurants except old town bars': 'category=Restaurants',
    'restaurants in springfield but not bars in old town': 'category=Restaurants',
    'restaurants but not closed bars': 'category=Restaurants',
    'bars in 2014 but not restaurants in 2015':
      'category=Bars & Nightlife&filed_from=2014-01-01&filed_to=2014-12-31',
  });
  // of ordinary words it is said that only names tell them
  const excluded = (q: string) => read(q).words.filter(({ fate }) => fate === 'excluded');
  assert.deepEqual(excluded('restaurants that are not burger barn'), [
    { text: 'burger barn', fate: 'excluded' },
  ]);
  assert.deepEqual([...excluded('coffee -pizza'), ...excluded('coffee not starbucks')], []);
  for (const [q, ...expected] of [
    ['restaurants without alcohol', ['without alcohol', 'filings']],
    ["bars that don't serve food in old town", ["don't serve food", 'idle']],
    ['restaurants in belmont shore but not bars in old town', ['bars in old town', 'together']],
    ['restaurants but not closed bars', ['closed bars', 'together']],
    ['bars in 2014 but not restaurants in 2015', ['restaurants in 2015', 'unread']],
    ['sushi not in the north or west', ['north', 'place'], ['west', 'place']],
    ['restaurants not registered', ['not registered', 'unread']],
  ] as const)
    assert.deepEqual(unused(q), expected, q);
});

test('“or” joins kinds, places, trades and names', () =>
  check({
    'restaurants and bars': 'category=Restaurants&category=Bars & Nightlife',
    'restaurants, bars or lawyers': 'category=Restaurants&category=Bars & Nightlife&category=Legal',
    'Restaurants & Bars in old town': 'category=Restaurants&category=Bars & Nightlife&neighborhood=Old Town',
    'plumbers and electricians': 'q=plumbers OR electricians',
    'plumbing contractors': 'q=plumbing',
    'sushi and burritos': 'q=sushi',
    'how many companies in old town': 'neighborhood=Old Town',
    'pizza / burgers': 'q=pizza OR burgers',
    'sushi|pizza': 'q=sushi OR pizza',
    'golden OR lone': 'q=golden OR lone',
    'ice cream or pizza': 'q=ice-cream OR pizza',
    'belmont shore or old town': 'neighborhood=Belmont Shore&neighborhood=Old Town',
    'restaurants in old town and belmont shore':
      'category=Restaurants&neighborhood=Old Town&neighborhood=Belmont Shore',
    'bars & nightlife': 'category=Bars & Nightlife',
    // nothing is both
    'golden wok and lone wolf': 'q=golden-wok OR lone-wolf',
    'barbers and hair lofts': 'q=barbers OR hair-lofts',
    // a place is a condition of its own
    'pizza or sushi, old town': 'q=pizza OR sushi&neighborhood=Old Town',
    'wok in bel or old town': 'q=wok&neighborhood=Old Town',
    'wok in belm or old town': 'q=wok&neighborhood=Belmont Shore&neighborhood=Old Town',
  }));

test('a possessive is no trade, and a whole name tells more than a trade that no listing has with it', () => {
  const town = aTown(
    namedRows({
      Restaurants: ["Church's Chicken", 'Churchs Chicken'],
      'Nonprofits & Community': ['Grace Chapel', 'First Church'],
      'Home & Garden Stores': ['Rosa Plants'],
      Manufacturing: ['The Boeing Company', 'Boeing Realty'],
    }),
  );
  for (const [q, n] of [
    ["church's", 2],
    ['churchs chicken', 2],
    ['churches', 2],
    ['church', 2],
    ['boeing plant', 2],
    ['realty plant', 1],
  ] as const)
    assert.equal(town.count(q), n, q);
  assert.equal(town.q('realty plant'), 'plant');
});

test('ordinary words and trades are never corrected, and other words are corrected only if this finds more', () => {
  const readIn = (words: Record<string, number>, q: string) => {
    const { search: found, offer } = aTown(repeatedRows(words)).read(q);
    return offer ? `${offer.search.q}?` : found.q || found.category.join();
  };
  for (const [words, q, expected] of [
    [{ 'Corner Granite': 30 }, 'corner ganite', 'corner granite'],
    [{ Leasing: 400 }, 'leaking', 'leaking'],
    [{ Leather: 400 }, 'weather', 'weather'],
    [{ 'Ganite Tops': 3, Granite: 300 }, 'ganite', 'granite'],
    [{ Ganite: 3, Granite: 300 }, 'ganite', 'granite?'], // a whole name
    [{ Ganite: 3, Granite: 60 }, 'ganite', 'granite?'],
    [{ Ganite: 3, Granite: 30 }, 'ganite', 'ganite'],
    [{ Ganite: 5, Granite: 900 }, 'ganite', 'ganite'],
    [{ Wolt: 30 }, 'restoraunt', 'Restaurants'], // in its own spelling
    [{ Wolt: 30 }, 'wlot', 'wolt?'], // a short word is only offered
    [{ 'Kit Kat Club': 9 }, 'kitkat', 'kit kat'],
    [{ 'Used Cars': 90 }, "carl's", "carl's"],
    [{ Kebap: 90 }, 'kebab', 'Restaurants'],
    [{ Restaurant: 90 }, 'resturants', 'Restaurants'],
    [{ Granite: 30 }, 'ganite in 1999', 'granite'], // although its days have none
    [{ Granite: 30 }, 'ganite that closed', 'granite'], // although none is closed
  ] as const)
    assert.equal(readIn(words, q), expected, `${q} beside ${JSON.stringify(words)}`);
  assert.equal(index.count(read('plummer').search), index.count(read('plumber').search));
});

test('a place in the words does not replace a chosen filter', () => {
  const chosen = { neighborhood: ['Old Town'], status: ['open' as const] };
  assert.deepEqual(read('restaurants', chosen).search, asking({ ...chosen, category: ['Restaurants'] }));
  assert.deepEqual(read('belmont shore barber', chosen).search.neighborhood, ['Old Town']);
});

test('a warning of the API has its code, the ignored words and the whole query', () => {
  const warn = (q: string) => {
    const result = searchListings(index, { question: asking({ q }), warnings: [], problems: [] });
    return 'tooFar' in result ? [] : formatWarnings(result.warnings, '/api/search');
  };
  assert.deepEqual(warn('sushi on robson street'), [
    {
      code: 'address',
      parameter: 'q',
      detail:
        '"sushi" matches names only. Search for "Restaurants" in quotation marks to get all of this type. Listings have no addresses or phone numbers, so not used: "robson street".',
      not_used: ['robson street'],
      did_you_mean: 'sushi',
      href: '/api/search?q=sushi',
    },
  ]);
  assert.equal(
    warn('new restaurants in old town')[0]?.href,
    '/api/search?category=Restaurants&neighborhood=Old%20Town',
  );
  assert.match(warn('closed bars of 2014')[0]!.detail, /no listing says when it closed/);
  assert.doesNotMatch(warn('bars in 2014')[0]!.detail, /closed/);
  assert.equal(
    warn('restaurants not in old town')[0]?.did_you_mean,
    'category=Restaurants&neighborhood=-Old Town',
  );
  for (const [q, ...codes] of [
    ['golden wok'],
    ['coffee -starbucks'],
    ['sushi OR pizza', 'other-words'], // of 33 restaurants, only names tell
    ['resturants', 'misspelled'],
    ['wok in springfield', 'unknown-place'],
    ['zzyzx', 'no-match'],
    ['wok zzyzx', 'no-match'],
  ] as const)
    assert.deepEqual(
      warn(q).map(({ code }) => code),
      codes,
      q,
    );
});

test('a trade that nothing found has is read as the kind that is called so, which is said', () => {
  const rows = [
    aRow({ key: 'a', name: 'Corner Spot', category: 'Liquor & Tobacco', neighborhood: 'Belmont Shore' }),
    aRow({ key: 'b', name: 'Pine Liquor', category: 'Liquor & Tobacco' }),
    aRow({ key: 'c', name: 'Hair Loft', category: 'Beauty & Hair', neighborhood: 'Belmont Shore' }),
    aRow({ key: 'd', name: 'Ann Tattoo', category: 'Beauty & Hair' }),
  ];
  const town = aTown(rows);
  const stores = town.read('how many liquor stores in belmont shore');
  assert.deepEqual([stores.search.q, stores.search.category], ['', ['Liquor & Tobacco']]);
  assert.deepEqual(stores.words.find(({ fate }) => fate === 'kind')?.to, 'Liquor & Tobacco');
  assert.equal(town.q('liquor stores in old town'), 'liquor stores');
  // where a list shows them, kinds that have a name for all of their trades
  const taverns = read('taverns in naples marina');
  assert.deepEqual([taverns.search.q, taverns.search.category], ['', ['Bars & Nightlife']]);
  assert.equal(read('how many taverns in naples marina').search.q, 'taverns');
  assert.equal(search('sushi or taquerias in old town'), 'category=Restaurants&neighborhood=Old Town');
  // of days that have none, the page says when there were some
  assert.equal(search('taverns in 2017'), 'q=taverns&filed_from=2017-01-01&filed_to=2017-12-31');
  // no hair salon is a tattoo shop
  assert.equal(town.q('tattoo in belmont shore'), 'tattoo');
});

test('a question that is asked again in another way is read anew', () => {
  const ways = [
    { q: 'pizza' },
    { q: 'pizza', status: ['open' as const] },
    { q: 'pizza', offset: 25 },
    { q: 'pizza', limit: 5 },
    { q: 'pizza', filed_from: '2015-01-01' },
    { q: 'pizza', neighborhood: ['Old Town'] },
  ];
  for (const way of [...ways, ...ways.toReversed()]) {
    const fresh = openIndex(partsOf(ROWS, { day: '2016-10-06' }), OPTIONS).read(asking(way));
    assert.deepEqual(index.read(asking(way)), fresh, JSON.stringify(way));
  }
});
