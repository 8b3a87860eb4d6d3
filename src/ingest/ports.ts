/** What ingest needs kept, declared where it is needed; `storage` implements it. Each method is one transaction. */

import type { Instant } from '../listings/day.ts';
import type { Filing } from '../listings/filing.ts';
import type { StoredListing } from '../listings/listing.ts';

export type RunState = 'running' | 'kept' | 'unchanged' | 'held' | 'failed';

/** What reading and judging alone can count: `read = openings + updates + skipped + rejected`. */
export type JudgedCounts = {
  read: number;
  openings: number;
  updates: number;
  /** Reasons and how often they were given; for rejected rows also the first 20 lines. */
  skipped: Record<string, number>;
  rejected: { reason: string; count: number; lines: number[] }[];
};

/** What one run read and did: `openings = added + changed + unchanged + folded`. */
export type RunCounts = JudgedCounts & Effect;

/** What keeping a run did to the listings. */
export type Effect = {
  added: number;
  changed: number;
  unchanged: number;
  folded: number;
  /** Listings that a changed profile no longer opens. */
  withdrawn: number;
  /** Known listings that updates alone changed. */
  updated: number;
};

export type Run = RunCounts & {
  run: number;
  source: string;
  state: RunState;
  baseline: boolean;
  /** What was read: a file name or an address. */
  place: string;
  /** SHA-256 of the bytes read, hex. */
  content: string;
  /** SHA-256 of the profile and the boundaries that judged it, hex. */
  profile: string;
  startedAt: Instant;
  endedAt: Instant | null;
  /** What this state of its place is known by (JSON): a validator, or the moment of the newest change. */
  mark: string | null;
  /** How its openings spread (JSON): what a later run is compared with. */
  shape: string | null;
  /** Why it was held or failed, in a sentence. */
  detail: string | null;
};

export type RunStart = Pick<Run, 'source' | 'place' | 'content' | 'profile' | 'startedAt'> & {
  /** Names the command the run is part of: all runs of one command share a baseline. */
  command: string;
  /**
   * Whether it holds all there is: then listings it does not name are marked absent (never closed), and an unchanged run is
   * as good as a kept one.
   */
  snapshot: boolean;
  mark?: string | null;
};

export type KeepOrder = {
  run: number;
  counts: JudgedCounts;
  endedAt: Instant;
  /** Judged by a changed profile: listings that a snapshot does not open are withdrawn, known days are not held on to. */
  anew: boolean;
  shape?: string | null;
};

export type FilingStore = {
  /** Runs `work` while no other process ingests; freed by the death of the process. Waits at most `waitMs`. */
  alone<T>(waitMs: number, work: () => Promise<T>): Promise<T>;
  /** Marks runs that died unfinished as failed, drops filings kept for them and held filings older than 7 days. */
  tidy(now: Instant): Promise<void>;
  /** Starts a run; returns its number. */
  start(run: RunStart): Promise<number>;
  /** Puts filings aside for a run, in row order. Nothing served changes. */
  stage(run: number, filings: readonly Filing[]): Promise<void>;
  /** Folds the staged filings into the listings and makes them served: all or nothing. */
  keep(order: KeepOrder): Promise<Run>;
  /** Ends a run without keeping it: `held` keeps its filings for `accept`, the others drop them. */
  end(
    run: number,
    state: 'unchanged' | 'held' | 'failed',
    ended: { counts: JudgedCounts; endedAt: Instant; detail: string | null; shape?: string | null },
  ): Promise<Run>;
  run(run: number): Promise<Run | undefined>;
  /** Newest first. */
  runs(options: { source?: string; limit: number }): Promise<Run[]>;
  /** The newest kept run of the source; `whole`: of those that held all there was, where there are such. */
  lastKept(source: string, options?: { whole: boolean }): Promise<Run | undefined>;
  /** Keeps how the neighborhoods are drawn (JSON), in place of what was kept before. */
  keepOutline(drawing: string): Promise<void>;
  /** A kept run of this source with the same bytes and profile, if any. */
  keptSame(run: Pick<Run, 'source' | 'content' | 'profile'>): Promise<Run | undefined>;
};

/** What the catalogue is built from, and how anyone notices that it should be built again. */
export type ListingStore = {
  /** Changes whenever what is served may have changed. Cheap: asked every half second. */
  version(): Promise<string>;
  /** All listings in batches, in no order, at one moment. */
  listings(): AsyncIterable<StoredListing[]>;
  /** How the neighborhoods are drawn, if an ingest had boundaries. */
  outline(): Promise<string | undefined>;
  /** Names or keys that are never served. */
  suppressions(): Promise<Suppression[]>;
};

/** Kept from being served: a listing whose key is `value`, or whose name has the same words. */
export type Suppression = { value: string; reason: string; addedAt: Instant };

export type SuppressionStore = {
  add(suppression: Suppression): Promise<boolean>;
  remove(value: string): Promise<boolean>;
};

/** The day the store's newest good runs ended, per source: what `data_as_of` and health are made of. */
export type SourceState = {
  source: string;
  /** When its last good run ended (kept, or unchanged for a snapshot). */
  goodAt: Instant | null;
  /** The newest run, whatever became of it. */
  last: Pick<Run, 'run' | 'state' | 'detail' | 'startedAt'> | null;
};

export type SourceStateStore = { sourceStates(): Promise<SourceState[]> };

/** For a listing's place in a run: the listing as it stands, or nothing. */
export type KnownListing = Pick<
  StoredListing,
  'name' | 'category' | 'neighborhood' | 'status' | 'filedOn' | 'expiresOn'
>;
