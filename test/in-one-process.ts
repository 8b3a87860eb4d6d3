/** Runs the test files that can share a process (`test/tiers.ts`), each as a suite with its name. */

import { suite } from 'node:test';
import './at-end.ts'; // here, or it would end with the first file that needs it
import { ROOT } from './tiers.ts';

/** Called by the files that `test/run.ts` writes, one for each process. */
export function runInOneProcess(files: readonly string[]): void {
  for (const file of files) suite(file, async () => void (await import(`${ROOT}${file}`)));
}
