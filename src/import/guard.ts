/** Checks a run that was read without errors: decides whether an operator must look at it before it is served. */

import type { Source } from '../city/define.ts';
import type { JudgedCounts, Run } from './ports.ts';
import { countRejectedRows } from './run-counts.ts';
import { measureDrift, type RunShape } from './shape.ts';

const FLOOR = 20; // rows: percentages of fewer rows are not meaningful
const SHRINK = 0.9;
const GROWTH = 3;
const REJECTED_SHARE = 0.01;

export type Objection = { state: 'held' | 'failed'; detail: string };

/** The result of reading: counts, distribution of the openings, the profile used, and whether the file is a snapshot. */
export type RunToCheck = { tally: JudgedCounts; shape: RunShape; profile: string; snapshot: boolean };

/** The reason why this run must not be kept, or nothing. `base` is the last kept snapshot of the source. */
export function findObjection(
  source: Source,
  seen: RunToCheck,
  base: Run | undefined,
): Objection | undefined {
  if (!seen.snapshot) return rejectionObjection(source, seen.tally);
  if (seen.tally.read === 0)
    return { state: 'failed', detail: 'the file has no rows; a snapshot must not be empty' };
  const size = sizeObjection(seen.tally.read, base);
  if (size !== undefined) return { state: 'held', detail: size };
  return rejectionObjection(source, seen.tally) ?? driftObjection(seen, base);
}

/** A different profile may find other categories and places in the same rows, so nothing is compared. */
function driftObjection({ shape, profile }: RunToCheck, base: Run | undefined): Objection | undefined {
  if (base === undefined || base.shape === null || base.profile !== profile) return undefined;
  const drift = measureDrift(JSON.parse(base.shape) as RunShape, shape);
  return drift === undefined ? undefined : { state: 'held', detail: `${drift} (${base.run})` };
}

function sizeObjection(read: number, base: Run | undefined): string | undefined {
  if (base === undefined || base.read < FLOOR) return undefined;
  const against = `the last kept run (${base.run}) had ${base.read} rows and this one has ${read}`;
  if (read < base.read * SHRINK) return `${against}: fewer than ${SHRINK * 100} %`;
  return read > base.read * GROWTH ? `${against}: more than ${GROWTH} times as many` : undefined;
}

function rejectionObjection(source: Source, tally: JudgedCounts): Objection | undefined {
  const rejected = countRejectedRows(tally);
  const allowed = source.rejectedShare ?? REJECTED_SHARE;
  const all = rejected > 0 && rejected === tally.read;
  if (!all && (tally.read < FLOOR || rejected <= tally.read * allowed)) return undefined;
  const detail = `${rejected} of ${tally.read} rows are damaged. A run with more than ${allowed * 100} % damaged rows is held (most common: ${worst(tally)})`;
  return { state: 'held', detail };
}

function worst(tally: JudgedCounts): string {
  const most = tally.rejected.toSorted((a, b) => b.count - a.count)[0]!;
  return `${most.reason}, line ${most.lines[0]}`;
}
