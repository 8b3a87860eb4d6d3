/** What changed: one comparison for the sentence, the table, the link to it and the API, whatever is searched for. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { addDays } from '../../src/shared/day.ts';
import { jsonOf } from '../an-answer.ts';
import { aRow, catalogueOf, manyListings } from '../service/search/made-up.ts';
import { aDoor } from '../service/web/a-door.ts';
import { pageOf } from './a-page.ts';

const PLACES = { Harbor: [12, 10], Hill: [10, 30], Dock: [3, 9], Unknown: [20, 11] } as const;
const DAYS = { now: '2025-05-05', before: '2024-05-05' };
const rows = Object.entries(PLACES).flatMap(([neighborhood, [now, before]]) =>
  (['now', 'before'] as const).flatMap((side) =>
    Array.from({ length: side === 'now' ? now : before }, (_, i) =>
      aRow({ key: `${neighborhood}-${side}-${i}`, neighborhood, filedOn: DAYS[side], status: 'closed' }),
    ),
  ),
);
const catalogue = catalogueOf([...rows, aRow({ key: 'last', neighborhood: 'Hill', filedOn: '2025-06-30' })]);

/** The rows of the tables: name, now, before, change, share. */
function tableOf(page: string): string[][] {
  return [...page.matchAll(/<tr[^>]*><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)]
    .filter(([, , cells]) => cells!.split('<td').length === 5)
    .map(([, name, cells]) =>
      [name!, ...cells!.split('</td>').slice(0, 4)].map((one) => one.replace(/<[^>]*>/g, '')),
    );
}

test('rows are ranked by change, small numbers stand apart, and listings without a place are never called the fastest', async () => {
  const page = await pageOf('/changes', { catalogue });
  assert.deepEqual(tableOf(page), [
    ['All', '46', '60', '−14', '−23%'],
    ['Harbor', '12', '10', '+2', '+20%'],
    ['Hill', '11', '30', '−19', '−63%'],
    ['Neighborhood unknown', '20', '11', '+9', '+82%'],
    ['Dock', '3', '9', '−6', '–'],
  ]);
  assert.match(
    page,
    /<h1 [^>]*>46 new businesses, 14\sfewer than the 60 in the same period of 2024<\/h1>\s<p id="kicker">Rivermouth, January\s–\sJune 2025</,
  );
  assert.match(
    page,
    /Of the neighborhoods with at least 10 filings in both years, Harbor rose most \(from 10 to 12\) and Hill fell most \(from 30 to 11\)\./,
  );
  assert.match(
    page,
    /changes\?filed_from=2025-01-01&amp;filed_to=2025-06-30, data up to June 30, 2025\. These are registrations/,
  );
});

test('the page calls the newest thirty days incomplete if only they have far fewer filings', async () => {
  const filed = (count: number, day: string) =>
    Array.from({ length: count }, (_, i) => aRow({ key: `${day}-${i}`, filedOn: day }));
  const saysLate = async (caughtUp: number) => {
    const now = [
      ...filed(60, '2025-03-01'),
      ...filed(20, addDays('2025-06-30', -caughtUp)),
      ...filed(1, '2025-06-30'),
    ];
    const before = [...filed(60, '2024-03-01'), ...filed(30, '2024-06-20')];
    const page = await pageOf('/changes', { catalogue: catalogueOf([...now, ...before]) });
    return page.includes('The newest weeks may still be incomplete.');
  };
  assert.deepEqual([await saysLate(29), await saysLate(30)], [false, true]);
});

test('the preview of a link to a comparison names the comparison', async () => {
  const page = await pageOf('/changes?neighborhood=Harbor', { catalogue });
  assert.match(page, /<meta property="og:title" content="Harbor: [^"]* compared with [^"]*">/);
  assert.match(page, /<meta property="og:url" content="[^"]*\/changes\?neighborhood=Harbor">/);
});

