/** Stores each edition once, with its runs and its messages. Each method is one transaction. */

import type { Engine, Reading, Transaction } from '../../database/engines/engine.ts';
import { bumpVersion } from '../../import/listing-store.ts';
import { findNews } from '../../import/news.ts';
import type { Day, Instant } from '../../listings/day.ts';
import { probe } from '../../listings/probe.ts';
import { makeRandomName } from '../../subscribers/tokens.ts';
import { addMessages, countProgress } from '../outbox-store.ts';
import type { EditionContent } from './edition.ts';
import { MOST_WEEKS } from './highlight.ts';

export type StoredEdition = {
  /** The local day of its slot. It names the edition. */
  edition: Day;
  state: 'open' | 'finished' | 'skipped';
  reason: 'empty' | 'late' | null;
  decidedAt: Instant;
  /** An `EditionContent` as JSON, or `null` if the edition was skipped because it was late. */
  content: string | null;
};

export type NewEdition = StoredEdition & {
  expiresAt: Instant;
  /** Whether the edition has listings for these preferences. Default: always. */
  isFor?: ((preferences: string | null) => boolean) | undefined;
};

const SELECT = 'select edition, state, reason, decided_at as "decidedAt", content from edition';
const RECIPIENTS = `select p.subscriber, s.preferences from subscriber as p join subscription as s on s.subscriber = p.subscriber
  where s.type = 'weekly' and s.state = 'confirmed' and p.refused_at is null order by p.subscriber`;

export type EditionStore = ReturnType<typeof openEditionStore>;

export function openEditionStore(engine: Engine) {
  return {
    last: () => editionWhere(engine, 'edition = (select max(edition) from edition)', []),
    edition: (edition: Day) => editionWhere(engine, 'edition = ?', [edition]),
    /** Returns the contents of editions before this one, newest first. */
    earlier: async (edition: Day) => {
      const sql = `${SELECT} where edition < ? and content is not null order by edition desc limit ?`;
      const rows = await engine.read<StoredEdition>(sql, [edition, MOST_WEEKS]);
      return rows.flatMap((row) => readContent(row) ?? []);
    },
    news: () => findNews(engine),
    /** Returns the end of the first kept run, or the time of a later restore. Slots before that get no edition. */
    since: () => findStart(engine),
    /** Stores an edition, its runs and its messages. Returns `false` if an edition with this or a later name exists. */
    async decide(edition: NewEdition, runs: readonly number[]): Promise<boolean> {
      probe('edition:before');
      const isDecided = await engine.transaction((tx) => decide(tx, edition, runs));
      probe('edition:committed');
      return isDecided;
    },
    /** Counts the people who would get the edition now, and the people for whom it has no listing. */
    recipients: (isFor?: NewEdition['isFor']) => countRecipients(engine, isFor),
    progress: (edition: Day) => countProgress(engine, 'edition', edition),
  };
}

export function readContent(edition: StoredEdition | undefined): EditionContent | undefined {
  return edition?.content ? (JSON.parse(edition.content) as EditionContent) : undefined;
}

async function editionWhere(
  reading: Reading,
  condition: string,
  params: readonly string[],
): Promise<StoredEdition | undefined> {
  return (await reading.read<StoredEdition>(`${SELECT} where ${condition}`, params))[0];
}

async function findStart(engine: Engine): Promise<Instant | null> {
  const [first] = await engine.read<{ at: Instant | null }>(
    "select min(ended_at) as at from run where state = 'kept'",
  );
  const [outbox] = await engine.read<{ restored_at: Instant | null }>('select restored_at from outbox');
  const [at, restoredAt] = [first?.at ?? null, outbox!.restored_at];
  return at !== null && restoredAt !== null && restoredAt > at ? restoredAt : at;
}

async function decide(tx: Transaction, edition: NewEdition, runs: readonly number[]): Promise<boolean> {
  const later = await tx.read('select edition from edition where edition >= ? limit 1', [edition.edition]);
  if (later.length > 0) return false;
  const { edition: name, state, reason, decidedAt, content, expiresAt } = edition;
  await tx.write('insert into edition (edition, state, reason, decided_at, content) values (?, ?, ?, ?, ?)', [
    [name, state, reason, decidedAt, content],
  ]);
  await tx.write(
    'insert into edition_run (run, edition) values (?, ?)',
    runs.map((run) => [run, name]),
  );
  if (state !== 'open') return true;
  const groups = await groupRecipients(tx, edition.isFor);
  const messages = groups.flatMap(({ preferences, people }) => {
    // messages are sent in order of name, so this groups those with the same text
    const group = makeRandomName().slice(0, 8);
    return people.map((subscriber) => ({
      message: group + makeRandomName().slice(8),
      subscriber,
      preferences,
    }));
  });
  await addMessages(tx, {
    kind: 'edition',
    type: 'weekly',
    of: name,
    madeAt: decidedAt,
    expiresAt,
    messages,
  });
  await bumpVersion(tx); // the search index contains the editions
  return true;
}

type Group = { preferences: string | null; people: string[] };

async function groupRecipients(reading: Reading, isFor: NewEdition['isFor'] = () => true): Promise<Group[]> {
  const everybody = await reading.read<{ subscriber: string; preferences: string | null }>(RECIPIENTS);
  const groups = Map.groupBy(everybody, ({ preferences }) => preferences);
  return [...groups]
    .map(([preferences, group]) => ({ preferences, people: group.map(({ subscriber }) => subscriber) }))
    .filter(({ preferences }) => isFor(preferences));
}

async function countRecipients(
  engine: Engine,
  isFor: NewEdition['isFor'],
): Promise<{ recipients: number; unmatched: number }> {
  const groups = await groupRecipients(engine);
  const count = (some: readonly Group[]) => some.reduce((sum, { people }) => sum + people.length, 0);
  const recipients = count(groups.filter(({ preferences }) => isFor?.(preferences) ?? true));
  return { recipients, unmatched: count(groups) - recipients };
}
