/** Success is only reported for what is on disk: observed from outside, in the system calls of the service. */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { type Running, running } from '../../a-process.ts';
import { postSignup } from '../../a-signup.ts';
import { openStore } from '../../a-store.ts';
import { rounds } from '../../depth.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { until } from '../../until.ts';
import { type Mail, parsed } from './a-mail-server.ts';

const SIGNUPS = rounds(200);
const PEOPLE = rounds(30); // of them who confirm, leave and are erased
const isThere = spawnSync('strace', ['-V']).status === 0;
const skip = !isThere && process.env.CI === undefined && 'needs strace';
const folder = realpathSync(aFolder()); // strace names real paths

const ENTRY = fileURLToPath(new URL('../../../bin/shingle.mjs', import.meta.url));
const DATA = join(folder, 'data');
const ENV = { SHINGLE_CITY: 'sample', SHINGLE_DATA: DATA, SHINGLE_LIMITS: 'off' };
const CALLS = 'trace=pwrite64,fsync,fdatasync,write,writev,rename,renameat,renameat2';
const STRACE = ['-f', '-y', '-qq', '-s', '40', '-e', CALLS];

test(`each of ${SIGNUPS} signups, and every change by a link, is on disk before it is answered`, {
  skip,
}, async (t) => {
  await (await openStore(DATA)).close();
  const service = await running(['serve'], ENV);
  const log = join(folder, 'calls');
  const pid = String(service.child.pid);
  const tracer = spawn('strace', [...STRACE, '-o', log, '-p', pid], { stdio: 'ignore' });
  t.after(() => tracer.kill('SIGKILL'));
  await until(async () => {
    await (await fetch(`${service.url}/api/health`)).text(); // whatever it says
    return readLog(log).includes('HTTP/1.1') ? true : undefined;
  }, 'strace to attach');
  const asked: { what: string; isNoted: boolean }[] = [];
  for (let i = 0; i < SIGNUPS; i++) {
    assert.equal((await postSignup(service.url!, `p${i}@b.example`)).status, 202);
    asked.push({ what: 'signup', isNoted: false });
  }
  for (const { links } of await mailsTo(PEOPLE)) {
    const form = (action: string) => ({ body: new URLSearchParams({ action }) });
    await asks(service, links.confirm!, {});
    await asks(service, links.manage!, form('leave-weekly'));
    await asks(service, links.manage!, form('erase'));
    for (const what of ['confirm', 'leave', 'erase']) asked.push({ what, isNoted: what !== 'confirm' });
  }
  const ended = once(tracer, 'exit');
  tracer.kill('SIGINT');
  await ended;
  assert.equal(await service.stop(), 0);

  const calls = callsIn(readLog(log));
  const answers = calls.filter(({ text }) => text.includes('"HTTP/1.1 ')).slice(-asked.length - 1);
  assert.equal(answers.length, asked.length + 1, 'with what was answered before');
  for (const [i, { what, isNoted }] of asked.entries()) {
    const [from, to] = [answers[i]!.begins, answers[i + 1]!.begins];
    const within = calls.filter(({ begins }) => begins > from && begins < to);
    assert.ok(isSynced(within, /\/shingle\.db-wal$/, to), `${what} ${i}: its commit is on the disk`);
    if (isNoted)
      assert.ok(isSynced(within, /\/departures\.log$/, to), `${what} ${i}: its departure is on the disk`);
  }
  const noted = calls.find((call) => isWrite(call) && isOf(call, /\/departures\.log$/))!;
  const toFirst = answers[asked.findIndex(({ isNoted }) => isNoted) + 1]!.begins;
  assert.ok(
    isFolderSynced(calls, DATA, { after: noted.ends, by: toFirst }),
    'the new departures.log is in its folder on the disk',
  );
  t.diagnostic(`${asked.length} in order`);
});

