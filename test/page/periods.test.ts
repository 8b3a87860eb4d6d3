/** The days and years of lists, bars and comparisons, read as HTML. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '../../src/shared/day.ts';
import { aRow, catalogueOf } from '../service/search/made-up.ts';
import { pageOf } from './a-page.ts';

test('a city with filings of one year has no chart of years', async () => {
  const inYears = (...years: string[]) =>
    catalogueOf(years.map((year) => aRow({ key: year, filedOn: `${year}-01-05` })));
  for (const [years, isShown] of [
    [['2025'], false],
    [['2024', '2025'], true],
  ] as const)
    assert.equal(
      (await pageOf('/changes', { catalogue: inYears(...years) })).includes('bars years'),
      isShown,
    );
});

test('the days or the years of a list stand above its rows, unless few rows share them or the heading says them', async () => {
  const read = async (days: string[], path = '/?category=Restaurants') => {
    const rows = days.map((filedOn, i) => aRow({ key: `${i}`, filedOn }));
    const page = await pageOf(path, { catalogue: catalogueOf(rows, { day: '2026-06-21' }) });
    const [list = ''] = /<section class="results".*?<\/section>/s.exec(page) ?? [];
    return Array.from(
      list.matchAll(/<h2 class="when">.*?>([^<]*)<\/time>|<time class="day"[^>]*>(.*?)<\/time>/g),
      (one) =>
        one
          .slice(1)
          .join('')
          .replaceAll(/<[^>]*>/g, ''),
    );
  };
  const of = (day: string, n: number) => Array.from({ length: n }, () => day);
  assert.deepEqual(await read([...of('2026-06-20', 7), ...of('2025-06-19', 2)]), [
    'June 20',
    'June 19, 2025',
  ]);
  assert.deepEqual(await read(of('2026-06-20', 3), '/?filed_from=2026-06-20&filed_to=2026-06-20'), []);
  assert.deepEqual(await read(['2026-06-20', '2026-06-18', '2026-06-16']), ['Jun 20', 'Jun 18', 'Jun 16']);
  const years = ['2026-06-20', '2026-06-18', '2025-06-16', '2025-02-01'];
  assert.deepEqual(await read(years), ['2026', 'Jun 20', 'Jun 18', '2025', 'Jun 16', 'Feb 1']);
  assert.deepEqual(await read(['2026-06-20', '2025-06-18', '2024-06-16']), [
    'Jun 20',
    'Jun 18 2025',
    'Jun 16 2024',
  ]);
});

test('a number of days within a year stands beside the number of the same days a year before', async () => {
  const days = ['2024-01-01', '2025-03-01', '2025-03-02', '2025-12-01', '2026-02-01', '2026-03-05'];
  days.unshift(...Array<string>(4).fill('2022-01-01'));
  const rows = days.map((filedOn, i) => aRow({ key: `${i}`, filedOn }));
  const read = async (q: string) => {
    const page = await pageOf(`/?q=${q}`, { catalogue: catalogueOf(rows, { day: '2026-06-21' }) });
    return /<p id="caveat">([^<]*)/
      .exec(page)?.[1]
      ?.replace(/\s/g, ' ')
      .split(/(?<=\.) /)[0];
  };
  assert.equal(
    await read('how+many+restaurants+this+year'),
    'There were as many in the same period of 2025.',
  );
  assert.equal(await read('how+many+restaurants+in+2025'), 'That is 2 more than in 2024 (1).');
  // its first year may count older businesses as new
  assert.match((await read('how+many+restaurants+in+2022'))!, /^Our listings begin in January 2022/);
  assert.match((await read('which+year+had+the+most+restaurants'))!, /^Our listings begin in January 2022,/);
  for (const q of ['how+many+restaurants', 'how+many+businesses+in+naples'])
    assert.equal(await read(q), undefined, q);
});

test('two places or kinds have a bar each, which leads to its listings, and the map shows the share of one kind', async () => {
  const rows = [3, 1].flatMap((n, place) =>
    ['2024', '2025'].flatMap((year) =>
      Array.from({ length: year === '2025' ? n : 1 }, (_, i) =>
        aRow({
          ...{ key: `${place}-${year}-${i}`, category: place === 0 ? 'Restaurants' : 'Hotels & Lodging' },
          ...{ filedOn: `${year}-0${i + 1}-01`, neighborhood: place === 0 ? 'Naples' : 'Wrigley' },
        }),
      ),
    ),
  );
  const read = (q: string) => pageOf(`/?q=${q}`, { catalogue: catalogueOf(rows) });
  const page = await read('more+businesses+in+wrigley+or+naples');
  assert.match(
    page,
    />4 businesses registered in Naples, 2\smore than in Wrigley<.*From January 2024 to March\s1,\s2025</s,
  );
  const [, sides = ''] = /<div class="shown">(.*?)<\/div>/s.exec(page) ?? [];
  assert.deepEqual(
    Array.from(
      sides.matchAll(/<bdi>(\w+)<\/bdi><\/a> <span class="count">(\d)<.*?<rect width="(\d+)%"/g),
      (one) => one.slice(1).join(' '),
    ),
    ['Naples 4 100', 'Wrigley 2 50'],
  );
  assert.match(sides, /href="\/\?neighborhood=Wrigley"/, 'its own listings');
  const kinds = await read('restaurants+vs+hotels+%26+lodging');
  assert.match(kinds, />4 restaurants registered, 2\smore than hotels and lodgings</);
  assert.match(kinds, />restaurants<\/bdi>.*>hotels and lodgings<\/bdi>/s, 'as the sentence names them');
  assert.match(
    kinds,
    /id="map"[^>]*>Restaurants minus hotels and lodgings, by neighborhood<.*aria-label="Naples, restaurants: 4 and hotels and lodgings: 0".*<bdi>Naples<\/bdi><\/a> <span class="count">4 · 0<\/span><svg[^>]*><rect width="100%"[^>]*><\/svg><svg class="other"[^>]*><rect width="0%"/s,
  );
  const alike = ['Restaurants', 'Hotels & Lodging'].map((category) => aRow({ key: category, category }));
  const same = await pageOf('/?q=restaurants+vs+hotels+%26+lodging', { catalogue: catalogueOf(alike) });
  assert.match(
    same,
    /<span class="count">1 · 1<\/span><svg [^>]*><rect width="100%"[^>]*><\/svg><svg class="other"[^>]*><rect width="100%"/,
  );
});

test('every bar has its number if all years are asked for, else the asked, the last and the highest', async () => {
  const years = { 2023: 3, 2024: 9, 2025: 5, 2026: 7 };
  const rows = Object.entries(years).flatMap(([year, n]) =>
    Array.from({ length: n }, (_, i) => aRow({ key: `${year}-${i}`, filedOn: `${year}-03-01` })),
  );
  rows.push(aRow({ key: 'later', filedOn: '2025-06-01' }));
  const catalogue = catalogueOf(rows);
  const numbersOn = async (path: string) => {
    const [found = ''] = (await pageOf(path, { catalogue })).split('<section class="panel letter"');
    return [...found.matchAll(/<text [^>]*dy="-4">(\d+)</g)].map(([, n]) => n);
  };
  assert.deepEqual(await numbersOn('/?q=how+many+in+2025'), ['9', '6', '7']);
  assert.deepEqual(
    await numbersOn('/?q=how+many+this+year'),
    ['9', '6', '7'],
    'of a part, the number of the part',
  );
  assert.deepEqual(await numbersOn('/?q=how+many+in+2023'), ['3', '9', '7'], 'the register begins with it');
  assert.deepEqual(await numbersOn('/?q=how+many+businesses'), ['3', '9', '6', '7']);
  assert.deepEqual(await numbersOn('/?q=2026+vs+2025'), ['9', '5', '7']);
});

/** A feed that began in June 2026: twenty filings a day, few of the newest days, and some that took or take effect at other times. */
function aYoungFeed() {
  const steady = Array.from({ length: 79 }, (_, i) => [addDays('2026-06-01', i), 20] as const); // to August 18
  const others = { '2014-05-15': 1, '2026-05-20': 9, '2026-08-19': 4, '2026-08-20': 1, '2026-09-01': 2 };
  const rows = [...steady, ...Object.entries(others)].flatMap(([filedOn, n]) =>
    Array.from({ length: n }, (_, i) => aRow({ key: `${filedOn} ${i}`, filedOn })),
  );
  return catalogueOf(rows, { day: '2026-11-30' });
}

