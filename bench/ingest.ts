/** Measures an ingest from process start to end with everything on disk, and compares it with `sqlite3 .import` of the same file. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './children.ts';
import { BOUNDARIES, csvOf } from './data.ts';
import { mib, shingle, watched } from './process.ts';
import { median, type Result } from './report.ts';

const ROUNDS = 5;

export async function benchIngest(listings: number): Promise<Result> {
  const file = await csvOf(listings);
  const ours: number[] = [];
  const theirs: number[] = [];
  let peak = 0;
  for (let i = 0; i < (listings > 200_000 ? 1 : ROUNDS); i++) {
    theirs.push(await importOnce(file));
    const once = await ingestOnce(file);
    ours.push(once.ms);
    peak = Math.max(peak, once.peak);
  }
  const ratio = median(ours.map((ms, i) => ms / theirs[i]!));
  const rows = [
    { what: 'sqlite3 .import', value: `${median(theirs).toFixed(0)} ms` },
    { what: 'shingle ingest --city long-beach', value: `${median(ours).toFixed(0)} ms` },
    { what: 'ingest / import', value: `${ratio.toFixed(2)} (median of ${ours.length})` },
    { what: 'peak memory of ingest', value: mib(peak) },
  ];
  return { bench: 'ingest', listings, rows, figures: { ratio, ms: median(ours), peak } };
}

async function ingestOnce(file: string): Promise<{ ms: number; peak: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-bench-'));
  try {
    const env = { SHINGLE_CITY: 'long-beach', SHINGLE_DATA: folder };
    const child = shingle(['ingest', '--from', file, '--boundaries', BOUNDARIES], env);
    child.stdout?.resume();
    const end = await watched(child);
    if (end.code !== 0) throw new Error(`ingest ended with ${end.code}`);
    return end;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function importOnce(file: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-bench-'));
  try {
    const args = [join(folder, 'import.db'), '-cmd', '.mode csv', `.import ${file} rows`];
    const end = await watched(startChild('sqlite3', args, { stdio: 'ignore' }));
    if (end.code !== 0) throw new Error(`sqlite3 ended with ${end.code}`);
    return end.ms;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
