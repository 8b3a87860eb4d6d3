/** Decides whether a run waits for an operator, because of findings or a large difference from the previous run. */

import type { SourceFacts } from '../../shared/city/city-facts.ts';
import type { JudgedCounts, ShapeDimension } from '../../shared/report.ts';
import { describeStops, type Finding, NEWEST, type RunShape, SHAPE_DIMENSIONS } from '../../shared/report.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import type { Run } from './runs.ts';

const FLOOR = 20; // with fewer rows, percentages mean nothing
const SHRINK = 0.9;
const GROWTH = 3;
export const REJECTED_SHARE = 0.01;
const FEW = 100; // with fewer openings, percentages mean nothing
const UNKNOWN_SHARE = 0.05; // of the openings
const NEW_SHARE = 0.2;
const FLIPPED_SHARE = 0.1;
const MOVED_SHARE = 0.1; // of the rows of a snapshot
const VANISHED_SHARE = 0.02;
const LOST_SHARE = 0.5; // of the rows of a file of changes, which may be of one kind
const RARE_SHARE = 0.01;
const FEW_CHANGES = 10; // of a file of changes; files of a day are small
const SHOWN = 3;
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

/** A kept run, as far as later runs are compared with it. */
export type KeptRun = Pick<Run, 'run' | 'read' | 'openings' | 'skipped' | 'profile' | 'shape'>;

/**
 * Returns why a run must be held or fail, or `undefined`. `kept` has the runs to compare it with, newest first: the last
 * snapshot or, for a file of changes, those before it.
 */
export function findObjection(
  source: SourceFacts,
  seen: RunToCheck,
  kept: readonly KeptRun[] = [],
): Objection | undefined {
  const { tally, snapshot, findings = [] } = seen;
  if (snapshot && tally.read === 0)
    return { state: 'failed', detail: 'the file has no rows; a snapshot must not be empty' };
  const last = snapshot ? kept[0] : undefined;
  const detail =
    describeSize(tally.read, last) ??
    joinCauses(describeRejected(source, tally), describeMoves(seen, kept)) ??
    describeAge(seen, last) ??
    describeDrift(seen, last) ??
    describeStops(findings);
  return detail === undefined ? undefined : { state: 'held', detail };
}

/** Damaged rows have lines to look at; what has moved may say why they are damaged. */
function joinCauses(...causes: (string | undefined)[]): string | undefined {
  const known = causes.filter((cause) => cause !== undefined);
  return known.length === 0 ? undefined : known.join('; ');
}

function describeSize(read: number, base: KeptRun | undefined): string | undefined {
  if (base === undefined || base.read < FLOOR) return undefined;
  const compare = (than: string) =>
    `this file has ${formatNumber(read)} rows, ${than} the ${formatNumber(base.read)} rows of run ${base.run}, the last one kept`;
  if (read < base.read * SHRINK) return compare(`fewer than ${SHRINK * 100} % of`);
  return read > base.read * GROWTH ? compare(`more than ${GROWTH} times`) : undefined;
}

function describeRejected(source: SourceFacts, { read, rejected }: JudgedCounts): string | undefined {
  const count = rejected.reduce((sum, one) => sum + one.count, 0);
  const allowed = source.rejectedShare ?? REJECTED_SHARE;
  const isAll = count > 0 && count === read;
  if (!isAll && (read < FLOOR || count <= Math.max(1, read * allowed))) return undefined;
  const { reason, lines } = rejected.toSorted((a, b) => b.count - a.count)[0]!;
  return `${formatNumber(count)} of ${formatNumber(read)} rows are damaged, and the limit is ${Number((allowed * 100).toPrecision(6))} % (most common: ${reason}, line ${lines[0]})`;
}

/** A part of the rows. `falls`: whether losing it is a sign, too. */
type Part = { what: string; count: number; falls: boolean };

type Counted = { read: number; parts: Map<string, Part> };

function listEmpty({ empty }: RunShape): Part[] {
  return Object.entries(empty).map(([column, count]) => ({
    what: `have nothing in the column "${column}"`,
    count,
    falls: false,
  }));
}

function listParts({ openings, skipped }: Pick<KeptRun, 'openings' | 'skipped'>, shape: RunShape): Part[] {
  return [
    ...listEmpty(shape),
    { what: 'repeat another row', count: shape.repeated, falls: false },
    { what: 'are openings', count: openings, falls: true },
    ...Object.entries(skipped).map(([reason, count]) => ({
      what: `are left out as "${reason}"`,
      count,
      falls: true,
    })),
  ];
}

