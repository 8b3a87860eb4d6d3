/** Defines concerns: problems for an operator to resolve. Health, log, `status`, metrics, alerts share their texts. */

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

export type Concern = {
  kind: ConcernKind;
  source?: string;
  /** A sentence for the public, without paths, addresses or messages of other programs. */
  summary: string;
  /** A longer sentence for the operator, if there is more to say, without subscribers' addresses. */
  detail?: string;
  since?: Instant;
  /** The earliest time for an alert. Before that, the concern may resolve itself. */
  tellFrom?: Instant;
  /** Sentences with the commands to run, most useful first. */
  steps: readonly string[];
};

export type ObservedConcern = {
  /** The name from `nameConcern`, constant while the concern lasts. */
  concern: string;
  kind: ConcernKind;
  sentence: string;
  since: Instant;
  /** When an alert last named the concern. */
  toldAt: Instant | null;
  /** When the concern ended. The record is deleted once an alert has reported it. */
  resolvedAt: Instant | null;
};

export function nameConcern({ kind, source }: Pick<Concern, 'kind' | 'source'>): string {
  return source === undefined ? kind : `${kind} ${source}`;
}
