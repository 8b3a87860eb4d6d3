/** Starts the program to measure, and reads its resource use from the kernel. Linux only. */

import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startChild } from './children.ts';
import { CITY } from './data.ts';

const LAUNCHER = fileURLToPath(new URL('../bin/shingle.mjs', import.meta.url));
const PATIENCE_MS = 900_000;

/** A service that has begun to answer: after which time and CPU time, and how many lines it logged until then. */
export type Served = { child: ChildProcess; url: string; readyMs: number; cpuMs: number; lines: number };

/** How the program is started; by its launcher, as people start it, if nothing else is said. */
export type Way = { main?: string; flags?: string[]; env?: Record<string, string> };

/** Runs one command of the program. */
export function shingle(
  args: string[],
  env: Record<string, string>,
  { main = LAUNCHER, flags = [], env: more }: Way = {},
): ChildProcess {
  const all = { ...process.env, SHINGLE_CITY: CITY, PORT: '0', ...more, ...env };
  const command = [...flags, main, ...args];
  return startChild(process.execPath, command, { env: all, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** `shingle serve` on a data folder, and how long it took until health said ok. */
export async function served(dataFolder: string, port: number, way: Way = {}): Promise<Served> {
  const start = performance.now();
  const child = shingle(
    ['serve'],
    { SHINGLE_DATA: dataFolder, PORT: String(port), SHINGLE_LIMITS: 'off' },
    way,
  );
  let lines = 0;
  child.stdout?.resume();
  child.stderr?.on('data', (text: Buffer) => {
    lines += text.toString().split('\n').length - 1;
  });
  const ready = () => ({ child, url, readyMs: performance.now() - start, cpuMs: cpuMsOf(child.pid!), lines });
  const url = `http://127.0.0.1:${port}`;
  while (performance.now() - start < PATIENCE_MS) {
    const isUp = await fetch(`${url}/api/health`).then(
      ({ status }) => status,
      () => 0,
    );
    if (isUp === 200 || (isUp === 503 && dataFolder.includes('empty'))) return ready();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('the service never got ready');
}

/** Resident memory of a process in bytes: now, and at its highest. `undefined` once it has ended. */
export function memoryOf(pid: number): { now: number; peak: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? 0) * 1_024;
    return text.includes('VmRSS') ? { now: kib('VmRSS'), peak: kib('VmHWM') } : undefined;
  } catch {
    return undefined;
  }
}

/** CPU time of a process so far, to the hundredth of a second; 0 once it has ended. */
export function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

export type Watched = { code: number | null; ms: number; cpuMs: number; peak: number };

/** Waits for a child's end, watching its use; answers its exit code, time, CPU time and highest memory. */
export function watched(child: ChildProcess): Promise<Watched> {
  const start = performance.now();
  let peak = 0;
  let cpuMs = 0;
  const look = setInterval(() => {
    cpuMs = Math.max(cpuMs, cpuMsOf(child.pid!));
    peak = Math.max(peak, memoryOf(child.pid!)?.peak ?? 0);
  }, 10);
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      clearInterval(look);
      resolve({ code, ms: performance.now() - start, cpuMs, peak });
    });
  });
}

export function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}
