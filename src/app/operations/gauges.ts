/** Provides gauges of the data, runs, mail and process for the scraper, in addition to the request counters. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import HELP from '../../data/gauges.json' with { type: 'json' };
import { readFreeBytes } from '../../service/database/data-folder.ts';
import { CONCERN_KINDS, type Concern } from '../../service/mail/alerts/concern.ts';
import type { SourceState } from '../../service/runs/runs.ts';
import type { ListingIndex } from '../../service/search/listing-index.ts';
import type { Health } from '../../service/web/context.ts';
import type { Gauge, Metrics } from '../../service/web/metrics.ts';
import { countDays, DAY_MS, type Day, type Instant } from '../../shared/day.ts';
import { findConfirmationLimits } from './connect-mail.ts';
import type { Service } from './service.ts';

export type Watched = {
  index: ListingIndex | undefined;
  dataAsOf: Instant | null;
  states: readonly SourceState[];
  health: Health;
  concerns: readonly Concern[];
  newest: ReadonlyMap<string, Day>;
  /** How full the memory of the limits is, from 0 to 1. */
  limitsFilled: number;
};

const HEALTHS = ['ok', 'warn', 'fail'] as const;
const PERCENTILES = [50, 99, 100];
const DELAY_RESOLUTION_MS = 20; // Node adds this to every delay that it measures

/** Returns a function that formats counters and gauges for a scraper. Starts measuring the event loop delay. */
export function openGauges(service: Service, counted: Metrics, watch: () => Watched): () => Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  return async () => {
    const watched = watch();
    return counted.text([
      ...listDataGauges(watched, service.now()),
      ...listRunGauges(watched.states),
      ...(await readMailGauges(service)),
      ...listProcessGauges(delay),
      gauge('limits_memory_ratio', watched.limitsFilled),
      gauge('disk_free_bytes', readFreeBytes(service.config.dataFolder)),
    ]);
  };
}

function gauge(name: keyof typeof HELP, value: number | Gauge['values']): Gauge {
  const values = typeof value === 'number' ? [{ value }] : value;
  return { name: `shingle_${name}`, help: HELP[name], values };
}

/** Lists the gauges of the data. Kinds without a concern are 0, so alerts end. */
function listDataGauges({ index, dataAsOf, health, concerns, newest }: Watched, now: Instant): Gauge[] {
  const age = dataAsOf === null ? [] : [{ value: toSeconds(Date.parse(now) - Date.parse(dataAsOf)) }];
  const kinds = CONCERN_KINDS.map((kind) => ({
    labels: { kind },
    value: concerns.filter((one) => one.kind === kind).length,
  }));
  const ages = [...newest].map(([source, day]) => ({
    labels: { source },
    value: toSeconds(countDays(day, now.slice(0, 10)) * DAY_MS),
  }));
  return [
    gauge('health', HEALTHS.indexOf(health.status)),
    gauge('catalogue_listings', index?.size ?? 0),
    gauge('catalogue_bytes', index?.bytes ?? 0),
    gauge('data_age_seconds', age),
    gauge('concern', kinds),
    gauge('newest_filing_age_seconds', ages),
  ];
}

function toSeconds(ms: number): number {
  return Math.round(ms / 1000);
}

function listRunGauges(states: readonly SourceState[]): Gauge[] {
  const last = states.flatMap(({ source, last }) =>
    last === null ? [] : [{ labels: { source, state: last.state }, value: 1 }],
  );
  const good = states.flatMap(({ source, goodAt }) =>
    goodAt === null ? [] : [{ labels: { source }, value: toSeconds(Date.parse(goodAt)) }],
  );
  return [gauge('last_run', last), gauge('last_good_run_timestamp_seconds', good)];
}

/**
 * Reads the gauges of mail. Returns none if the store cannot be read, so the scraper still gets all other gauges.
 */
async function readMailGauges(service: Service): Promise<Gauge[]> {
  const { store, now } = service;
  try {
    const { types, lastEdition, reports } = await store.listStats.read();
    const subscriptions = Object.entries(types).flatMap(([type, counts]) =>
      Object.entries(counts).map(([state, value]) => ({ labels: { type, state }, value })),
    );
    const { edition: _, state: __, reason: ___, ...progress } = lastEdition ?? {};
    const tally = await store.outbox.countMessages();
    const limits = findConfirmationLimits(service);
    const { pausedUntil, waiting, waitingSince } = await store.outbox.standing(now(), limits);
    const waited = waitingSince === null ? 0 : Date.parse(now()) - Date.parse(waitingSince);
    return [
      gauge('subscriptions', subscriptions),
      gauge('last_edition_messages', labelValues('state', progress)),
      gauge('delivery_reports', labelValues('verdict', reports)),
      gauge(
        'messages',
        tally.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
      ),
      gauge('mail_paused', pausedUntil !== null && pausedUntil > now() ? 1 : 0),
      gauge('confirmations_waiting', waiting),
      gauge('confirmation_wait_seconds', toSeconds(waited)),
    ];
  } catch {
    return [];
  }
}

function labelValues(label: string, values: Record<string, number>): Gauge['values'] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

/** Reads the gauges of the process. The event loop delay covers the time since the previous scrape. */
function listProcessGauges(delay: ReturnType<typeof monitorEventLoopDelay>): Gauge[] {
  const delays = PERCENTILES.map((percentile) => ({
    labels: { percentile: String(percentile) },
    value: Math.max(0, delay.percentile(percentile) / 1e6 - DELAY_RESOLUTION_MS) / 1e3,
  }));
  delay.reset();
  const { user, system } = process.cpuUsage();
  return [
    gauge('event_loop_delay_seconds', delays),
    gauge('process_cpu_seconds', (user + system) / 1e6),
    gauge('process_resident_bytes', process.memoryUsage.rss()),
  ];
}
