/**
 * Ends a test file that hangs. A synchronous loop blocks every timer of its own thread, including `--test-timeout` and signal handlers,
 * so another thread watches: it ends the process if the event loop is blocked for too long, if no test of the file ends for too long,
 * or if all of it takes too long.
 */

import { afterEach, beforeEach } from 'node:test';
import { Worker } from 'node:worker_threads';

/**
 * What the watching thread is given. `turns` grows while the event loop turns, and `ended` with each test. `name` has the length and the
 * bytes of the name of the test that began last.
 */
export type Watched = {
  turns: Int32Array;
  ended: Int32Array;
  name: Uint8Array;
  file: string;
  stalledSeconds: number;
  testSeconds: number;
  longestSeconds: number;
};

// Seconds of work, or in which a processor was idle: guards against hanging. Tests need a third of them.
const STALLED_SECONDS = 60;
const STALLED_SECONDS_OF_LONG = 10 * 60; // random courses on SQLite wait for nothing, so that the event loop does not turn
const TEST_SECONDS = 60;
const LONGEST_SECONDS = 5 * 60;
const LONGEST_SECONDS_OF_MANY = 20 * 60; // of a process of many files, and of what installs packages
const LONGEST_NAME = 200;
const LONGEST_SECONDS_OF_LONG = 2 * 60 * 60; // also of random courses at full length

/** Watches this process from now on. `WATCHDOG_STALLED`, `WATCHDOG_TEST` and `WATCHDOG_LONGEST` set other limits, in seconds. */
export function startWatchdog(file: string): void {
  const { WATCHDOG_STALLED, WATCHDOG_TEST, WATCHDOG_LONGEST, TEST_DEPTH } = process.env;
  const longest =
    /\.long\.ts$/.test(file) || TEST_DEPTH === 'full' ? LONGEST_SECONDS_OF_LONG : longestOf(file);
  // the tests of other tiers install packages, or take random courses at full length
  const isQuick = longest === LONGEST_SECONDS || /\.mjs$/.test(file);
  const watched: Watched = {
    turns: new Int32Array(new SharedArrayBuffer(4)),
    ended: new Int32Array(new SharedArrayBuffer(4)),
    name: new Uint8Array(new SharedArrayBuffer(LONGEST_NAME)),
    file,
    stalledSeconds: Number(WATCHDOG_STALLED ?? (isQuick ? STALLED_SECONDS : STALLED_SECONDS_OF_LONG)),
    testSeconds: Number(WATCHDOG_TEST ?? (isQuick ? TEST_SECONDS : longest)),
    longestSeconds: Number(WATCHDOG_LONGEST ?? longest),
  };
  beforeEach((test) => {
    const { written } = new TextEncoder().encodeInto(test.name, watched.name.subarray(1));
    watched.name[0] = written;
  });
  afterEach(() => void Atomics.add(watched.ended, 0, 1));
  setInterval(() => Atomics.add(watched.turns, 0, 1), 500).unref();
  const thread = new URL('./watchdog-thread.ts', import.meta.url);
  new Worker(thread, { workerData: watched, execArgv: [], stdin: false }).unref();
}

const longestOf = (file: string): number =>
  file.endsWith('.test.ts') ? LONGEST_SECONDS : LONGEST_SECONDS_OF_MANY;
