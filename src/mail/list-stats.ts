/** How the list of subscribers is doing, for the operator. Counts what was sent and what came back; opens and clicks are not tracked. */

import type { Instant } from '../listings/day.ts';
import type { EditionProgress, findShownState, SignupType, StoredEdition } from '../subscribers/ports.ts';
import type { ReportVerdict } from './bounces/bounce-ports.ts';

/** By the state that `findShownState` finds. `left`: in the last 30 days; then people are deleted. */
export type SubscriptionCounts = Record<ReturnType<typeof findShownState>, number>;

export type EditionStats = Pick<StoredEdition, 'edition' | 'state' | 'reason'> & {
  decidedAt: Instant;
  /** Those of the last 30 days. */
  progress: EditionProgress;
  /** Of those, how many a delivery report came for. */
  bounced: number;
};

export type ListStats = {
  types: Record<SignupType, SubscriptionCounts>;
  /** Newest first. */
  editions: readonly EditionStats[];
  announcements: readonly {
    type: SignupType;
    subject: string;
    decidedAt: Instant;
    progress: EditionProgress;
  }[];
  /** How many delivery reports came to what so far. */
  reports: Partial<Record<ReportVerdict, number>>;
};

export type ListStatsStore = {
  /** With so many of the newest editions. */
  read(mostEditions: number): Promise<ListStats>;
};
