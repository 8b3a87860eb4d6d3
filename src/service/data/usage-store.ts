/** Stores how often each route was asked on each day (UTC). Instances add to the same counts. */

import { addDays, type Day } from '../../shared/day.ts';
import type { Engine } from '../database/engines/engine.ts';

export const USAGE_DAYS = 90;

export type DayUsage = { day: Day; route: string; requests: number };

export function openUsageStore(engine: Engine) {
  return {
    /** Adds counts to a day, and deletes those of days that are more than 90 days older. */
    add: (day: Day, counts: ReadonlyMap<string, number>) =>
      engine.transaction(async (tx) => {
        await tx.write(
          `insert into used (day, route, requests) values (?, ?, ?)
           on conflict (day, route) do update set requests = used.requests + excluded.requests`,
          [...counts].map(([route, requests]) => [day, route, requests]),
        );
        await tx.write('delete from used where day < ?', [[addDays(day, -USAGE_DAYS)]]);
      }),
    /** Returns the counts from a day on, newest day first, then by number. */
    since: (day: Day) =>
      engine.read<DayUsage>(
        'select day, route, requests from used where day >= ? order by day desc, requests desc, route',
        [day],
      ),
  };
}
