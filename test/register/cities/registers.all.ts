/** Three real registers through their profiles: how many people, dropped trade names and renewals there are. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readCsv } from '../../../src/register/formats/csv.ts';
import { readExcel } from '../../../src/register/formats/excel.ts';
import type { OpeningFacts, Row, Source } from '../../../src/register/profile/define.ts';
import { loadCity } from '../../../src/register/profile/load.ts';
import { isOwnersName } from '../../../src/register/profile/people/owners.ts';
import { looksPersonal } from '../../../src/register/profile/people/personal-names.ts';
import { realData } from '../../real-data.ts';

type Judged = { row: Row; verdict: ReturnType<Source['verdict']> };
type Listed = { row: Row; facts: OpeningFacts };

const NEWEST = 500;
const MOST_RENEWALS = 10;
const MOST_PEOPLE = 0.01;
const MOST_DROPPED = 0.02;

async function judgeFile(slug: string, path: string): Promise<Judged[]> {
  const { city } = await loadCity(slug);
  const { columns, optional = [], aliases, from, verdict } = city.sources[0]!;
  const spec = { columns, optional, aliases };
  const batches =
    from.format === 'excel'
      ? readExcel(path, from, spec)
      : readCsv(path, from as Extract<typeof from, { format: 'csv' }>, spec);
  const judged: Judged[] = [];
  const today = city.asOf ?? '2026-09-30';
  for await (const batch of batches)
    for (const read of batch)
      if ('row' in read) judged.push({ row: read.row, verdict: verdict(read.row, { today }) });
  return judged;
}

/** Listings as the first opening of their key makes them, the newest first. */
function listingsOf(judged: readonly Judged[]): Listed[] {
  const listings = new Map<string, Listed>();
  for (const { row, verdict } of judged) {
    if (verdict.kind !== 'opening') continue;
    const before = listings.get(verdict.facts.key);
    if (before === undefined || verdict.facts.filedOn < before.facts.filedOn)
      listings.set(verdict.facts.key, { row, facts: verdict.facts });
  }
  return [...listings.values()].sort((a, b) => (a.facts.filedOn < b.facts.filedOn ? 1 : -1));
}

/** Of the newest, how many have the name and the house number of an older one. */
function countRenewals(listings: readonly Listed[], houseOf: (row: Row) => string): number {
  const place = ({ row, facts }: Listed) =>
    `${facts.name.toLowerCase().replace(/[\W_]|\b(?:ltd|inc|llc)\b/g, '')} ${/^\S*/.exec(houseOf(row))?.[0]}`;
  const first = new Map<string, string>();
  for (const one of listings.toReversed()) first.set(place(one), first.get(place(one)) ?? one.facts.filedOn);
  return listings.slice(0, NEWEST).filter((one) => first.get(place(one))! < one.facts.filedOn).length;
}

function shareOf<T>(all: readonly T[], is: (one: T) => boolean): number {
  assert.ok(all.length > 500, `${all.length} are too few`);
  return all.filter(is).length / all.length;
}

function reasonsOf(judged: readonly Judged[]): Record<string, number> {
  const reasons: Record<string, number> = {};
  for (const { verdict } of judged) {
    const is = verdict.kind === 'skip' || verdict.kind === 'reject' ? verdict.reason : verdict.kind;
    reasons[is] = (reasons[is] ?? 0) + 1;
  }
  return reasons;
}

const isDropped = ({ verdict }: Judged) => verdict.kind === 'skip' && verdict.reason === 'personal name';
const looksStrictly = ({ facts }: Listed) => looksPersonal(facts.name, { isStrict: true });

/** Renewals among the newest, and the shares of people among the listings and of trade names that are dropped. */
function assertWithin(
  t: TestContext,
  counts: Record<'listings' | 'renewals' | 'people' | 'dropped', number>,
): void {
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts.renewals <= MOST_RENEWALS);
  assert.ok(counts.people <= MOST_PEOPLE);
  assert.ok(counts.dropped <= MOST_DROPPED);
}

