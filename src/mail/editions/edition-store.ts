/** Editions: each is created once, with the runs it covers and a message for each recipient. Renders nothing. */

import type { Engine, Reading, Transaction } from '../../database/engines/engine.ts';
import { bumpVersion } from '../../import/listing-store.ts';
import { findNews } from '../../import/news.ts';
import type { Instant } from '../../listings/day.ts';
import { probe } from '../../listings/probe.ts';
import type { EditionProgress, EditionStore, NewEdition, StoredEdition } from '../../subscribers/ports.ts';
import { makeRandomName } from '../../subscribers/tokens.ts';

const RECIPIENTS = `select p.subscriber, s.preferences from subscriber as p join subscription as s on s.subscriber = p.subscriber
  where s.type = 'weekly' and s.state = 'confirmed' and p.refused_at is null order by p.subscriber`;

const PROGRESS: Record<string, keyof EditionProgress> = {
  pending: 'waiting',
  sending: 'waiting',
  sent: 'sent',
  failed: 'failed',
  uncertain: 'uncertain',
  expired: 'expired',
  withdrawn: 'withdrawn',
};

export function openEditionStore(engine: Engine): EditionStore {
  return {
    last: () => editionWhere(engine, 'edition = (select max(edition) from edition)', []),
    edition: (edition) => editionWhere(engine, 'edition = ?', [edition]),
    news: () => findNews(engine),
    since: () => since(engine),
    async decide(edition, runs) {
      probe('edition:before');
      const isDecided = await engine.transaction((tx) => decide(tx, edition, runs));
      probe('edition:committed');
      return isDecided;
    },
    recipients: (isFor) => countRecipients(engine, isFor),
    progress: (edition) => countProgress(engine, 'edition', edition),
  };
}

async function editionWhere(
  reading: Reading,
  condition: string,
  params: readonly string[],
): Promise<StoredEdition | undefined> {
  const sql = `select edition, state, reason, decided_at as "decidedAt", content from edition where ${condition}`;
  return (await reading.read<StoredEdition>(sql, params))[0];
}

async function since(engine: Engine): Promise<Instant | null> {
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
  await tx.write(
    `insert into message (message, subscriber, kind, urgency, type, edition, state, made_at, next_at, expires_at, attempts, doubts,
       preferences)
     values (?, ?, 'edition', 2, 'weekly', ?, 'pending', ?, ?, ?, 0, 0, ?)`,
    groups.flatMap(({ preferences, people }) => {
      const group = makeRandomName().slice(0, 8); // sent in the order of names, so that the same texts follow each other
      return people.map((subscriber) => [
        ...[
          group + makeRandomName().slice(8),
          subscriber,
          name,
          decidedAt,
          decidedAt,
          expiresAt,
          preferences,
        ],
      ]);
    }),
  );
  await bumpVersion(tx); // the archive is part of the search index
  return true;
}

type Group = { preferences: string | null; people: string[] };

/** Everybody an edition has something for, by what they want. */
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

/** How many messages of an edition, or of an announcement, are where. */
export async function countProgress(
  reading: Reading,
  of: 'edition' | 'announcement',
  name: string,
): Promise<EditionProgress> {
  const progress: EditionProgress = {
    waiting: 0,
    sent: 0,
    failed: 0,
    uncertain: 0,
    expired: 0,
    withdrawn: 0,
  };
  const rows = await reading.read<{ state: string; n: number }>(
    `select state, count(*) as n from message where ${of} = ? group by state`,
    [name],
  );
  for (const { state, n } of rows) progress[PROGRESS[state]!] += n;
  return progress;
}
