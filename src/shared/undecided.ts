/** Compares what two periods leave out by a status, such as pending licenses: it biases a comparison of them. */

import { addDays, type Day } from './day.ts';
import type { Days } from './periods.ts';

/**
 * Rows that a status leaves out, such as pending licenses, by their filing date. If they pile up in the newest year, every
 * comparison with the year before is too low.
 */
export type UndecidedDays = ReadonlyMap<Day, number>;

/** The least difference between the shares of two years that biases a comparison, and the fewest rows. */
const LEAST_DIFFERENCE = 0.05;
const FEWEST = 20;
const YEAR = 365;
/** Most days after the newest filing: what is filed later has a wrong date. */
const MOST_AHEAD = 92;
const YEARS_SHOWN = 4;

/** The rows left out in two periods, both of the whole city. */
export type Undecided = { now: number; before: number };

type Sides = { now: Days; before: Days };

/** Counts the rows left out in two periods, or returns `undefined` if they do not bias a comparison. `count` counts openings. */
export function findUndecided(
  days: UndecidedDays,
  { now, before }: Sides,
  count: (days: Days) => number,
): Undecided | undefined {
  const left = { now: countDays(days, now), before: countDays(days, before) };
  if (Math.max(left.now, left.before) < FEWEST) return undefined;
  const shareOf = (n: number, side: Days) => n / Math.max(1, n + count(side));
  const difference = shareOf(left.now, now) - shareOf(left.before, before);
  return Math.abs(difference) > LEAST_DIFFERENCE ? left : undefined;
}

/** Counts the rows left out by year, newest first, if they pile up in the year before the newest filing. */
export function findRecentUndecided(
  days: UndecidedDays,
  newest: Day,
  count: (days: Days) => number,
): [year: string, rows: number][] {
  const known = [...days.keys()].filter((day) => day <= addDays(newest, MOST_AHEAD));
  const last = [newest, ...known].sort().at(-1)!;
  const sides = {
    now: { filed_from: addDays(last, 1 - YEAR), filed_to: last },
    before: { filed_from: addDays(last, 1 - 2 * YEAR), filed_to: addDays(last, -YEAR) },
  };
  const found = findUndecided(days, sides, count);
  if (found === undefined || found.now <= found.before) return [];
  const years = Map.groupBy(days, ([day]) => day.slice(0, 4));
  return [...years]
    .map(([year, some]): [string, number] => [year, some.reduce((sum, [, rows]) => sum + rows, 0)])
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .slice(0, YEARS_SHOWN);
}

function countDays(days: UndecidedDays, { filed_from, filed_to }: Days): number {
  let sum = 0;
  for (const [day, rows] of days) if (day >= filed_from && (filed_to === '' || day <= filed_to)) sum += rows;
  return sum;
}
