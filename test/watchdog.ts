/**
 * Ends a test file that hangs. A synchronous loop blocks every timer of its own thread, including `--test-timeout` and signal handlers,
 * so another thread watches: it ends the process if the event loop is blocked for too long, or the file takes too long.
 */

import { Worker } from 'node:worker_threads';

/** What the watching thread is given. `turns` grows while the event loop turns. */
export type Watched = { turns: Int32Array; file: string; stalledSeconds: number; longestSeconds: number };

// Seconds of work, or of an idle machine: guards against hanging. Tests need a fifth of them.
const STALLED_SECONDS = 120;
const LONGEST_SECONDS = 5 * 60;
const LONGEST_SECONDS_OF_MANY = 20 * 60; // of a process of many files, and of what installs packages
const LONGEST_SECONDS_OF_LONG = 2 * 60 * 60; // also of random courses at full length

/** Watches this process from now on. `WATCHDOG_STALLED` and `WATCHDOG_LONGEST` set other limits, in seconds. */
export function startWatchdog(file: string): void {
  const { WATCHDOG_STALLED, WATCHDOG_LONGEST, TEST_DEPTH } = process.env;
  const longest =
    /\.long\.ts$/.test(file) || TEST_DEPTH === 'full' ? LONGEST_SECONDS_OF_LONG : longestOf(file);
  const watched: Watched = {
    turns: new Int32Array(new SharedArrayBuffer(4)),
    file,
    stalledSeconds: Number(WATCHDOG_STALLED ?? STALLED_SECONDS),
    longestSeconds: Number(WATCHDOG_LONGEST ?? longest),
  };
  setInterval(() => Atomics.add(watched.turns, 0, 1), 500).unref();
  const thread = new URL('./watchdog-thread.ts', import.meta.url);
  new Worker(thread, { workerData: watched, execArgv: [], stdin: false }).unref();
}

const longestOf = (file: string): number =>
  file.endsWith('.test.ts') ? LONGEST_SECONDS : LONGEST_SECONDS_OF_MANY;
