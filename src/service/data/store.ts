/** Combines all repositories of an engine into the store. The service uses the database only through the store. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Instant } from '../../shared/day.ts';
import { refusedError, ShingleError, usageError } from '../../shared/errors.ts';
import { databaseIn, describeMove } from '../database/data-folder.ts';
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
import { type BackupFacts, readBackups, upgradeTables } from './backups.ts';
import { openStoredCity } from './stored-city.ts';
import { openUsageStore } from './usage-store.ts';

const ERASED_MS = 5_000; // waits for an index build, which reads the database
const REPAIRED_MS = 200; // short, because every command opens a store

export type Repositories = Awaited<ReturnType<typeof openRepositories>>;

/** The repositories and the database that they are in. */
export type Store = Awaited<ReturnType<typeof openStoreAt>>;

export type StorePlace = {
  dataFolder: string;
  databaseUrl: string | undefined;
  /** Whether to refuse a place without data, instead of creating the database. */
  mustExist?: boolean | undefined;
};

/** Opens the store of a folder or database. Throws `refused`, with what to do, if it is unsafe. */
export async function openStoreAt(place: StorePlace) {
  const { dataFolder, databaseUrl, mustExist = false } = place;
  const log = join(dataFolder, UNSUBSCRIBE_LOG);
  const isFile = databaseUrl === undefined;
  const opened = closeOnFailure(await openEngineAt(place), async (engine) => {
    if (!isFile && mustExist && (await readStep(engine)) === 0)
      throw refusedError(
        'the database at DATABASE_URL has no data of Shingle. The first "npx shingle start" or "npx shingle ingest" makes its tables',
      );
    const upgraded = await upgradeTables(engine, dataFolder);
    const { scrub } = engine;
    const unsubscribeLog = isFile ? openUnsubscribeLog(log) : NO_UNSUBSCRIBE_LOG;
    const repositories = await openRepositories(engine, { unsubscribeLog, scrub, folder: dataFolder });
    return {
      ...repositories,
      findLoss: engine.findLoss,
      markServing: engine.markServing,
      isServed: engine.isServed,
      /** Describes the upgrade that opening the store made, and how to go back. */
      upgraded,
      startupWarnings: await engine.listWarnings(),
      /** Copies the database, even during writes, and the unsubscribe log. Throws `usage` for PostgreSQL. */
      async backup(file: string): Promise<void> {
        if (!('backup' in engine))
          throw usageError('the data is in PostgreSQL: back it up with pg_dump or through your provider');
        await engine.backup(file, MARK_COPY);
        const copied = join(dirname(file), UNSUBSCRIBE_LOG);
        try {
          if (hasErasedSince(log, copied)) {
            await engine.compact();
            await scrub(REPAIRED_MS);
          }
        } finally {
          mergeUnsubscribeLog(log, copied);
        }
      },
      /** Returns `undefined` for PostgreSQL, which Shingle does not back up. */
      async readBackups(now: Instant): Promise<BackupFacts | undefined> {
        if (!isFile) return undefined;
        return { neededSince: await repositories.editions.since(), ...readBackups(dataFolder, now) };
      },
      async describe() {
        const [row] = await engine.read<{ listings: number }>('select count(*) as listings from listing');
        return { ...row!, ...(await engine.describe()) };
      },
    };
  });
  return isFile ? opened : opened.catch((error: unknown) => refuseWithoutRights(error, databaseUrl));
}

/** Passes an engine to `open`. Closes it if that fails. */
async function closeOnFailure<E extends Engine, T>(engine: E, open: (engine: E) => Promise<T>): Promise<T> {
  return open(engine).catch(async (error: unknown) => {
    await engine.close();
    throw error;
  });
}

/** Rethrows an error. One of missing rights is `refused`, because only an administrator can grant them. */
function refuseWithoutRights(error: unknown, url: string): never {
  if (!(error instanceof ShingleError) || error.cause !== FORBIDDEN) throw error;
  const { user, name } = loginOf(splitHosts(url)[0]!);
  const what = `"${user}" may not make tables in the database "${name}", or may not use those that another user made`;
  const grant = `As administrator: alter database "${name}" owner to "${user}"; and, in the database: alter schema public owner to "${user}"; for tables of another user, also: reassign owned by ANOTHER_USER to "${user}"`;
  throw refusedError(`${what}. ${grant}`, error);
}

/** Opens the engine. Loads the driver of PostgreSQL only here, because most installations do not use it. */
async function openEngineAt({ dataFolder, databaseUrl, ...how }: StorePlace & { readOnly?: boolean }) {
  if (databaseUrl === undefined) return openSqlite(dataFolder, how);
  return (await import('../database/engines/postgres.ts')).openPostgres(databaseUrl);
}

/** Opens the store for the thread that builds the index. The service has already checked and migrated the store. */
export async function openStoreToRead(place: StorePlace) {
  const engine = await openEngineAt({ ...place, readOnly: true });
  return { listings: openListingStore(engine), close: engine.close };
}

/**
 * Opens what a dry run compares with. Returns `undefined` before the first import and before an upgrade. Throws `refused` as an import would;
 * migrates and repairs nothing.
 */
export async function openStoreToCompare({ dataFolder, databaseUrl }: StorePlace) {
  const isNew = !existsSync(databaseIn(dataFolder)) && describeMove(dataFolder) === undefined;
  if (databaseUrl === undefined && isNew) return undefined;
  return closeOnFailure(await openEngineAt({ dataFolder, databaseUrl, mustExist: true }), async (engine) => {
    const step = await readStep(engine);
    const problem = findStepProblem(step);
    if (problem !== undefined) throw refusedError(`the database ${problem}`);
    if (step < lastStep()) return void (await engine.close());
    return { city: openStoredCity(engine), filings: openFilingStore(engine), close: engine.close };
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
