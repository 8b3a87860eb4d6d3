/** Reports a benchmark: a table for people, one JSON line for programs, and a section in results.md. */

import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const RESULTS = fileURLToPath(new URL('./results.md', import.meta.url));

export type Row = { what: string; value: string };

export type Result = { bench: string; listings: number; rows: Row[]; figures: Record<string, number> };

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Prints the result, appends it to results.md, and ends with one JSON line when asked to. */
export function report(result: Result, json: boolean): void {
  const width = Math.max(...result.rows.map(({ what }) => what.length));
  for (const { what, value } of result.rows) process.stdout.write(`${what.padEnd(width)}  ${value}\n`);
  append(result);
  if (json)
    process.stdout.write(
      `${JSON.stringify({ bench: result.bench, listings: result.listings, ...result.figures })}\n`,
    );
}

function append(result: Result): void {
  if (!existsSync(RESULTS))
    writeFileSync(RESULTS, '# Benchmark results\n\nAppended by `npm run bench`; newest last.\n');
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const head = `## ${result.bench}, ${result.listings.toLocaleString('en')} listings\n\n${new Date().toISOString().slice(0, 10)}, commit ${commit()}, ${machine}`;
  const table = result.rows.map(({ what, value }) => `| ${what} | ${value} |`).join('\n');
  appendFileSync(RESULTS, `\n${head}\n\n| what | measured |\n|---|---|\n${table}\n`);
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
}
