/** The measured server and its load generator: each in a process and on a core of its own. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startChild } from './children.ts';
import type { Asked, Told } from './server.ts';

/** CPU time in milliseconds of the process, and of its event loop alone. */
type Cpu = Extract<Told, { cpuMs: number }>;
export type Measured = Cpu & { perSecond: number };
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
  return {
    cpuMs: (after.cpuMs - before.cpuMs) / amount,
    loopMs: (after.loopMs - before.loopMs) / amount,
    perSecond: amount / seconds,
  };
}

const cpuOf = (server: ChildProcess) => ask(server, 'cpu') as Promise<Cpu>;

export async function ask(server: ChildProcess, asked: Asked): Promise<Told> {
  server.send(asked);
  return (await once(server, 'message'))[0] as Told;
}

export async function times<Found>(count: number, work: () => Promise<Found>): Promise<Found[]> {
  const results: Found[] = [];
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
