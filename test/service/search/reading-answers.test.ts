/** Questions that ask for more than a list: comparisons, and what no listing tells. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatQuestion, type Question } from '../../../src/shared/question.ts';
import { check, read, search, unused } from './shops.ts';

const BARS = 'category=Bars & Nightlife';
const FOOD = 'category=Restaurants';
const CLOSED = 'status=closed&status=abandoned';
const OLD_TOWN = 'neighborhood=Old Town';
const SHORE = 'neighborhood=Belmont Shore';
const days = (from: string, to: string) => `filed_from=${from}&filed_to=${to}`;
const year = (of: number) => days(`${of}-01-01`, `${of}-12-31`);
/** As long as the data goes, so that years have the same days. */
const part = (of: number) => days(`${of}-01-01`, `${of}-10-05`);
const THIS_YEAR = [days('2016-01-01', '2016-10-06'), days('2015-01-01', '2015-10-06')];
const SUMMERS = [days('2016-06-01', '2016-08-31'), days('2015-06-01', '2015-08-31')];
const bars = (...sides: string[]) => sides.map((side) => `${BARS}&${side}`);
const food = (...sides: string[]) => sides.map((side) => `${FOOD}&${side}`);

/** Bars of both places, with these days. */
const places = (more: string) => bars(`${OLD_TOWN}&${more}`, `${SHORE}&${more}`);

const sides = (q: string) => {
  const { answer, search: one, against } = read(q);
  const format = (side: Question | undefined) => side && decodeURIComponent(formatQuestion(side));
  return [answer, format(one), format(against)];
};

/** What is compared. The larger of two places, kinds, statuses or months is first: it is what is listed. */
const COMPARED: Record<string, string[]> = {
  '2016 vs 2015': [part(2016), part(2015)],
  'compare 2016 and 2015': [part(2016), part(2015)],
  'more bars than last year?': bars(part(2016), part(2015)),
  'did more bars open in 2016 than in 2015': bars(part(2016), part(2015)),
  'bars 2016 compared to the year before': bars(part(2016), part(2015)),
  'twice as many zzyzx bars in 2016 than 2015': bars(part(2016), part(2015)),
  'fewer bars than in 2014': bars(part(2016), part(2014)),
  'bars 2016 up from 2014': bars(part(2016), part(2014)),
  'bars 2014 vs 2016': bars(part(2014), part(2016)),
  'bars 2016 vs 2014': bars(part(2016), part(2014)),
  'more bars in 2014 or 2016': bars(part(2014), part(2016)),
  'compare bars in 2014 and 2016': bars(part(2014), part(2016)),
  'restaurants in old town versus belmont shore': food(OLD_TOWN, SHORE),
  'more restaurants in old town or belmont shore': food(OLD_TOWN, SHORE),
  'compare bars in old town with bars in belmont shore': bars(OLD_TOWN, SHORE),
  'which has more bars, old town or belmont shore?': bars(OLD_TOWN, SHORE),
  'who has the most bars: old town or belmont shore': bars(OLD_TOWN, SHORE),
  'which neighborhood has more bars, old town or belmont shore': bars(OLD_TOWN, SHORE),
  'which is bigger, old town or belmont shore': [SHORE, OLD_TOWN],
  'is old town smaller than belmont shore': [SHORE, OLD_TOWN],
  'are there more restaurants or lawyers': [FOOD, 'q=lawyers'],
  '¿hay más restaurantes que lawyers?': ['q=restaurantes', 'q=lawyers'],
  'more bars in june or march': bars(days('2016-03-01', '2016-03-31'), days('2016-06-01', '2016-06-30')),
  'bars this summer vs last summer': bars(...SUMMERS),
  'more bars last summer than this summer': bars(...SUMMERS),
  // two statuses, and not what businesses did
  'more open or closed bars': bars(CLOSED, 'status=open'),
  'are there more open than closed bars': bars(CLOSED, 'status=open'),
  'open vs closed bars': bars(CLOSED, 'status=open'),
  // each side has its own days, and a change since a year is of that year
  'old town 2015 vs belmont shore 2014': [`${OLD_TOWN}&${year(2015)}`, `${SHORE}&${year(2014)}`],
  'bars in 2014 vs restaurants in 2015': [`${BARS}&${year(2014)}`, `${FOOD}&${year(2015)}`],
  'have bars increased since 2014': bars(part(2016), part(2014)),
  'have bars grown since 2014': bars(part(2016), part(2014)),
  'did the number of bars fall since 2014': bars(part(2016), part(2014)),
  'han aumentado los bars desde 2014': bars(part(2016), part(2014)),
  // days without an end are compared as their last year, and stay open if both sides have them
  'fewer bars than before 2015': bars(days('2015-10-07', '2016-10-06'), year(2014)),
  'are there more bars than before 2015?': bars(days('2015-10-07', '2016-10-06'), year(2014)),
  'more bars since 2015 than before': bars(days('2015-10-07', '2016-10-06'), year(2014)),
  'more bars since 2015 than before 2015': bars(days('2015-10-06', '2016-10-05'), year(2014)),
  'bars 2015 vs before 2015': bars(year(2015), year(2014)),
  'more bars in old town or belmont shore since 2014': places('filed_from=2014-01-01'),
  'bars in old town vs belmont shore before 2015': places('filed_to=2014-12-31'),
  'bars in old town vs belmont shore over the last two years': places(days('2014-10-07', '2016-10-06')),
  // what neither side has is not used
  'wolf restaurants 2015 vs 2016': food(part(2015), part(2016)),
  // kinds with a place of their own are two searches
  'more restaurants in old town or bars in belmont shore?': [`${FOOD}&${OLD_TOWN}`, `${BARS}&${SHORE}`],
  'more restaurants in old town than bars in belmont shore': [`${FOOD}&${OLD_TOWN}`, `${BARS}&${SHORE}`],
  // a period is compared with the one before it
  'are more bars opening': bars(...THIS_YEAR),
  'are fewer bars opening than before': bars(...THIS_YEAR),
  'bars compared to normal': bars(...THIS_YEAR),
  'are more businesses opening this week': [
    days('2016-09-30', '2016-10-06'),
    days('2016-09-23', '2016-09-29'),
  ],
  'did bars fall in 2015': bars(year(2015), year(2014)),
  'did the number of bars grow in 2015': bars(year(2015), year(2014)),
};

