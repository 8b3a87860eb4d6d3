/** Which test files are tried on a mutant, and in which order. */

import { basename, dirname } from 'node:path';
import type { Reach } from './coverage.ts';
import type { Mutant } from './sites.ts';

/** How much sooner a file is tried that names what the mutant is in. */
const NAMED = 20;

/**
 * The test files that pass without a mutant and reach its function: the quick ones that reach little else come first,
 * and those that import its file or are named after it sooner than others.
 */
export function orderTests(
  mutant: Mutant,
  reaches: readonly Reach[],
  textOf: (file: string) => string,
): Reach[] {
  const reaching = reaches.filter(
    ({ passes, reached }) => passes && reached[mutant.file]?.includes(mutant.inFunction),
  );
  const cost = new Map(reaching.map((reach) => [reach, costOf(mutant, reach, textOf(reach.test))]));
  return reaching.toSorted((a, b) => cost.get(a)! - cost.get(b)!);
}

function costOf({ file }: Mutant, { test, durationMs, reached }: Reach, text: string): number {
  const functions = Object.values(reached).reduce((sum, starts) => sum + starts.length, 0);
  const name = basename(file, '.ts');
  const isNamed = text.includes(file) || basename(test).startsWith(`${name}.`);
  const sameRoom = basename(dirname(file)) === basename(dirname(test)) ? 2 : 1;
  return (durationMs * functions) / (isNamed ? NAMED : 1) / sameRoom;
}