test('the data ends before newest days that still lack most filings, and later filings are no news', async () => {
  const catalogue = aYoungFeed();
  assert.equal(catalogue.dataEnd, '2026-08-18');
  const page = await pageOf('/', { catalogue });
  const head = /<h1 id="found".*?<\/p>/s.exec(page)?.[0].replace(/(?:<.*?>|\s)+/g, ' ');
  assert.match(
    head!,
    /^ 140 new businesses in the week to August 18 A typical week has 140\. .* newer days are not complete/,
  );
  assert.match(page, /href="\/\?filed_from=2026-08-19"[^>]*>A few filings have later dates\.</);
  assert.match(page, /<section class="results".*?<time[^>]*>August.18</s);
});

test('days are not said to be incomplete because a few filings take effect later', async () => {
  const days = [...Array.from({ length: 120 }, (_, i) => addDays('2026-11-30', -i)), '2027-01-15'] as const;
  const rows = days.flatMap((filedOn) =>
    Array.from({ length: 20 }, (_, i) => aRow({ key: `${filedOn} ${i}`, filedOn })),
  );
  const page = await pageOf('/', { catalogue: catalogueOf(rows, { day: '2026-11-30' }) });
  assert.match(page, /A few filings have later dates\..*in the week to November.30/s);
  const [bars = ''] = /<ul class="bars".*?<\/ul>/s.exec(page) ?? [];
  assert.equal(
    bars.match(/<text [^>]*>140</g)?.length,
    2,
    'of weeks that are alike, one has its number beside the last',
  );
  assert.doesNotMatch(page, /not complete/);
});

test('nothing is compared with a year from before the data, which is no year without businesses', async () => {
  const catalogue = aYoungFeed();
  const none = /Our listings begin in June\s2026, so there is no earlier year to compare\./;
  for (const path of [
    '/changes',
    '/?neighborhood=Old+Town',
    '/?category=Restaurants',
    '/?q=what+grew+most',
    '/?q=how+many+restaurants+in+2026',
  ]) {
    const page = await pageOf(path, { catalogue });
    assert.equal(none.test(page), !path.includes('category'), path);
    assert.doesNotMatch(page, /Compare with|none in|bars years|what grew most<\/a>/, path);
  }
  assert.match(
    await pageOf('/?q=2026+vs+2025', { catalogue }),
    />1,589 businesses registered [^<]*; the data starts in June\s2026, after 2025</,
  );
});
