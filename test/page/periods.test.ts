/** The days and years of lists, bars and comparisons, read as HTML. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '../../src/shared/day.ts';
import { aRegister, assertPages, no, pageOf, times } from './a-page.ts';

const filedOn = (...days: string[]) => days.map((day) => ({ filedOn: day }));

test('a city with filings of one year has no chart of years', async () => {
  await assertPages(aRegister(filedOn('2025-01-05')), { '/changes': no(/bars years/) });
  await assertPages(aRegister(filedOn('2024-01-05', '2025-01-05')), { '/changes': /bars years/ });
});

test('the days or the years of a list stand above its rows, unless few rows share them or the heading says them', async () => {
  const june20 = Array<string>(7).fill('2026-06-20');
  for (const [days, shown, path = '/?category=Restaurants'] of [
    [
      [...june20, '2025-06-19', '2025-06-19'],
      ['June 20', 'June 19, 2025'],
    ],
    [june20.slice(0, 3), [], '/?filed_from=2026-06-20&filed_to=2026-06-20'],
    [
      ['2026-06-20', '2026-06-18', '2026-06-16'],
      ['Jun 20', 'Jun 18', 'Jun 16'],
    ],
    [
      ['2026-06-20', '2026-06-18', '2025-06-16', '2025-02-01'],
      ['2026', 'Jun 20', 'Jun 18', '2025', 'Jun 16', 'Feb 1'],
    ],
    [
      ['2026-06-20', '2025-06-18', '2024-06-16'],
      ['Jun 20', 'Jun 18 2025', 'Jun 16 2024'],
    ],
  ] as [string[], string[], string?][]) {
    const page = await pageOf(path, aRegister(filedOn(...days), { day: '2026-06-21' }));
    const [list = ''] = /<section class="results".*?<\/section>/s.exec(page) ?? [];
    const whens = list.matchAll(/<h2 class="when">.*?>([^<]*)<\/time>|<time class="day"[^>]*>(.*?)<\/time>/g);
    const texts = Array.from(whens, ([, heading, day]) => (heading ?? day!).replaceAll(/<[^>]*>/g, ''));
    assert.deepEqual(texts, shown);
  }
});

test('a number of days within a year stands beside the number of the same days a year before', () => {
  const days = ['2024-01-01', '2025-03-01', '2025-03-02', '2025-12-01', '2026-02-01', '2026-03-05'];
  const register = aRegister([...times(4, { filedOn: '2022-01-01' }), ...filedOn(...days)], {
    day: '2026-06-21',
  });
  // its first year may count older businesses as new
  const begins = /<p id="caveat">Our listings begin in January\s2022,/;
  return assertPages(register, {
    'how many restaurants this year': /<p id="caveat">There were as many in the same period of 2025\.(?: |<)/,
    'how many restaurants in 2025': /<p id="caveat">That is 2\smore than in 2024 \(1\)\.(?: |<)/,
    'how many restaurants in 2022': begins,
    'which year had the most restaurants': begins,
    'how many restaurants': no(/<p id="caveat">/),
    'how many businesses in naples': no(/<p id="caveat">/),
  });
});

const KINDS = ['Restaurants', 'Hotels & Lodging'];

test('two places or kinds have their years beside each other on one scale, and the map shows the share of one kind', async () => {
  const rows = KINDS.flatMap((category, i) => {
    const at = { category, neighborhood: i === 0 ? 'Naples' : 'Wrigley' };
    const in2025 = times(i === 0 ? 3 : 1, (month) => ({ ...at, filedOn: `2025-0${month + 1}-01` }));
    return [...in2025, { ...at, filedOn: '2024-01-01' }];
  });
  const years = (name: string, n: number, ...heights: number[]) =>
    [`<bdi>${name}</bdi></a> <span class="count">${n}<`, `aria-label="${name}: Registered per year"`]
      .concat(heights.map((height) => `height="${height}%"`))
      .join('(?:(?!</ul>).)*?');
  await assertPages(aRegister(rows), {
    'more businesses in wrigley or naples': [
      />4 businesses registered in Naples, 2\smore than in Wrigley<.*From January 2024 to March\s1,\s2025</s,
      new RegExp(
        `<div class="shown">.*?${years('Naples', 4, 33, 100)}.*?${years('Wrigley', 2, 33, 33)}`,
        's',
      ),
      /<div class="shown">(?:(?!<\/div>).)*href="\/\?neighborhood=Wrigley"/s, // its own listings
    ],
    'restaurants vs hotels & lodging': [
      />4 restaurants registered, 2\smore than hotels and lodgings</,
      />restaurants<\/bdi>.*>hotels and lodgings<\/bdi>/s, // as the sentence names them
      /id="map"[^>]*>Restaurants minus hotels and lodgings, by neighborhood<.*aria-label="Naples, restaurants: 4 and hotels and lodgings: 0".*<bdi>Naples<\/bdi><\/a> <span class="count">4 · 0<\/span><svg[^>]*><rect width="100%"[^>]*><\/svg><svg class="other"[^>]*><rect width="0%"/s,
    ],
  });
  await assertPages(aRegister(KINDS.map((category) => ({ category }))), {
    'restaurants vs hotels & lodging':
      /<span class="count">1 · 1<\/span><svg [^>]*><rect width="100%"[^>]*><\/svg><svg class="other"[^>]*><rect width="100%"/,
  });
});

test('every bar has its number if all years are asked for, else the asked, the last and the highest', async () => {
  const counts = { 2023: 3, 2024: 9, 2025: 5, 2026: 7 };
  const rows = Object.entries(counts).flatMap(([year, n]) => times(n, { filedOn: `${year}-03-01` }));
  const register = aRegister([...rows, { filedOn: '2025-06-01' }]);
  for (const [q, ...numbers] of [
    ['how many in 2025', '9', '6', '7'],
    ['how many this year', '9', '6', '7'], // of a part, the number of the part
    ['how many in 2023', '3', '9', '7'], // the register begins with it
    ['how many businesses', '3', '9', '6', '7'],
    ['2026 vs 2025', '9', '5', '7'],
  ] as const) {
    const [found = ''] = (await pageOf(q, register)).split('<section class="panel letter"');
    const shown = Array.from(found.matchAll(/<text [^>]*dy="-4">(\d+)</g), ([, n]) => n);
    assert.deepEqual(shown, numbers, q);
  }
});

/** A feed that began in June 2026: twenty filings a day, few of the newest days, and some that took or take effect at other times. */
function aYoungFeed() {
  const steady = Array.from({ length: 79 }, (_, i) => [addDays('2026-06-01', i), 20] as const); // to August 18
  const others = { '2014-05-15': 1, '2026-05-20': 9, '2026-08-19': 4, '2026-08-20': 1, '2026-09-01': 2 };
  const rows = [...steady, ...Object.entries(others)].flatMap(([day, n]) => times(n, { filedOn: day }));
  return aRegister(rows, { day: '2026-11-30' });
}

