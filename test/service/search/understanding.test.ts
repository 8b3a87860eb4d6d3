/** Words of a question that are filters: what they mean, and when that is offered. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { searchListings } from '../../../src/service/search/search.ts';
import { formatWarnings } from '../../../src/service/search/warnings.ts';
import { openUnderstanding } from '../../../src/service/search/words/understand.ts';
import { addDays } from '../../../src/shared/day.ts';
import { perFilter } from '../../../src/shared/question.ts';
import { aRow, asking, catalogueOf, partsOf, TODAY } from './made-up.ts';

const VOCABULARY = {
  values: {
    ...perFilter((): string[] => []),
    category: ['Restaurants', 'Bars & Nightlife', 'Beauty & Hair', 'Legal'],
    neighborhood: ['Belmont Shore', 'Old Town', 'Unknown'],
    status: ['open', 'closed', 'expired', 'abandoned', 'unknown'],
  },
  placeNames: ['Long Beach', 'California'],
  lastDay: '2016-10-06',
  language: 'en',
};
const understand = openUnderstanding(VOCABULARY);

const read = (q: string) => understand(asking({ q }))?.question;

test('words that are filters are read as filters, and the others stay', () => {
  assert.deepEqual(
    read('new restaurants in Belmont Shore'),
    asking({
      category: ['Restaurants'],
      neighborhood: ['Belmont Shore'],
    }),
    'the newest come first anyway',
  );
  assert.deepEqual(read('lawyers in long beach'), asking({ category: ['Legal'] }));
  assert.deepEqual(read('taqueria old town'), asking({ q: 'taqueria', neighborhood: ['Old Town'] }));
  assert.deepEqual(read('where can I get pupusas'), asking({ q: 'pupusas' }));
  assert.deepEqual(
    read('barbers near me'),
    asking({ q: 'barbers' }),
    'a trade inside a category is looked for in names',
  );
  assert.deepEqual(read('closed bars'), asking({ q: 'bars', status: ['closed', 'abandoned'] }));
  assert.deepEqual(read('open now'), asking({ status: ['open'] }));
  assert.equal(read('lone wolf'), undefined);
  assert.equal(read('how do i get a business license'), undefined, 'nothing is left to ask for');
  assert.equal(read(''), undefined);
});

test('dates are counted back from the last day of the data', () => {
  const days = (q: string) => [read(q)?.filed_from, read(q)?.filed_to];
  assert.deepEqual(days('this week'), ['2016-09-30', '2016-10-06']);
  assert.deepEqual(days('in the last 7 days'), days('this week'));
  assert.deepEqual(days('restaurants last 30 days'), ['2016-09-07', '2016-10-06']);
  assert.deepEqual(days('past 30 days'), ['2016-09-07', '2016-10-06']);
  assert.deepEqual(days('last 2 weeks'), ['2016-09-23', '2016-10-06']);
  assert.deepEqual(days('last two weeks'), days('past 14 days'));
  assert.deepEqual(days('past 3 months'), days('last three months'));
  assert.deepEqual(days('last 12 months'), days('past year'));
  assert.equal(read('30 days'), undefined, 'a name');
  assert.equal(read('last 30 constructors'), undefined);
  assert.deepEqual(days('last month'), ['2016-09-01', '2016-09-30']);
  assert.deepEqual(days('opened this month'), ['2016-10-01', '2016-10-31']);
  assert.deepEqual(days('sushi in 2015'), ['2015-01-01', '2015-12-31']);
  assert.deepEqual(days('sushi since 2015'), ['2015-01-01', '']);
  assert.deepEqual(days('sushi before 2015'), ['', '2014-12-31']);
  assert.deepEqual(days('march 2016'), ['2016-03-01', '2016-03-31']);
  assert.deepEqual(days('in november'), ['2015-11-01', '2015-11-30'], 'the last one that the data has');
  assert.equal(read('may flowers'), undefined, 'a month without a year may be a name');
});

test('words that are no filter are kept by what they mean, and a name is not taken for a question', () => {
  const notes = (q: string) => understand(asking({ q }))?.notes;
  assert.deepEqual(notes('newest restaurants'), { newest: 'newest', dates: '', unused: '', near: '' });
  assert.deepEqual(notes('cheap bars near me since 2015'), {
    newest: '',
    dates: 'since 2015',
    unused: 'cheap',
    near: 'near me',
  });
  const isSure = (q: string) => understand(asking({ q }))?.isSure;
  for (const q of [
    'new restaurants',
    'open restaurants',
    'new coffee shops',
    'restaurants 2016',
    'restaurants in old town',
  ])
    assert.equal(isSure(q), true, q);
  assert.equal(understand(asking({ q: 'new york' }))?.isCertain, false);
  for (const q of ['open sesame', 'new york pizza', 'open', 'restaurants in a town'])
    assert.equal(isSure(q), false, q);
});

test('kinds that are joined are categories, and alone they keep their meaning', () => {
  const both = asking({ category: ['Restaurants', 'Bars & Nightlife'] });
  for (const q of ['restaurants and bars', 'restaurants or bars', 'Restaurants & Bars', 'restaurants, bar']) {
    assert.deepEqual(read(q), both, q);
    assert.equal(understand(asking({ q }))?.isCertain, true, q);
    assert.equal(understand(asking({ q }))?.isSure, true, q);
  }
  assert.deepEqual(
    read('new bars, lawyers, and restaurants in old town')?.category,
    ['Bars & Nightlife', 'Legal', 'Restaurants'],
    'everyday names too',
  );
  assert.deepEqual(read('bars & nightlife'), asking({ category: ['Bars & Nightlife'] }));
  assert.deepEqual(read('bars and nightlife or lawyers')?.category, ['Bars & Nightlife', 'Legal']);
  assert.deepEqual(read('restaurants in old town')?.category, ['Restaurants']);
  assert.deepEqual(read('restaurants bars'), asking({ q: 'bars', category: ['Restaurants'] }));
  assert.deepEqual(read('bars and tacos'), asking({ q: 'bars tacos' }), 'one of them is no category');
  assert.equal(read('bars'), undefined);
});

test('the beginning of one neighborhood means it, and a beginning of two or of few letters is a word', () => {
  const readIn = (q: string, neighborhood: string[]) =>
    openUnderstanding({
      values: { ...perFilter((): string[] => []), category: ['Restaurants'], neighborhood, status: ['open'] },
      ...{ placeNames: [], lastDay: '2016-10-06', language: 'en' },
    })(asking({ q }))?.question;
  const naples = ['Naples-Marina Area', 'El Dorado Park', 'The Plaza'];
  assert.deepEqual(
    readIn('tacos in naples', naples),
    asking({ q: 'tacos', neighborhood: ['Naples-Marina Area'] }),
  );
  assert.deepEqual(readIn('naples marina', naples), asking({ neighborhood: ['Naples-Marina Area'] }));
  assert.equal(readIn('naples', [...naples, 'Naples Island']), undefined, 'it may mean both');
  assert.equal(readIn('naples beach tacos', naples), undefined, 'it may begin another name');
  assert.equal(readIn('el pollo', naples), undefined);
  assert.deepEqual(readIn('the wok', naples), asking({ q: 'wok' }), 'a filler stays one');
});

test('a neighborhood or a category is understood in singular and plural, and a neighborhood also as one word', () => {
  const shore = asking({ neighborhood: ['Belmont Shore'] });
  for (const q of ['belmont shore', 'Belmont Shores', 'new businesses in belmont shore'])
    assert.deepEqual([read(q), understand(asking({ q }))?.isNamed], [shore, true], q);
  assert.equal(understand(asking({ q: 'restaurant' }))?.isNamed, true);
  assert.deepEqual(read('oldtown'), asking({ neighborhood: ['Old Town'] }));
  assert.equal(understand(asking({ q: 'oldtown' }))?.isNamed, false, 'it may be part of a name');
  assert.equal(understand(asking({ q: 'restaurants oldtown' }))?.isSure, true);
});

test('words that are counted back from late data are noted, and only these', () => {
  const counted = (q: string, isBehind = true) =>
    openUnderstanding({ ...VOCABULARY, isBehind })(asking({ q }))?.notes.counted;
  assert.deepEqual(counted('restaurants this month'), { words: 'this month', from: '2016-10-06' });
  assert.deepEqual(counted('last 30 days')?.words, 'last 30 days');
  for (const q of ['restaurants in 2015', 'since march 2016', 'new restaurants', 'closed bars'])
    assert.equal(counted(q), undefined, q);
  assert.equal(counted('this month', false), undefined);
});

test('a question about the status of a business has its name, and other searches have none', () => {
  const business = (q: string) => understand(asking({ q }))?.business;
  for (const q of [
    'is the Lone Wolf still open?',
    'has lone wolf closed down',
    'Lone Wolf: closed yet?',
    'is lone wolf in business',
    'is lone wolf permanently closed',
    'is lone wolf open today',
    'did lone wolf close',
    'did the lone wolf close down?',
    'when did lone wolf go out of business?',
    'what happened to lone wolf',
    'is Lone Wolf gone?',
    'does lone wolf still exist',
    'is lone wolf still there',
    'is there still a lone wolf',
    'when will lone wolf close',
    'is lone wolf going out of business',
  ])
    assert.match(business(q) ?? '', /^lone wolf$/i, q);
  for (const name of ["Lone Wolf's", 'Open Wolf', 'Close Wolf', 'Gone Wolf'])
    assert.equal(business(`is ${name} still open`), name, 'as typed');
  for (const q of [
    'are restaurants open?',
    'closed bars?',
    'lone wolf closed',
    'is it',
    'closed',
    'gone wolf',
  ])
    assert.equal(business(q) ?? '', '', q);
  assert.equal(understand(asking({ q: 'lone wolf closed' }))?.nameWithStatus, 'lone wolf');
  for (const q of ['close quarters', 'gone wolf', 'still here'])
    assert.equal(read(q), undefined, `a status only in a question: ${q}`);
});

test('words for businesses run from home ask about all businesses, unless there is a name', () => {
  const isAboutHomes = (q: string) => understand(asking({ q }))?.isAboutHomes ?? false;
  for (const q of ['home businesses', 'home based businesses in old town', 'home occupations'])
    assert.equal(isAboutHomes(q), true, q);
  assert.deepEqual(read('home businesses in old town'), asking({ neighborhood: ['Old Town'] }));
  for (const q of ['home depot', 'care at home', 'lone wolf home business'])
    assert.equal(isAboutHomes(q), false, q);
});

test('words for what is new or near are understood, also alone, and not as part of a name', () => {
  const isAboutAll = (q: string) => understand(asking({ q }))?.isAboutAll ?? false;
  for (const q of [
    'new businesses',
    'new',
    'newest',
    'show me the newest listings',
    'new businesses by year',
    'near me',
    'what opened near me',
    'new businesses near me',
    'new in my area',
    'on my street',
    'in my neighborhood',
    'nearby',
    'around here',
    'close to me',
  ])
    assert.deepEqual([isAboutAll(q), read(q)], [true, asking({})], q);
  for (const q of ['restaurants near me', 'wok near me', 'near me this week', 'my wok'])
    assert.equal(isAboutAll(q), false, q);
});

test('unknown words after "in" may be a place that is no neighborhood', () => {
  const elsewhere = (q: string) => understand(asking({ q }))?.elsewhere;
  assert.deepEqual(elsewhere('tacos in springfield'), {
    place: 'springfield',
    question: asking({ q: 'tacos' }),
  });
  assert.equal(elsewhere('tacos in salt town')?.place, 'salt town');
  assert.deepEqual(elsewhere('new restaurants in the Far East'), {
    place: 'Far East',
    question: asking({ category: ['Restaurants'] }),
  });
  for (const q of [
    'tacos in old town',
    'wok on pine',
    'in zzz tacos',
    'is zzz in yyy open',
    'tacos springfield',
  ])
    assert.equal(elsewhere(q), undefined, q);
});

test('words that ask for change are a comparison by neighborhoods or kinds, unless there is a name', () => {
  const compared = (q: string) => understand(asking({ q }))?.compared;
  assert.equal(compared('which neighborhoods grew most'), 'neighborhood');
  assert.equal(compared('what changed in old town this year'), 'neighborhood');
  assert.equal(compared('which kinds of businesses grew most'), 'category');
  assert.equal(compared('what changed sesame'), undefined);
  assert.equal(compared('restaurants in old town'), undefined);
  for (const q of ['2015 vs 2014', '2014 compared with 2015'])
    assert.deepEqual(
      [compared(q), understand(asking({ q }))?.question.filed_from],
      ['neighborhood', '2015-01-01'],
      'the later year is compared',
    );
});

test('a French city understands French questions and months, another one does not', () => {
  const values = {
    ...perFilter((): string[] => []),
    category: ['Restaurants', 'Juridique'],
    neighborhood: ['Vieux Port', 'Les Tanneurs', 'Inconnu'],
    status: ['open', 'closed', 'abandoned'],
  };
  const rest = { values, placeNames: ['Le Port'], lastDay: '2026-10-06' };
  const french = openUnderstanding({ ...rest, language: 'fr-FR' });
  const reads = (q: string) => french(asking({ q }))?.question;
  const port = asking({ category: ['Restaurants'], neighborhood: ['Vieux Port'] });
  assert.deepEqual(reads('nouveaux restaurants à Vieux Port'), port);
  assert.deepEqual(reads('où sont les restaurants dans le vieux port'), port);
  assert.deepEqual(reads('restaurants fermés'), {
    ...asking({ category: ['Restaurants'] }),
    status: ['closed', 'abandoned'],
  });
  assert.deepEqual(reads('restaurants ouverts')?.status, ['open']);
  assert.deepEqual(reads('vieux port et les tanneurs')?.neighborhood, ['Vieux Port', 'Les Tanneurs']);
  assert.deepEqual(reads('restaurants ou juridique')?.category, ['Restaurants', 'Juridique']);
  assert.deepEqual(
    [reads('restaurants depuis août 2025')?.filed_from, reads('restaurants en février')?.filed_to],
    ['2025-08-01', '2026-02-28'],
  );
  assert.equal(french(asking({ q: 'quels quartiers ont le plus augmenté' }))?.compared, 'neighborhood');
  assert.equal(openUnderstanding({ ...rest, language: 'en' })(asking({ q: 'maison fermée' })), undefined);
});

test('what was given as a filter stays', () => {
  const asked = asking({ q: 'lawyers', neighborhood: ['Old Town'], status: ['open'] });
  assert.deepEqual(understand(asked)?.question, { ...asked, q: '', category: ['Legal'] });
});

test('in an archive days are counted back from its newest filing, however new it is', () => {
  const parts = partsOf([aRow({ category: 'Restaurants', filedOn: addDays(TODAY, -3) })]);
  const month = asking({ q: 'restaurants this week' });
  const read = (isArchive: boolean) => openIndex(parts, { isArchive }).interpret(month, 0);
  assert.deepEqual(read(true)?.notes?.counted, { words: 'this week', from: addDays(TODAY, -3) });
  assert.deepEqual([read(false)?.notes?.counted, read(false)?.meant.filed_to], [undefined, TODAY]);
});

const catalogue = catalogueOf([
  aRow({
    key: 'A',
    name: 'Golden Wok',
    category: 'Restaurants',
    neighborhood: 'Old Town',
    filedOn: '2026-02-20',
  }),
  aRow({
    key: 'B',
    name: 'Newport Grill',
    category: 'Restaurants',
    neighborhood: 'Old Town',
    filedOn: '2020-02-20',
  }),
]);
const warn = (q: string) => {
  const result = searchListings(catalogue, { question: asking({ q }), warnings: [], faults: [] });
  return 'tooFar' in result ? [] : formatWarnings(result.warnings, '/api/search');
};

test('a query that finds nothing is offered with its filters, as a sentence and as a complete search', () => {
  assert.deepEqual(warn('new restaurants in old town'), [
    {
      code: 'filter-words',
      parameter: 'q',
      detail:
        'Some of these words can be given as filters. "new" means newest first, which is the order of all listings.',
      did_you_mean: 'Restaurants in Old Town',
      href: '/api/search?category=Restaurants&neighborhood=Old%20Town',
    },
  ]);
  assert.equal(
    warn('restaurants in old town since 2021')[0]?.href,
    '/api/search?category=Restaurants&neighborhood=Old%20Town&filed_from=2021-01-01',
  );
  assert.deepEqual(
    warn('wok near me').map(({ href }) => href),
    ['/api/search?q=wok'],
  );
});

test('words for a near place are no misspelled name, and a place that is no neighborhood is named', () => {
  assert.deepEqual(warn('near me'), [
    {
      code: 'filter-words',
      parameter: 'q',
      detail: 'Some of these words say nothing here. "near me" is left out: give a neighborhood instead.',
      did_you_mean: 'All listings',
      href: '/api/search',
    },
  ]);
  assert.deepEqual(warn('wok in springfield'), [
    {
      code: 'unknown-place',
      parameter: 'q',
      detail: 'No neighborhood is named "springfield".',
      did_you_mean: 'wok',
      href: '/api/search?q=wok',
    },
  ]);
});

test('dates that leave nothing are left out of the offer', () => {
  assert.equal(warn('grill this week')[0]?.did_you_mean, 'grill');
  assert.match(warn('grill this week')[0]?.detail ?? '', /"this week" is left out/);
});

test('there is one suggestion, and always a hint where nothing is found', () => {
  assert.deepEqual(warn('golden wok'), []);
  for (const q of ['zzyzx', 'golden grill', 'wok zzyzx', '99999', 'ភោជនីយដ្ឋាន', 'where is the best'])
    assert.equal(warn(q).length, 1, q);
  assert.equal(warn('wok zzyzx')[0]?.did_you_mean, 'wok');
  assert.equal(warn('zzyzx old town')[0]?.did_you_mean, 'All listings in Old Town');
});

test('the longest part that finds more than a few is offered, and of parts as long the one that finds most', () => {
  const many = catalogueOf(
    Array.from({ length: 40 }, (_, i) =>
      aRow({ key: `K${i}`, name: i < 30 ? `Quarry Tools ${i}` : 'Atlantic Rope', category: 'Wholesale' }),
    ),
  );
  const meant = (q: string) => many.suggest(asking({ q }), 0).map(({ didYouMean }) => didYouMean);
  assert.deepEqual(meant('quarry tools on atlantic'), ['quarry tools']);
  assert.deepEqual(meant('rope and quarry'), ['quarry']);
  assert.deepEqual(meant('zzyzx rope'), ['rope']);
  assert.deepEqual(meant('ro-such-thing'), [undefined], 'two letters begin too many names');
});
