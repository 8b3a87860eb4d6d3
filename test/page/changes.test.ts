/** What changed: one comparison for the sentence, the table, the link to it and the API, whatever is searched for. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { addDays } from '../../src/shared/day.ts';
import { jsonOf } from '../an-answer.ts';
import { catalogueOf, manyListings } from '../service/search/made-up.ts';
import { aDoor } from '../service/web/a-door.ts';
import { aRegister, assertPages, no, pageOf, times } from './a-page.ts';

const DAYS = { now: '2025-05-05', before: '2024-05-05' };
type Counts = Readonly<Record<string, readonly [now: number, before: number]>>;

/** So many listings of each place in both years. */
const comparisonOf = (counts: Counts) =>
  Object.entries(counts).flatMap(([neighborhood, [now, before]]) => [
    ...times(now, { neighborhood, filedOn: DAYS.now }),
    ...times(before, { neighborhood, filedOn: DAYS.before }),
  ]);
const rows = comparisonOf({ Harbor: [12, 10], Hill: [10, 30], Dock: [3, 9], Unknown: [20, 11] });
const PLACES = aRegister([
  ...rows.map((one) => ({ ...one, status: 'closed' }) as const),
  { neighborhood: 'Hill', filedOn: '2025-06-30' },
]);

/** The rows of the tables: name, now, before, change, share. */
function tableOf(page: string): string[][] {
  return [...page.matchAll(/<tr[^>]*><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)]
    .filter(([, , cells]) => cells!.split('<td').length === 5)
    .map(([, name, cells]) =>
      [name!, ...cells!.split('</td>').slice(0, 4)].map((one) => one.replace(/<[^>]*>/g, '')),
    );
}

test('rows are ranked by change, small numbers stand apart, and listings without a place are never called the fastest', async () => {
  assert.deepEqual(tableOf(await pageOf('/changes', PLACES)), [
    ['All', '46', '60', '−14', '−23%'],
    ['Harbor', '12', '10', '+2', '+20%'],
    ['Hill', '11', '30', '−19', '−63%'],
    ['Neighborhood unknown', '20', '11', '+9', '+82%'],
    ['Dock', '3', '9', '−6', '–'],
  ]);
  await assertPages(PLACES, {
    '/changes': [
      /<h1 [^>]*>46 new businesses, 14\sfewer than the 60 in the same period of 2024<\/h1>\s<p id="kicker">Rivermouth, January\s–\sJune 2025</,
      /changes\?filed_from=2025-01-01&amp;filed_to=2025-06-30, data up to June 30, 2025\. These are registrations/,
      /<caption class="note">[^<]* of each year\./,
      /In the CSV file, the column “count” covers 2025, and “year_before” covers 2024\./,
      // one button copies the sentences and their source
      /<p class="unseen" id="source">Source: .*<button [^>]*data-copy="found kicker caveat source"/s,
    ],
    // the preview of a link
    '/changes?neighborhood=Harbor': [
      /<meta property="og:title" content="Harbor: [^"]* compared with [^"]*">/,
      /<meta property="og:url" content="[^"]*\/changes\?neighborhood=Harbor">/,
    ],
    // days after the newest filing
    '/changes?filed_from=2026-01-01&filed_to=2026-12-31': [
      /There is no data for 2026\. We compare January\s–\sJune 2025, the newest period with data\./,
      no(/id="chosen"|value="2026/),
    ],
  });
  assert.doesNotMatch(citeOf(await pageOf('/changes', PLACES)), /https?:/);
});

test('the page calls the newest thirty days incomplete if only they have far fewer filings', async () => {
  const late = /The newest weeks may still be incomplete\./;
  for (const [caughtUp, said] of [
    [29, no(late)],
    [30, late],
  ] as const) {
    const filed = [
      ...times(60, { filedOn: '2025-03-01' }),
      ...times(20, { filedOn: addDays('2025-06-30', -caughtUp) }),
      ...[{ filedOn: '2025-06-30' }, ...times(60, { filedOn: '2024-03-01' })],
      ...times(30, { filedOn: '2024-06-20' }),
    ];
    await assertPages(aRegister(filed), { '/changes': said });
  }
});

