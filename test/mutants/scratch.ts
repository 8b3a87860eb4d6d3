/**
 * A copy of the working tree in which faults can be planted, in a temporary folder of its own:
 * `shared` (real data, where there is any), `tree` (the copy), `tmp` (the temporary folder of the tests).
 */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export type Scratch = {
  folder: string;
  tree: string;
  tmp: string;
  write(file: string, text: string): void;
  /** Ends every process that was started in it, and empties its temporary folder. */
  tidy(): void;
  remove(): void;
};

export function makeScratch(): Scratch {
  // sockets have short paths
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'mutants-'));
  chmodSync(folder, 0o755); // a database of the tests may run as another user
  const [tree, tmp] = [join(folder, 'tree'), join(folder, 'tmp')];
  copyTree(tree);
  const shared = join(ROOT, '../shared');
  if (existsSync(shared)) symlinkSync(shared, join(folder, 'shared'));
  mkdirSync(tmp);
  const clear = (path: string) => {
    endProcessesIn(folder);
    unmountIn(folder);
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  };
  const tidy = () => {
    clear(tmp);
    mkdirSync(tmp);
  };
  const remove = () => clear(folder);
  return { folder, tree, tmp, tidy, remove, write: (file, text) => writeFileSync(join(tree, file), text) };
}

/** All files that are committed or could be; the packages are linked, their caches are the copy's own. */
function copyTree(tree: string): void {
  const names = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: ROOT });
  for (const name of new Set(names.toString().split('\0')))
    if (name !== '' && existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(tree, name));
  const cache = 'node_modules/.cache';
  mkdirSync(join(tree, cache), { recursive: true });
  const packages = readdirSync(join(ROOT, 'node_modules')).filter((name) => name !== '.cache');
  const databases = globSync('postgres-*', { cwd: join(ROOT, cache) }).filter((name) => !/\.\d+$/.test(name));
  for (const name of packages.map((name) => `node_modules/${name}`))
    symlinkSync(join(ROOT, name), join(tree, name));
  for (const name of databases) symlinkSync(join(ROOT, cache, name), join(tree, cache, name));
}

/** Ends processes by where they work: that finds also those that outlived the one that started them (on Linux). */
function endProcessesIn(folder: string): void {
  if (!existsSync('/proc/self/cwd')) return;
  for (const id of readdirSync('/proc')) {
    if (!/^\d+$/.test(id) || Number(id) === process.pid) continue;
    try {
      const place = readlinkSync(`/proc/${id}/cwd`);
      if (place === folder || place.startsWith(`${folder}/`)) process.kill(Number(id), 'SIGKILL');
    } catch {
      // it has ended, or is not ours
    }
  }
}

/** A test of a full disk that was ended midway leaves its small disk mounted. */
function unmountIn(folder: string): void {
  if (!existsSync('/proc/mounts')) return;
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const place = line.split(' ')[1] ?? '';
    if (place.startsWith(`${folder}/`)) execFileSync('umount', ['-l', place]);
  }
}
