/** A town's listings, subscribers in a data folder, and the links of their emails, created without sending any. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Service } from '../../src/app/operations/service.ts';
import { makeToken } from '../../src/service/subscribers/tokens.ts';
import type { StoredListing } from '../../src/shared/listing.ts';
import { csvText, type SmallCity } from '../a-city.ts';
import { addressesOf, addSubscribers } from '../a-subscriber.ts';
import { townRows } from '../abuse/a-town.ts';

/** Imports the town of 20,000 listings; returns all of them. */
export async function fillTown(city: SmallCity, service: Service): Promise<StoredListing[]> {
  const rows = townRows().map(({ key, name, category, neighborhood, filedOn }) => ({
    ...{ id: key, name, kind: category, area: neighborhood, day: filedOn },
  }));
  const [run] = await service.ingest({ from: city.file('town.csv', csvText(rows)) });
  assert.equal(run!.added, rows.length);
  return (await Array.fromAsync(service.store.listings.listings())).flat();
}

/** So many who have confirmed: `p0@b.example` and so on. */
export async function people({ store, now }: Service, count: number): Promise<string[]> {
  const all = addressesOf(count);
  await addSubscribers(store, all, { at: now() });
  return all;
}

/** A token for each address; the database is nobody else's meanwhile. */
export function tokensOf(
  folder: string,
  addresses: readonly string[],
  purpose: 'unsubscribe' | 'manage',
): string[] {
  const db = new DatabaseSync(join(folder, 'shingle.db'));
  const insert = db.prepare(
    `insert into token (hash, subscriber, purpose, type, made_at)
     select ?, subscriber, ?, 'weekly', asked_at from subscriber where identity = ?`,
  );
  db.exec('begin');
  const tokens = addresses.map((address) => {
    const { token, hash } = makeToken();
    if (insert.run(hash, purpose, address).changes !== 1) throw new Error(`${address} is nobody`);
    return token;
  });
  db.exec('commit');
  db.close();
  return tokens;
}
