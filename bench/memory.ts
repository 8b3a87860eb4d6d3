/** Measures the memory of the service above an empty one, the peak while the index is replaced, and how soon it is ready. */

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { storeOf, workFolder } from './data.ts';
import { memoryOf, mib, type Served, served, shingle, watched } from './process.ts';
import { median, type Result } from './report.ts';

const ROUNDS = 3;
const SETTLE_MS = 3_000;
const PORT = 38_211;

export async function benchMemory(listings: number): Promise<Result> {
  const folder = await storeOf(listings);
  rmSync(workFolder('empty'), { recursive: true });
  const empty = await settled(await served(workFolder('empty'), PORT));
  const ready: number[] = [];
  const steady: number[] = [];
  const peaks: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const service = await served(folder, PORT);
    ready.push(service.readyMs);
    const once = await swapped(service, folder);
    steady.push(once.steady);
    peaks.push(once.peak);
  }
  const each = (median(steady) - empty) / listings;
  const rows = [
    { what: 'empty service, resident', value: mib(empty) },
    { what: 'steady, resident', value: mib(median(steady)) },
    { what: 'a listing above the empty service', value: `${each.toFixed(0)} bytes` },
    { what: 'highest, start and a swap included', value: mib(median(peaks)) },
    { what: 'ready to answer after start', value: `${median(ready).toFixed(0)} ms (median of ${ROUNDS})` },
  ];
  return {
    bench: 'memory',
    listings,
    rows,
    figures: { each, steady: median(steady), peak: median(peaks), readyMs: median(ready) },
  };
}

async function settled(service: Served): Promise<number> {
  await pause(SETTLE_MS);
  const memory = memoryOf(service.child.pid!)!.now;
  await stop(service);
  return memory;
}

/** Steady memory before, and the highest until after a swap forced by a suppression that concerns no listing. */
async function swapped(service: Served, folder: string): Promise<{ steady: number; peak: number }> {
  await pause(SETTLE_MS);
  const steady = memoryOf(service.child.pid!)!.now;
  for (const verb of ['add', 'remove'])
    await watched(shingle(['suppress', verb, 'no such name at all'], { SHINGLE_DATA: folder }));
  await pause(SETTLE_MS * 3);
  const { peak } = memoryOf(service.child.pid!)!;
  await stop(service);
  return { steady, peak };
}

async function stop({ child }: Served): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
