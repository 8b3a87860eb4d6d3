/** Combines all repositories of an engine into the store. The service uses the database only through the store. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Instant } from '../../shared/day.ts';
import { refusedError, ShingleError, usageError } from '../../shared/errors.ts';
import { databaseIn, describeMove, readDatabaseBytes } from '../database/data-folder.ts';
import type { Engine } from '../database/engines/engine.ts';
import { splitHosts } from '../database/engines/postgres-address.ts';
import { FORBIDDEN, loginOf } from '../database/engines/postgres-errors.ts';
import { openSqlite } from '../database/engines/sqlite.ts';
import { findStepProblem, lastStep, migrate, readStep } from '../database/migrations.ts';
import { openAlertStore } from '../mail/alerts.ts';
import { openAnnouncementStore } from '../mail/announcement.ts';
import { openBounceStore } from '../mail/bounces/bounce-store.ts';
import { openEditionStore } from '../mail/editions/edition-store.ts';
import { readListStats } from '../mail/list-stats.ts';
import { findMailFolder, pruneMailFiles } from '../mail/mail-files.ts';
import { openOutboxStore } from '../mail/outbox-store.ts';
import { openFilingStore } from '../runs/filing-store.ts';
import { openListingStore, openSuppressionStore } from '../runs/listing-store.ts';
import { cancelRestoredMessages, MARK_COPY, replayUnsubscribes } from '../subscribers/restore.ts';
import { openSubscriberStore } from '../subscribers/subscriber-store.ts';
import {
  hasErasedSince,
  mergeUnsubscribeLog,
  NO_UNSUBSCRIBE_LOG,
  openUnsubscribeLog,
  UNSUBSCRIBE_LOG,
  type UnsubscribeLog,
} from '../subscribers/unsubscribe-log.ts';
import { type BackupFacts, readBackups, upgradeFolder, upgradeServer } from './backups.ts';
import { openStoredCity } from './stored-city.ts';
import { openUsageStore } from './usage-store.ts';

const TABLES_WAIT_MS = 60_000; // waits for another instance that is migrating the tables
const ERASED_MS = 5_000; // waits for an index build, which reads the database
const REPAIRED_MS = 200; // short, because every command opens a store

export type Repositories = Awaited<ReturnType<typeof openRepositories>>;

/** The repositories and the database that they are in. */
export type Store = Awaited<ReturnType<typeof openStore>>;

export type StorePlace = {
  dataFolder: string;
  databaseUrl: string | undefined;
  /** Whether to refuse a place without data, instead of creating the database. */
  mustExist?: boolean | undefined;
};

export async function openStoreAt({ dataFolder, databaseUrl, mustExist }: StorePlace): Promise<Store> {
  return databaseUrl === undefined
    ? openStore(dataFolder, { mustExist })
    : openPostgresStore(databaseUrl, { mustExist, dataFolder });
}

/** Opens the store of a folder or database. Throws `refused`, with steps to restore, if the folder is unsafe. */
export async function openStore(folder: string, { mustExist = false }: Partial<StorePlace> = {}) {
  const log = join(folder, UNSUBSCRIBE_LOG);
  return closeOnFailure(openSqlite(folder, { mustExist }), async (engine) => {
    const upgraded = await upgradeFolder(engine, folder);
    return {
      ...(await openRepositories(engine, {
        unsubscribeLog: openUnsubscribeLog(log),
        scrub: engine.scrub,
        folder,
      })),
      /** Copies the database, even during writes, and the unsubscribe log. Throws `usage` for PostgreSQL. */
      async backup(file: string): Promise<void> {
        await engine.backup(file, MARK_COPY);
        const copied = join(dirname(file), UNSUBSCRIBE_LOG);
        try {
          if (hasErasedSince(log, copied)) {
            await engine.compact();
            await engine.scrub(REPAIRED_MS);
          }
        } finally {
          mergeUnsubscribeLog(log, copied);
        }
      },
      /** Returns whether the database file is in place. Always true for PostgreSQL. */
      healthy: engine.healthy,
      /** Returns whether the data of this folder is now in PostgreSQL. */
      isMoved: () => describeMove(folder) !== undefined,
      /** Marks the folder as in use, which prevents a restore, until the returned function is called. */
      markServing: engine.markServing,
      /** Returns whether a process serves this folder. Unknown for PostgreSQL. */
      isServed: engine.isServed,
      /** Returns `undefined` for PostgreSQL, which Shingle does not back up. */
      async readBackups(now: Instant): Promise<BackupFacts | undefined> {
        const sql = "select min(ended_at) as since from run where state = 'kept'";
        const [row] = await engine.read<{ since: Instant | null }>(sql);
        return { neededSince: row!.since, ...readBackups(folder, now) };
      },
      /** Describes the upgrade that opening the store made, and how to go back. */
      upgraded,
      async describe() {
        const database = `SQLite ${process.versions.sqlite}`;
        return { listings: await countListings(engine), database, databaseBytes: readDatabaseBytes(folder) };
      },
      startupWarnings: [] as string[],
    };
  });
}

