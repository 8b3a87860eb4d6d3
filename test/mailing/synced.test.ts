/** A signup is acknowledged only after its commit is on the disk: seen from outside, in the system calls of the service. */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { running, until } from '../a-process.ts';

const SIGNUPS = 200;
const isThere = spawnSync('strace', ['-V']).status === 0;
const skip = !isThere && process.env.CI === undefined && 'needs strace';
const folder = mkdtempSync(join(tmpdir(), 'shingle-synced-'));
after(() => rmSync(folder, { recursive: true }));

test(`each of ${SIGNUPS} signups is written, synced and then answered`, {
  skip,
  timeout: 100_000,
}, async (t) => {
  const service = await running(['serve'], {
    SHINGLE_CITY: 'sample',
    SHINGLE_DATA: join(folder, 'data'),
    SHINGLE_LIMITS: 'off',
  });
  const log = join(folder, 'calls');
  const calls = 'trace=pwrite64,fsync,fdatasync,write,writev';
  const pid = String(service.child.pid);
  const tracer = spawn('strace', ['-f', '-y', '-qq', '-e', calls, '-s', '40', '-o', log, '-p', pid], {
    stdio: 'ignore',
  });
  t.after(() => tracer.kill('SIGKILL'));
  const traced = await until(async () => {
    await fetch(`${service.url}/api/health`);
    const text = readLog(log);
    return text.includes('HTTP/1.1') ? true : undefined;
  }, 'strace to attach');
  assert.ok(traced);
  for (let i = 0; i < SIGNUPS; i++) {
    const answer = await fetch(`${service.url}/api/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `p${i}@b.example`, type: 'weekly' }),
    });
    assert.equal(answer.status, 202);
    await answer.text();
  }
  const ended = once(tracer, 'exit');
  tracer.kill('SIGINT');
  await ended;
  assert.equal(await service.stop(), 0);

  let written = false;
  let synced = false;
  let inOrder = 0;
  let syncs = 0;
  for (const line of readLog(log).split('\n')) {
    if (/pwrite64\(\d+<[^>]*shingle\.db-wal>/.test(line)) [written, synced] = [true, false];
    else if (/f(data)?sync\(\d+<[^>]*shingle\.db-wal>/.test(line)) {
      syncs++;
      synced = written;
    } else if (line.includes('"HTTP/1.1 202')) {
      if (written && synced) inOrder++;
      [written, synced] = [false, false];
    }
  }
  t.diagnostic(`${inOrder} of ${SIGNUPS} in order, ${syncs} syncs of the journal`);
  assert.equal(inOrder, SIGNUPS);
  assert.ok(syncs >= SIGNUPS);
});

function readLog(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
