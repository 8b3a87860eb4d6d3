/** Stores announcements: one for each type of signup, with a message for everybody who has not received it. */

import type { Engine, Reading, Transaction } from '../../database/engines/engine.ts';
import type { Instant } from '../../listings/day.ts';
import { probe } from '../../listings/probe.ts';
import type { SignupType } from '../../subscribers/subscriber.ts';
import { makeRandomName } from '../../subscribers/tokens.ts';
import { addMessages, countProgress } from '../outbox-store.ts';

/** The only email to people who signed up for a type that promises one. */
export type Announcement = {
  type: SignupType;
  subject: string;
  /** The operator's Markdown, unchanged. */
  words: string;
};

export type StoredAnnouncement = Announcement & { decidedAt: Instant };
type NewAnnouncement = StoredAnnouncement & { expiresAt: Instant };

/** Uses `announced`, which is kept permanently, because records of messages are deleted after 30 days. */
const RECIPIENTS = `select p.subscriber from subscriber as p join subscription as s on s.subscriber = p.subscriber
  where s.type = ? and s.state = 'confirmed' and p.refused_at is null
    and not exists (select a.subscriber from announced as a where a.subscriber = p.subscriber and a.type = s.type)
  order by s.confirmed_at, p.subscriber`;

export type AnnouncementStore = ReturnType<typeof openAnnouncementStore>;

export function openAnnouncementStore(engine: Engine) {
  return {
    find: (type: SignupType) => findAnnouncement(engine, type),
    countRecipients: async (type: SignupType) => (await engine.read(RECIPIENTS, [type])).length,
    /** Stores the first announcement of a type, and a message to everybody without one. `other`: its text differs. */
    async decide(announcement: NewAnnouncement): Promise<{ recipients: number; other?: StoredAnnouncement }> {
      probe('announcement:before');
      const decided = await engine.transaction((tx) => decide(tx, announcement));
      probe('announcement:committed');
      return decided;
    },
    progress: (type: SignupType) => countProgress(engine, 'announcement', type),
  };
}

async function findAnnouncement(reading: Reading, type: string): Promise<StoredAnnouncement | undefined> {
  const sql = 'select type, subject, words, decided_at as "decidedAt" from announcement where type = ?';
  return (await reading.read<StoredAnnouncement>(sql, [type]))[0];
}

async function decide(tx: Transaction, { type, subject, words, decidedAt, expiresAt }: NewAnnouncement) {
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
  const messages = people.map(({ subscriber }) => ({
    message: makeRandomName(),
    subscriber,
    preferences: null,
  }));
  await addMessages(tx, { kind: 'announcement', type, of: type, madeAt: decidedAt, expiresAt, messages });
  return { recipients: people.length };
}
