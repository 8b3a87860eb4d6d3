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
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const MEMORY = '/dev/shm'; // a short path, too, as sockets need
const ENOUGH = 4 * 2 ** 30;

export type Scratch = {
  folder: string;
  tree: string;
  tmp: string;
  /** The files of src as they were when the copy was made: they may change while faults are tried. */
  sources: ReadonlyMap<string, string>;
  write(file: string, text: string): void;
  /** Ends every process that works in it, and empties its temporary folder. */
  tidy(): Promise<void>;
  remove(): void;
};

export function makeScratch(): Scratch {
  const folder = mkdtempSync(join(hasRoomInMemory() ? MEMORY : tmpdir(), 'mutants-'));
  chmodSync(folder, 0o755); // a database of the tests may run as another user
  const [tree, tmp] = [join(folder, 'tree'), join(folder, 'tmp')];
  copyTree(tree);
  const shared = join(ROOT, '../shared');
  if (existsSync(shared)) symlinkSync(shared, join(folder, 'shared'));
  mkdirSync(tmp);
  const files = globSync('src/**/*.ts', { cwd: tree });
  const sources = new Map(files.map((file) => [file, readFileSync(join(tree, file), 'utf8')]));
  const clear = (path: string) => {
    endProcessesIn(folder);
    unmountIn(folder);
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  };
  const tidy = async () => {
    await databasesEnd(folder);
    clear(tmp);
    mkdirSync(tmp);
  };
  const remove = () => clear(folder);
  const write = (file: string, text: string) => writeFileSync(join(tree, file), text);
  return { folder, tree, tmp, sources, write, tidy, remove };
}

function hasRoomInMemory(): boolean {
  const memory = attempt(() => statfsSync(MEMORY));
  return memory !== undefined && memory.bsize * memory.bavail > ENOUGH;
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

/** Processes are found by where they work: that finds also those that outlived the one that started them (on Linux). */
function processesIn(folder: string): number[] {
  if (!existsSync('/proc/self/cwd')) return [];
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id) && Number(id) !== process.pid)
    .filter((id) => {
      const place = attempt(() => readlinkSync(`/proc/${id}/cwd`)) ?? '';
      return place === folder || place.startsWith(`${folder}/`);
    })
    .map(Number);
}

function endProcessesIn(folder: string): void {
  for (const id of processesIn(folder)) attempt(() => process.kill(id, 'SIGKILL'));
}

/** A database that is killed leaves shared memory behind; it stops by itself soon after the test that started it. */
async function databasesEnd(folder: string): Promise<void> {
  const isDatabase = (id: number) => attempt(() => readFileSync(`/proc/${id}/comm`, 'utf8')) === 'postgres\n';
  for (let tries = 0; tries < 60 && processesIn(folder).some(isDatabase); tries++) await sleep(50);
}

/** What is asked of a process that may have ended meanwhile. */
function attempt<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
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
