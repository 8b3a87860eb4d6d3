/**
 * Prints all runtime packages as CycloneDX, from the lock file alone and without a network. `npm sbom --omit dev` leaves out every runtime
 * package that a development tool uses too (npm/cli#7909), so this script gives npm a lock file without development packages.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Locked = { dev?: boolean; devDependencies?: unknown };

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { devDependencies: _, ...manifest } = read('package.json');
const lock = read('package-lock.json') as { packages: Record<string, Locked> };
const packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => dev !== true));
delete packages['']!.devDependencies;

const folder = mkdtempSync(join(tmpdir(), 'shingle-sbom-'));
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const npm = process.env.npm_execpath; // set by `npm run`
  const [command, before] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const { status } = spawnSync(command, [...before, ...args], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
