/** A running service: changes by other commands are served at once, accepted requests are finished, and hidden data stays hidden. */

import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveCity } from '../../../src/app/operations/serving.ts';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { command, commandsOf } from '../../a-command.ts';
import { SILENT } from '../../a-log.ts';
import { freePort } from '../../a-port.ts';
import { running } from '../../a-process.ts';
import { postSignup } from '../../a-signup.ts';
import { resultOf, textOf, toolCall } from '../../an-answer.ts';
import { parsed } from '../../service/mail/a-mail-server.ts';
import { until } from '../../until.ts';

type Found = { total: number; listings: { name: string }[] };

async function ask(url: string, path: string): Promise<Found & { status: number }> {
  const answer = await fetch(url + path);
  return { ...((await answer.json()) as Found), status: answer.status };
}

const untilTotal = (url: string, wanted: number, what: string) =>
  until(async () => {
    const { status, total } = await ask(url, '/api/search?limit=1');
    return status === 200 && total === wanted;
  }, what);

test('the service listens before the first run, and serves the changes of other commands without a restart', async () => {
  const city = aCity();
  const service = await running(['serve'], city.env);
  const shows = (total: number, what: string) => untilTotal(service.url, total, what);
  const landlords = Array.from({ length: 12 }, (_, i) => ({ id: `L${i}`, what: 'landlord' }));
  const ingest = (count: number) => city.ingest([...businesses(count), ...landlords]);

  const health = await fetch(`${service.url}/api/health`);
  assert.equal(health.status, 503);
  assert.deepEqual(Object.values((await health.json()) as object).slice(0, 3), ['fail', 0, null]);
  const early = await fetch(`${service.url}/api/search`);
  assert.equal(early.status, 503);
  assert.ok(early.headers.get('retry-after'));
  assert.match(((await early.json()) as { type: string }).type, /not-ready$/);

  await ingest(30);
  await shows(30, 'the first run');
  await ingest(33);
  await shows(33, 'the second run');
  const suppress = (...args: string[]) => commandsOf(city)('suppress', ...args);
  await suppress('add', 'BUSINESS  33!', '--reason', 'asked to be removed');
  await shows(32, 'the suppression');
  assert.equal((await ask(service.url, '/api/search?q=33')).total, 0);
  await ingest(34);
  await shows(33, 'the third run, still without the suppressed one');
  await suppress('remove', 'BUSINESS  33!');
  await shows(34, 'the suppressed one again');
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
  const backups = join(city.config.dataFolder, 'backups');
  await commandsOf(city)('runs');
  mkdirSync(backups);
  const half = join(backups, 'shingle-2026-01-05.db.part-999999999'); // of a process that was killed
  writeFileSync(half, '');
  const service = await running(['start'], city.env);
  await untilTotal(service.url, 60, 'its own ingest');
  await until(() => globSync(`${backups}/*.db`)[0], 'a backup');
  assert.equal(existsSync(half), false, 'half a copy is not kept');
  assert.equal(await service.stop(), 0);
});

for (const [what, facts] of [
  ['an archive of a day is served as of its day', "asOf: '2025-03-10', archive: false,"],
  ['licenses do not expire after the end of their register', 'archive: true,'],
] as const)
  test(what, async () => {
    const city = aCity();
    city.change('archive: false,', facts);
    city.change("status: 'open', filedOn }", "status: 'open', filedOn, expiresOn: row.AREA }");
    const ends = ['2025-03-09', '2025-03-10', '2025-03-11'];
    await city.ingest(ends.map((area, i) => ({ id: String(i), area, day: '2025-03-10' })));
    const serving = await serveCity(await city.open(new Date().toISOString()), SILENT);
    assert.equal((await ask(serving.url, '/api/search')).total, 3);
    assert.equal((await ask(serving.url, '/api/search?status=expired')).total, 1);
    await serving.close();
  });

