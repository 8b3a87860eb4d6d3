/** Finds what stands out in an edition, from counts alone: the first sentence of its email. Pure. */

import { type Day, type Month, monthOf, toDayNumber } from '../../listings/day.ts';
import { isUnknown } from '../../listings/listing.ts';
import { parsePreferences } from '../../subscribers/preferences.ts';
import type { EditionContent } from './edition.ts';

/** With fewer earlier editions nobody can say what is unusual. */
const KNOWN_WEEKS = 8;

/** Earlier editions that are compared. */
export const MOST_WEEKS = 52;

/** Fewer listings of a category are no news. */
const FEWEST = 3;

/** An edition with more days, or with filings of more days, is more than a week's worth, and would beat any week. */
const LONGEST = { daysSeen: 8, daysFiled: 14 };

/** An earlier edition. */
export type Week = Pick<EditionContent, 'edition' | 'total' | 'byCategory'>;

export type Highlight = {
  /** The category that the week is about, or `undefined` for all. */
  kind: string | undefined;
  count: number;
  /** The month of the last week that had as many, or `undefined` if none of the known ones had. */
  since: Month | undefined;
  /** The number of earlier weeks in a row that had fewer. */
  weeks: number;
};

/**
 * Returns the record of the week: of all listings, or else the longest-standing of a category. Returns nothing if the
 * edition is not one week's worth, if too few weeks are known, for chosen neighborhoods (their earlier counts by
 * category are not stored), and if two categories stand out alike.
 */
export function findHighlight(
  content: EditionContent,
  earlier: readonly Week[],
  preferences: string | null,
): Highlight | undefined {
  const { neighborhoods } = parsePreferences(preferences);
  if (earlier.length < KNOWN_WEEKS || neighborhoods.length > 0 || !isWeek(content)) return undefined;
  const whole = compare(content.total, earlier, ({ total }) => total);
  if (preferences === null && whole !== undefined) return { kind: undefined, ...whole };
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

/** Compares with earlier weeks, newest first. Returns nothing unless enough of them in a row had fewer. */
function compare(count: number, earlier: readonly Week[], countIn: (week: Week) => number) {
  const at = earlier.findIndex((week) => countIn(week) >= count);
  const weeks = at === -1 ? earlier.length : at;
  if (count < FEWEST || weeks < KNOWN_WEEKS) return undefined;
  return { count, since: at === -1 ? undefined : monthOf(earlier[at]!.edition), weeks };
}

/** Whether four of five listings, and the edition itself, are of one week: registers also publish months at once. */
function isWeek({ from, to, listings }: EditionContent): boolean {
  const newest = listings[0]?.filing_date;
  const late = listings[Math.floor((listings.length - 1) * 0.8)]?.filing_date;
  if (newest === undefined || late === undefined) return false;
  return countDays(from, to) <= LONGEST.daysSeen && countDays(late, newest) <= LONGEST.daysFiled;
}

function countDays(from: Day, to: Day): number {
  return toDayNumber(to) - toDayNumber(from);
}
