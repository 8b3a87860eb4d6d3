/** Mail server errors: the right messages wait, the right ones fail, and everyone else gets their email once. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyFailure, describeDeferral, describeFailure } from '../../../src/service/mail/failures.ts';
import type { SmtpSettings } from '../../../src/service/mail/smtp.ts';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { installProbe } from '../../../src/shared/probe.ts';
import { rounds } from '../../depth.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { type ADelivery, aDelivery, inState, somePeople, type Timeouts } from './a-delivery.ts';
import { aMailServer } from './a-mail-server.ts';
import { aFaultServer, type Fault, type FaultServer, isRefusal, takenBy } from './fault-server.ts';
import { passTimeInSilence } from './still-clock.ts';

/** The rest is by a clock that passes in silence; idle times of sockets are not. */
const BY_STILL_CLOCK: Timeouts = { socketMs: PATIENCE_MS };
const THREE = ['p04@b.example', 'p05@b.example', 'p13@b.example'];
const OTHERS = somePeople(20).filter((address) => !THREE.includes(address));

/** Everybody has it; more than once only where the answer was lost, and then under the same Message-ID. */
async function assertAllHaveIt(mail: ADelivery, server: FaultServer, lostAnswers = 0): Promise<void> {
  assert.deepEqual(inState(mail, 'sent'), mail.people);
  assert.ok(await mail.isFinished());
  assert.equal((await mail.standing()).problem, null);
  for (const address of mail.people) {
    const theirs = server.taken.filter(({ to, answer }) => to === address && !isRefusal(answer));
    const count = theirs.length;
    assert.ok(count >= 1 && count <= 1 + lostAnswers, `${address} has it ${count} times`);
    assert.equal(new Set(theirs.map(({ id }) => id)).size, 1, 'one Message-ID');
  }
}

type Pausing = { fault: Fault; says: RegExp; settings?: Partial<SmtpSettings> };
const LOG_IN = { user: 'rivermouth', password: 'secret' };
const TLS = { requireTls: true, ...LOG_IN };
const silent = (at: Fault['at']): Pausing => ({ fault: { at, does: 'nothing' }, says: /does not answer/ });
const slow = (at: Fault['at'], settings = {}): Pausing => ({
  ...silent(at),
  fault: { at, does: 'drip', everyMs: 5_000 },
  settings,
});
const PAUSING: Record<string, Pausing> = {
  'does not greet': silent('greeting'),
  'does not answer EHLO': silent('ehlo'),
  'greets with 421': { fault: { at: 'greeting', does: '421 4.3.2' }, says: /421/ },
  'hangs up before it greets': { fault: { at: 'greeting', does: 'drop' }, says: /cannot be reached/ },
  'greets a byte at a time, too slowly': slow('greeting'),
  'answers the log-in a byte at a time, too slowly': slow('auth', LOG_IN),
  'refuses the log-in': {
    fault: { at: 'auth', does: '535 5.7.8 no such user' },
    says: /\(EAUTH 535 5\.7\.8\)\. The mail server's answer: 535 5\.7\.8 no such user$/,
    settings: LOG_IN,
  },
  'wants a log-in at MAIL': { fault: { at: 'mail', does: '530 5.7.0' }, says: /530 5\.7\.0/ },
  'refuses the sender': {
    fault: { at: 'mail', does: '550 5.7.1 we do not know you' },
    says: /\(550 5\.7\.1\)\. The mail server's answer: 550 5\.7\.1 we do not know you$/,
  },
  'wants a log-in at RCPT, and names the recipient': {
    fault: { at: 'rcpt', does: '530 5.7.0 log in to write to p01@b.example' },
    says: /\(530 5\.7\.0\)$/,
  },
  'knows no TLS, where that is required': {
    ...{ fault: { at: 'starttls', does: '502 5.5.1' }, says: /TLS|502/, settings: TLS },
  },
  'has no TLS just now': { fault: { at: 'starttls', does: '454 4.7.0' }, says: /TLS|454/, settings: TLS },
};

