/** What `shingle init` drafts is a folder of its own: its files, its dependency, and `npm start` in it. */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { lastJson, shingle } from '../../a-process.ts';
import { machineEnv } from '../../environment.ts';
import { isoOf, nameOf } from '../../register/survey/a-register.ts';
import { until } from '../../until.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = aFolder();
const children = new Set<ChildProcess>();
after(() => {
  for (const { pid } of children) process.kill(-pid!, 'SIGKILL'); // only those whose test failed
});

const AREAS = ['Old Town', 'Quayside', 'Mill End'];
/** Writes an export with the rows of these numbers. */
function write(path: string, from: number, to: number): void {
  let text = 'LicenceNo,TradeName,BusinessType,StartDate,Neighborhood\n';
  for (let i = from; i < to; i++) text += `L${1000 + i},${nameOf(i)},Bakery,${isoOf(i)},${AREAS[i % 3]}\n`;
  writeFileSync(join(folder, path), text);
}

write('export.csv', 0, 120);

/** Runs a command in the temporary folder. */
const here = (args: string[], env = {}, cwd = folder) => command(args, env, { cwd });

test('init and npm start turn an export into a city that is served', async () => {
  const init = await here(['init', 'export.csv', '--out', 'my-town', '--name', 'Otterfall']);
  assert.equal(init.code, 0, init.err);
  assert.match(init.out, /\n {2}cd my-town\n {2}npm start\n$/);
  const town = join(folder, 'my-town');
  assert.equal(realpathSync(join(town, 'node_modules/shingle')), realpathSync(ROOT), 'the checkout itself');
  const { dependencies } = JSON.parse(readFileSync(join(town, 'package.json'), 'utf8'));
  assert.match(dependencies.shingle, /^file:\.\./);

  const npm = spawn('npm', ['start'], {
    cwd: town,
    env: { ...machineEnv(), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // a process group of its own, as a shell gives a job
  });
  children.add(npm);
  let said = '';
  npm.stdout.on('data', (bytes) => (said += bytes));
  const url = await until(() => /open (http:\/\/[^/]+)/.exec(said)?.[1], 'a line that says where it serves');
  const total = await until(async () => {
    const answer = await fetch(`${url}/api/search?limit=0`);
    return answer.ok && ((await answer.json()) as { total: number }).total;
  }, 'the listings');
  assert.equal(total, 120);
  npm.kill('SIGTERM'); // npm alone: the service has to hear of it
  await once(npm, 'close');
  children.delete(npm);
  const hidden = ['.env.example', '.gitignore', '.npmrc', '.shingle'];
  const shown = ['README.md', 'categories.csv', 'city.yaml', 'data', 'filings', 'node_modules'];
  assert.deepEqual(readdirSync(town).toSorted(), [...hidden, ...shown, 'package-lock.json', 'package.json']);
});

test('init copies a folder of exports unchanged, and leaves exports in the city folder where they are', async () => {
  mkdirSync(join(folder, 'exports'));
  write('exports/a.csv', 0, 60);
  write('exports/b.csv', 60, 120);
  const copied = await here(['init', 'exports', '--out', 'copied', '--no-install']);
  assert.equal(copied.code, 0, copied.err);
  assert.deepEqual(readdirSync(join(folder, 'copied/filings')), ['a.csv', 'b.csv']);
  assert.match(readFileSync(join(folder, 'copied/city.yaml'), 'utf8'), /from: \{ csv: filings \}/);

  const inside = join(folder, 'inside');
  mkdirSync(join(inside, 'registers'), { recursive: true });
  write('inside/registers/export.csv', 0, 60);
  writeFileSync(join(inside, 'package.json'), '{ "name": "mine" }');
  const again = () => here(['init', 'registers/export.csv', '--out', '.', '--no-install'], {}, inside);
  const kept = await again();
  assert.equal(kept.code, 0, kept.err);
  assert.match(readFileSync(join(inside, 'city.yaml'), 'utf8'), /from: \{ csv: registers\/export\.csv \}/);
  assert.equal(readFileSync(join(inside, 'package.json'), 'utf8'), '{ "name": "mine" }', 'not overwritten');
  for (const name of ['city.yaml', 'city.ts']) {
    fs.renameSync(join(inside, 'city.yaml'), join(inside, name));
    const { code, err } = await again();
    assert.equal(code, 78);
    assert.ok(err.includes(`${name} already exists and is not overwritten. Choose another folder`));
  }
});

test('without npm, init writes a complete draft and says what to run', async () => {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  fs.symlinkSync(process.execPath, join(bin, 'node'));
  const args = ['init', 'export.csv', '--out', 'alone', '--json'];
  const ended = await here(args, { PATH: bin });
  assert.equal(ended.code, 1);
  assert.equal(lastJson(ended).installed, false);
  assert.match(ended.err, /the draft is complete, but "npm install" failed. Run it in .*alone$/m);
  const checked = await here(['check', '--json'], {}, join(folder, 'alone'));
  assert.equal(lastJson(checked).runs[0]?.openings, 120);
});

test('the environment takes precedence over .env', async () => {
  const env = join(folder, 'env');
  mkdirSync(env);
  writeFileSync(join(env, '.env'), "SHINGLE_CITY='atlantis'\nSHINGLE_LIMITS=perhaps\n");
  const launched = (more: Record<string, string>) => shingle(['runs'], more, undefined, { cwd: env });
  const from = await launched({ SHINGLE_LIMITS: 'on' });
  assert.equal(from.code, 78);
  assert.match(from.err, /no city profile .*atlantis/);
  assert.match((await launched({ SHINGLE_CITY: 'sample' })).err, /SHINGLE_LIMITS must be/);
});
