/** A town's listings, and subscribers in a data folder. */

import assert from 'node:assert/strict';
import type { Service } from '../../src/app/operations/service.ts';
import type { StoredListing } from '../../src/shared/listing.ts';
import { csvText, type SmallCity } from '../a-city.ts';
import { addressesOf, addSubscribers } from '../a-subscriber.ts';
import { townRows } from '../abuse/a-town.ts';

/** Imports the town of 20,000 listings; returns all of them. */
export async function fillTown(city: SmallCity, service: Service): Promise<StoredListing[]> {
  const rows = townRows().map(({ key, name, category, neighborhood, filedOn }) => ({
    ...{ id: key, name, kind: category ?? '', area: neighborhood ?? '', day: filedOn },
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