test('a click on the head of a column sorts the table, and a second click reverses the order', async () => {
  for (const [sort, ...names] of [
    ['now', 'Harbor', 'Hill'],
    ['-now', 'Hill', 'Harbor'],
    ['name', 'Harbor', 'Hill'],
    ['-name', 'Hill', 'Harbor'],
  ] as const) {
    const table = tableOf(await pageOf(`/changes?sort=${sort}`, PLACES));
    assert.deepEqual([table[1]![0], table[2]![0]], names, sort);
  }
  await assertPages(PLACES, {
    '/changes?sort=share': /aria-sort="descending"[^>]*><a href="\/changes\?sort=-share#rows"/,
  });
});

test('the sentence of a comparison is about the chosen place, and the table covers the whole city', async () => {
  const page = await pageOf('/changes?neighborhood=Hill&by=neighborhood', PLACES);
  const [chosen, whole, ...others] = tableOf(page);
  assert.deepEqual(chosen, ['Hill', '11', '30', '−19', '−63%']);
  assert.deepEqual(whole?.slice(0, 3), ['All neighborhoods', '46', '60']);
  assert.deepEqual(
    others.map(([name]) => name),
    ['Harbor', 'Neighborhood unknown', 'Dock'],
  );
  await assertPages(PLACES, {
    '/changes?neighborhood=Hill&by=neighborhood': [
      /<h1 [^>]*>11 new businesses, 19\sfewer than the 30 in the same period[^<]*<\/h1>\s<p id="kicker">Hill, January\s–\sJune 2025</,
      /href="(?![^"]*Hill)[^"]*"[^>]*>Data</, // of the whole city, as the table is
      /<\/svg>January\s–\sJune 2024: 30<.*<\/svg>January\s–\sJune 2025: 11</s,
      /<tr aria-current="true"><th scope="row"><a href="[^"]*"[^>]*><bdi>Hill</,
    ],
    '/changes?neighborhood=Dock&category=Restaurants': /<tr class="whole"><th scope="row">All kinds</,
  });
  const small = await pageOf('/changes?neighborhood=Dock&by=neighborhood', PLACES);
  assert.deepEqual(tableOf(small)[0], ['Dock', '3', '9', '−6', '–']);
});

test('the table of a comparison has the same total as the API and the page of listings', async (t) => {
  const { get } = await aDoor(t, { catalogue: catalogueOf(manyListings(3000)), limits: 'off' });
  const questions = [
    'q=heron',
    'category=Ristoranti',
    'status=open&neighborhood=Old+Town',
    'q=joes&status=closed',
  ];
  for (const question of ['', ...questions])
    for (const by of ['neighborhood', 'category']) {
      const page = await (await get(`/changes?${question}&by=${by}`)).text();
      const [, csv = ''] = /href="\/api\/stats\.csv\?by=\w+&amp;([^"]*)"/.exec(page) ?? [];
      if (csv === '') continue; // too few filings to compare
      const [whole, ...parts] = tableOf(page).map(([, ...cells]) =>
        cells.slice(0, 2).map((cell) => Number(cell.replaceAll(',', ''))),
      );
      const sums = [0, 1].map((side) => parts.reduce((sum, row) => sum + row[side]!, 0));
      assert.deepEqual(sums, whole, `${question} ${by}`);
      const { total } = await jsonOf<{ total: number }>(get(`/api/stats?${csv.replaceAll('&amp;', '&')}`));
      assert.equal(whole![0], total, `${question} ${by}`);
    }
});

