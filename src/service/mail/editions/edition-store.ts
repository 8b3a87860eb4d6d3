/** Stores each edition once, with its runs and its messages. Each method is one transaction. */

import type { Spoken } from '../../../shared/city/value-names.ts';
import { addDays, type Day, type Instant } from '../../../shared/day.ts';
import { type EditionContent, type ListingId, nameContent } from '../../../shared/edition/edition.ts';
import { MOST_WEEKS } from '../../../shared/edition/highlight.ts';
import { probe } from '../../../shared/probe.ts';
import { commitAt, type Engine, type Reader, type Transaction } from '../../database/engines/engine.ts';
import { bumpVersion } from '../../runs/listing-store.ts';
import { findNews } from '../../runs/news.ts';
import { makeRandomName } from '../../subscribers/tokens.ts';
import { addMessages, countProgress } from '../outbox-store.ts';

export type StoredEdition = {
  /** The local day of the slot, which names the edition. */
  edition: Day;
  /** Why it was skipped, or `null`. */
  reason: 'empty' | 'late' | 'unapproved' | null;
  decidedAt: Instant;
  /** A `StoredContent` as JSON, or `null` if the edition was skipped because it was late. */
  content: string | null;
  /** What the operator says at the top, as plain text. */
  introduction: string | null;
};

/** What the operator prepared for an edition that does not exist yet. `digest`: of the content that was approved. */
export type Review = { introduction: string | null; digest: string | null };

const NO_REVIEW: Review = { introduction: null, digest: null };

export type NewEdition = Omit<StoredEdition, 'introduction'> & {
  introduction?: string | null;
  expiresAt: Instant;
  /** Returns whether the edition has listings for these preferences. Default: always. */
  isFor?: ((preferences: string | null) => boolean) | undefined;
};

const SELECT = 'select edition, reason, decided_at as "decidedAt", content, introduction from edition';
const SELECT_REVIEW = 'select introduction, digest from review';
const RECIPIENTS = `select p.subscriber, s.preferences from subscriber as p join subscription as s on s.subscriber = p.subscriber
  where s.type = 'weekly' and s.state = 'confirmed' and p.refused_at is null order by p.subscriber`;

export type EditionStore = ReturnType<typeof openEditionStore>;