/** What is counted together, but is no search of its own. */
const SUMS: Record<string, string[]> = {
  'bars before 2015 or after 2015': bars('filed_to=2014-12-31', 'filed_from=2016-01-01'),
  'how many barbers and how many lawyers': ['q=barbers', 'q=lawyers'],
  'how many barbers and lawyers': ['q=barbers', 'q=lawyers'],
  'number of bars in naples and in old town': bars('neighborhood=Naples-Marina Area', OLD_TOWN),
  'restaurants in old town and bars in belmont shore': [`${FOOD}&${OLD_TOWN}`, `${BARS}&${SHORE}`],
  'restaurants in old town or bars in belmont shore': [`${FOOD}&${OLD_TOWN}`, `${BARS}&${SHORE}`],
  'old town restaurants and belmont shore bars': [`${FOOD}&${OLD_TOWN}`, `${BARS}&${SHORE}`],
  'restaurants in old town, bars in belmont shore and sushi in 90802': [
    `${FOOD}&${OLD_TOWN}`,
    `${BARS}&${SHORE}`,
  ],
};

test('a comparison has two periods, places or kinds, and a sum has several', () => {
  for (const [table, isSum] of [
    [COMPARED, false],
    [SUMS, true],
  ] as const)
    for (const [q, both] of Object.entries(table))
      assert.deepEqual([...sides(q), read(q).isUnion === true], ['compare', ...both, isSum], q);
  for (const q of ['bars in 2014 and 2016', 'bars not opened in 2015', 'bars since 2012 but not in 2015'])
    assert.equal(read(q).isUnion, true, q);
  for (const q of [
    'compare bars with coffee',
    'compare bars to a coffee',
    'difference between bars and coffee',
    'comparer bars avec coffee',
    'bars before and after june 2015',
    'bars between 2010 and 2014 or after 2015',
  ])
    assert.equal(read(q).answer, 'compare', q);
  assert.equal(read('¿hay más bares abiertos que cerrados?').claim, 'fewer');
  assert.equal(read('what kind of business closes most').rank?.by, 'category');
});

