/**
 * Measures the CPU time of imports from process start to end with everything on disk, beside `sqlite3 .import` of the same file: the first
 * one, one of the same file again, and one in which 1 % of the rows have changed.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './children.ts';
import { BOUNDARIES, csvOf } from './data.ts';
import { mib, shingle, type Watched, watched } from './process.ts';
import { median, type Result } from './report.ts';

const ROUNDS = 5;
const CHANGED = 100; // every so many rows

export async function benchIngest(listings: number): Promise<Result> {
  const file = await csvOf(listings);
  const files = { first: file, 'the same file': file, '1 % changed': await csvOf(listings, CHANGED) };
  const rounds: Record<'import' | keyof typeof files, Watched>[] = [];
  for (let i = 0; i < (listings > 200_000 ? 1 : ROUNDS); i++) {
    const folder = mkdtempSync(join(tmpdir(), 'shingle-bench-'));
    try {
      rounds.push({
        import: await importOnce(folder, file),
        first: await ingestOnce(folder, files.first),
        'the same file': await ingestOnce(folder, files['the same file']),
        '1 % changed': await ingestOnce(folder, files['1 % changed']),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  const cpuOf = (name: keyof (typeof rounds)[0]) => median(rounds.map((round) => round[name].cpuMs));
  const peak = Math.max(...rounds.map(({ first }) => first.peak));
  const rows = [{ what: 'sqlite3 .import, CPU', value: `${cpuOf('import').toFixed(0)} ms` }];
  const figures: Record<string, number> = { peak };
  for (const name of Object.keys(files) as (keyof typeof files)[]) {
    const ratio = median(rounds.map((round) => round[name].cpuMs / round.import.cpuMs));
    const times = `${ratio.toFixed(2)} times .import (median of ${rounds.length})`;
    rows.push({ what: `ingest --city long-beach, ${name}`, value: `${cpuOf(name).toFixed(0)} ms, ${times}` });
    figures[name] = ratio;
    figures[`${name}, ms`] = cpuOf(name);
  }
  rows.push({ what: 'peak memory of the first ingest', value: mib(peak) });
  return { bench: 'ingest', listings, rows, figures };
}

async function ingestOnce(folder: string, file: string): Promise<Watched> {
  const env = { SHINGLE_CITY: 'long-beach', SHINGLE_DATA: folder };
  const child = shingle(['ingest', '--from', file, '--boundaries', BOUNDARIES], env);
  child.stdout?.resume();
  child.stderr?.resume();
  return finished('ingest', await watched(child));
}

async function importOnce(folder: string, file: string): Promise<Watched> {
  const args = [join(folder, 'import.db'), '-cmd', '.mode csv', `.import ${file} rows`];
  const end = await watched(startChild('sqlite3', args, { stdio: 'ignore' }));
  rmSync(args[0]!);
  return finished('sqlite3', end);
}

function finished(program: string, end: Watched): Watched {
  if (end.code !== 0) throw new Error(`${program} ended with ${end.code}`);
  return end;
}
