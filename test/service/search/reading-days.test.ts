/** Which days questions mean. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { addDays } from '../../../src/shared/day.ts';
import { aRow, asking, partsOf } from './made-up.ts';
import { aTown, OPTIONS, ROWS, read, unused } from './shops.ts';

test('a period can be years, months, seasons, decades, ranges, or days counted back', () => {
  const days = (q: string) => [read(q).search.filed_from, read(q).search.filed_to];
  const table: Record<string, [string, string]> = {
    'this week': ['2016-09-30', '2016-10-06'],
    'in the last 7 days': ['2016-09-30', '2016-10-06'],
    'restaurants last 30 days': ['2016-09-07', '2016-10-06'],
    'past two weeks': ['2016-09-23', '2016-10-06'],
    'the last couple of weeks': ['2016-09-23', '2016-10-06'],
    // both are the days of the last whole year or month
    'bars in the newest full year': ['2015-01-01', '2015-12-31'],
    'latest complete month': ['2016-09-01', '2016-09-30'],
    'latest 6 months': ['2016-04-07', '2016-10-06'],
    'opened in 2014 and closed in 2015': ['2014-01-01', '2014-12-31'],
    'opened in 2014, since closed': ['2014-01-01', '2014-12-31'],
    yesterday: ['2016-10-05', '2016-10-05'],
    'last month': ['2016-09-01', '2016-09-30'],
    'opened this month': ['2016-10-01', '2016-10-31'],
    'sushi in 2015': ['2015-01-01', '2015-12-31'],
    'sushi since 2015': ['2015-01-01', ''],
    'sushi on or after 2015': ['2015-01-01', ''],
    'sushi before last year': ['', '2014-12-31'],
    'sushi since last year': ['2015-01-01', ''],
    'sushi from last year': ['2015-01-01', '2015-12-31'],
    'sushi in the first half of 2015': ['2015-01-01', '2015-06-30'],
    'sushi less than 2 years old': ['2014-10-07', ''],
    'sushi more than 2 years old': ['', '2014-10-06'],
    'sushi open longer than 2 years': ['', '2014-10-06'],
    'sushi in business for longer than 2 years': ['', '2014-10-06'],
    'sushi in the last 5 years': ['2011-10-07', '2016-10-06'],
    'opened 2 months ago': ['2016-08-01', '2016-08-31'],
    'over 2 years ago': ['', '2014-10-06'],
    'since 3 years ago': ['2013-01-01', ''],
    'last quarter': ['2016-07-01', '2016-09-30'],
    'bars next month': ['2016-11-01', '2016-11-30'],
    'past 12 hours': ['2016-10-06', '2016-10-06'],
    'past 24 hours': ['2016-10-06', '2016-10-06'],
    'past 25 hours': ['2016-10-05', '2016-10-06'],
    'since monday': ['2016-10-03', ''],
    'late 2015': ['2015-09-01', '2015-12-31'],
    'early 90s': ['1990-01-01', '1992-12-31'],
    // `from` does not open a part of a month, and `since` does
    'sushi from the first week of march 2015': ['2015-03-01', '2015-03-07'],
    'sushi since the first week of march 2015': ['2015-03-01', ''],
    'from late march 2015': ['2015-03-22', '2015-03-31'],
    'the first two weeks of 2015': ['2015-01-01', '2015-01-14'],
    'sushi in the last three months of 2014': ['2014-10-01', '2014-12-31'],
    'the second month of 2015': ['2015-02-01', '2015-02-28'],
    'within the last eighteen months': ['2015-04-07', ''],
    'the past twenty four months': ['2014-10-07', '2016-10-06'],
    'bars sinse 2015': ['2015-01-01', ''],
    'mid-2015': ['2015-05-01', '2015-08-31'],
    'late march 2015': ['2015-03-22', '2015-03-31'],
    'second half of last year': ['2015-07-01', '2015-12-31'],
    'since the beginning of 2015': ['2015-01-01', ''],
    'before the end of 2015': ['', '2015-12-31'],
    'sushi during the pandemic, from march 2015 to may 2015': ['2015-03-01', '2015-05-31'],
    'since the recession': ['2007-12-01', ''],
    'after the recession': ['2009-07-01', ''],
    'during the recession': ['2007-12-01', '2009-06-30'],
    'since covid': ['2020-03-11', ''],
    // the year beside a day that is not read
    'bars on christmas 2015': ['2015-01-01', '2015-12-31'],
    'bars opened easter week 2015': ['2015-01-01', '2015-12-31'],
    'since june 5': ['2016-06-05', ''],
    'sushi june 5': ['2016-06-05', '2016-06-05'],
    'sushi on the first of june': ['2016-06-01', '2016-06-01'],
    'the twenty first of march 2015': ['2015-03-21', '2015-03-21'],
    'first week of june 2015': ['2015-06-01', '2015-06-07'],
    'bars second week of june': ['2016-06-08', '2016-06-14'],
    'bars the week of june 5, 2015': ['2015-06-05', '2015-06-11'],
    'month of june': ['2016-06-01', '2016-06-30'],
    'sushi on the last day of 2015': ['2015-12-31', '2015-12-31'],
    'after the recession began': ['2007-12-02', ''],
    'bars opened in the fall': ['2016-09-01', '2016-11-30'],
    '6/2015': ['2015-06-01', '2015-06-30'],
    'sushi after 2014': ['2015-01-01', ''],
    'sushi before 2015': ['', '2014-12-31'],
    'sushi until 2015': ['', '2015-12-31'],
    'sushi opened by 2015': ['', '2015-12-31'],
    'how many sushi by march 2015': ['', '2015-03-31'],
    'sushi 2015 or later': ['2015-01-01', ''],
    'march 2016': ['2016-03-01', '2016-03-31'],
    'after march': ['2016-04-01', ''],
    'until march 2015': ['', '2015-03-31'],
    'in november': ['2015-11-01', '2015-11-30'],
    '2014-2015': ['2014-01-01', '2015-12-31'],
    'from 2014 to 2015': ['2014-01-01', '2015-12-31'],
    'sushi from 2014': ['2014-01-01', '2014-12-31'],
    'how many of the sushi places from 2014 in old town': ['2014-01-01', '2014-12-31'],
    'from 2014': ['2014-01-01', ''],
    'sushi from 2014 on': ['2014-01-01', ''],
    'sushi from 2014 onwards': ['2014-01-01', ''],
    'sushi starting from 2014': ['2014-01-01', ''],
    'sushi in 2014 on pine street': ['2014-01-01', '2014-12-31'],
    'sushi 2014 december': ['2014-12-01', '2014-12-31'],
    '2014 december 5': ['2014-12-05', '2014-12-05'],
    'since 2014 december': ['2014-12-01', ''],
    'between march and june 2015': ['2015-03-01', '2015-06-30'],
    'november to february 2016': ['2015-11-01', '2016-02-29'],
    'bars from the nineties': ['1990-01-01', '1999-12-31'],
    '2010s': ['2010-01-01', '2019-12-31'],
    "bars in the '90s": ['1990-01-01', '1999-12-31'],
    'spring 2015': ['2015-03-01', '2015-05-31'],
    'last summer': ['2016-06-01', '2016-08-31'],
    'winter of 2014': ['2014-12-01', '2015-02-28'],
    'q2 2015': ['2015-04-01', '2015-06-30'],
    'june 5, 2015': ['2015-06-05', '2015-06-05'],
    '2015-06': ['2015-06-01', '2015-06-30'],
    '6/5/2015': ['2015-06-05', '2015-06-05'],
    '2015 to now': ['2015-01-01', '2016-10-06'],
    'from march 2016 until today': ['2016-03-01', '2016-10-06'],
    'bars 2015-present': ['2015-01-01', '2016-10-06'],
  };
  for (const [q, expected] of Object.entries(table)) assert.deepEqual(days(q), expected, q);
  // a year is that of all months of a list, of which each is the last one without it
  for (const [q = '', ...expected] of [
    ['bars in march or may 2014', '2014-03', '2014-05'],
    ['bars in march and in may 2014', '2014-03', '2014-05'],
    ['november or february 2015', '2015-02', '2015-11'],
    ['march and june 2015 bars', '2015-03', '2015-06'],
    ['bars in july or december', '2015-12', '2016-07'],
    ['july or december', '2015-12', '2016-07'],
    ['bars 5 march or may 9 2014', '2014-03', '2014-05'],
    ['bars in spring or fall 2014', '2014-03', '2014-09'],
    ['april, may or june 2014', '2014-04'],
    ['november or december 2014', '2014-11'],
    ['january or february 2015', '2015-01'],
    ['march or april', '2016-03'],
  ]) {
    const { search, against } = read(q);
    const from = [search, against].flatMap((side) => side?.filed_from.slice(0, 7) ?? []);
    assert.deepEqual(from.sort(), expected, q);
    assert.deepEqual(unused(q), [], q);
  }
  for (const q of [
    '30 days',
    'may flowers',
    'spring cleaning',
    'last 30 constructors',
    'covid testing',
    'late night',
    'twenty twenty',
  ])
    assert.deepEqual(days(q), ['', ''], q);
  for (const [q, text] of [
    ['wok before katrina', 'before katrina'],
    ['bars not opened in july', 'july'],
    ['sushi in 2014 and 2015 except july', 'july'],
    ['sushi during the pandemic, from march 2015 to may 2015', 'during the pandemic'],
  ] as const)
    assert.deepEqual(unused(q), [[text, 'unread']], q);
});

test('days are counted back from the newest filing if the data is late', () => {
  const late = openIndex(partsOf(ROWS, { day: '2020-01-01' }), OPTIONS);
  const newest = ROWS.map(({ filedOn }) => filedOn)
    .toSorted()
    .at(-1)!;
  assert.deepEqual(late.read(asking({ q: 'bars this week' })).countedFrom, newest);
  const ask = (q: string, daysLater: number) =>
    openIndex(partsOf(ROWS, { day: addDays(newest, daysLater) }), OPTIONS).read(asking({ q }));
  for (const [daysLater, from] of [
    [3, undefined],
    [4, newest],
    [14, newest],
    [15, newest],
  ] as const)
    assert.equal(ask('bars this week', daysLater).countedFrom, from);
  // a number of days ends with the data, and so does a day, but a month only if it has none of them
  for (const [q, from, to] of [
    ['this week', '2016-09-29', newest],
    ['last 3 months', '2016-07-06', newest],
    ['today', newest, newest],
    ['last weekend', '2016-10-01', '2016-10-02'],
    ['this month', '2016-10-01', '2016-10-31'],
    ['last month', '2016-09-01', '2016-09-30'],
  ] as const) {
    const { filed_from, filed_to } = ask(q, 10).search;
    assert.deepEqual([filed_from, filed_to], [from, to], q);
  }
  const soon = openIndex(partsOf(ROWS, { day: '2016-10-19' }), OPTIONS);
  assert.equal(soon.read(asking({ q: 'this month' })).countedFrom, undefined);
  assert.equal(late.read(asking({ q: 'bars in 2015' })).countedFrom, undefined);
  // the summer is the last one that the data has
  assert.equal(late.read(asking({ q: 'bars since summer' })).countedFrom, newest);
  assert.equal(late.read(asking({ q: 'bars since summer 2015' })).countedFrom, undefined);
  assert.equal(late.read(asking({ q: 'bars since covid' })).countedFrom, undefined);
  const { filed_from, category } = late.read(asking({ q: "what's new besides bars" })).search;
  assert.deepEqual([filed_from, category], ['', []], 'the newest, whenever they were filed');
  // one filing that takes effect weeks later is not the end of the data
  const many = Array.from({ length: 200 }, (_, i) =>
    aRow({ key: `many${i}`, filedOn: addDays('2016-10-05', -(i % 100)) }),
  );
  many.push(aRow({ key: 'ahead', filedOn: '2016-12-20' }));
  const ahead = openIndex(partsOf(many, { day: '2017-01-10' }), OPTIONS);
  assert.deepEqual([ahead.dataEnd, ahead.latestFiling], ['2016-10-05', '2016-12-20']);
  assert.equal(ahead.read(asking({ q: 'last month' })).search.filed_from, '2016-09-01');
  assert.equal(read('bars this week').countedFrom, undefined);
});

test('however people ask what opened, the days are those that they say', () => {
  const languages = [
    {
      ask: read,
      days: [
        ...['last month', 'last week', 'this year', 'yesterday', 'in march', 'in 2015', 'since 2014'],
        ...['past 30 days', 'between 2012 and 2014', 'june last year', 'in q1 of this year'],
        ...['two years ago', 'within 90 days', 'before 2010', 'on july 4 2015', 'last summer'],
        ...['earlier this year', 'in the 90s'],
      ],
      ways: [
        ...['new # @', '@ #', '# opened @', '# that opened @', 'what # opened @', 'which # have opened @'],
        ...['did any # open @', 'who opened a # @', 'newly opened # @', '#, @', '# launched @'],
        ...['# which started up @', 'what # showed up @', '# that came to town @'],
        ...['show me # registered @', '@, which # opened?', 'openings of # @', 'how many # opened @'],
      ],
    },
    {
      ask: aTown(ROWS, { language: 'fr' }, '2016-10-06').read,
      days: [
        ...['le mois dernier', 'la semaine dernière', 'cette année', 'hier', 'en mars', 'depuis 2014'],
        ...['ces 6 derniers mois', 'entre 2012 et 2014', 'l’été dernier', 'il y a deux ans'],
        ...['le 4 juillet 2015', 'au premier semestre 2015'],
      ],
      ways: [
        ...['nouveaux # @', '@ #', '# ouverts @', '# qui ont ouvert @', 'quels # ont ouvert @'],
        ...['# ont-ils ouvert @', 'montrez-moi les # ouverts @', '# lancés @', '# créés @'],
        ...['ouvertures de # @', 'qui a ouvert un # @', 'combien de # ont ouvert @'],
      ],
    },
  ];
  for (const { ask, days, ways } of languages)
    for (const day of days)
      for (const way of ways) {
        const q = way.replace('#', 'bar').replace('@', day);
        const { filed_from, filed_to } = ask(day).search;
        assert.notEqual(filed_from + filed_to, '', day);
        assert.partialDeepStrictEqual(
          ask(q).search,
          { q: '', category: ['Bars & Nightlife'], filed_from, filed_to },
          q,
        );
      }
});
