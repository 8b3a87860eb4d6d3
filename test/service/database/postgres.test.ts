/** Runs the conformance suite on PostgreSQL. */

import { openPostgresStore } from '../../a-store.ts';
import { aServer, asked } from './a-postgres.ts';
import { storeConformance } from './conformance.ts';

const primary = await aServer();
const url = await primary.migrated();

/** The rows that tables have from the beginning. */
const FIRST = ['migration', 'catalogue', 'outbox'];
await asked(
  url,
  `create schema first; ${FIRST.map((name) => `create table first.${name} as table public.${name}`).join('; ')}`,
);

/** As a migration leaves the tables: that is cheaper than another database for each case. */
const ANEW = `do $$ declare name text; begin
  set local session_replication_role = replica;
  for name in select tablename from pg_tables where schemaname = 'public' loop
    execute format('delete from public.%I', name);
  end loop;
  ${FIRST.map((name) => `insert into public.${name} select * from first.${name};`).join('\n  ')}
end $$`;

storeConformance('PostgreSQL', async () => {
  await asked(url, ANEW);
  const store = await openPostgresStore(url);
  const end = () => store.close();
  return { store, again: () => openPostgresStore(url), end };
});
