/**
 * What only a very large city notices: a stop while the index is built, a start that builds it and one that reads it from its file, and how
 * soon no answer has a listing that the operator hides.
 */

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStoreAt } from '../src/service/data/store.ts';
import { freePort } from '../test/a-port.ts';
import { storeOf } from './data.ts';
import { cpuMsOf, memoryOf, mib, type Served, served, shingle } from './process.ts';
import type { Result } from './report.ts';

const POLL_MS = 20;

export async function benchScale(listings: number): Promise<Result> {
  const folder = await storeOf(listings);
  rmSync(join(folder, 'index.bin'), { force: true });
  const stopMs = await stopDuringBuild(folder);
  const built = await startOnce(folder);
  const again = await served(folder, await freePort());
  const total = await countListings(again);
  const steady = memoryOf(again.child.pid!)!;
  const hidden = await hide(again, folder);
  await stop(again);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  const start = ({ cpuMs, readyMs, lines }: Served) =>
    `CPU ${seconds(cpuMs)}, ${seconds(readyMs)}, ${lines} lines until then`;
  const rows = [
    { what: 'SIGTERM while the index is built, until the end', value: seconds(stopMs) },
    { what: 'a start that builds the index, until the first answer', value: start(built) },
    { what: 'a start from its file, until the first answer', value: start(again) },
    { what: 'listings that are served then', value: total.toLocaleString('en') },
    { what: 'memory of that start: then, highest', value: `${mib(steady.now)}, ${mib(steady.peak)}` },
    {
      what: 'hide a listing, until no answer has it',
      value: `CPU ${seconds(hidden.cpuMs)}, ${seconds(hidden.ms)}`,
    },
  ];
  return {
    bench: 'scale',
    listings,
    rows,
    figures: {
      ...{ stopMs, buildCpuMs: built.cpuMs, againCpuMs: again.cpuMs, total },
      ...{ hideMs: hidden.ms, hideCpuMs: hidden.cpuMs },
    },
  };
}

/** Milliseconds from the signal to the end, when the first listings have been read. */
async function stopDuringBuild(folder: string): Promise<number> {
  const child = shingle(['serve'], { SHINGLE_DATA: folder, PORT: String(await freePort()) });
  child.stdout?.resume();
  let logged = '';
  const isBuilding = new Promise<void>((resolve) => {
    child.stderr?.on('data', (text: Buffer) => {
      logged += text;
      if (logged.includes('listings read')) resolve();
    });
  });
  await Promise.race([isBuilding, once(child, 'exit')]);
  return stopped(child);
}

async function startOnce(folder: string): Promise<Served> {
  const service = await served(folder, await freePort());
  await stop(service);
  return service;
}

const stop = ({ child }: Served) => stopped(child);

async function stopped(child: Served['child']): Promise<number> {
  const start = performance.now();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await ended;
  if (code !== 0) throw new Error(`the service ended with ${code}`);
  return performance.now() - start;
}

async function search(
  { url }: Served,
  query: string,
): Promise<{ total: number; listings: { name: string }[] }> {
  return (await fetch(`${url}/api/search?${query}`)).json() as ReturnType<typeof search>;
}

const countListings = async (service: Served) => (await search(service, 'limit=1')).total;

/** Hides the newest listing, and asks for it until it is gone. */
async function hide(service: Served, folder: string) {
  const [listing] = (await search(service, 'limit=1')).listings;
  const { name } = listing!;
  const query = String(new URLSearchParams({ q: name }));
  const store = await openStoreAt({ dataFolder: folder, databaseUrl: undefined });
  try {
    await store.suppressions.add({ value: name, reason: 'bench', addedAt: new Date().toISOString() });
    const [start, before] = [performance.now(), cpuMsOf(service.child.pid!)];
    while ((await search(service, query)).listings.some((one) => one.name === name)) await sleep(POLL_MS);
    return { ms: performance.now() - start, cpuMs: cpuMsOf(service.child.pid!) - before };
  } finally {
    await store.suppressions.remove(name);
    await store.close();
  }
}
