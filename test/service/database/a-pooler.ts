/** Debian's PgBouncer in front of a server of a test. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { freePort } from '../../a-port.ts';
import { until } from '../../until.ts';
import { asked } from './a-postgres.ts';

/** What PgBouncer must ignore so that a client can set its own timeouts. */
export const IGNORED =
  'ignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

/** Starts PgBouncer. Returns the same address as it is behind the pooler, which ends after the test file. */
export async function aPooler(url: string, mode: string, more: readonly string[] = []): Promise<string> {
  const { hostname, port, pathname } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'shingle-pooler-'));
  const listening = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(join(folder, 'users'), '"shingle" "secret"\n');
  const lines = [
    ...['[databases]', `* = host=${hostname} port=${port}`, '[pgbouncer]', `pool_mode = ${mode}`],
    ...['listen_addr = 127.0.0.1', `listen_port = ${listening}`, 'unix_socket_dir =', 'auth_type = trust'],
    ...[`auth_file = ${join(folder, 'users')}`, 'max_client_conn = 200', ...more],
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  chmodSync(folder, 0o755);
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const pooler = spawn('pgbouncer', ['-q', ...user, config], { stdio: 'ignore' });
  after(() => end(pooler, folder));
  const pooled = `postgres://shingle:secret@127.0.0.1:${listening}${pathname}`;
  await until(() => asked(pooled, 'select 1').catch(() => undefined), 'the pooler');
  return pooled;
}

async function end(pooler: ChildProcess, folder: string): Promise<void> {
  if (pooler.exitCode === null) {
    pooler.kill('SIGKILL');
    await once(pooler, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}