export function openEditionStore(engine: Engine) {
  return {
    /** Returns the newest edition, or the newest up to a slot: a wrong clock may have made editions of later ones. */
    last: async (slot: Day = '9999-12-31') =>
      (
        await engine.read<StoredEdition>(`${SELECT} where edition <= ? order by edition desc limit 1`, [slot])
      )[0],
    edition: async (edition: Day) =>
      (await engine.read<StoredEdition>(`${SELECT} where edition = ?`, [edition]))[0],
    /** Returns the editions with content before this one, newest first. */
    earlier: (edition: Day) =>
      engine.read<StoredEdition>(
        `${SELECT} where edition < ? and content is not null order by edition desc limit ?`,
        [edition, MOST_WEEKS],
      ),
    news: () => findNews(engine),
    review: async (edition: Day): Promise<Review> =>
      (await engine.read<Review>(`${SELECT_REVIEW} where edition = ?`, [edition]))[0] ?? NO_REVIEW,
    /** Stores what is not `undefined` in the review of an edition. Returns `false` if the edition exists. */
    prepare: commitAt('review:committed', engine, async (tx, edition: Day, review: Partial<Review>) => {
      if ((await tx.read('select edition from edition where edition = ?', [edition])).length > 0)
        return false;
      const [stored = NO_REVIEW] = await tx.read<Review>(`${SELECT_REVIEW} where edition = ?`, [edition]);
      const { introduction, digest } = { ...stored, ...review };
      await tx.write(
        `insert into review (edition, introduction, digest) values (?, ?, ?)
         on conflict (edition) do update set introduction = excluded.introduction, digest = excluded.digest`,
        [[edition, introduction, digest]],
      );
      probe('review:before-commit');
      return true;
    }),
    /** Returns the listings that no edition announces, in the order in which they were left out. */
    leftOut: () => engine.read<ListingId>('select source, key from left_out order by added_at, source, key'),
    /** Leaves listings out from now on or, without a time, takes them back. */
    leaveOut: commitAt(
      'left-out:committed',
      engine,
      async (tx, listings: readonly ListingId[], at?: Instant) => {
        const add =
          'insert into left_out (source, key, added_at) values (?, ?, ?) on conflict (source, key) do nothing';
        const remove = 'delete from left_out where source = ? and key = ?';
        const rows = listings.map(({ source, key }) => [source, key, ...(at === undefined ? [] : [at])]);
        await tx.write(at === undefined ? remove : add, rows);
        probe('left-out:before-commit');
      },
    ),
    /** Returns the end of the first kept run, or the time of a later restore. Slots before that get no edition. */
    async since(): Promise<Instant | null> {
      const sql = `select (select min(ended_at) from run where state = 'kept') as at, restored_at as "restoredAt" from outbox`;
      const [row] = await engine.read<Record<'at' | 'restoredAt', Instant | null>>(sql);
      const { at, restoredAt } = row!;
      return at !== null && restoredAt !== null && restoredAt > at ? restoredAt : at;
    },
    /** Stores an edition, its runs and its messages. Returns `false` if this edition or the next one exists. */
    decide: commitAt('edition:committed', engine, decide),
    /** Counts the people who would get the edition now, and those for whom it has no listings. */
    async recipients(isFor: NewEdition['isFor'] = () => true) {
      const count = { recipients: 0, unmatched: 0 };
      for (const [preferences, { length }] of await groupRecipients(engine))
        count[isFor(preferences) ? 'recipients' : 'unmatched'] += length;
      return count;
    },
    progress: (edition: Day) => countProgress(engine, 'edition', edition),
  };
}

export function readContent(edition: StoredEdition | undefined, city: Spoken): EditionContent | undefined {
  return edition?.content ? nameContent(JSON.parse(edition.content), city) : undefined;
}

export function readContents(editions: readonly StoredEdition[], city: Spoken): EditionContent[] {
  return editions.flatMap((edition) => readContent(edition, city) ?? []);
}

async function decide(tx: Transaction, edition: NewEdition, runs: readonly number[]): Promise<boolean> {
  probe('edition:before');
  const sql = 'select edition from edition where edition between ? and ? limit 1';
  const later = await tx.read(sql, [edition.edition, addDays(edition.edition, 7)]);
  if (later.length > 0) return false;
  const { edition: name, reason, decidedAt, content, introduction = null, expiresAt } = edition;
  await tx.write(
    'insert into edition (edition, reason, decided_at, content, introduction) values (?, ?, ?, ?, ?)',
    [[name, reason, decidedAt, content, introduction]],
  );
  await tx.write(
    'insert into edition_run (run, edition) values (?, ?)',
    runs.map((run) => [run, name]),
  );
  if (reason !== null) return true;
  const messages = [...(await groupRecipients(tx))].flatMap(([preferences, people]) => {
    if (edition.isFor?.(preferences) === false) return [];
    // messages are sent in order of name, so equal texts stay together
    const group = makeRandomName().slice(0, 8);
    return people.map((one) => ({ ...one, message: group + makeRandomName().slice(8) }));
  });
  const times = { madeAt: decidedAt, expiresAt };
  await addMessages(tx, { kind: 'edition', type: 'weekly', of: name, ...times, messages });
  await bumpVersion(tx); // the search index contains the editions
  return true;
}

type Recipient = { subscriber: string; preferences: string | null };

async function groupRecipients(reader: Reader): Promise<Map<string | null, Recipient[]>> {
  return Map.groupBy(await reader.read<Recipient>(RECIPIENTS), ({ preferences }) => preferences);
}