test('the page leaves out days after the newest filing, and says so', async () => {
  const page = await pageOf('/changes?filed_from=2026-01-01&filed_to=2026-12-31', { catalogue });
  assert.match(
    page,
    /There is no data for 2026\. We compare January\s–\sJune 2025, the newest period with data\./,
  );
  assert.doesNotMatch(page, /id="chosen"|value="2026/);
});

test('a click on the head of a column sorts the table, and a second click reverses the order', async () => {
  const names = async (sort: string) =>
    tableOf(await pageOf(`/changes?sort=${sort}`, { catalogue }))
      .slice(1, 3)
      .map(([name]) => name);
  assert.deepEqual(await names('now'), ['Harbor', 'Hill']);
  assert.deepEqual(await names('-now'), ['Hill', 'Harbor']);
  assert.deepEqual(await names('name'), ['Harbor', 'Hill']);
  assert.deepEqual(await names('-name'), ['Hill', 'Harbor']);
  assert.match(
    await pageOf('/changes?sort=share', { catalogue }),
    /aria-sort="descending"[^>]*><a href="\/changes\?sort=-share#rows"/,
  );
});

test('the sentence of a comparison is about the chosen place, and the table covers the whole city', async () => {
  const page = await pageOf('/changes?neighborhood=Hill&by=neighborhood', { catalogue });
  assert.match(
    page,
    /<h1 [^>]*>11 new businesses, 19\sfewer than the 30 in the same period[^<]*<\/h1>\s<p id="kicker">Hill, January\s–\sJune 2025</,
  );
  const [chosen, whole, ...others] = tableOf(page);
  assert.deepEqual(chosen, ['Hill', '11', '30', '−19', '−63%']);
  const [, csv = 'Hill'] = /href="([^"]*)"[^>]*>Data</.exec(page)!;
  assert.doesNotMatch(csv, /Hill/, 'of the whole city, as the table is');
  assert.deepEqual(whole?.slice(0, 3), ['All neighborhoods', '46', '60']);
  assert.deepEqual(
    others.map(([name]) => name),
    ['Harbor', 'Neighborhood unknown', 'Dock'],
  );
  assert.match(page, /<\/svg>January\s–\sJune 2024: 30<.*<\/svg>January\s–\sJune 2025: 11</s);
  const small = await pageOf('/changes?neighborhood=Dock&by=neighborhood', { catalogue });
  assert.deepEqual(tableOf(small)[0], ['Dock', '3', '9', '−6', '–']);
  assert.match(
    await pageOf('/changes?neighborhood=Dock&category=Restaurants', { catalogue }),
    /<tr class="whole"><th scope="row">All kinds in Dock</,
  );
  assert.match(page, /<tr aria-current="true"><th scope="row"><a href="[^"]*"[^>]*><bdi>Hill</);
});

test('the table of a comparison has the same total as the API and the page of listings', async (t) => {
  const { get } = await aDoor(t, { catalogue: catalogueOf(manyListings(3000)), limits: 'off' });
  const read = async (path: string) => (await get(path)).text();
  const total = async (query: string) => (await jsonOf<{ total: number }>(get(`/api/stats?${query}`))).total;
  for (const question of [
    '',
    'q=heron',
    'category=Ristoranti',
    'status=open&neighborhood=Old+Town',
    'q=joes&status=closed',
  ])
    for (const by of ['neighborhood', 'category']) {
      const page = await read(`/changes?${question}&by=${by}`);
      const [, csv = ''] = /href="\/api\/stats\.csv\?by=\w+&amp;([^"]*)"/.exec(page) ?? [];
      if (csv === '') continue; // too few filings to compare
      const query = csv.replaceAll('&amp;', '&');
      const table = tableOf(page).map((row) =>
        row.slice(1, 3).map((cell) => Number(cell.replaceAll(',', ''))),
      );
      const [whole, ...parts] = table as [number, number][];
      assert.equal(whole![0], await total(query), `${question} ${by}`);
      for (const side of [0, 1] as const)
        assert.equal(
          parts.reduce((sum, row) => sum + row[side], 0),
          whole![side],
          `${question} ${by}`,
        );
    }
});

test('closed businesses are not compared, because newer filings had less time to close', async () => {
  const period = 'filed_from=2025-01-01&filed_to=2025-12-31';
  const status = 'status=closed&status=abandoned';
  const heading =
    /New businesses in Rivermouth, registered in 2025: 45 of 46 are marked closed or name given up</;
  const list = await pageOf(`/?${status}&${period}`, { catalogue });
  assert.match(list, heading);
  assert.match(
    list,
    /<p class="doubt"><span>The dates show when a business registered, not when it closed\.</,
  );
  assert.doesNotMatch(list, /id="chart"|compared with|id="cite"|class="changes"|year before|\/changes\?/);
  const changes = await pageOf(`/changes?${status}&${period}`, { catalogue });
  assert.match(
    changes,
    /<p class="doubt">The filings give no date for “closed or name given up”\. [^<]*<a href="\/\?status=closed&amp;status=abandoned&amp;filed_from=2025-01-01&amp;filed_to=2025-12-31" rel="nofollow">/,
  );
  assert.match(changes, heading);
  assert.deepEqual(tableOf(changes), tableOf(await pageOf(`/changes?${period}`, { catalogue })));
});

