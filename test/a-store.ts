/** Opens the store of a folder, or of a database of PostgreSQL. */

import { openStoreAt } from '../src/service/data/store.ts';

export const openStore = (dataFolder: string) => openStoreAt({ dataFolder, databaseUrl: undefined });

export const openPostgresStore = (databaseUrl: string) =>
  openStoreAt({ dataFolder: '/nonexistent', databaseUrl });
