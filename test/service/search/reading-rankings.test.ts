/** Questions that ask for rows: the most, the fewest, growth and decline, and periods. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { rankRows } from '../../../src/service/search/rankings.ts';
import { addDays } from '../../../src/shared/day.ts';
import { formatQuestion } from '../../../src/shared/question.ts';
import type { Reading } from '../../../src/shared/reading.ts';
import { aRow, asking, partsOf } from './made-up.ts';
import { check, index, read, search, unused } from './shops.ts';

const BARS = 'category=Bars & Nightlife';
const FOOD = 'category=Restaurants';
const OLD_TOWN = 'neighborhood=Old Town';
const IN_2015 = 'filed_from=2015-01-01&filed_to=2015-12-31';
const THIS_YEAR = 'filed_from=2016-01-01&filed_to=2016-10-05';

const RANKED: Record<string, string> = {
  'which neighborhood has the most restaurants': `neighborhood most ${FOOD}`,
  'zip codes ranked by restaurants': `neighborhood most ${FOOD}`,
  'where do most restaurants open': `neighborhood most ${FOOD}`,
  'which neighborhoods shrank most': 'neighborhood fell ',
  'what kind of business is the most common': 'category most ',
  'what are the most common new businesses': 'category most ',
  'top 5 kinds of new businesses': `category most ${THIS_YEAR}`,
  'most popular type of business in old town': `category most ${OLD_TOWN}`,
  'what grew most in old town': `category grew ${OLD_TOWN}`,
  'how many barbers, bars and lawyers': 'q most q=barbers OR bars OR lawyers',
  'best year for bars': `year most ${BARS}`,
  'when did the most bars open': `year most ${BARS}`,
  'year with the most lawyers': 'year most q=lawyers',
  'which year had the fewest bars': `year fewest ${BARS}`,
  'slowest year for bars': `year fewest ${BARS}`,
  'trend of restaurants': `year trend ${FOOD}`,
  'busiest month for new restaurants': `month most ${FOOD}`,
  'how many bars per month': `month trend ${BARS}`,
  'average number of bars per month': `month trend ${BARS}`,
  'average bars per month': `month trend ${BARS}`,
  // months of all years, unless they are those of one year
  'which month do most restaurants open': `calendar most ${FOOD}`,
  'in what month of the year do most restaurants open': `calendar most ${FOOD}`,
  'busiest season for restaurants': `calendar most ${FOOD}`,
  'quel mois a le plus de restaurants': `calendar most ${FOOD}`,
  'quel mois de l’année a le plus de restaurants': `calendar most ${FOOD}`,
  'qué mes del año tiene más restaurants': `calendar most ${FOOD}`,
  'when do most bars open': `calendar most ${BARS}`,
  'which month since 2014 had the fewest bars': `calendar fewest ${BARS}&filed_from=2014-01-01`,
  'which month of 2015 had the most bars': `month most ${BARS}&${IN_2015}`,
  'quel mois de 2015 a le plus de bars': `month most ${BARS}&${IN_2015}`,
  // rows that nobody names are neighborhoods, unless something else is asked for
  'most bars': `neighborhood most ${BARS}`,
  'the most bars in 2015': `neighborhood most ${BARS}&${IN_2015}`,
  'le plus de bars': `neighborhood most ${BARS}`,
  'least bars 2015': `neighborhood fewest ${BARS}&${IN_2015}`,
  'le moins de bars': `neighborhood fewest ${BARS}`,
  'neighborhood with the fewest bars': `neighborhood fewest ${BARS}`,
  'where are the fewest bars': `neighborhood fewest ${BARS}`,
  'où y a-t-il le moins de bars': `neighborhood fewest ${BARS}`,
  'dónde hay menos bars': `neighborhood fewest ${BARS}`,
  'which neighborhood has no bars': `neighborhood fewest ${BARS}`,
  'neighborhoods without a bar': `neighborhood fewest ${BARS}`,
  'in which areas are there no bars': `neighborhood fewest ${BARS}`,
  'neighborhood with no bars': `neighborhood fewest ${BARS}`,
  'areas without bars': `neighborhood fewest ${BARS}`,
  "areas that don't have a bar": `neighborhood fewest ${BARS}`,
  'is there a neighborhood with no bars': `neighborhood fewest ${BARS}`,
  'which areas have no businesses': 'neighborhood fewest ',
};

/** Streets, which no listing has. */
const STREETS: Record<string, string> = {
  'busiest street for bars': 'busiest street',
  'which street has the most bars': 'which street',
  'street with the fewest bars': 'street with',
  'quelle rue a le plus de bars': 'quelle rue a le plus de',
};

