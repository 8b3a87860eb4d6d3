/** Defines what a reading of a register reports: how its rows were judged, what they are like, and signs of a misunderstanding. */

import type { Day } from './day.ts';
import type { Filing } from './filing.ts';
import type { UndecidedDays } from './undecided.ts';

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

/** A type that many filings of a run share: its hash, and its words. The words of a rare type are not stored. */
export type RunType = { typeHash: string; words: string };

/** What the rows of a run are like, to compare a later run with it. */
export type RunShape = { openings: number } & Record<ShapeDimension, Record<string, number>> & {
    /** Rows without text in each declared column. */
    empty: Record<string, number>;
    /** Rows whose declared columns are those of an earlier row of the file. */
    repeated: number;
    /** The newest filing dates that are not in the future, in descending order. */
    newest: Day[];
    /** Openings by the year of their filing. Runs that were kept before these were counted have none. */
    years?: Record<string, number>;
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
