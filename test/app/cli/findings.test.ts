/** Findings as an operator meets them: in reports, exit codes, the page, health and the log; and where they must not be. */

import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SmallCity } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { lastJson, running } from '../../a-process.ts';
import { aRegister, firstRows, ROWS, rowsWith, toCsv } from '../../register/import/a-register.ts';
import { until } from '../../until.ts';

const NOW = ['--now', '2026-11-21T03:00:00Z'];
const OWNER = 'Quillfeather';
const TOWN = 'Zanzibarville';
const PERSON = `Odile ${OWNER}`;
const envOf = ({ config }: SmallCity) => ({ SHINGLE_CITY: config.city, SHINGLE_DATA: config.dataFolder });

/** 30 of 400 openings bear their owner's name and lie elsewhere. */
function aWrongCity(...edits: readonly (readonly [string, string])[]) {
  const city = aRegister(...edits);
  const others = firstRows(30, { NAME: PERSON, 'Owner Name': `${OWNER}, Odile`, TOWN });
  const rows = rowsWith((i) => ({ 'Owner Name': `Wren ${i}x`, TOWN: 'Rivermouth', ...others(i) }));
  return { city, file: city.file('register.csv', toCsv(rows)), env: envOf(city) };
}

test('check lists passed and failed findings, the steps to take and the newest listings, and exits with 3', async () => {
  const { file, env } = aWrongCity();
  const { code, out } = await command(['check', '--from', file, ...NOW], env);
  assert.equal(code, 3);
  const order = ['\nPassed\n', '\nPlease check\n', '\nWhat to do\n', '\nThe newest 5 listings'].map((title) =>
    out.indexOf(title),
  );
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  assert.ok(
    order.every((at) => at > 0),
    out,
  );
  assert.match(out, /Passed\n {2}dropped-businesses, repeated-businesses, coarse-neighborhoods/);
  assert.match(out, /stop outside-city: 30 openings \(7\.5 %\) lie outside the city \("TOWN": 30\)/);
  assert.match(out, new RegExp(`for example:\n {6}${PERSON} \\(${TOWN}\\)`));
  assert.match(out, /1\. personal-names: look at the examples: which column/);
  const listings = out
    .split(/as they would be served\n/)[1]!
    .split('\n\n')[0]!
    .split('\n');
  assert.equal(listings.length, 5);
  assert.equal(new Set(listings.map((line) => line.search(/open {2}2026-/))).size, 1, 'columns are aligned');
  assert.match(listings.at(-1)!, /Odile Quillfeather\s+Restaurants\s+Tannery Row\s+open\s+2026-11-06/);

  const report = await command(['check', '--from', file, '--json', ...NOW], env);
  const [run] = lastJson(report).runs as { findings: Record<string, unknown>[]; newest: unknown[] }[];
  assert.equal(run!.findings.length, 3);
  for (const finding of run!.findings)
    for (const key of ['code', 'severity', 'count', 'share', 'detail', 'examples', 'fix'])
      assert.ok(key in finding, key);
  assert.equal(run!.newest.length, 25);
});

test('check shows the listings that the service serves later', async () => {
  const city = aRegister();
  const env = envOf(city);
  const file = city.file(
    'a.csv',
    toCsv(rowsWith((i) => ({ DAY: i === 7 ? '2026-11-19' : `2026-0${1 + (i % 9)}-1${i % 10}` }))),
  );
  const checked = lastJson(await command(['check', '--from', file, '--json', ...NOW], env)).runs as {
    newest: unknown;
  }[];
  assert.equal((await command(['ingest', '--from', file, ...NOW], env)).code, 0);
  const service = await running(['serve'], env);
  const listings = await until(async () => {
    const answer = await fetch(`${service.url}/api/search`);
    return answer.status === 200 ? ((await answer.json()) as { listings: unknown }).listings : undefined;
  }, 'the listings');
  assert.deepEqual(checked[0]!.newest, listings);
  assert.equal(await service.stop(), 0);
});

