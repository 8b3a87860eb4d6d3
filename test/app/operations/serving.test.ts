/** A running service: changes by other commands are served at once, accepted requests are finished, and hidden data stays hidden. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveCity } from '../../../src/app/operations/serving.ts';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { freePort } from '../../a-port.ts';
import { running } from '../../a-process.ts';
import { postSignup } from '../../a-signup.ts';
import { resultOf, textOf, toolCall } from '../../an-answer.ts';
import { parsed } from '../../service/mail/a-mail-server.ts';
import { until } from '../../until.ts';

type Found = { total: number; listings: { name: string }[]; data_as_of: string };

async function ask(url: string, path: string): Promise<{ status: number; body: Found; text: string }> {
  const answer = await fetch(`${url}${path}`);
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) as Found };
}

function totalOf(url: string, wanted: number): () => Promise<Found | undefined> {
  return async () => {
    const { status, body } = await ask(url, '/api/search?limit=1');
    return status === 200 && body.total === wanted ? body : undefined;
  };
}

test('the service listens before the first run, and serves the changes of other commands without a restart', async () => {
  const city = aCity();
  const env = city.env;
  const service = await running(['serve'], env);
  const landlords = Array.from({ length: 12 }, (_, i) => ({ id: `L${i}`, what: 'landlord' }));
  const filed = (count: number) => csvText([...businesses(count), ...landlords]);

  const health = await fetch(`${service.url}/api/health`);
  assert.equal(health.status, 503);
  assert.deepEqual(Object.values((await health.json()) as object).slice(0, 3), ['fail', 0, null]);
  const early = await fetch(`${service.url}/api/search`);
  assert.equal(early.status, 503);
  assert.ok(early.headers.get('retry-after'));
  assert.match(((await early.json()) as { type: string }).type, /not-ready$/);

  await command(['ingest', '--from', city.file('a.csv', filed(30))], env);
  await until(totalOf(service.url, 30), 'the first run');
  await command(['ingest', '--from', city.file('b.csv', filed(33))], env);
  await until(totalOf(service.url, 33), 'the second run');

  await command(['suppress', 'add', 'BUSINESS  33!', '--reason', 'asked to be removed'], env);
  await until(totalOf(service.url, 32), 'the suppression');
  assert.equal((await ask(service.url, '/api/search?q=33')).body.total, 0);
  await command(['ingest', '--from', city.file('c.csv', filed(34))], env);
  await until(totalOf(service.url, 33), 'the third run, still without the suppressed one');
  await command(['suppress', 'remove', 'BUSINESS  33!'], env);
  await until(totalOf(service.url, 34), 'the suppressed one again');
  const page = await textOf(fetch(`${service.url}/about`));
  assert.match(page, /We leave out 12 of the 46 rows of the register\..*>landlord<\/th><td>−12</s);

  assert.equal(await service.stop(), 0);
});

test('HOST=localhost listens on one address, even if the name has several', async () => {
  const city = aCity();
  const hook = `import dns from 'node:dns'; const { lookup } = dns;
    const both = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    dns.lookup = (name, options, then) =>
      name === 'localhost' && options?.all ? then(null, [...both]) : lookup(name, options, then);`;
  const service = await running(['serve'], {
    ...{ ...city.env, HOST: 'localhost' },
    NODE_OPTIONS: `--import=data:text/javascript;base64,${btoa(hook)}`,
  });
  const { port } = new URL(service.url);
  assert.equal((await fetch(`${service.url}/robots.txt`)).status, 200);
  await assert.rejects(fetch(`http://127.0.0.2:${port}/robots.txt`));
  assert.equal(await service.stop(), 0);
});

test('start imports, serves and makes backups by itself', async () => {
  const city = aCity();
  city.file('filings.csv', csvText(businesses(60)));
  city.change('from: csv()', "from: csv({ file: 'filings.csv' })");
  const env = city.env;
  const backups = join(city.config.dataFolder, 'backups');
  await command(['runs'], env);
  mkdirSync(backups);
  const half = join(backups, 'shingle-2026-01-05.db.part-999999999'); // of a process that was killed
  writeFileSync(half, '');
  const service = await running(['start'], env);
  await until(totalOf(service.url, 60), 'its own ingest');
  await until(
    () => readdirSync(backups, { encoding: 'utf8' }).find((name) => name.endsWith('.db')),
    'a backup',
  );
  assert.equal(existsSync(half), false, 'half a copy is not kept');
  assert.equal(await service.stop(), 0);
});

for (const [what, from, to] of [
  ['an archive of a day is served as of its day', 'archive: false,', "asOf: '2025-03-10', archive: false,"],
  ['licenses do not expire after the end of their register', 'archive: false,', 'archive: true,'],
] as const)
  test(what, async () => {
    const city = aCity();
    city.change(from, to);
    city.change("status: 'open', filedOn }", "status: 'open', filedOn, expiresOn: row.AREA }");
    const rows = ['2025-03-09', '2025-03-10', '2025-03-11'].map((area, i) => ({
      id: String(i),
      area,
      day: '2025-03-10',
    }));
    const service = await city.open(new Date().toISOString());
    await service.ingest({ from: city.csv(rows) });
    const serving = await serveCity(service, { warn: () => undefined, info: () => undefined });
    assert.equal((await totalOf(serving.url, 3)())?.total, 3);
    assert.equal((await ask(serving.url, '/api/search?status=expired')).body.total, 1);
    await serving.close();
  });

/** Columns beside those of the small city, and what is in them. The profile names the first and decides by it, but serves none. */
const HIDDEN: Record<string, string> = {
  OWNER: 'Quetzalcoatl Owner',
  PHONE: '555-0199',
  STREET: '12 Hidden Lane',
  MAIL: 'owner@canary.example',
  TAX: 'EIN-99-1234567',
  OFFICER: 'Xochitl Officer',
  LICENCE: 'LIC-ZZ-4711',
  BORN: '1961-02-29',
  AGENT: 'Tezcatlipoca Agents',
  NOTE: 'zebrafishnote',
  PARCEL: 'APN 123-456-789',
  SALES: '$ 1,234,567.89',
};
const CANARIES = Object.values(HIDDEN);
const CLIENT = '203.0.113.77';
const KEY = 'keyfish'; // kept, so that a filing is known again, but served nowhere

