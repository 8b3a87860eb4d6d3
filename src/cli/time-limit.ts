/** A command that reads what publishers wrote ends after a while, whatever it is doing. */

import { Worker } from 'node:worker_threads';
import { EXIT, printError } from './terminal.ts';

const LONGEST_GRACE_MS = 15_000;
/** In a thread of its own, for a command that never stops computing; it does not keep the process alive. */
const KILL =
  "setTimeout(() => process.kill(process.pid, 'SIGKILL'), require('node:worker_threads').workerData)";

/** Ends this process with a sentence after `timeoutMs`, and without one soon after that. */
export function limitTime(command: string, timeoutMs: number): void {
  const end = () => {
    printError(
      `${command} took longer than ${timeoutMs / 60_000} minutes and was ended (INGEST_TIMEOUT_MINUTES)`,
    );
    process.exit(EXIT.failed);
  };
  setTimeout(end, timeoutMs).unref();
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 };
  new Worker(KILL, {
    eval: true,
    workerData: timeoutMs + Math.min(LONGEST_GRACE_MS, timeoutMs),
    resourceLimits,
  }).unref();
}
