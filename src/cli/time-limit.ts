/** Limits the time and memory of commands that read publishers' files. */

import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { EXIT, printError } from './terminal.ts';

const GRACE_MS = 5_000; // time for a busy process to end normally
/** The code of a thread that kills the process, because no timer runs while a command computes. */
const KILL =
  "setTimeout(() => process.kill(process.pid, 'SIGKILL'), require('node:worker_threads').workerData)";

/** Does the work. After `timeoutMs`, ends this process with a message, or kills it soon afterwards. */
export async function limitTime<T>(command: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  // rows are short-lived: a young generation that grows to 64 MiB wastes memory (in `ingest`, 290 MiB instead of 220)
  setFlagsFromString('--semi-space-growth-factor=1');
  const end = () => {
    printError(
      `${command} took longer than ${timeoutMs / 60_000} minutes and was ended (INGEST_TIMEOUT_MINUTES)`,
    );
    process.exit(EXIT.failed);
  };
  const timer = setTimeout(end, timeoutMs).unref();
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 };
  const killer = new Worker(KILL, { eval: true, workerData: timeoutMs + GRACE_MS, resourceLimits });
  killer.unref();
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    void killer.terminate();
  }
}
