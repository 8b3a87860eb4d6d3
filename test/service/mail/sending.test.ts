/** One message on a connection: its time limits, and people who unsubscribe while it is being sent. */

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openFileTransport } from '../../../src/service/mail/mail-files.ts';
import { aFolder } from '../../a-folder.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { until } from '../../until.ts';
import { aDelivery, aLetter, inState, postTo } from './a-delivery.ts';
import { aFaultServer, takenBy } from './fault-server.ts';
import { stillClock } from './still-clock.ts';

const MESSAGE_MS = 60_000;

test('every step of sending a message has a time limit, even on a connection that worked before', async (t) => {
  for (const at of ['mail', 'rcpt', 'data', 'dot'] as const) {
    const server = await aFaultServer();
    const post = postTo(server, { socketMs: PATIENCE_MS });
    const send = () => post.send(0, aLetter('p04@b.example'), async () => true);
    assert.equal((await send()).end, 'sent');
    server.fault = { at, does: 'nothing' };
    const { tick } = stillClock(t);
    let end: string | undefined;
    void send().then((attempt) => {
      end = attempt.end;
    });
    while (server.struck === 0) await turn();
    tick(MESSAGE_MS - 1);
    await turn();
    assert.equal(end, undefined, at);
    tick(1);
    for (let turns = 0; turns < 100; turns++) await turn();
    assert.equal(end, 'failure', at);
    t.mock.restoreAll();
    post.close();
  }
});

test('Shingle gives up on a silent server, even if the message has time left', async () => {
  for (const at of ['greeting', 'mail', 'rcpt', 'data', 'dot'] as const) {
    const limits = { socketMs: 50, messageMs: PATIENCE_MS * 10 };
    const post = postTo(await aFaultServer({ at, does: 'nothing' }), limits);
    const attempt = await post.send(0, aLetter('p04@b.example'), async () => true);
    assert.equal(attempt.end, 'failure', at);
    post.close();
  }
});

test('the default limits are 20 seconds to connect, and 60 for silence and for a message', async (t) => {
  const server = await aFaultServer();
  const timers = t.mock.method(globalThis, 'setTimeout').mock;
  const idle = t.mock.method(Socket.prototype, 'setTimeout').mock;
  const post = postTo(server);
  const given = (of: { calls: { arguments: unknown[] }[] }, at: number) =>
    of.calls.map((call) => Number(call.arguments[at] ?? 0)).filter((ms) => ms > 0);
  assert.equal((await post.send(0, aLetter('p04@b.example'), async () => true)).end, 'sent');
  const tens = [...given(timers, 1), ...given(idle, 0)].map((ms) => Math.ceil(ms / 10_000)); // of seconds; some are what is left
  timers.resetCalls();
  assert.equal((await post.send(0, aLetter('p05@b.example'), async () => true)).end, 'sent');
  const sending = given(timers, 1);
  post.close();
  assert.deepEqual(sending, [60_000], 'a message on a connection that stands');
  assert.deepEqual(new Set(tens), new Set([2, 6]), 'connecting and greeting, silence and all of it');
});

test('if the mail folder takes no file, all messages fail, and no part of them stays', async () => {
  const folder = aFolder();
  const letter = aLetter('p01@b.example');
  const name = `${letter.madeAt.slice(0, 19).replaceAll(':', '')}-${letter.what}-${letter.message}.eml`;
  mkdirSync(join(folder, name));
  const { end, ...fault } = await openFileTransport(folder).send(0, letter, async () => true);
  assert.deepEqual([end, 'of' in fault && fault.of], ['failure', 'everybody']);
  assert.deepEqual(readdirSync(folder), [name]);
});

test('a person who has unsubscribed gets no email, and the next person gets theirs', async () => {
  for (const offers of [[], ['PIPELINING', '8BITMIME', 'SIZE 1000000']]) {
    const server = await aFaultServer(undefined, offers);
    const post = postTo(server);
    const send = (to: string, isWanted: boolean) => post.send(0, aLetter(to), async () => isWanted);
    assert.equal((await send('p01@b.example', true)).end, 'sent');
    for (const lane of ['a connection that worked', 'a new one'])
      assert.deepEqual(await send('p04@b.example', false), { end: 'canceled' }, lane);
    assert.equal((await send('p02@b.example', true)).end, 'sent');
    post.close();
    assert.deepEqual(takenBy(server), ['p01@b.example', 'p02@b.example']);
    assert.equal(server.asked.length, 4, 'they were asked for, all the same');
  }
});

test('an unsubscribe while the server replies stops that email, and no other person waits', async () => {
  const leaver = 'p04@b.example';
  const { promise: after, resolve: answer } = Promise.withResolvers<void>();
  const server = await aFaultServer({ at: 'rcpt', does: '250 2.1.5', to: [leaver], after });
  const mail = await aDelivery({ port: server.port });
  const isAsked = () => (server.asked.includes(`TO:<${leaver}>`) ? true : undefined);
  const round = mail.round();
  await until(isAsked, 'the server to be asked about them');
  await mail.leaves(leaver);
  assert.ok(!server.begun.includes(leaver), 'they left before the server had answered');
  answer();
  await round;
  await mail.pass(60);
  assert.deepEqual(inState(mail, 'canceled'), [leaver]);
  assert.deepEqual(
    takenBy(server),
    mail.people.filter((address) => address !== leaver),
  );
  assert.ok(await mail.isFinished());
});
