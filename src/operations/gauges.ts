/** Reads gauges of the data, runs, mail and process, besides the request counters, when the scraper requests them. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readFreeBytes } from '../database/room.ts';
import type { SourceState } from '../import/runs.ts';
import { type Day, type Instant, toDayNumber } from '../listings/day.ts';
import { CONCERN_KINDS, type Concern } from '../mail/alerts/concern.ts';
import type { ListingIndex } from '../search/listing-index.ts';
import type { Health } from '../web/context.ts';
import type { Gauge, Metrics } from '../web/metrics.ts';
import { findConfirmationLimits } from './mail.ts';
import type { Service } from './service.ts';

export type Watched = {
  index: ListingIndex | undefined;
  asOf: Instant | null;
  states: readonly SourceState[];
  health: Health;
  /** Conditions that need a person. */
  concerns: readonly Concern[];
  newest: ReadonlyMap<string, Day>;
};

const HEALTHS = ['ok', 'warn', 'fail'] as const;
const QUANTILES = [50, 99, 100];
const DELAY_RESOLUTION_MS = 20; // part of every measured delay

/** Opens a function that returns the text for a scraper, counters and gauges. Starts measuring the event loop delay. */
export function openGauges(service: Service, counted: Metrics, watch: () => Watched): () => Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  return async () => {
    const watched = watch();
    return counted.text([
      ...dataGauges(watched, Date.parse(service.now())),
      ...runGauges(watched.states),
      ...concernGauges(watched, service.now()),
      ...(await mailGauges(service)),
      ...processGauges(delay),
      gauge(
        'disk_free_bytes',
        'Free space on the disk of the data folder.',
        readFreeBytes(service.config.dataFolder),
      ),
    ]);
  };
}

function gauge(name: string, help: string, value: number): Gauge {
  return { name: `shingle_${name}`, help, values: [{ value }] };
}

function dataGauges({ index, asOf, health }: Watched, now: number): Gauge[] {
  const age = asOf === null ? [] : [{ value: Math.round((now - Date.parse(asOf)) / 1000) }];
  return [
    gauge('health', '0 ok, 1 warn, 2 fail.', HEALTHS.indexOf(health.status)),
    gauge('catalogue_listings', 'Listings served.', index?.size ?? 0),
    gauge('catalogue_bytes', 'Size of the search index in bytes.', index?.bytes ?? 0),
    { name: 'shingle_data_age_seconds', help: 'Seconds since the last good run ended.', values: age },
  ];
}

/** Makes gauges of concerns, and ages in days: a filing has no time. Kinds without a concern are 0, so alerts end. */
function concernGauges({ concerns, newest }: Watched, now: Instant): Gauge[] {
  const values = CONCERN_KINDS.map((kind) => ({
    labels: { kind },
    value: concerns.filter((one) => one.kind === kind).length,
  }));
  const ages = [...newest].map(([source, day]) => ({
    labels: { source },
    value: toDayNumber(now.slice(0, 10)) - toDayNumber(day),
  }));
  return [
    { name: 'shingle_concern', help: 'What needs your attention, by kind: 0 is nothing.', values },
    {
      name: 'shingle_newest_filing_age_days',
      help: 'Age of the newest filing of each source.',
      values: ages,
    },
  ];
}

function runGauges(states: readonly SourceState[]): Gauge[] {
  const last = states.flatMap(({ source, last }) =>
    last === null ? [] : [{ labels: { source, state: last.state }, value: 1 }],
  );
  const good = states.flatMap(({ source, goodAt }) =>
    goodAt === null ? [] : [{ labels: { source }, value: Math.round(Date.parse(goodAt) / 1000) }],
  );
  return [
    { name: 'shingle_last_run', help: 'How the last run of each source ended.', values: last },
    { name: 'shingle_last_good_run_timestamp_seconds', help: 'When the last good run ended.', values: good },
  ];
}

/** Reads the gauges of mail. Returns none while the store cannot be read, so that the scrape continues without them. */
async function mailGauges(service: Service): Promise<Gauge[]> {
  const { store, now } = service;
  try {
    const tally = await store.outbox.countMessages();
    const limits = findConfirmationLimits(service);
    const { pausedUntil, waiting, waitingSince } = await store.outbox.standing(now(), limits);
    const waited = waitingSince === null ? 0 : Date.parse(now()) - Date.parse(waitingSince);
    const values = tally.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count }));
    return [
      ...(await listGauges(store)),
      { name: 'shingle_messages', help: 'Messages of the last 30 days by state.', values },
      gauge('mail_paused', '1 while mail is paused.', pausedUntil !== null && pausedUntil > now() ? 1 : 0),
      gauge(
        'confirmations_waiting',
        'Confirmation emails that are due but not sent, without those of one or two clients to a domain that has had its share.',
        waiting,
      ),
      gauge(
        'confirmation_wait_seconds',
        'How long the oldest of them has waited.',
        Math.round(waited / 1000),
      ),
    ];
  } catch {
    return [];
  }
}

/** Reads the gauges of the subscriber list and its newest edition. */
async function listGauges({ listStats }: Service['store']): Promise<Gauge[]> {
  const { types, editions, reports } = await listStats.read(1);
  const [newest] = editions;
  const subscriptions = Object.entries(types).flatMap(([type, counts]) =>
    Object.entries(counts).map(([state, value]) => ({ labels: { type, state }, value })),
  );
  const progress: Record<string, number> =
    newest === undefined ? {} : { ...newest.progress, bounced: newest.bounced };
  const sent = Object.entries(progress).map(([state, value]) => ({ labels: { state }, value }));
  const counted = Object.entries(reports).map(([verdict, value]) => ({ labels: { verdict }, value }));
  return [
    { name: 'shingle_subscriptions', help: 'Subscriptions by type and state.', values: subscriptions },
    { name: 'shingle_last_edition_messages', help: 'Messages of the newest edition by state.', values: sent },
    { name: 'shingle_delivery_reports', help: 'Delivery reports so far by verdict.', values: counted },
  ];
}

/** Reads the gauges of the process. The event loop delay is since the previous scrape. */
function processGauges(delay: ReturnType<typeof monitorEventLoopDelay>): Gauge[] {
  const values = QUANTILES.map((quantile) => ({
    labels: { quantile: String(quantile / 100) },
    value: Math.max(0, delay.percentile(quantile) / 1e6 - DELAY_RESOLUTION_MS) / 1e3,
  }));
  delay.reset();
  const { user, system } = process.cpuUsage();
  return [
    { name: 'shingle_event_loop_delay_seconds', help: 'Event loop delay since the previous scrape.', values },
    gauge('process_cpu_seconds', 'CPU time used since the start.', (user + system) / 1e6),
    gauge('process_resident_bytes', 'Resident memory.', process.memoryUsage.rss()),
  ];
}
