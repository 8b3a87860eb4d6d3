/** `correct` and `suppress`, as an operator uses them while the service runs: the page about it says what is true. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity } from '../../a-city.ts';
import { commandsOf } from '../../a-command.ts';
import { lastJson, running } from '../../a-process.ts';
import { blockWith, instead } from '../../blocks.ts';
import { until } from '../../until.ts';

const PAGE = 'docs/privacy.md';
type Found = { total: number; listings: Record<string, string>[] };

const FILED = [
  { id: '1', name: "Joe's Cafe", kind: 'Dental' },
  { id: '2', name: 'JOES CAFE', kind: 'Dental', area: 'Harbor' },
  { id: '3', name: 'Heron Books', kind: 'Specialty Retail' },
];

/** The command of the page with this in it, about the cafe. */
function documented(piece: string): string[] {
  const line = instead(blockWith(PAGE, piece), { 'npx shingle ': '', 'THE NAME AS FILED': "Joe's Cafe" });
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

async function aCityWithCafes() {
  const city = aCity();
  await city.ingest(FILED);
  return { city, shingle: commandsOf(city) };
}

test('a correction is served at once and after the next import, until it is removed', async () => {
  const { city, shingle } = await aCityWithCafes();
  const service = await running(['serve'], city.env);
  const search = async (query: string) => {
    const answer = await fetch(`${service.url}/api/search?${query}`);
    return answer.ok ? ((await answer.json()) as Found) : { total: 0, listings: [] };
  };
  const shows = (...wanted: string[]) =>
    until(async () => {
      const { listings } = await search('q=cafe');
      const found = listings.map((one) => `${one.name}, ${one.category}, ${one.neighborhood}, ${one.status}`);
      return found.toSorted().join() === wanted.join();
    }, wanted.join());
  const filed = ['JOES CAFE, Dental, Harbor, open', "Joe's Cafe, Dental, Old Town, open"];
  const right = ['Harbor', 'Old Town'].map((area) => `Joe’s Café, Restaurants, ${area}, closed`);
  const said = async (...args: string[]) => (await shingle(...args)).out;
  await shows(...filed);
  assert.match(
    await said(...documented('shingle correct')),
    /^corrected: Joe's Cafe: Joe’s Café, Restaurants, closed\n2 listings have this name or key now\.\n/,
  );
  await shows(...right);
  assert.match(await said('suppress', 'add', 'JOES cafe'), /^no longer served: JOES cafe\n2 listings /);
  await shows(); // by the name as filed
  assert.equal(await said('suppress', 'remove', 'JOES cafe'), 'served again: JOES cafe\n');
  await shows(...right);
  await city.ingest([...FILED, { id: '4', name: 'Grey Owl', kind: 'Dental' }]);
  await until(async () => (await search('limit=0')).total === 4, 'the import');
  await shows(...right);
  const listed = lastJson(await shingle('correct', 'list', '--json'));
  const [{ added_at: at, ...only } = {}, ...others] = listed.corrections as Record<string, unknown>[];
  assert.deepEqual([typeof at, others], ['string', []]);
  const facts = { name: 'Joe’s Café', category: 'Restaurants', neighborhood: null, status: 'closed' };
  assert.deepEqual(only, { value: "Joe's Cafe", ...facts, reason: 'the owner called' });
  assert.match(
    await said('correct', 'list'),
    /Joe's Cafe: Joe’s Café, Restaurants, closed {2}\(the owner called\)/,
  );
  assert.equal(await said('correct', 'remove', " Joe's Cafe "), "served as it was filed: Joe's Cafe\n");
  await shows(...filed);
  assert.equal(await said('correct', 'list'), 'nothing is corrected\n');
  assert.equal(await service.stop(), 0);
});

test('a correction with an unknown value is refused, with the nearest valid value', async () => {
  const { shingle } = await aCityWithCafes();
  for (const [args, said] of [
    [['Heron Books', '--category', 'Restarants'], /is not a category\. Did you mean "Restaurants"\?/],
    [['Heron Books', '--neighborhood', 'Harbour'], /is not a neighborhood\. Did you mean "Harbor"\?/],
    [['Heron Books', '--status', 'shut'], /"shut" is not a status/],
    [['Heron Books', '--name', ' - '], /a name has letters or digits, and at most 300 characters/],
    [['Heron Books'], /say what is right/],
    [[], /give the name or key of a listing/],
    [[' \u202e', '--status', 'open'], /give the name or key of a listing/],
    [['x'.repeat(301), '--status', 'open'], /at most 300 characters/],
    [['Alder', '--status', 'open', '--reason', 'x'.repeat(1001)], /a reason has at most 1000 characters/],
  ] as const) {
    const { code, err } = await shingle('correct', ...args);
    assert.equal(code, 2, args.join(' '));
    assert.match(err, said);
  }
  assert.equal((await shingle('correct', 'list')).out, 'nothing is corrected\n');
  const missing = await shingle('correct', 'remove', 'Heron Books');
  assert.deepEqual([missing.code, /"Heron Books" is not in the list/.test(missing.err)], [1, true]);
  const json = lastJson(await shingle('correct', 'heron book', '--neighborhood', 'harbor', '--json'));
  const said = { name: null, category: null, neighborhood: 'Harbor', status: null };
  assert.deepEqual(json, { value: 'heron book', ...said, matches: 0, near: ['Heron Books'] });
});

test('suppress --dry-run lists the listings it would hide, and stores nothing', async () => {
  const { shingle } = await aCityWithCafes();
  const { code, out } = await shingle(...documented('--dry-run'));
  assert.equal(code, 0);
  assert.match(
    out,
    /^nothing was stored\n2 listings have this name or key and would not be served any more\.\n/,
  );
  const json = lastJson(await shingle('suppress', 'add', 'Heron Books', '--dry-run', '--json'));
  assert.deepEqual(json, { value: 'Heron Books', dry_run: true, added: false, matches: 1, near: [] });
  assert.equal((await shingle('suppress', 'list')).out, 'nothing is suppressed\n');
});
