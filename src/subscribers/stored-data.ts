/** Reads all stored data about an address, for a person who requests it. */

import type { Reading } from '../database/engines/engine.ts';

/** Tables with a person's rows and their names in `subscribers show`. A test compares them with the database. */
export const PERSONAL_TABLES = {
  subscriber: 'subscriber',
  subscription: 'subscriptions',
  token: 'links',
  message: 'messages',
  announced: 'announcements',
  bounce: 'delivery_reports',
} as const;

type Stored = Readonly<Record<string, string | number | null>>;

/** The rows of each table. A subscription includes its consent text. */
export type StoredData = Record<(typeof PERSONAL_TABLES)[keyof typeof PERSONAL_TABLES], Stored[]>;

/** Reads the data of an address by identity. Returns `undefined` if nothing is stored. */
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
