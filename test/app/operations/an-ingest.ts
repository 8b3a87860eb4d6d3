/** One ingest by a service, and all that is listed after it. */

import assert from 'node:assert/strict';
import type { Service } from '../../../src/app/operations/service.ts';
import type { Run } from '../../../src/service/runs/runs.ts';
import type { StoredListing } from '../../../src/shared/listing.ts';

export async function listed(service: Service): Promise<StoredListing[]> {
  const all: StoredListing[] = [];
  for await (const batch of service.store.listings.listings()) all.push(...batch);
  return all.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

export async function ingested(service: Service, from: string): Promise<Run> {
  const runs = await service.ingest({ from });
  assert.equal(runs.length, 1);
  return runs[0]!;
}
