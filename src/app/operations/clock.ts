/** The clock of this machine, which tests replace. */

import type { Instant } from '../../shared/day.ts';

export function readClock(): Instant {
  return new Date().toISOString();
}
