/** What the handling of delivery reports needs kept; `storage` implements it. */

import type { Instant } from '../../listings/day.ts';
import type { ReportedMessage } from './return-path.ts';

/**
 * What became of a report. `stopped`: nothing more is sent to the address until it confirms again. `temporary`: counted, and the
 * fifth edition in a row stops the address. `repeated`: known already. `outdated`: the person has confirmed since. All others
 * change nothing; `unknown` has no return path that we made for a message we still have.
 */
export type ReportVerdict =
  | 'stopped'
  | 'temporary'
  | 'repeated'
  | 'outdated'
  | 'arrived'
  | 'delayed'
  | 'unclear'
  | 'not-a-report'
  | 'unknown'
  | 'unreadable'
  | 'too-large';

/** A failure that a report tells of. */
export type ReportedFailure = { message: string; is: 'permanent' | 'temporary'; status: string; at: Instant };

export type BounceStore = {
  /** The key of return paths, in hex: made when it is first asked for. */
  key(): Promise<string>;
  /** A message of the last 30 days, and the address it went to. */
  findReported(message: string): Promise<(ReportedMessage & { address: string }) | undefined>;
  /** Writes down a failure and what follows from it, and counts the report. Again with the same report changes nothing. */
  recordFailure(failure: ReportedFailure): Promise<ReportVerdict>;
  /** Counts a report from which nothing follows. */
  countReport(verdict: ReportVerdict): Promise<void>;
  /** How many reports came to what so far. */
  tally(): Promise<{ verdict: ReportVerdict; reports: number }[]>;
};
