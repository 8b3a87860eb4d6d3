/** Runs the conformance suite on PostgreSQL. */

import { openPostgresStore } from '../../../src/service/data/store.ts';
import { aServer } from './a-postgres.ts';
import { storeConformance } from './conformance.ts';

const primary = await aServer();

storeConformance('PostgreSQL', async () => {
  const url = await primary.migrated();
  const store = await openPostgresStore(url);
  const end = () => store.close();
  return { store, again: () => openPostgresStore(url), end };
});
