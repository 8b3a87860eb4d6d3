/**
 * Every block of the docs is accounted for: its commands run here, run in a test that has what they need, or cannot run, for a reason.
 * Here `npm` and `npx` run this checkout and install nothing; .ci/try-package and test/deploy have real ones.
 */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../src/app/exit-codes.ts';
import { openSqlite } from '../../src/service/database/engines/sqlite.ts';
import { aFolder } from '../a-folder.ts';
import { running, shingle } from '../a-process.ts';
import { blocksOf, instead } from '../blocks.ts';
import { machineEnv } from '../environment.ts';
import { until } from '../until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = globSync(['*.md', 'docs/*.md'], { cwd: ROOT }).filter((page) => page !== 'CHANGELOG.md');
const README = 'README.md';
const ADDING = 'docs/adding-a-city.md';
const PROGRAM = 'docs/city-ts.md';
const DEPLOY = 'docs/deploy.md';
const OPERATE = 'docs/operate.md';
const EMAIL = 'docs/email.md';
const INSTANCES = 'docs/instances.md';
const PRIVACY = 'docs/privacy.md';
const TOWN = 'docs/serve-your-town.md';

/** A block that this test does not run: a piece of it, and which test runs it or why none does. */
type Elsewhere = { page: string; piece: string; why: string };

