/** Questions that ask for rows: the most, the fewest, growth and decline, and periods. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { rankRows } from '../../../src/service/search/rankings.ts';
import { addDays } from '../../../src/shared/day.ts';
import { formatQuestion } from '../../../src/shared/question.ts';
import { aRow, asking, partsOf } from './made-up.ts';
import { index, read, search, unused } from './shops.ts';

test('the answers to ranking questions (most, fewest, growth, decline, year by year) have rows', () => {
  const rank = (q: string) => [read(q).rank?.by, read(q).rank?.order, search(q)];
  assert.deepEqual(rank('which neighborhood has the most restaurants'), [
    'neighborhood',
    'most',
    'category=Restaurants',
  ]);
  assert.deepEqual(rank('zip codes ranked by restaurants'), ['neighborhood', 'most', 'category=Restaurants']);
  assert.deepEqual(rank('what kind of business is the most common'), ['category', 'most', '']);
  assert.deepEqual(rank('what are the most common new businesses'), ['category', 'most', '']);
  assert.deepEqual(rank('how many barbers, bars and lawyers'), ['q', 'most', 'q=barbers OR bars OR lawyers']);
  assert.equal(read('how many restaurants and bars').rank, undefined);
  assert.equal(read('how many food businesses').rank, undefined);
  const in2016 = 'filed_from=2016-01-01&filed_to=2016-10-05';
  assert.deepEqual(rank('top 5 kinds of new businesses'), ['category', 'most', in2016]);
  assert.deepEqual(rank('which year had the fewest bars'), ['year', 'fewest', 'category=Bars & Nightlife']);
  assert.deepEqual(rank('best year for bars'), ['year', 'most', 'category=Bars & Nightlife']);
  for (const q of ['where are the fewest bars', 'où y a-t-il le moins de bars', 'dónde hay menos bars'])
    assert.deepEqual(rank(q).slice(0, 2), ['neighborhood', 'fewest'], q);
  assert.deepEqual(rank('which neighborhoods shrank most'), ['neighborhood', 'fell', '']);
  assert.deepEqual(rank('what grew most in old town'), ['category', 'grew', 'neighborhood=Old Town']);
  assert.deepEqual(rank('trend of restaurants'), ['year', 'trend', 'category=Restaurants']);
  assert.deepEqual(rank('busiest month for new restaurants'), ['month', 'most', 'category=Restaurants']);
  // months of all years, unless they are those of one year
  for (const q of [
    'which month do most restaurants open',
    'in what month of the year do most restaurants open',
    'busiest season for restaurants',
    'quel mois a le plus de restaurants',
    'quel mois de l’année a le plus de restaurants',
    'qué mes del año tiene más restaurants',
  ])
    assert.deepEqual(rank(q), ['calendar', 'most', 'category=Restaurants'], q);
  assert.deepEqual(rank('which month since 2014 had the fewest bars').slice(0, 2), ['calendar', 'fewest']);
  for (const q of ['which month of 2015 had the most bars', 'quel mois de 2015 a le plus de bars'])
    assert.deepEqual(rank(q).slice(0, 2), ['month', 'most'], q);
  const bars = rankRows(index, read('which month do most bars open'))!;
  assert.deepEqual(bars.years, { filed_from: '2014-01-01', filed_to: '2015-12-31' });
  assert.equal(bars.rows.length, 12);
  assert.deepEqual(
    bars.rows.filter(({ count }) => count > 0).map(({ value, count }) => [value, count]),
    [
      ['02', 2],
      ['03', 2],
      ['04', 2],
      ['05', 2],
    ],
  );
  assert.deepEqual(rank('when did the most bars open'), ['year', 'most', 'category=Bars & Nightlife']);
  assert.deepEqual(rank('when do most bars open').slice(0, 2), ['calendar', 'most']);
  assert.deepEqual(rank('slowest year for bars'), ['year', 'fewest', 'category=Bars & Nightlife']);
  assert.deepEqual(rank('year with the most lawyers'), ['year', 'most', 'q=lawyers']);
  assert.deepEqual(rank('neighborhood with the fewest bars'), [
    'neighborhood',
    'fewest',
    'category=Bars & Nightlife',
  ]);
  assert.deepEqual(rank('how many bars per month'), ['month', 'trend', 'category=Bars & Nightlife']);
  assert.deepEqual(rank('where do most restaurants open'), ['neighborhood', 'most', 'category=Restaurants']);
  for (const [q, claim] of [
    ['is old town growing', undefined], // no filing tells how many there are
    ['did restaurants grow', undefined],
    ['are there fewer bars than in 2014', undefined],
    ['are fewer bars opening than in 2014', 'fewer'],
    ['are there fewer bars than restaurants', undefined], // nor how many there are now
    ['are fewer bars opening than restaurants', 'more'], // restaurants are more, and stand first
  ] as const)
    assert.equal(read(q).claim, claim, q);
  assert.deepEqual(rank('most popular type of business in old town'), [
    'category',
    'most',
    'neighborhood=Old Town',
  ]);
  // rows that nobody names are neighborhoods, unless something else is asked for
  for (const [q, order, address] of [
    ['most bars', 'most', undefined],
    ['the most bars in 2015', 'most', undefined],
    ['least bars 2015', 'fewest', undefined],
    ['le moins de bars', 'fewest', undefined],
    ['le plus de bars', 'most', undefined],
    ['busiest street for bars', 'most', 'busiest street'],
    ['which street has the most bars', 'most', 'which street'],
    ['street with the fewest bars', 'fewest', 'street with'],
    ['quelle rue a le plus de bars', 'most', 'quelle rue a le plus de'],
  ] as const) {
    assert.deepEqual(rank(q).slice(0, 2), ['neighborhood', order], q);
    assert.deepEqual(unused(q), address ? [[address, 'address']] : [], q);
  }
  for (const q of ['most bars in old town', 'most bars at 12 pine st', 'most expensive bars'])
    assert.equal(read(q).rank, undefined, q);
  assert.deepEqual(unused('most bars in old town'), [['most', 'rank']]);
  assert.deepEqual(rank('busiest sushi'), [undefined, undefined, 'q=sushi']);
  assert.deepEqual(unused('busiest sushi'), [['busiest', 'filings']]);
  for (const q of [
    'which neighborhood has no bars',
    'neighborhoods without a bar',
    'in which areas are there no bars',
    'neighborhood with no bars',
    'areas without bars',
    "areas that don't have a bar",
    'is there a neighborhood with no bars',
  ])
    assert.deepEqual(rank(q), ['neighborhood', 'fewest', 'category=Bars & Nightlife'], q);
  assert.deepEqual(rank('which areas have no businesses'), ['neighborhood', 'fewest', '']);
  // years that are named one by one are the rows
  for (const [q, order] of [
    ['more bars in 2014 or 2015 or 2016', 'most'],
    ['compare bars in 2014, 2015 and 2016', 'most'],
    ['bars 2014, 2015, 2016', 'trend'],
    ['bars 2014 2016 2015 2014', 'trend'],
  ] as const)
    assert.deepEqual(read(q).rank, { by: 'year', order, values: ['2014', '2015', '2016'] }, q);
  // ordinals, numbers of rows, and how many rows there are
  const by = 'neighborhood';
  const than = (q: string) => asking({ ...read(q).search, q: '' });
  for (const q of [
    'which neighborhoods have more bars than restaurants',
    'more bars than restaurants by zip',
  ])
    assert.deepEqual(
      [read(q).answer, read(q).rank, search(q)],
      [
        'rank',
        { by, order: 'than', than: { ...than(q), category: ['Restaurants'] } },
        'category=Bars & Nightlife',
      ],
      q,
    );
  assert.equal(search('which areas have fewer bars than restaurants'), 'category=Restaurants');
  const exceeding = rankRows(index, read('which neighborhoods have more restaurants than bars'))!;
  assert.deepEqual(
    exceeding.rows.map(({ count, before }) => [count, before]),
    [
      [9, 3],
      [9, 3],
      [9, 3],
      [6, 3],
    ],
  );
  assert.deepEqual([exceeding.rows.at(-1)!.value, exceeding.total], ['ZIP 90802', 4]);
  assert.deepEqual(
    [
      read('which has more bars: old town, belmont shore or 90802?').rank,
      search('compare bars in old town, belmont shore and 90802'),
    ],
    [
      { by, order: 'most' },
      'category=Bars & Nightlife&neighborhood=Old Town&neighborhood=Belmont Shore&neighborhood=ZIP 90802',
    ],
  );
  for (const [q, expected] of [
    ['old town vs belmont shore vs naples bars', 'neighborhood'],
    ['bars: old town vs belmont shore vs naples', 'neighborhood'],
    ['restaurants vs bars vs cafes in old town', 'category'],
    ['bars 2014 vs 2015 vs 2016', 'year'],
    ['pizza vs sushi vs burgers', 'q'],
    ['which is more common, pizza, sushi or burgers', 'q'],
  ] as const) {
    assert.deepEqual(rank(q).slice(0, 2), [expected, 'most'], q);
    assert.equal(rankRows(index, read(q))!.rows.length, 3, q);
  }
  for (const [q, expected] of [
    ['neighborhood with the second most bars', { by, order: 'most', nth: 2 }],
    ['third largest neighborhood for bars', { by, order: 'most', nth: 3 }],
    ['largest neighborhood', { by, order: 'most' }],
    ['which neighborhood has the 2nd fewest bars', { by, order: 'fewest', nth: 2 }],
    ['bottom 3 neighborhoods for bars', { by, order: 'fewest' }],
    ['top seven towns', { by, order: 'most' }],
    ['neighborhoods with more than 10 bars', { by, order: 'most' }],
    ['how many neighborhoods', { by, order: 'most', isNumber: true }],
    // all rows, of which those with more or fewer than the named one are told
    ['which area has more bars than old town', { by, order: 'most', row: 'Old Town' }],
    ['neighborhoods with fewer bars than in old town', { by, order: 'fewest', row: 'Old Town' }],
    ['which kind is more common than bars', { by: 'category', order: 'most', row: 'Bars & Nightlife' }],
    ['which year had more bars than 2014', { by: 'year', order: 'most', row: '2014' }],
    ['which month had fewer bars than may 2014', { by: 'month', order: 'fewest', row: '2014-05' }],
    ['which month has more bars than may', { by: 'calendar', order: 'most', row: '05' }],
    ['how many different kinds of business', { by: 'category', order: 'most', isNumber: true }],
  ] as const)
    assert.deepEqual(read(q).rank, expected, q);
  for (const [q, count, rows] of [
    ['which area has more bars in 2015 than old town', 1, []],
    ['which area has more restaurants than 90802', 6, [9, 9, 9]],
    ['which area has fewer restaurants than old town', 9, [6]],
  ] as const) {
    const { beyond } = rankRows(index, read(q))!;
    assert.deepEqual([beyond!.row.count, beyond!.rows.map((row) => row.count)], [count, rows], q);
  }
  assert.deepEqual(rank('which neighborhood has the most bars in 2014, 2015 and 2016').slice(0, 2), [
    'neighborhood',
    'most',
  ]);
  for (const q of ['average number of bars per month', 'average bars per month'])
    assert.deepEqual([rank(q), unused(q)], [['month', 'trend', 'category=Bars & Nightlife'], []], q);
  // a longer period is judged by its first and its last year
  const grew = rankRows(index, read('which neighborhood grew most since 2014'));
  assert.deepEqual(
    [grew?.before, grew?.days],
    [
      { filed_from: '2014-01-01', filed_to: '2014-12-31' },
      { filed_from: '2015-10-06', filed_to: '2016-10-05' },
    ],
  );
  // what has none has the fewest, and a month or year that is not whole is not ranked last
  const rows = (q: string) => rankRows(index, read(q))!.rows.map(({ value, count }) => [value, count]);
  assert.deepEqual(
    rows('neighborhood with the fewest lawyers')
      .slice(0, 3)
      .map(([, count]) => count),
    [0, 0, 0],
  );
  assert.deepEqual(rows('slowest year for bars'), [['2015', 4]]);
  // few filings take effect after the end of the data: the months between are not known to have none
  const many = Array.from({ length: 200 }, (_, i) =>
    aRow({ key: `${i}`, filedOn: addDays('2016-10-05', -(i % 100)) }),
  );
  const ahead = openIndex(
    partsOf([...many, aRow({ key: 'ahead', filedOn: '2016-12-20' })], { day: '2017-01-10' }),
  );
  const fewest = rankRows(ahead, ahead.read(asking({ q: 'which month of 2016 had the fewest filings' })));
  assert.deepEqual(
    fewest?.rows.map(({ value }) => value),
    ['2016-09', '2016-08', '2016-07'],
  );
  assert.deepEqual(
    rows('bars by year').map(([year]) => year),
    ['2016', '2015', '2014'],
  );
  // as many years as have the number that is asked for
  for (const [q, year] of [
    ['oldest restaurants', 2014],
    ['in what year did the first restaurant open', 2014],
    ['second oldest restaurant', 2014],
    ['the 3 oldest restaurants', 2014],
    ['oldest twenty restaurants', 2015],
  ] as const)
    assert.deepEqual(
      [search(q), read(q).isOldest],
      [`category=Restaurants&filed_from=2014-01-01&filed_to=${year}-12-31`, true],
      q,
    );
  assert.equal(search('second newest restaurant'), 'category=Restaurants');
  assert.equal(read('second newest restaurant').isOldest, undefined);
  assert.equal(read('how many bars').answer, 'count');
  assert.equal(search('how many businesses are there'), '');
});

test('a number of what is new is of this year, unless days or rows of time are named', () => {
  const days = 'filed_from=2016-01-01&filed_to=2016-10-05';
  for (const [q, expected] of Object.entries({
    'rank the zip codes by new restaurants': `category=Restaurants&${days}`,
    'how many new restaurants': `category=Restaurants&${days}`,
    'how many bars opened recently in old town': `category=Bars & Nightlife&neighborhood=Old Town&${days}`,
    'how many new bars in 2015': 'category=Bars & Nightlife&filed_from=2015-01-01&filed_to=2015-12-31',
    'which year had the most new bars': 'category=Bars & Nightlife',
    'new restaurants': 'category=Restaurants',
  }))
    assert.equal(search(q), expected, q);
  for (const q of ['more new bars or restaurants', 'new bars vs new restaurants']) {
    const { search: one, against } = read(q);
    assert.deepEqual([one.filed_from, against?.filed_from], ['2016-01-01', '2016-01-01'], q);
    assert.deepEqual([one.category, against?.category].flat().sort(), ['Bars & Nightlife', 'Restaurants'], q);
  }
});

test('“compare” before two or more kinds adds nothing to what stands between them', () => {
  for (const q of ['compare bars vs restaurants', 'compare restaurants and bars', 'bars vs restaurants']) {
    const { search: one, against, words } = read(q);
    assert.deepEqual([...one.category, ...against!.category].sort(), ['Bars & Nightlife', 'Restaurants'], q);
    assert.ok(
      words.every(({ fate }) => fate !== 'not-used'),
      q,
    );
  }
});

test('what has run longest is the oldest that has not closed', () => {
  for (const q of ['longest running restaurants', 'which restaurants have been open the longest'])
    assert.deepEqual(
      [read(q).isOldest, search(q)],
      [true, 'category=Restaurants&status=open&filed_from=2014-01-01&filed_to=2014-12-31'],
      q,
    );
  assert.deepEqual(read('the oldest restaurant').search.status, []);
});

test('a word of rankings that ranks nothing could not be read, and is nothing that a filing would tell', () => {
  for (const [q, text, why] of [
    ['fewest', 'fewest', 'rank'],
    ['which is the second most common', 'second most common', 'rank'],
    ['percent of businesses that are restaurants', 'percent of', 'unread'],
  ] as const)
    assert.deepEqual(unused(q), [[text, why]], q);
});

test('what stands on both sides of a comparison is compared, and the rest is of both', () => {
  // several places of one side are of it alone, and what stands on both sides is compared
  for (const [q = '', one, other] of [
    [
      'more restaurants in old town than in belmont shore and 90802',
      'category=Restaurants&neighborhood=Belmont Shore&neighborhood=ZIP 90802',
      'category=Restaurants&neighborhood=Old Town',
    ],
    [
      'more pizza than sushi in old town or belmont shore',
      'q=pizza&neighborhood=Old Town&neighborhood=Belmont Shore',
      'q=sushi&neighborhood=Old Town&neighborhood=Belmont Shore',
    ],
    [
      'did bars grow between 2014 and 2015',
      'category=Bars & Nightlife&filed_from=2015-01-01&filed_to=2015-12-31',
      'category=Bars & Nightlife&filed_from=2014-01-01&filed_to=2014-12-31',
    ],
    // words that only ask whether it is so
    ...['is it true that', 'can you tell me if', 'do you know whether'].map((ask) => [
      `${ask} restaurants opened more than bars`,
      'category=Restaurants',
      'category=Bars & Nightlife',
    ]),
  ]) {
    assert.deepEqual([search(q), decodeURIComponent(formatQuestion(read(q).against!))], [one, other], q);
    assert.deepEqual(unused(q), [], q);
  }
});
