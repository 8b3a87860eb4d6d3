/**
 * How far tests of random courses and of many points go. `npm test` runs an eighth of the rounds, always the same ones, and one point for
 * each operation. `npm run test:long` runs all of them from a fresh seed, which it prints; `TEST_SEED` repeats a run.
 */

import assert from 'node:assert/strict';
import { relative } from 'node:path';

const { TEST_DEPTH, TEST_SEED = '0' } = process.env;
const isFull = TEST_DEPTH === 'full';
assert.match(TEST_SEED, /^\d{1,9}$/, 'TEST_SEED is a number of up to nine digits');

/** One of these two, depending on the depth. */
export const atDepth = <T>(quick: T, full: T): T => (isFull ? full : quick);

/** An eighth of these rounds, at least one; all of them in full depth. */
export const rounds = (full: number): number => atDepth(Math.ceil(full / 8), full);

/** Every eighth of these, counted from a place; all of them in full depth. */
export const everyEighth = <T>(all: readonly T[], from = 0): readonly T[] =>
  atDepth(
    all.filter((_, i) => i % 8 === from % 8),
    all,
  );

/** The seed of a random course: this one, or in full depth one that differs from run to run. */
export const seedFrom = (usual: number): number => atDepth(usual, (usual + Number(TEST_SEED)) % 2 ** 31);

if (isFull)
  process.on('exit', (code) => {
    if (code === 0) return;
    const file = relative('', process.argv[1] ?? '');
    const again = `TEST_DEPTH=full TEST_SEED=${TEST_SEED} npm test -- ${file}`;
    process.stderr.write(
      `${file} failed with seed ${TEST_SEED}. Repeat it with "${again}". Repair it, and add the case that failed to the test as a fixed case.\n`,
    );
  });
