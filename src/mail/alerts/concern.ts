/** What needs a person. Health, the log, `status`, the metric and the alert take their words from here. */

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

/** Something that needs a person. */
export type Concern = {
  kind: ConcernKind;
  /** The source that it is about, for concerns of one source. */
  source?: string;
  /** One sentence for everybody: no path, address or message of another program. */
  summary: string;
  /** The same for the operator, if more can be said. No address of a person. */
  detail?: string;
  /** When it began, if that is known. */
  since?: Instant;
  /** When an alert is sent at the earliest: until then it may end by itself. */
  tellFrom?: Instant;
  /** What to do, most useful first: sentences that contain the commands. */
  steps: readonly string[];
};

/** A concern as it was observed. */
export type ObservedConcern = {
  /** As `nameConcern` names it: the same as long as it lasts. */
  concern: string;
  kind: ConcernKind;
  sentence: string;
  since: Instant;
  /** When the last alert that named it was sent. */
  toldAt: Instant | null;
  /** When it ended; deleted once an alert has mentioned that. */
  resolvedAt: Instant | null;
};

export function nameConcern({ kind, source }: Pick<Concern, 'kind' | 'source'>): string {
  return source === undefined ? kind : `${kind} ${source}`;
}
