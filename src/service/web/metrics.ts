/** Formats the metrics as Prometheus text (0.0.4). Metrics contain routes and numbers, never addresses or names. */

import type { Server } from 'node:http';
import { limitSlowClients } from './connections.ts';

export type Gauge = {
  name: string;
  help: string;
  values: readonly { labels?: Record<string, string>; value: number }[];
};

export type Metrics = ReturnType<typeof openMetrics>;

/** Upper bounds in seconds. A search takes less than a millisecond, and no request may take longer than 15 seconds. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

export function openMetrics() {
  const taken = 'Time from a request to its response by route.';
  const durations = openHistogram('shingle_request_duration_seconds', taken, 'route');
  const requests = openCounter('shingle_requests_total', 'Requests by route and status.', 'route', 'status');
  const sheds = openCounter('shingle_shed_total', 'Requests rejected because of overload.', 'route');
  const charges = openCounter('shingle_listings_charged_total', 'Listings charged to clients.');
  let usage = new Map<string, number>();
  return {
    /** Counts one response. `route` is one of our paths, or `other`. */
    answered(route: string, status: number, ms: number): void {
      requests.add(`${route} ${status}`);
      durations.add(route, ms / 1000);
      usage.set(route, (usage.get(route) ?? 0) + 1);
    },
    /** Returns the responses of each route since the last call. */
    takeUsage(): ReadonlyMap<string, number> {
      const counted = usage;
      usage = new Map();
      return counted;
    },
    /** Counts one request to a route that was refused under load. */
    shed: sheds.add,
    /** Counts listings that a client was charged for. */
    charged: (listings: number) => charges.add('', listings),
    text: (gauges: readonly Gauge[]) =>
      [requests, durations, sheds, charges].map((series) => series.text()).join('') +
      gauges.map(formatGauge).join(''),
  };
}

/** Opens counters by label values. `add` takes the values in the order of the labels, separated by spaces. */
function openCounter(name: string, help: string, ...labels: readonly string[]) {
  const counts = new Map<string, number>();
  return {
    add: (key: string, by = 1) => void counts.set(key, (counts.get(key) ?? 0) + by),
    text() {
      const samples = [...counts].map(([key, value]) => {
        const values = key.split(' ');
        return formatSample(name, Object.fromEntries(labels.map((label, i) => [label, values[i]!])), value);
      });
      return formatMetric('counter', name, help, samples);
    },
  };
}

/** Opens a histogram for each value of a label. */
function openHistogram(name: string, help: string, label: string) {
  const kept = new Map<string, { counts: number[]; sum: number }>();
  return {
    add(key: string, value: number): void {
      const counts: number[] = Array(BUCKETS.length + 1).fill(0);
      const one = kept.getOrInsertComputed(key, () => ({ counts, sum: 0 }));
      const at = BUCKETS.findIndex((bound) => value <= bound);
      one.counts[at === -1 ? BUCKETS.length : at]!++;
      one.sum += value;
    },
    text() {
      const samples = [...kept].flatMap(([key, { counts, sum }]) => {
        let count = 0;
        const buckets = counts.map((more, i) => {
          count += more;
          return formatSample(`${name}_bucket`, { [label]: key, le: String(BUCKETS[i] ?? '+Inf') }, count);
        });
        const total = formatSample(`${name}_sum`, { [label]: key }, sum);
        return [...buckets, total, formatSample(`${name}_count`, { [label]: key }, count)];
      });
      return formatMetric('histogram', name, help, samples);
    },
  };
}

function formatGauge({ name, help, values }: Gauge): string {
  const samples = values.map(({ labels = {}, value }) => formatSample(name, labels, value));
  return formatMetric('gauge', name, help, samples);
}

function formatMetric(type: string, name: string, help: string, samples: readonly string[]): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.join('')}`;
}

function formatSample(name: string, labels: Record<string, string>, value: number): string {
  const parts = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
  return `${name}${parts.length > 0 ? `{${parts.join(',')}}` : ''} ${value}\n`;
}

/** Opens a separate server for the scraper on the loopback interface. Throws if the port is taken. */
export async function listenForMetrics(port: number, text: () => Promise<string>): Promise<Server> {
  const { createServer } = await import('node:http');
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    const body = await text().catch(() => undefined);
    if (body === undefined) response.writeHead(503).end();
    else response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body);
  });
  limitSlowClients(server, (socket) => socket.destroy());
  server.maxConnections = 8;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  server.on('error', () => undefined); // later errors of this server must not end the service
  return server;
}
