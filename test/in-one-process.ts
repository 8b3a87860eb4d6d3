/** Runs the test files that can share a process (`test/tiers.ts`), each as a suite with its name. */

import { after, suite } from 'node:test';
import './at-end.ts'; // here, or it would end with the first file that needs it
import { ROOT } from './tiers.ts';

const LEFT_OPEN_MS = 10_000;

/** Called by the files that `test/run.ts` writes, one for each process. */
export function runInOneProcess(files: readonly string[]): void {
  // what a test leaves open, such as a server, must not keep the process of many
  after(() => void setTimeout(() => process.exit(), LEFT_OPEN_MS).unref());
  for (const file of files) suite(file, async () => void (await import(`${ROOT}${file}`)));
}
