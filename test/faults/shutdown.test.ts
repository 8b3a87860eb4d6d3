/** SIGTERM amid work: whatever was accepted is answered, nothing new is taken, the message under way ends and is marked. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import { aCity, businesses, MAIL_ENV } from '../a-city.ts';
import { type Running, running } from '../a-process.ts';
import { aMailServer } from '../service/mail/a-mail-server.ts';
import { until } from '../until.ts';
import { allRead, refused, signUp } from './requests-under-way.ts';
import { writingElsewhere } from './writing-elsewhere.ts';

const IN_FLIGHT = 60;
const GIVEN_UP_MS = 8_000; // where this machine takes longer, an email is sent again and a signup gets 503
const IDLE = 50;
const city = aCity();

before(() => city.ingest(businesses(30)));

async function aService(more: Record<string, string> = {}): Promise<{ service: Running; folder: string }> {
  const folder = city.copyData();
  const env = { ...city.env, ...MAIL_ENV, SHINGLE_DATA: folder, SHINGLE_LIMITS: 'off' };
  return { service: await running(['serve'], { ...env, ...more }), folder };
}

/** A connection that has had one answer and is kept open. */
async function idleConnection(port: string): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

const messages = (folder: string): string[] => {
  const db = new DatabaseSync(join(folder, 'shingle.db'), { readOnly: true });
  const rows = db.prepare('select state from message order by state').all() as { state: string }[];
  db.close();
  return rows.map(({ state }) => state);
};

describe('a service that is stopped', { concurrency: true }, () => {
  test(`a service that is stopped finishes ${IN_FLIGHT} signups and an email, and starts nothing new`, async (t) => {
    let takeIt = (): void => undefined;
    const smtp = await aMailServer({
      onData(stream, _session, done) {
        stream.resume();
        stream.on('end', () => {
          takeIt = done;
        });
      },
    });
    const { service, folder } = await aService({ SMTP_URL: smtp.url });
    const { port } = new URL(service.url);
    assert.equal(await signUp(port, 'first@b.example').status, 202);
    const isTaken = takeIt;
    await until(() => takeIt !== isTaken || undefined, 'the text of its email');
    const idle = await Promise.all(Array.from({ length: IDLE }, () => idleConnection(port)));
    const ends = idle.map((socket) => once(socket, 'close'));
    const writing = writingElsewhere(t, folder);
    const from = performance.now();
    const asked = Array.from({ length: IN_FLIGHT }, (_, i) => signUp(port, `p${i}@b.example`));
    await Promise.all(asked.map(({ sent }) => sent));
    await allRead(service.url);

    const ended = service.stop();
    await until(() => refused(service.url), 'new connections to be refused');
    writing.end();
    takeIt();
    const statuses = await Promise.all(asked.map(({ status }) => status));
    assert.equal(await ended, 0);
    await Promise.all(ends);
    const isLate = performance.now() - from >= GIVEN_UP_MS;
    const allowed = isLate ? [202, 503] : [202];
    const others = Map.groupBy(
      statuses.filter((status) => !allowed.includes(status as number)),
      String,
    );
    assert.equal(
      others.size,
      0,
      Array.from(others, ([status, all]) => `${all.length} x ${status}`).join(', '),
    );
    const accepted = statuses.filter((status) => status === 202).length;
    t.diagnostic(
      `${accepted} of ${IN_FLIGHT} accepted, ended after ${Math.round(performance.now() - from)} ms`,
    );
    const stored = messages(folder);
    assert.ok(isLate || stored.includes('sent'), 'the email under way is marked');
    assert.ok(stored.length > accepted, `${stored.length - 1} of ${accepted} are stored`);
  });

  test('a service that is stopped while a mail server does not answer ends soon, and the email is sent again later', async (t) => {
    let hasBegun = false;
    const silent = await aMailServer({
      onData(stream) {
        stream.resume();
        stream.on('end', () => {
          hasBegun = true;
        });
      },
    });
    const { service, folder } = await aService({ SMTP_URL: silent.url });
    assert.equal(await signUp(new URL(service.url).port, 'first@b.example').status, 202);
    await until(() => hasBegun || undefined, 'the text of its email');
    const from = performance.now();
    assert.equal(await service.stop(), 0);
    t.diagnostic(`ended after ${Math.round(performance.now() - from)} ms`);
    assert.deepEqual(messages(folder), ['pending'], 'not marked as sent: nobody said so');
    void silent.close();
  });

  test('a service survives three copies of one signal from the launcher, npm or a process group', async () => {
    const { service } = await aService();
    const ended = service.stop();
    for (const copy of ['SIGINT', 'SIGTERM'] as const) service.child.kill(copy);
    assert.equal(await ended, 0);
  });

  test('a service ends at once if it gets more signals than the copies of one signal', async (t) => {
    const { service, folder } = await aService();
    const writing = writingElsewhere(t, folder);
    const waiting = signUp(new URL(service.url).port, 'first@b.example');
    await waiting.sent;
    await allRead(service.url);
    const ended = service.stop();
    await until(() => refused(service.url), 'new connections to be refused');
    await until(() => {
      service.child.kill('SIGTERM');
      return service.child.exitCode ?? undefined;
    }, 'a later signal to end it');
    assert.equal(await ended, 1);
    assert.notEqual(await waiting.status, 202, 'it was not stored');
    writing.end();
    assert.deepEqual(messages(folder), []);
  });
});