test('closed businesses are not compared, because newer filings had less time to close', async () => {
  const period = 'filed_from=2025-01-01&filed_to=2025-12-31';
  const closed = `status=closed&status=abandoned&${period}`;
  const heading =
    /New businesses in Rivermouth, registered in 2025: 45 of 46 are marked closed or name given up</;
  await assertPages(PLACES, {
    [`/?${closed}`]: [
      heading,
      /<p class="doubt"><span>The dates show when a business registered, not when it closed\.</,
      no(/id="chart"|compared with|id="cite"|class="changes"|year before|\/changes\?/),
    ],
    [`/changes?${closed}`]: [
      heading,
      /<p class="doubt">The filings give no date for “closed or name given up”\. [^<]*<a href="\/\?status=closed&amp;status=abandoned&amp;filed_from=2025-01-01&amp;filed_to=2025-12-31" rel="nofollow">/,
    ],
  });
  const [these, all] = [
    await pageOf(`/changes?${closed}`, PLACES),
    await pageOf(`/changes?${period}`, PLACES),
  ];
  assert.deepEqual(tableOf(these), tableOf(all));
});

test('links between the views keep the search, and the page of listings has the same number as the table', async () => {
  const [, now, before] = tableOf(await pageOf('/changes?neighborhood=Hill', PLACES))[0]!;
  const listed = (n?: string) => new RegExp(`id="found"[^>]*>${n} businesses in Hill \\(January`);
  await assertPages(PLACES, {
    '/?neighborhood=Hill':
      /<a class="switch" href="\/changes\?neighborhood=Hill" rel="nofollow">Compare years</,
    '/?neighborhood=Hill&filed_from=2025-01-01&filed_to=2025-06-30': listed(now),
    '/?neighborhood=Hill&filed_from=2024-01-01&filed_to=2024-06-30': listed(before),
  });
});

