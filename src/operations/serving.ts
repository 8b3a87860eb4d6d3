/** Serves a city: keeps the index up to date with the store, and runs the HTTP server. Never ingests. */

import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { kindOf } from '../city/categories/kind.ts';
import type { Source } from '../city/define.ts';
import type { Outline } from '../city/places/outline.ts';
import { messageOf, ShingleError } from '../errors.ts';
import type { FilingStore } from '../import/filing-store.ts';
import { countRejectedRows, type SourceState } from '../import/runs.ts';
import { type Day, findToday, type Instant } from '../listings/day.ts';
import type { Log } from '../logger.ts';
import type { Mailer } from '../mail/delivery.ts';
import { openIndexBuilder } from '../search/index/build.ts';
import type { IndexBuffers } from '../search/index/index-buffers.ts';
import { openIndex } from '../search/index/open.ts';
import { openIndexRefresher } from '../search/index-refresher.ts';
import type { ListingIndex } from '../search/listing-index.ts';
import { buildApp, MAX_CONNECTIONS } from '../web/app.ts';
import type { Health } from '../web/context.ts';
import { listenForMetrics, openMetrics } from '../web/metrics.ts';
import type { LeftOut } from '../web/pages/city-page-view.ts';
import { CLOCKS } from '../web/plugins/load-shedding.ts';
import { describeHeldFirstRuns } from './concerns.ts';
import type { StorePlace } from './data/store.ts';
import { openGauges } from './gauges.ts';
import { judgeHealth, listConcerns, openConcernLog } from './health.ts';
import { formatPublicUrl, openMail } from './mail.ts';
import { type Service, VERSION } from './service.ts';
import { completeSigns, NO_SLOW_SIGNS, type Signs } from './signs.ts';
import { startWatch, type Watch, type WatchOrder } from './watch.ts';

const BUILD_WORKER = join(import.meta.dirname, `build-worker${extname(import.meta.filename)}`);
const STORE_POLL_MS = 400; // notices a new run within a second

export type Serving = {
  /** The URL it listens at, such as `http://127.0.0.1:3000`. */
  url: string;
  /** Checks for new listings now. */
  refresh(): void;
  /** Stops accepting requests and finishes those already accepted. */
  close(): Promise<void>;
};

/** Serves a city. Binds the port at once and answers searches once a run is kept. `command`: `start` has a schedule. */
export async function serveCity(
  service: Service,
  log: Log,
  command: 'start' | 'serve' = 'serve',
): Promise<Serving> {
  const { config, loaded } = service;
  const current = openCurrentIndex(service, log);
  const mail = openMail(service);
  const background: { mailer?: Mailer; watch?: Watch } = {};
  const signs = (): Signs => {
    const { states, newest } = current.marks();
    const slow = background.watch?.slow() ?? NO_SLOW_SIGNS;
    return completeSigns(service, slow, { states, newest, mail: background.mailer?.standing() });
  };
  const health = (): Health =>
    judgeHealth(service, {
      sees: current.seesStore(),
      ready: current.index() !== undefined,
      signs: signs(),
    });
  const metrics = config.metricsPort === undefined ? undefined : openMetrics();
  const app = buildApp({
    city: loaded.city,
    version: VERSION,
    index: current.index,
    dataAsOf: () => current.marks().asOf,
    outline: () => current.marks().outline,
    leftOut: () => current.marks().leftOut,
    heldRuns: () => describeHeldFirstRuns(loaded.city.sources, current.marks().states),
    health,
    ...(config.limits === 'on' && { clocks: CLOCKS }),
    ...(metrics && { metrics }),
    now: Date.now,
    publicUrl: formatPublicUrl(config),
    subscriptions: mail.subscriptions,
    trustProxy: config.trustProxy,
    limits: config.limits === 'off' ? 'off' : loaded.city.limits,
    instances: config.instances,
    log,
  });
  const host = await findListenAddress(config.host);
  const watched = () => ({
    ...current.marks(),
    index: current.index(),
    health: health(),
    concerns: listConcerns(service, signs()),
  });
  const scraped =
    metrics && (await listenForScraper(config.metricsPort!, openGauges(service, metrics, watched)));
  const listening = app.listen({ host, port: config.port, backlog: MAX_CONNECTIONS });
  const url = await explainListenErrors(listening, { host, port: config.port, variable: 'PORT' }).catch(
    (error: unknown) => {
      scraped?.close();
      throw error;
    },
  );
  await current.start();
  const stopMarking = service.store.markServing();
  background.mailer = mail.keep(log.warn);
  background.watch = watchConcerns(service, { log, command, signs, seesStore: current.seesStore });
  return {
    url,
    refresh: current.refresh,
    async close() {
      scraped?.close();
      await Promise.all([app.close(), background.mailer?.close(), background.watch?.close()]);
      await current.close();
      stopMarking();
    },
  };
}

