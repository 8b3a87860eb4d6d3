/** Defines what a reading of a register reports: how its rows were judged, what they are like, and signs of a misunderstanding. */

import { addDays, type Day } from './day.ts';
import type { Filing } from './filing.ts';
import type { Days } from './periods.ts';

/** How a row was judged. */
export type Judgement =
  | Filing
  | { kind: 'skip'; reason: string; filedOn?: Day | undefined }
  | { kind: 'reject'; reason: string };

/** Numbers of rows that were read, and how they were judged. `read = openings + updates + skipped + rejected`. */
export type JudgedCounts = {
  read: number;
  openings: number;
  updates: number;
  /** Counts by reason. For rejections, also the first 20 lines. */
  skipped: Record<string, number>;
  rejected: { reason: string; count: number; lines: number[] }[];
};

/** Returns empty counts. `skipped` has no prototype, because a profile may name a reason `constructor`. */
export function emptyCounts(): JudgedCounts {
  return { read: 0, openings: 0, updates: 0, skipped: Object.create(null), rejected: [] };
}

/** The number of newest filing dates that a shape has. */
export const NEWEST = 10;

export const SHAPE_DIMENSIONS = ['category', 'neighborhood', 'status'] as const;
export type ShapeDimension = (typeof SHAPE_DIMENSIONS)[number];

/** What the rows of a run are like, to compare a later run with it. */
export type RunShape = { openings: number } & Record<ShapeDimension, Record<string, number>> & {
    /** Rows without text in each declared column. */
    empty: Record<string, number>;
    /** Rows whose declared columns are those of an earlier row of the file. */
    repeated: number;
    /** The newest filing dates that are not in the future, in descending order. */
    newest: Day[];
    /** Rows left out by their status, by filing date. */
    undecided: Record<Day, number>;
  };

/** The codes of findings, which are signs that a profile misreads its register (docs/adding-a-city.md#findings). */
export const FINDING_CODES = [
  'personal-names',
  'dropped-businesses',
  'repeated-businesses',
  'outside-city',
  'coarse-neighborhoods',
  'unplaced',
  'date-choice',
  'current-licenses',
  'no-first-date',
  'recent-skips',
  'ambiguous-dates',
  'one-status',
  'not-storefronts',
  'registered-offices',
  'damaged-names',
  'unread-sheet',
  'placeholders',
  'stale',
] as const;

export type FindingCode = (typeof FINDING_CODES)[number];

/** The parts of a finding that may be stored and logged: counts and column names, never a value of the register. */
export type Finding = {
  code: FindingCode;
  severity: 'stop' | 'warn';
  count: number;
  /** The share of affected openings, 0 to 1. */
  share: number;
  /** A sentence that quotes no value of the register. */
  detail: string;
  accepted?: string;
};

/** Describes in a sentence why a first run is held, or returns `undefined` if nothing holds it. */
export function describeStops(findings: readonly Finding[]): string | undefined {
  const stops = findings.filter(({ severity }) => severity === 'stop');
  if (stops.length === 0) return undefined;
  return `the profile seems to misunderstand this register: ${stops.map(({ code, detail }) => `${code}: ${detail}`).join('; ')}`;
}

/** The number of rows in the register, and how many were left out for each reason. */
export type LeftOut = {
  read: number;
  skipped: ReadonlyMap<string, number>;
  /** Number of damaged rows. */
  rejected: number;
  /** Rows left out by their status. */
  undecided?: UndecidedDays;
};

/**
 * Rows that a status leaves out, such as pending licenses, by their filing date. If they pile up in the newest year, every
 * comparison with the year before is too low.
 */
export type UndecidedDays = ReadonlyMap<Day, number>;

/** The least difference between the shares of two years that biases a comparison, and the fewest rows. */
const LEAST_DIFFERENCE = 0.05;
const FEWEST = 20;
const YEAR = 365;
/** Most days after the newest filing: what is filed later has a wrong date. */
const MOST_AHEAD = 92;
const YEARS_SHOWN = 4;

/** The rows left out in two periods, both of the whole city. */
export type Undecided = { now: number; before: number };

type Sides = { now: Days; before: Days };

/** Counts the rows left out in two periods, or returns `undefined` if they do not bias a comparison. `count` counts openings. */
export function findUndecided(
  days: UndecidedDays,
  { now, before }: Sides,
  count: (days: Days) => number,
): Undecided | undefined {
  const sides = [now, before].map((side) => {
    const left = countDays(days, side);
    return { left, share: left / Math.max(1, left + count(side)) };
  });
  const [newer, older] = sides as [(typeof sides)[0], (typeof sides)[0]];
  if (Math.max(newer.left, older.left) < FEWEST) return undefined;
  if (Math.abs(newer.share - older.share) <= LEAST_DIFFERENCE) return undefined;
  return { now: newer.left, before: older.left };
}

/** Counts the rows left out by year, newest first, if they pile up in the year before the newest filing. */
export function findRecentUndecided(
  days: UndecidedDays,
  newest: Day,
  count: (days: Days) => number,
): [year: string, rows: number][] {
  const known = [...days.keys()].filter((day) => day <= addDays(newest, MOST_AHEAD));
  const last = [newest, ...known].sort().at(-1)!;
  const sides = {
    now: { filed_from: addDays(last, 1 - YEAR), filed_to: last },
    before: { filed_from: addDays(last, 1 - 2 * YEAR), filed_to: addDays(last, -YEAR) },
  };
  const found = findUndecided(days, sides, count);
  if (found === undefined || found.now <= found.before) return [];
  const years = Map.groupBy(days, ([day]) => day.slice(0, 4));
  return [...years]
    .map(([year, some]): [string, number] => [year, some.reduce((sum, [, rows]) => sum + rows, 0)])
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .slice(0, YEARS_SHOWN);
}

function countDays(days: UndecidedDays, { filed_from, filed_to }: Days): number {
  let sum = 0;
  for (const [day, rows] of days) if (day >= filed_from && (filed_to === '' || day <= filed_to)) sum += rows;
  return sum;
}
