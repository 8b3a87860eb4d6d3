/** Findings as an operator meets them: in reports, exit codes, the page, health and the log; and where they must not be. */

import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { MAIL_ENV } from '../../a-city.ts';
import { command, commandsOf } from '../../a-command.ts';
import { lastJson, running } from '../../a-process.ts';
import { aRegister, type Cells, firstRows, ROWS, rowsWith, toCsv } from '../../register/import/a-register.ts';
import { until } from '../../until.ts';

const NOW = ['--now', '2026-11-21T03:00:00Z'];
const OWNER = 'Quillfeather';
const TOWN = 'Zanzibarville';
const PERSON = `Odile ${OWNER}`;
const DRAFT = ["contact: 'listings@rivermouth.example'", "contact: 'Fill in whom to ask'"] as const;

/** A city with a register of these rows. */
function aCityWith(rows: readonly Cells[], ...edits: readonly (readonly [string, string])[]) {
  const city = aRegister(...edits);
  return { city, env: city.env, file: city.file('register.csv', toCsv(rows)), shingle: commandsOf(city) };
}

/** 30 of 400 openings bear their owner's name and lie elsewhere. */
function aWrongCity(...edits: readonly (readonly [string, string])[]) {
  const others = firstRows(30, { NAME: PERSON, 'Owner Name': `${OWNER}, Odile`, TOWN });
  const rows = rowsWith((i) => ({ 'Owner Name': `Wren ${i}x`, TOWN: 'Rivermouth', ...others(i) }));
  return aCityWith(rows, ...edits);
}

test('check lists passed and failed findings, the steps to take and the newest listings, and exits with 3', async () => {
  const { file, shingle } = aWrongCity();
  const { code, out } = await shingle('check', '--from', file, ...NOW);
  assert.equal(code, 3);
  assert.match(
    out,
    /\nPassed\n {2}dropped-businesses, repeated-businesses, coarse-neighborhoods.*\nPlease check\n.*\nWhat to do\n.*\nThe newest 5 listings/s,
  );
  assert.match(out, /stop outside-city: 30 openings \(7\.5 %\) lie outside the city \("TOWN": 30\)/);
  assert.match(out, new RegExp(`for example:\\n {6}${PERSON} \\(${TOWN}\\)`));
  assert.match(out, /1\. personal-names: look at the examples: which column/);
  const listings = out
    .split(/as they would be served\n/)[1]!
    .split('\n\n')[0]!
    .split('\n');
  assert.equal(listings.length, 5);
  assert.equal(new Set(listings.map((line) => line.search(/open {2}2026-/))).size, 1, 'columns are aligned');
  assert.match(listings.at(-1)!, /Odile Quillfeather\s+Restaurants\s+Tannery Row\s+open\s+2026-11-06/);

  const report = await shingle('check', '--from', file, '--json', ...NOW);
  const [run] = lastJson(report).runs as { findings: Record<string, unknown>[]; newest: unknown[] }[];
  assert.deepEqual([run!.findings.length, run!.newest.length], [3, 25]);
  for (const finding of run!.findings)
    for (const key of ['code', 'severity', 'count', 'share', 'detail', 'examples', 'fix'])
      assert.ok(key in finding, key);
});

test('check shows the listings that the service serves later', async () => {
  const days = (i: number) => ({ DAY: i === 7 ? '2026-11-19' : `2026-0${1 + (i % 9)}-1${i % 10}` });
  const { env, file, shingle } = aCityWith(rowsWith(days));
  const [checked] = lastJson(await shingle('check', '--from', file, '--json', ...NOW)).runs;
  assert.equal((await shingle('ingest', '--from', file, ...NOW)).code, 0);
  const service = await running(['serve'], env);
  const listings = await until(async () => {
    const answer = await fetch(`${service.url}/api/search`);
    return answer.ok && ((await answer.json()) as { listings: object }).listings;
  }, 'the listings');
  assert.deepEqual(checked!.newest, listings);
  assert.equal(await service.stop(), 0);
});

test('the command, the page and health report a held first run until an operator accepts it', async () => {
  const { file, env, shingle } = aWrongCity();
  const held = await shingle('ingest', '--from', file, ...NOW);
  assert.equal(held.code, 3, held.err);
  assert.match(
    held.out,
    /stop personal-names: 30 openings \(7\.5 %\) have a person's name, according to the owner's name in "Owner Name"/,
  );
  assert.match(held.out, /shingle ingest --accept 1/);

  const service = await running(['serve'], env);
  const why = /the first run of licences is held: .*outside-city: 30 openings.*shingle ingest --accept 1/;
  const page = await fetch(`${service.url}/`);
  assert.equal(page.status, 503);
  const text = (await page.text()).replaceAll('&quot;', '"');
  const visitors = 'This site is not ready yet\\. Please come back later\\.[^]*For the operator:[^]*';
  assert.match(text, new RegExp(`${visitors}<p lang="en">${why.source}`, 'i'));
  const health = await fetch(`${service.url}/api/health`);
  assert.equal(health.status, 503);
  assert.match(((await health.json()) as { detail: string }).detail, why);

  assert.equal((await shingle('ingest', '--accept', '1', ...NOW)).code, 0);
  await until(async () => (await fetch(`${service.url}/`)).status === 200, 'the page');
  assert.equal(await service.stop(), 0);
  const shown = await shingle('runs', 'show', '1');
  assert.match(shown.out, /kept \(baseline\)[\s\S]*stop outside-city: 30 openings \(7\.5 %\)/);
});

