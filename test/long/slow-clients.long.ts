/** 800 clients that send or read as slowly as possible (slowhttptest), next to one that only searches. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { aCity, businesses } from '../a-city.ts';
import { type Running, running, until } from '../a-process.ts';
import { lacks, openFiles, openSockets, quantile } from './tools.ts';

const CLIENTS = 800;
const SECONDS = 60;
const EVERY_MS = 200;
const LONGEST_S = 18; // a request has 15 seconds, and is looked at every two
const SOCKETS = 2000; // as many as the service takes
const skip = lacks('slowhttptest');

/** How slowhttptest is told to be slow, and at which path. */
const MODES: [what: string, path: string, options: string[]][] = [
  ['headers that never end', '/api/search', ['-H', '-i', '10', '-t', 'GET', '-x', '24', '-p', '3']],
  [
    'a body that never ends',
    '/api/signup',
    ['-B', '-i', '10', '-f', 'application/json', '-s', '2000', '-x', '24', '-p', '3'],
  ],
  [
    'answers that are hardly read',
    '/',
    ['-X', '-k', '3', '-n', '5', '-w', '1', '-y', '8', '-z', '5', '-p', '3'],
  ],
];

const city = aCity();
before(() => city.ingest(businesses(2000)));

async function served(): Promise<Running> {
  const env = {
    ...city.env,
    TRUST_PROXY: '127.0.0.0/8', // so that the probe is another client than those it stands beside
  };
  const service = await running(['serve'], env);
  await until(async () => ((await probed(service)).status === 200 ? true : undefined), 'the first answer');
  return service;
}

type Probe = { status: number; ms: number };

async function probed({ url }: Running): Promise<Probe> {
  const start = performance.now();
  const headers = { 'X-Forwarded-For': '203.0.113.50', Connection: 'close' };
  const status = await fetch(`${url}/api/search?q=business&limit=0`, {
    headers,
    signal: AbortSignal.timeout(5000),
  }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
  return { status, ms: performance.now() - start };
}

for (const [what, path, options] of MODES) {
  test(`${CLIENTS} clients with ${what} do not keep others from searching`, {
    skip,
    timeout: 150_000,
  }, async (t) => {
    const service = await served();
    const pid = service.child.pid!;
    const filesBefore = openFiles(pid);
    const about = ['-c', String(CLIENTS), '-r', '200', '-l', String(SECONDS), '-u', service.url + path];
    const attack = spawn('slowhttptest', [...options, ...about], {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 90_000,
    });
    t.after(() => attack.kill('SIGKILL'));
    attack.stdout.resume();
    const ended = once(attack, 'exit');
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    const probes: Promise<Probe>[] = [];
    let mostFiles = filesBefore;
    const start = performance.now();
    const atFirst = openSockets(pid);
    const seen = new Map<string, { first: number; last: number }>();
    while (!isOver) {
      await sleep(EVERY_MS - ((performance.now() - start) % EVERY_MS)); // the pace of the probe
      probes.push(probed(service));
      const files = openFiles(pid);
      mostFiles = Math.max(mostFiles, files);
      const now = performance.now();
      for (const socket of openSockets(pid).difference(atFirst))
        seen.set(socket, { first: seen.get(socket)?.first ?? now, last: now });
    }
    const answers = await Promise.all(probes);
    const times = answers.map(({ ms }) => ms);
    const good = answers.filter(({ status }) => status === 200).length;
    const heldS = [...seen.values()].map(({ first, last }) => (last - first) / 1000);
    t.diagnostic(
      `${what}: ${good} of ${answers.length} probes answered, p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms; at most ${mostFiles} open files (before: ${filesBefore}); of ${heldS.length} connections the longest was held ${Math.max(...heldS).toFixed(1)} s`,
    );
    assert.ok(mostFiles > filesBefore + CLIENTS / 2, 'they were to be there all at once');
    assert.ok(answers.length >= 50, `only ${answers.length} probes`);
    assert.equal(good, answers.length, 'every probe is answered');
    assert.ok(quantile(times, 0.99) <= 250, 'and soon');
    assert.ok(mostFiles <= filesBefore + SOCKETS, `${mostFiles} open files`);
    assert.ok(heldS.filter((seconds) => seconds > 5).length >= CLIENTS / 2, 'they were slow');
    assert.ok(Math.max(...heldS) <= LONGEST_S, `one was held for ${Math.max(...heldS).toFixed(1)} s`);
    await until(() => (openFiles(pid) <= filesBefore + 5 ? true : undefined), 'sockets to be let go');
    assert.equal(service.child.exitCode, null, 'it lives');
  });
}
