/** A minute of as much load as another core can generate: signups and unsubscribes still succeed, and health checks are quick. */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Probe, probing, recoveryMs, stormed } from '../../bench/overload.ts';
import { drawer, mixed } from '../../bench/questions.ts';
import { aCity } from '../a-city.ts';
import { running, until } from '../a-process.ts';
import { fillTown, people, tokensOf } from './people.ts';
import { quantile } from './tools.ts';

const VISITORS = 1_500;
const SECONDS = 60;
const SEED = 20_261_121;
const GOODPUT = 0.8; // of the capacity
const TAKEN = 0.99;
const RECOVERY_MS = 5_000;
const MEDIAN_MS = 100;
const P99_MS = 1_000; // the slowest come with the rush itself, behind all visitors: on a slow machine, twice as long as these take

test(`for ${SECONDS} s under all that can be asked of it, it answers as much as ever and accepts signups and unsubscribes`, async (t) => {
  const city = aCity();
  city.change(
    "name: 'Rivermouth',",
    `name: 'Rivermouth', limits: { burst: 1e9, rows: 1e12, signup: 1e6, connections: 1e6, confirmations: 1e6 },`,
  );
  const filled = await city.open(new Date().toISOString());
  const sample = await fillTown(city, filled);
  const leavers = await people(filled, 2 * SECONDS);
  await filled.close();
  const { config } = city;
  const tokens = tokensOf(config.dataFolder, leavers, 'unsubscribe');
  const env = { SHINGLE_CITY: config.city, SHINGLE_DATA: config.dataFolder };
  const { child, url, stop } = await running(['serve'], env);
  spawnSync('taskset', ['-a', '-c', '-p', '0', String(child.pid)]); // the storm has the other one
  const isUp = () => fetch(`${url}/api/search`).then(({ status }) => (status === 200 ? true : undefined));
  await until(isUp, 'the first answer');

  const mix = mixed(drawer(sample, SEED), 4_000, SEED);
  const urls = mix.map((query, i) => (i % 5 === 0 ? `${url}/?${query}` : `${url}/api/search?${query}`));
  const calm = { urls, connections: 32, seconds: 5 };
  await stormed(calm); // warm: not counted
  const capacity = ((await stormed({ ...calm, seconds: 10 })).statuses['200'] ?? 0) / 10;
  const busy = Array.from({ length: 3 }, () =>
    spawn('taskset', ['-c', '0', process.execPath, '-e', 'for (;;);'], { stdio: 'ignore', timeout: 60_000 }),
  );
  const beside = await stormed(calm);
  for (const one of busy) one.kill('SIGKILL');
  assert.deepEqual(Object.keys(beside.statuses), ['200'], 'refused because of three busy programs beside it');

  child.kill('SIGSTOP'); // until all of them wait to be accepted
  const storm = stormed({ urls, connections: VISITORS, seconds: SECONDS });
  const areWaiting = until(() => countUnaccepted(url) >= VISITORS || undefined, 'the visitors');
  await areWaiting.finally(() => child.kill('SIGCONT'));
  const probes = await probing(url, storm, tokens);
  const { statuses, errors } = await storm;
  const recovered = await recoveryMs(url);
  assert.equal(await stop(), 0);

  const served = (statuses['200'] ?? 0) / SECONDS;
  const offered = Object.values(statuses).reduce((sum, count) => sum + count, 0) / SECONDS;
  t.diagnostic(
    `capacity ${capacity.toFixed(0)} answers a second; asked for ${(offered / capacity).toFixed(1)} times that, and answered ${(served / capacity).toFixed(2)} times: ${JSON.stringify(statuses)}, ${errors} connections broken; at full speed again after ${recovered.toFixed(0)} ms`,
  );
  for (const [name, all] of Object.entries(probes)) t.diagnostic(`${name}: ${told(all)}`);
  const again = await city.open();
  const states = new Map<string, string | undefined>();
  for (const { address, subscriptions } of await again.store.subscribers.all())
    states.set(address, subscriptions[0]?.state);
  const isTaken = ({ status }: Probe) => status === 200 || status === 202;
  for (const { who } of probes.signup.filter(isTaken)) assert.equal(states.get(who), 'pending', who);
  for (const { who } of probes.unsubscribe.filter(isTaken))
    assert.equal(states.get(leavers[tokens.indexOf(who)]!), 'left');
  for (const all of [probes.signup, probes.unsubscribe]) {
    assert.ok(all.length >= SECONDS * 0.9, `only ${all.length} tried`);
    assert.ok(all.filter(isTaken).length >= TAKEN * all.length, told(all));
  }
  assert.ok(probes.health.every(isTaken), told(probes.health));
  const slowestMs = Math.max(P99_MS, (2_000 * VISITORS) / capacity);
  for (const name of ['health', 'signup', 'unsubscribe'] as const) {
    const times = probes[name].map(({ ms }) => ms);
    assert.ok(quantile(times, 0.5) <= MEDIAN_MS && quantile(times, 0.99) <= slowestMs, told(probes[name]));
  }
  assert.deepEqual([Object.keys(statuses), errors], [['200', '503'], 0]);
  assert.ok(served >= GOODPUT * Math.min(capacity, offered)); // a busy machine may not ask for as much as could be answered
  assert.ok(recovered <= RECOVERY_MS);
});

/** How many connections to a listening socket have not been accepted: what proc(5) calls its rx_queue. */
function countUnaccepted(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const line = new RegExp(`:${port} 0{8}:0000 0A \\w+:(\\w+)`).exec(readFileSync('/proc/net/tcp', 'utf8'));
  return Number.parseInt(line?.[1] ?? '0', 16);
}

function told(all: readonly Probe[]): string {
  const times = all.map(({ ms }) => ms);
  const statuses = Object.groupBy(all, ({ status }) => status);
  const counts = Object.entries(statuses).map(([status, some = []]) => `${some.length} x ${status}`);
  return `${counts.join(', ')}; median ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms, slowest ${quantile(times, 1).toFixed(0)} ms`;
}
