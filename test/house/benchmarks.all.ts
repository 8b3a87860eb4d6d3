/** Whatever becomes of a benchmark, the programs that it started end with it. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '../a-process.ts';

const BENCHMARK = fileURLToPath(new URL('./a-benchmark.ts', import.meta.url));

const ENDS: [how: string, env: Record<string, string>, signal: NodeJS.Signals | undefined, code: number][] = [
  ['is interrupted', {}, 'SIGINT', 130],
  ['is terminated', {}, 'SIGTERM', 143],
  ['fails', { FAILS: 'yes' }, undefined, 1],
];

for (const [how, env, signal, code] of ENDS)
  test(`a benchmark that ${how} leaves no program behind`, async () => {
    const benchmark = spawn(process.execPath, [BENCHMARK], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    after(() => benchmark.kill('SIGKILL'));
    const ended = once(benchmark, 'exit');
    const [said] = await once(benchmark.stdout, 'data');
    const started = Number(said);
    assert.ok(started > 0);
    if (signal !== undefined) benchmark.kill(signal);
    assert.deepEqual(await ended, [code, null]);
    await until(() => !isAlive(started) || undefined, `the end of ${started}`);
  });

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
