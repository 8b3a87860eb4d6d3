/** `shingle subscribers stats`: how the list is doing. Prints no address. */

import type { Command } from 'commander';
import { toLocalDay } from '../../listings/day.ts';
import type { EditionStats, ListStats, SubscriptionCounts } from '../../mail/list-stats.ts';
import { JSON_OPTION, withService } from '../options.ts';
import { describeProgress } from '../send-now.ts';
import { printJson, printLine } from '../terminal.ts';

const EDITIONS_SHOWN = 4; // records of messages are kept for 30 days

export function addStatsCommand(subscribers: Command): void {
  subscribers
    .command('stats')
    .description('count subscribers, and show what the last editions and delivery reports came to')
    .option(...JSON_OPTION)
    .action(async (options: { json?: boolean }) => {
      const { stats, timeZone } = await withService(async ({ store, loaded }) => ({
        stats: await store.listStats.read(EDITIONS_SHOWN),
        timeZone: loaded.city.timeZone,
      }));
      if (options.json) printJson(reportOf(stats));
      else for (const line of describeStats(stats, timeZone)) printLine(line);
    });
}

function reportOf({ types, editions, announcements, reports }: ListStats) {
  return {
    subscriptions: types,
    editions: editions.map(({ decidedAt, progress, ...one }) => ({
      ...one,
      decided_at: decidedAt,
      ...progress,
    })),
    announcements: announcements.map(({ decidedAt, progress, ...one }) => ({
      ...one,
      decided_at: decidedAt,
      ...progress,
    })),
    reports: Object.fromEntries(
      Object.entries(reports).map(([verdict, count]) => [verdict.replaceAll('-', '_'), count]),
    ),
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