function listenForScraper(port: number, text: () => Promise<string>): Promise<Server> {
  const place = { host: '127.0.0.1', port, variable: 'METRICS_PORT' };
  return explainListenErrors(listenForMetrics(port, text), place);
}

/** Logs concerns when they begin, records since when they last, and sends alerts. */
function watchConcerns(
  service: Service,
  { signs, ...order }: Pick<WatchOrder, 'log' | 'command' | 'seesStore'> & { signs(): Signs },
): Watch {
  const logConcerns = openConcernLog(order.log);
  return startWatch(service, {
    ...order,
    concerns() {
      const concerns = listConcerns(service, signs());
      logConcerns(concerns);
      return concerns;
    },
    isMailPaused: () => (signs().mail?.pausedUntil ?? '') > service.now(),
  });
}

/** Opens the served index and its marks, which follow the store. */
function openCurrentIndex(service: Service, log: Log) {
  const { name, region } = service.loaded.city;
  const builder = openBuilder(service.config, [name, region]);
  const store = openStoreWatch(service);
  const refresher = openIndexRefresher<Marks>({
    watch: store.look,
    today: () => findToday(service.loaded.city, service.now()),
    build: async (version, day) => (store.isEmpty() ? emptyIndex(version, day) : builder.build(day)),
    pollMs: STORE_POLL_MS,
    failed: (error) => log.warn(`the database cannot be read: ${messageOf(error)}`),
    swapped: ({ size, version }) =>
      log.info(size === 0 ? 'no listings yet' : `serving ${size} listings, version ${version}`),
  });
  const marks = () => refresher.current()?.marks ?? NO_MARKS;
  const refresh = () => refresher.refresh().catch((error: unknown) => log.warn(messageOf(error)));
  return {
    marks,
    /** Returns the index, or `undefined` before the first kept run. */
    index: () => (marks().asOf === null ? undefined : refresher.current()?.index),
    seesStore: refresher.seesStore,
    refresh,
    async start() {
      await refresh();
      refresher.start();
    },
    async close() {
      await refresher.close();
      builder.close();
    },
  };
}

/** Resolves `localhost`. Fastify would open a second server on its other address, without the limits of the first. */
async function findListenAddress(host: string): Promise<string> {
  return host === 'localhost' ? (await lookup(host)).address : host;
}

/** Facts other than listings. Computed for each poll, not for each request. */
type Marks = {
  states: readonly SourceState[];
  asOf: Instant | null;
  outline: Outline | undefined;
  /** The newest filing of each source. */
  newest: ReadonlyMap<string, Day>;
  leftOut: LeftOut | undefined;
};
const NO_MARKS: Marks = { states: [], asOf: null, outline: undefined, newest: new Map(), leftOut: undefined };