/** Finds parts of the rows that are much larger or smaller than before. Another profile explains all but the empty cells of its columns. */
function describeMoves(
  { tally, shape, profile, snapshot }: RunToCheck,
  kept: readonly KeptRun[],
): string | undefined {
  const [last] = kept;
  if (last === undefined) return undefined;
  if (snapshot && last.openings >= FEW && tally.openings === 0 && last.profile !== profile)
    return `none of ${formatNumber(tally.read)} rows is an opening, compared with ${formatNumber(last.openings)} in the last kept run (${last.run})`;
  const base = snapshot ? [last] : kept;
  const alike = base.filter((run) => run.profile === profile);
  const isSame = alike.length > 0;
  const count = (run: Omit<KeptRun, 'run' | 'profile' | 'shape'>, seen: RunShape): Counted => {
    const parts = isSame ? listParts(run, seen) : listEmpty(seen);
    return { read: run.read, parts: new Map(parts.map((part) => [part.what, part])) };
  };
  const now = count(tally, shape);
  const before = (isSame ? alike : base)
    .flatMap((run) => (run.shape ? count(run, run.shape) : []))
    .reduce(addCounted, { read: 0, parts: new Map() });
  if (before.read < (snapshot ? FLOOR : FEW) || now.read < (snapshot ? FLOOR : FEW_CHANGES)) return undefined;
  const than = snapshot ? `the last kept run (${last.run})` : `the kept runs before it (up to ${last.run})`;
  const hasMoved = snapshot ? hasSnapshotMoved : hasLost;
  const these = new Set(now.parts.keys());
  // another profile may declare other columns
  const compared = isSame ? these.union(before.parts) : these.intersection(before.parts);
  const moves = [...compared].flatMap((what) => {
    const [is, was] = [now, before].map(({ parts }) => parts.get(what)?.count ?? 0) as [number, number];
    const { falls } = (now.parts.get(what) ?? before.parts.get(what))!;
    const shares: Shares = { is: is / now.read, was: was / before.read, falls, before: before.read };
    if (!hasMoved(shares)) return [];
    return [
      `${formatNumber(is)} of ${formatNumber(now.read)} rows (${formatPercent(shares.is)}) ${what}, compared with ${formatPercent(shares.was)}`,
    ];
  });
  if (moves.length === 0) return undefined;
  return `${moves.slice(0, SHOWN).join('; ')} in ${than}`;
}

type Shares = { is: number; was: number; falls: boolean; before: number };

/** Whether a part has moved, a reason has vanished, or a column has nothing any more. */
function hasSnapshotMoved({ is, was, falls, before }: Shares): boolean {
  const lost = falls ? was : 1 - was;
  const hasVanished = is === (falls ? 0 : 1) && lost > VANISHED_SHARE && lost * before >= FLOOR;
  return hasVanished || (falls ? Math.abs(is - was) : is - was) > MOVED_SHARE;
}

/** Whether most rows of a file of changes have a problem that rows hardly had before. */
function hasLost({ is, was }: Shares): boolean {
  return is > LOST_SHARE && was < RARE_SHARE;
}

function addCounted(sum: Counted, { read, parts }: Counted): Counted {
  const both = new Map(sum.parts);
  for (const [what, part] of parts)
    both.set(what, { ...part, count: part.count + (both.get(what)?.count ?? 0) });
  return { read: sum.read + read, parts: both };
}

/** Finds an older copy: half of the newest filings of the last kept run are newer than all of this one. */
function describeAge({ shape: now, profile }: RunToCheck, base: KeptRun | undefined): string | undefined {
  if (base === undefined || base.shape === null || base.profile !== profile) return undefined;
  const { newest } = base.shape;
  const [here] = now.newest;
  const later = here === undefined ? [] : newest.filter((day) => day > here);
  if (later.length < NEWEST / 2) return undefined;
  return `this file seems to be an older copy: its newest filing is of ${here}, and the last kept run (${base.run}) had ${later.length === NEWEST ? 'at least ' : ''}${later.length} newer ones, up to ${newest[0]}`;
}

function describeDrift({ shape: now, profile }: RunToCheck, base: KeptRun | undefined): string | undefined {
  // runs under different profiles cannot be compared: categories and neighborhoods may differ
  if (base === undefined || base.shape === null || base.profile !== profile) return undefined;
  const before = base.shape;
  if (before.openings < FEW || now.openings < FEW) return undefined;
  for (const dimension of SHAPE_DIMENSIONS) {
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
  dimension: ShapeDimension,
  { before, now }: { before: RunShape; now: RunShape },
): string | undefined {
  const shareOf = (shape: RunShape, isMeant: (value: string) => boolean) =>
    Object.entries(shape[dimension]).reduce((sum, [value, count]) => sum + (isMeant(value) ? count : 0), 0) /
    shape.openings;
  const isUnknown = (value: string) => value === '';
  const [was, is] = [shareOf(before, isUnknown), shareOf(now, isUnknown)];
  if (Math.abs(is - was) > UNKNOWN_SHARE)
    return `the ${dimension} of ${formatPercent(is)} of the openings is unknown, compared with ${formatPercent(was)} in the last kept run`;
  const unseen = shareOf(now, (value) => !Object.hasOwn(before[dimension], value));
  if (unseen <= NEW_SHARE) return undefined;
  return `${formatPercent(unseen)} of the openings have a ${dimension} that did not occur in the last kept run`;
}