for (const [what, { fault, says, settings }] of Object.entries(PAUSING)) {
  test(`a server that ${what} stops all mail, and no subscriber is affected`, async (t) => {
    const offers = fault.does.startsWith('454') ? ['STARTTLS', 'AUTH PLAIN'] : ['AUTH PLAIN'];
    const server = await aFaultServer(fault, offers);
    const mail = await aDelivery({ port: server.port, ...settings }, { timeouts: BY_STILL_CLOCK });
    passTimeInSilence(t, server);
    await mail.round();
    const { problem, pausedUntil } = await mail.standing();
    for (const row of mail.rows())
      assert.deepEqual([row.state, row.attempts, row.doubts], ['pending', 0, 0], row.address);
    assert.deepEqual([server.taken, await mail.refused()], [[], []]);
    if (settings?.requireTls)
      assert.deepEqual(new Set(server.verbs).difference(new Set(['EHLO', 'STARTTLS', 'QUIT'])).size, 0);
    assert.equal(pausedUntil, '2026-11-23T17:05:00.000Z');
    const { all } = server.connections;
    await mail.pass(4, 1);
    assert.equal(server.connections.all, all, 'it is left alone for five minutes');
    server.fault = undefined;
    mail.through({ requireTls: false, user: undefined });
    await mail.pass(5);
    await assertAllHaveIt(mail, server);
    assert.match(problem ?? 'no trouble', says);
  });
}

test('each further failure doubles the pause of all mail up to the longest, and a success ends the series', async () => {
  const server = await aFaultServer({ at: 'greeting', does: 'drop' });
  const mail = await aDelivery({ port: server.port });
  await mail.round();
  const pauses: number[] = [];
  let [since, minutes] = [Date.parse('2026-11-23T17:00:00Z'), 0];
  const notePause = async () => {
    const until = Date.parse((await mail.standing()).pausedUntil!);
    minutes = (until - since) / 60_000;
    pauses.push(minutes);
    since = until;
  };
  await notePause();
  while (pauses.length < 6) {
    await mail.pass(minutes, minutes);
    await notePause();
  }
  const most = 4_000 / 60;
  assert.deepEqual(pauses, [5, 10, 20, 40, most, most]);
  server.fault = { at: 'rcpt', does: '450 4.2.0', to: THREE };
  await mail.pass(most, most);
  assert.deepEqual([(await mail.standing()).failures, inState(mail, 'sent')], [0, OTHERS]);
});

for (const secure of [true, false]) {
  const how = secure ? 'smtps' : 'STARTTLS';
  test(`an untrusted certificate stops all mail (${how})`, async () => {
    const untrusted = await aMailServer({ secure, disabledCommands: [] });
    const mail = await aDelivery({ port: untrusted.port, secure, requireTls: !secure });
    await mail.round();
    assert.deepEqual(inState(mail, 'pending'), mail.people);
    assert.deepEqual(untrusted.arrived, []);
    const { problem } = await mail.standing();
    const server = await aFaultServer();
    mail.through({ port: server.port, secure: false, requireTls: false });
    await mail.pass(5);
    await assertAllHaveIt(mail, server);
    assert.match(problem!, /certificate|TLS/);
  });
}

const FOR_GOOD: Record<string, { fault: Fault; isNoMailbox?: boolean }> = {
  '550 5.1.1 at RCPT': { fault: { at: 'rcpt', does: '550 5.1.1' }, isNoMailbox: true },
  '550 5.1.1 at RCPT, and a server that hangs up': {
    ...{ fault: { at: 'rcpt', does: '550 5.1.1', hangsUp: true }, isNoMailbox: true },
  },
  'a bare 550 at RCPT': { fault: { at: 'rcpt', does: '550' }, isNoMailbox: true },
  '550 5.7.1 (policy) at RCPT': { fault: { at: 'rcpt', does: '550 5.7.1' } },
  '554 at DATA': { fault: { at: 'data', does: '554 5.7.1' } },
  '554 after the dot': { fault: { at: 'dot', does: '554 5.6.0' } },
  '554 after the dot, and a server that hangs up': { fault: { at: 'dot', does: '554 5.6.0', hangsUp: true } },
  '552 after the dot': { fault: { at: 'dot', does: '552 5.2.2' } },
};

