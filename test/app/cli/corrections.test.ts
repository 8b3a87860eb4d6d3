/** `correct` and `suppress`, as an operator uses them while the service runs: the page about it says what is true. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { lastJson, type Running, running } from '../../a-process.ts';
import { blockWith, instead } from '../../blocks.ts';
import { until } from '../../until.ts';

const PAGE = 'docs/privacy.md';
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

async function aCityWith(rows: typeof FILED) {
  const city = aCity();
  const shingle = (...args: string[]) => command(args, city.env);
  await shingle('ingest', '--from', city.csv(rows));
  return { city, shingle };
}

const listingsOf = async ({ url }: Running) => {
  const answer = await fetch(`${url}/api/search?q=cafe`);
  if (!answer.ok) return undefined;
  const { listings } = (await answer.json()) as { listings: Record<string, string>[] };
  return listings
    .map(({ name, category, neighborhood, status }) => `${name}, ${category}, ${neighborhood}, ${status}`)
    .toSorted();
};

test('a correction is served at once and after the next import, until it is removed', async () => {
  const { city, shingle } = await aCityWith(FILED);
  const service = await running(['serve'], city.env);
  const filed = ['JOES CAFE, Dental, Harbor, open', "Joe's Cafe, Dental, Old Town, open"];
  const right = ['Harbor', 'Old Town'].map((area) => `Joe’s Café, Restaurants, ${area}, closed`);
  const shows = (wanted: string[]) =>
    until(async () => (await listingsOf(service))?.join() === wanted.join(), wanted.join());
  await shows(filed);
  const { code, out, err } = await shingle(...documented('shingle correct'));
  assert.equal(code, 0, err);
  assert.match(
    out,
    /^corrected: Joe's Cafe: Joe’s Café, Restaurants, closed\n2 listings have this name or key now\.\n/,
  );
  await shows(right);
  assert.match(
    (await shingle('suppress', 'add', 'JOES cafe')).out,
    /^no longer served: JOES cafe\n2 listings /,
  );
  await shows([]); // by the name as filed
  assert.equal((await shingle('suppress', 'remove', 'JOES cafe')).out, 'served again: JOES cafe\n');
  await shows(right);
  await shingle('ingest', '--from', city.csv([...FILED, { id: '4', name: 'Grey Owl', kind: 'Dental' }]));
  await until(async () => {
    const { total } = (await (await fetch(`${service.url}/api/search?limit=0`)).json()) as { total: number };
    return total === 4;
  }, 'the import');
  await shows(right);
  const { corrections } = lastJson(await shingle('correct', 'list', '--json')) as unknown as {
    corrections: Record<string, unknown>[];
  };
  const [{ added_at: at, ...only } = {}] = corrections;
  assert.deepEqual([corrections.length, typeof at], [1, 'string']);
  const said = { name: 'Joe’s Café', category: 'Restaurants', neighborhood: null, status: 'closed' };
  assert.deepEqual(only, { value: "Joe's Cafe", ...said, reason: 'the owner called' });
  assert.match(
    (await shingle('correct', 'list')).out,
    /Joe's Cafe: Joe’s Café, Restaurants, closed {2}\(the owner called\)/,
  );
  assert.equal(
    (await shingle('correct', 'remove', " Joe's Cafe ")).out,
    "served as it was filed: Joe's Cafe\n",
  );
  await shows(filed);
  assert.equal((await shingle('correct', 'list')).out, 'nothing is corrected\n');
  assert.equal(await service.stop(), 0);
});

test('a correction with an unknown value is refused, with the nearest valid value', async () => {
  const { shingle } = await aCityWith(FILED);
  for (const [args, said] of [
    [
      ['Heron Books', '--category', 'Restarants'],
      /"Restarants" is not a category\. Did you mean "Restaurants"\?/,
    ],
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
  const { shingle } = await aCityWith(FILED);
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
