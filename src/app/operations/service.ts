/** Opens a city and its store, and offers what changes its data to the commands. */

import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import type { Config } from '../../config.ts';
import type { Source } from '../../register/profile/define.ts';
import { resolvePlace } from '../../register/profile/load.ts';
import { removeQuery } from '../../register/readers/place.ts';
import { openStoreAt, type StorePlace } from '../../service/data/store.ts';
import { isSameCity, nameCity, requireSameCity, type StoredCity } from '../../service/data/stored-city.ts';
import { noteImport, readImport } from '../../service/database/data-folder.ts';
import { requireRoom } from '../../service/database/disk-room.ts';
import { refuseLostFolder, rememberFolder } from '../../service/database/known-folder.ts';
import type { Run } from '../../service/runs/runs.ts';
import { addMs, toLocalDay } from '../../shared/day.ts';
import { refusedError } from '../../shared/errors.ts';
import type { IngestOrder } from '../ingest/ingest-sources.ts';
import { readClock } from './clock.ts';
import { loadConfiguredCity, makePullContext } from './configured-city.ts';

// after this time, a waiting ingest reports that another ingest is running
const INGEST_LOCK_WAIT_MS = 15 * 60_000;
const LOST_LOCK_WAIT_MS = 10_000; // the lock is free as soon as its process ends

export type Service = Readonly<Awaited<ReturnType<typeof openService>>>;

/** Opens the city and its store. Throws `city` or `refused`. */
export async function openService(
  config: Config & Pick<StorePlace, 'mustExist'> & { ofAnyCity?: boolean | undefined },
  now = readClock,
) {
  const loaded = await loadConfiguredCity(config);
  const { dataFolder } = config;
  const isRemembered = config.databaseUrl === undefined && !loaded.isShipped;
  if (isRemembered) refuseLostFolder(loaded.folder, dataFolder);
  const store = await openStoreAt(config);
  const requireCity = async () => requireSameCity(await store.city.read(), loaded, config);
  // commands that need data may run as another user, whose file the service could not write
  const remember = () =>
    isRemembered &&
    !config.mustExist &&
    rememberFolder(loaded.folder, dataFolder, toLocalDay(loaded.city.timeZone, now()));
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
    /** Imports sources once no other process imports. Throws `store` if the disk is almost full. */
    ingest: (order: Partial<IngestOrder>): Promise<Run[]> =>
      store.alone('ingest', INGEST_LOCK_WAIT_MS, async () => {
        const { ingestSources } = await import('../ingest/ingest-sources.ts');
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
      store.alone('ingest', INGEST_LOCK_WAIT_MS, () => {
        const sources = loaded.city.sources.map(({ id }) => id);
        return store.filings.accept(run, sources, now);
      }),
    /** Records why a process that imported `source` was ended. Throws `store` while another process imports. */
    recordLostIngest: (source: Source, lost: Pick<Run, 'detail' | 'retry'>): Promise<Run> => {
      const place = source.from.place && removeQuery(resolvePlace(loaded.folder, source.from.place));
      const read = { place: place ?? '', content: '', profileDigest: loaded.digest };
      const run = { ...read, source: source.id, snapshot: source.delivers === 'snapshot' };
      const begun = { ...run, command: randomUUID(), startedAt: now() };
      return store.alone('ingest', LOST_LOCK_WAIT_MS, () => store.filings.recordLost(begun, lost));
    },
    /** Makes the stored data that of the city as it is named now. Throws `refused` without a source in common. */
    async rename(): Promise<StoredCity | undefined> {
      const stored = await store.city.read();
      if (stored === undefined || isSameCity(stored, loaded.city)) return undefined;
      const known = (await store.filings.sourceStates()).map(({ source }) => source);
      if (!loaded.city.sources.some(({ id }) => known.includes(id)))
        throw refusedError(
          `${nameCity(loaded.city)} has none of the sources of ${nameCity(stored)} (${known.join(', ')}), so it is another city. Nothing was changed`,
        );
      await store.city.write(loaded.city);
      return stored;
    },
    close: () => store.close(),
  };
}
