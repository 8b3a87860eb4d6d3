/** The npm package, packed from a copy of this checkout and unpacked where its dependencies are. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from '../patience.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  ...[
    'bin',
    'src',
    'cities',
    'packs',
    'deploy',
    'docs',
    'package.json',
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
  ],
  ...['tsconfig.json', 'tsconfig.build.json', '.npmrc'],
];

export type Packed = {
  tarball: string;
  sizeBytes: number;
  /** The folder into which it is installed, and the program in it. */
  folder: string;
  root: string;
  entry: string;
};

/** Packs as `npm pack` does it, and lays the package beside the dependencies that this checkout has. */
export function packAndInstall(folder: string): Packed {
  const copy = join(folder, 'checkout');
  for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  run('npm', ['pack', '--silent', '--pack-destination', folder], copy);
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'shingle'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  const root = join(modules, 'shingle');
  run('tar', ['xzf', tarball, '--strip-components=1', '-C', root], folder);
  return { tarball, sizeBytes: statSync(tarball).size, folder, root, entry: join(root, 'bin/shingle.mjs') };
}

/** Runs a program to its end; fails with what it printed unless that is well. */
export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error?.message ?? ''}${stdout}${stderr}`);
  return stdout;
}