/** Passes an engine to `open`. Closes it if that fails. */
async function closeOnFailure<E extends Engine, T>(engine: E, open: (engine: E) => Promise<T>): Promise<T> {
  return open(engine).catch(async (error: unknown) => {
    await engine.close();
    throw error;
  });
}

export async function openPostgresStore(
  url: string,
  { mustExist = false, dataFolder }: Partial<StorePlace> = {},
): Promise<Store> {
  const opened = closeOnFailure(await postgresAt(url), async (engine) => {
    if (mustExist && (await readStep(engine)) === 0)
      throw refusedError(
        'the database at DATABASE_URL has no data of Shingle. The first "npx shingle start" or "npx shingle ingest" makes its tables',
      );
    const { upgraded, repositories } = await engine.exclusively('tables', TABLES_WAIT_MS, async () => ({
      upgraded: await upgradeServer(engine),
      repositories: await openRepositories(engine, { folder: dataFolder }),
    }));
    return {
      ...repositories,
      upgraded,
      async backup() {
        const how = 'back it up with pg_dump or through your provider';
        throw usageError(`the data is in PostgreSQL: ${how}`);
      },
      healthy: () => true,
      isMoved: () => false,
      markServing: () => () => undefined,
      isServed: async () => undefined,
      readBackups: async () => undefined,
      async describe() {
        const [row] = await engine.read<{ version: string; bytes: number }>(
          "select current_setting('server_version') as version, pg_database_size(current_database()) as bytes",
        );
        const database = `PostgreSQL ${row!.version.split(' ', 1)[0]}`;
        return { listings: await countListings(engine), database, databaseBytes: Number(row!.bytes) };
      },
      startupWarnings: await listStartupWarnings(engine),
    };
  });
  return opened.catch((error: unknown) => refuseWithoutRights(error, url));
}

/** Rethrows an error. One of missing rights is `refused`, because only an administrator can grant them. */
function refuseWithoutRights(error: unknown, url: string): never {
  if (!(error instanceof ShingleError) || error.cause !== FORBIDDEN) throw error;
  const { user, name } = loginOf(splitHosts(url)[0]!);
  const what = `"${user}" may not make tables in the database "${name}", or may not use those that another user made`;
  const grant = `As administrator: alter database "${name}" owner to "${user}"; and, in the database: alter schema public owner to "${user}"; for tables of another user, also: reassign owned by ANOTHER_USER to "${user}"`;
  throw refusedError(`${what}. ${grant}`, error);
}

async function countListings(engine: Engine): Promise<number> {
  return (await engine.read<{ count: number }>('select count(*) as count from listing'))[0]!.count;
}

/** Opens PostgreSQL. Loads the driver only here, because most installations do not use it. */
async function postgresAt(url: string): Promise<Engine> {
  return (await import('../database/engines/postgres.ts')).openPostgres(url);
}

