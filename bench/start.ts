/**
 * Measures the time from `npm start` to the first answered search, on the sample city with an empty data folder: for the first start of
 * a checkout, when nothing is compiled yet, and for a later one; and the memory of npm, which stays as the parent of the service. With
 * `--beside FOLDER`, also the time for another checkout, in turns.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/a-port.ts';
import { memoryOf, mib } from './process.ts';
import { median, type Result } from './report.ts';

const HERE = fileURLToPath(new URL('..', import.meta.url));
const ROUNDS = 7;
const PATIENCE_MS = 60_000;

export async function benchStart(listings: number, beside?: string): Promise<Result> {
  const first: number[] = [];
  const later: number[] = [];
  const other: number[] = [];
  const parents: number[] = [];
  const note = (bytes: number) => parents.push(bytes);
  for (let round = 0; round < ROUNDS; round++) {
    if (beside !== undefined) other.push(await timeStart(beside));
    rmSync(join(HERE, 'node_modules/.cache/shingle'), { recursive: true, force: true });
    first.push(await timeStart(HERE));
    later.push(await timeStart(HERE, note));
  }
  const seconds = (times: readonly number[]) => `${(median(times) / 1000).toFixed(2)} s`;
  const rows = [
    { what: `the first start of a checkout, median of ${ROUNDS}`, value: seconds(first) },
    { what: 'a later start', value: seconds(later) },
    { what: 'npm, the parent, resident', value: mib(median(parents)) },
  ];
  const figures: Record<string, number> = { firstMs: median(first), laterMs: median(later) };
  if (beside !== undefined) {
    figures.otherMs = median(other);
    figures.ratio = median(later) / median(other);
    rows.push({ what: 'the other checkout', value: seconds(other) });
    rows.push({ what: 'a later start / the other checkout', value: figures.ratio.toFixed(2) });
    rows.push({
      what: 'the first start / the other checkout',
      value: (median(first) / median(other)).toFixed(2),
    });
  }
  return { bench: 'start', listings, rows, figures };
}

/** Milliseconds until a search is answered. Ends every process that was started. */
async function timeStart(checkout: string, note?: (parentBytes: number) => void): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'shingle-start-'));
  const port = await freePort();
  const { NODE_COMPILE_CACHE: _, ...inherited } = process.env;
  const from = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    env: { ...inherited, PORT: String(port), SHINGLE_DATA: data, SHINGLE_CITY: 'sample' },
    stdio: 'ignore',
    detached: true, // a process group, which is ended whole
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const url = `http://127.0.0.1:${port}/api/search?q=coffee`;
    while (performance.now() - from < PATIENCE_MS) {
      const status = await fetch(url).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) {
        note?.(memoryOf(child.pid!)!.now);
        return performance.now() - from;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`${checkout} never answered`);
  } finally {
    process.kill(-child.pid!, 'SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true, maxRetries: 10 });
  }
}
