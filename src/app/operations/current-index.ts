/** Keeps the served index, and facts about the data, up to date with the store. */

import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { kindOfPhrase } from '../../register/profile/categories/kind.ts';
import type { StorePlace } from '../../service/data/store.ts';
import type { Correction } from '../../service/runs/listing-store.ts';
import type { SourceState } from '../../service/runs/runs.ts';
import { openIndexBuilder } from '../../service/search/index/build.ts';
import { type Correcting, digestOverride, editRows, openRowFinder } from '../../service/search/index/edit.ts';
import { type IndexOptions, type ListingIndex, openIndex } from '../../service/search/index/open.ts';
import type { IndexBuffers } from '../../service/search/index-buffers.ts';
import type { CityFacts } from '../../shared/city/city-facts.ts';
import type { Outline } from '../../shared/city/outline.ts';
import { expectsFilings } from '../../shared/city/register-end.ts';
import { openValueNames } from '../../shared/city/value-names.ts';
import { type Day, findToday, type Instant, isAhead } from '../../shared/day.ts';
import { messageOf, storeError } from '../../shared/errors.ts';
import type { Log } from '../../shared/logger.ts';
import { keepLooking } from '../../shared/polling.ts';
import { normalizeName } from '../../shared/words.ts';
import type { BuildMessage, BuiltIndex } from './build-worker.ts';
import type { Service } from './service.ts';

const BUILD_WORKER = join(import.meta.dirname, `build-worker${extname(import.meta.filename)}`);
const PROGRESS_MS = 5_000;
const STORE_POLL_MS = 400; // short enough to notice a new run within a second

/** Facts about the data besides the listings. Polls compute them, so requests need not. */
type Marks = Awaited<ReturnType<ReturnType<typeof openStoreWatch>>>['marks'];
const NO_MARKS: Marks = {
  states: [],
  dataAsOf: null,
  outline: undefined,
  newest: new Map(),
  leftOut: undefined,
};

export function openCurrentIndex(
  service: Service,
  log: Log,
  served: (listings: number) => void = () => undefined,
) {
  const { name, region, language, timeZone, alsoCalled, archive } = service.loaded.city;
  const { nameOf } = openValueNames(service.loaded.city);
  const options: IndexOptions = {
    placeNames: [name, region],
    alsoCalled,
    language,
    timeZone,
    expectsFilings: expectsFilings(service.loaded.city),
    kindOfWord: (word) => nameOf('category', kindOfPhrase(word)),
  };
  const stop = new AbortController();
  const edits = openEdits(service, (parts) => openIndex(parts, options));
  const refresher = openIndexRefresher<Marks>({
    watch: openStoreWatch(service),
    build: async (version, day, { dataAsOf }) =>
      dataAsOf === null
        ? openIndex(openIndexBuilder({ version, day, suppressed: [] }).finish())
        : edits.open(
            await buildInThread(service.config, { day, city: { archive, language } }, stop.signal, log),
          ),
    edit: edits.apply,
    pollMs: STORE_POLL_MS,
    failed(error) {
      if (stop.signal.aborted) return;
      const says = messageOf(error);
      log.warn(isBuildProblem(error) ? says : `the database cannot be read: ${says}`);
    },
    swapped({ size }, { dataAsOf }) {
      if (dataAsOf === null) return;
      log.info(`serving ${size} listings`);
      served(size);
    },
  });
  const marks = () => refresher.current()?.marks ?? NO_MARKS;
  return {
    marks,
    /** Returns the index, or `undefined` before the first kept run. */
    index: () => (marks().dataAsOf === null ? undefined : refresher.current()?.index),
    /** Returns the error of the latest poll, or `undefined` if it could read the store. */
    problem: refresher.problem,
    refresh: refresher.refresh,
    start: refresher.start,
    /** Ends a build in progress: the next start builds again. */
    async close(): Promise<void> {
      stop.abort();
      await refresher.close();
    },
  };
}

