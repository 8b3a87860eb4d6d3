/** Opens a city and its store, and offers the operations on them to the commands. */

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, isLoopback } from '../../config.ts';
import type { Source } from '../../register/profile/define.ts';
import { type LoadedCity, loadCity, resolvePlace } from '../../register/profile/load.ts';
import { removeQuery } from '../../register/readers/place.ts';
import { type Replaced, readCityOfFile, replaceDatabase } from '../../service/data/backups.ts';
import { openStoreAt, openStoreToCompare, type StorePlace } from '../../service/data/store.ts';
import { isSameCity, nameCity, requireSameCity, type StoredCity } from '../../service/data/stored-city.ts';
import {
  databaseIn,
  noteImport,
  readImport,
  requireRoom,
  sweepDead,
} from '../../service/database/data-folder.ts';
import type { CopyFacts } from '../../service/database/engines/sqlite-files.ts';
import { refuseLostFolder, rememberFolder } from '../../service/database/known-folder.ts';
import { findMailFolder } from '../../service/mail/mail-files.ts';
import type { MailTransport } from '../../service/mail/smtp.ts';
import type { Run } from '../../service/runs/runs.ts';
import { UNNAMED_OPERATOR } from '../../shared/city/city-facts.ts';
import { describePlaceholderFix, findPlaceholders, isPlaceholder } from '../../shared/city/placeholders.ts';
import { addMs, type Instant } from '../../shared/day.ts';
import { ShingleError } from '../../shared/errors.ts';
import type { DryRunReport } from '../ingest/dry-run.ts';
import type { CityAccess, IngestOrder } from '../ingest/ingest-sources.ts';

// after this time, a waiting ingest reports that another ingest is running
const INGEST_LOCK_WAIT_MS = 15 * 60_000;
const LOST_LOCK_WAIT_MS = 10_000; // the lock is free as soon as its process ends

export { type Replaced, verifyBackup } from '../../service/data/backups.ts';
export { findFileError, findFullDiskError, noteRefusal } from '../../service/database/data-folder.ts';
export type { CopyFacts } from '../../service/database/engines/sqlite-files.ts';

const clock = (): Instant => new Date().toISOString();

export const VERSION = (
  JSON.parse(readFileSync(findPackageJSON(import.meta.url)!, 'utf8')) as { version: string }
).version;

export type Service = Readonly<Awaited<ReturnType<typeof openService>>>;

/** Opens the city and its store. Throws `city` or `refused`. `transport` replaces the configured mail transport. */
export async function openService(
  config: Config & Pick<StorePlace, 'mustExist'> & { ofAnyCity?: boolean | undefined },
  now = clock,
  transport?: MailTransport,
) {
  const loaded = await loadConfiguredCity(config);
  const { dataFolder } = config;
  const isRemembered = config.databaseUrl === undefined && !loaded.isShipped;
  if (isRemembered) refuseLostFolder(loaded.folder, dataFolder);
  const store = await openStoreAt(config);
  const requireCity = async () => requireSameCity(await store.city.read(), loaded, config);
  // commands that need data may run as another user, whose file the service could not write
  const remember = () =>
    isRemembered && !config.mustExist && rememberFolder(loaded.folder, dataFolder, now().slice(0, 10));
  try {
    if (!config.ofAnyCity) await requireCity();
    if ((await store.city.read()) !== undefined) remember();
    await store.repairAfterRestore(now());
    await store.filings.endInterrupted(now()).catch(() => undefined); // a run is in progress, or nothing can be stored
  } catch (error) {
    await store.close();
    throw error;
  }
  const context = makePullContext(config, loaded);
  return {
    config: config as Config,
    loaded,
    store,
    now,
    transport,
    /** Imports sources once no other process imports. Throws `store` if the disk is almost full. */
    ingest: (order: Partial<IngestOrder>): Promise<Run[]> =>
      store.filings.alone(INGEST_LOCK_WAIT_MS, async () => {
        const { ingestSources } = await loadImport();
        requireRoom(config);
        await requireCity(); // another process may have imported meanwhile
        if ((await store.city.read()) === undefined) await store.city.write(loaded.city);
        remember();
        const { source } = order;
        using _ = noteImport(dataFolder, { pid: process.pid, since: now(), source });
        rmSync(context.tempFolder, { recursive: true, force: true });
        mkdirSync(context.tempFolder, { recursive: true, mode: 0o700 });
        try {
          const job = { ...context, command: randomUUID(), store: store.filings };
          return await ingestSources({ ...job, progress: () => undefined, now, ...order });
        } finally {
          rmSync(context.tempFolder, { recursive: true, force: true });
        }
      }),
    /** Returns the import in progress by a process of this machine, or `undefined`. */
    importing: () => readImport(dataFolder, addMs(now(), -config.ingest.timeoutMs)),
    /** Keeps a held run. Throws `missing` for an unknown run, `conflict` for a run that is not held, or is outdated. */
    accept: (run: number): Promise<Run> =>
      store.filings.alone(INGEST_LOCK_WAIT_MS, async () => {
        const { acceptHeldRun } = await loadImport();
        return acceptHeldRun({ loaded, store: store.filings }, now, run);
      }),
    /** Records why a process that imported `source` was ended. Throws `store` while another process imports. */
    recordLostIngest: (source: Source, detail: string): Promise<Run> => {
      const place = source.from.place && removeQuery(resolvePlace(loaded.folder, source.from.place));
      const read = { place: place ?? '', content: '', profile: loaded.digest };
      const run = { ...read, source: source.id, snapshot: source.delivers === 'snapshot' };
      const begun = { ...run, command: randomUUID(), startedAt: now() };
      return store.filings.alone(LOST_LOCK_WAIT_MS, () => store.filings.recordLost(begun, detail));
    },
    /** Makes the stored data that of the city as it is named now. Throws `refused` without a source in common. */
    async rename(): Promise<StoredCity | undefined> {
      const stored = await store.city.read();
      if (stored === undefined || isSameCity(stored, loaded.city)) return undefined;
      const known = (await store.filings.sourceStates()).map(({ source }) => source);
      if (!loaded.city.sources.some(({ id }) => known.includes(id)))
        throw new ShingleError(
          'refused',
          `${nameCity(loaded.city)} has none of the sources of ${nameCity(stored)} (${known.join(', ')}), so it is another city. Nothing was changed`,
        );
      await store.city.write(loaded.city);
      return stored;
    },
    close: () => store.close(),
  };
}

