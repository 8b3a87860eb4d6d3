/** What needs a person, and what telling the operator needs kept; `storage` implements it. Types and names only. */

import type { Instant } from '../../listings/day.ts';

export const CONCERN_KINDS = [
  'disk',
  'disk-soon',
  'backup',
  'never-ingested',
  'held',
  'failed',
  'old',
  'stale',
  'overdue',
  'mail-paused',
  'confirmations',
  'undelivered',
  'alert',
  'not-running',
] as const;

export type ConcernKind = (typeof CONCERN_KINDS)[number];

/** Something that needs a person. Health, the log, `status` and the alert take their sentences from here. */
export type Concern = {
  kind: ConcernKind;
  /** The source that it is about, for concerns of one source. */
  source?: string;
  /** One sentence for everybody: no path, address or message of another program. */
  summary: string;
  /** The same for the operator, where more can be said. No address of a person. */
  detail?: string;
  /** When it began, where that is known. */
  since?: Instant;
  /** When it is told at the earliest: until then it may end by itself. */
  tellFrom?: Instant;
  /** What to do, most useful first: sentences that contain the commands. */
  steps: readonly string[];
};

/** A concern as it was observed: `concern` is its kind and source, the same as long as it lasts. */
export type ObservedConcern = {
  concern: string;
  kind: ConcernKind;
  sentence: string;
  since: Instant;
  /** The last alert that named it. */
  toldAt: Instant | null;
  /** When it was over; deleted once it was told. */
  resolvedAt: Instant | null;
};

/** The newest alert. `waiting`: put off by the mail server; `uncertain`: it may have arrived. */
export type Alert = {
  message: string;
  state: 'sending' | 'waiting' | 'sent' | 'uncertain' | 'refused' | 'dropped';
  madeAt: Instant;
  attempts: number;
  /** When one last left, or may have left, or was refused: the next one is made a day later. */
  endedAt: Instant | null;
  nextAt: Instant;
  /** What the mail server said, as a code. */
  outcome: string | null;
};

/** `told`: the concerns that the alert named; what was over among them is deleted. */
export type AlertOutcome = { message: string; at: Instant; code: string | null } & (
  | { end: 'sent' | 'uncertain' | 'refused'; told: readonly string[] }
  | { end: 'waiting'; nextAt: Instant; isDoubtful: boolean }
);

/** A running `start` or `serve`. */
export type Instance = { instance: string; command: 'start' | 'serve'; startedAt: Instant; seenAt: Instant };

export type AlertStore = {
  /** Writes down which concerns there are now. Answers them, and those that are over and not told yet. */
  observe(concerns: readonly Concern[], now: Instant): Promise<ObservedConcern[]>;
  /** What was observed last. */
  observed(): Promise<ObservedConcern[]>;
  /** The newest alert. */
  newest(): Promise<Alert | undefined>;
  /**
   * Claims the alert that is due: one that was interrupted or put off, else, a day after the one before, a new one. The caller must hold
   * the lock `alerts`, so one in state "sending" is orphaned: it is sent again under its own Message-ID, twice at most.
   */
  claim(now: Instant): Promise<Alert | undefined>;
  /** Writes down what became of a claimed alert. */
  finish(outcome: AlertOutcome): Promise<void>;
  /** Nothing is left to tell: one that was put off is not sent any more. One that may have arrived counts as sent. */
  drop(): Promise<void>;
  /** How many messages were finished since then, and how many of them were not delivered. */
  countUndelivered(since: Instant): Promise<{ finished: number; undelivered: number }>;
  /** This instance runs; `undefined` when it has stopped. Forgets those that were not seen for a day. */
  pulse(instance: Omit<Instance, 'seenAt'>, at: Instant | undefined): Promise<void>;
  instances(): Promise<Instance[]>;
};
