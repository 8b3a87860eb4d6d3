/**
 * How far tests of random courses and of many points go. `npm test` runs a quarter of the rounds, always the same ones, and one point for
 * each operation. `npm run test:long` runs all of them from a fresh seed, which it prints; `TEST_SEED` repeats a run.
 */

const { TEST_DEPTH, TEST_SEED } = process.env;

const isFull = TEST_DEPTH === 'full';

/** A quarter of these rounds, at least one; all of them in full depth. */
export const rounds = (full: number): number => (isFull ? full : Math.ceil(full / 4));

/** The seed of a random course: this one, or in full depth one that differs from run to run. */
export const seedFrom = (usual: number): number =>
  isFull ? (usual + Number(TEST_SEED ?? 0)) % 2 ** 31 : usual;

/** These points, all of them in full depth. */
export const pointsOf = <T>(one: readonly T[], others: readonly T[]): readonly T[] =>
  isFull ? [...one, ...others] : one;