test('what cannot be compared is a list, and its page says why', () => {
  check({
    'which bars close most': `${BARS}&${CLOSED}`,
    'barbers and lawyers': 'q=barbers OR lawyers',
    'bars in 2014 not in 2015': `${BARS}&${year(2014)}`,
    'bars in 2014 and 2015': `${BARS}&${days('2014-01-01', '2015-12-31')}`,
    // what went up has not gone
    'did bars go up': BARS,
    'old town vs springfield bars': `${BARS}&${OLD_TOWN}`,
    'old town vs springfield heights': OLD_TOWN,
    'did more bars close than open in 2014': `${BARS}&${CLOSED}&${year(2014)}`,
  });
  // neither side may lose days
  for (const q of ['bars between 2008 and 2010 vs 2011 and 2013', 'bars in 2014 vs 2011 and 2013'])
    assert.deepEqual(sides(q), ['list', BARS, undefined], q);
  // a place that is none is named
  for (const [q, place] of Object.entries({
    'old town vs springfield bars': 'springfield',
    'bars in springfield heights vs old town': 'springfield heights',
    'compare springfield heights and old town': 'springfield heights',
    'old town vs naples manor': 'naples manor',
    'which is bigger, old town or springfield naples': 'springfield naples',
  }))
    assert.deepEqual(unused(q).at(-1), [place, 'place'], q);
  for (const q of [
    'which has more bars, springfield or shelbyville',
    'more bars in springfield or shelbyville?',
    'are there more bars in springfield than in shelbyville',
  ])
    assert.deepEqual(
      [read(q).answer, search(q), unused(q).flatMap(([text, why]) => (why === 'unread' ? [] : [text]))],
      ['list', BARS, ['springfield', 'shelbyville']],
      q,
    );
  assert.deepEqual(unused('is springfield or old town better for bars')[0], ['springfield', 'place']);
  assert.deepEqual(unused('more bars than restaurants per year'), [['per year', 'unread']]);
  assert.deepEqual(
    unused('restaurants in old town, bars in belmont shore and sushi in 90802').map(([, why]) => why),
    ['unread', 'unread'],
  );
  // two counts do not tell what grows faster
  assert.equal(read('are restaurants growing faster than bars').answer, 'list');
  assert.deepEqual(unused('are restaurants growing faster than bars'), [['growing faster', 'unread']]);
  // no filing says when a business closed
  for (const q of [
    'did more bars close in 2016 than in 2015',
    'how many bars closed in 2016',
    'which bars closed last year',
    'bars that closed before 2015',
    'bars fermés en 2014',
  ]) {
    assert.deepEqual(sides(q).slice(0, 2), ['list', `${BARS}&${CLOSED}`], q);
    assert.equal(unused(q).at(-1)?.[1], 'closings', q);
  }
  assert.deepEqual(sides('closed bars of 2014').slice(0, 2), ['list', `${BARS}&${CLOSED}&${year(2014)}`]);
  assert.deepEqual(unused('how many openings and closings in 2016'), [['closings', 'filings']]);
});

/** Words that nothing answers, and why. All of these questions are lists. */
const UNANSWERED: [q: string, word: string, why: string][] = [
  ...[
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
    ["restaurants that don't serve alcohol", "don't serve alcohol"],
    ['restaurants per capita', 'per capita'],
    ['restaurants sans alcool', 'sans alcool'],
    ['restaurantes sin alcohol', 'sin alcohol'],
    ['email of the lone wolf', 'email of'],
    ['contact info for lone wolf', 'contact info'],
    ['is old town losing bars', 'losing'],
    ['how many bars disappeared since 2014', 'disappeared'],
    ['which neighborhood lost the most bars', 'which neighborhood lost the most'],
    ['which neighborhood lost bars', 'which neighborhood lost'],
    ['did the number of bars triple', 'triple'],
    ['how many bars existed in 2014', 'existed'],
    ['how many bars did long beach have in 2014', 'have'],
    ['how many bars were there in 2014', 'were there'],
    ['bars opened at the weekend', 'the weekend'],
    ['pizza that is not a chain', 'not a chain'],
  ].map(([q = '', word = '']): [string, string, string] => [q, word, 'filings']),
  ['restaurants denied a license', 'denied', 'statuses'],
  ['pending restaurants', 'pending', 'statuses'],
  ['how many licenses were revoked', 'revoked', 'statuses'],
  ['most common business name', 'most common business name', 'names'],
  ['biggest increase in closures', 'biggest increase', 'closings'],
  ['did golden wok close before blue coffee', 'close before', 'closings'],
  ['bars that opened on monday', 'on monday', 'unread'],
  ['bars on 31 June', '31 June', 'unread'],
  ['bars in week 23', 'week 23', 'unread'],
  ['bars on christmas', 'on christmas', 'unread'],
  ['bars since christmas 2015', 'since christmas 2015', 'unread'],
  ['bars opened easter week', 'easter week', 'unread'],
  ['bars in the third week of the month', 'third week of the month', 'unread'],
  ['bars on february 29 2015', 'february 29 2015', 'unread'],
];

