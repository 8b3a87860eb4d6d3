/**
 * Measures the memory of the service as the npm package runs it, above an empty one, the peak while the index is replaced, how soon it is
 * ready, and what a search costs with the flags and variables of the launcher beside the same program without them.
 */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ALLOCATION, flagsFor } from '../bin/launch.mjs';
import { openStoreAt } from '../src/service/data/store.ts';
import { storeOf, workFolder } from './data.ts';
import { cpuMsOf, memoryOf, mib, type Served, served, shingle, watched } from './process.ts';
import { median, type Result } from './report.ts';

const ROUNDS = 5;
const SEARCHES = 6_000;
const AT_ONCE = 8;
const SETTLE_MS = 15_000; // V8 keeps memory that it does not use for some seconds
const PORT = 38_211;
const BUILD = fileURLToPath(new URL('../deploy/build.ts', import.meta.url));
const PACKAGED = fileURLToPath(new URL('../dist/src/main.js', import.meta.url));

const BARE = { main: PACKAGED };
const LAUNCHED = { main: PACKAGED, flags: flagsFor('serve'), env: ALLOCATION };

export async function benchMemory(listings: number): Promise<Result> {
  if (spawnSync(process.execPath, [BUILD], { stdio: 'inherit' }).status !== 0)
    throw new Error('the package cannot be built');
  const folder = await storeOf(listings);
  rmSync(workFolder('empty'), { recursive: true });
  await (await openStoreAt({ dataFolder: workFolder('empty'), databaseUrl: undefined })).close();
  const empty = await settled(await served(workFolder('empty'), PORT, LAUNCHED));
  const ready: number[] = [];
  const steady: number[] = [];
  const loaded: number[] = [];
  const peaks: number[] = [];
  const bare: number[] = [];
  const ratios: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const service = await served(folder, PORT, LAUNCHED);
    ready.push(service.readyMs);
    await pause(SETTLE_MS);
    steady.push(memoryOf(service.child.pid!)!.now);
    const cost = await search(service);
    loaded.push(memoryOf(service.child.pid!)!.now);
    peaks.push(await swap(service, folder));
    const other = await served(folder, PORT, BARE);
    await pause(SETTLE_MS);
    bare.push(memoryOf(other.child.pid!)!.now);
    ratios.push(cost / (await search(other)));
    await stop(other);
  }
  const each = (median(steady) - empty) / listings;
  const rounds = `(median of ${ROUNDS})`;
  const rows = [
    { what: 'empty service, resident', value: mib(empty) },
    { what: 'steady, resident', value: `${mib(median(steady))} ${rounds}` },
    { what: 'the same without flags and variables', value: `${mib(median(bare))} ${rounds}` },
    { what: `after ${SEARCHES} searches`, value: `${mib(median(loaded))} ${rounds}` },
    { what: 'CPU of these searches, with / without', value: `${median(ratios).toFixed(2)} ${rounds}` },
    { what: 'a listing above the empty service', value: `${each.toFixed(0)} bytes` },
    { what: 'highest, start and a swap included', value: mib(median(peaks)) },
    { what: 'ready to answer after start', value: `${median(ready).toFixed(0)} ms ${rounds}` },
  ];
  return {
    bench: 'memory',
    listings,
    rows,
    figures: {
      each,
      steady: median(steady),
      bare: median(bare),
      loaded: median(loaded),
      ratio: median(ratios),
      peak: median(peaks),
      readyMs: median(ready),
    },
  };
}

/** CPU time in milliseconds of searches that come a few at a time. */
async function search({ child, url }: Served): Promise<number> {
  const words = ['coffee', 'salon', 'auto repair', 'dental', 'market', 'smith', 'a', ''];
  const before = cpuMsOf(child.pid!);
  let asked = 0;
  const ask = async () => {
    while (asked < SEARCHES) {
      const i = asked++;
      const query = new URLSearchParams({ q: words[i % words.length]!, offset: String((i * 7) % 500) });
      await (await fetch(`${url}/api/search?${query}`)).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return cpuMsOf(child.pid!) - before;
}

async function settled(service: Served): Promise<number> {
  await pause(SETTLE_MS);
  const memory = memoryOf(service.child.pid!)!.now;
  await stop(service);
  return memory;
}

/** The highest memory until after a swap forced by a suppression that concerns no listing. */
async function swap(service: Served, folder: string): Promise<number> {
  for (const verb of ['add', 'remove'])
    await watched(shingle(['suppress', verb, 'no such name at all'], { SHINGLE_DATA: folder }));
  await pause(SETTLE_MS);
  const { peak } = memoryOf(service.child.pid!)!;
  await stop(service);
  return peak;
}

async function stop({ child }: Served): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