/** Opens indexes, and edits them as the operator says while the next one is built, which takes a minute for millions. */
function openEdits({ store, loaded }: Service, open: (parts: IndexBuffers) => ListingIndex) {
  const known = new WeakMap<ListingIndex, BuiltIndex>();
  const { nameOf } = openValueNames(loaded.city);
  const sources = loaded.city.sources.map(({ id }) => id);
  async function openBuilt(built: BuiltIndex): Promise<ListingIndex> {
    const index = open(built.parts);
    await index.prepare();
    known.set(index, built);
    return index;
  }
  return {
    open: openBuilt,
    /** Returns the index without what was hidden, and with what was corrected, since it was built. */
    async apply(index: ListingIndex): Promise<ListingIndex> {
      const built = known.get(index);
      if (built === undefined) return index;
      const isNew = (one: unknown) => !built.overrides.includes(digestOverride(one));
      const suppressed = (await store.listings.suppressions()).map(({ value }) => value).filter(isNew);
      const allCorrections = await store.listings.corrections();
      const corrections = allCorrections.filter(isNew);
      if (suppressed.length === 0 && corrections.length === 0) return index;
      const find = openRowFinder(built.parts);
      const findRows = async (value: string) => find(value, await store.listings.namesOfKey(sources, value));
      const renamed = await Promise.all(
        (suppressed.length === 0 ? [] : allCorrections)
          .filter(({ name }) => name !== null)
          .map(async ({ value }) => ({ value, names: await store.listings.namesOfKey(sources, value) })),
      );
      const gone: number[] = [];
      for (const value of suppressed) {
        const isFiled = (name: string) => normalizeName(name) === normalizeName(value);
        for (const one of renamed) if (one.names.some(isFiled)) gone.push(...find(one.value, one.names));
        // the index has the corrected name of a listing that is suppressed by the filed one
        const isSame = (one: Correction) => normalizeName(one.value) === normalizeName(value);
        const names = allCorrections.filter(isSame).flatMap(({ name }) => name ?? []);
        for (const one of [value, ...names]) gone.push(...(await findRows(one)));
      }
      const corrected: Correcting[] = [];
      for (const { value, name, category, neighborhood, status } of corrections)
        for (const row of await findRows(value)) {
          if (name !== null) gone.push(row); // its words are indexed by the next build
          corrected.push({
            row,
            ...(category !== null && { category: nameOf('category', category || null) }),
            ...(neighborhood !== null && { neighborhood: nameOf('neighborhood', neighborhood || null) }),
            ...(status !== null && { status }),
          });
        }
      const overrides = [...built.overrides, ...[...suppressed, ...corrections].map(digestOverride)];
      return openBuilt({ parts: editRows(built.parts, { gone, corrected }), overrides });
    },
  };
}

/** Returns a function that polls the store. It reads most marks only after a change or at the start of a day. */
function openStoreWatch({ store, loaded, now }: Service) {
  const sources = loaded.city.sources.map(({ id }) => id);
  async function readRest(today: Day) {
    const drawing = await store.listings.outline();
    const outline: Outline | undefined = drawing === undefined ? undefined : JSON.parse(drawing);
    const newest = await store.listings.newestFilings(sources, today);
    return { outline, newest, leftOut: await store.filings.countLeftOut(sources) };
  }
  /** Reads the version and the states again if a run was kept in between: `data_as_of` must not be later than the index. */
  async function readStates() {
    for (;;) {
      const version = await store.listings.version();
      const states = await store.filings.sourceStates();
      if ((await store.listings.version()) === version) return { version, states };
    }
  }
  let seen: { at: string; readAt: Instant; rest: Awaited<ReturnType<typeof readRest>> } | undefined;
  return async () => {
    const { version, states } = await readStates();
    const today = findToday(loaded.city, now());
    const at = `${version} ${today}`;
    if (seen?.at !== at) seen = { at, readAt: now(), rest: await readRest(today) };
    const dataAsOf = findDataAsOf(sources, states);
    // a wrong clock may have dated the data in the future; a time that stays the same keeps ETags valid
    const isFalse = dataAsOf !== null && isAhead(dataAsOf, now());
    return {
      version,
      day: today,
      marks: { states, dataAsOf: isFalse ? seen.readAt : dataAsOf, ...seen.rest },
    };
  };
}