test('links between the views keep the search, and the page of listings has the same number as the table', async () => {
  const page = await pageOf('/?neighborhood=Hill', { catalogue });
  const [, href = ''] = /<a class="switch" href="([^"]*)" rel="nofollow">Compare years</.exec(page)!;
  assert.equal(href, '/changes?neighborhood=Hill');
  const counts = [];
  for (const year of [2025, 2024]) {
    const days = `filed_from=${year}-01-01&filed_to=${year}-06-30`;
    const listings = await pageOf(`/?neighborhood=Hill&${days}`, { catalogue });
    counts.push(/id="found"[^>]*>(\d+) businesses in Hill \(January/.exec(listings)![1]);
  }
  assert.deepEqual(tableOf(await pageOf(href, { catalogue }))[0]!.slice(1, 3), counts);
});

/** One listing per count, in both years. */
function aComparison(counts: Readonly<Record<string, readonly [now: number, before: number]>>) {
  return catalogueOf(
    Object.entries(counts).flatMap(([neighborhood, [now, before]]) =>
      (['now', 'before'] as const).flatMap((side) =>
        Array.from({ length: side === 'now' ? now : before }, (_, i) =>
          aRow({ key: `${neighborhood}-${side}-${i}`, neighborhood, filedOn: DAYS[side] }),
        ),
      ),
    ),
  );
}

/** The sentences to cite. */
function citeOf(page: string): string {
  const [, cite = ''] = /<h1 id="found"[^>]*>(.*?)<p class="unseen" id="source">/s.exec(page) ?? [];
  return cite
    .replace(/<div class="shown">.*<\/div>/s, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');
}

test('the map of a comparison needs two places that are not too small to compare, and its legend names those that are', async () => {
  const parts = async (counts: Parameters<typeof aComparison>[0]) => {
    const page = await pageOf('/changes', { catalogue: aComparison(counts) });
    return [page.includes('id="map"'), page.includes('>too small to compare<')];
  };
  assert.deepEqual(await parts({ Naples: [12, 10], Wrigley: [10, 14] }), [true, true]);
  assert.deepEqual(await parts({ Naples: [12, 10], Wrigley: [3, 9] }), [false, false]);
});

test('the sentence of a comparison is complete for ties, losses only, a single row and small numbers', async () => {
  const cite = async (counts: Parameters<typeof aComparison>[0]) =>
    citeOf(await pageOf('/changes', { catalogue: aComparison(counts) }));
  assert.match(
    await cite({ A: [15, 10], B: [16, 11], C: [17, 12], D: [10, 20] }),
    /58 new businesses, 5\smore than the 53 in .* 3 neighborhoods rose most \(\+5 each\) and D fell most/,
  );
  assert.match(
    await cite({ A: [15, 10], B: [16, 11], C: [10, 20] }),
    /B and A rose most \(\+5 each\) and C fell most/,
  );
  assert.match(
    await cite({ A: [10, 15], B: [11, 30] }),
    /in both years, none rose and B fell most \(from 30 to 11\)\./,
  );
  assert.match(await cite({ A: [30, 15], B: [3, 1] }), /17\smore than the 16 in [^.]* $/);
  assert.match(await cite({ A: [10, 10], B: [12, 12] }), /22 new businesses, compared with 22 in the same/);
  const few = await pageOf('/changes', { catalogue: aComparison({ A: [1, 2] }) });
  assert.match(
    citeOf(few),
    /1 new business, compared with 2 in the same period of 2024\sRivermouth, January 1 – May 5, 2025 A difference this small could be chance\. $/,
  );
  assert.match(few, /<tr class="whole"><th scope="row">All<\/th><td>1<\/td><td>2<\/td><\/tr>/);
  assert.match(
    few,
    /<caption [^>]*>[^<]*There are too few filings to compare neighborhoods: each has fewer than 10 in one of the years/,
  );
  assert.doesNotMatch(few, /sort=share|Too small to compare|>Change<|>%</);
});

test('a phone shows the first rows of a comparison, and a link to the other rows', async () => {
  const counts = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`Place ${String(i).padStart(2, '0')}`, [10 + i, 20] as const]),
  );
  const catalogue = aComparison(counts);
  const page = await pageOf('/changes', { catalogue });
  const names = tableOf(page)
    .slice(1)
    .map(([name]) => name);
  assert.deepEqual(names, Object.keys(counts).toReversed());
  const [, middle = ''] = /<tbody id="middle">(.*?)<\/tbody>/s.exec(page) ?? [];
  assert.match(page, /<tbody class="more"><tr><td colspan="5"><a\s+href="#middle">Show 10 more<\/a>/);
  assert.equal(middle.match(/<tr/g)?.length, 10);
  const small = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`Place ${i}`, [i % 5, 2] as const]));
  const few = await pageOf('/changes', { catalogue: aComparison(small) });
  assert.match(few, /too few filings to compare .*<a\s+href="#middle">Show 5 more<\/a>/s);
  const short = await pageOf('/changes', { catalogue: aComparison({ A: [10, 10], B: [11, 10] }) });
  assert.deepEqual([tableOf(short).length, short.includes('middle')], [3, false]);
});