const SERVER = 'test/deploy/server.deploy.ts';
const NO_COMMANDS = /^(\{|\d{3}\n\{|<|\/api\/|source ->|file ->|src\/\n)/; // what is answered, an address, a picture of folders
const ELSEWHERE: Elsewhere[] = [
  {
    page: 'CONTRIBUTING.md',
    piece: 'npm run test:long',
    why: 'takes half an hour, and runs the tests themselves',
  },
  ...blocksOf(TOWN).map(({ text }) => ({ page: TOWN, piece: text, why: SERVER })),
  { page: 'docs/packs.md', piece: 'init oregon', why: 'test/app/cli/packs.test.ts' },
  {
    page: 'docs/city-yaml.md',
    piece: '# yaml-language-server',
    why: 'test/register/profile/mapping-reference.test.ts',
  },
  {
    page: 'docs/city-yaml.md',
    piece: 'type,rows,category',
    why: 'test/register/profile/mapping-reference.test.ts',
  },
  { page: ADDING, piece: 'ogr2ogr', why: 'test/register/cities/addresses.all.ts' },
  { page: INSTANCES, piece: 'systemctl restart shingle@', why: 'test/app/operations/rolling.long.ts' },
  { page: EMAIL, piece: 'postconf', why: 'needs a Postfix that the machine may lose' },
  { page: README, piece: 'npm ci --omit=dev', why: '.ci/try-npm' },
  { page: README, piece: 'npm ci && npm test', why: '.ci/run' },
  { page: README, piece: 'docker build', why: 'test/deploy/image.deploy.ts' },
  { page: OPERATE, piece: 'npm install shingle@./', why: '.ci/try-package' },
  { page: PRIVACY, piece: '--dry-run', why: 'test/app/cli/corrections.test.ts' },
  { page: PRIVACY, piece: 'shingle correct', why: 'test/app/cli/corrections.test.ts' },
  {
    page: EMAIL,
    piece: 'waitlist announce',
    why: 'test/service/mail/announcements/announce.test.ts',
  },
  { page: DEPLOY, piece: 'sudo -iu shingle npx shingle runs', why: SERVER },
  { page: DEPLOY, piece: 'docker compose up', why: 'needs a Docker engine and a registry of images' },
  { page: DEPLOY, piece: 'docker buildx', why: 'needs a Docker engine and a registry of images' },
  { page: OPERATE, piece: 'docker compose cp', why: 'needs a Docker engine and a registry of images' },
  { page: DEPLOY, piece: 'certbot certonly', why: SERVER },
  { page: OPERATE, piece: 'sudo install -d -o shingle', why: SERVER },
  { page: OPERATE, piece: 'npx shingle backup "/var', why: 'test/app/operations/deployment.all.ts' },
  { page: OPERATE, piece: 'npx shingle restore "$(ls', why: 'test/app/operations/deployment.all.ts' },
  {
    page: INSTANCES,
    piece: 'SHINGLE_CITY=long-beach npm start',
    why: 'test/app/operations/instances.all.ts',
  },
  { page: INSTANCES, piece: 'sslrootcert', why: 'test/service/database/postgres-tls.test.ts' },
  {
    page: 'docs/reference.md',
    piece: 'limits: { rows: 5000',
    why: 'is a part of a profile: test/register/profile/profile.test.ts',
  },
  { page: INSTANCES, piece: '--file=shingle.dump', why: 'test/service/database/dump.all.ts' },
  { page: INSTANCES, piece: 'pg_restore', why: 'test/service/database/dump.all.ts' },
  { page: INSTANCES, piece: 'npx shingle move', why: 'test/service/database/move.test.ts' },
];

const folder = aFolder();
const sample = await running(['start'], { SHINGLE_DATA: join(folder, 'sample') });
await until(async () => ((await fetch(`${sample.url}/api/search`)).ok ? true : undefined), 'the sample');
const programs = join(folder, 'programs');
const checkout = join(folder, 'checkout');
prepare();

/** A block that runs here, in the folder where its page leaves off, until it ends or serves. */
type Run = {
  page: string;
  piece: string;
  at: string;
  more?: Record<string, string>;
  said?: RegExp;
  code?: number;
};

const EXAMPLE = join(folder, 'otterfall');
const SERVES = /open http:/;
const RUNS: Run[] = [
  {
    page: README,
    piece: 'curl ',
    at: checkout,
    more: { 'http://127.0.0.1:3000': sample.url },
    said: /"total":[1-9]/,
  },
  { page: README, piece: '../my-town', at: checkout, said: SERVES },
  { page: PROGRAM, piece: 'check --from licences.csv', at: join(folder, 'rivermouth'), said: /1 added/ },
  { page: ADDING, piece: 'init export.csv --out my-town', at: checkout, said: /Your city is in my-town/ },
  {
    page: ADDING,
    piece: 'cd my-town\nnpx shingle check',
    at: checkout,
    said: /listings as they would be served/,
  },
  {
    page: ADDING,
    piece: 'docs/example/register.csv',
    at: checkout,
    said: /Union Hardware/,
  },
  { page: ADDING, piece: 'shingle ingest\nnpm start', at: EXAMPLE, said: SERVES },
  { page: ADDING, piece: '--use filed=StartDate', at: checkout, said: /3: personal name/ },
  {
    page: ADDING,
    piece: 'init export.csv --boundaries',
    at: checkout,
    said: /placed: \d+ by their address/,
  },
  { page: OPERATE, piece: 'npx shingle status', at: checkout, code: EXIT.held, said: /What to do/ },
  { page: OPERATE, piece: 'npm update\nnpm start', at: join(checkout, 'my-town'), said: SERVES },
  {
    page: PRIVACY,
    piece: 'cd filings',
    at: join(checkout, 'my-town'),
    said: /^removed '2025\.csv'\nremoved 'B\.csv'\n$/,
  },
  { page: OPERATE, piece: 'shingle-2026-11-20.db', at: join(checkout, 'my-town') },
  { page: DEPLOY, piece: 'npm install shingle@"$OLDPWD"', at: checkout, said: /^$/ },
  { page: DEPLOY, piece: 'SHINGLE_CITY=new-york >>', at: join(folder, 'my-town'), said: /^$/ },
];

function prepare(): void {
  for (const path of [programs, checkout, join(folder, 'rivermouth')]) mkdirSync(path);
  void openSqlite(join(checkout, 'data')).close(); // as after the first start
  const program = `exec "${process.execPath}" "${ROOT}/bin/shingle.mjs"`;
  write(programs, 'npx', `#!/bin/sh\nshift\n${program} "$@"\n`);
  write(programs, 'npm', `#!/bin/sh\ncase $1 in start) ${program} start;; esac\n`);
  const example = join(checkout, 'docs/example');
  cpSync(join(ROOT, 'docs/example'), example, { recursive: true });
  cpSync(join(example, 'register.csv'), join(checkout, 'export.csv'));
  for (const name of ['neighborhoods.geojson', 'addresses.csv'])
    cpSync(join(example, name), join(checkout, name));
  const profile = /```ts\n(import [^`]*)```/.exec(readFileSync(join(ROOT, PROGRAM), 'utf8'))![1]!;
  const rows = 'LICENCE,NAME,TYPE,STATUS,ISSUED,LON,LAT\n7,MILLRACE COFFEE,Shop,A,9/29/2026,-122.5,45.5\n';
  const outline = { type: 'Polygon', coordinates: [[[-123, 45], [-122, 45], [-122, 46], [-123, 46], [-123, 45]]] }; // biome-ignore format: a square
  const feature = { type: 'Feature', properties: { name: 'Old Town' }, geometry: outline };
  const town = join(folder, 'rivermouth');
  write(town, 'city.ts', profile);
  write(town, 'licences.csv', rows);
  write(town, 'neighborhoods.geojson', JSON.stringify({ type: 'FeatureCollection', features: [feature] }));
}

function write(at: string, name: string, text: string): void {
  writeFileSync(join(at, name), text);
  chmodSync(join(at, name), 0o755);
}

/** Runs commands in bash until they end; or until they say that they serve, and then stops them with Ctrl-C. */
async function typed(
  commands: string,
  { at, said: wanted, code: expected = EXIT.done }: Run,
): Promise<string> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: at,
    env: {
      ...machineEnv(),
      PATH: `${programs}:${process.env.PATH}`,
      PORT: '0',
      MAIL_BOUNCES: 'bounces@example.org',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  after(() => child.exitCode === null && child.signalCode === null && process.kill(-child.pid!, 'SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  const ended = once(child, 'close');
  if (wanted === SERVES) {
    const state = () => (SERVES.test(said) || child.exitCode !== null ? true : undefined);
    await until(state, 'a line that says where it serves');
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGINT');
  }
  const [code] = await ended;
  assert.equal(code, expected, `${commands}\n${said}`);
  return said;
}

const blockOf = ({ page, piece }: { page: string; piece: string }) => {
  const found = blocksOf(page).filter(({ text }) => text.includes(piece));
  assert.equal(found.length, 1, `${found.length} blocks of ${page} with ${piece}`);
  return found[0]!.text;
};

test('every block of commands in the docs runs in a test, or says why it cannot', () => {
  const known = new Set([...RUNS, ...ELSEWHERE].map((one) => `${one.page}\n${blockOf(one)}`));
  assert.equal(known.size, RUNS.length + ELSEWHERE.length, 'no block twice');
  const all = PAGES.flatMap((page) => blocksOf(page).map(({ text }) => ({ page, text })));
  const lost = all.filter(({ page, text }) => !NO_COMMANDS.test(text) && !known.has(`${page}\n${text}`));
  assert.deepEqual(lost, []);
});

test('the tests that the list of other blocks names exist', () => {
  for (const { why } of ELSEWHERE)
    if (/^(test|\.ci)\//.test(why)) assert.ok(globSync(why, { cwd: ROOT }).length === 1, why);
});

for (const run of RUNS)
  test(`${run.page}: ${blockOf(run).split('\n')[0]!.trim()}`, async () => {
    if (run.piece.includes('shingle-2026')) await aBackup(run.at);
    if (run.piece === 'cd filings')
      for (const name of ['2025.csv', 'B.csv']) write(join(run.at, 'filings'), name, '');
    const commands = instead(blockOf(run), run.more ?? {});
    const said = await typed(commands, run);
    if (run.said !== undefined) assert.match(said, run.said);
  });

async function aBackup(town: string): Promise<void> {
  const data = join(town, 'data');
  mkdirSync(join(data, 'backups'), { recursive: true });
  const to = join(data, 'backups/shingle-2026-11-20.db');
  const { code, err } = await shingle(['backup', to], { SHINGLE_DATA: data }, undefined, { cwd: town });
  assert.equal(code, 0, err);
}