for (const [what, { fault, isNoMailbox = false }] of Object.entries(FOR_GOOD)) {
  for (const offers of [[], ['PIPELINING', '8BITMIME', 'SIZE 1000000']]) {
    if (offers.length > 0 && fault.at === 'rcpt' && fault.hangsUp) continue; // the library waits for the answer to DATA
    const how = offers.length > 0 ? ' (pipelined)' : '';
    test(`${what} fails only for that person${how}`, async () => {
      const server = await aFaultServer({ ...fault, to: THREE }, offers);
      const mail = await aDelivery({ port: server.port });
      await mail.round();
      await mail.pass(60);
      assert.deepEqual(inState(mail, 'failed'), THREE);
      assert.deepEqual(inState(mail, 'sent'), OTHERS);
      assert.deepEqual(takenBy(server), OTHERS);
      assert.deepEqual(await mail.refused(), isNoMailbox ? THREE : []);
      assert.equal(server.asked.length, 20, 'nobody is tried again');
      const failed = mail.rows().filter(({ state }) => state === 'failed');
      assert.deepEqual([...new Set(failed.map(({ outcome }) => outcome))], [fault.does]);
      assert.ok(await mail.isFinished());
    });
  }
}

/** `doubts`: how often it may have arrived, as far as we can know. */
type Passing = { fault: Fault; lostAnswers?: number; doubts?: number; offers?: string[] };
const twice = (at: Fault['at'], does: string, more: Partial<Fault> = {}): Passing => ({
  fault: { at, does, to: THREE, times: 2, ...more },
});
const HANGS_UP = { hangsUp: true };
const PASSING: Record<string, Passing> = {
  '451 at MAIL': { fault: { at: 'mail', does: '451 4.3.0', times: 3 } },
  '450 at RCPT': twice('rcpt', '450 4.2.0'),
  '450 at RCPT, pipelined': { ...twice('rcpt', '450 4.2.0'), offers: ['PIPELINING'] },
  '450 at RCPT, and it hangs up': twice('rcpt', '450 4.2.0', HANGS_UP),
  '421 at RCPT, and it hangs up': twice('rcpt', '421 4.3.2', HANGS_UP),
  'it hangs up at RCPT': twice('rcpt', 'drop'),
  '451 at DATA': twice('data', '451 4.3.0'),
  'it hangs up at DATA': twice('data', 'drop'),
  'no answer to DATA': twice('data', 'nothing'),
  'it hangs up amid the message': { ...twice('text', 'drop'), doubts: 2 },
  '451 after the dot': twice('dot', '451 4.3.0'),
  '421 after the dot, and it hangs up': twice('dot', '421 4.3.2', HANGS_UP),
  'it hangs up after the dot': { ...twice('dot', 'drop'), lostAnswers: 2 },
  'no answer to the dot': { ...twice('dot', 'nothing'), lostAnswers: 2 },
  'an answer to the dot that is too slow': {
    ...{ ...twice('dot', 'drip', { everyMs: 5_000 }), lostAnswers: 2 },
  },
};

