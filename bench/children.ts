/** Processes that a benchmark starts. All of them end with it, whether it finishes, fails or is interrupted. */

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

const alive = new Map<ChildProcess, NodeJS.Signals>();

/** Starts a program; `end` is the signal that ends it and all that it has started itself. */
export function startChild(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  end: NodeJS.Signals = 'SIGKILL',
): ChildProcess {
  const child = spawn(program, args, options);
  if (alive.size === 0) process.on('exit', endChildren);
  alive.set(child, end);
  child.once('exit', () => {
    alive.delete(child);
    if (alive.size === 0) process.off('exit', endChildren);
  });
  return child;
}

/** Ends this process, and so its children, when it is interrupted. */
export function exitOnSignals(): void {
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
    process.on(signal, () => process.exit(code));
}

function endChildren(): void {
  for (const [child, signal] of alive) child.kill(signal);
}
