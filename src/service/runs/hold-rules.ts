/** Decides whether a run waits for an operator, because of findings or a large difference from the previous run. */

import type { SourceFacts } from '../../shared/city/city-facts.ts';
import type { JudgedCounts, ShapeDimension } from '../../shared/report.ts';
import { describeStops, type Finding, NEWEST, type RunShape, SHAPE_DIMENSIONS } from '../../shared/report.ts';
import { formatNumber, formatShare } from '../../shared/text/numbers.ts';
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
  profileDigest: string;
  snapshot: boolean;
  findings?: readonly Finding[] | undefined;
};

/** A kept run, as far as later runs are compared with it. */
export type KeptRun = Pick<Run, 'run' | 'read' | 'openings' | 'skipped' | 'profileDigest' | 'shape'>;

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
  // damaged rows have lines to look at; what has moved may say why they are damaged
  const damage = [describeRejected(source, tally), describeMoves(seen, kept)].filter(Boolean).join('; ');
  const detail =
    describeSize(tally.read, last) ??
    (damage || undefined) ??
    describeAge(seen, last) ??
    describeDrift(seen, last) ??
    describeStops(findings);
  return detail === undefined ? undefined : { state: 'held', detail };
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

type Part = { count: number; falls: boolean };
type Rows = Pick<KeptRun, 'read' | 'openings' | 'skipped' | 'shape'>;

const columnsOf = ({ empty }: RunShape) => Object.keys(empty).sort().join('\n');

/** How alike runs are: they share some columns, all columns, or the whole profile. */
const [SOME_COLUMNS, ALL_COLUMNS, PROFILE] = [0, 1, 2];

/** Counts the parts of the rows of runs that can be compared, by what they are. `falls`: whether losing a part is a sign, too. */
function countParts(runs: readonly Rows[], alike: number) {
  const counted = { read: 0, parts: new Map<string, Part>() };
  const add = (what: string, count: number, falls: boolean): void => {
    counted.parts.set(what, { count: count + (counted.parts.get(what)?.count ?? 0), falls });
  };
  for (const { read, openings, skipped, shape } of runs) {
    if (shape === null) continue;
    counted.read += read;
    for (const [column, count] of Object.entries(shape.empty))
      add(`have nothing in the column "${column}"`, count, false);
    if (alike >= ALL_COLUMNS) add('repeat another row', shape.repeated, false);
    if (alike !== PROFILE) continue;
    add('are openings', openings, true);
    for (const [reason, count] of Object.entries(skipped)) add(`are left out as "${reason}"`, count, true);
  }
  return counted;
}

