/**
 * Editions: who gets one, and what was decided. Each edition is created once, with the runs it covers and a message for
 * each recipient. Each method is one transaction. Renders nothing.
 */

import type { Engine, Reading, Transaction } from '../../database/engines/engine.ts';
import { bumpVersion } from '../../import/listing-store.ts';
import { findNews } from '../../import/news.ts';
import type { Day, Instant } from '../../listings/day.ts';
import { probe } from '../../listings/probe.ts';
import { makeRandomName } from '../../subscribers/tokens.ts';
import { addMessages, countProgress } from '../outbox-store.ts';
import type { EditionContent } from './edition.ts';

export type StoredEdition = {
  /** The local day of its slot, which is its name. */
  edition: Day;
  state: 'open' | 'finished' | 'skipped';
  reason: 'empty' | 'late' | null;
  decidedAt: Instant;
  /** An `EditionContent` as JSON; `null` for one that was skipped because it was late. */
  content: string | null;
};

export type NewEdition = StoredEdition & {
  /** When its messages expire. */
  expiresAt: Instant;
  /** Whether it has anything for these preferences. Default: for all. */
  isFor?: ((preferences: string | null) => boolean) | undefined;
};

const RECIPIENTS = `select p.subscriber, s.preferences from subscriber as p join subscription as s on s.subscriber = p.subscriber
  where s.type = 'weekly' and s.state = 'confirmed' and p.refused_at is null order by p.subscriber`;

export type EditionStore = ReturnType<typeof openEditionStore>;

export function openEditionStore(engine: Engine) {
  return {
    /** The newest by name. */
    last: () => editionWhere(engine, 'edition = (select max(edition) from edition)', []),
    edition: (edition: Day) => editionWhere(engine, 'edition = ?', [edition]),
    /** See `import/news.ts`. */
    news: () => findNews(engine),
    /** When the first kept run ended or this database was restored, whichever is later: earlier slots are not ours. */
    since: () => findStart(engine),
    /**
     * Stores an edition, the runs it covers, and a message to everybody who is confirmed for the weekly email and whose
     * preferences it has something for, all at once. False if an edition of this name or a later one exists.
     */
    async decide(edition: NewEdition, runs: readonly number[]): Promise<boolean> {
      probe('edition:before');
      const isDecided = await engine.transaction((tx) => decide(tx, edition, runs));
      probe('edition:committed');
      return isDecided;
    },
    /** How many people an edition decided now would be sent to, and for how many it has nothing. */
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
  const sql = `select edition, state, reason, decided_at as "decidedAt", content from edition where ${condition}`;
  return (await reading.read<StoredEdition>(sql, params))[0];
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
    // messages are sent in the order of names, so the same texts follow each other
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
  await bumpVersion(tx); // the archive is part of the search index
  return true;
}

type Group = { preferences: string | null; people: string[] };

/** Everybody an edition has something for, by preferences. */
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
