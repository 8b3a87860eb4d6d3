/**
 * Makes small errors (mutants) in files of src, and shows which of them no test notices.
 * `TESTS` names the test files or folders that are run for each of them; without it, all of `npm test`.
 */

import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default {
  testRunner: 'command',
  commandRunner: { command: `node bin/node.mjs test/run.ts quick ${process.env.TESTS ?? ''}` },
  mutate: [], // what --mutate names
  concurrency: 1, // the tests use all cores by themselves
  reporters: ['clear-text', 'progress'],
  allowConsoleColors: false,
  tsconfigFile: 'none', // it would be rewritten with the API of an older TypeScript
  tempDirName: join(tmpdir(), 'shingle-mutants'), // a copy in the checkout would be tested, too
};
