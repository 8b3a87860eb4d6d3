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
  const durations = openHistogram(
    'shingle_request_duration_seconds',
    'Time from a request to its response by route.',
    'route',
  );
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
      const taken = usage;
      usage = new Map();
      return taken;
    },
    /** Counts one request to a route that was refused under load. */
    shed: sheds.add,
    /** Counts listings that a client was charged for. */
    charged: (listings: number) => charges.add('', listings),
    text: (gauges: readonly Gauge[]) =>
      [requests, durations, sheds, charges].map((counter) => counter.text()).join('') +
      gauges.map((gauge) => formatGauge('gauge', gauge)).join(''),
  };
}

/** Opens counters by label values. `add` takes the values in the order of the labels, separated by spaces. */
function openCounter(name: string, help: string, ...labels: readonly string[]) {
  const counts = new Map<string, number>();
  const labelsOf = (key: string) => Object.fromEntries(labels.map((label, i) => [label, key.split(' ')[i]!]));
  return {
    add: (key: string, by = 1) => void counts.set(key, (counts.get(key) ?? 0) + by),
    text() {
      const values = [...counts].map(([key, value]) => ({ labels: labelsOf(key), value }));
      return formatGauge('counter', { name, help, values });
    },
  };
}

/** Opens a histogram for each value of a label. */
function openHistogram(name: string, help: string, label: string) {
  const kept = new Map<string, { counts: number[]; sum: number }>();
  return {
    add(key: string, value: number): void {
      const one = kept.getOrInsertComputed(key, () => ({
        counts: Array(BUCKETS.length + 1).fill(0),
        sum: 0,
      }));
      const at = BUCKETS.findIndex((bound) => value <= bound);
      one.counts[at === -1 ? BUCKETS.length : at]!++;
      one.sum += value;
    },
    text() {
      const lines = [...kept].flatMap(([key, { counts, sum }]) => {
        let count = 0;
        const buckets = counts.map((more, i) => {
          count += more;
          return formatSample(`${name}_bucket`, { [label]: key, le: String(BUCKETS[i] ?? '+Inf') }, count);
        });
        const labels = { [label]: key };
        return [
          ...buckets,
          formatSample(`${name}_sum`, labels, sum),
          formatSample(`${name}_count`, labels, count),
        ];
      });
      return formatMetric('histogram', name, help, lines);
    },
  };
}

function formatGauge(type: 'counter' | 'gauge', { name, help, values }: Gauge): string {
  const lines = values.map(({ labels = {}, value }) => formatSample(name, labels, value));
  return formatMetric(type, name, help, lines);
}

function formatMetric(type: string, name: string, help: string, lines: readonly string[]): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
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
