/** What becomes of a message: its outcome is not lost, and a refusal means the address, the message or us. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyFailure, describeDeferral, describeFailure } from '../../../src/service/mail/failures.ts';
import { installProbe } from '../../../src/shared/probe.ts';
import { aDelivery, inState, somePeople } from './a-delivery.ts';
import { aFaultServer, takenBy } from './fault-server.ts';

test('a sent message is not sent again if the next message cannot be claimed', async (t) => {
  const server = await aFaultServer();
  const mail = await aDelivery({ port: server.port });
  let accepted = 0;
  installProbe((name) => {
    if (name === 'message:accepted') accepted++;
    if (name !== 'claim:before-commit' || accepted === 0) return;
    installProbe(undefined);
    throw new Error('the store is busy');
  });
  t.after(() => installProbe(undefined));
  await assert.rejects(mail.round(), /the store is busy/);
  await mail.round();
  assert.deepEqual(takenBy(server), mail.people);
  assert.deepEqual(inState(mail, 'sent'), mail.people);
  assert.ok(mail.rows().every(({ doubts, attempts }) => doubts === 0 && attempts === 1));
});

test('a refusal at RCPT stops an address only if it is about the mailbox', () => {
  const judge = (response: string) =>
    classifyFailure({ responseCode: Number(response.slice(0, 3)), command: 'RCPT TO', response }, 'envelope')
      .of;
  for (const gone of ['550 no', '551 no', '553 no', '550 5.1.1 no', '550-5.1.10 no', '554 5.2.1 no'])
    assert.equal(judge(gone), 'address', gone);
  for (const other of ['552 no', '554 no', '550 5.2.2 no', '552 5.2.3 no', '550 5.2.10 no', '550 5.7.1 no'])
    assert.equal(judge(other), 'message', other);
  assert.match(describeFailure(classifyFailure({}, 'handed-over')), / \(no answer\)$/);
  for (const [code, doubts, says] of [
    ['ECONNECTION', 0, /cannot be reached/],
    ['ECONNECTION', 1, /may have arrived/],
    ['451 4.3.0', 1, /asked us to try later/],
  ] as const)
    assert.match(describeDeferral({ code, doubts }), says);
});

test('if a server refuses every message, a message fails after five attempts', async () => {
  const server = await aFaultServer({ at: 'rcpt', does: '550 5.7.1' });
  const mail = await aDelivery({ port: server.port }, { addresses: somePeople(24) });
  await mail.round();
  await mail.pass(24 * 60, 30);
  assert.deepEqual(inState(mail, 'failed'), mail.people);
  const tries = mail.rows().map(({ attempts }) => attempts);
  assert.deepEqual(tries.sort(), [1, 1, 1, ...Array.from({ length: 21 }, () => 5)]);
});