const slo = realData('san-luis-obispo/raw_data.xlsx');
test('San Luis Obispo: people, trade names and renewals within limits', { skip: slo.skip }, async (t) => {
  const judged = await judgeFile('san-luis-obispo', slo.path);
  const reasons = reasonsOf(judged);
  assert.equal(judged.length, 23_765);
  assert.ok(reasons['outside the city']! > 7_000 && reasons.landlord! > 5_500);
  assert.ok(reasons['closes before it starts']! > 0 && reasons['closes before it starts']! < 60);
  const listings = listingsOf(judged);
  const renewals = countRenewals(listings, (row) => row['Bus address']!);
  const isTheirs = ({ row, facts }: Listed) =>
    looksStrictly({ row, facts }) || isOwnersName(facts.name, row['Owner Name 1']!);
  // companies own shops of their own name: `Fenwright, Odile` is a person's
  const byPeople = listings.filter(({ row }) => /^[^,]+, [A-Z][a-z]+(?: [A-Z])?$/.test(row['Owner Name 1']!));
  const people = byPeople.filter(isTheirs).length / listings.length;
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  const traded = judged.filter(
    ({ row, verdict }) =>
      (verdict.kind === 'opening' || isDropped({ row, verdict })) &&
      !wordsOf(row.DBA!).some((word) => wordsOf(row['Owner Name 1']!).includes(word)),
  );
  const dropped = shareOf(traded, isDropped);
  assertWithin(t, { listings: listings.length, renewals, people, dropped });
});

const vancouver = realData('vancouver/business-licences.csv');
test('Vancouver: people, trade names and renewals within limits', { skip: vancouver.skip }, async (t) => {
  const judged = await judgeFile('vancouver', vancouver.path);
  assert.equal(judged.length, 3_385);
  assert.equal(reasonsOf(judged).reject, undefined);
  const listings = listingsOf(judged);
  const openings = judged.filter(({ verdict }) => verdict.kind === 'opening');
  assert.ok(listings.length < openings.length * 0.6, 'the years of a shop fold');
  assert.deepEqual([...new Set(listings.map(({ facts }) => facts.category))], ['Restaurants']);
  assert.equal(new Set(listings.map(({ facts }) => facts.neighborhood)).size, 22);
  const renewals = countRenewals(listings, (row) => row.House!);
  const people = shareOf(listings, (one) => one.row.BusinessTradeName === '' && looksStrictly(one));
  const traded = judged.filter(({ row }) => row.BusinessTradeName !== '');
  const dropped = shareOf(traded, isDropped);
  assertWithin(t, { listings: listings.length, renewals, people, dropped });
});

const littleRock = realData('little-rock/business_licenses.csv');
test('Little Rock: people, trade names and renewals within limits', { skip: littleRock.skip }, async (t) => {
  const judged = await judgeFile('little-rock', littleRock.path);
  const reasons = reasonsOf(judged);
  assert.equal(judged.length, 14_573);
  assert.equal(reasons['no account start date'], undefined);
  assert.ok(reasons['start date not known (1/1/87)']! > 900);
  const listings = listingsOf(judged);
  const days = listings.map(({ facts }) => facts.filedOn);
  assert.deepEqual([days.at(-1)! > '1987-01-01', days[0]], [true, '2021-04-26']);
  assert.ok(!listings.some(({ row }) => row.Category === 'PERMITS'));
  const renewals = countRenewals(listings, (row) => row.Address!);
  const people = shareOf(listings, looksStrictly);
  const shops = judged.filter(({ row }) => /^(?:FOOD - DRINK|LODGING|AUTOMOBILE)/.test(row.Category!));
  const dropped = shareOf(shops, isDropped);
  assertWithin(t, { listings: listings.length, renewals, people, dropped });
});