test('no value of another column and no example is stored, logged or served', async () => {
  const { city, file, env, shingle } = aWrongCity(['from: csv()', `from: csv({ file: 'register.csv' })`]);
  const service = await running(['start'], env);
  await until(() => /the first run of licences is held/.test(service.said().err), 'the log');
  const told = [];
  for (const path of ['/', '/api/health']) told.push(await (await fetch(service.url + path)).text());
  assert.equal(await service.stop(), 0);
  told.push(...Object.values(service.said()));
  for (const args of [
    ['runs', 'show', '1'],
    ['runs', 'show', '1', '--json'],
    ['runs', '--json'],
  ])
    told.push((await shingle(...args)).out);
  told.push((await shingle('ingest', '--from', file, '--json', ...NOW)).out);
  for (const text of told) assert.doesNotMatch(text, new RegExp(`${OWNER}|${TOWN}`, 'i'));
  const files = globSync(`${city.config.dataFolder}/**/*`).filter((path) => statSync(path).isFile());
  const bytes = files.map((path) => readFileSync(path, 'latin1')).join('');
  assert.ok(bytes.includes(PERSON), 'the names of a held run are staged');
  assert.doesNotMatch(bytes, new RegExp(`${TOWN}|${OWNER}, Odile`, 'i'));
});

test('a drafted profile serves pages to this machine alone, and sends no email', async () => {
  const { city, env } = aWrongCity(DRAFT);
  const service = await running(['serve'], { ...env, PUBLIC_URL: 'http://127.0.0.1:3000' });
  const texts = await Promise.all(
    ['', '/llms.txt', '/docs'].map(async (path) => (await fetch(`${service.url}${path}`)).text()),
  );
  for (const text of texts) assert.doesNotMatch(text, /fill in/i);
  const fix = `fill in operator.contact in ${city.config.city} (or set OPERATOR_NAME and OPERATOR_CONTACT for the operator)`;
  assert.ok(service.said().err.includes(`only this machine can use it. Before others can, ${fix}`));
  assert.equal(await service.stop(), 0);
  const mail = { ...MAIL_ENV, SMTP_URL: 'smtp://127.0.0.1:1' };
  for (const [args, more] of [
    [['serve'], { PUBLIC_URL: 'https://rivermouth.example' }],
    [['serve'], { HOST: '0.0.0.0' }],
    [['start'], mail],
    [['weekly', 'send'], mail],
    [['mail', 'test', 'ann@b.example'], mail],
  ] as const) {
    const refused = await command(args, { ...env, ...more, PORT: '0' });
    assert.equal(refused.code, 78, args.join(' '));
    assert.ok(refused.err.includes(`the city is still a draft. First ${fix}`), refused.err);
  }
  const named = { ...env, PUBLIC_URL: 'https://rivermouth.example', OPERATOR_CONTACT: 'ann@b.example' };
  const open = await running(['serve'], named);
  assert.match(await (await fetch(`${open.url}/about`)).text(), /ann@b\.example/);
  assert.equal(await open.stop(), 0);
});

test('whoever checks a draft on its own machine has no budget of listings', async () => {
  const { env, file, shingle } = aCityWith(rowsWith(), DRAFT);
  const imported = await shingle('ingest', '--from', file, ...NOW);
  assert.equal(imported.code, 0, imported.err);
  const policyWith = async (more: Record<string, string>) => {
    const serving = await running(['serve'], { ...env, ...more });
    const { headers } = await fetch(`${serving.url}/api/search?limit=0`);
    await serving.stop();
    return headers.get('ratelimit-policy');
  };
  assert.equal(await policyWith({}), '"burst";q=600;w=60');
  assert.match((await policyWith({ OPERATOR_CONTACT: 'ann@b.example' }))!, /"rows";q=\d+/);
});

test('a check without new businesses says where to look, and a check that finds nothing wrong says what to do next', async () => {
  const check = async (...edits: [string, string][]) => {
    const { file, shingle } = aCityWith(rowsWith(), ...edits);
    return (await shingle('check', '--from', file, ...NOW)).out;
  };
  const without = await check([
    'return opening',
    "if (row.NAME !== '') return reject('nothing'); return opening",
  ]);
  assert.match(without, /Please check\n {2}No row was read as an opening/);
  assert.match(without, /\d\. Check the columns of the source and the rules that skip its rows\.\n/);
  assert.doesNotMatch(without, /Passed|Look at the listings below/);
  const sound = await check();
  assert.match(sound, /Please check\n {2}Nothing\.\n\nWhat to do\n {2}1\. Look at the listings below/);
  assert.match(sound, new RegExp(`${ROWS} rows = ${ROWS} openings`));
  assert.match(sound, /The license is shown without a link\. Add its web address as terms to: licences$/m);
});
