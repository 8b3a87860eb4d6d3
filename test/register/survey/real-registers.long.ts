/** Drafts of real registers that have no profile, unedited, where those are at hand. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesOnlyOwner } from '../../../src/register/profile/city.ts';
import { describeColumns } from '../../../src/register/survey/columns.ts';
import { isDayColumn, readDayColumns, relateColumns } from '../../../src/register/survey/day-columns.ts';
import { findRenewalSigns, listUnknownDays } from '../../../src/register/survey/day-evidence.ts';
import { readTable } from '../../../src/register/survey/read-table.ts';
import { textAt } from '../../../src/register/survey/table.ts';
import { lastJson } from '../../a-process.ts';
import { realData } from '../../real-data.ts';
import { type Drafted, folder, init, judgeBy, type Records } from './a-register.ts';

const READ = { tempFolder: folder, userAgent: 'test', timeZone: 'Etc/UTC', progress: () => undefined };

/** The tables that were read: each takes seconds. */
const tables = new Map<string, ReturnType<typeof readTable>>();
const tableAt = async (path: string) =>
  (await tables.getOrInsertComputed(path, () => readTable(path, READ))).table;

async function draftReal(place: string): Promise<{ drafted: Drafted; records: Records }> {
  const made = await init(place, '--json');
  assert.equal(made.code, 0, made.err);
  const table = await tableAt(place);
  const records = Array.from({ length: table.rows }, (_, row) =>
    Object.fromEntries(table.columns.map((column) => [column.name, textAt(column, row)])),
  );
  const { state, detail } = lastJson(made).runs[0]!;
  return {
    drafted: { state: String(state), detail: String(detail ?? ''), ...(await judgeBy(made.path, records)) },
    records,
  };
}

/** The records that opened something, with the key, the newest first, one for each key. */
function newestOf({ judgements }: Drafted, records: Records) {
  const first = new Map<string, { filedOn: string; record: Records[number] }>();
  for (const [i, judgement] of judgements.entries()) {
    if (judgement.kind !== 'opening') continue;
    const before = first.get(judgement.key);
    if (before === undefined || judgement.filedOn < before.filedOn)
      first.set(judgement.key, { filedOn: judgement.filedOn, record: records[i]! });
  }
  return [...first.values()].sort((a, b) => (a.filedOn < b.filedOn ? 1 : -1));
}

const vancouver = realData('vancouver/business-licences.csv');
test('Vancouver: a restaurant with licenses of two years is one listing', {
  skip: vancouver.skip,
}, async (t) => {
  const { drafted, records } = await draftReal(vancouver.path);
  assert.notEqual(drafted.state, 'failed');
  const words = (text: string): string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  const nameIn = (record: Records[number]) => record.BusinessTradeName || record.BusinessName!;
  const houses = Map.groupBy(records, (record) => `${record.House} ${record.Street} ${record.BusinessName}`);
  const renewals = newestOf(drafted, records)
    .slice(0, 500)
    .filter(({ record }) =>
      houses
        .get(`${record.House} ${record.Street} ${record.BusinessName}`)!
        .some(
          (other) =>
            other.FOLDERYEAR! < record.FOLDERYEAR! &&
            words(nameIn(other)).some((word) => words(nameIn(record)).includes(word)),
        ),
    ).length;
  t.diagnostic(`${drafted.listings.length} listings, ${renewals} renewals among the newest 500`);
  assert.ok(renewals <= 10, `${renewals} renewals`);
  assert.ok(drafted.listings.length < 1_900, `${drafted.listings.length} listings`);
  assert.ok(drafted.listings.every(({ category }) => category === 'Restaurants'));
  const people = drafted.judgements.filter((one) => one.kind === 'skip' && one.reason === 'personal name');
  assert.ok(people.length <= 0.02 * records.length);
});

