/** `shingle subscribers stats`: counts subscribers, and reports the last editions and delivery reports. Prints no address. */

import type { Command } from 'commander';
import { toLocalDay } from '../../listings/day.ts';
import type { EditionStats, ListStats, SubscriptionCounts } from '../../mail/list-stats.ts';
import { addAction, toSnakeCase, withService } from '../options.ts';
import { describeProgress } from '../send-now.ts';

const EDITIONS_SHOWN = 4; // records of messages are kept for 30 days

export function addStatsCommand(subscribers: Command): void {
  const stats = subscribers
    .command('stats')
    .description('count subscribers, and show the results of the last editions and delivery reports');
  addAction(stats, () =>
    withService(async ({ store, loaded }) => {
      const read = await store.listStats.read(EDITIONS_SHOWN);
      return { json: reportOf(read), text: describeStats(read, loaded.city.timeZone).join('\n') };
    }),
  );
}

function reportOf({ types, editions, announcements, reports }: ListStats) {
  const flatten = (all: readonly { progress: object }[]) =>
    toSnakeCase(all.map(({ progress, ...one }) => ({ ...one, ...progress })));
  const named = Object.entries(reports).map(([verdict, count]) => [verdict.replaceAll('-', '_'), count]);
  return {
    subscriptions: types,
    editions: flatten(editions),
    announcements: flatten(announcements),
    reports: Object.fromEntries(named),
  };
}

function describeStats({ types, editions, announcements, reports }: ListStats, timeZone: string): string[] {
  const counted = Object.entries(reports).map(
    ([verdict, count]) => `${count} ${verdict.replaceAll('-', ' ')}`,
  );
  return [
    ...Object.entries(types).map(([type, counts]) => `${type.padEnd(12)}  ${describeCounts(counts)}`),
    ...editions.map(describeEdition),
    ...announcements.map(
      ({ type, subject, decidedAt, progress }) =>
        `"${subject}" to the ${type} on ${toLocalDay(timeZone, decidedAt)}: ${describeProgress(progress, null)}`,
    ),
    ...(counted.length === 0 ? [] : [`delivery reports: ${counted.join(', ')}`]),
  ];
}

function describeCounts({ confirmed, pending, left, bounced }: SubscriptionCounts): string {
  return `${confirmed} confirmed, ${pending} not confirmed, ${left} unsubscribed in the last 30 days, ${bounced} bounced`;
}

function describeEdition({ edition, state, reason, progress, bounced }: EditionStats): string {
  if (state === 'skipped') return `edition of ${edition}: skipped (${reason})`;
  return `edition of ${edition}: ${describeProgress(progress, null)}${bounced === 0 ? '' : `, ${bounced} bounced`}`;
}
