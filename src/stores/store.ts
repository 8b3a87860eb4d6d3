/** The store of a data folder: every port over one engine. The only way in for the service. */

import type {
  FilingStore,
  ListingStore,
  SourceState,
  SourceStateStore,
  SuppressionStore,
} from '../filings/ports.ts';
import type { Engine } from './engine.ts';
import { filingStoreOn } from './filing-store.ts';
import { listingStoreOn, suppressionStoreOn } from './listing-store.ts';
import { migrate } from './migrations.ts';
import { sourceStates } from './runs.ts';
import { openSqlite } from './sqlite.ts';

export type Ports = {
  filings: FilingStore;
  listings: ListingStore;
  suppressions: SuppressionStore;
  sources: SourceStateStore;
  close(): Promise<void>;
};

export type Store = Ports & {
  /** A consistent copy in a new file, also while others write. Throws `refused` where the file exists. */
  backup(file: string): Promise<void>;
  /** Whether the database is still the file that was opened: false once it was deleted or replaced. */
  healthy(): boolean;
};

/** Opens the store in a folder, made if missing. Throws `refused`, saying how to restore, where that is not safe. */
export async function openStore(folder: string): Promise<Store> {
  const engine = openSqlite(folder);
  try {
    return { ...(await portsOn(engine)), backup: engine.backup, healthy: engine.healthy };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Opens what another connection has opened to write: for the thread that builds the catalogue. */
export async function openStoreToRead(folder: string): Promise<Pick<Store, 'listings' | 'close'>> {
  const engine = openSqlite(folder, { readOnly: true });
  return { listings: listingStoreOn(engine), close: engine.close };
}

/** The ports over any engine, its tables brought up to date. */
export async function portsOn(engine: Engine): Promise<Ports> {
  await migrate(engine);
  return {
    filings: filingStoreOn(engine),
    listings: listingStoreOn(engine),
    suppressions: suppressionStoreOn(engine),
    sources: { sourceStates: (): Promise<SourceState[]> => sourceStates(engine) },
    close: engine.close,
  };
}
