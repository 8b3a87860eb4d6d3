/** The progress line, on a real terminal (made by `script`) and on a pipe. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PATIENCE_MS } from '../../patience.ts';
import { noTerminal, SCRIPT } from './a-terminal.ts';

const TERMINAL = fileURLToPath(new URL('../../../src/app/cli/terminal.ts', import.meta.url));

/** Shows a line again and again until one is written, or until two seconds have passed, and says after how long it was. */
const PROGRAM = `
const { openProgressLine } = await import('${TERMINAL}');
const line = openProgressLine();
const start = Date.now();
for (let passed = 0; process.stderr.bytesWritten === 0 && passed < 2000; ) {
  passed = Date.now() - start;
  line.show(() => 'half');
  await new Promise((resolve) => setTimeout(resolve, 10));
}
line.show(() => 'too soon after the last');
line.clear();
line.clear();
process.stdout.write('after ' + (Date.now() - start));`;

const run = promisify(execFile);
const options = { timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const;

test('on a terminal, a progress line appears after a second and is erased at the end', {
  skip: noTerminal,
}, async () => {
  const command = `'${process.execPath}' --input-type=module -e "$PROGRAM"`;
  const env = { ...process.env, PROGRAM };
  const { stdout } = await run(SCRIPT, ['-qec', command, '/dev/null'], { ...options, env });
  const [text, ms] = stdout.split('after ');
  assert.equal(text, '\r\x1b[Khalf\r\x1b[K');
  assert.ok(Number(ms) >= 990, `after ${ms} ms`);
});

test('without a terminal on stderr, the command prints no progress line', async () => {
  const { stderr, stdout } = await run(process.execPath, ['--input-type=module', '-e', PROGRAM], options);
  assert.equal(stderr, '');
  assert.match(stdout, /^after \d+$/);
});
