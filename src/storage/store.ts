/** The store of a data folder: every port over one engine. The only way in for the service. */

import { join } from 'node:path';
import { ShingleError } from '../errors.ts';
import type {
  FilingStore,
  ListingStore,
  SourceState,
  SourceStateStore,
  SuppressionStore,
} from '../ingest/ports.ts';
import type { Instant } from '../listings/day.ts';
import type { EditionStore, OutboxStore, SubscriberStore } from '../subscriptions/ports.ts';
import { openEditionStore } from './edition-store.ts';
import type { Engine } from './engines/engine.ts';
import { listStartupWarnings } from './engines/postgres-warnings.ts';
import { openSqlite } from './engines/sqlite.ts';
import { openFilingStore } from './filing-store.ts';
import { openListingStore, openSuppressionStore } from './listing-store.ts';
import { migrate } from './migrations.ts';
import { openOutboxStore } from './outbox-store.ts';
import { MARK_COPY, replayUnsubscribes, withdrawRestoredMessages } from './restore.ts';
import { listSourceStates } from './runs.ts';
import { openSubscriberStore } from './subscriber-store.ts';
import { NO_UNSUBSCRIBE_LOG, openUnsubscribeLog, type UnsubscribeLog } from './unsubscribe-log.ts';

const TABLES_WAIT_MS = 60_000; // while another instance brings them up to date
const ERASED_MS = 5_000; // for a catalogue that is being built
const SETTLED_MS = 200; // every command opens a store

export type Ports = {
  filings: FilingStore;
  listings: ListingStore;
  suppressions: SuppressionStore;
  sources: SourceStateStore;
  subscribers: SubscriberStore;
  outbox: OutboxStore;
  editions: EditionStore;
  /** Runs `work` while no other process does under this name. Throws `store` after waiting `waitMs`. */
  alone<T>(name: string, waitMs: number, work: () => Promise<T>): Promise<T>;
  /**
   * Makes good what a restore undid: whoever had left or was erased is gone again, and what a restored copy was about to
   * send is not sent. For whoever opens a store, before anything else.
   */
  repairAfterRestore(now: Instant): Promise<{ wasErased: boolean }>;
  close(): Promise<void>;
};

export type Store = Ports & {
  /** A consistent copy in a new file, also while others write. Throws `refused` where the file exists. */
  backup(file: string): Promise<void>;
  /** Whether the database and its journal are still the files that were opened: false once one was deleted or replaced. A database that is asked over the network says so itself. */
  healthy(): boolean;
  /** What its operator should know of it from the start: a sentence each. */
  readonly startupWarnings: readonly string[];
};

/** A data folder, or a database in its place. */
export type StorePlace = { dataFolder: string; databaseUrl: string | undefined };

/** Opens the store wherever it is kept. Throws `refused` where that is not safe, `store` where nobody answers. */
export function openStoreAt({ dataFolder, databaseUrl }: StorePlace): Promise<Store> {
  return databaseUrl === undefined ? openStore(dataFolder) : openPostgresStore(databaseUrl);
}

/** Opens the store in a folder, made if missing. Throws `refused`, saying how to restore, where that is not safe. */
export async function openStore(folder: string): Promise<Store> {
  const engine = openSqlite(folder);
  try {
    const ports = await openPorts(engine, openUnsubscribeLog(join(folder, 'departures.log')));
    const { subscribers } = ports;
    return {
      ...ports,
      subscribers: {
        ...subscribers,
        async erase(subscriber, at) {
          const isKnown = await subscribers.erase(subscriber, at);
          await engine.scrub(ERASED_MS);
          return isKnown;
        },
      },
      async repairAfterRestore(now) {
        const settled = await ports.repairAfterRestore(now);
        if (settled.wasErased) await engine.scrub(SETTLED_MS);
        return settled;
      },
      backup: (file) => engine.backup(file, MARK_COPY),
      healthy: engine.healthy,
      startupWarnings: [],
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Opens the store in a PostgreSQL database that instances share. Throws `refused` where that is not safe, or `store`. */
export async function openPostgresStore(url: string): Promise<Store> {
  const engine = await postgresAt(url);
  try {
    const ports = await engine.exclusively('tables', TABLES_WAIT_MS, () => openPorts(engine));
    return {
      ...ports,
      backup: refuseBackup,
      healthy: () => true,
      startupWarnings: await listStartupWarnings(engine),
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Its driver is loaded where it is used: most installations have none. */
async function postgresAt(url: string): Promise<Engine> {
  return (await import('./engines/postgres.ts')).openPostgres(url);
}

async function refuseBackup(): Promise<void> {
  throw new ShingleError(
    'usage',
    'the data is in PostgreSQL: back it up with pg_dump or through your provider',
  );
}

/** Opens what another connection has opened to write: for the thread that builds the catalogue. */
export async function openStoreToRead({
  dataFolder,
  databaseUrl,
}: StorePlace): Promise<Pick<Store, 'listings' | 'close'>> {
  const engine =
    databaseUrl === undefined ? openSqlite(dataFolder, { readOnly: true }) : await postgresAt(databaseUrl);
  return { listings: openListingStore(engine), close: engine.close };
}

/** The ports over any engine, its tables brought up to date. */
export async function openPorts(
  engine: Engine,
  departures: UnsubscribeLog = NO_UNSUBSCRIBE_LOG,
): Promise<Ports> {
  await migrate(engine);
  return {
    filings: openFilingStore(engine),
    listings: openListingStore(engine),
    suppressions: openSuppressionStore(engine),
    sources: { sourceStates: (): Promise<SourceState[]> => listSourceStates(engine) },
    subscribers: openSubscriberStore(engine, departures),
    outbox: openOutboxStore(engine),
    editions: openEditionStore(engine),
    alone: engine.exclusively,
    async repairAfterRestore(now) {
      const wasErased = await replayUnsubscribes(engine, departures);
      await withdrawRestoredMessages(engine, now);
      return { wasErased };
    },
    close: engine.close,
  };
}
