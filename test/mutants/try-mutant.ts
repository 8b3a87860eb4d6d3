/** A mutant is planted in a scratch copy, and the tests that reach it are run until one of them fails. */

import type { Reach } from './coverage.ts';
import { type FileResult, runTestFile } from './run-file.ts';
import type { Scratch } from './scratch.ts';
import { type Mutant, plant } from './sites.ts';

export type Verdict = {
  mutant: Mutant;
  outcome: 'killed' | 'timeout' | 'survived';
  /** What killed it. */
  by?: { file: string; test?: string };
  /** How many of the test files that reach it were run. */
  ran: number;
  reaching: number;
  durationMs: number;
};

/** Runs test files in this order; starts none after `patienceMs`. */
export async function tryMutant(
  scratch: Scratch,
  mutant: Mutant,
  tests: readonly Reach[],
  options: { patienceMs: number; signal: AbortSignal },
): Promise<Verdict> {
  const text = scratch.sources.get(mutant.file)!;
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  const verdict: Verdict = { mutant, outcome: 'survived', ran: 0, reaching: tests.length, durationMs: 0 };
  scratch.write(mutant.file, plant(text, mutant));
  try {
    for (const { test: file, durationMs } of tests) {
      if (elapsed() > options.patienceMs || options.signal.aborted) break;
      const limits = { limitMs: limitFor(durationMs), stopEarly: true, signal: options.signal };
      const { outcome, test } = await runTwice(scratch, file, limits);
      verdict.ran++;
      if (outcome === 'passed') continue;
      Object.assign(verdict, { outcome: outcome === 'hung' ? 'timeout' : 'killed', by: { file, test } });
      break;
    }
  } finally {
    scratch.write(mutant.file, text);
  }
  return { ...verdict, durationMs: elapsed() };
}

/** A test that measures time may fail by itself on a busy machine: a failure counts when it happens again. */
async function runTwice(...run: Parameters<typeof runTestFile>): Promise<FileResult> {
  const first = await runTestFile(...run);
  return first.outcome === 'failed' ? runTestFile(...run) : first;
}

/** A machine that is busy takes several times as long; a mutant that hangs takes for ever. */
function limitFor(usualMs: number): number {
  return 15_000 + 4 * usualMs;
}
