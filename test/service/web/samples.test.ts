/** The samples of the reference are true: each command is run, over listings that fit, and prints what the reference says. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { SAMPLE } from '../../../src/app/web/docs.ts';
import { kindOf } from '../../../src/register/profile/categories/kind.ts';
import { openIndexBuilder } from '../../../src/service/search/index/build.ts';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { addDays } from '../../../src/shared/day.ts';
import type { Status } from '../../../src/shared/listing.ts';
import { jsonOf, textOf } from '../../an-answer.ts';
import { aSample } from '../../page/a-sample.ts';
import { aSignupServer } from '../mail/a-mailing.ts';
import { aRow } from '../search/made-up.ts';
import { aDoor, CITY, type Opened } from './a-door.ts';
import { checkSamples, listOperations } from './check-samples.ts';

const PUBLIC_URL = 'https://rivermouth.example';
/** The samples of docs/api.md, except those that show only headers. */
const DOCUMENTED = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  .matchAll(SAMPLE)
  .map(({ groups }) => groups as Record<'request' | 'status' | 'type' | 'answer', string>)
  .filter(({ request, type }) => request !== undefined && type !== undefined)
  .toArray();
const SIZE = 5188;

type Facts = { name: string; category?: string; neighborhood?: string; status?: Status; filedOn: string };

/** The listings of the samples, and others that no sample asks about. */
function listingsOfSamples(): Facts[] {
  const cafe = { category: 'Cafes & Bakeries', neighborhood: 'Old Town' };
  const restaurant = { category: 'Restaurants', neighborhood: 'Old Town' };
  const coffee = (i: number) => ({ ...cafe, name: `Coffee House ${i}`, filedOn: '2026-05-01' });
  const known: Facts[] = [
    { ...cafe, name: 'Millrace Coffee', filedOn: '2026-09-29' },
    { ...cafe, name: 'Quay Street Coffee', neighborhood: 'Harbor', filedOn: '2026-09-22' },
    ...Array.from({ length: 12 }, (_, i) => coffee(i)),
    ...Array.from(
      { length: 3 },
      (_, i): Facts => ({ ...coffee(i), status: 'closed', filedOn: '2026-04-30' }),
    ),
    { ...restaurant, name: 'The Copper Pot', filedOn: '2026-09-24' },
    ...['Blue Door Kitchen', 'Table 1', 'Table 2'].map((name) => ({
      ...{ ...restaurant, name, filedOn: '2026-09-02' },
    })),
    ...Array.from({ length: 5 }, (_, i) => ({ ...restaurant, name: `Grill ${i}`, filedOn: '2026-07-31' })),
  ];
  const others = Array.from({ length: SIZE - known.length }, (_, i) => ({
    ...{ name: `Workshop ${i}`, category: 'Auto Repair', neighborhood: 'Harbor' },
    filedOn: '2026-10-01',
  }));
  return [...known, ...others];
}

async function theSampleServer(t: TestContext): Promise<Opened> {
  const builder = openIndexBuilder({ version: 'v1', day: '2026-10-02', suppressed: [] });
  builder.add(
    listingsOfSamples().map((facts, i) => {
      const arrivedAt = `${addDays(facts.filedOn, 1)}T11:30:00.000Z`;
      return aRow({ status: 'open', ...facts, key: `K${i}`, arrivedAt, arrival: i + 1 });
    }),
  );
  const catalogue = openIndex(builder.finish(), { kindOfWord: (name) => kindOf({ name }) });
  return aSignupServer(t, { catalogue, dataAsOf: () => '2026-10-02T11:30:00.000Z' });
}

test('every command of docs/api.md, run in a shell, prints its sample', async (t) => {
  const { url } = await theSampleServer(t);
  for (const { request, status, type, answer } of DOCUMENTED) {
    const command = `${request.replace(PUBLIC_URL, url)} -s -w '\\n%{http_code} %{content_type}'`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const end = stdout.lastIndexOf('\n');
    assert.ok(stdout.slice(end + 1).startsWith(`${status} ${type}`), `${request}: ${stdout}`);
    const text = stdout.slice(0, end).replaceAll('\r\n', '\n'); // the reference has no carriage returns
    const what = `docs/api.md has another answer of ${request}`;
    if (type.endsWith('json')) assert.deepEqual(JSON.parse(text), JSON.parse(answer), what);
    else assert.equal(text.trim(), answer, what);
  }
});

test('the reference shows every sample, and headers as a client sees them', async (t) => {
  const { get } = await theSampleServer(t);
  const { headers } = await get('/api/search?q=coffee&limit=0', { method: 'HEAD' });
  const page = unescapeHtml(await textOf(get('/docs'))).replaceAll('<wbr>', '');
  const samples = (await listOperations(get)).flatMap(([, operation]) => operation['x-codeSamples'] ?? []);
  assert.deepEqual(
    samples.map(({ source }) => source).toSorted(),
    DOCUMENTED.map(({ request }) => request).toSorted(),
  );
  for (const { label, source } of samples) {
    assert.ok(page.includes(source), source);
    assert.match(page, new RegExp(`<(figcaption|summary)>${RegExp.escape(label)}</`));
  }
  assert.ok(page.includes(`RateLimit-Policy: ${headers.get('ratelimit-policy')}`));
  assert.ok(page.includes(`RateLimit: ${headers.get('ratelimit')}`));
});

function unescapeHtml(html: string): string {
  return html.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

test('every sample and example of the reference finds something in a city with other words, kinds and places', async (t) => {
  const city = {
    ...CITY,
    name: 'Upham',
    operator: { name: 'Upham Library', contact: 'listings@upham.example' },
    sources: CITY.sources.map((one) => ({ ...one, publisher: 'Upham' })),
  };
  const states = {
    'no cafes': [
      ...['Ferry & Sons', "Marlowe's Bindery", 'Marlowe Press'].map((name, i) =>
        aRow({
          name,
          key: `K${i}`,
          category: 'Bookstores',
          neighborhood: "Queen's Park / Höhe",
          filedOn: `1999-03-0${i + 1}`,
        }),
      ),
    ],
    'nothing known': [
      aRow({ name: '7 Zzz', category: 'Uncategorized', neighborhood: 'Unknown', filedOn: '2020-02-29' }),
    ],
  };
  for (const [name, rows] of Object.entries(states)) {
    const { get } = await aDoor(t, { city, rows, limits: 'off' });
    assert.equal(await checkSamples(get, name), 8);
  }
});

const sample = aSample();

test('every sample and example of the reference finds something in the sample city', async () => {
  const get = (path: string) => fetch(sample.url + path);
  assert.equal(await checkSamples(get, 'the sample'), 9);
  const { info, servers } = await jsonOf<Record<string, object>>(get('/openapi.json'));
  assert.match(JSON.stringify([info, servers]), /New businesses in Otterfall, .*"url":"http:/);
});
