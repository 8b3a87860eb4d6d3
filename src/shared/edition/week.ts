/** Compares a week with the weeks before it: what is usual. */

import type { EditionCount } from '../answers.ts';
import { findMedian } from '../sorted.ts';

/** How many weeks an edition shows, itself included. */
export const SHOWN_WEEKS = 12;
/** The fewest earlier weeks that say what is usual. */
export const FEWEST_COMPARED = 4;

export type WeekInContext = {
  /** The weeks, oldest first. The last one is the edition. */
  weeks: readonly EditionCount[];
  /** The median of the earlier weeks, or `undefined` for too few. */
  usual: number | undefined;
};

/** Compares an edition with the earlier ones, newest first. */
export function compareWeek(edition: EditionCount, earlier: readonly EditionCount[]): WeekInContext {
  const before = earlier.slice(0, SHOWN_WEEKS - 1);
  const totals = before.map(({ total }) => total);
  const isKnown = before.length >= FEWEST_COMPARED;
  return { weeks: [...before.toReversed(), edition], usual: isKnown ? findMedian(totals) : undefined };
}