/** Finds parts of the rows that are much larger or smaller than before. Another profile explains all but empty cells and repeated rows. */
function describeMoves(
  { tally, shape, profileDigest, snapshot }: RunToCheck,
  kept: readonly KeptRun[],
): string | undefined {
  const [last] = kept;
  if (last === undefined) return undefined;
  if (snapshot && last.openings >= FEW && tally.openings === 0 && last.profileDigest !== profileDigest)
    return `none of ${formatNumber(tally.read)} rows is an opening, compared with ${formatNumber(last.openings)} in the last kept run (${last.run})`;
  const base = snapshot ? [last] : kept;
  const ofColumns = base.filter((run) => run.shape !== null && columnsOf(run.shape) === columnsOf(shape));
  const groups = [base, ofColumns, base.filter((run) => run.profileDigest === profileDigest)];
  const alike = groups.findLastIndex((runs) => runs.length > 0);
  const now = countParts([{ ...tally, shape }], alike);
  const before = countParts(groups[alike]!, alike);
  if (before.read < (snapshot ? FLOOR : FEW) || now.read < (snapshot ? FLOOR : FEW_CHANGES)) return undefined;
  const than = snapshot ? `the last kept run (${last.run})` : `the kept runs before it (up to ${last.run})`;
  // of a file of changes: most rows have a problem that rows hardly had before
  const hasMoved = snapshot ? hasSnapshotMoved : ({ is, was }: Shares) => is > LOST_SHARE && was < RARE_SHARE;
  const these = new Set(now.parts.keys());
  // another profile may declare other columns
  const compared = alike === SOME_COLUMNS ? these.intersection(before.parts) : these.union(before.parts);
  const moves = [...compared].flatMap((what) => {
    const [is, was] = [now.parts.get(what), before.parts.get(what)];
    const { falls } = (is ?? was)!;
    const shares: Shares = {
      is: (is?.count ?? 0) / now.read,
      was: (was?.count ?? 0) / before.read,
      falls,
      before: before.read,
    };
    if (!hasMoved(shares)) return [];
    return [
      `${formatNumber(is?.count ?? 0)} of ${formatNumber(now.read)} rows (${formatShare(shares.is)}) ${what}, compared with ${formatShare(shares.was)}`,
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

/**
 * Finds an older copy: half of the newest filings of the last kept run are newer than all of this one. Another profile may read other
 * days, but an older copy then has fewer rows as well.
 */
function describeAge(
  { tally, shape: now, profileDigest }: RunToCheck,
  base: KeptRun | undefined,
): string | undefined {
  if (base === undefined || base.shape === null) return undefined;
  if (base.profileDigest !== profileDigest && tally.read >= base.read) return undefined;
  const { newest } = base.shape;
  const [here] = now.newest;
  const later = here === undefined ? [] : newest.filter((day) => day > here);
  if (later.length < NEWEST / 2) return undefined;
  return `this file seems to be an older copy: its newest filing is of ${here}, and the last kept run (${base.run}) had ${later.length === NEWEST ? 'at least ' : ''}${later.length} newer ones, up to ${newest[0]}`;
}

function describeDrift({ shape: now, profileDigest }: RunToCheck, base?: KeptRun): string | undefined {
  // runs under different profiles cannot be compared: categories and neighborhoods may differ
  if (base === undefined || base.shape === null || base.profileDigest !== profileDigest) return undefined;
  const before = base.shape;
  if (before.openings < FEW || now.openings < FEW) return undefined;
  const other = describeYears(before, now);
  if (other !== undefined) return `${other} (${base.run})`;
  for (const dimension of SHAPE_DIMENSIONS) {
    const drift =
      dimension === 'status' ? describeFlip(before, now) : describeValues(dimension, { before, now });
    if (drift !== undefined) return `${drift} (${base.run})`;
  }
  return undefined;
}

/**
 * Finds filing dates of another column, by the openings of each year. Time adds none to years before the newest one. It takes some
 * from the last two years, if the file has only new filings, and few from earlier ones.
 */
function describeYears(before: RunShape, now: RunShape): string | undefined {
  const newest = Number(before.newest[0]?.slice(0, 4));
  const [was, is] = [before.years, now.years ?? {}];
  if (was === undefined) return undefined;
  const years = Object.keys({ ...was, ...is }).filter((year) => Number(year) < newest);
  const gains = years.map((year) => Math.max(0, (is[year] ?? 0) - (was[year] ?? 0)));
  const losses = years.map((year) =>
    Number(year) < newest - 1 ? Math.max(0, (was[year] ?? 0) - (is[year] ?? 0)) : 0,
  );
  const share = Math.max(sumOf(gains), sumOf(losses)) / before.openings;
  if (share <= NEW_SHARE) return undefined;
  return `the filing dates seem to be others: ${formatShare(share)} of the openings of years before ${newest} have moved to other years since the last kept run`;
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

function describeFlip(before: RunShape, now: RunShape): string | undefined {
  for (const value of Object.keys({ ...before.status, ...now.status })) {
    const was = (before.status[value] ?? 0) / before.openings;
    const is = (now.status[value] ?? 0) / now.openings;
    if (Math.abs(is - was) > FLIPPED_SHARE)
      return `${formatShare(is)} of the openings have the status ${value}, compared with ${formatShare(was)} in the last kept run`;
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
    return `the ${dimension} of ${formatShare(is)} of the openings is unknown, compared with ${formatShare(was)} in the last kept run`;
  const unseen = shareOf(now, (value) => !Object.hasOwn(before[dimension], value));
  if (unseen <= NEW_SHARE) return undefined;
  return `${formatShare(unseen)} of the openings have a ${dimension} that did not occur in the last kept run`;
}
