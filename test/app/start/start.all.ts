/** Shingle always runs on a new enough Node, however it is started, and stops as if there were no launcher. */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isNewEnough } from '../../../bin/launch.mjs';
import { aCity } from '../../a-city.ts';
import { allRead, refused, signUp } from '../../faults/requests-under-way.ts';
import { writingElsewhere } from '../../faults/writing-elsewhere.ts';
import { until } from '../../until.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ENTRY = join(ROOT, 'bin/shingle.mjs');
const REQUESTS = 50;

/** Of each Node that is too old for Shingle, one: the system's own, and those in OLD_NODES, which is like PATH. */
const OLD = new Map(
  ['/usr/bin/node', '/usr/local/bin/node', ...(process.env.OLD_NODES ?? '').split(delimiter)]
    .filter(Boolean)
    .map((path) => [String(spawnSync(path, ['-p', 'process.versions.node']).stdout).trim(), path] as const)
    .filter(([version]) => /^\d/.test(version) && !isNewEnough(version)),
);
const NODES = [...OLD, [process.versions.node, process.execPath] as const];
const city = aCity();

before(() => city.ingest(30));

/** Whatever is under way when it is told to stop is answered, and every process of its group ends. */
async function endsWell(
  command: readonly [string, ...string[]],
  stop: (child: ChildProcess) => void,
  t: Parameters<typeof writingElsewhere>[0],
): Promise<number | null> {
  const folder = city.copyData();
  const settings = { ...city.env, SHINGLE_DATA: folder, SHINGLE_LIMITS: 'off', PORT: '0' };
  const child = spawn(command[0], command.slice(1), {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true, // a process group of its own
  });
  t.after(() => isRunning(-child.pid!) && process.kill(-child.pid!, 'SIGKILL'));
  const ended = once(child, 'close') as Promise<[number | null]>;
  let said = '';
  child.stdout.on('data', (bytes) => (said += bytes));
  const url = await until(() => /open (http:\/\/[^/]+)/.exec(said)?.[1], 'a line that says where it serves');
  const writing = writingElsewhere(t, folder);
  const { port } = new URL(url);
  const requests = Array.from({ length: REQUESTS }, (_, i) => signUp(port, `p${i}@b.example`));
  await Promise.all(requests.map(({ sent }) => sent));
  await allRead(url);
  stop(child);
  await until(() => refused(url), 'new connections to be refused');
  writing.end();
  const statuses = await Promise.all(requests.map(({ status }) => status));
  assert.deepEqual(statuses, Array(REQUESTS).fill(202));
  const [code] = await ended;
  await until(() => !isRunning(-child.pid!), 'every process of the group to end');
  return code;
}

const staysParent = (node: string): boolean =>
  String(spawnSync(node, ['-p', 'process.execve === undefined']).stdout).trim() === 'true';

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('the machine has an older Node for these tests', {
  skip: !process.env.CI && 'only where CI is set',
}, () => {
  assert.ok(NODES.length >= 2, 'no Node older than 24.21 in /usr/bin, /usr/local/bin or OLD_NODES');
});

for (const [version, path] of NODES) {
  describe(`Shingle on Node ${version}`, () => {
    test('the launcher starts a Node that is new enough, and passes on arguments and the exit code', () => {
      const { stdout } = spawnSync(path, [join(ROOT, 'bin/node.mjs'), '-p', 'process.versions.node']);
      assert.ok(Number.parseInt(String(stdout), 10) >= 24, String(stdout));
      const wrong = spawnSync(path, [ENTRY, 'serve', '--nonsense']);
      assert.equal(wrong.status, 2);
      assert.match(String(wrong.stderr), /^error: unknown option '--nonsense'\n\(use --help/);
    });

    test('a service runs with memory limits, unless the operator has set others', () => {
      const profile = join(city.folder, 'telling.ts');
      const tells = 'console.log(process.execArgv, process.env.MALLOC_ARENA_MAX)';
      writeFileSync(profile, `${tells}; export default {};`);
      const told = (command: string, more: Record<string, string> = {}) => {
        const env = { ...process.env, SHINGLE_CITY: profile, SHINGLE_DATA: city.config.dataFolder, ...more };
        return String(spawnSync(path, [ENTRY, command], { env }).stdout);
      };
      assert.match(told('serve'), /'--max-semi-space-size=8'.* 2$/m);
      assert.match(told('start', { MALLOC_ARENA_MAX: '7' }), /'--max-semi-space-size=8'.* 7$/m);
      assert.doesNotMatch(told('start'), /max-old-space-size/);
      for (const command of ['ingest', 'check']) {
        assert.match(told(command), /'--max-old-space-size=512'/);
        assert.match(told(command, { INGEST_MEMORY_MB: '300' }), /'--max-old-space-size=300'/);
      }
    });

    test(`the service answers ${REQUESTS} requests under way when its process group is told to stop`, async (t) => {
      const stop = ({ pid }: ChildProcess) => process.kill(-pid!, 'SIGTERM');
      assert.equal(await endsWell([path, ENTRY, 'serve'], stop, t), 0);
    });

    // elsewhere the launcher becomes the service, so that there is no other process
    if (staysParent(path))
      test(`the service answers ${REQUESTS} requests under way when only the first process is told to stop`, async (t) => {
        assert.equal(await endsWell([path, ENTRY, 'serve'], (child) => child.kill('SIGTERM'), t), 0);
      });

    test('a service that is killed by a signal reports that signal', () => {
      const killed = "process.kill(process.pid, 'SIGTERM'); setInterval(() => undefined, 1000)";
      assert.equal(spawnSync(path, [join(ROOT, 'bin/node.mjs'), '-e', killed]).signal, 'SIGTERM');
    });

    test(`"npm start" in a terminal answers ${REQUESTS} requests under way after Ctrl-C`, async (t) => {
      const scripts = { start: `exec "${path}" "${ENTRY}" start` }; // what package.json has, on this Node
      const folder = mkdtempSync(join(city.folder, 'package-'));
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
      const terminal = ['script', '-qec', `npm start --prefix '${folder}'`, '/dev/null'] as const;
      await endsWell(terminal, (child) => child.stdin!.write('\u0003'), t);
    });
  });
}

test(`a service answers ${REQUESTS} requests under way when npm gets SIGTERM`, async (t) => {
  await endsWell(['npm', 'start'], (child) => child.kill('SIGTERM'), t);
});

for (const [version, path] of OLD) {
  test(`Node ${version} without a packaged Node beside it says in one sentence what to install`, () => {
    const alone = join(city.folder, `alone-${version}`);
    mkdirSync(alone);
    cpSync(join(ROOT, 'bin'), join(alone, 'bin'), { recursive: true });
    const { status, stderr, stdout } = spawnSync(path, [join(alone, 'bin/shingle.mjs'), 'start']);
    assert.equal(status, 78);
    assert.equal(String(stdout), '');
    assert.match(
      String(stderr),
      /^Shingle needs Node 24\.21 or newer\. This is Node \S+, .*: install a newer Node .*\.\n$/,
    );
  });
}
