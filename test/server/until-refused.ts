/** Uses up budgets, in loops that also end if a budget has no limit. */

import assert from 'node:assert/strict';

const MOST = 100_000;

/** Asks until it is refused, and answers how often it was not. */
export function askUntilRefused(ask: () => boolean): number {
  let taken = 0;
  for (; ask(); taken++) assert.ok(taken < MOST, `not refused after ${MOST} times`);
  return taken;
}
