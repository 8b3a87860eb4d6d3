/** Runs the conformance suite on PostgreSQL. */

import { after } from 'node:test';
import { openPostgresStore } from '../../../src/service/data/store.ts';
import { aServer } from './a-postgres.ts';
import { storeConformance } from './conformance.ts';

const { primary, end: stop } = await aServer();
after(stop);

storeConformance('PostgreSQL', async () => {
  const url = await primary.migrated();
  const store = await openPostgresStore(url);
  const end = () => store.close();
  return { store, again: () => openPostgresStore(url), end };
});