export async function loadConfiguredCity(config: Config): Promise<LoadedCity> {
  const loaded = await loadCity(config.city);
  // replaces a draft's placeholders, which pages must not show
  const fillIn = (field: 'name' | 'contact') =>
    isPlaceholder(loaded.city.operator[field]) ? UNNAMED_OPERATOR[field] : loaded.city.operator[field];
  const operator = {
    name: config.operatorName || fillIn('name'),
    contact: config.operatorContact || fillIn('contact'),
  };
  return { ...loaded, city: { ...loaded.city, operator } };
}

/** Judges files as an import would, and stores nothing. The data of a folder does not matter for a draft. */
export async function dryRunCity(
  config: Config & { isDraft?: boolean },
  order: Partial<IngestOrder>,
): Promise<DryRunReport[]> {
  const { dryRun } = await import('../ingest/dry-run.ts');
  const loaded = await loadConfiguredCity(config);
  sweepDead(config.dataFolder, /^(?:check|init)-(\d+)$/); // left by downloads that were interrupted
  const folder = existsSync(config.dataFolder) ? config.dataFolder : tmpdir();
  const context = { ...makePullContext(config, loaded), tempFolder: join(folder, `check-${process.pid}`) };
  const stored = config.isDraft ? undefined : await openStoreToCompare(config);
  try {
    requireSameCity(await stored?.city?.read(), loaded, config);
    return await dryRun({
      ...context,
      kept: stored?.filings,
      progress: () => undefined,
      now: clock,
      ...order,
    });
  } finally {
    await stored?.close();
    rmSync(context.tempFolder, { recursive: true, force: true });
  }
}

/**
 * Replaces the database with a backup. Throws `source` if it is unusable, `refused` if the folder is in use or one of them
 * is of another city.
 */
export async function restoreBackup(
  config: Config,
  file: string,
  now = clock,
): Promise<Pick<CopyFacts, 'listings' | 'subscribers'> & Replaced> {
  const { dataFolder, databaseUrl } = config;
  if (databaseUrl !== undefined)
    throw new ShingleError('usage', 'the data is in PostgreSQL: restore a dump with pg_restore or psql');
  // a city that cannot be loaded must not prevent a restore: `start` compares them again
  const loaded = await loadConfiguredCity(config).catch(() => undefined);
  if (loaded !== undefined)
    for (const one of [file, databaseIn(dataFolder)]) {
      const stored = readCityOfFile(one);
      requireSameCity(stored, loaded, { ...config, where: one });
    }
  const replaced = await replaceDatabase(file, dataFolder, now());
  const store = await openStoreAt({ dataFolder, databaseUrl, mustExist: true });
  try {
    await store.repairAfterRestore(now());
    const { listings } = await store.describe();
    return { listings, subscribers: (await store.subscribers.all()).length, ...replaced };
  } finally {
    await store.close();
  }
}

const loadImport = () => import('../ingest/ingest-sources.ts');

function makePullContext(config: Config, loaded: LoadedCity): CityAccess {
  const { contact } = loaded.city.operator;
  return {
    loaded,
    tempFolder: join(config.dataFolder, 'downloads'),
    socrataToken: config.socrataToken,
    userAgent: `Shingle/${VERSION}${isPlaceholder(contact) ? '' : ` (${contact})`}`,
  };
}

/** Throws `refused` if strangers can see a draft that does not say who runs it or where its data is from. */
export function refusePlaceholders({ config, loaded }: Pick<Service, 'config' | 'loaded'>): void {
  const fields = findPlaceholders(loaded.city);
  const why = describePublicity(config);
  if (fields.length === 0 || why === undefined) return;
  const fix = describePlaceholderFix(fields, loaded.path);
  throw new ShingleError('refused', `${why}, but the city is still a draft. First ${fix}`);
}

/** Returns the folder of emails, if they are files and only this machine can open the pages. */
export function findOpenMailFolder(config: Config): string | undefined {
  return describePublicity(config) === undefined ? findMailFolder(config.dataFolder) : undefined;
}

/** Returns a clause that says why strangers can see this service, or `undefined` if they cannot. */
function describePublicity({ mail, publicUrl, host }: Config): string | undefined {
  if (mail.smtp !== undefined) return 'SMTP_URL is set';
  if (publicUrl !== undefined)
    return isLoopback(new URL(publicUrl).hostname) ? undefined : 'PUBLIC_URL is a public address';
  return isLoopback(host) ? undefined : 'HOST lets other machines in';
}