/** Polls the store. Reads the map outline and the newest filings only when something has changed or a day has begun. */
function openStoreWatch({ store, loaded, now }: Service) {
  type Seen = { version: string; today: Day } & Pick<Marks, 'outline' | 'newest' | 'leftOut'>;
  let seen: Seen | undefined;
  const sources = loaded.city.sources.map(({ id }) => id);
  let asOf: Instant | null = null;
  return {
    /** Returns whether there was no kept run at the last poll. */
    isEmpty: () => asOf === null,
    async look(): Promise<{ version: string; marks: Marks }> {
      const version = await store.listings.version();
      const today = findToday(loaded.city, now());
      if (seen?.version !== version || seen.today !== today) {
        const drawing = await store.listings.outline();
        const newest = await store.listings.newestFilings(sources, today);
        const outline = drawing === undefined ? undefined : JSON.parse(drawing);
        seen = { version, today, newest, outline, leftOut: await countLeftOut(store.filings, sources) };
      }
      const states = await store.filings.sourceStates();
      asOf = dataAsOf(loaded.city.sources, states);
      const { outline, newest, leftOut } = seen;
      return { version, marks: { states, asOf, outline, newest, leftOut } };
    },
  };
}

/** Counts the rows that each source's last kept run left out. If a source delivers changes, uses its last snapshot. */
async function countLeftOut(
  { lastKept }: Pick<FilingStore, 'lastKept'>,
  sources: readonly string[],
): Promise<LeftOut | undefined> {
  const all = { read: 0, skipped: new Map<string, number>(), rejected: 0 };
  for (const source of sources) {
    const run = await lastKept(source, { whole: true });
    if (run === undefined) continue;
    all.read += run.read;
    for (const [reason, rows] of Object.entries(run.skipped))
      all.skipped.set(reason, (all.skipped.get(reason) ?? 0) + rows);
    all.rejected += countRejectedRows(run);
  }
  return all.read === 0 ? undefined : all;
}

function emptyIndex(version: string, day: Day): ListingIndex {
  return openIndex(openIndexBuilder({ version, day, suppressed: [] }).finish());
}

/**
 * Builds each index in a separate thread. Throws `store` if that fails. Starts the first thread at once, so that it has
 * loaded by the time there is something to build.
 */
function openBuilder({ dataFolder, databaseUrl }: StorePlace, placeNames: readonly string[]) {
  const start = () => new Worker(BUILD_WORKER, { workerData: { dataFolder, databaseUrl } });
  let ahead: Worker | undefined = start();
  ahead.unref(); // a service that cannot start must end
  return {
    async build(day: Day): Promise<ListingIndex> {
      const worker = ahead ?? start();
      ahead = undefined;
      worker.ref();
      const failed = once(worker, 'exit').then(([code]) => {
        throw new ShingleError('store', `the search index could not be built (exit code ${code})`);
      });
      failed.catch(() => undefined);
      worker.postMessage(day);
      const [parts] = (await Promise.race([once(worker, 'message'), failed])) as [IndexBuffers];
      return openIndex(parts, { kindOfWord: (name) => kindOf({ name }), placeNames });
    },
    close: () => void ahead?.terminate(),
  };
}

/** Returns when the last good run ended, the oldest of several sources. Returns `null` before any source has one. */
function dataAsOf(sources: readonly Source[], states: readonly SourceState[]): Instant | null {
  const goodAts = sources.map(({ id }) => states.find(({ source }) => source === id)?.goodAt ?? null);
  return goodAts.filter((at) => at !== null).toSorted()[0] ?? null;
}

type Listening = {
  host: string;
  port: number;
  /** The environment variable that sets the port. */
  variable: string;
};

/** Waits until a server listens. Throws `conflict` if an operator can fix the error. */
async function explainListenErrors<T>(listening: Promise<T>, where: Listening): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const sentence = describeListenError((error as NodeJS.ErrnoException).code, where);
    throw sentence === undefined ? error : new ShingleError('conflict', sentence, { cause: error });
  }
}

function describeListenError(
  code: string | undefined,
  { host, port, variable }: Listening,
): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use by another program, perhaps another Shingle. Stop that program, or set ${variable} to another port`;
    case 'EACCES':
      return `this user may not open port ${port}. Set ${variable} to 1024 or more`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Set HOST to one`;
    default:
      return undefined;
  }
}