test('the command, the page and health report a held first run until an operator accepts it', async () => {
  const { file, env } = aWrongCity();
  const held = await command(['ingest', '--from', file, ...NOW], env);
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

  assert.equal((await command(['ingest', '--accept', '1', ...NOW], env)).code, 0);
  await until(async () => (await fetch(`${service.url}/`)).status === 200, 'the page');
  assert.equal(await service.stop(), 0);
  const shown = await command(['runs', 'show', '1'], env);
  assert.match(shown.out, /kept \(baseline\)[\s\S]*stop outside-city: 30 openings \(7\.5 %\)/);
});

test('no value of another column and no example is stored, logged or served', async () => {
  const { city, file, env } = aWrongCity(['from: csv()', `from: csv({ file: 'register.csv' })`]);
  const service = await running(['start'], env);
  await until(() => /the first run of licences is held/.test(service.said().err), 'the log');
  const page = await (await fetch(`${service.url}/`)).text();
  const health = await (await fetch(`${service.url}/api/health`)).text();
  assert.equal(await service.stop(), 0);
  const { out, err } = service.said();
  const shown = await command(['runs', 'show', '1'], env);
  const json = await command(['runs', 'show', '1', '--json'], env);
  const listed = await command(['runs', '--json'], env);
  const ingested = await command(['ingest', '--from', file, '--json', ...NOW], env);
  const told = [page, health, out, err, shown.out, json.out, listed.out, ingested.out];
  for (const text of told) assert.doesNotMatch(text, new RegExp(`${OWNER}|${TOWN}`, 'i'));
  const files = globSync('**/*', { cwd: city.config.dataFolder }).map((name) =>
    join(city.config.dataFolder, name),
  );
  const bytes = files
    .filter((name) => statSync(name).isFile())
    .map((name) => readFileSync(name, 'latin1'))
    .join('');
  assert.ok(bytes.includes(PERSON), 'the names of a held run are staged');
  assert.doesNotMatch(bytes, new RegExp(`${TOWN}|${OWNER}, Odile`, 'i'));
});

test('a drafted profile serves pages to this machine alone, and sends no email', async () => {
  const { city, env } = aWrongCity([
    "contact: 'listings@rivermouth.example'",
    "contact: 'Fill in whom to ask'",
  ]);
  const service = await running(['serve'], { ...env, PUBLIC_URL: 'http://127.0.0.1:3000' });
  const texts = await Promise.all(
    ['', '/llms.txt', '/docs'].map(async (path) => (await fetch(`${service.url}${path}`)).text()),
  );
  for (const text of texts) assert.doesNotMatch(text, /fill in/i);
  const fix = `fill in operator.contact in ${city.config.city} (or set OPERATOR_NAME and OPERATOR_CONTACT for the operator)`;
  assert.ok(service.said().err.includes(`only this machine can use it. Before others can, ${fix}`));
  assert.equal(await service.stop(), 0);
  const mail = {
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'news@rivermouth.example',
    MAIL_POSTAL_ADDRESS: '1 Quay St',
    PUBLIC_URL: 'https://rivermouth.example',
  };
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
  const { city, env } = aWrongCity([
    "contact: 'listings@rivermouth.example'",
    "contact: 'Fill in whom to ask'",
  ]);
  const sound = city.file('sound.csv', toCsv(rowsWith(() => ({ TOWN: 'Rivermouth' }))));
  const imported = await command(['ingest', '--from', sound, ...NOW], env);
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

test('a check without new businesses says so, and says where to look', async () => {
  const city = aRegister(['return opening', "if (row.NAME !== '') return reject('nothing'); return opening"]);
  const { out } = await command(
    ['check', '--from', city.file('a.csv', toCsv(rowsWith())), ...NOW],
    envOf(city),
  );
  assert.match(out, /Please check\n {2}No row was read as an opening/);
  assert.match(out, /\d\. Check the columns of the source and the rules that skip its rows\.\n/);
  assert.doesNotMatch(out, /Passed|Look at the listings below/);
});

test('a check that finds nothing wrong says what to do next', async () => {
  const city = aRegister();
  const { out } = await command(
    ['check', '--from', city.file('a.csv', toCsv(rowsWith())), ...NOW],
    envOf(city),
  );
  assert.match(out, /Please check\n {2}Nothing\.\n\nWhat to do\n {2}1\. Look at the listings below/);
  assert.match(out, new RegExp(`${ROWS} rows = ${ROWS} openings`));
  assert.match(out, /The license is shown without a link\. Add its web address as terms to: licences$/m);
});
