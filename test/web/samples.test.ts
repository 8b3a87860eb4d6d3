/** The samples of the reference are true: each command is run, over listings that fit, and prints what the reference says. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { kindOf } from '../../src/city/categories/kind.ts';
import { addDays } from '../../src/listings/day.ts';
import type { Status } from '../../src/listings/listing.ts';
import { openIndexBuilder } from '../../src/search/index/build.ts';
import { openIndex } from '../../src/search/index/open.ts';
import { aSignupServer } from '../mail/a-mailing.ts';
import { aRow } from '../search/made-up.ts';
import type { Opened } from './a-door.ts';

const PUBLIC_URL = 'https://rivermouth.example';
/** The commands in docs/api.md, except those that show only headers. A command that is not found is not run. */
const SAMPLES = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8').match(
  /^curl '/gm,
)!.length;
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

test('every command of the document, run in a shell, prints its sample', async (t) => {
  const { url, get } = await theSampleServer(t);
  let seen = 0;
  for (const { responses, 'x-codeSamples': commands = [] } of await listOperations(get))
    for (const { label, source } of commands) {
      const [[status, type, answer] = []] = listExamples(responses, label);
      const command = `${source.replace(PUBLIC_URL, url)} -s -w '\\n%{http_code} %{content_type}'`;
      const { stdout } = await promisify(execFile)('sh', ['-c', command]);
      const end = stdout.lastIndexOf('\n');
      assert.ok(stdout.slice(end + 1).startsWith(`${status} ${type}`), `${source}: ${stdout}`);
      const text = stdout.slice(0, end).replaceAll('\r\n', '\n'); // the reference has no carriage returns
      assert.deepEqual(typeof answer === 'string' ? text.trim() : JSON.parse(text), answer, source);
      seen++;
    }
  assert.equal(seen, SAMPLES);
});

type Operation = {
  responses: Record<string, { content?: Record<string, { examples?: Record<string, Example> }> }>;
  'x-codeSamples'?: { label: string; source: string }[];
};
type Example = { summary: string; value: unknown };

async function listOperations(get: Opened['get']): Promise<Operation[]> {
  const { paths } = (await (await get('/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** The answers with a label, each with its status and content type. */
function listExamples(responses: Operation['responses'], label: string): [string, string, unknown][] {
  return Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([type, { examples = {} }]) =>
      Object.values(examples)
        .filter(({ summary }) => summary === label)
        .map(({ value }): [string, string, unknown] => [status, type, value]),
    ),
  );
}

test('the reference shows every sample, and the headers that a client sees', async (t) => {
  const { get } = await theSampleServer(t);
  const { headers } = await get('/api/search?q=coffee&limit=0', { method: 'HEAD' });
  const page = unescapeHtml(await (await get('/docs')).text()).replaceAll('<wbr>', '');
  const samples = (await listOperations(get)).flatMap((operation) => operation['x-codeSamples'] ?? []);
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