const by = 'neighborhood';
const values = ['2014', '2015', '2016'];
/** What else is known of rows. */
const RANKS: Record<string, Reading['rank']> = {
  'neighborhood with the second most bars': { by, order: 'most', nth: 2 },
  'third largest neighborhood for bars': { by, order: 'most', nth: 3 },
  'which neighborhood has the 2nd fewest bars': { by, order: 'fewest', nth: 2 },
  'largest neighborhood': { by, order: 'most' },
  'bottom 3 neighborhoods for bars': { by, order: 'fewest' },
  'top seven towns': { by, order: 'most' },
  'neighborhoods with more than 10 bars': { by, order: 'most' },
  'how many neighborhoods': { by, order: 'most', isNumber: true },
  'how many different kinds of business': { by: 'category', order: 'most', isNumber: true },
  'which has more bars: old town, belmont shore or 90802?': { by, order: 'most' },
  'which neighborhood has the most bars in 2014, 2015 and 2016': { by, order: 'most' },
  // all rows, of which those with more or fewer than the named one are told
  'which area has more bars than old town': { by, order: 'most', row: 'Old Town' },
  'neighborhoods with fewer bars than in old town': { by, order: 'fewest', row: 'Old Town' },
  'which kind is more common than bars': { by: 'category', order: 'most', row: 'Bars & Nightlife' },
  'which year had more bars than 2014': { by: 'year', order: 'most', row: '2014' },
  'which month had fewer bars than may 2014': { by: 'month', order: 'fewest', row: '2014-05' },
  'which month has more bars than may': { by: 'calendar', order: 'most', row: '05' },
  // years that are named one by one are the rows
  'more bars in 2014 or 2015 or 2016': { by: 'year', order: 'most', values },
  'compare bars in 2014, 2015 and 2016': { by: 'year', order: 'most', values },
  'bars 2014, 2015, 2016': { by: 'year', order: 'trend', values },
  'bars 2014 2016 2015 2014': { by: 'year', order: 'trend', values },
  // no rows
  'how many restaurants and bars': undefined,
  'how many food businesses': undefined,
  'most bars in old town': undefined,
  'most bars at 12 pine st': undefined,
  'most expensive bars': undefined,
  'busiest sushi': undefined,
};

const ranked = (q: string) => rankRows(index, read(q))!;

test('questions for the most, the fewest, growth, decline, or year by year are answered by rows', () => {
  for (const [q, expected] of Object.entries(RANKED)) {
    assert.equal(`${read(q).rank?.by} ${read(q).rank?.order} ${search(q)}`, expected, q);
    assert.deepEqual(unused(q), [], q);
  }
  for (const [q, text] of Object.entries(STREETS)) {
    assert.equal(`${read(q).rank?.by} ${search(q)}`, `neighborhood ${BARS}`, q);
    assert.deepEqual(unused(q), [[text, 'address']], q);
  }
  for (const [q, rank] of Object.entries(RANKS)) assert.deepEqual(read(q).rank, rank, q);
  assert.equal(
    search('compare bars in old town, belmont shore and 90802'),
    `${BARS}&neighborhood=Old Town&neighborhood=Belmont Shore&neighborhood=ZIP 90802`,
  );
  assert.deepEqual(unused('most bars in old town'), [['most', 'rank']]);
  assert.deepEqual(unused('busiest sushi'), [['busiest', 'filings']]);
  for (const [q, claim] of Object.entries({
    'is old town growing': undefined, // no filing tells how many there are
    'did restaurants grow': undefined,
    'are there fewer bars than in 2014': undefined,
    'are fewer bars opening than in 2014': 'fewer',
    'are there fewer bars than restaurants': undefined, // nor how many there are now
    'are fewer bars opening than restaurants': 'more', // restaurants are more, and stand first
  }))
    assert.equal(read(q).claim, claim, q);
});

