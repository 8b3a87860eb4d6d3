/** A test file that hangs in the way that `HANGS` says. */

import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { test } from 'node:test';

const WAYS: Record<string, () => unknown> = {
  'in a loop': () => {
    while (true);
  },
  'in another program': () =>
    spawnSync('sh', ['-c', 'while kill -0 $PPID; do sleep 1; done'], { stdio: 'ignore' }),
  'in a promise': () => new Promise(() => setInterval(() => undefined, 1_000)),
};

process.on('exit', () => writeSync(2, 'what is done at the exit is done\n'));
process.on('SIGTERM', () => undefined); // as the test runner does
test('it hangs', async () => void (await WAYS[process.env.HANGS!]!()));
