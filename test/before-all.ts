/** Loaded before any test: a guard against hanging, and what makes the hundreds of processes and thousands of folders of a run cost half. */

import { statfsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { startWatchdog } from './watchdog.ts';

const MEMORY = '/dev/shm';
const ENOUGH = 4 * 2 ** 30;
const TMPFS = 0x01021994;

/** Compiled once, not for each process. */
const folder = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));
enableCompileCache(folder);
process.env.NODE_COMPILE_CACHE = folder;

const [, file] = process.argv;
if (isMainThread && file !== undefined) startWatchdog(file); // the threads of a test load this file too

/** Temporary folders are in memory, where a machine has enough of it: a sync is asked for all the same, and costs nothing. */
if (process.env.TMPDIR === undefined && hasRoom()) process.env.TMPDIR = MEMORY;

function hasRoom(): boolean {
  try {
    const { type, bsize, bavail } = statfsSync(MEMORY);
    return type === TMPFS && bsize * bavail > ENOUGH;
  } catch {
    return false;
  }
}
