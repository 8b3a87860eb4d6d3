/** Opens a city and its store, and offers the operations on them to the commands. */

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Source, UNNAMED_OPERATOR } from '../city/define.ts';
import { type LoadedCity, loadCity, resolvePlace } from '../city/load.ts';
import { describePlaceholderFix, findPlaceholders, isPlaceholder } from '../city/placeholders.ts';
import { type Config, isLoopback } from '../config.ts';
import { requireRoom, sweepDead } from '../database/data-folder.ts';
import type { CopyFacts } from '../database/engines/sqlite-files.ts';
import { ShingleError } from '../errors.ts';
import type { DryRunReport } from '../import/dry-run.ts';
import type { CityAccess, IngestOrder } from '../import/ingest-sources.ts';
import { removeQuery } from '../import/readers/place.ts';
import type { Run } from '../import/runs.ts';
import type { Instant } from '../listings/day.ts';
import type { MailTransport } from '../mail/smtp.ts';
import { replaceDatabase } from './data/backups.ts';
import { openStoreAt, type StorePlace } from './data/store.ts';

// after this time, a waiting ingest reports that another ingest is running
const INGEST_LOCK_WAIT_MS = 15 * 60_000;
const LOST_LOCK_WAIT_MS = 10_000; // the lock is free as soon as its process ends

export { findFullDiskError } from '../database/data-folder.ts';
export type { CopyFacts } from '../database/engines/sqlite-files.ts';
export { verifyBackup } from './data/backups.ts';

const clock = (): Instant => new Date().toISOString();

export const VERSION = (
  JSON.parse(readFileSync(findPackageJSON(import.meta.url)!, 'utf8')) as { version: string }
).version;

export type Service = Readonly<Awaited<ReturnType<typeof openService>>>;

/** Opens the city and its store. Throws `city` or `refused`. `transport` replaces the configured mail transport. */
export async function openService(
  config: Config & Pick<StorePlace, 'mustExist'>,
  now = clock,
  transport?: MailTransport,
) {
  const loaded = await loadConfiguredCity(config);
  const store = await openStoreAt(config);
  await store.repairAfterRestore(now());
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
        rmSync(context.tempFolder, { recursive: true, force: true });
        mkdirSync(context.tempFolder, { recursive: true, mode: 0o700 });
        try {
          const job = { ...context, command: randomUUID(), store: store.filings };
          return await ingestSources({ ...job, progress: () => undefined, now, ...order });
        } finally {
          rmSync(context.tempFolder, { recursive: true, force: true });
        }
      }),
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

/** Judges files without a store, for authors of profiles. */
export async function dryRunCity(config: Config, order: Partial<IngestOrder>): Promise<DryRunReport[]> {
  const { dryRun } = await import('../import/dry-run.ts');
  const loaded = await loadConfiguredCity(config);
  sweepDead(config.dataFolder, /^(?:check|init)-(\d+)$/); // left by downloads that were interrupted
  const folder = existsSync(config.dataFolder) ? config.dataFolder : tmpdir();
  const context = { ...makePullContext(config, loaded), tempFolder: join(folder, `check-${process.pid}`) };
  try {
    return await dryRun({ ...context, progress: () => undefined, now: clock, ...order });
  } finally {
    rmSync(context.tempFolder, { recursive: true, force: true });
  }
}

/** Replaces the database with a backup. Throws `source` if it is unusable, `refused` if the folder is in use. */
export async function restoreBackup(
  { dataFolder, databaseUrl }: Config,
  file: string,
  now = clock,
): Promise<Omit<CopyFacts, 'step'> & { replaced: string | undefined }> {
  if (databaseUrl !== undefined)
    throw new ShingleError('usage', 'the data is in PostgreSQL: restore a dump with pg_restore or psql');
  const replaced = await replaceDatabase(file, dataFolder, now());
  const store = await openStoreAt({ dataFolder, databaseUrl, mustExist: true });
  try {
    await store.repairAfterRestore(now());
    const { listings } = await store.describe();
    return { listings, subscribers: (await store.subscribers.all()).length, replaced };
  } finally {
    await store.close();
  }
}

const loadImport = () => import('../import/ingest-sources.ts');

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

/** Returns a clause that says why strangers can see this service, or `undefined` if they cannot. */
function describePublicity({ mail, publicUrl, host }: Config): string | undefined {
  if (mail.smtp !== undefined) return 'SMTP_URL is set';
  if (publicUrl !== undefined)
    return isLoopback(new URL(publicUrl).hostname) ? undefined : 'PUBLIC_URL is a public address';
  return isLoopback(host) ? undefined : 'HOST lets other machines in';
}