test('what several names, years or words are compared with each other by is rows', () => {
  for (const [q, by] of Object.entries({
    'old town vs belmont shore vs naples bars': 'neighborhood',
    'bars: old town vs belmont shore vs naples': 'neighborhood',
    'restaurants vs bars vs cafes in old town': 'category',
    'bars 2014 vs 2015 vs 2016': 'year',
    'pizza vs sushi vs burgers': 'q',
    'which is more common, pizza, sushi or burgers': 'q',
  }))
    assert.deepEqual([read(q).rank?.by, read(q).rank?.order, ranked(q).rows.length], [by, 'most', 3], q);
  for (const q of [
    'which neighborhoods have more bars than restaurants',
    'more bars than restaurants by zip',
  ]) {
    const than = { ...read(q).search, q: '', category: ['Restaurants'] };
    assert.deepEqual(
      [read(q).answer, read(q).rank, search(q)],
      ['rank', { by, order: 'than', than }, BARS],
      q,
    );
  }
  assert.equal(search('which areas have fewer bars than restaurants'), FOOD);
  const { rows, total } = ranked('which neighborhoods have more restaurants than bars');
  assert.deepEqual(
    [total, rows.at(-1)!.value, ...rows.map(({ count, before }) => `${count} ${before}`)],
    [4, 'ZIP 90802', '9 3', '9 3', '9 3', '6 3'],
  );
  for (const [q, count, ...more] of [
    ['which area has more bars in 2015 than old town', 1],
    ['which area has more restaurants than 90802', 6, 9, 9, 9],
    ['which area has fewer restaurants than old town', 9, 6],
  ] as const) {
    const { row, rows } = ranked(q).beyond!;
    assert.deepEqual(
      [row, ...rows].map((one) => one.count),
      [count, ...more],
      q,
    );
  }
});

test('the rows of a ranking are of whole periods, and those with none have the fewest', () => {
  const rows = (q: string) => ranked(q).rows.map(({ value, count }) => [value, count]);
  const months = ranked('which month do most bars open');
  assert.deepEqual(months.years, { filed_from: '2014-01-01', filed_to: '2015-12-31' });
  assert.deepEqual(
    months.rows.map(({ value, count }) => (count > 0 ? `${value}: ${count}` : 0)),
    ['02: 2', '03: 2', '04: 2', '05: 2', 0, 0, 0, 0, 0, 0, 0, 0],
  );
  // a longer period is judged by its first and its last year
  const { before, days } = ranked('which neighborhood grew most since 2014');
  assert.deepEqual(before, { filed_from: '2014-01-01', filed_to: '2014-12-31' });
  assert.deepEqual(days, { filed_from: '2015-10-06', filed_to: '2016-10-05' });
  const fewest = rows('neighborhood with the fewest lawyers').slice(0, 3);
  assert.deepEqual(
    fewest.map(([, count]) => count),
    [0, 0, 0],
  );
  assert.deepEqual(rows('slowest year for bars'), [['2015', 4]]);
  assert.deepEqual(
    rows('bars by year').map(([year]) => year),
    ['2016', '2015', '2014'],
  );
  // few filings take effect after the end of the data: the months between are not known to have none
  const many = Array.from({ length: 200 }, (_, i) =>
    aRow({ key: `${i}`, filedOn: addDays('2016-10-05', -(i % 100)) }),
  );
  const ahead = openIndex(
    partsOf([...many, aRow({ key: 'ahead', filedOn: '2016-12-20' })], { day: '2017-01-10' }),
  );
  assert.deepEqual(
    rankRows(ahead, ahead.read(asking({ q: 'which month of 2016 had the fewest filings' })))?.rows.map(
      ({ value }) => value,
    ),
    ['2016-09', '2016-08', '2016-07'],
  );
});

