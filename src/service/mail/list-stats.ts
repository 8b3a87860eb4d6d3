/** Collects statistics for the operator: subscriptions, messages, reports. Opens and clicks are not tracked. */

import type { Instant } from '../../shared/day.ts';
import { SIGNUP_TYPES, type SignupType } from '../../shared/signup/signups.ts';
import type { Engine } from '../database/engines/engine.ts';
import { findShownState, type Subscription } from '../subscribers/subscriber.ts';
import type { ReportVerdict } from './bounces/bounce-store.ts';
import type { StoredEdition } from './editions/edition-store.ts';
import { countProgress } from './outbox-store.ts';

/** Counts by state (`findShownState`). `left` covers only 30 days, because people are deleted after that. */
export type SubscriptionCounts = Record<ReturnType<typeof findShownState>, number>;

export type ListStats = Awaited<ReturnType<typeof readListStats>>;

/** Reads the statistics of subscriptions, reports, and up to `mostEditions` of the newest editions. */
export async function readListStats(engine: Engine, mostEditions: number) {
  const reports = await engine.read<{ verdict: ReportVerdict; reports: number }>(
    'select verdict, reports from report_tally order by verdict',
  );
  return {
    types: await countSubscriptions(engine),
    editions: await readEditions(engine, mostEditions),
    announcements: await readAnnouncements(engine),
    reports: Object.fromEntries(reports.map(({ verdict, reports }) => [verdict, reports])) as Partial<
      Record<ReportVerdict, number>
    >,
  };
}

async function countSubscriptions(engine: Engine): Promise<Record<SignupType, SubscriptionCounts>> {
  type Counted = Pick<Subscription, 'type' | 'state'> & { refusedAt: Instant | null; count: number };
  const rows = await engine.read<Counted>(
    `select s.type, s.state, max(p.refused_at) as "refusedAt", count(*) as count
     from subscription as s join subscriber as p on p.subscriber = s.subscriber
     group by s.type, s.state, p.refused_at is null`,
  );
  const countFor = (type: SignupType) => {
    const counts: SubscriptionCounts = { confirmed: 0, pending: 0, left: 0, bounced: 0 };
    for (const row of rows) if (row.type === type) counts[findShownState(row, row.refusedAt)] += row.count;
    return counts;
  };
  const counted = Object.fromEntries(SIGNUP_TYPES.map((type) => [type, countFor(type)]));
  return counted as Record<SignupType, SubscriptionCounts>;
}

/** Counts each edition's messages of the last 30 days, and how many have a failure report (`bounced`). */
async function readEditions(engine: Engine, most: number) {
  const editions = await engine.read<Omit<StoredEdition, 'content'> & { bounced: number }>(
    `select edition, state, reason, decided_at as "decidedAt", (select count(*) from bounce as b
       join message as m on m.message = b.message where m.edition = edition.edition) as bounced
     from edition order by edition desc limit ?`,
    [most],
  );
  const stats = editions.map(async (one) => {
    return { ...one, progress: await countProgress(engine, 'edition', one.edition) };
  });
  return Promise.all(stats);
}

async function readAnnouncements(engine: Engine) {
  const announcements = await engine.read<{ type: SignupType; subject: string; decidedAt: Instant }>(
    'select type, subject, decided_at as "decidedAt" from announcement order by type',
  );
  const stats = announcements.map(async (one) => {
    return { ...one, progress: await countProgress(engine, 'announcement', one.type) };
  });
  return Promise.all(stats);
}