const obispo = realData('san-luis-obispo/raw_data.xlsx');
test('San Luis Obispo: people and other towns are left out, not businesses', {
  skip: obispo.skip,
}, async (t) => {
  const { drafted, records } = await draftReal(obispo.path);
  assert.equal(drafted.state, 'kept');
  const newest = newestOf(drafted, records).slice(0, 500);
  const people = newest.filter(({ record }) => namesOnlyOwner(record.DBA!, record['Owner Name 1']!)).length;
  const elsewhere = newest.filter(({ record }) => !/^$|^sa?n lu/i.test(record['Bus City, State']!)).length;
  t.diagnostic(
    `${drafted.listings.length} listings, of the newest 500 ${people} people, ${elsewhere} elsewhere`,
  );
  assert.deepEqual([people, elsewhere], [0, 0]);
  assert.ok(drafted.listings.length > 9_000 && drafted.listings.length < 9_300, `${drafted.listings.length}`);
});

const rock = realData('little-rock/business_licenses.csv');
test('Little Rock: two-digit years, unknown days and other towns are read', { skip: rock.skip }, async () => {
  const { drafted, records } = await draftReal(rock.path);
  assert.equal(drafted.state, 'kept');
  assert.match(drafted.text, /unknown: \[ 1987-01-01 \]/);
  assert.match(drafted.text, /^timeZone: America\/Chicago$/m);
  assert.ok(newestOf(drafted, records).every(({ record }) => /^(?:little rock)?$/i.test(record.City!)));
  const years = drafted.listings.map(({ filedOn }) => filedOn.slice(0, 4)).sort();
  assert.deepEqual([years[0]! >= '1987', years.at(-1)], [true, '2021']);
});

/** Columns of real registers: whether their days show renewals, and what those of another column are to them. */
const DAYS = {
  'unseen-2/detroit-restaurants.csv': { Most_Recent_License_Date: true },
  'scottsdale/business_licenses.csv': { IssuedDate: true },
  'vancouver/business-licences.csv': { IssuedDate: true },
  'chicago/business-licenses-sample.csv': { 'LICENSE TERM START DATE': true, 'DATE ISSUED': false },
  'unseen-2/nashville-beer.csv': { 'Date Issued': false, 'Date Entered': false },
  'unseen-2/wake-restaurants.csv': { RESTAURANTOPENDATE: false },
  'seattle/business_licenses.csv': { license_start_date: false },
  'little-rock/business_licenses.csv': { 'ACCOUNT START DATE': false },
  'long-beach/business_licenses.csv': { LICENSEDTTM: false },
  'san-luis-obispo/raw_data.xlsx': { 'Start date': false },
  'pasco-county/daily': { filing_date: false },
} as const;
const RELATED = [
  ['unseen-2/nashville-beer.csv', 'Date Entered', 'Date Issued', 'application', 44],
  ['chicago/business-licenses-sample.csv', 'APPLICATION CREATED DATE', 'DATE ISSUED', 'application', 27],
  ['unseen-2/ja-matsuyama.csv', 'initial_permit_date', 'permit_date', 'first', 1778],
] as const;

async function daysOf(path: string) {
  const columns = readDayColumns(describeColumns(await tableAt(path)), '2026-11-29').filter(isDayColumn);
  return (name: string) => columns.find((column) => column.name === name)!;
}

for (const [file, expected] of Object.entries(DAYS)) {
  const register = realData(file);
  test(`${file}: the days show whether they are renewals`, { skip: register.skip }, async () => {
    const columnOf = await daysOf(register.path);
    const shown = Object.keys(expected).map((name) => {
      const unknown = listUnknownDays(columnOf(name)).map(([day]) => day);
      const days = columnOf(name).days.filter(([day]) => !unknown.includes(day));
      return [name, findRenewalSigns(days).length > 0];
    });
    assert.deepEqual(Object.fromEntries(shown), expected);
  });
}

for (const [file, other, filed, kind, median] of RELATED) {
  const register = realData(file);
  test(`${file}: the days of ${other} show their relation to ${filed}`, { skip: register.skip }, async () => {
    const columnOf = await daysOf(register.path);
    const relation = relateColumns(columnOf(other), columnOf(filed));
    assert.deepEqual([relation.kind, relation.median], [kind, median]);
  });
}