/** Businesses with everything that is nobody's affair; one is refused, and one passed over. */
function carrying(count: number): string {
  const [header, ...rows] = csvText(businesses(count).map((one) => ({ ...one, id: `${KEY}${one.id}` })))
    .trim()
    .split('\n');
  const odd = csvText([
    { id: `${KEY}a`, day: 'never' },
    { id: `${KEY}b`, what: 'landlord' },
  ])
    .trim()
    .split('\n')
    .slice(1);
  const hidden = CANARIES.map((text) => `"${text}"`).join(',');
  const lines = [...rows, ...odd].map((row) => `${row},${hidden}\n`);
  return `${header},${Object.keys(HIDDEN).join(',')}\n${lines.join('')}`;
}

test('other columns and the addresses of visitors appear on no page and in no response, email, report, metric or file', async () => {
  const city = aCity();
  city.change("'DAY', 'WHAT']", "'DAY', 'WHAT', 'OWNER'], rejectedShare: 0.1");
  city.change('verdict(row) {', "verdict(row) { if (row.OWNER === '') return reject('no owner');");
  const metrics = await freePort();
  const env = { ...city.env, ...{ METRICS_PORT: String(metrics), TRUST_PROXY: '127.0.0.0/8' } };
  let seen = '';
  const runs = async (...args: string[]) => {
    const { code, out, err } = await command(args, env);
    assert.equal(code, 0, err);
    seen += out + err;
  };
  await runs('ingest', '--from', city.file('a.csv', carrying(50)), '--json');
  await runs('subscribers', 'add', 'ann@b.example', '--confirmed');
  await runs('ingest', '--from', city.file('b.csv', carrying(55)));
  await runs('weekly', 'send', '--now', new Date(Date.now() + 7 * 86_400_000).toISOString());
  await runs('check', '--from', city.file('c.csv', carrying(55)));
  await runs('runs');
  await runs('runs', 'show', '2');

  const service = await running(['serve'], env);
  await until(totalOf(service.url, 55), 'the runs');
  const headers = { 'x-forwarded-for': CLIENT };
  for (const path of EVERYWHERE) seen += await (await fetch(service.url + path, { headers })).text();
  const signup = await postSignup(service.url, 'ben@b.example', headers);
  assert.equal(signup.status, 202);
  seen += await textOf(fetch(`http://127.0.0.1:${metrics}/metrics`));
  for (const text of ['business', ...CANARIES, KEY]) {
    const { listings } = await asAgent(service.url, text);
    seen += JSON.stringify(listings);
    const { body } = await ask(service.url, `/api/search?limit=0&q=${encodeURIComponent(text)}`);
    assert.deepEqual([body.total, listings.length], text === 'business' ? [55, 25] : [0, 0], text);
  }
  await service.stop();
  const { out, err } = service.said();
  const files = filesUnder(city.config.dataFolder);
  const mails = files.filter(({ name }) => name.includes('-weekly-'));
  assert.equal(mails.length, 1);
  const mail = await parsed({ raw: mails[0]!.text, to: [] });
  assert.match(mail.text ?? '', /Business 51/i, 'it is the edition with the new ones');
  const written = `${mail.text} ${mail.html} ${JSON.stringify(mail.headers)}`;
  const stored = files.map(({ text }) => text).join('\n');
  for (const [where, text] of Object.entries({ answers: seen, logs: out + err, email: written }))
    for (const canary of [...CANARIES, KEY])
      assert.ok(!text.includes(canary), `${canary} is in the ${where}`);
  for (const [where, text] of Object.entries({ answers: seen, logs: out + err, 'data folder': stored }))
    assert.ok(!text.includes(CLIENT), `the address of who asked is in the ${where}`);
  for (const canary of CANARIES) {
    assert.ok(!stored.includes(canary), `${canary} is in the data folder`);
    assert.ok(!(out + err).includes(encodeURIComponent(canary)), 'logs carry no query');
  }
});

const EVERYWHERE = [
  ...['/', '/?offset=25', '/?q=business', '/api/search', '/api/search?offset=25', '/api/search?offset=50'],
  ...['/api/stats', '/api/health', '/openapi.json', '/docs'],
  ...['/feed.json', '/feed.json?q=business', '/feed.xml', '/llms.txt'],
  ...['/robots.txt', '/.well-known/security.txt', '/signup'],
  ...['/confirm', '/unsubscribe', '/manage', '/nowhere'],
  ...['/page.js', '/style.css', '/reference.css', '/icon.svg', '/favicon.ico'],
  ...['/problems/not-found', '/api/nowhere', '/api/search?limit=x'],
];

/** What an agent finds. */
const asAgent = (url: string, q: string) =>
  resultOf<{ listings: unknown[] }>(fetch(`${url}/mcp`, toolCall('search_listings', { q })));

function filesUnder(folder: string): { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => ({ name, text: readFileSync(join(parentPath, name), 'latin1') }));
}
