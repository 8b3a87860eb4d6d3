/** The processes that a running service starts: the program itself with a command, ended when the service ends. */

import { type ChildProcess, spawn } from 'node:child_process';
import { extname, join } from 'node:path';

const MAIN = join(import.meta.dirname, `../main${extname(import.meta.filename)}`);
const LONGEST_GRACE_MS = 10_000; // from asking a process to end to ending it

export type ChildEnd = {
  /** Nothing where a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  isTimedOut: boolean;
};

/** Memory for what a process reads, and the time after which it is ended. */
export type ChildBounds = { memoryMb: number; timeoutMs: number };

export type Children = {
  /** Runs a command to its end. Never throws: what cannot be started ended with code -1. */
  run(args: readonly string[], bounds?: ChildBounds): Promise<ChildEnd>;
  /** Asks all that run to end. */
  end(): void;
};

export function openChildren(): Children {
  const running = new Set<ChildProcess>();
  return {
    run(args, bounds) {
      const flags = bounds === undefined ? [] : [`--max-old-space-size=${bounds.memoryMb}`];
      const child = spawn(process.execPath, [...flags, MAIN, ...args], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      running.add(child);
      return waitForEnd(child, bounds?.timeoutMs).finally(() => running.delete(child));
    },
    end() {
      for (const child of running) child.kill('SIGTERM');
    },
  };
}

/** Waits until a process has ended. After `timeoutMs` it is asked to end, and soon after that it is ended. */
export function waitForEnd(child: ChildProcess, timeoutMs?: number): Promise<ChildEnd> {
  const timers: NodeJS.Timeout[] = [];
  const startedAt = performance.now();
  // a command also ends itself when its time is over
  const isTimedOut = () => performance.now() - startedAt >= (timeoutMs ?? Number.POSITIVE_INFINITY);
  if (timeoutMs !== undefined) {
    const graceMs = Math.min(LONGEST_GRACE_MS, timeoutMs);
    const end = () => {
      child.kill('SIGTERM');
      timers.push(setTimeout(() => child.kill('SIGKILL'), graceMs));
    };
    timers.push(setTimeout(end, timeoutMs));
  }
  return new Promise<ChildEnd>((resolve) => {
    child.once('error', () => resolve({ code: -1, signal: null, isTimedOut: false }));
    child.once('exit', (code, signal) => resolve({ code, signal, isTimedOut: isTimedOut() }));
  }).finally(() => {
    for (const timer of timers) clearTimeout(timer);
  });
}
