/**
 * Ends a test file that hangs. A synchronous loop blocks every timer of its own thread, including `--test-timeout` and signal handlers,
 * so another thread watches: it ends the process if the event loop is blocked for too long, if no test of the file ends for too long,
 * or if all of it takes too long.
 */

import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import { afterEach, beforeEach, type SuiteContext, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';

/** What the watching thread is given. `turns` grows while the event loop turns, and `ended` with each test. */
export type Watched = {
  turns: Int32Array;
  ended: Int32Array;
  file: string;
  exitCode: number;
  stalledSeconds: number;
  testSeconds: number;
  longestSeconds: number;
};

const EXIT_CODE = 124; // as of timeout(1)

// Seconds that count (test/patience.ts): guards against hanging. Tests need a third of them.
const STALLED_SECONDS = 60;
const STALLED_SECONDS_OF_LONG = 10 * 60; // random courses on SQLite wait for nothing, so that the event loop does not turn
const TEST_SECONDS = 60;
const LONGEST_SECONDS = 5 * 60;
const LONGEST_SECONDS_OF_MANY = 20 * 60; // of a process of many files, and of what installs packages
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
    file: relative('', file),
    exitCode: EXIT_CODE,
    stalledSeconds: Number(WATCHDOG_STALLED ?? (isQuick ? STALLED_SECONDS : STALLED_SECONDS_OF_LONG)),
    testSeconds: Number(WATCHDOG_TEST ?? (isQuick ? TEST_SECONDS : longest)),
    longestSeconds: Number(WATCHDOG_LONGEST ?? longest),
  };
  let test = 'what is before its first test';
  beforeEach((begun) => {
    test = `"${nameOf(begun)}"`;
  });
  afterEach((over) => {
    test = `what is after "${nameOf(over)}"`;
    Atomics.add(watched.ended, 0, 1);
  });
  setInterval(() => Atomics.add(watched.turns, 0, 1), 500).unref();
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData: watched,
    execArgv: [],
    stdin: false,
  });
  thread.on('message', ({ test: testSeconds, all }: { test?: number; all?: number }) => {
    const late =
      testSeconds === undefined
        ? `it takes longer than ${all} seconds, and is at ${test}`
        : `${test} takes longer than ${testSeconds} seconds`;
    writeSync(2, `watchdog: ${watched.file} is ended: ${late}; still open: ${listOpen()}\n`);
    process.exit(EXIT_CODE);
  });
  thread.unref();
}

/** The name of a test with those of its suites, of which a process of many files has one for each file. */
const nameOf = ({ name, fullName = name }: TestContext | SuiteContext) => fullName;

/** What keeps this process, such as "2 Timeout, 1 TCPServerWrap"; the pipes are those to the runner. */
function listOpen(): string {
  const open = process.getActiveResourcesInfo().filter((type) => type !== 'PipeWrap');
  const counts = Map.groupBy(open, (type) => type);
  return [...counts].map(([type, { length }]) => `${length} ${type}`).join(', ') || 'nothing';
}

const longestOf = (file: string): number =>
  file.endsWith('.test.ts') ? LONGEST_SECONDS : LONGEST_SECONDS_OF_MANY;
