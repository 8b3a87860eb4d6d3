/** Runs the conformance suite on SQLite. */

import { openStore } from '../../src/storage/store.ts';
import { aFolder } from './a-folder.ts';
import { storeConformance } from './conformance.ts';

storeConformance('SQLite', async () => {
  const folder = aFolder();
  const store = await openStore(folder.path);
  const end = () => store.close().finally(folder.remove);
  return { store, again: () => openStore(folder.path), end };
});
