/** Runs that read nothing, written down all the same: silence would look like a source without news. */

import type { Instant } from '../listings/day.ts';
import type { FilingStore, Run, RunStart } from './ports.ts';
import { emptyCounts } from './run-counts.ts';

export type EmptyRunEnd = { state: 'unchanged' | 'failed'; endedAt: Instant; detail: string };

/** A run that begins and ends at once. */
export async function recordEmptyRun(
  store: FilingStore,
  start: RunStart,
  { state, ...ended }: EmptyRunEnd,
): Promise<Run> {
  const run = await store.start(start);
  return store.end(run, state, { ...ended, counts: emptyCounts() });
}

/**
 * Writes down that an ingest was ended before it could say so itself: its unfinished run has failed, or, where it had not begun one,
 * a run that read nothing. The caller holds the lock of ingest.
 */
export async function recordLostRun(
  store: FilingStore,
  start: RunStart,
  ended: Omit<EmptyRunEnd, 'state'>,
): Promise<Run> {
  const [last] = await store.runs({ source: start.source, limit: 1 });
  if (last?.state !== 'running') return recordEmptyRun(store, start, { ...ended, state: 'failed' });
  return store.end(last.run, 'failed', { ...ended, counts: emptyCounts() });
}
