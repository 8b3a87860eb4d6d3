/** Keeps the served index, and facts about the data, up to date with the store. */

import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { kindOfPhrase } from '../../register/profile/categories/kind.ts';
import type { StorePlace } from '../../service/data/store.ts';
import type { SourceState } from '../../service/runs/runs.ts';
import { openIndexBuilder } from '../../service/search/index/build.ts';
import { type IndexOptions, openIndex } from '../../service/search/index/open.ts';
import type { IndexBuffers } from '../../service/search/index-buffers.ts';
import type { ListingIndex } from '../../service/search/listing-index.ts';
import { expectsFilings } from '../../shared/city/register-end.ts';
import { openValueNames } from '../../shared/city/value-names.ts';
import { type Day, findToday, type Instant, isAhead } from '../../shared/day.ts';
import { messageOf, ShingleError } from '../../shared/errors.ts';
import type { Log } from '../../shared/logger.ts';
import type { Outline } from '../../shared/outline.ts';
import { keepLooking } from '../../shared/polling.ts';
import type { Service } from './service.ts';

const BUILD_WORKER = join(import.meta.dirname, `build-worker${extname(import.meta.filename)}`);
const STORE_POLL_MS = 400; // short enough to notice a new run within a second

/** Facts about the data besides the listings. Polls compute them, so requests need not. */
type Marks = Awaited<ReturnType<ReturnType<typeof openStoreWatch>>>['marks'];
const NO_MARKS: Marks = {
  ...{ states: [], dataAsOf: null, outline: undefined },
  ...{ newest: new Map(), leftOut: undefined },
};

export function openCurrentIndex(
  service: Service,
  log: Log,
  served: (listings: number) => void = () => undefined,
) {
  const { name, region, language, timeZone, alsoCalled } = service.loaded.city;
  const { nameOf } = openValueNames(service.loaded.city);
  const options: IndexOptions = {
    placeNames: [name, region],
    alsoCalled,
    language,
    timeZone,
    expectsFilings: expectsFilings(service.loaded.city),
    kindOfWord: (word) => nameOf('category', kindOfPhrase(word)),
  };
  const refresher = openIndexRefresher<Marks>({
    watch: openStoreWatch(service),
    today: () => findToday(service.loaded.city, service.now()),
    build: async (version, day, { dataAsOf }) =>
      dataAsOf === null
        ? openIndex(openIndexBuilder({ version, day, suppressed: [] }).finish())
        : openIndex(await buildInThread(service.config, { day, language }), options),
    pollMs: STORE_POLL_MS,
    failed: (error) => log.warn(`the database cannot be read: ${messageOf(error)}`),
    swapped({ size }, { dataAsOf }) {
      if (dataAsOf === null) return;
      log.info(`serving ${size} listings`);
      served(size);
    },
  });
  const marks = () => refresher.current()?.marks ?? NO_MARKS;
  const refresh = () => refresher.refresh().catch((error: unknown) => log.warn(messageOf(error)));
  return {
    marks,
    /** Returns the index, or `undefined` before the first kept run. */
    index: () => (marks().dataAsOf === null ? undefined : refresher.current()?.index),
    /** Returns the error of the latest poll, or `undefined` if it could read the store. */
    trouble: refresher.trouble,
    refresh,
    start: refresher.start,
    close: refresher.close,
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
    return { version, marks: { states, dataAsOf: isFalse ? seen.readAt : dataAsOf, ...seen.rest } };
  };
}

/** Builds an index in its own thread. Throws `store`. */
async function buildInThread(
  { dataFolder, databaseUrl }: StorePlace,
  built: { day: Day; language: string | undefined },
): Promise<IndexBuffers> {
  const worker = new Worker(BUILD_WORKER, { workerData: { dataFolder, databaseUrl, ...built } });
  const failed = once(worker, 'exit').then(([code]) => {
    throw new ShingleError('store', `the search index could not be built (exit code ${code})`);
  });
  failed.catch(() => undefined);
  const [buffers] = (await Promise.race([once(worker, 'message'), failed])) as [IndexBuffers];
  return buffers;
}

/** Returns the earliest time at which a source's newest good run ended. `null` if no source has a good run. */
export function findDataAsOf(sources: readonly string[], states: readonly SourceState[]): Instant | null {
  const goodAts = states.filter(({ source }) => sources.includes(source)).map(({ goodAt }) => goodAt);
  return goodAts.filter((at) => at !== null).toSorted()[0] ?? null;
}

type RefresherParts<Marks> = {
  /** Reads the version of the store, and the marks for the index of that version. */
  watch(): Promise<{ version: string; marks: Marks }>;
  today(): Day;
  /** Builds an index from the store, in another thread. */
  build(version: string, day: Day, marks: Marks): Promise<ListingIndex>;
  pollMs: number;
  /** Receives the error if a poll or a build fails. The previous index stays in use. */
  failed(error: unknown): void;
  swapped(index: ListingIndex, marks: Marks): void;
};

/** Opens a refresher. Call `refresh` to build the first index, then `start` to poll. */
export function openIndexRefresher<Marks>(parts: RefresherParts<Marks>) {
  let current: { index: ListingIndex; marks: Marks } | undefined;
  let trouble: unknown;
  let looking: Promise<void> | undefined;
  let stopLooking: (() => Promise<void>) | undefined;

  async function look(): Promise<void> {
    const { version, marks } = await parts.watch();
    const day = parts.today();
    const known = current?.index;
    const isSame = known?.version === version && known.day === day;
    const index = isSame ? known : await parts.build(version, day, marks);
    current = { index, marks };
    trouble = undefined;
    if (!isSame) parts.swapped(index, marks);
  }

  /** Polls, or joins the poll in progress. Resolves when the polled version is served. Throws if a step fails. */
  function refresh(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  return {
    /** Returns the index with its marks, or `undefined` before the first index. */
    current: () => current,
    /** Returns the error of the last poll, or `undefined`. */
    trouble: () => trouble,
    refresh,
    start(): void {
      const fail = (error: unknown) => {
        trouble = error;
        parts.failed(error);
      };
      stopLooking = keepLooking(refresh, fail, parts.pollMs);
    },
    close: async () => stopLooking?.(),
  };
}
