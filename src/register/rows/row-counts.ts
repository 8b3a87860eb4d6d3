/** Counts rows by their judgement, and what they are like, to compare a later run with it. Uses limited memory. */

import type { Day } from '../../shared/day.ts';
import {
  type JudgedCounts,
  type Judgement,
  NEWEST,
  type RunShape,
  SHAPE_DIMENSIONS,
} from '../../shared/report.ts';
import { hashUnits } from '../../shared/text/hash.ts';
import type { Row, Source } from '../profile/define.ts';

const VALUES = 300; // maximum values of a column to count; a column of neighborhoods has fewer
const MOST_ROWS = 20_000;
const MOST_DAYS = 1_500; // about four years of rows left out by their status
const LINES_SHOWN = 20;

export function countRow(tally: JudgedCounts, judgement: Judgement, line: number): void {
  tally.read++;
  if (judgement.kind === 'opening') tally.openings++;
  else if (judgement.kind === 'update') tally.updates++;
  else if (judgement.kind === 'skip')
    tally.skipped[judgement.reason] = (tally.skipped[judgement.reason] ?? 0) + 1;
  else addRejected(tally, judgement.reason, line);
}

function addRejected(tally: JudgedCounts, reason: string, line: number): void {
  const known = tally.rejected.find((rejected) => rejected.reason === reason);
  const entry = known ?? { reason, count: 0, lines: [] };
  if (known === undefined) tally.rejected.push(entry);
  entry.count++;
  if (entry.lines.length < LINES_SHOWN) entry.lines.push(line);
}

/** Counts openings by value. The counts are objects without a prototype, because a value may be `constructor`. */
export function openShapeCounter(
  { columns, optional = [] }: Pick<Source, 'columns' | 'optional'>,
  today: Day,
) {
  const counts = (): Record<string, number> => Object.create(null);
  const years = counts();
  const shape: RunShape = {
    openings: 0,
    category: counts(),
    neighborhood: counts(),
    status: counts(),
    empty: Object.assign(counts(), Object.fromEntries([...columns, ...optional].map((one) => [one, 0]))),
    repeated: 0,
    newest: [],
    years,
    undecided: counts(),
  };
  const countRepeats = openRowSample();
  const declared = [...columns, ...optional];
  function seeRow(row: Row, hash: string): void {
    for (const column of declared)
      if ((row[column] ?? '') === '') shape.empty[column] = (shape.empty[column] ?? 0) + 1;
    shape.repeated += countRepeats(hashUnits(hash));
  }
  let undecidedDays = 0;
  /** Counts a day. If there are too many, keeps the newest ones. */
  function seeUndecided(day: Day | undefined): void {
    if (day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) return;
    if (shape.undecided[day] === undefined) undecidedDays++;
    shape.undecided[day] = (shape.undecided[day] ?? 0) + 1;
    if (undecidedDays < 2 * MOST_DAYS) return;
    for (const old of Object.keys(shape.undecided).sort().slice(0, -MOST_DAYS)) delete shape.undecided[old];
    undecidedDays = MOST_DAYS;
  }
  return {
    shape,
    see(judgement: Judgement, row: Row | undefined, hash: string): void {
      if (row !== undefined) seeRow(row, hash);
      if (judgement.kind === 'skip') seeUndecided(judgement.filedOn);
      if (judgement.kind !== 'opening') return;
      shape.openings++;
      const year = judgement.filedOn.slice(0, 4);
      years[year] = (years[year] ?? 0) + 1;
      if (judgement.filedOn <= today) addNewest(shape.newest, judgement.filedOn);
      for (const dimension of SHAPE_DIMENSIONS) {
        const [seen, value] = [shape[dimension], judgement[dimension] ?? ''];
        const before = seen[value];
        if (before !== undefined) seen[value] = before + 1;
        else if (value === '' || Object.keys(seen).length < VALUES) seen[value] = 1;
      }
    },
  };
}

function addNewest(newest: Day[], day: Day): void {
  if (newest.length === NEWEST && day <= newest[NEWEST - 1]!) return;
  newest.splice(newest.findLastIndex((other) => other >= day) + 1, 0, day);
  newest.length = Math.min(newest.length, NEWEST);
}

/**
 * Returns a function that says for how many rows this one is a repeat. Remembers all rows of a small register and a sample of
 * a large one, chosen by their hash, in which each repeat stands for many.
 */
function openRowSample(): (hash: number) => number {
  let each = 1;
  let hashes = new Set<number>();
  return (hash) => {
    if (hash % each !== 0) return 0;
    if (hashes.has(hash)) return each;
    hashes.add(hash);
    if (hashes.size <= MOST_ROWS) return 0;
    each *= 2;
    hashes = new Set([...hashes].filter((one) => one % each === 0));
    return 0;
  };
}
