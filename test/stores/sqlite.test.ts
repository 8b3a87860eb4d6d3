/** SQLite keeps what every store promises. */

import { budgetStoreOn } from '../../src/stores/budget-store.ts';
import { openSqlite } from '../../src/stores/sqlite.ts';
import { openStore, type SharedPorts } from '../../src/stores/store.ts';
import { aFolder } from './a-folder.ts';
import { storeConformance } from './conformance.ts';

storeConformance('SQLite', async () => {
  const folder = aFolder();
  const store = await open(folder.path);
  const end = () => store.close().finally(folder.remove);
  return { store, again: () => open(folder.path), end };
});

/** The store of a folder shares no budgets; that they could be kept there is tried all the same. */
async function open(folder: string): Promise<SharedPorts> {
  const store = await openStore(folder);
  const engine = openSqlite(folder);
  const close = async () => void (await Promise.all([store.close(), engine.close()]));
  return { ...store, budgets: budgetStoreOn(engine), close };
}