/** Columns beside those of the small city, and what is in them. The profile names the first and decides by it, but serves none. */
const HIDDEN: Record<string, string> = {
  ...{ OWNER: 'Quetzalcoatl Owner', PHONE: '555-0199', STREET: '12 Hidden Lane', TAX: 'EIN-99-1234567' },
  ...{ MAIL: 'owner@canary.example', OFFICER: 'Xochitl Officer', LICENCE: 'LIC-ZZ-4711', BORN: '1961-02-29' },
  ...{ AGENT: 'Tezcatlipoca Agents', NOTE: 'zebrafishnote', PARCEL: 'APN 123-456-789' },
  SALES: '$ 1,234,567.89',
};
const CANARIES = Object.values(HIDDEN);
const CLIENT = '203.0.113.77';
const KEY = 'keyfish'; // kept, so that a filing is known again, but served nowhere

/** Businesses with everything that is nobody's affair; one is refused, and one passed over. */
function carrying(count: number): string {
  const odd = { id: 'b', what: 'landlord' };
  const rows = [...businesses(count), { id: 'a', day: 'never' }, odd].map((one) => ({
    ...one,
    id: `${KEY}${one.id}`,
  }));
  const [header, ...lines] = csvText(rows).trim().split('\n');
  const hidden = CANARIES.map((text) => `"${text}"`).join(',');
  return [`${header},${Object.keys(HIDDEN).join()}`, ...lines.map((line) => `${line},${hidden}`)].join('\n');
}

test('other columns and the addresses of visitors appear on no page and in no response, email, report, metric or file', async () => {
  const city = aCity();
  city.change("'DAY', 'WHAT']", "'DAY', 'WHAT', 'OWNER'], rejectedShare: 0.1");
  city.change('verdict(row) {', "verdict(row) { if (row.OWNER === '') return reject('no owner');");
  const metrics = await freePort();
  const env = { ...city.env, ...{ METRICS_PORT: String(metrics), TRUST_PROXY: '127.0.0.0/8' } };
  let seen = '';
  const [first, second] = [50, 55].map((count) => city.file(`${count}.csv`, carrying(count)));
  for (const line of [
    `ingest --json --from ${first}`,
    'subscribers add ann@b.example --confirmed',
    `ingest --from ${second}`,
    `weekly send --now ${new Date(Date.now() + 7 * 86_400_000).toISOString()}`,
    ...[`check --from ${second}`, 'runs', 'runs show 2'],
  ]) {
    const { code, out, err } = await command(line.split(' '), env);
    assert.equal(code, 0, err);
    seen += out + err;
  }

  const service = await running(['serve'], env);
  await untilTotal(service.url, 55, 'the runs');
  const headers = { 'x-forwarded-for': CLIENT };
  for (const path of EVERYWHERE) seen += await (await fetch(service.url + path, { headers })).text();
  const signup = await postSignup(service.url, 'ben@b.example', headers);
  assert.equal(signup.status, 202);
  seen += await textOf(fetch(`http://127.0.0.1:${metrics}/metrics`));
  for (const text of ['business', ...CANARIES, KEY]) {
    const { listings } = await asAgent(service.url, text);
    seen += JSON.stringify(listings);
    const { total } = await ask(service.url, `/api/search?limit=0&q=${encodeURIComponent(text)}`);
    assert.deepEqual([total, listings.length], text === 'business' ? [55, 25] : [0, 0], text);
  }
  await service.stop();
  const logs = Object.values(service.said()).join('');
  const all = ['**/*', '**/.*'].map((names) => join(city.config.dataFolder, names));
  const paths = globSync(all).filter((path) => statSync(path).isFile());
  const [raw = '', ...others] = paths.filter((path) => path.includes('-weekly-'));
  assert.deepEqual(others, []);
  const mail = await parsed({ raw: readFileSync(raw, 'latin1'), to: [] });
  assert.match(mail.text ?? '', /Business 51/i, 'it is the edition with the new ones');
  const email = `${mail.text} ${mail.html} ${JSON.stringify(mail.headers)}`;
  const folder = paths.map((path) => readFileSync(path, 'latin1')).join('\n');
  for (const [where, text, hidden] of [
    ['answers', seen, [...CANARIES, KEY, CLIENT]],
    ['logs', logs, [...CANARIES, ...CANARIES.map(encodeURIComponent), KEY, CLIENT]],
    ['email', email, [...CANARIES, KEY]],
    ['data folder', folder, [...CANARIES, CLIENT]],
  ] as const)
    for (const canary of hidden) assert.ok(!text.includes(canary), `${canary} is in the ${where}`);
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