/** The sentences to cite. */
function citeOf(page: string): string {
  const [, cite = ''] = /<h1 id="found"[^>]*>(.*?)<p class="unseen" id="source">/s.exec(page) ?? [];
  return cite
    .replace(/<div class="shown">.*<\/div>/s, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');
}

test('the map of a comparison needs two places that are not too small to compare, and its legend names those that are', async () => {
  const [map, small] = [/id="map"/, />too small to compare</];
  await assertPages(aRegister(comparisonOf({ Naples: [12, 10], Wrigley: [10, 14] })), {
    '/changes': [map, small],
  });
  await assertPages(aRegister(comparisonOf({ Naples: [12, 10], Wrigley: [3, 9] })), {
    '/changes': [no(map), no(small)],
  });
});

const CITED: readonly [counts: Counts, sentence: RegExp][] = [
  [{ A: [15, 10], B: [16, 11], C: [17, 12], D: [10, 20] }, /58 new businesses, 5\smore than the 53/],
  [{ A: [30, 15], B: [3, 1] }, /17\smore than the 16 in [^.]* $/],
  [{ A: [10, 10], B: [12, 12] }, /22 new businesses, compared with 22 in the same/],
  [
    { A: [1, 2] },
    /1 new business, compared with 2 in the same period of 2024\sRivermouth, January 1 – May 5, 2025 A difference this small could be chance\. $/,
  ],
];

test('the sentence of a comparison is complete for gains, no change and small numbers', async () => {
  for (const [counts, sentence] of CITED)
    assert.match(citeOf(await pageOf('/changes', aRegister(comparisonOf(counts)))), sentence);
  await assertPages(aRegister(comparisonOf({ A: [1, 2] })), {
    '/changes': [
      /<tr class="whole"><th scope="row">All<\/th><td>1<\/td><td>2<\/td><\/tr>/,
      /<caption [^>]*>[^<]*There are too few filings to compare neighborhoods: each has fewer than 10 in one of the years/,
      no(/sort=share|Too small to compare|>Change<|>%</),
    ],
  });
});

test('a phone shows the first rows of a comparison, and a link to the other rows', async () => {
  const placesOf = (count: number, countsOf: (i: number) => readonly [number, number]) =>
    Array.from({ length: count }, (_, i) => [`Place ${String(i).padStart(2, '0')}`, countsOf(i)] as const);
  const many = placesOf(20, (i) => [10 + i, 20]);
  const page = await pageOf('/changes', aRegister(comparisonOf(Object.fromEntries(many))));
  assert.deepEqual(
    tableOf(page)
      .slice(1)
      .map(([name]) => name),
    many.toReversed().map(([name]) => name),
  );
  const [, middle = ''] = /<tbody id="middle">(.*?)<\/tbody>/s.exec(page) ?? [];
  assert.match(page, /<tbody class="more"><tr><td colspan="5"><a\s+href="#middle">Show 10 more<\/a>/);
  assert.equal(middle.match(/<tr/g)?.length, 10);
  const few = Object.fromEntries(placesOf(15, (i) => [i % 5, 2]));
  await assertPages(aRegister(comparisonOf(few)), {
    '/changes': /too few filings to compare .*<a\s+href="#middle">Show 5 more<\/a>/s,
  });
  const short = await pageOf('/changes', aRegister(comparisonOf({ A: [10, 10], B: [11, 10] })));
  assert.deepEqual([tableOf(short).length, short.includes('middle')], [3, false]);
});

/** Thirty applications of this year and four of the year before that are not decided, so that its fall is only half true. */
const leftOut = () => ({
  read: 200,
  skipped: new Map([['never opened: Pending', 34]]),
  rejected: 0,
  undecided: new Map([
    ['2025-05-06', 20],
    ['2025-06-02', 10],
    ['2024-05-07', 4],
    ['2024-12-01', 9],
  ]),
});
const OF_ANY_KIND = /applications of any kind/;

test('every comparison and a caveat of the API name the filings that bias it because their status leaves them out', async (t) => {
  const given = { ...PLACES, leftOut, limits: 'off' } as const;
  const clause = /not counting 30 pending, denied or withdrawn applications of any kind \(4 a year before\)/;
  const newest =
    /, not counting 39 pending, denied or withdrawn applications of any kind from the newest year of data \(4 from the year before\)</;
  await assertPages(given, {
    '/changes': [
      /46 new businesses, 14\sfewer than the 60 in the same period of 2024, not counting 30 pending/,
      new RegExp(`${clause.source}.*${clause.source}`, 's'), // in what is cited and in the preview of the link
    ],
    '/changes?neighborhood=Harbor': clause,
    '/chart.svg?compare=year_before&filed_from=2025-01-01&filed_to=2025-06-30': clause,
    '/changes?filed_from=2024-01-01&filed_to=2024-03-31': no(OF_ANY_KIND),
    'more in 2025 than in 2024':
      /14\sfewer than in January[^J]+June\s2024, not counting 30 and 4 pending, denied or withdrawn applications of any kind</,
    'which year had the most': newest,
    'which month had the fewest': newest,
    'how many each year': newest,
    'which neighborhood has the most': no(OF_ANY_KIND),
    'which year before 2024 had the most': no(OF_ANY_KIND),
  });
  const door = await aDoor(t, given);
  type Caveats = { caveats?: { detail: string }[] };
  const { caveats } = await jsonOf<Caveats>(door.get('/api/stats?neighborhood=Hill'));
  const detail =
    'Applications that are pending, denied or withdrawn are not counted: 30 of 2025 and 13 of 2024. Counts of the newest year are too low beside those of the year before.';
  assert.deepEqual(caveats, [{ code: 'recent-skips', detail, by_year: { 2025: 30, 2024: 13 } }]);
  const csv = await (await door.get('/api/stats.csv?filed_from=2025-06')).text();
  const [head, ...table]: string[][] = parse(csv, { bom: true });
  assert.deepEqual(head!.slice(2), ['year_before', 'through', 'caveat']);
  for (const row of table) assert.equal(row[4], row[2] && detail);
  assert.ok(table.some((row) => row[4]!.includes('30 of 2025')));
  const undecided = new Map([
    ['2025-05-06', 23],
    ['2024-05-07', 30],
  ]);
  const even = { ...given, leftOut: () => ({ ...leftOut(), undecided }) };
  await assertPages(even, { '/changes': no(OF_ANY_KIND), '/api/stats.csv': no(/caveat/) });
  const usual = await aDoor(t, even);
  assert.equal((await jsonOf<Caveats>(usual.get('/api/stats'))).caveats, undefined);
});
