/** Everything that is stored about one address, for a person who asks. */

import type { Reading } from '../database/engines/engine.ts';

/** The tables with a row for a person, as `subscribers show` calls them. A test compares them with the tables of the database. */
export const PERSONAL_TABLES = {
  subscriber: 'subscriber',
  subscription: 'subscriptions',
  token: 'links',
  message: 'messages',
  announced: 'announcements',
  bounce: 'delivery_reports',
} as const;

type Stored = Readonly<Record<string, string | number | null>>;

/** The rows of each table, with their columns; a subscription has the words that were agreed to. */
export type StoredData = Record<(typeof PERSONAL_TABLES)[keyof typeof PERSONAL_TABLES], Stored[]>;

/** `undefined` if nothing is stored about the identity of this address. */
export async function readStoredData(reading: Reading, identity: string): Promise<StoredData | undefined> {
  const [person] = await reading.read<{ subscriber: string }>(
    'select subscriber from subscriber where identity = ?',
    [identity],
  );
  if (person === undefined) return undefined;
  const found: Partial<StoredData> = {};
  for (const [table, name] of Object.entries(PERSONAL_TABLES)) {
    const sql =
      table === 'subscription'
        ? 'select s.*, c.words from subscription as s left join consent as c on c.version = s.consent where subscriber = ?'
        : `select * from ${table} where subscriber = ?`;
    found[name] = await reading.read<Stored>(sql, [person.subscriber]);
  }
  return found as StoredData;
}
