/** Shingle as people install it: an npm package of JavaScript that drafts, serves and upgrades a city in its operator's own folder. */

import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { aFolder } from '../a-folder.ts';
import { lastJson, type Running, running, shingle } from '../a-process.ts';
import { until } from '../until.ts';
import { packAndInstall, ROOT, run } from './a-package.ts';

const MOST_BYTES = 1_750_000; // 170 kB of it are lists of words, 40 a font
const OF_OPERATORS = [
  ...['Caddyfile', 'Dockerfile', 'Dockerfile.dockerignore'],
  ...['compose.yaml', 'nginx-site.conf', 'shingle.service'],
].map((name) => `deploy/${name}`);
const folder = aFolder();
const packed = packAndInstall(folder);
const { entry } = packed;
const files = globSync('**/*', { cwd: packed.root, withFileTypes: true })
  .filter((one) => one.isFile())
  .map((one) => join(one.parentPath, one.name).slice(packed.root.length + 1));
const tool = (name: string) => join(ROOT, 'tools/package/node_modules/.bin', name);
const skip = !existsSync(tool('attw')) && 'needs "node tools/run.mjs package"';

const totalOf = ({ url }: Running) =>
  until(async () => {
    const answer = await fetch(`${url}/api/search?limit=0`);
    return answer.ok ? ((await answer.json()) as { total: number }).total : undefined;
  }, 'a total');

test('the package contains JavaScript, source maps and types of profiles, and no file that only a checkout needs', (t) => {
  t.diagnostic(`${files.length} files, ${packed.sizeBytes} bytes packed`);
  assert.ok(packed.sizeBytes <= MOST_BYTES, `${packed.sizeBytes} bytes`);
  for (const file of [
    'LICENSE',
    'README.md',
    'bin/shingle.mjs',
    'dist/src/register/profile/city.d.ts',
    ...OF_OPERATORS,
  ])
    assert.ok(files.includes(file), file);
  const typescript = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
  assert.deepEqual(typescript, []);
  assert.deepEqual(
    files.filter((file) => /^(src|test|bench|node_modules)\/|golden|generate/.test(file)),
    [],
  );
  const scripts = files.filter((file) => /^dist\/.*\.js$/.test(file) && !file.includes('/assets/'));
  assert.ok(scripts.length > 150);
  for (const file of scripts) {
    const map = JSON.parse(readFileSync(join(packed.root, `${file}.map`), 'utf8'));
    assert.match(map.sources[0], /\.ts$/, file);
    assert.equal(map.sourcesContent, undefined, file);
  }
});

test('publint and attw find nothing wrong with the package', { skip }, () => {
  run(tool('publint'), ['run', packed.tarball, '--strict'], ROOT);
  run(tool('attw'), [packed.tarball], ROOT);
});

test('a city that the package drafts has its own folder and types, and is served from there', async () => {
  cpSync(join(ROOT, 'docs/example/register.csv'), join(folder, 'register.csv'));
  const draft = ['init', 'register.csv', '--out', 'town', '--name', 'Otterfall', '--no-install'];
  const init = await shingle(draft, {}, undefined, { entry, cwd: folder });
  assert.equal(init.code, 0, init.err);
  const town = join(folder, 'town');
  symlinkSync(join(folder, 'node_modules'), join(town, 'node_modules'));
  assert.deepEqual(globSync('{.*,**/*.*}', { cwd: town, exclude: ['node_modules'] }).toSorted(), [
    ...['.env.example', '.gitignore', 'README.md', 'categories.csv', 'city.yaml', 'filings/register.csv'],
    'package.json',
  ]);
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const manifest = JSON.parse(readFileSync(join(town, 'package.json'), 'utf8'));
  assert.deepEqual(manifest.dependencies, { shingle: `npm:${name}@>=${version} <1` });

  const options = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: false, types: [] };
  writeFileSync(
    join(town, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, target: 'es2024' } }),
  );
  const program = /```ts\n([^`]*)```/.exec(readFileSync(join(ROOT, 'docs/city-ts.md'), 'utf8'))![1]!;
  writeFileSync(join(town, 'city.ts'), program);
  run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', town], ROOT);
  rmSync(join(town, 'city.ts'));

  writeFileSync(join(town, '.env'), "OPERATOR_NAME='Otterfall Library'\nPORT=1\n");
  const service = await running(['start'], {}, { entry, cwd: town });
  assert.equal(await totalOf(service), 21);
  assert.match(await (await fetch(service.url)).text(), /Otterfall Library/);
  assert.equal(await service.stop(), 0);

  const again = async () =>
    lastJson(await shingle(['ingest', '--json'], {}, undefined, { entry, cwd: town })).runs[0]?.state;
  assert.equal(await again(), 'unchanged');
  appendFileSync(join(packed.root, 'dist/src/data/kind-words.csv'), '# another version\n');
  assert.notEqual(await again(), 'unchanged', 'another version judges all rows again');
});

test('the package contains the sample city and the profiles of real cities', async () => {
  const cwd = join(folder, 'empty');
  mkdirSync(cwd);
  const service = await running(['start'], {}, { entry, cwd });
  assert.ok((await totalOf(service)) > 1_000);
  assert.equal(await service.stop(), 0);
  const { out } = await shingle(['init', '--list'], {}, undefined, { entry, cwd });
  assert.equal(out.match(/^\w+ \([A-Z]{2}\): /gm)?.length, 5, 'the register packs, too');
  const slugs = globSync('*/golden.json', { cwd: join(ROOT, 'cities') }).map((path) => dirname(path));
  const loader = pathToFileURL(join(packed.root, 'dist/src/register/profile/load.js')).href;
  const load = `import { loadCity } from ${JSON.stringify(loader)};
    for (const slug of ${JSON.stringify(slugs)}) console.log((await loadCity(slug)).path);`;
  const loaded = run(process.execPath, ['--input-type=module', '-e', load], cwd).trim().split('\n');
  for (const [i, slug] of slugs.entries())
    assert.match(loaded[i] ?? '', new RegExp(`/dist/cities/${slug}/city\\.`));
});
