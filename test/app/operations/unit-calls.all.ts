/** The system calls and sockets that the systemd unit allows are enough for the program: strace refuses all others. */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { aFolder } from '../../a-folder.ts';
import { machineEnv } from '../../environment.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { until } from '../../until.ts';
import { oldNodes } from '../start/old-nodes.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const UNIT = readFileSync(join(ROOT, 'deploy/shingle.service'), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!);
const ran = (program: string, args: string[]) =>
  spawnSync(program, args, { encoding: 'utf8', timeout: PATIENCE_MS });
const missing = ['systemd-analyze', 'strace'].find(
  (it) => ran('sh', ['-c', `command -v ${it}`]).status !== 0,
);
const skip = missing !== undefined && process.env.CI === undefined && `needs ${missing}`; // on CI both must be there

const folder = aFolder();

/** The calls of the unit's groups, less those that it takes out again. */
function allowedCalls(): string[] {
  const listed = `\n${ran('systemd-analyze', ['--no-pager', 'syscall-filter']).stdout}`;
  const callsOf = (group: string): string[] => {
    const body = listed.split(`\n${group}\n`)[1]!.split(/^\S/m)[0]!;
    return all(body, /^ {4}([-@\w]+)$/gm).flatMap((name) => (name.startsWith('@') ? callsOf(name) : [name]));
  };
  const filters = all(UNIT, /^SystemCallFilter=(.*)$/gm);
  const named = (out: boolean) =>
    filters.filter((it) => it.startsWith('~') === out).flatMap((it) => it.replace('~', '').split(' '));
  const taken = new Set(named(true).flatMap(callsOf));
  return [...new Set(named(false).flatMap(callsOf))].filter((call) => !taken.has(call));
}

/** SQLite asks for fchown only where it runs as root, as in this test; V8 of Node 20 looks whether there are memory protection keys. */
const HARMLESS = ['fchown', 'pkey_alloc'];

const named = (calls: readonly string[]) => calls.map((call) => `?${call}`).join(',');

test('Shingle imports, serves and makes backups under the restrictions of the unit, and opens only its sockets', {
  skip,
}, async () => {
  const log = join(folder, 'log');
  const allowed = allowedCalls();
  assert.ok(allowed.length > 200 && ['epoll_pwait', 'socket'].every((call) => allowed.includes(call)));
  const data = join(folder, 'data');
  const child = traced(
    [
      ...['-f', '-qq', '--seccomp-bpf', '-o', log],
      ...['-e', `trace=!${named(allowed.filter((call) => call !== 'socket'))}`],
      ...['-e', `inject=!${named(allowed)}:error=EPERM`],
    ],
    data,
  );
  let said = '';
  child.stdout?.on('data', (bytes) => (said += bytes));
  const url = await until(() => /open (http:\/\/[^/]+)/.exec(said)?.[1], 'a line that says where it serves');
  await until(async () => ((await fetch(`${url}/api/search`)).ok ? true : undefined), 'the sample');
  await until(() => globSync(`${data}/backups/*.db`)[0], 'a backup');
  process.kill(-child.pid!, 'SIGTERM'); // the program, and strace
  await once(child, 'exit');
  const traces = readFileSync(log, 'utf8');
  const refusedCalls = new Set(all(traces, /^\d+ +(\w+)\(.*INJECTED/gm));
  assert.deepEqual(
    [...refusedCalls].filter((call) => !HARMLESS.includes(call)),
    [],
  );
  const used = new Set(all(traces, /socket\((AF_\w+)/g));
  const left = /^RestrictAddressFamilies=(.*)$/m.exec(UNIT)![1]!.split(' ');
  assert.ok(used.size > 0);
  assert.deepEqual(
    [...used].filter((family) => !left.includes(family)),
    [],
  );
});

function traced(tracing: string[], data: string): ChildProcess {
  const node = oldNodes()[0]?.path ?? process.execPath; // a machine's own Node, which starts ours
  const program = [node, join(ROOT, 'bin/shingle.mjs'), 'start'];
  const child = spawn('strace', [...tracing, ...program], {
    env: { ...machineEnv(), PORT: '0', SHINGLE_DATA: data },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  after(() => child.exitCode === null && child.signalCode === null && process.kill(-child.pid!, 'SIGKILL'));
  return child;
}