for (const [what, passing] of Object.entries(PASSING)) {
  test(`three people wait during a fault of the server (${what}), and get their email afterwards`, async (t) => {
    const { fault, lostAnswers = 0, doubts = lostAnswers, offers } = passing;
    const server = await aFaultServer(fault, offers);
    const mail = await aDelivery({ port: server.port }, { timeouts: BY_STILL_CLOCK });
    passTimeInSilence(t, server);
    await mail.round();
    const { waiting, sent } = await mail.progress();
    assert.deepEqual([waiting, sent], [3, 17]);
    if (fault.to) assert.deepEqual(inState(mail, 'pending'), THREE);
    assert.equal((await mail.standing()).pausedUntil, null, 'nobody else waits');
    await mail.pass(4, 1);
    assert.equal((await mail.progress()).waiting, 3, 'they are tried again after five minutes');
    await mail.pass(30);
    await assertAllHaveIt(mail, server, lostAnswers);
    assert.deepEqual(await mail.refused(), []);
    assert.ok(
      mail.rows().every((row) => row.doubts <= doubts),
      'no doubt where the answer was clear',
    );
  });
}

const HARMLESS: Record<string, Fault> = {
  'greets a byte at a time': { at: 'greeting', does: 'drip' },
  'answers each message a byte at a time': { at: 'dot', does: 'drip', everyMs: 2 },
  'hangs up after each message it took': { at: 'dot', does: '250 2.0.0', hangsUp: true },
};

for (const [what, fault] of Object.entries(HARMLESS)) {
  test(`a server that ${what} accepts everything in one round`, async () => {
    const server = await aFaultServer(fault);
    const mail = await aDelivery({ port: server.port });
    await mail.round();
    await assertAllHaveIt(mail, server);
  });
}

test('if the reply is always lost, a message is sent three times and then counts as uncertain', async () => {
  const server = await aFaultServer({ at: 'dot', does: 'drop', to: THREE });
  const mail = await aDelivery({ port: server.port });
  await mail.round();
  await mail.pass(48 * 60, 30);
  assert.deepEqual(inState(mail, 'uncertain'), THREE);
  assert.deepEqual(takenBy(server), [...OTHERS, ...THREE, ...THREE, ...THREE].sort());
  assert.ok(await mail.isFinished());
});

test('20 refusals in a row, temporary or permanent, pause all mail', async () => {
  for (const does of ['451 4.7.1', '550 5.7.1']) {
    const server = await aFaultServer({ at: 'rcpt', does });
    const mail = await aDelivery({ port: server.port }, { addresses: somePeople(50) });
    await mail.round();
    assert.ok([20, 21].includes(server.asked.length), `${server.asked.length} were tried`);
    const { problem, pausedUntil } = await mail.standing();
    assert.equal(problem, `the mail server rejects message after message (${does})`);
    assert.equal(pausedUntil, '2026-11-23T17:05:00.000Z');
    assert.deepEqual(await mail.refused(), []);
  }
});

test('refusals among messages that arrive pause nothing, however many they are', async () => {
  const addresses = somePeople(60);
  const refused = addresses.filter((_, i) => i % 2 === 0);
  const server = await aFaultServer({ at: 'rcpt', does: '550 5.1.1', to: refused });
  const mail = await aDelivery({ port: server.port }, { addresses });
  await mail.round();
  assert.deepEqual((await mail.refused()).toSorted(), refused);
  assert.equal((await mail.progress()).sent, 30);
});

test('a recipient that is always deferred is tried after 5, 10, 20, 40 and then 67 minutes, for 48 hours', async () => {
  const server = await aFaultServer({ at: 'rcpt', does: '451 4.2.1' });
  const mail = await aDelivery({ port: server.port }, { addresses: ['p04@b.example'] });
  const tries = [0];
  await mail.round();
  await mail.pass(49 * 60, 1, (minute) => {
    if (server.asked.length > tries.length) tries.push(minute);
  });
  const gaps = tries.slice(1).map((minute, i) => minute - tries[i]!);
  assert.deepEqual([...gaps.slice(0, 4), ...new Set(gaps.slice(4))], [5, 10, 20, 40, 67]);
  assert.ok(tries.at(-1)! > 46 * 60 && tries.at(-1)! < 48 * 60);
  assert.deepEqual(mail.warned, [
    '1 of the emails are tried again, at 2026-11-23 17:15 UTC: the mail server asked us to try later (451 4.2.1)',
  ]);
  const [row] = mail.rows();
  assert.deepEqual([row!.state, row!.outcome, await mail.isFinished()], ['expired', '451 4.2.1', true]);
});

