/** The measured server and its load generator: each in a process and on a core of its own. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startChild } from './children.ts';
import type { Asked, Told } from './server.ts';

export type Measured = { cpuMs: number; perSecond: number };
/** Requests in turn: GET, or POST with a body for each URL. */
export type Load = { urls: string[]; amount: number; headers?: Record<string, string>; bodies?: string[] };

/** Sends `amount` requests from another core; the server's CPU for each, in milliseconds. */
export async function load(server: ChildProcess, asked: Load): Promise<Measured> {
  const { urls, amount } = asked;
  const generator = spawnNode('./generator.ts', '1', []);
  const exited = once(generator, 'exit'); // it may end while the server is asked for its CPU time
  await once(generator, 'message');
  const before = await cpuOf(server);
  generator.send(asked);
  const { seconds, failed } = (await once(generator, 'message'))[0] as { seconds: number; failed: number };
  const after = await cpuOf(server);
  if (failed > 0) throw new Error(`${failed} of ${amount} requests failed at ${urls[0]}`);
  await exited;
  return { cpuMs: (after - before) / amount, perSecond: amount / seconds };
}

async function cpuOf(server: ChildProcess): Promise<number> {
  return ((await ask(server, 'cpu')) as { cpuMs: number }).cpuMs;
}

export async function ask(server: ChildProcess, asked: Asked): Promise<Told> {
  server.send(asked);
  return (await once(server, 'message'))[0] as Told;
}

export async function times(count: number, work: () => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  for (let i = 0; i < count; i++) results.push(await work());
  return results;
}

export function spawnNode(file: string, core: string, args: string[]): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return startChild('taskset', ['-c', core, process.execPath, path, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

export function us(cpuMs: number): string {
  return `${(cpuMs * 1_000).toFixed(1)} µs`;
}
