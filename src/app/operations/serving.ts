/** Serves a city: runs the HTTP server, the index, the mail, the watch and the metrics. Never ingests. */

import { MAX_CONNECTIONS } from '../../service/web/connections.ts';
import { listenForMetrics, openMetrics } from '../../service/web/metrics.ts';
import { openRefusedOrigins } from '../../service/web/origins.ts';
import { CLOCKS } from '../../service/web/plugins/load-shedding.ts';
import type { Log } from '../../shared/logger.ts';
import { buildApp } from '../web/app.ts';
import { openConcernWatch } from './concern-watch.ts';
import { describeHeldFirstRuns, findConcerns, judgeHealth, SERVED } from './concerns.ts';
import { formatPublicUrl, openMail } from './connect-mail.ts';
import { openCurrentIndex } from './current-index.ts';
import { openGauges } from './gauges.ts';
import { explainListenError, findLimits, findListenPlace } from './listening.ts';
import type { Service } from './service.ts';
import { VERSION } from './version.ts';

export type Serving = Awaited<ReturnType<typeof serveCity>>;

/**
 * Serves a city. Opens the port when the stored listings can be searched, so that a proxy sends nobody to an instance that
 * still loads them; immediately if there are none. Only `start` has a schedule.
 */
export async function serveCity(
  service: Service,
  log: Log,
  command: 'start' | 'serve' = 'serve',
  /** Called with the number of listings, each time they can be searched anew. */
  served: (listings: number) => void = () => undefined,
  /** Ends a build of the index that the start waits for. Throws then. */
  stop?: AbortSignal,
) {
  const current = openCurrentIndex(service, log, served);
  stop?.addEventListener('abort', () => void current.close());
  const mail = openMail(service, log.warn);
  const refusedOrigins = openRefusedOrigins(Date.now);
  const metrics = openMetrics();
  const watch = openConcernWatch(service, {
    metrics,
    log,
    command,
    seesStore: () => current.problem() === undefined,
    addNews(read) {
      const { states, newest } = current.marks();
      const ownOrigin = refusedOrigins.own();
      const isSeen = { 'limits-full': app.filled() >= 1, 'trust-proxy': app.sawUnvouched() };
      const seen = SERVED.filter((kind) => isSeen[kind]);
      return { ...read, states, newest, ownOrigin, served: seen, mail: mail.standing() ?? read.mail };
    },
  });
  const health = () => {
    const ready = current.index() !== undefined;
    const problem = current.problem() ?? watch.problem();
    return judgeHealth(service, { problem, ready, signs: watch.signs() });
  };

  const { config, loaded } = service;
  const app = buildApp({
    city: loaded.city,
    version: VERSION,
    index: current.index,
    dataAsOf: () => current.marks().dataAsOf,
    outline: () => current.marks().outline,
    leftOut: () => current.marks().leftOut,
    heldRuns: () => describeHeldFirstRuns(loaded.city.sources, current.marks().states),
    health,
    ...(config.limits === 'on' && { clocks: CLOCKS }),
    metrics,
    now: Date.now,
    publicUrl: formatPublicUrl(config),
    subscriptions: mail.subscriptions,
    refusedOrigins,
    writesFiles: config.mail.smtp === undefined,
    trustProxy: config.trustProxy,
    limits: findLimits(service),
    mayEmbed: config.mayEmbed,
    signupOrigins: config.signupOrigins,
    log,
  });
  const watched = () => ({
    ...current.marks(),
    index: current.index(),
    health: health(),
    concerns: findConcerns(service, watch.signs()),
    limitsFilled: app.filled(),
  });
  const scrape = (port: number) =>
    listenForMetrics(port, openGauges(service, metrics, watched)).catch(
      explainListenError({ host: '127.0.0.1', port, variable: 'METRICS_PORT' }),
    );
  const stopMarking = await watch.mark();
  let scraped: Awaited<ReturnType<typeof listenForMetrics>> | undefined;
  let url: string;
  try {
    if (config.metricsPort !== undefined) scraped = await scrape(config.metricsPort);
    await current.refresh();
    stop?.throwIfAborted();
    url = await listen(app, config);
  } catch (error) {
    scraped?.close();
    await Promise.all([current.close(), watch.close()]);
    stopMarking();
    throw error;
  }
  current.start();
  mail.start();
  watch.start();
  return {
    /** The URL of the server, such as `http://127.0.0.1:3000`. */
    url,
    refresh: current.refresh,
    /** Returns the number of listings, or `undefined` before the first kept run. */
    listings: () => current.index()?.size,
    /** Stops accepting requests, and finishes the accepted ones. */
    async close(): Promise<void> {
      scraped?.close();
      await Promise.all([app.close(), mail.close(), watch.close()]);
      await current.close();
      stopMarking();
    },
  };
}

async function listen(app: ReturnType<typeof buildApp>, config: Service['config']) {
  const place = await findListenPlace(config);
  return app
    .listen({ ...place, backlog: MAX_CONNECTIONS })
    .catch(explainListenError({ ...place, variable: 'PORT' }));
}
