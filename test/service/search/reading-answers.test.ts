/** Questions that ask for more than a list: comparisons, and what no listing tells. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatQuestion, type Question } from '../../../src/shared/question.ts';
import { read, search, unused } from './shops.ts';

test('a comparison has two periods, places or kinds', () => {
  const sides = (q: string) => {
    const { answer, search: one, against } = read(q);
    const format = (side: Question | undefined) => side && decodeURIComponent(formatQuestion(side));
    return [answer, format(one), format(against)];
  };
  // the data ends on October 5, 2016: both sides have the same days
  const in2015 = 'filed_from=2015-01-01&filed_to=2015-10-05';
  const in2016 = 'filed_from=2016-01-01&filed_to=2016-10-05';
  assert.deepEqual(sides('2016 vs 2015'), ['compare', in2016, in2015]);
  assert.deepEqual(sides('more bars than last year?'), [
    'compare',
    `category=Bars & Nightlife&${in2016}`,
    `category=Bars & Nightlife&${in2015}`,
  ]);
  assert.deepEqual(sides('did more bars open in 2016 than in 2015'), [
    'compare',
    `category=Bars & Nightlife&${in2016}`,
    `category=Bars & Nightlife&${in2015}`,
  ]);
  assert.deepEqual(sides('restaurants in old town versus belmont shore'), [
    'compare',
    'category=Restaurants&neighborhood=Old Town',
    'category=Restaurants&neighborhood=Belmont Shore',
  ]);
  assert.deepEqual(
    sides('compare bars in old town with bars in belmont shore')[1],
    'category=Bars & Nightlife&neighborhood=Old Town',
  );
  assert.deepEqual(sides('are there more restaurants or lawyers'), [
    'compare',
    'category=Restaurants',
    'q=lawyers',
  ]);
  assert.deepEqual(sides('compare 2016 and 2015'), ['compare', in2016, in2015]);
  for (const q of ['bars this summer vs last summer', 'more bars last summer than this summer'])
    assert.deepEqual(
      sides(q),
      [
        'compare',
        'category=Bars & Nightlife&filed_from=2016-06-01&filed_to=2016-08-31',
        'category=Bars & Nightlife&filed_from=2015-06-01&filed_to=2015-08-31',
      ],
      q,
    );
  assert.deepEqual(sides('bars 2016 compared to the year before'), [
    'compare',
    `category=Bars & Nightlife&${in2016}`,
    `category=Bars & Nightlife&${in2015}`,
  ]);
  // each side has its own days, and a change since a year is of that year
  const [of2014, of2015] = [2014, 2015].map((year) => `filed_from=${year}-01-01&filed_to=${year}-12-31`);
  assert.deepEqual(sides('old town 2015 vs belmont shore 2014'), [
    'compare',
    `neighborhood=Old Town&${of2015}`,
    `neighborhood=Belmont Shore&${of2014}`,
  ]);
  assert.deepEqual(sides('bars in 2014 vs restaurants in 2015').toSorted(), [
    `category=Bars & Nightlife&${of2014}`,
    `category=Restaurants&${of2015}`,
    'compare',
  ]);
  for (const q of [
    'have bars increased since 2014',
    'have bars grown since 2014',
    'did the number of bars fall since 2014',
    'han aumentado los bars desde 2014',
  ])
    assert.deepEqual(sides(q), [
      'compare',
      `category=Bars & Nightlife&${in2016}`,
      `category=Bars & Nightlife&${in2015.replaceAll('2015', '2014')}`,
    ]);
  assert.deepEqual(sides('¿hay más restaurantes que lawyers?'), ['compare', 'q=restaurantes', 'q=lawyers']);
  assert.equal(read('¿hay más bares abiertos que cerrados?').claim, 'fewer');
  for (const q of [
    'compare bars with coffee',
    'compare bars to a coffee',
    'difference between bars and coffee',
  ])
    assert.equal(read(q).answer, 'compare', q);
  assert.equal(read('comparer bars avec coffee').answer, 'compare');
  assert.equal(read('what kind of business closes most').rank?.by, 'category');
  assert.equal(search('which bars close most'), 'category=Bars & Nightlife&status=closed&status=abandoned');
  // two periods apart are two, because no search has both without what lies between
  assert.deepEqual(sides('bars in 2014 and 2015')[0], 'list');
  const apart = [
    'category=Bars & Nightlife&filed_to=2014-12-31',
    'category=Bars & Nightlife&filed_from=2016-01-01',
  ];
  assert.deepEqual(sides('bars before 2015 or after 2015').slice(1), apart);
  const isUnion = (q: string) => read(q).isUnion === true;
  for (const q of [
    'bars in 2014 and 2016',
    'bars before 2015 or after 2015',
    'bars not opened in 2015',
    'bars since 2012 but not in 2015',
  ])
    assert.ok(isUnion(q), q);
  for (const q of ['how many barbers and how many lawyers', 'how many barbers and lawyers'])
    assert.deepEqual([...sides(q), isUnion(q)], ['compare', 'q=barbers', 'q=lawyers', true], q);
  assert.deepEqual(
    [
      ...sides('number of bars in naples and in old town'),
      isUnion('number of bars in naples and in old town'),
    ],
    [
      'compare',
      'category=Bars & Nightlife&neighborhood=Naples-Marina Area',
      'category=Bars & Nightlife&neighborhood=Old Town',
      true,
    ],
  );
  assert.equal(search('barbers and lawyers'), 'q=barbers OR lawyers');
  for (const q of ['more bars in 2014 or 2016', 'compare bars in 2014 and 2016', 'bars 2014 vs 2016'])
    assert.ok(!isUnion(q), q);
  const days = (q: string) => sides(q).map((side) => String(side).slice(-45));
  assert.deepEqual(days('bars 2016 up from 2014'), days('bars 2016 vs 2014'));
  assert.equal(
    search('bars in 2014 not in 2015'),
    'category=Bars & Nightlife&filed_from=2014-01-01&filed_to=2014-12-31',
  );
  // two statuses, and not what businesses did; the larger number is first
  for (const q of ['more open or closed bars', 'are there more open than closed bars', 'open vs closed bars'])
    assert.deepEqual(
      sides(q).slice(1),
      ['status=closed&status=abandoned', 'status=open'].map(
        (status) => `category=Bars & Nightlife&${status}`,
      ),
      q,
    );
  // what is listed is the side that has listings
  assert.deepEqual(sides('more bars in june or march').slice(1), [
    'category=Bars & Nightlife&filed_from=2016-03-01&filed_to=2016-03-31',
    'category=Bars & Nightlife&filed_from=2016-06-01&filed_to=2016-06-30',
  ]);
  for (const q of ['bars before and after june 2015', 'bars between 2010 and 2014 or after 2015'])
    assert.equal(sides(q)[0], 'compare', q);
  assert.deepEqual(sides('twice as many zzyzx bars in 2016 than 2015'), [
    'compare',
    `category=Bars & Nightlife&${in2016}`,
    `category=Bars & Nightlife&${in2015}`,
  ]);
  // the larger of two places or kinds is first
  for (const q of ['which is bigger, old town or belmont shore', 'is old town smaller than belmont shore'])
    assert.deepEqual(sides(q), ['compare', 'neighborhood=Belmont Shore', 'neighborhood=Old Town'], q);
  for (const q of [
    'which has more bars, old town or belmont shore?',
    'who has the most bars: old town or belmont shore',
    'which neighborhood has more bars, old town or belmont shore',
  ])
    assert.deepEqual(
      sides(q).slice(1),
      ['Old Town', 'Belmont Shore'].map((place) => `category=Bars & Nightlife&neighborhood=${place}`),
      q,
    );
  // days without an end are compared as their last year
  const in2014 = 'category=Bars & Nightlife&filed_from=2014-01-01&filed_to=2014-12-31';
  for (const q of [
    'fewer bars than before 2015',
    'are there more bars than before 2015?',
    'more bars since 2015 than before',
  ])
    assert.deepEqual(
      sides(q).slice(1),
      ['category=Bars & Nightlife&filed_from=2015-10-07&filed_to=2016-10-06', in2014],
      q,
    );
  assert.deepEqual(sides('more bars since 2015 than before 2015').slice(1), [
    'category=Bars & Nightlife&filed_from=2015-10-06&filed_to=2016-10-05',
    in2014,
  ]);
  assert.deepEqual(sides('bars 2015 vs before 2015').slice(1), [
    'category=Bars & Nightlife&filed_from=2015-01-01&filed_to=2015-12-31',
    in2014,
  ]);
  // what went up has not gone
  assert.equal(search('did bars go up'), 'category=Bars & Nightlife');
  assert.deepEqual(unused('more bars than restaurants per year'), [['per year', 'unread']]);
  // days without an end that both sides have stay open
  for (const [q, days] of [
    ['more bars in old town or belmont shore since 2014', '&filed_from=2014-01-01'],
    ['bars in old town vs belmont shore before 2015', '&filed_to=2014-12-31'],
    [
      'bars in old town vs belmont shore over the last two years',
      '&filed_from=2014-10-07&filed_to=2016-10-06',
    ],
  ] as const)
    assert.deepEqual(
      sides(q).slice(1),
      ['Old Town', 'Belmont Shore'].map((place) => `category=Bars & Nightlife&neighborhood=${place}${days}`),
      q,
    );
  // neither side may lose days
  for (const q of ['bars between 2008 and 2010 vs 2011 and 2013', 'bars in 2014 vs 2011 and 2013'])
    assert.deepEqual(sides(q), ['list', 'category=Bars & Nightlife', undefined], q);
  // what neither side has is not used, and a neighborhood is not compared with an unknown one
  assert.deepEqual(sides('wolf restaurants 2015 vs 2016').slice(1), [
    `category=Restaurants&${in2015}`,
    `category=Restaurants&${in2016}`,
  ]);
  assert.equal(search('old town vs springfield bars'), 'category=Bars & Nightlife&neighborhood=Old Town');
  // the one that is none is named
  for (const [q, place] of [
    ['old town vs springfield bars', 'springfield'],
    ['bars in springfield heights vs old town', 'springfield heights'],
    ['compare springfield heights and old town', 'springfield heights'],
    ['old town vs naples manor', 'naples manor'],
    ['which is bigger, old town or springfield naples', 'springfield naples'],
  ] as const)
    assert.deepEqual(unused(q).at(-1), [place, 'place'], q);
  assert.equal(search('old town vs springfield heights'), 'neighborhood=Old Town');
  // nor are two places that are none, of which no other two periods are compared
  for (const q of [
    'which has more bars, springfield or shelbyville',
    'more bars in springfield or shelbyville?',
    'are there more bars in springfield than in shelbyville',
  ])
    assert.deepEqual(
      [read(q).answer, search(q), unused(q).flatMap(([text, why]) => (why === 'unread' ? [] : [text]))],
      ['list', 'category=Bars & Nightlife', ['springfield', 'shelbyville']],
      q,
    );
  assert.deepEqual(unused('is springfield or old town better for bars')[0], ['springfield', 'place']);
  // two counts do not tell what grows faster
  assert.deepEqual(sides('are restaurants growing faster than bars')[0], 'list');
  assert.deepEqual(unused('are restaurants growing faster than bars'), [['growing faster', 'unread']]);
  // kinds with a place of their own are two searches
  const first = 'category=Restaurants&neighborhood=Old Town';
  for (const [q, isSum] of [
    ['restaurants in old town and bars in belmont shore', true],
    ['restaurants in old town or bars in belmont shore', true],
    ['old town restaurants and belmont shore bars', true],
    ['restaurants in old town, bars in belmont shore and sushi in 90802', true],
    ['more restaurants in old town or bars in belmont shore?', false],
    ['more restaurants in old town than bars in belmont shore', false],
  ] as const)
    assert.deepEqual(
      [...sides(q), isUnion(q)],
      [
        'compare',
        first,
        `${isSum ? 'category=Bars & Nightlife' : 'category=Bars & Nightlife'}&neighborhood=Belmont Shore`,
        isSum,
      ],
      q,
    );
  assert.deepEqual(
    unused('restaurants in old town, bars in belmont shore and sushi in 90802').map(([, why]) => why),
    ['unread', 'unread'],
  );
  // no filing says when a business closed
  for (const q of [
    'did more bars close in 2016 than in 2015',
    'how many bars closed in 2016',
    'which bars closed last year',
    'bars that closed before 2015',
    'bars fermés en 2014',
  ]) {
    assert.deepEqual(
      sides(q).slice(0, 2),
      ['list', 'category=Bars & Nightlife&status=closed&status=abandoned'],
      q,
    );
    assert.ok(
      unused(q).some(([, why]) => why === 'closings'),
      q,
    );
  }
  assert.deepEqual(sides('closed bars of 2014').slice(0, 2), [
    'list',
    'category=Bars & Nightlife&status=closed&status=abandoned&filed_from=2014-01-01&filed_to=2014-12-31',
  ]);
  assert.match(search('did more bars close than open in 2014'), /filed_from=2014-01-01&filed_to=2014-12-31$/);
  assert.deepEqual(unused('how many openings and closings in 2016'), [['closings', 'filings']]);
  // the period is compared with the one before it
  const untilOctober = 'filed_from=2016-01-01&filed_to=2016-10-06';
  for (const q of ['are more bars opening', 'are fewer bars opening than before', 'bars compared to normal'])
    assert.deepEqual(sides(q).slice(0, 2), ['compare', `category=Bars & Nightlife&${untilOctober}`], q);
  assert.deepEqual(sides('are more businesses opening this week'), [
    'compare',
    'filed_from=2016-09-30&filed_to=2016-10-06',
    'filed_from=2016-09-23&filed_to=2016-09-29',
  ]);
  // what fell or grew in a period is compared with the one before it
  for (const q of ['did bars fall in 2015', 'did the number of bars grow in 2015'])
    assert.deepEqual(
      sides(q),
      [
        'compare',
        'category=Bars & Nightlife&filed_from=2015-01-01&filed_to=2015-12-31',
        'category=Bars & Nightlife&filed_from=2014-01-01&filed_to=2014-12-31',
      ],
      q,
    );
  // the other side is the newest year
  assert.deepEqual(sides('fewer bars than in 2014'), [
    'compare',
    `category=Bars & Nightlife&${in2016}`,
    'category=Bars & Nightlife&filed_from=2014-01-01&filed_to=2014-10-05',
  ]);
  assert.deepEqual(sides('more restaurants in old town or belmont shore'), [
    'compare',
    'category=Restaurants&neighborhood=Old Town',
    'category=Restaurants&neighborhood=Belmont Shore',
  ]);
});

test('if no listing can answer a question, the page says so and gives no number', () => {
  for (const [q, word, why = 'filings'] of [
    ['how many employees does lone wolf have', 'how many employees'],
    ['how many new jobs in 2016', 'new jobs'],
    ['why are so many bars closing', 'why are'],
    ['bars that never opened', 'never opened'],
    ['how many bars survive five years', 'survive five years'],
    ['how many bars make it past their first year', 'make it past'],
    ['how many bars survive more than five years', 'survive more than five years'],
    ['how many restaurants have a liquor license', 'liquor license'],
    ['restaurants without a liquor license', 'without a liquor license'],
    ['bars that do not sell alcohol', 'do not sell alcohol'],
    ['restaurants denied a license', 'denied', 'statuses'],
    ['restaurants per capita', 'per capita'],
    ['restaurants sans alcool', 'sans alcool'],
    ['restaurantes sin alcohol', 'sin alcohol'],
    ['pending restaurants', 'pending', 'statuses'],
    ['email of the lone wolf', 'email of'],
    ['contact info for lone wolf', 'contact info'],
  ] as const) {
    assert.equal(read(q).answer, 'list', q);
    assert.deepEqual(unused(q)[0], [word, why], q);
  }
  assert.equal(
    search('why are there no bars in old town'),
    'category=Bars & Nightlife&neighborhood=Old Town',
  );
  // no filing has opening hours, which are no status
  for (const q of [
    ...[
      'restaurants open today',
      'restaurants ouverts tard',
      'restaurants open on sunday',
      'restaurants open late',
    ],
    ...['restaurants open on Christmas', 'open on weekends restaurants', 'restaurants open 24 hours'],
  ])
    assert.deepEqual(
      [search(q), unused(q)],
      ['category=Restaurants', [[q.replace(/ ?restaurants ?/, ''), 'filings']]],
      q,
    );
  for (const q of ['closed on mondays', 'not open on mondays', "aren't open mondays"])
    assert.deepEqual(
      [search(`restaurants ${q}`), unused(`restaurants ${q}`)],
      ['category=Restaurants', [[q, 'filings']]],
    );
  const today = 'category=Restaurants&filed_from=2016-10-06&filed_to=2016-10-06';
  for (const q of ['did restaurants open today', 'new restaurants open today'])
    assert.equal(search(q), today, q);
  assert.equal(
    search('restaurants open late 2015'),
    'category=Restaurants&filed_from=2015-09-01&filed_to=2015-12-31',
  );
  // whether any did
  const july = 'filed_from=2016-07-01&filed_to=2016-07-31';
  for (const q of ['did bars not open in july', "didn't any bars open in july", 'did no bars open in july'])
    assert.equal(`${read(q).answer} ${search(q)}`, `count category=Bars & Nightlife&${july}`, q);
  assert.equal(search("didn't bars open in july"), `category=Bars & Nightlife&${july}`);
  // whether there is one: the number is the answer
  for (const q of ['no bars in old town?', "isn't there a bar in old town", 'is there no bar in old town'])
    assert.match(
      `${read(q).answer} ${search(q)}`,
      /^count category=Bars & Nightlife&neighborhood=Old Town$/,
      q,
    );
  assert.equal(search('no closed restaurants'), 'category=Restaurants&status=-closed&status=-abandoned');
  assert.deepEqual(unused('which neighborhoods have restaurants but no bars'), [['restaurants', 'together']]);
  assert.equal(search('closed places, no bars'), 'q=-bars&status=closed&status=abandoned');
  assert.deepEqual(unused('bars started by students'), [['started by students', 'filings']]);
  for (const [q, what] of [
    ['two bars in old town', 'category=Bars & Nightlife'],
    ['more than 2 bars in old town', 'category=Bars & Nightlife'],
  ] as const)
    assert.deepEqual([search(q), unused(q)], [`${what}&neighborhood=Old Town`, []], q);
  const untold = [
    ['how much rent do new bars pay', 'category=Bars & Nightlife', 'how much rent', 'pay'],
    ['what does it cost to open a bar', 'category=Bars & Nightlife', 'what does it cost'],
    ['how much do lawyers charge in old town', 'q=lawyers&neighborhood=Old Town', 'how much do', 'charge'],
    ['which bars failed the health inspection', 'category=Bars & Nightlife', 'failed the health inspection'],
    ['what time does starbucks close', 'q=starbucks', 'what time does', 'close'],
    ['how long do bars last', 'category=Bars & Nightlife', 'how long do', 'last'],
  ] as const;
  for (const [q, expected, ...words] of untold) {
    assert.equal(search(q), expected, q);
    const told = unused(q).map(([, why]) => why);
    assert.deepEqual([read(q).answer, ...told], ['list', ...words.map(() => 'filings')], q);
  }
  // the reasons are true
  for (const [q, word, why] of [
    ['is old town losing bars', 'losing', 'filings'],
    ['how many bars disappeared since 2014', 'disappeared', 'filings'],
    ['which neighborhood lost the most bars', 'which neighborhood lost the most', 'filings'],
    ['which neighborhood lost bars', 'which neighborhood lost', 'filings'],
    ['did the number of bars triple', 'triple', 'filings'],
    ['how many bars existed in 2014', 'existed', 'filings'],
    ['how many bars did long beach have in 2014', 'have', 'filings'],
    ['how many bars were there in 2014', 'were there', 'filings'],
    ['how many licenses were revoked', 'revoked', 'statuses'],
    ['most common business name', 'most common business name', 'names'],
    ['biggest increase in closures', 'biggest increase', 'closings'],
    ['bars that opened on monday', 'on monday', 'unread'],
    ['bars opened at the weekend', 'the weekend', 'filings'],
    ['bars on 31 June', '31 June', 'unread'],
    ['bars in week 23', 'week 23', 'unread'],
    ['bars on christmas', 'on christmas', 'unread'],
    ['bars since christmas 2015', 'since christmas 2015', 'unread'],
    ['bars opened easter week', 'easter week', 'unread'],
    ['bars in the third week of the month', 'third week of the month', 'unread'],
    ['bars on february 29 2015', 'february 29 2015', 'unread'],
    ["restaurants that don't serve alcohol", "don't serve alcohol", 'filings'],
    ['pizza that is not a chain', 'not a chain', 'filings'],
    ['did golden wok close before blue coffee', 'close before', 'closings'],
  ] as const)
    assert.deepEqual([read(q).answer, unused(q)], ['list', [[word, why]]], q);
  assert.equal(search('did golden wok close before blue coffee'), 'q=golden-wok OR blue-coffee');
  assert.deepEqual(unused('do most bars close'), []);
  assert.deepEqual(unused('did the pandemic hurt bars'), [['pandemic hurt', 'unread']]);
  assert.equal(
    search('bars still open since 2015'),
    'category=Bars & Nightlife&status=open&filed_from=2015-01-01',
  );
  assert.equal(search('first 3 bars'), 'category=Bars & Nightlife&filed_from=2014-01-01&filed_to=2014-12-31');
});

test('“open” means an opening beside a ranking or after “to”, and a status before a kind', () => {
  for (const q of [
    'which month do most bars open',
    'how many bars open each year',
    'last of the bars to open',
    'last bar to open',
  ])
    assert.equal(search(q), 'category=Bars & Nightlife', q);
  assert.equal(search('which neighborhood has the most open bars'), 'category=Bars & Nightlife&status=open');
});
