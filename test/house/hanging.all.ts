/** No test file hangs for ever: one that would is ended, and says which it is and where it stood. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const BEFORE_ALL = fileURLToPath(new URL('../before-all.ts', import.meta.url));
const HANGING = fileURLToPath(new URL('./a-hanging-file.ts', import.meta.url));

/** What the test runner says of a file that hangs in this way, and its exit code. */
async function runHanging(
  way: string,
  limits: Record<string, string>,
): Promise<{ code: number; said: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = [
    '--import',
    BEFORE_ALL,
    '--test',
    `--test-timeout=${limits.TIMEOUT ?? 100}`,
    '--test-reporter=tap',
    HANGING,
  ];
  const child = spawn(process.execPath, args, { env: { ...env, HANGS: way, ...limits } });
  after(() => child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const [code] = await once(child, 'close');
  return { code, said };
}

/** Finds why the file is ended: the sentence whose seconds are at least the limit. A slow machine has up to eight times as many. */
function assertEnded(said: string, sentence: string, limit: number, rest = ''): void {
  const name = 'watchdog: test/house/a-hanging-file.ts is ended:';
  const [, seconds] = new RegExp(`${name} ${sentence} (\\d+) seconds${rest}`).exec(said) ?? [];
  assert.ok(Number(seconds) >= limit && Number(seconds) <= 8 * limit + 1, said);
}

describe('a test file that hangs', { concurrency: true }, () => {
  test('the runner ends a file with an endless loop, and names the place of the loop', async () => {
    const { code, said } = await runHanging('in a loop', { WATCHDOG_STALLED: '2' });
    assert.equal(code, 1, said);
    assertEnded(said, 'its event loop has not turned for', 2, ':');
    assert.match(said, /at in a loop \(test\/house\/a-hanging-file\.ts:9\)/);
    assert.match(said, /what is done at the exit is done/);
    assert.match(said, /exitCode: 124/);
  });

  test('the runner kills a file that waits for another program', async () => {
    const { code, said } = await runHanging('in another program', { WATCHDOG_STALLED: '2' });
    assert.equal(code, 1, said);
    assertEnded(said, 'its event loop has not turned for', 2, '; .* is killed');
    assert.match(said, /SIGKILL/);
  });

  test('the runner ends a file with a test that never ends, and names the test', async () => {
    const { code, said } = await runHanging('in a promise', { WATCHDOG_TEST: '3', TIMEOUT: '60000' });
    assert.equal(code, 1, said);
    assertEnded(said, '"it hangs" takes longer than', 3);
  });

  test('the runner ends a file that left something open, even after its test has timed out', async () => {
    const { code, said } = await runHanging('in a promise', { WATCHDOG_LONGEST: '3' });
    assert.equal(code, 1, said);
    assert.match(said, /test timed out after 100ms/);
    assertEnded(said, 'it takes longer than', 3);
  });
});