test('one button copies the sentences and their source', async () => {
  const page = await pageOf('/changes', { catalogue });
  assert.doesNotMatch(citeOf(page), /https?:/);
  assert.match(
    page,
    /<p class="unseen" id="source">Source: .*<button [^>]*data-copy="found kicker caveat source"/s,
  );
  assert.match(page, /<caption class="note">[^<]* of each year\./);
  assert.match(page, /In the CSV file, the column “count” covers 2025, and “year_before” covers 2024\./);
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
const CLAUSE = 'not counting 30 pending, denied or withdrawn applications of any kind (4 a year before)';

test('every comparison and a caveat of the API name the filings that bias it because their status leaves them out', async (t) => {
  const door = await aDoor(t, { catalogue, leftOut, limits: 'off' });
  const read = async (path: string) => (await door.get(path)).text();
  const page = await read('/changes');
  assert.match(
    page,
    /46 new businesses, 14\sfewer than the 60 in the same period of 2024, not counting 30 pending/,
  );
  assert.equal(page.split(CLAUSE).length - 1 > 1, true, 'in what is cited and in the preview of the link');
  assert.ok((await read('/changes?neighborhood=Harbor')).includes(CLAUSE));
  assert.ok(
    (await read('/chart.svg?compare=year_before&filed_from=2025-01-01&filed_to=2025-06-30')).includes(CLAUSE),
  );
  assert.ok(
    !(await read('/changes?filed_from=2024-01-01&filed_to=2024-03-31')).includes('applications of any kind'),
  );
  assert.match(
    await read('/?q=more+in+2025+than+in+2024'),
    /14\sfewer than in January[^J]+June\s2024, not counting 30 and 4 pending, denied or withdrawn applications of any kind</,
  );
  for (const q of ['which year had the most', 'which month had the fewest', 'how many each year'])
    assert.match(
      await read(`/?q=${q.replaceAll(' ', '+')}`),
      /, not counting 39 pending, denied or withdrawn applications of any kind from the newest year of data \(4 from the year before\)</,
      q,
    );
  for (const q of ['which neighborhood has the most', 'which year before 2024 had the most'])
    assert.ok(!(await read(`/?q=${q.replaceAll(' ', '+')}`)).includes('applications of any kind'), q);
  const { caveats } = await jsonOf<{ caveats: { detail: string }[] }>(
    door.get('/api/stats?neighborhood=Hill'),
  );
  assert.deepEqual(caveats, [
    {
      code: 'recent-skips',
      detail:
        'Applications that are pending, denied or withdrawn are not counted: 30 of 2025 and 13 of 2024. Counts of the newest year are too low beside those of the year before.',
      by_year: { 2025: 30, 2024: 13 },
    },
  ]);
  const csv = await (await door.get('/api/stats.csv?filed_from=2025-06')).text();
  const table: string[][] = parse(csv, { bom: true });
  assert.deepEqual(
    table.map((row) => row.slice(2)),
    [
      ['year_before', 'through', 'caveat'],
      ...table.slice(1).map((row) => [row[2], row[3], row[2] && caveats[0]!.detail]),
    ],
  );
  assert.ok(table.some((row) => row[4]!.includes('30 of 2025')));
  const even = () => ({
    ...leftOut(),
    undecided: new Map([
      ['2025-05-06', 23],
      ['2024-05-07', 30],
    ]),
  });
  const usual = await aDoor(t, { catalogue, leftOut: even, limits: 'off' });
  assert.ok(!(await (await usual.get('/changes')).text()).includes('applications of any kind'));
  assert.ok(!(await (await usual.get('/api/stats.csv')).text()).includes('caveat'));
  assert.equal((await jsonOf<{ caveats?: unknown }>(usual.get('/api/stats'))).caveats, undefined);
});
