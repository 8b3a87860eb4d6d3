/** Finds a record in the counts of an edition, for the first sentence of its email. */

import { isUnknown } from '../city/value-names.ts';
import { countDays, type Month, monthOf } from '../day.ts';
import type { Listing } from '../listing.ts';
import { asksForAll, type Preferences } from '../signup/preferences.ts';
import type { EditionContent } from './edition.ts';

const KNOWN_WEEKS = 8; // minimum number of earlier editions to compare with
export const MOST_WEEKS = 52;
const FEWEST = 3; // minimum number of listings for a record
const LONGEST = { daysSeen: 8, daysFiled: 14 }; // a longer edition would always be a record

export type Week = Pick<EditionContent, 'edition' | 'total' | 'byCategory'>;

/** A week, with the days on which its listings were first seen and filed. Its listings are newest first. */
type WholeWeek = Week &
  Pick<EditionContent, 'from' | 'to'> & { listings: readonly Pick<Listing, 'filing_date'>[] };

export type Highlight = {
  /** The category with the record, or `undefined` for all categories together. */
  kind: string | undefined;
  count: number;
  /** The month of the latest earlier week with at least as many listings, or `undefined` if there is none. */
  since: Month | undefined;
  /** How many earlier weeks in a row had fewer listings. */
  weeks: number;
};

/**
 * Returns the record of the week: that of all listings or, without one, the category record that spans the most weeks.
 * Returns `undefined` if the edition covers more than a week, if there are too few earlier weeks, if neighborhoods are
 * chosen (their earlier counts by category are not stored), or if two categories have equal records.
 */
export function findHighlight(
  content: WholeWeek,
  earlier: readonly Week[],
  wanted: Preferences,
): Highlight | undefined {
  if (earlier.length < KNOWN_WEEKS || wanted.neighborhoods.length > 0 || !isWeek(content)) return undefined;
  const whole = compare(content.total, earlier, ({ total }) => total);
  if (asksForAll(wanted) && whole !== undefined) return { kind: undefined, ...whole };
  const records = content.byCategory
    .filter(({ value, count }) => !isUnknown(value) && count >= FEWEST)
    .flatMap(({ value: kind, count }) => {
      const record = compare(count, earlier, (week) => countOf(week, kind));
      return record === undefined ? [] : [{ kind, ...record }];
    })
    .sort((a, b) => b.weeks - a.weeks || b.count - a.count);
  const [first, second] = records;
  const isTied = first !== undefined && first.weeks === second?.weeks && first.count === second.count;
  return isTied ? undefined : first;
}

function countOf({ byCategory }: Week, kind: string): number {
  return byCategory.find(({ value }) => value === kind)?.count ?? 0;
}

/** Compares a count with earlier weeks, newest first. Returns `undefined` unless enough consecutive weeks had fewer. */
function compare(count: number, earlier: readonly Week[], countIn: (week: Week) => number) {
  const at = earlier.findIndex((week) => countIn(week) >= count);
  const weeks = at === -1 ? earlier.length : at;
  if (count < FEWEST || weeks < KNOWN_WEEKS) return undefined;
  return { count, since: at === -1 ? undefined : monthOf(earlier[at]!.edition), weeks };
}

/** Returns whether an edition covers about a week, as do most of its filings. Some registers publish months at once. */
function isWeek({ from, to, listings }: WholeWeek): boolean {
  const newest = listings[0]?.filing_date;
  const late = listings[Math.floor((listings.length - 1) * 0.8)]?.filing_date;
  if (newest === undefined || late === undefined) return false;
  return countDays(from, to) <= LONGEST.daysSeen && countDays(late, newest) <= LONGEST.daysFiled;
}