test('when a server was down for 36 hours, every subscriber has the edition within 67 minutes of its return', async () => {
  const server = await aFaultServer();
  await server.down();
  const mail = await aDelivery({ port: server.port }, { addresses: somePeople(60) });
  await mail.round();
  await mail.pass(36 * 60);
  assert.deepEqual(mail.warned, [
    'mail is paused until 2026-11-23 17:15 UTC: the mail server cannot be reached: nothing listens at the host and port of SMTP_URL (ECONNREFUSED)',
  ]);
  assert.equal((await mail.progress()).waiting, 60);
  await server.up();
  await mail.pass(70);
  await assertAllHaveIt(mail, server);
  assert.ok(server.connections.most <= 4, `${server.connections.most} connections at once`);
});

test('when a server was down for 50 hours, every message expires with a reason, and no late message is sent', async () => {
  const server = await aFaultServer();
  await server.down();
  const mail = await aDelivery({ port: server.port });
  await mail.round();
  await mail.pass(50 * 60);
  for (const row of mail.rows()) assert.deepEqual([row.state, row.outcome], ['expired', 'too old']);
  assert.equal((await mail.progress()).expired, 20);
  assert.ok(await mail.isFinished());
  await server.up();
  await mail.pass(120);
  assert.deepEqual(server.taken, []);
});

test('delivery to 250 people uses at most 4 connections at once, each for at most 100 messages', async () => {
  const server = await aFaultServer();
  const mail = await aDelivery({ port: server.port }, { addresses: somePeople(250) });
  await mail.round();
  await assertAllHaveIt(mail, server);
  const { most, all } = server.connections;
  assert.ok(most <= 4 && all >= 3 && all <= 5, `${most} at once, ${all} in all`);
});

test('a server with greylisting delays an edition by at most two days', async () => {
  const people = somePeople(rounds(1000));
  const server = await aFaultServer({ at: 'rcpt', does: '450 4.7.1', to: people, times: 1 });
  const mail = await aDelivery({ port: server.port }, { addresses: people });
  await mail.round();
  await mail.pass(48 * 60);
  assert.equal((await mail.progress()).sent, people.length);
  await assertAllHaveIt(mail, server);
});

/** An address of so many characters, with the longest local part and the longest labels there can be. */
function long(length: number, local = 64): string {
  const domain = `${'b'.repeat(63)}.${'c'.repeat(63)}.`;
  const rest = length - local - 1 - domain.length - '.example'.length;
  return `${'a'.repeat(local)}@${domain}${'d'.repeat(rest)}.example`;
}

test('messages are ASCII, domains in other scripts become A-labels, and the longest address does not change', async () => {
  assert.deepEqual([long(254).length, long(255).length], [254, 255]);
  for (const offers of [[], ['SMTPUTF8', '8BITMIME']]) {
    const server = await aFaultServer(undefined, offers);
    const addresses = ['Ann@BÜCHER.example', 'ann@b.example', 'ann@\u05d0\u05d1.example', long(254)];
    const mail = await aDelivery({ port: server.port }, { addresses });
    await mail.round();
    assert.deepEqual(
      server.asked.toSorted(),
      ['Ann@xn--bcher-kva.example', 'ann@b.example', 'ann@xn--4dbc.example', long(254)]
        .map((address) => `TO:<${address}>`)
        .toSorted(),
    );
    for (const { raw } of server.taken) assert.doesNotMatch(raw, /[^\x00-\x7f]/);
    await assertAllHaveIt(mail, server);
  }
  const refused = ['änn@b.example', long(255), long(254, 65), 'ann@\u202eb.example', 'ann@b.example\u200f'];
  for (const address of refused)
    assert.equal(
      parseAddress(address),
      undefined,
      `what cannot go everywhere is refused at signup: ${address}`,
    );
});

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
