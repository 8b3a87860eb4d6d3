/** Decides whether a run waits for an operator, because of findings or a large difference from the previous run. */

import type { Source } from '../city/define.ts';
import { isUnknown } from '../listings/listing.ts';
import { describeStops, type Finding } from '../registers/invariants/finding.ts';
import type { Judgement } from './judge.ts';
import type { JudgedCounts, Run } from './runs.ts';

const FLOOR = 20; // with fewer rows, percentages mean nothing
const SHRINK = 0.9;
const GROWTH = 3;
const REJECTED_SHARE = 0.01;
const VALUES = 300; // maximum values of a column to count; a column of neighborhoods has fewer
const FEW = 100; // with fewer openings, percentages mean nothing
const UNKNOWN_SHARE = 0.05; // of the openings
const NEW_SHARE = 0.2;
const FLIPPED_SHARE = 0.1;
/** Days after which a held run can no longer be accepted and its filings are deleted. */
export const HELD_DAYS = 7;

export type Objection = { state: 'held' | 'failed'; detail: string };

export type RunToCheck = {
  tally: JudgedCounts;
  shape: RunShape;
  profile: string;
  snapshot: boolean;
  findings?: readonly Finding[] | undefined;
};

/** Returns why a run must be held or fail, or `undefined`. `base` is the last kept snapshot of the source. */
export function findObjection(source: Source, seen: RunToCheck, base?: Run): Objection | undefined {
  const { tally, snapshot, findings = [] } = seen;
  if (snapshot && tally.read === 0)
    return { state: 'failed', detail: 'the file has no rows; a snapshot must not be empty' };
  const last = snapshot ? base : undefined;
  const detail =
    describeSize(tally.read, last) ??
    describeRejected(source, tally) ??
    describeDrift(seen, last) ??
    describeStops(findings);
  return detail === undefined ? undefined : { state: 'held', detail };
}

function describeSize(read: number, base: Run | undefined): string | undefined {
  if (base === undefined || base.read < FLOOR) return undefined;
  const against = `the last kept run (${base.run}) had ${base.read} rows and this one has ${read}`;
  if (read < base.read * SHRINK) return `${against}: fewer than ${SHRINK * 100} %`;
  return read > base.read * GROWTH ? `${against}: more than ${GROWTH} times as many` : undefined;
}

function describeRejected(source: Source, { read, rejected }: JudgedCounts): string | undefined {
  const count = rejected.reduce((sum, one) => sum + one.count, 0);
  const allowed = source.rejectedShare ?? REJECTED_SHARE;
  const isAll = count > 0 && count === read;
  if (!isAll && (read < FLOOR || count <= read * allowed)) return undefined;
  const { reason, lines } = rejected.toSorted((a, b) => b.count - a.count)[0]!;
  return `${count} of ${read} rows are damaged. A run with more than ${Number((allowed * 100).toPrecision(6))} % damaged rows is held (most common: ${reason}, line ${lines[0]})`;
}

const DIMENSIONS = ['category', 'neighborhood', 'status'] as const;
type Dimension = (typeof DIMENSIONS)[number];

export type RunShape = { openings: number } & Record<Dimension, Record<string, number>>;

/** Counts openings by value. The counts are objects without a prototype, because a value may be `constructor`. */
export function openShapeCounter() {
  const counts = (): Record<string, number> => Object.create(null);
  const shape: RunShape = { openings: 0, category: counts(), neighborhood: counts(), status: counts() };
  return {
    shape,
    see(judgement: Judgement): void {
      if (judgement.kind !== 'opening') return;
      shape.openings++;
      for (const dimension of DIMENSIONS) {
        const [seen, value] = [shape[dimension], judgement[dimension]];
        const before = seen[value];
        if (before !== undefined) seen[value] = before + 1;
        else if (Object.keys(seen).length < VALUES) seen[value] = 1;
      }
    },
  };
}

function describeDrift({ shape: now, profile }: RunToCheck, base: Run | undefined): string | undefined {
  // runs under different profiles cannot be compared: categories and neighborhoods may differ
  if (base === undefined || base.shape === null || base.profile !== profile) return undefined;
  const before = JSON.parse(base.shape) as RunShape;
  if (before.openings < FEW || now.openings < FEW) return undefined;
  for (const dimension of DIMENSIONS) {
    const drift =
      dimension === 'status' ? describeFlip(before, now) : describeValues(dimension, { before, now });
    if (drift !== undefined) return `${drift} (${base.run})`;
  }
  return undefined;
}

const formatPercent = (share: number) => `${Math.round(share * 100)} %`;

function describeFlip(before: RunShape, now: RunShape): string | undefined {
  for (const value of Object.keys({ ...before.status, ...now.status })) {
    const [was, is] = [before, now].map(({ status, openings }) => (status[value] ?? 0) / openings) as [
      number,
      number,
    ];
    if (Math.abs(is - was) > FLIPPED_SHARE)
      return `${formatPercent(is)} of the openings have the status ${value}, compared with ${formatPercent(was)} in the last kept run`;
  }
  return undefined;
}

function describeValues(
  dimension: Dimension,
  { before, now }: { before: RunShape; now: RunShape },
): string | undefined {
  const shareOf = (shape: RunShape, isMeant: (value: string) => boolean) =>
    Object.entries(shape[dimension]).reduce((sum, [value, count]) => sum + (isMeant(value) ? count : 0), 0) /
    shape.openings;
  const [was, is] = [shareOf(before, isUnknown), shareOf(now, isUnknown)];
  if (Math.abs(is - was) > UNKNOWN_SHARE)
    return `the ${dimension} of ${formatPercent(is)} of the openings is unknown, compared with ${formatPercent(was)} in the last kept run`;
  const unseen = shareOf(now, (value) => !Object.hasOwn(before[dimension], value));
  if (unseen <= NEW_SHARE) return undefined;
  return `${formatPercent(unseen)} of the openings have a ${dimension} that did not occur in the last kept run`;
}
