/** Parses and stores announcements: one email for each signup type, written by the operator in Markdown. */

import { isUtf8 } from 'node:buffer';
import { addMs, DAY_MS, type Instant, toLocalDay } from '../../shared/day.ts';
import { conflictError, usageError } from '../../shared/errors.ts';
import { probe } from '../../shared/probe.ts';
import { SIGNUPS, type SignupType } from '../../shared/signup/signups.ts';
import { toPlainText } from '../../shared/text/markdown.ts';
import { commitAt, type Engine, type Reader, type Transaction } from '../database/engines/engine.ts';
import { makeRandomName } from '../subscribers/tokens.ts';
import { addMessages, countProgress } from './outbox-store.ts';

const ANNOUNCEMENT_DAYS = 14; // longer than an edition's two days, because the news stays relevant
const MOST_FILE_BYTES = 65_536;
const MOST_SUBJECT_LENGTH = 150; // mail programs truncate longer ones

/** Parses an announcement file. Throws `usage` with a sentence for the operator if it is invalid. */
export function parseAnnouncement(bytes: Uint8Array, type: SignupType): { subject: string; words: string } {
  const refusal = (sentence: string) => usageError(sentence);
  if (bytes.length > MOST_FILE_BYTES)
    throw refusal(`the announcement is larger than ${MOST_FILE_BYTES / 1024} KiB`);
  if (!isUtf8(bytes)) throw refusal('the announcement is not UTF-8 text');
  const words = new TextDecoder().decode(bytes).replaceAll(/\r\n?/g, '\n').trim();
  const [first = '', ...rest] = words.split('\n');
  const subject = toPlainText(/^#[ \t]+(\S.*)$/.exec(first)?.[1] ?? '').trim();
  if (subject === '')
    throw refusal(
      `the announcement must begin with a heading, such as "# News for ${SIGNUPS[type].name}": it is the subject of the email`,
    );
  if (subject.length > MOST_SUBJECT_LENGTH)
    throw refusal(`the heading is longer than ${MOST_SUBJECT_LENGTH} characters`);
  if (rest.join('').trim() === '') throw refusal('the announcement has a heading and no text');
  return { subject, words };
}

/** The one email to all people who signed up for a type. */
export type Announcement = {
  type: SignupType;
  subject: string;
  /** The operator's Markdown, unchanged. */
  words: string;
};

/** Selects confirmed people without the announcement. Reads `announced`, because messages are deleted after 30 days. */
const RECIPIENTS = `select p.subscriber from subscriber as p join subscription as s on s.subscriber = p.subscriber
  where s.type = ? and s.state = 'confirmed' and p.refused_at is null
    and not exists (select a.subscriber from announced as a where a.subscriber = p.subscriber and a.type = s.type)
  order by s.confirmed_at, p.subscriber`;

export type AnnouncementStore = ReturnType<typeof openAnnouncementStore>;

export function openAnnouncementStore(engine: Engine) {
  return {
    find: (type: SignupType) => findAnnouncement(engine, type),
    /**
     * Stores the announcement and a message for each person without one. Throws `conflict` if its text has changed.
     * `repeated`: it was stored before, and goes to people who have confirmed since. `empty`: nobody would get it.
     */
    decide: commitAt('announcement:committed', engine, decide),
    progress: (type: SignupType) => countProgress(engine, 'announcement', type),
  };
}

async function findAnnouncement(reader: Reader, type: string) {
  const sql = 'select type, subject, words, decided_at as "decidedAt" from announcement where type = ?';
  return (await reader.read<Announcement & { decidedAt: Instant }>(sql, [type]))[0];
}

async function decide(
  tx: Transaction,
  { type, subject, words }: Announcement,
  { now, timeZone, dry }: { now: Instant; timeZone: string; dry: boolean },
) {
  probe('announcement:before');
  const before = await findAnnouncement(tx, type);
  const decidedAt = before?.decidedAt ?? now;
  const decidedOn = toLocalDay(timeZone, decidedAt);
  if (before !== undefined && (before.subject !== subject || before.words !== words))
    throw conflictError(
      `"${before.subject}" was announced on ${decidedOn}, and everyone was promised one email: nothing was sent. To send it to those who have confirmed since, use the same text`,
    );
  const people = await tx.read<{ subscriber: string }>(RECIPIENTS, [type]);
  if (!dry && people.length > 0) {
    await tx.write(
      'insert into announcement (type, subject, words, decided_at) values (?, ?, ?, ?) on conflict (type) do nothing',
      [[type, subject, words, now]],
    );
    await tx.write(
      'insert into announced (type, subscriber, announced_at) values (?, ?, ?)',
      people.map(({ subscriber }) => [type, subscriber, now]),
    );
    const messages = people.map((one) => ({ ...one, message: makeRandomName(), preferences: null }));
    const expiresAt = addMs(now, ANNOUNCEMENT_DAYS * DAY_MS);
    await addMessages(tx, { kind: 'announcement', type, of: type, madeAt: now, expiresAt, messages });
  }
  const outcome = before !== undefined ? 'repeated' : people.length === 0 ? 'empty' : 'decided';
  return { outcome, recipients: people.length, decidedAt, decidedOn };
}
