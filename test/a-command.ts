/** Runs commands in the process of the test, with the environment that a process of their own would get: that is ten times cheaper. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { type Ended, shingle } from './a-process.ts';
import { noteIndiscretions } from './discreet.ts';
import { machineEnv } from './environment.ts';

/** They serve until a signal. */
const SERVES = ['serve', 'start'];

type Options = { cwd?: string; input?: string | Buffer };
type Streams = { stdin: Readable; stdout: Writable; stderr: Writable };

const streams = new AsyncLocalStorage<Streams>();
for (const name of ['stdin', 'stdout', 'stderr'] as const) {
  const { get: own } = Object.getOwnPropertyDescriptor(process, name)!;
  Object.defineProperty(process, name, {
    configurable: true,
    get: () => streams.getStore()?.[name] ?? own!.call(process),
  });
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs one command to its end, after those that were started before it: they share the environment and the current folder. What only a
 * process can do has a process: to serve, to die at a probe, and to load a profile again.
 */
export function command(
  args: readonly string[],
  env: Record<string, string>,
  options: Options = {},
): Promise<Ended> {
  const { cwd = '' } = options;
  const serves = SERVES.includes(args[0]!) && !args.includes('--help');
  if (serves || env.DIES_AT !== undefined || isStale(resolve(cwd, env.SHINGLE_CITY ?? '')))
    return shingle(args, env, undefined, options);
  const ended = turn.then(() => runAlone(args, env, options));
  turn = ended.catch(() => undefined);
  return ended;
}

/** Runs commands about a city, as it is when they run. */
export const commandsOf =
  (city: { readonly env: Record<string, string> }, more: Record<string, string> = {}) =>
  (...args: string[]): Promise<Ended> =>
    command(args, { ...city.env, ...more });

async function runAlone(
  args: readonly string[],
  env: Record<string, string>,
  { cwd = process.cwd(), input = '' }: Options,
): Promise<Ended> {
  const { runCommand } = await import('../src/app/cli/cli.ts');
  const said = { out: '', err: '' };
  const before = { env: { ...process.env }, cwd: process.cwd() };
  process.chdir(cwd);
  setEnv({ ...machineEnv(), ...env });
  try {
    const stdin = Readable.from([Buffer.from(input)]);
    const code = await streams.run({ stdin, ...collect(said) }, () => runCommand([...args]));
    return { code, ...said };
  } finally {
    process.chdir(before.cwd);
    setEnv(before.env);
    noteIndiscretions(args[0]!, env, said);
  }
}

function collect(said: { out: string; err: string }): Pick<Streams, 'stdout' | 'stderr'> {
  const into = (name: 'out' | 'err') =>
    new Writable({
      decodeStrings: false,
      write(text: string | Buffer, _encoding, done) {
        said[name] += text;
        done();
      },
    });
  return { stdout: into('out'), stderr: into('err') };
}

function setEnv(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (wanted[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(wanted))
    if (process.env[name] !== value) process.env[name] = value;
}

const profiles = new Map<string, string>();
registerHooks({
  load(url, context, next) {
    if (/^file:.*\/city[^/]*\.ts$/.test(url)) profiles.set(url, readFileSync(new URL(url), 'utf8'));
    return next(url, context);
  },
});

/** Whether this process loaded the profile before it was changed: it loads a module only once. */
function isStale(named: string): boolean {
  const path = named.endsWith('.ts') ? named : join(named, 'city.ts');
  const loaded = profiles.get(pathToFileURL(path).href);
  return loaded !== undefined && loaded !== readFileSync(path, 'utf8');
}
