/** When a source is imported next. */

import type { Source } from '../city/define.ts';
import type { RunState } from '../import/ports.ts';
import { addMs, HOUR_MS, type Instant } from '../listings/day.ts';

const EVERY_HOURS = 24;
const RETRY_HOURS = 1;

/** When its interval has passed since the last run began, or an hour after one that failed. */
export function findNextRun(source: Source, last: { state: RunState; startedAt: Instant }): Instant {
  const hours = last.state === 'failed' ? RETRY_HOURS : (source.everyHours ?? EVERY_HOURS);
  return addMs(last.startedAt, hours * HOUR_MS);
}
