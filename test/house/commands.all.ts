/**
 * Every block of the docs is accounted for: its commands run here, run in a test that has what they need, or cannot run, for a reason.
 * Here `npm` and `npx` run this checkout and install nothing; .ci/try-package and test/deploy have real ones.
 */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../src/app/exit-codes.ts';
import { openSqlite } from '../../src/service/database/engines/sqlite.ts';
import { aFolder } from '../a-folder.ts';
import { running, shingle } from '../a-process.ts';
import { blocksOf, blockWith, instead } from '../blocks.ts';
import { machineEnv } from '../environment.ts';
import { squaresInARow } from '../squares.ts';
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

const SERVER = 'test/deploy/server.deploy.ts';
const DEPLOYMENT = 'test/app/operations/deployment.all.ts';
const MAPPING = 'test/register/profile/mapping-reference.test.ts';
const CORRECTIONS = 'test/app/cli/corrections.test.ts';
const DOCKER = 'needs a Docker engine and a registry of images';
const NO_COMMANDS = /^(\{|\d{3}\n\{|<|\/api\/|source ->|file ->|src\/\n)/; // what is answered, an address, a picture of folders
/** Blocks that this test does not run: a piece of each, and which test runs it or why none does. */
const ELSEWHERE: [page: string, piece: string, why: string][] = [
  ...blocksOf(TOWN).map(({ text }): [string, string, string] => [TOWN, text, SERVER]),
  ['CONTRIBUTING.md', 'npm run test:long', 'takes half an hour, and runs the tests themselves'],
  ['docs/packs.md', 'init oregon', 'test/app/cli/packs.test.ts'],
  ['docs/city-yaml.md', '# yaml-language-server', MAPPING],
  ['docs/city-yaml.md', 'type,rows,category', MAPPING],
  ['docs/reference.md', 'limits: { rows: 5000', 'test/register/profile/profile.test.ts'],
  [ADDING, 'ogr2ogr', 'test/register/cities/addresses.all.ts'],
  [README, 'npm ci --omit=dev', '.ci/try-npm'],
  [README, 'npm ci && npm test', '.ci/run'],
  [README, 'docker build', 'test/deploy/image.deploy.ts'],
  [PRIVACY, '--dry-run', CORRECTIONS],
  [PRIVACY, 'shingle correct', CORRECTIONS],
  [EMAIL, 'waitlist announce', 'test/service/mail/announcements/announce.test.ts'],
  [EMAIL, 'postconf', 'needs a Postfix that the machine may lose'],
  [DEPLOY, 'sudo -iu shingle npx shingle runs', SERVER],
  [DEPLOY, 'certbot certonly', SERVER],
  [DEPLOY, 'docker compose up', DOCKER],
  [DEPLOY, 'docker buildx', DOCKER],
  [OPERATE, 'docker compose cp', DOCKER],
  [OPERATE, 'npm install shingle@./', '.ci/try-package'],
  [OPERATE, 'sudo install -d -o shingle', SERVER],
  [OPERATE, 'npx shingle backup "/var', DEPLOYMENT],
  [OPERATE, 'npx shingle restore "$(ls', DEPLOYMENT],
  [INSTANCES, 'SHINGLE_CITY=long-beach npm start', 'test/app/operations/instances.all.ts'],
  [INSTANCES, 'systemctl restart shingle@', 'test/app/operations/rolling.long.ts'],
  [INSTANCES, 'sslrootcert', 'test/service/database/postgres-tls.test.ts'],
  [INSTANCES, '--file=shingle.dump', 'test/service/database/dump.all.ts'],
  [INSTANCES, 'pg_restore', 'test/service/database/dump.all.ts'],
  [INSTANCES, 'npx shingle move', 'test/service/database/move.test.ts'],
];

const folder = aFolder();
const sample = await running(['start'], { SHINGLE_DATA: join(folder, 'sample') });
await until(async () => ((await fetch(`${sample.url}/api/search`)).ok ? true : undefined), 'the sample');
const programs = join(folder, 'programs');
const checkout = join(folder, 'checkout');
prepare();

/** A block that runs here, in the folder where its page leaves off, until it ends or serves, and what it says. */
type Run = [page: string, piece: string, at: string, said: RegExp, code?: number];

const TOWN_FOLDER = join(checkout, 'my-town');
const SERVES = /open http:/;
const RUNS: Run[] = [
  [README, 'curl ', checkout, /"total":[1-9]/],
  [README, '../my-town', checkout, SERVES],
  [PROGRAM, 'check --from licences.csv', join(folder, 'rivermouth'), /1 added/],
  [ADDING, 'init export.csv --out my-town', checkout, /Your city is in my-town/],
  [ADDING, 'cd my-town\nnpx shingle check', checkout, /listings as they would be served/],
  [ADDING, 'docs/example/register.csv', checkout, /Union Hardware/],
  [ADDING, 'shingle ingest\nnpm start', join(folder, 'otterfall'), SERVES],
  [ADDING, '--use filed=StartDate', checkout, /3: personal name/],
  [ADDING, 'init export.csv --boundaries', checkout, /placed: \d+ by their address/],
  [OPERATE, 'npx shingle status', checkout, /What to do/, EXIT.held],
  [OPERATE, 'npm update\nnpm start', TOWN_FOLDER, SERVES],
  [PRIVACY, 'cd filings', TOWN_FOLDER, /^removed '2025\.csv'\nremoved 'B\.csv'\n$/],
  [OPERATE, 'shingle-2026-11-20.db', TOWN_FOLDER, /./],
  [DEPLOY, 'npm install shingle@"$OLDPWD"', checkout, /^$/],
  [DEPLOY, 'SHINGLE_CITY=new-york >>', join(folder, 'my-town'), /^$/],
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
  const town = join(folder, 'rivermouth');
  write(town, 'city.ts', profile);
  write(town, 'licences.csv', rows);
  write(town, 'neighborhoods.geojson', squaresInARow(-123, 45, [{ name: 'Old Town' }]));
}

function write(at: string, name: string, text: string): void {
  writeFileSync(join(at, name), text);
  chmodSync(join(at, name), 0o755);
}

/** Runs commands in bash until they end; or until they say that they serve, and then stops them with Ctrl-C. */
async function typed(commands: string, [, , at, wanted, expected = EXIT.done]: Run): Promise<string> {
  const PATH = `${programs}:${process.env.PATH}`;
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: at,
    env: { ...machineEnv(), PATH, PORT: '0', MAIL_BOUNCES: 'bounces@example.org' },
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

test('every block of commands in the docs runs in a test, or says why it cannot', () => {
  const named = [...RUNS, ...ELSEWHERE].map(([page, piece]) => `${page}\n${blockWith(page, piece)}`);
  const known = new Set(named);
  assert.equal(known.size, named.length, 'no block twice');
  const all = PAGES.flatMap((page) => blocksOf(page).map(({ text }) => ({ page, text })));
  const lost = all.filter(({ page, text }) => !NO_COMMANDS.test(text) && !known.has(`${page}\n${text}`));
  assert.deepEqual(lost, []);
  for (const [, , why] of ELSEWHERE)
    if (/^(test|\.ci)\//.test(why)) assert.ok(existsSync(join(ROOT, why)), `no ${why}`);
});

for (const run of RUNS) {
  const [page, piece, at, said] = run;
  const block = blockWith(page, piece);
  test(`${page}: ${block.split('\n')[0]!.trim()}`, async () => {
    if (piece.includes('shingle-2026')) await aBackup(at);
    if (piece === 'cd filings')
      for (const name of ['2025.csv', 'B.csv']) write(join(at, 'filings'), name, '');
    const commands = piece === 'curl ' ? instead(block, { 'http://127.0.0.1:3000': sample.url }) : block;
    assert.match(await typed(commands, run), said);
  });
}

async function aBackup(town: string): Promise<void> {
  const data = join(town, 'data');
  mkdirSync(join(data, 'backups'), { recursive: true });
  const to = join(data, 'backups/shingle-2026-11-20.db');
  const { code, err } = await shingle(['backup', to], { SHINGLE_DATA: data }, undefined, { cwd: town });
  assert.equal(code, 0, err);
}
