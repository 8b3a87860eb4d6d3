/** Ten minutes at half the capacity of the service: it answers everything, and its memory does not grow. `npm run bench` measures how fast. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import autocannon from 'autocannon';
import { drawer, mixed } from '../../bench/questions.ts';
import { aCity } from '../a-city.ts';
import { running } from '../a-process.ts';
import { until } from '../until.ts';
import { heldMiB, INSPECTABLE } from './inspected.ts';
import { fillTown } from './people.ts';

const SECONDS = 600;
const WARM_MS = 120_000;
const CONNECTIONS = 32;
const MOST_ASKED = 12_000; // a second: for more the asker itself needs more than its core
const GROWTH_MIB_A_MINUTE = 1; // of what is held: garbage comes and goes by 40 MiB
const MOST_MIB = 256;
const SEED = 20_261_121;

const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

function residentMiB(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

test(`at half of the capacity, Shingle answers every search for ${SECONDS} seconds, and its memory does not grow`, async (t) => {
  const city = aCity();
  const service = await city.open();
  const sample = await fillTown(city, service);
  await service.close();
  const env = { ...city.env, SHINGLE_LIMITS: 'off' };
  const { child, url, said, stop } = await running(['serve'], { ...env, ...INSPECTABLE });
  const pid = child.pid!;
  spawnSync('taskset', ['-a', '-c', '-p', '0', String(pid)]); // on a core of its own, where there are two
  spawnSync('taskset', ['-a', '-c', '-p', '1', String(process.pid)]);
  const isUp = () => fetch(`${url}/api/search`).then(({ status }) => (status === 200 ? true : undefined));
  await until(isUp, 'the first answer');
  const filesBefore = openFiles(pid);
  const paths = mixed(drawer(sample, SEED), 200, SEED).map((query) => `/api/search?${query}`);
  const requests = paths.map((path) => ({ method: 'GET' as const, path }));
  /** Answers a second, by its own clock: autocannon's average counts a late second for one. */
  const most = async (duration: number) => {
    const told = await autocannon({ url, connections: CONNECTIONS, requests, duration });
    return told['2xx'] / told.duration;
  };
  await most(3); // warms
  const capacity = await most(10);
  const rate = Math.min(Math.floor(capacity / 2), MOST_ASKED);

  const heldBefore = await heldMiB(said);
  const start = performance.now();
  let resident = 0;
  const look = setInterval(() => {
    if (performance.now() - start > WARM_MS) resident = Math.max(resident, residentMiB(pid));
  }, 500);
  const asked = { url, connections: CONNECTIONS, requests, duration: SECONDS, overallRate: rate };
  const told = await autocannon(asked).finally(() => clearInterval(look));
  const growth = ((await heldMiB(said)) - heldBefore) / (SECONDS / 60);
  t.diagnostic(`capacity ${capacity.toFixed(0)} requests a second; then ${rate} for ${SECONDS} s`);
  t.diagnostic(`${told['2xx']} answered; the slowest after ${told.latency.max} ms`);
  t.diagnostic(
    `resident at most ${resident.toFixed(0)} MiB; held when garbage is gone: ${heldBefore.toFixed(1)} MiB before, ${growth.toFixed(3)} MiB more a minute`,
  );
  assert.deepEqual([told.non2xx, told.errors, told.timeouts], [0, 0, 0]);
  assert.ok(told['2xx'] > 0.9 * rate * SECONDS, 'as many as were asked for');
  assert.ok(growth <= GROWTH_MIB_A_MINUTE, `it holds ${growth} MiB more a minute`);
  assert.ok(resident > 0 && resident <= MOST_MIB, `${resident} MiB resident`);
  await until(() => (openFiles(pid) <= filesBefore + 2 ? true : undefined), 'its sockets to be let go');
  t.diagnostic(`open files ${filesBefore} before, ${openFiles(pid)} after`);
  assert.equal(await stop(), 0);
});
