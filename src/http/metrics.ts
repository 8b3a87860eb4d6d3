/** What a service counts of itself, as Prometheus reads it (text format 0.0.4). Routes, never addresses; numbers, never names. */

import { createServer, type Server } from 'node:http';

export type Gauge = {
  name: string;
  help: string;
  values: readonly { labels?: Record<string, string>; value: number }[];
};

export type Metrics = {
  /** One answered request. `route` is a path of ours, or `other`. */
  answered(route: string, status: number): void;
  /** One answer given up on for want of time. */
  shed(route: string): void;
  /** One answer refused because a budget was used up. */
  refused(budget: 'burst' | 'rows' | 'signup'): void;
  /** All that was counted, and the gauges as they are. */
  text(gauges: readonly Gauge[]): string;
};

export function openMetrics(): Metrics {
  const requests = new Map<string, number>();
  const sheds = new Map<string, number>();
  const refusals = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    answered: (route, status) => add(requests, `${route} ${status}`),
    shed: (route) => add(sheds, route),
    refused: (budget) => add(refusals, budget),
    text(gauges) {
      const answered = [...requests].map(([key, value]) => {
        const [route = '', status = ''] = key.split(' ');
        return { labels: { route, status }, value };
      });
      const refused = [...refusals].map(([budget, value]) => ({ labels: { budget }, value }));
      const given = [...sheds].map(([route, value]) => ({ labels: { route }, value }));
      return [
        written('counter', {
          name: 'shingle_requests_total',
          help: 'Requests by route and status.',
          values: answered,
        }),
        written('counter', {
          name: 'shingle_shed_total',
          help: 'Requests given up on under load.',
          values: given,
        }),
        written('counter', {
          name: 'shingle_budget_refused_total',
          help: 'Requests refused by budget.',
          values: refused,
        }),
        ...gauges.map((gauge) => written('gauge', gauge)),
      ].join('');
    },
  };
}

function written(type: 'counter' | 'gauge', { name, help, values }: Gauge): string {
  const lines = values.map(
    ({ labels, value }) => `${name}${labels === undefined ? '' : labelled(labels)} ${value}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelled(labels: Record<string, string>): string {
  const parts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return `{${parts.join(',')}}`;
}

/** A door of its own on the machine's loopback, for the scraper alone. Throws where the port is taken. */
export async function openMetricsDoor(port: number, text: () => Promise<string>): Promise<Server> {
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 5_000 },
    async (request, response) => {
      if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
        response.writeHead(404).end();
        return;
      }
      const body = await text().catch(() => undefined);
      if (body === undefined) response.writeHead(503).end();
      else response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body);
    },
  );
  server.maxConnections = 8;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}
