/** A store and its copy in PostgreSQL give the same listings in the same order, so all answers are the same bytes. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveStore } from '../../../src/service/data/move.ts';
import type { Repositories } from '../../../src/service/data/store.ts';
import { openIndexBuilder } from '../../../src/service/search/index/build.ts';
import { aFiling, anUpdate } from '../../a-filing.ts';
import { aFolder } from '../../a-folder.ts';
import { openPostgresStore, openStore } from '../../a-store.ts';
import { seedFrom } from '../../depth.ts';
import { manyListings, TODAY } from '../search/made-up.ts';
import { aServer } from './a-postgres.ts';
import { kept } from './store-cases.ts';

const LISTINGS = 4_000;
const SEED = seedFrom(20_261_120);
const NOW = '2026-03-01T09:00:00.000Z';
const SUPPRESSED = ['p7-a p7b', '11', 'Blue Heron Café'];

const primary = await aServer();
const filings = manyListings(LISTINGS, SEED).map(
  ({ arrivedAt: _, arrival: _arrival, isNews: _isNews, ...facts }) => ({
    ...aFiling(),
    ...facts,
    termOn: facts.filedOn,
  }),
);

/** A baseline, news, renewals and a second source, of which some are suppressed. */
async function live(store: Repositories): Promise<void> {
  await kept(store, filings.slice(0, 2_500), { startedAt: '2026-01-01T00:00:00.000Z' });
  await kept(store, filings.slice(400, 3_200), { startedAt: '2026-02-01T00:00:00.000Z' });
  const renewed = filings
    .slice(0, 300)
    .map(({ key }) => anUpdate({ key, status: 'closed', expiresOn: '2026-02-28' }));
  await kept(store, renewed, { startedAt: '2026-02-02T00:00:00.000Z', snapshot: false });
  await kept(store, filings.slice(2_000), { source: 'permits', startedAt: '2026-02-03T00:00:00.000Z' });
  for (const value of SUPPRESSED) await store.suppressions.add({ value, reason: 'é', addedAt: NOW });
}

/** What every request is answered from, as src/app/operations/build-worker.ts builds it. */
async function indexOn({ listings }: Repositories) {
  const suppressed = (await listings.suppressions()).map(({ value }) => value);
  const builder = openIndexBuilder({ version: await listings.version(), day: TODAY, suppressed });
  for await (const batch of listings.listings()) builder.add(batch);
  return builder.finish();
}

test(`both engines make the same bytes of the index, without suppressed listings (seed ${SEED})`, async () => {
  const [folder, url] = [aFolder(), await primary.migrated()];
  const here = await openStore(folder);
  await live(here);
  const sqlite = await indexOn(here);
  await here.close();
  const city = { city: { name: 'Rivermouth', region: 'Oregon' }, path: 'city.yaml' };
  await moveStore({ folder, url, city, now: NOW, progress: () => undefined });
  const there = await openPostgresStore(url);
  assert.deepEqual(await indexOn(there), sqlite);
  assert.ok(sqlite.size > LISTINGS, `${sqlite.size} listings of two sources`);
  await there.close();
});
