/** Runs the program as people do: as a process with an environment and a time limit. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { noteIndiscretions } from './discreet.ts';
import { machineEnv } from './environment.ts';
import { until } from './until.ts';

const ENTRY = fileURLToPath(new URL('../bin/shingle.mjs', import.meta.url));
const DYING = fileURLToPath(new URL('./a-dying-process.ts', import.meta.url));
const LONGEST_MS = 30 * 60_000; // no program outlives its test for longer, whatever becomes of that

const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** Which program is run, and in which folder: by default that of this checkout, where the tests run. */
export type Where = { entry?: string; cwd?: string };

export type Ended = { code: number | null; out: string; err: string };

/** Runs one command to its end. */
export async function shingle(
  args: readonly string[],
  env: Record<string, string>,
  seen: (child: ChildProcess) => void = () => undefined,
  where: Where = {},
): Promise<Ended> {
  return ended(spawnShingle(args, env, where), seen);
}

/** The same, with this on its standard input. */
export async function shingleReading(
  input: string | Buffer,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Ended> {
  return ended(spawnShingle(args, env, {}, 'pipe'), ({ stdin }) => {
    stdin!.on('error', () => undefined); // it may end before it has read everything
    stdin!.end(input);
  });
}

async function ended(child: ChildProcess, seen: (child: ChildProcess) => void): Promise<Ended> {
  seen(child);
  const said = listen(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said() };
}

/** The JSON value that a command printed as its last line. */
export function lastJson({ out }: Ended): Record<string, unknown> & { runs: Record<string, unknown>[] } {
  return JSON.parse(out.trim().split('\n').at(-1) ?? '');
}

export type Running = {
  child: ChildProcess;
  url: string;
  said(): { out: string; err: string };
  stop(): Promise<number | null>;
};

/** Runs a command that serves, and waits until it says where. Ended after the test file at the latest. */
export async function running(
  args: readonly string[],
  env: Record<string, string>,
  where: Where = {},
): Promise<Running> {
  const child = spawnShingle(args, { PORT: '0', ...env }, where);
  const said = listen(child);
  const ended = once(child, 'close') as Promise<[number | null]>;
  after(() => child.kill('SIGKILL'));
  const url = await until(
    () => /open (http:\/\/[^/]+)/.exec(said().out)?.[1],
    `a line that says where it serves: ${said().err}`,
  );
  const stop = async () => {
    child.kill('SIGTERM');
    return (await ended)[0];
  };
  return { child, url, said, stop };
}

/** Dies where `env.DIES_AT` says: the name of a probe, a space, and at which time it is come to. */
function spawnShingle(
  args: readonly string[],
  env: Record<string, string>,
  { entry = ENTRY, cwd }: Where,
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  const { DIES_AT: diesAt } = env;
  const program = diesAt === undefined ? [entry] : [DYING, ...diesAt.split(' ')];
  const child = spawn(process.execPath, [...program, ...args], {
    cwd,
    env: { ...machineEnv(), ...env },
    stdio: [input, 'pipe', 'pipe'],
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  });
  alive.add(child);
  const said = listen(child);
  child.on('close', () => {
    alive.delete(child);
    noteIndiscretions(args[0]!, env, said());
  });
  return child;
}

function listen(child: ChildProcess): () => { out: string; err: string } {
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return () => ({ out, err });
}
