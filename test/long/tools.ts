/** The Debian tools that the long tests use; if one is missing, the test says so and is skipped. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** `false` where it is installed, else the sentence to skip with. Where CI is set it must be there. */
export function lacks(tool: string): string | false {
  const isThere = spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;
  return !isThere && process.env.CI === undefined && `needs Debian's ${tool}`;
}

/** The bytes with some bits flipped, always the same ones for a seed. `rate` is which share of them, from and to. */
export function zzuf(bytes: Uint8Array, seed: number, rate = '0.0001:0.02'): Buffer {
  const { stdout, status } = spawnSync('zzuf', ['-r', rate, '-s', String(seed)], {
    input: bytes,
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`zzuf ended with ${status}`);
  return stdout;
}

export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

export function residentMiB(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

/** The value that a share of them do not pass. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
