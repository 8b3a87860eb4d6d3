/**
 * Several instances on one PostgreSQL: measures how long a new run takes to reach all of them, and compares the CPU time of a search
 * there with that of an instance on SQLite with the same listings.
 */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { aCluster } from '../test/service/database/a-postgres.ts';
import { BOUNDARIES, csvOf, storeOf, workFolder } from './data.ts';
import { load, spawnNode, us } from './load.ts';
import { shingle } from './process.ts';
import { drawer, mixed } from './questions.ts';
import { median, type Result } from './report.ts';
import type { Told } from './server.ts';

const ROUNDS = 7;
const REQUESTS = 20_000;
const RUNS = 5;
const SEED = 20261121;

type Instance = { child: ChildProcess; url: string };

export async function benchInstances(listings: number): Promise<Result> {
  const cluster = await aCluster();
  try {
    const databaseUrl = await cluster.primary.fresh();
    const env = { DATABASE_URL: databaseUrl, SHINGLE_DATA: workFolder('instance-command') };
    const file = join(workFolder('instance-csv'), 'grown.csv');
    copyFileSync(await csvOf(listings), file);
    await ingest(file, env);
    const reached = await reachMs(file, env, databaseUrl);
    const cpu = await searchCpu(listings, databaseUrl);
    const rows = [
      {
        what: 'a new run served by all three, after it was kept',
        value: `${median(reached).toFixed(0)} ms (median of ${RUNS}; slowest ${Math.max(...reached).toFixed(0)})`,
      },
      { what: 'search (mix), CPU a request, SQLite', value: us(cpu.sqlite) },
      { what: 'search (mix), CPU a request, PostgreSQL', value: us(cpu.postgres) },
      { what: 'PostgreSQL / SQLite', value: `${cpu.ratio.toFixed(3)} (median of ${ROUNDS} rounds)` },
    ];
    return { bench: 'instances', listings, rows, figures: { reachedMs: median(reached), ratio: cpu.ratio } };
  } finally {
    await cluster.end();
  }
}

async function ingest(file: string, env: Record<string, string>): Promise<void> {
  const child = shingle(['ingest', '--from', file, '--boundaries', BOUNDARIES], env);
  child.stdout?.resume();
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`ingest ended with ${code}: ${said}`);
}

/** One row more each time; from the end of the command, which has kept it, to the last instance that serves it. */
async function reachMs(file: string, env: Record<string, string>, databaseUrl: string): Promise<number[]> {
  const folders = [1, 2, 3].map((i) => workFolder(`instance-${i}`));
  const all = await Promise.all(folders.map((folder) => instance('0-1', folder, databaseUrl)));
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const [header, last] = parse([lines[0], lines.at(-1)].join('\n'), { bom: true }) as [string[], string[]];
  const licence = header.indexOf('LICENSENO');
  const times: number[] = [];
  for (let run = 1; run <= RUNS; run++) {
    const cells = last.with(licence, `ADDED-${run}`).map((cell) => `"${cell.replaceAll('"', '""')}"`);
    appendFileSync(file, `${cells.join(',')}\n`);
    const before = await totalAt(all[0]!.url);
    await ingest(file, env);
    const kept = performance.now();
    await Promise.all(all.map(({ url }) => changed(url, before)));
    times.push(performance.now() - kept);
  }
  for (const { child } of all) child.send('stop');
  await Promise.all(all.map(({ child }) => once(child, 'exit')));
  return times;
}

async function changed(url: string, before: number): Promise<void> {
  const deadline = performance.now() + 30_000;
  while ((await totalAt(url)) === before) {
    if (performance.now() > deadline) throw new Error('the new run never came');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function totalAt(url: string): Promise<number> {
  const response = await fetch(`${url}/api/search?limit=0`);
  return ((await response.json()) as { total: number }).total;
}

async function instance(core: string, folder: string, databaseUrl: string): Promise<Instance> {
  const child = spawnNode('./server.ts', core, [folder, '', databaseUrl]);
  const { url } = (await once(child, 'message'))[0] as Extract<Told, { url: string }>;
  return { child, url };
}

async function searchCpu(
  listings: number,
  databaseUrl: string,
): Promise<{ sqlite: number; postgres: number; ratio: number }> {
  const sqlite = spawnNode('./server.ts', '0', [await storeOf(listings), '']);
  const told = (await once(sqlite, 'message'))[0] as Extract<Told, { url: string }>;
  const postgres = await instance('0', workFolder('instance-1'), databaseUrl);
  const mix = mixed(drawer(told.sample, SEED), 4_000, SEED);
  const measure = async (child: ChildProcess, url: string) =>
    (await load(child, { urls: mix.map((query) => `${url}/api/search?${query}`), amount: REQUESTS })).cpuMs;
  const rounds: { sqlite: number; postgres: number }[] = [];
  for (let i = 0; i <= ROUNDS; i++) {
    const round = {
      sqlite: await measure(sqlite, told.url),
      postgres: await measure(postgres.child, postgres.url),
    };
    if (i > 0) rounds.push(round); // the first one warms
  }
  for (const child of [sqlite, postgres.child]) child.send('stop');
  await Promise.all([once(sqlite, 'exit'), once(postgres.child, 'exit')]);
  return {
    sqlite: median(rounds.map((round) => round.sqlite)),
    postgres: median(rounds.map((round) => round.postgres)),
    ratio: median(rounds.map((round) => round.postgres / round.sqlite)),
  };
}
