/**
 * More visitors than can be answered: first the capacity of one core with 32 clients, then 1,500 clients who send the next request
 * as soon as they get a response, a fifth of them for pages. Meanwhile health checks, signups and unsubscribes are measured.
 */

import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startChild } from './children.ts';
import { storeOf } from './data.ts';
import { spawnNode } from './load.ts';
import { drawer, mixed } from './questions.ts';
import { median, type Result, type Row } from './report.ts';
import type { Told } from './server.ts';

const VISITORS = 1_500;
const SECONDS = 20;
const SEED = 20261122;

export type Storm = { urls: string[]; connections: number; seconds: number };
export type Stormed = { statuses: Record<string, number>; seconds: number; errors: number };
export type Probe = { status: number; ms: number; who: string };
export type Probes = Record<'health' | 'signup' | 'unsubscribe', Probe[]>;

export async function benchOverload(listings: number): Promise<Result> {
  const server = spawnNode('./server.ts', '0', [await storeOf(listings), '']);
  const { url, sample } = (await once(server, 'message'))[0] as Extract<Told, { url: string }>;
  const mix = mixed(drawer(sample, SEED), 4_000, SEED);
  const urls = mix.map((query, i) => (i % 5 === 0 ? `${url}/?${query}` : `${url}/api/search?${query}`));
  const calm = { urls, connections: 32, seconds: 5 };
  await stormed(calm); // warm: not counted
  const capacity = ((await stormed(calm)).statuses['200'] ?? 0) / calm.seconds;

  const storm = stormed({ urls, connections: VISITORS, seconds: SECONDS });
  const probes = await probing(url, storm);
  const { statuses, seconds } = await storm;
  const served = (statuses['200'] ?? 0) / seconds;
  const recovered = await recoveryMs(url);
  server.send('stop');
  await once(server, 'exit');
  const rows: Row[] = [
    { what: 'answers a second, 32 at once (a fifth pages)', value: Math.round(capacity).toString() },
    {
      what: `answers a second, ${VISITORS.toLocaleString('en')} at once`,
      value: `${Math.round(served)} (${((100 * served) / capacity).toFixed(0)} %)`,
    },
    { what: '  by status', value: JSON.stringify(statuses) },
    ...(['health', 'signup', 'unsubscribe'] as const).map((name) => ({
      what: `  ${name} meanwhile`,
      value: told(probes[name]),
    })),
    { what: 'page and search at full speed again after', value: `${recovered.toFixed(0)} ms` },
  ];
  const figures = { capacity, served, recoveredMs: recovered };
  return { bench: 'overload', listings, rows, figures };
}

export async function stormed(storm: Storm): Promise<Stormed> {
  const child = spawnNode('./storm.ts', '1', []);
  await once(child, 'message');
  child.send(storm);
  const [result] = (await once(child, 'message')) as [Stormed];
  return result;
}

/** From a process of its own, until the storm is over. Who has one of the `tokens` leaves by it. */
export async function probing(
  url: string,
  storm: Promise<unknown>,
  tokens: readonly string[] = [],
): Promise<Probes> {
  const file = fileURLToPath(new URL('./probes.ts', import.meta.url));
  // before the others: what is measured is the service, not how long a probe waits for a core
  const child = startChild('nice', ['-n', '-15', process.execPath, file, url, ...tokens], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await storm;
  child.send('stop');
  return ((await once(child, 'message')) as [Probes])[0];
}

function told(probes: readonly Probe[]): string {
  const taken = probes.filter(({ status }) => status < 400);
  const times = taken.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))]?.toFixed(0) ?? '-';
  return `${taken.length} of ${probes.length} taken; median ${times.length === 0 ? '-' : median(times).toFixed(0)} ms, p99 ${at(0.99)} ms`;
}

/** Until ten in a row, of each, are answered within 50 ms. */
export async function recoveryMs(url: string): Promise<number> {
  const start = performance.now();
  for (let good = 0; good < 20; ) {
    const before = performance.now();
    const response = await fetch(good % 2 === 0 ? `${url}/?q=coffee` : `${url}/api/search?q=coffee`);
    await response.arrayBuffer();
    good = response.status === 200 && performance.now() - before < 50 ? good + 1 : 0;
    if (performance.now() - start > 60_000) throw new Error('it does not recover');
  }
  return performance.now() - start;
}
