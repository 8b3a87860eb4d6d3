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

/** Reads the statistics of subscriptions, of reports by verdict, and of the newest edition. */
export async function readListStats(engine: Engine) {
  const reports = await engine.read<{ verdict: ReportVerdict; reports: number }>(
    'select verdict, reports from report_tally order by verdict',
  );
  return {
    types: await countSubscriptions(engine),
    lastEdition: await readLastEdition(engine),
    reports: Object.fromEntries(reports.map((one) => [one.verdict, one.reports])),
  };
}

async function countSubscriptions(engine: Engine): Promise<Record<SignupType, SubscriptionCounts>> {
  type CountRow = Pick<Subscription, 'type' | 'state'> & { refusedAt: Instant | null; count: number };
  const rows = await engine.read<CountRow>(
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

/** Counts the messages of the newest edition, if they are of the last 30 days, and how many have a failure report (`bounced`). */
async function readLastEdition(engine: Engine) {
  const [last] = await engine.read<Pick<StoredEdition, 'edition' | 'reason'> & { bounced: number }>(
    `select edition, reason, (select count(*) from bounce as b
       join message as m on m.message = b.message where m.edition = edition.edition) as bounced
     from edition order by edition desc limit 1`,
  );
  if (last === undefined) return undefined;
  const progress = await countProgress(engine, 'edition', last.edition);
  const made = progress.waiting > 0 ? 'open' : 'finished';
  return { ...last, state: last.reason === null ? made : 'skipped', ...progress };
}