/** Builds an index in its own thread, or reads the last one from its file. Throws `store`, also when `signal` ends it. */
async function buildInThread(
  { dataFolder, databaseUrl }: StorePlace,
  built: { day: Day; city: Pick<CityFacts, 'archive' | 'language'> },
  signal: AbortSignal,
  log: Log,
): Promise<BuiltIndex> {
  const worker = new Worker(BUILD_WORKER, {
    workerData: { dataFolder, databaseUrl, ...built },
  });
  const end = () => void worker.terminate();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  let saidAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<BuiltIndex>();
  worker.on('message', (told: BuildMessage) => {
    if ('parts' in told) resolve(told);
    else if ('warning' in told) log.warn(told.warning);
    else if (performance.now() - saidAt > PROGRESS_MS) {
      saidAt = performance.now();
      log.info(`preparing the search: ${told.listings} listings read`);
    }
  });
  worker.on('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === OUT_OF_MEMORY ? buildProblem('it needs more memory') : error),
  );
  worker.on('exit', (code) => reject(buildProblem(`its thread ended with the exit code ${code}`)));
  return promise.finally(() => signal.removeEventListener('abort', end));
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
const NOT_BUILT = 'the search index cannot be built';
const buildProblem = (why: string) => storeError(`${NOT_BUILT}: ${why}`);

/** Returns whether an error is not of the database, but of a build that only read it. */
export const isBuildProblem = (error: unknown): boolean => messageOf(error).startsWith(NOT_BUILT);

/** Returns the earliest time at which a source's newest good run ended. `null` if no source has a good run. */
export function findDataAsOf(sources: readonly string[], states: readonly SourceState[]): Instant | null {
  const goodAts = states.filter(({ source }) => sources.includes(source)).map(({ goodAt }) => goodAt);
  return goodAts.filter((at) => at !== null).toSorted()[0] ?? null;
}

type RefresherParts<Marks> = {
  /** Reads the version of the store, the day of the city, and the marks for the index of that version. */
  watch(): Promise<{ version: string; day: Day; marks: Marks }>;
  /** Builds an index from the store, in another thread. */
  build(version: string, day: Day, marks: Marks): Promise<ListingIndex>;
  /** Returns the index as the operator has edited it, without a build. */
  edit?(index: ListingIndex): Promise<ListingIndex>;
  pollMs: number;
  /** Receives the error if a poll or a build fails. The previous index stays in use. */
  failed(error: unknown): void;
  swapped(index: ListingIndex, marks: Marks): void;
};

/** Opens a refresher. Call `refresh` to build the first index, then `start` to poll. */
export function openIndexRefresher<Marks>(parts: RefresherParts<Marks>) {
  const edit = parts.edit ?? (async (index: ListingIndex) => index);
  let current: { index: ListingIndex; marks: Marks } | undefined;
  let problem: unknown;
  let refreshing: Promise<void> | undefined;
  let building: Promise<void> | undefined;
  let stopLooking: (() => Promise<void>) | undefined;

  /** Compares the index with the store. If the store is newer, serves the operator's edits and starts a build. */
  async function look(): Promise<void> {
    const { version, day, marks } = await parts.watch();
    if (current?.index.version === version && current.index.day === day) {
      current = { index: current.index, marks };
      problem = undefined;
      return;
    }
    const served = current;
    const edited = served && (await edit(served.index));
    if (served === current && served && edited) current = { ...served, index: edited };
    if (building !== undefined) return;
    building = build(version, day, marks).finally(() => {
      building = undefined;
    });
    building.catch(() => undefined); // `refresh` and the poll report it
  }

  async function build(version: string, day: Day, marks: Marks): Promise<void> {
    const index = await edit(await parts.build(version, day, marks)); // edited since the build began
    current = { index, marks };
    problem = undefined;
    parts.swapped(index, marks);
  }

  const fail = (error: unknown) => {
    problem = error;
    parts.failed(error);
  };

  /** Polls, or joins the poll in progress. Resolves when the polled version is served, or a step has failed. */
  function refresh(): Promise<void> {
    refreshing ??= look()
      .then(() => building)
      .catch(fail)
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  }

  return {
    /** Returns the index with its marks, or `undefined` before the first index. */
    current: () => current,
    /** Returns the error of the last poll or build, or `undefined`. */
    problem: () => problem,
    refresh,
    start(): void {
      let watched: Promise<void> | undefined;
      /** Does not wait for a build, during which the operator may hide a listing. */
      const poll = async () => {
        await look();
        if (building !== undefined && building !== watched) building.catch(fail);
        watched = building;
      };
      stopLooking = keepLooking(poll, fail, parts.pollMs);
    },
    async close(): Promise<void> {
      await stopLooking?.();
      await building?.catch(() => undefined);
    },
  };
}
