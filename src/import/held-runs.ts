/**
 * Decides whether a run waits for an operator: for findings of a first run, or if it differs too much from the last
 * one.
 */

import type { Source } from '../city/define.ts';
import { isUnknown } from '../listings/listing.ts';
import { describeStops, type Finding } from '../registers/invariants/finding.ts';
import type { Judgement } from './judge.ts';
import { countRejectedRows, type JudgedCounts, type Run } from './runs.ts';

const FLOOR = 20; // rows: percentages of fewer rows are not meaningful
const SHRINK = 0.9;
const GROWTH = 3;
const REJECTED_SHARE = 0.01;
const VALUES = 300; // of each dimension; a column with more values does not contain neighborhoods
const FEW = 100; // openings: percentages of fewer are not meaningful
const UNKNOWN_SHARE = 0.05; // share of the openings
const NEW_SHARE = 0.2;
const FLIPPED_SHARE = 0.1;
/** Days after which a held run can no longer be accepted and its filings are deleted. */
export const HELD_DAYS = 7;

export type Objection = { state: 'held' | 'failed'; detail: string };

export type RunToCheck = { tally: JudgedCounts; shape: RunShape; profile: string; snapshot: boolean };

/** `base` is the last kept snapshot of the source. */
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

/** Another profile may categorize and place differently. */
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

export function findStop(findings: readonly Finding[] = []): Objection | undefined {
  const detail = describeStops(findings);
  return detail === undefined ? undefined : { state: 'held', detail };
}

const DIMENSIONS = ['category', 'neighborhood', 'status'] as const;
type Dimension = (typeof DIMENSIONS)[number];

export type RunShape = { openings: number } & Record<Dimension, Record<string, number>>;

export function openShapeCounter(): { shape: RunShape; see(judgement: Judgement): void } {
  const shape: RunShape = { openings: 0, category: {}, neighborhood: {}, status: {} };
  const counted = new Map(DIMENSIONS.map((dimension) => [dimension, new Map<string, number>()]));
  return {
    get shape() {
      for (const [dimension, counts] of counted) shape[dimension] = Object.fromEntries(counts);
      return shape;
    },
    see(judgement) {
      if (judgement.kind !== 'opening') return;
      shape.openings++;
      for (const [dimension, counts] of counted) {
        const value = judgement[dimension];
        if (counts.has(value) || counts.size < VALUES) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    },
  };
}

function measureDrift(before: RunShape, now: RunShape): string | undefined {
  if (before.openings < FEW || now.openings < FEW) return undefined;
  for (const dimension of DIMENSIONS) {
    const drift = driftOf(dimension, before, now);
    if (drift !== undefined) return drift;
  }
  return undefined;
}

function driftOf(dimension: Dimension, before: RunShape, now: RunShape): string | undefined {
  const shareOf = ({ openings, ...shape }: RunShape, value: string) =>
    (shape[dimension][value] ?? 0) / openings;
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  if (dimension === 'status') {
    for (const value of new Set([...Object.keys(before.status), ...Object.keys(now.status)])) {
      const [was, is] = [shareOf(before, value), shareOf(now, value)];
      if (Math.abs(is - was) > FLIPPED_SHARE)
        return `${percent(is)} of the openings have the status ${value}, compared with ${percent(was)} in the last kept run`;
    }
    return undefined;
  }
  const shareOfUnknown = (shape: RunShape) =>
    Object.keys(shape[dimension]).reduce(
      (sum, value) => sum + (isUnknown(value) ? shareOf(shape, value) : 0),
      0,
    );
  const [was, is] = [shareOfUnknown(before), shareOfUnknown(now)];
  if (Math.abs(is - was) > UNKNOWN_SHARE)
    return `the ${dimension} of ${percent(is)} of the openings is unknown, compared with ${percent(was)} in the last kept run`;
  const unseen = Object.entries(now[dimension])
    .filter(([value]) => !Object.hasOwn(before[dimension], value))
    .reduce((sum, [, count]) => sum + count, 0);
  if (unseen / now.openings <= NEW_SHARE) return undefined;
  return `${percent(unseen / now.openings)} of the openings have a ${dimension} that did not occur in the last kept run`;
}
