/** Runs one test file in a scratch copy, with a time limit. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { FAILED } from './first-failure.ts';
import type { Scratch } from './scratch.ts';

export type FileResult = {
  outcome: 'passed' | 'failed' | 'hung';
  /** The first test that failed. */
  test?: string;
  durationMs: number;
};

const REPORTER = './test/mutants/first-failure.ts';

/** Runs a test file to its end, or to its first failure where `stopEarly`. Leaves no process and no file behind. */
export async function runTestFile(
  scratch: Scratch,
  file: string,
  options: { limitMs: number; stopEarly: boolean; signal: AbortSignal },
): Promise<FileResult> {
  const startedAt = performance.now();
  const child = spawnTestFile(scratch, file);
  const end = () => child.kill('SIGKILL');
  let test: string | undefined;
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-100_000);
    test ??= failureIn(output);
    if (test !== undefined && options.stopEarly) end();
  });
  let isHung = false;
  const timer = setTimeout(() => {
    isHung = true;
    end();
  }, options.limitMs);
  options.signal.addEventListener('abort', end);
  if (options.signal.aborted) end();
  const closed = once(child, 'close');
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  options.signal.removeEventListener('abort', end);
  await scratch.tidy();
  if (process.platform !== 'linux') endGroup(child.pid);
  await Promise.race([closed, sleep(2000, undefined, { ref: false })]);
  const durationMs = Math.round(performance.now() - startedAt);
  if (test === undefined && code === 0) return { outcome: 'passed', durationMs };
  if (test === undefined && isHung) return { outcome: 'hung', durationMs };
  return { outcome: 'failed', test: test ?? 'it does not load, or fails after its tests', durationMs };
}

function spawnTestFile(scratch: Scratch, file: string) {
  const { NODE_TEST_CONTEXT: _inner, ...env } = process.env;
  const args = ['--import', './test/before-all.ts', `--test-reporter=${REPORTER}`];
  return spawn(process.execPath, [...args, '--test-reporter-destination=stdout', file], {
    cwd: scratch.tree,
    env: { ...env, TMPDIR: scratch.tmp },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
}

/** The name on the first line that the reporter wrote whole. */
function failureIn(output: string): string | undefined {
  const start = output.indexOf(FAILED);
  const end = output.indexOf('\n', start);
  return start < 0 || end < 0 ? undefined : output.slice(start + FAILED.length, end);
}

function endGroup(id: number | undefined): void {
  try {
    if (id !== undefined) process.kill(-id, 'SIGKILL');
  } catch {
    // all of it has ended
  }
}
