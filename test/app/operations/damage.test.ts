/** Damaged exports, from the file to what is served: each gets the right verdict, and none changes what is served. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Service } from '../../../src/app/operations/service.ts';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { ingested, listed } from './an-ingest.ts';

const GOOD = businesses(200);
const TEXT = csvText(GOOD);
const lines = TEXT.split('\n');
const with_ = (at: number, line: string) => lines.with(at, line).join('\n');
/** The rows of the older months first. */
const byAge = csvText(GOOD.toSorted((a, b) => (a.day! < b.day! ? -1 : 1))).split('\n');
const header = (text: string) => with_(0, text);

/** What an export can look like on a bad day, and what becomes of it. */
const CORPUS: [what: string, bytes: string | Buffer, state: 'kept' | 'held' | 'failed', detail?: RegExp][] = [
  ['empty', '', 'failed', /empty/],
  ['cut in the middle of a row', TEXT.slice(0, 3_000), 'failed', /cells, but the header has/],
  ['cut between two rows, half of it', lines.slice(0, 100).join('\n'), 'held', /fewer than 90 %/],
  ['cut between two rows, near its end', `${lines.slice(0, 195).join('\n')}\n`, 'kept'],
  ['four times as long', csvText(businesses(801)), 'held', /more than 3 times/],
  ['a quote in a bare cell', with_(50, '50,7" Pizza,Legal,Old Town,2025-01-01,'), 'kept'],
  [
    'quotes in bare cells on 5 %',
    TEXT.replaceAll(/^(\d+7,)/gm, '$1a "b" c'),
    'held',
    /^\d+ of 200 rows are damaged.*stray quote, line 18/,
  ],
  [
    'a column more in every row',
    TEXT.replaceAll(/(?<=,)\n/g, ',x\n'),
    'held',
    /200 of 200 .*ragged row, line 2/,
  ],
  ['a column renamed', header('ID,NAMES,KIND,AREA,DAY,WHAT'), 'failed', /"NAME" is missing/],
  ['control and bidi characters in names', with_(50, '50,Sh\x07\u202eop,Legal,Old Town,2025-01-01,'), 'kept'],
  ['days that do not exist, on 10 %', TEXT.replace(/2025-\d\d-\d8/g, '2025-02-31'), 'held', /damaged/],
  ['days a year ahead, on 10 %', TEXT.replace(/2025-(\d\d)-\d8/g, '2027-$1-08'), 'held', /damaged/],
  ['kind and neighborhood swapped', TEXT.replaceAll(/(Restaurants),(Old Town)/g, '$2,$1'), 'held', /./],
  ['two headers', `${lines[0]}\n${TEXT}`, 'kept'],
  ['every row twice', `${TEXT}${lines.slice(1).join('\n')}`, 'held', /200 of 400 rows .* repeat another row/],
  [
    'no names',
    TEXT.replace(/Business \d+/g, ''),
    'held',
    /no name, line 2\); 200 of 200 rows .* have nothing in the column "NAME"/,
  ],
  ['no kinds', TEXT.replaceAll('Restaurants', ''), 'held', /have nothing in the column "KIND"/],
  ['landlords where openings were', TEXT.replace(/,\n/g, ',landlord\n'), 'held', /0 of 200 rows .* openings/],
  [
    'an older copy, with 95 % of the rows',
    byAge.slice(0, 191).join('\n'),
    'held',
    /an older copy: its newest filing is of 2025-.* had .* newer ones, up to 2025-12/,
  ],
];

/** Everything that is served, without the moment it was first seen. */
const served = async (service: Service) =>
  (await listed(service)).map(({ key, name, category, neighborhood, status, filedOn }) =>
    [key, name, category, neighborhood, status, filedOn].join('|'),
  );

test(`each of ${CORPUS.length} damaged exports gets the right verdict, and a refused export changes nothing`, async () => {
  const city = aCity();
  const service = await city.open();
  await ingested(service, city.file('good.csv', TEXT));
  let before = await served(service);
  for (const [what, bytes, state, detail = /^$/] of CORPUS) {
    const run = await ingested(service, city.file('bad.csv', bytes as string));
    assert.equal(run.state, state, `${what}: ${run.detail}`);
    assert.match(run.detail ?? '', detail, what);
    const now = await served(service);
    if (state !== 'kept') assert.deepEqual(now, before, what);
    assert.ok(now.length >= 200, `${what}: nothing is ever wiped`);
    before = now;
  }
});