/** Opens the store for the thread that builds the index. The service has already checked and migrated the store. */
export async function openStoreToRead({ dataFolder, databaseUrl }: StorePlace) {
  const engine =
    databaseUrl === undefined ? openSqlite(dataFolder, { readOnly: true }) : await postgresAt(databaseUrl);
  return { listings: openListingStore(engine), close: engine.close };
}

/**
 * Opens what a dry run compares with. Returns `undefined` before the first import. Throws `refused` as an import would;
 * migrates and repairs nothing.
 */
export async function openStoreToCompare({ dataFolder, databaseUrl }: StorePlace) {
  const isFile = databaseUrl === undefined;
  if (isFile && !existsSync(databaseIn(dataFolder)) && describeMove(dataFolder) === undefined)
    return undefined;
  const engine = isFile ? openSqlite(dataFolder, { mustExist: true }) : await postgresAt(databaseUrl);
  return closeOnFailure(engine, async () => {
    const step = await readStep(engine);
    const problem = findStepProblem(step);
    if (problem !== undefined) throw refusedError(`the database ${problem}`);
    const isReadable = step === lastStep();
    return {
      city: isReadable ? openStoredCity(engine) : undefined,
      filings: isReadable ? openFilingStore(engine) : undefined,
      close: engine.close,
    };
  });
}

type Beside = {
  unsubscribeLog?: UnsubscribeLog;
  /** Purges erased data, and waits up to `waitMs` for readers. */
  scrub?: (waitMs: number) => Promise<void>;
  /** The folder of emails that were written as files. */
  folder?: string | undefined;
};

/** Opens the repositories, which keep in step what stands beside the database. */
export async function openRepositories(
  engine: Engine,
  { unsubscribeLog = NO_UNSUBSCRIBE_LOG, scrub = async () => undefined, folder }: Beside = {},
) {
  await migrate(engine);
  const outbox = openOutboxStore(engine);
  const subscribers = openSubscriberStore(engine, unsubscribeLog);
  return {
    city: openStoredCity(engine),
    filings: openFilingStore(engine),
    listings: openListingStore(engine),
    suppressions: openSuppressionStore(engine),
    subscribers: {
      ...subscribers,
      /** Erases a person's data, also from the journal and from files. Returns `false` for an unknown person. */
      async erase(subscriber: string, at: Instant) {
        const isKnown = await subscribers.erase(subscriber, at);
        await scrub(ERASED_MS);
        if (folder !== undefined) await pruneMailFiles(findMailFolder(folder), outbox.hasRecord);
        return isKnown;
      },
    },
    outbox,
    editions: openEditionStore(engine),
    announcements: openAnnouncementStore(engine),
    bounces: openBounceStore(engine),
    listStats: { read: () => readListStats(engine) },
    alerts: openAlertStore(engine),
    usage: openUsageStore(engine),
    /** Runs `work` under a lock: `ingest`, `mail`, `alerts`, `schedule` or `weekly`. */
    alone: engine.exclusively,
    /** Repairs what a restore undid: unsubscribes, erasures, and messages already sent. Call this first. */
    async repairAfterRestore(now: Instant): Promise<void> {
      const wasErased = await replayUnsubscribes(engine, unsubscribeLog);
      await cancelRestoredMessages(engine, now);
      if (wasErased) await scrub(REPAIRED_MS);
    },
    close: engine.close,
  };
}

const COMMIT_SETTINGS = `select setting from pg_settings where name in ('synchronous_commit', 'synchronous_standby_names')
  order by name`;

/** Warns if commits do not wait for a standby, because a failure of the primary could then lose data. */
async function listStartupWarnings({ read }: Engine): Promise<string[]> {
  const [commit, names] = (await read<{ setting: string }>(COMMIT_SETTINGS)).map(({ setting }) => setting);
  if (names !== '' && commit !== 'local') return [];
  const why = names === '' ? 'synchronous_standby_names is empty' : 'synchronous_commit is local';
  return [
    `the database does not wait for a standby (${why}): if the primary fails, the latest signups can be lost`,
  ];
}
