/** The counts of a run: every row is counted exactly once. */

import type { Judgement } from './judge.ts';
import type { Effect, JudgedCounts } from './ports.ts';

const LINES_SHOWN = 20;

export const NO_EFFECT: Effect = { added: 0, changed: 0, unchanged: 0, folded: 0, withdrawn: 0, updated: 0 };

/** The reasons are a profile's: one may be called `constructor`. */
export function emptyCounts(): JudgedCounts {
  return { read: 0, openings: 0, updates: 0, skipped: Object.create(null), rejected: [] };
}

/** Adds one judged row to the counts. */
export function countRow(tally: JudgedCounts, judgement: Judgement, line: number): void {
  tally.read++;
  if (judgement.kind === 'opening') tally.openings++;
  else if (judgement.kind === 'update') tally.updates++;
  else if (judgement.kind === 'skip')
    tally.skipped[judgement.reason] = (tally.skipped[judgement.reason] ?? 0) + 1;
  else addRejected(tally, judgement.reason, line);
}

export function countRejectedRows(tally: JudgedCounts): number {
  return tally.rejected.reduce((sum, { count }) => sum + count, 0);
}

function addRejected(tally: JudgedCounts, reason: string, line: number): void {
  let entry = tally.rejected.find((rejected) => rejected.reason === reason);
  if (entry === undefined) {
    entry = { reason, count: 0, lines: [] };
    tally.rejected.push(entry);
  }
  entry.count++;
  if (entry.lines.length < LINES_SHOWN) entry.lines.push(line);
}
