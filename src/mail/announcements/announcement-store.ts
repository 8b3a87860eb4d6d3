/** Announcements: one of each type, with a message for everybody who has not been sent it. Renders nothing. */

import type { Engine, Reading, Transaction } from '../../database/engines/engine.ts';
import { probe } from '../../listings/probe.ts';
import { makeRandomName } from '../../subscribers/tokens.ts';
import { countProgress } from '../editions/edition-store.ts';
import type { AnnouncementStore, StoredAnnouncement } from './announcement-ports.ts';

/** Records of messages are deleted after 30 days; `announced` is not. */
const RECIPIENTS = `select p.subscriber from subscriber as p join subscription as s on s.subscriber = p.subscriber
  where s.type = ? and s.state = 'confirmed' and p.refused_at is null
    and not exists (select a.subscriber from announced as a where a.subscriber = p.subscriber and a.type = s.type)
  order by s.confirmed_at, p.subscriber`;

export function openAnnouncementStore(engine: Engine): AnnouncementStore {
  return {
    find: (type) => findAnnouncement(engine, type),
    countRecipients: async (type) => (await engine.read(RECIPIENTS, [type])).length,
    async decide(announcement) {
      probe('announcement:before');
      const decided = await engine.transaction((tx) => decide(tx, announcement));
      probe('announcement:committed');
      return decided;
    },
    progress: (type) => countProgress(engine, 'announcement', type),
  };
}

async function findAnnouncement(reading: Reading, type: string): Promise<StoredAnnouncement | undefined> {
  const sql = 'select type, subject, words, decided_at as "decidedAt" from announcement where type = ?';
  return (await reading.read<StoredAnnouncement>(sql, [type]))[0];
}

async function decide(
  tx: Transaction,
  { type, subject, words, decidedAt, expiresAt }: Parameters<AnnouncementStore['decide']>[0],
): ReturnType<AnnouncementStore['decide']> {
  const before = await findAnnouncement(tx, type);
  if (before !== undefined && (before.subject !== subject || before.words !== words))
    return { recipients: 0, other: before };
  const people = await tx.read<{ subscriber: string }>(RECIPIENTS, [type]);
  if (people.length === 0) return { recipients: 0 };
  await tx.write(
    'insert into announcement (type, subject, words, decided_at) values (?, ?, ?, ?) on conflict (type) do nothing',
    [[type, subject, words, decidedAt]],
  );
  await tx.write(
    'insert into announced (type, subscriber, announced_at) values (?, ?, ?)',
    people.map(({ subscriber }) => [type, subscriber, decidedAt]),
  );
  // an older version does not know what urgency 3 is, and leaves it alone
  await tx.write(
    `insert into message (message, subscriber, kind, urgency, type, announcement, state, made_at, next_at, expires_at, attempts, doubts)
     values (?, ?, 'edition', 3, ?, ?, 'pending', ?, ?, ?, 0, 0)`,
    people.map(({ subscriber }) => [
      ...[makeRandomName(), subscriber, type, type, decidedAt, decidedAt, expiresAt],
    ]),
  );
  return { recipients: people.length };
}
