/** What ingest needs kept, declared where it is needed; `storage` implements it. Each method is one transaction. */

import type { Day, Instant } from '../listings/day.ts';
import type { Filing } from '../listings/filing.ts';
import type { StoredListing } from '../listings/listing.ts';
import type { Finding } from '../registers/invariants/finding.ts';

export type RunState = 'running' | 'kept' | 'unchanged' | 'held' | 'failed';

/** Counts of reading and judging: `read = openings + updates + skipped + rejected`. */
export type JudgedCounts = {
  read: number;
  openings: number;
  updates: number;
  /** Reasons and their counts; for rejected rows also the first 20 lines. */
  skipped: Record<string, number>;
  rejected: { reason: string; count: number; lines: number[] }[];
};

/** What one run read and changed: `openings = added + changed + unchanged + folded`. */
export type RunCounts = JudgedCounts & Effect;

/** How keeping a run changed the listings. */
export type Effect = {
  added: number;
  changed: number;
  unchanged: number;
  folded: number;
  /** Listings that are no longer openings under a changed profile. */
  withdrawn: number;
  /** Existing listings that were changed only by updates. */
  updated: number;
};

export type Run = RunCounts & {
  run: number;
  source: string;
  state: RunState;
  baseline: boolean;
  /** The file name or URL that was read. */
  place: string;
  /** SHA-256 of the file, hex. */
  content: string;
  /** SHA-256 of the profile and the boundaries, hex. */
  profile: string;
  startedAt: Instant;
  endedAt: Instant | null;
  /** Identifies this state of the place (JSON): a validator, or the time of the newest change. */
  mark: string | null;
  /** The distribution of its openings (JSON), with which a later run is compared. */
  shape: string | null;
  /** Why it was held or failed, as a sentence. */
  detail: string | null;
  /** What the profile seemed to misunderstand, where it was the first run of its source; without examples. */
  findings: readonly Finding[];
};

export type RunStart = Pick<Run, 'source' | 'place' | 'content' | 'profile' | 'startedAt'> & {
  /** Identifies the command of the run: all runs of one command share a baseline. */
  command: string;
  /**
   * Whether it is a snapshot: then listings that are not in it are marked absent (never closed), and an unchanged run counts
   * like a kept one.
   */
  snapshot: boolean;
  mark?: string | null;
};

export type KeepOrder = {
  run: number;
  counts: JudgedCounts;
  endedAt: Instant;
  /** Judged by a changed profile: listings that a snapshot no longer opens are withdrawn, and known dates may change. */
  anew: boolean;
  shape?: string | null;
  findings?: readonly Finding[] | undefined;
};

export type FilingStore = {
  /** Runs `work` while no other process ingests. The lock is released when the process dies. Waits at most `waitMs`. */
  alone<T>(waitMs: number, work: () => Promise<T>): Promise<T>;
  /** Marks runs whose process died as failed, and deletes their filings and held filings older than 7 days. */
  tidy(now: Instant): Promise<void>;
  /** Starts a run; returns its number. */
  start(run: RunStart): Promise<number>;
  /** Stages filings for a run, in row order. Nothing served changes. */
  stage(run: number, filings: readonly Filing[]): Promise<void>;
  /** Merges the staged filings into the listings and serves them: all or nothing. */
  keep(order: KeepOrder): Promise<Run>;
  /** Ends a run without keeping it: `held` keeps its filings for `accept`, the other states delete them. */
  end(
    run: number,
    state: 'unchanged' | 'held' | 'failed',
    ended: {
      counts: JudgedCounts;
      endedAt: Instant;
      detail: string | null;
      shape?: string | null;
      findings?: readonly Finding[] | undefined;
    },
  ): Promise<Run>;
  run(run: number): Promise<Run | undefined>;
  /** Newest first. */
  runs(options: { source?: string; limit: number }): Promise<Run[]>;
  /** The newest kept run of the source; with `whole`, the newest kept snapshot, if there is one. */
  lastKept(source: string, options?: { whole: boolean }): Promise<Run | undefined>;
  /** Replaces the map outline (JSON). */
  keepOutline(drawing: string): Promise<void>;
  /** A kept run of this source with the same file and profile, if any. */
  keptSame(run: Pick<Run, 'source' | 'content' | 'profile'>): Promise<Run | undefined>;
};

/** The data that the index is built from, and how a process notices that it must be rebuilt. */
export type ListingStore = {
  /** Changes whenever the served data may have changed. Cheap: it is read every 0.4 seconds. */
  version(): Promise<string>;
  /** All listings in batches, in no order, from one snapshot of the database. */
  listings(): AsyncIterable<StoredListing[]>;
  /** The latest filing date; `null` without listings. */
  latestFiling(): Promise<Day | null>;
  /** For each of these sources that has one, the latest filing date that is not after `today`. Cheap. */
  newestFilings(sources: readonly string[], today: Day): Promise<Map<string, Day>>;
  /** The map outline, if an ingest had boundaries. */
  outline(): Promise<string | undefined>;
  /** The editions that were sent, newest first. */
  editions(): Promise<Day[]>;
  /** Names or keys that are never served. */
  suppressions(): Promise<Suppression[]>;
};

/** Suppressed: a listing with the key `value`, or with the same words in its name. */
export type Suppression = { value: string; reason: string; addedAt: Instant };

export type SuppressionStore = {
  add(suppression: Suppression): Promise<boolean>;
  remove(value: string): Promise<boolean>;
};

/** The times of the last good runs, by source: for `data_as_of` and health. */
export type SourceState = {
  source: string;
  /** When its last good run ended (kept, or unchanged for a snapshot). */
  goodAt: Instant | null;
  /** The newest run that has ended, in any state; a first one that is still running. */
  last: Pick<Run, 'run' | 'state' | 'detail' | 'startedAt' | 'findings'> | null;
};

export type SourceStateStore = { sourceStates(): Promise<SourceState[]> };

/** For each listing of a run: the stored listing, or nothing. */
export type KnownListing = Pick<
  StoredListing,
  'name' | 'category' | 'neighborhood' | 'status' | 'filedOn' | 'expiresOn'
>;