test('the data ends before newest days that still lack most filings, and later filings are no news', async () => {
  const register = aYoungFeed();
  assert.equal(register.catalogue.dataEnd, '2026-08-18');
  const page = await pageOf('/', register);
  const head = /<h1 id="found".*?<\/p>/s.exec(page)?.[0].replace(/(?:<.*?>|\s)+/g, ' ');
  assert.match(
    head!,
    /^ 140 new businesses in the week to August 18 A typical week has 140\. .* newer days are not complete/,
  );
  assert.match(page, /href="\/\?filed_from=2026-08-19"[^>]*>A few filings have later dates\.</);
  assert.match(page, /<section class="results".*?<time[^>]*>August.18</s);
});

test('days are not said to be incomplete because a few filings take effect later', async () => {
  const days = [...Array.from({ length: 120 }, (_, i) => addDays('2026-11-30', -i)), '2027-01-15'];
  const rows = days.flatMap((day) => times(20, { filedOn: day }));
  const page = await pageOf('/', aRegister(rows, { day: '2026-11-30' }));
  assert.match(page, /A few filings have later dates\..*in the week to November.30/s);
  const [bars = ''] = /<ul class="bars".*?<\/ul>/s.exec(page) ?? [];
  const numbers = bars.match(/<text [^>]*>140</g)?.length;
  assert.equal(numbers, 2, 'of weeks that are alike, one has its number beside the last');
  assert.doesNotMatch(page, /not complete/);
});

test('nothing is compared with a year from before the data, which is no year without businesses', () => {
  const none = /Our listings begin in June\s2026, so there is no earlier year to compare\./;
  const no2025 = no(/Compare years|none in|bars years|what grew most<\/a>/);
  return assertPages(aYoungFeed(), {
    '/changes': [none, no2025],
    '/?neighborhood=Old+Town': [none, no2025],
    '/?category=Restaurants': [no(none), no2025],
    'what grew most': [none, no2025],
    'how many restaurants in 2026': [none, no2025],
    '2026 vs 2025': />1,589 businesses registered [^<]*; the data starts in June\s2026, after 2025</,
  });
});
