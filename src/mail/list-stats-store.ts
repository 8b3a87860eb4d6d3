/** Counts about the list of subscribers. Changes nothing. */

import type { Engine } from '../database/engines/engine.ts';
import type { Instant } from '../listings/day.ts';
import {
  findShownState,
  SIGNUP_TYPES,
  type SignupType,
  type StoredEdition,
  type Subscription,
} from '../subscribers/ports.ts';
import { openAnnouncementStore } from './announcements/announcement-store.ts';
import { openBounceStore } from './bounces/bounce-store.ts';
import { countProgress } from './editions/edition-store.ts';
import type { EditionStats, ListStats, ListStatsStore, SubscriptionCounts } from './list-stats.ts';

export function openListStatsStore(engine: Engine): ListStatsStore {
  const announcements = openAnnouncementStore(engine);
  const { tally } = openBounceStore(engine);
  return {
    async read(mostEditions) {
      const announced = await Promise.all(
        SIGNUP_TYPES.map(async (type) => {
          const { words: _, ...found } = (await announcements.find(type)) ?? { words: '' };
          return 'subject' in found ? [{ ...found, progress: await announcements.progress(type) }] : [];
        }),
      );
      return {
        types: await countSubscriptions(engine),
        editions: await readEditions(engine, mostEditions),
        announcements: announced.flat(),
        reports: Object.fromEntries((await tally()).map(({ verdict, reports }) => [verdict, reports])),
      };
    },
  };
}

async function countSubscriptions(engine: Engine): Promise<ListStats['types']> {
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
  return Object.fromEntries(SIGNUP_TYPES.map((type) => [type, countFor(type)])) as ListStats['types'];
}

async function readEditions(engine: Engine, most: number): Promise<EditionStats[]> {
  const editions = await engine.read<Omit<StoredEdition, 'content'>>(
    `select edition, state, reason, decided_at as "decidedAt" from edition order by edition desc limit ?`,
    [most],
  );
  const stats: EditionStats[] = [];
  for (const one of editions) {
    const [bounced] = await engine.read<{ count: number }>(
      `select count(*) as count from bounce as b join message as m on m.message = b.message where m.edition = ?`,
      [one.edition],
    );
    const progress = await countProgress(engine, 'edition', one.edition);
    stats.push({ ...one, progress, bounced: bounced!.count });
  }
  return stats;
}
