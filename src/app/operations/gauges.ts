/** Provides gauges of the data and the process for the scraper, in addition to the request counters. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import HELP from '../../data/gauges.json' with { type: 'json' };
import { readFreeBytes } from '../../service/database/disk-room.ts';
import { CONCERN_KINDS, type Concern } from '../../service/mail/alerts.ts';
import type { ListingIndex } from '../../service/search/index/open.ts';
import type { Health } from '../../service/web/context.ts';
import type { Gauge, Metrics } from '../../service/web/metrics.ts';
import { countDays, DAY_MS, type Day, type Instant } from '../../shared/day.ts';
import type { Service } from './service.ts';

export type Watched = {
  index: ListingIndex | undefined;
  dataAsOf: Instant | null;
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
export function openGauges(
  { config, now }: Service,
  counted: Metrics,
  watch: () => Watched,
): () => Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  return async () => {
    const watched = watch();
    return counted.text([
      ...listDataGauges(watched, now()),
      ...listProcessGauges(delay),
      gauge('limits_memory_ratio', watched.limitsFilled),
      gauge('disk_free_bytes', readFreeBytes(config.dataFolder)),
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
    gauge('data_age_seconds', age),
    gauge('concern', kinds),
    gauge('newest_filing_age_seconds', ages),
  ];
}

function toSeconds(ms: number): number {
  return Math.round(ms / 1000);
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
