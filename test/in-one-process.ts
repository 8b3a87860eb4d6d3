/** Runs the test files that can share a process (`test/tiers.ts`), each as a suite with its name. */

import { suite } from 'node:test';
import { ROOT } from './tiers.ts';

for (const file of process.env.TEST_FILES!.split(' '))
  suite(file, async () => void (await import(`${ROOT}${file}`)));