test('if no listing can answer a question, the page says so and gives no number', () => {
  for (const [q, word, why] of UNANSWERED)
    assert.deepEqual([read(q).answer, unused(q)[0]], ['list', [word, why]], q);
  for (const [q, is, ...words] of [
    ['how much rent do new bars pay', BARS, 'how much rent', 'pay'],
    ['what does it cost to open a bar', BARS, 'what does it cost'],
    ['how much do lawyers charge in old town', `q=lawyers&${OLD_TOWN}`, 'how much do', 'charge'],
    ['which bars failed the health inspection', BARS, 'failed the health inspection'],
    ['what time does starbucks close', 'q=starbucks', 'what time does', 'close'],
    ['how long do bars last', BARS, 'how long do', 'last'],
  ] as const)
    assert.deepEqual(
      [read(q).answer, search(q), unused(q)],
      ['list', is, words.map((word) => [word, 'filings'])],
      q,
    );
  assert.deepEqual(unused('which neighborhoods have restaurants but no bars'), [['restaurants', 'together']]);
  assert.deepEqual(unused('bars started by students'), [['started by students', 'filings']]);
  assert.deepEqual(unused('do most bars close'), []);
  assert.deepEqual(unused('did the pandemic hurt bars'), [['pandemic hurt', 'unread']]);
  check({
    'why are there no bars in old town': `${BARS}&${OLD_TOWN}`,
    'no closed restaurants': `${FOOD}&status=-closed&status=-abandoned`,
    'closed places, no bars': `q=-bars&${CLOSED}`,
    'did golden wok close before blue coffee': 'q=golden-wok OR blue-coffee',
    'bars still open since 2015': `${BARS}&status=open&filed_from=2015-01-01`,
    'first 3 bars': `${BARS}&${year(2014)}`,
  });
});

test('hours are no status, and a number of listings or whether there are any is answered', () => {
  const hours = [
    'open today',
    'ouverts tard',
    'open on sunday',
    'open late',
    'open on Christmas',
    'open 24 hours',
  ];
  for (const text of [...hours, 'closed on mondays', 'not open on mondays', "aren't open mondays"])
    assert.deepEqual(
      [search(`restaurants ${text}`), unused(`restaurants ${text}`)],
      [FOOD, [[text, 'filings']]],
      text,
    );
  assert.deepEqual(unused('open on weekends restaurants'), [['open on weekends', 'filings']]);
  check({
    'did restaurants open today': `${FOOD}&${days('2016-10-06', '2016-10-06')}`,
    'new restaurants open today': `${FOOD}&${days('2016-10-06', '2016-10-06')}`,
    'restaurants open late 2015': `${FOOD}&${days('2015-09-01', '2015-12-31')}`,
    "didn't bars open in july": `${BARS}&${days('2016-07-01', '2016-07-31')}`,
  });
  for (const q of ['did bars not open in july', "didn't any bars open in july", 'did no bars open in july'])
    assert.deepEqual(sides(q).slice(0, 2), ['count', `${BARS}&${days('2016-07-01', '2016-07-31')}`], q);
  for (const q of ['no bars in old town?', "isn't there a bar in old town", 'is there no bar in old town'])
    assert.deepEqual(sides(q).slice(0, 2), ['count', `${BARS}&${OLD_TOWN}`], q);
  for (const q of ['two bars in old town', 'more than 2 bars in old town'])
    assert.deepEqual([search(q), unused(q)], [`${BARS}&${OLD_TOWN}`, []], q);
});

test('“open” means an opening beside a ranking or after “to”, and a status before a kind', () =>
  check({
    'which month do most bars open': BARS,
    'how many bars open each year': BARS,
    'last of the bars to open': BARS,
    'last bar to open': BARS,
    'which neighborhood has the most open bars': `${BARS}&status=open`,
  }));