test('what has run longest is the oldest that has not closed, in as many years as have so many', () => {
  for (const [q, is] of Object.entries({
    'oldest restaurants': `${FOOD}&filed_from=2014-01-01&filed_to=2014-12-31`,
    'in what year did the first restaurant open': `${FOOD}&filed_from=2014-01-01&filed_to=2014-12-31`,
    'second oldest restaurant': `${FOOD}&filed_from=2014-01-01&filed_to=2014-12-31`,
    'the 3 oldest restaurants': `${FOOD}&filed_from=2014-01-01&filed_to=2014-12-31`,
    'the oldest restaurant': `${FOOD}&filed_from=2014-01-01&filed_to=2014-12-31`,
    'oldest twenty restaurants': `${FOOD}&filed_from=2014-01-01&filed_to=2015-12-31`,
    'longest running restaurants': `${FOOD}&status=open&filed_from=2014-01-01&filed_to=2014-12-31`,
    'which restaurants have been open the longest': `${FOOD}&status=open&filed_from=2014-01-01&filed_to=2014-12-31`,
  }))
    assert.deepEqual([search(q), read(q).isOldest], [is, true], q);
  assert.equal(search('second newest restaurant'), FOOD);
  assert.equal(read('second newest restaurant').isOldest, undefined);
});

test('a number of what is new is of this year, unless days or rows of time are named', () => {
  check({
    'rank the zip codes by new restaurants': `${FOOD}&${THIS_YEAR}`,
    'how many new restaurants': `${FOOD}&${THIS_YEAR}`,
    'how many bars opened recently in old town': `${BARS}&${OLD_TOWN}&${THIS_YEAR}`,
    'how many new bars in 2015': `${BARS}&${IN_2015}`,
    'which year had the most new bars': BARS,
    'new restaurants': FOOD,
    'how many businesses are there': '',
  });
  assert.equal(read('how many bars').answer, 'count');
});

/** Whether a question has all of its words used, and what it compares. */
const COMPARED: Record<string, [one: string, other: string]> = {
  // “compare” before two kinds adds nothing to what stands between them
  'compare bars vs restaurants': [FOOD, BARS],
  'compare restaurants and bars': [FOOD, BARS],
  'bars vs restaurants': [FOOD, BARS],
  'more new bars or restaurants': [`${FOOD}&${THIS_YEAR}`, `${BARS}&${THIS_YEAR}`],
  'new bars vs new restaurants': [`${FOOD}&${THIS_YEAR}`, `${BARS}&${THIS_YEAR}`],
  // several places of one side are of it alone, and the rest is of both
  'more restaurants in old town than in belmont shore and 90802': [
    `${FOOD}&neighborhood=Belmont Shore&neighborhood=ZIP 90802`,
    `${FOOD}&${OLD_TOWN}`,
  ],
  'more pizza than sushi in old town or belmont shore': [
    `q=pizza&${OLD_TOWN}&neighborhood=Belmont Shore`,
    `q=sushi&${OLD_TOWN}&neighborhood=Belmont Shore`,
  ],
  'did bars grow between 2014 and 2015': [
    `${BARS}&${IN_2015}`,
    `${BARS}&filed_from=2014-01-01&filed_to=2014-12-31`,
  ],
  // words that only ask whether it is so
  'is it true that restaurants opened more than bars': [FOOD, BARS],
  'can you tell me if restaurants opened more than bars': [FOOD, BARS],
  'do you know whether restaurants opened more than bars': [FOOD, BARS],
};

test('what stands on both sides of a comparison is compared, and the rest is of both', () => {
  for (const [q, both] of Object.entries(COMPARED)) {
    assert.deepEqual([search(q), decodeURIComponent(formatQuestion(read(q).against!))], both, q);
    assert.deepEqual(unused(q), [], q);
  }
});

test('a word of rankings that ranks nothing could not be read, and is nothing that a filing would tell', () => {
  assert.deepEqual(unused('fewest'), [['fewest', 'rank']]);
  assert.deepEqual(unused('which is the second most common'), [['second most common', 'rank']]);
  assert.deepEqual(unused('percent of businesses that are restaurants'), [['percent of', 'unread']]);
});