test('a backup gets its name once it is completely on disk', { skip }, async () => {
  assert.equal((await command(['ingest'], ENV)).code, 0);
  const [log, file] = [join(folder, 'backup-calls'), join(folder, 'copy.db')];
  const backup = [process.execPath, ENTRY, 'backup', file];
  const tracer = spawn('strace', [...STRACE, '--seccomp-bpf', '-o', log, ...backup], {
    env: { ...process.env, ...ENV },
    stdio: 'ignore',
    timeout: PATIENCE_MS,
  });
  assert.deepEqual(await once(tracer, 'exit'), [0, null]);
  const calls = callsIn(readLog(log));
  const named = calls.find(({ name, text }) => name.startsWith('rename') && text.includes(`"${file}"`));
  assert.ok(isSynced(calls, /\/copy\.db\.part-\d+$/, named!.begins));
  const toEnd = { after: named!.ends, by: Number.POSITIVE_INFINITY };
  assert.ok(isFolderSynced(calls, folder, toEnd), 'its name is on the disk when the command ends');
});

/** Presses a link as the page's button does. */
async function asks({ url }: Running, link: string, init: RequestInit): Promise<void> {
  const path = link.replace(/^https?:..[^/]*/, '');
  const answer = await fetch(url + path, { method: 'POST', ...init });
  assert.equal(answer.status, 200);
  await answer.text();
}

/** The first so many emails, which are files here. */
async function mailsTo(count: number): Promise<Mail[]> {
  const mail = join(DATA, 'mail');
  const files = await until(() => {
    const written = existsSync(mail) ? readdirSync(mail).filter((name) => name.endsWith('.eml')) : [];
    return written.length >= count ? written.slice(0, count) : undefined;
  }, `${count} emails`);
  return Promise.all(files.map((name) => parsed({ raw: readFileSync(join(mail, name), 'latin1'), to: [] })));
}

/** A system call: the lines of the log on which it began and was over, which differ where another thread spoke in between. */
type Call = { name: string; text: string; begins: number; ends: number; isDone: boolean };

function callsIn(log: string): Call[] {
  const calls: Call[] = [];
  const underWay = new Map<string, Call>();
  for (const [at, line] of log.split('\n').entries()) {
    const [, thread = '', resumed, begun] = /^(\d+) +(?:<\.\.\. (\w+) resumed>|(\w+)\()/.exec(line) ?? [];
    const isDone = /= \d+(<|$| )/.test(line.slice(line.lastIndexOf(')')));
    if (resumed !== undefined) {
      const call = underWay.get(thread);
      if (call !== undefined) Object.assign(call, { ends: at, isDone });
    } else if (begun !== undefined) {
      const call = { name: begun, text: line, begins: at, ends: at, isDone };
      calls.push(call);
      if (line.endsWith('<unfinished ...>'))
        underWay.set(thread, Object.assign(call, { ends: Number.POSITIVE_INFINITY }));
    }
  }
  return calls;
}

/** Whether something was written to the file, and after the last of it a sync began and was over by then. */
function isSynced(calls: readonly Call[], file: RegExp, by: number): boolean {
  const ofFile = calls.filter((call) => isOf(call, file));
  const written = ofFile.filter(isWrite).map(({ ends }) => ends);
  const last = Math.max(...written);
  const isSync = ({ name, isDone }: Call) => /^f(data)?sync$/.test(name) && isDone;
  return ofFile.some((call) => isSync(call) && call.begins > last && call.ends < by) && written.length > 0;
}

/** Whether a sync of the folder began after one moment and was over before another: without it, a new name may be lost. */
function isFolderSynced(
  calls: readonly Call[],
  path: string,
  { after, by }: { after: number; by: number },
): boolean {
  const named = new RegExp(`<${RegExp.escape(path)}$`);
  const isSync = (call: Call) => call.name === 'fsync' && call.isDone && isOf(call, named);
  return calls.some((call) => isSync(call) && call.begins > after && call.ends < by);
}

const isWrite = ({ name }: Call): boolean => /^p?write(64|v)?$/.test(name);

/** Whether a call is about this file, as strace names what a descriptor stands for. */
function isOf({ text }: Call, file: RegExp): boolean {
  return file.test(text.split('>', 1)[0]!);
}

function readLog(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
