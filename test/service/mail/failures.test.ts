/** Mail server errors: the right messages wait, the right ones fail, and everyone else gets their email once. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { classifyFailure, describeDeferral, describeFailure } from '../../../src/service/mail/failures.ts';
import type { SmtpSettings } from '../../../src/service/mail/smtp.ts';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { installProbe } from '../../../src/shared/probe.ts';
import { rounds } from '../../depth.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { type ADelivery, aDelivery, inState, somePeople } from './a-delivery.ts';
import { aFaultServer, type Fault, type FaultServer, isRefusal, takenBy } from './fault-server.ts';
import { passTimeInSilence } from './still-clock.ts';

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

type Given = {
  addresses?: readonly string[];
  offers?: readonly string[];
  settings?: Partial<SmtpSettings>;
  /** In it, time passes while client and server wait for each other; idle times of sockets do not. */
  still?: TestContext;
};

/** A server with this fault, and a delivery through it. */
async function aFaulty(fault?: Fault, { offers, settings, still, addresses = somePeople(20) }: Given = {}) {
  const server = await aFaultServer(fault, offers);
  const timeouts = still && { timeouts: { socketMs: PATIENCE_MS } };
  const mail = await aDelivery({ port: server.port, ...settings }, { addresses, ...timeouts });
  if (still) passTimeInSilence(still, server);
  return { server, mail };
}

type Pausing = [fault: Fault, says: RegExp, settings?: Partial<SmtpSettings>];
const LOG_IN = { user: 'rivermouth', password: 'secret' };
const TLS = { requireTls: true, ...LOG_IN };
const NOTHING = /does not answer/;
const slow = (at: Fault['at']): Fault => ({ at, does: 'drip', everyMs: 5_000 });
const PAUSING: Record<string, Pausing> = {
  'does not greet': [{ at: 'greeting', does: 'nothing' }, NOTHING],
  'does not answer EHLO': [{ at: 'ehlo', does: 'nothing' }, NOTHING],
  'greets with 421': [{ at: 'greeting', does: '421 4.3.2' }, /421/],
  'hangs up before it greets': [{ at: 'greeting', does: 'drop' }, /cannot be reached/],
  'greets a byte at a time, too slowly': [slow('greeting'), NOTHING],
  'answers the log-in a byte at a time, too slowly': [slow('auth'), NOTHING, LOG_IN],
  'refuses the log-in': [
    { at: 'auth', does: '535 5.7.8 no such user' },
    /\(EAUTH 535 5\.7\.8\)\. The mail server's answer: 535 5\.7\.8 no such user$/,
    LOG_IN,
  ],
  'wants a log-in at MAIL': [{ at: 'mail', does: '530 5.7.0' }, /530 5\.7\.0/],
  'refuses the sender': [
    { at: 'mail', does: '550 5.7.1 we do not know you' },
    /\(550 5\.7\.1\)\. The mail server's answer: 550 5\.7\.1 we do not know you$/,
  ],
  'wants a log-in at RCPT, and names the recipient': [
    { at: 'rcpt', does: '530 5.7.0 log in to write to p01@b.example' },
    /\(530 5\.7\.0\)$/,
  ],
  'knows no TLS, where that is required': [{ at: 'starttls', does: '502 5.5.1' }, /TLS|502/, TLS],
  'has no TLS just now': [{ at: 'starttls', does: '454 4.7.0' }, /TLS|454/, TLS],
};

for (const [what, [fault, says, settings]] of Object.entries(PAUSING)) {
  test(`a server that ${what} stops all mail, and no subscriber is affected`, async (t) => {
    const offers = fault.does.startsWith('454') ? ['STARTTLS', 'AUTH PLAIN'] : ['AUTH PLAIN'];
    const { server, mail } = await aFaulty(fault, { offers, ...(settings && { settings }), still: t });
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
  const { server, mail } = await aFaulty({ at: 'greeting', does: 'drop' });
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

const FOR_GOOD: readonly [
  at: 'rcpt' | 'data' | 'dot',
  does: string,
  isNoMailbox?: boolean,
  hangsUp?: boolean,
][] = [
  ['rcpt', '550 5.1.1', true],
  ['rcpt', '550 5.1.1', true, true],
  ['rcpt', '550', true],
  ['rcpt', '550 5.7.1'], // policy
  ['data', '554 5.7.1'],
  ['dot', '554 5.6.0'],
  ['dot', '554 5.6.0', false, true],
  ['dot', '552 5.2.2'],
];

for (const [at, does, isNoMailbox = false, hangsUp = false] of FOR_GOOD)
  for (const offers of [[], ['PIPELINING', '8BITMIME', 'SIZE 1000000']]) {
    if (offers.length > 0 && at === 'rcpt' && hangsUp) continue; // the library waits for the answer to DATA
    const how = `${hangsUp ? ', and a server that hangs up,' : ''}${offers.length > 0 ? ' (pipelined)' : ''}`;
    test(`${does} at ${at}${how} fails only for that person`, async () => {
      const { server, mail } = await aFaulty({ at, does, hangsUp, to: THREE }, { offers });
      await mail.round();
      await mail.pass(60);
      assert.deepEqual(inState(mail, 'failed'), THREE);
      assert.deepEqual(inState(mail, 'sent'), OTHERS);
      assert.deepEqual(takenBy(server), OTHERS);
      assert.deepEqual(await mail.refused(), isNoMailbox ? THREE : []);
      assert.equal(server.asked.length, 20, 'nobody is tried again');
      const outcomes = mail.rows().flatMap(({ state, outcome }) => (state === 'failed' ? [outcome] : []));
      assert.deepEqual(new Set(outcomes), new Set([does]));
      assert.ok(await mail.isFinished());
    });
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
  'a slow answer to the dot': { ...twice('dot', 'drip', { everyMs: 5_000 }), lostAnswers: 2 },
};

for (const [what, passing] of Object.entries(PASSING)) {
  test(`three people wait during a fault of the server (${what}), and get their email afterwards`, async (t) => {
    const { fault, lostAnswers = 0, doubts = lostAnswers, offers } = passing;
    const { server, mail } = await aFaulty(fault, { offers, still: t });
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

const HARMLESS: readonly Fault[] = [
  { at: 'greeting', does: 'drip' },
  { at: 'dot', does: 'drip', everyMs: 2 },
  { at: 'dot', does: '250 2.0.0', hangsUp: true },
];

test('a server that answers a byte at a time, or hangs up after each message, gets everything in one round', async () => {
  for (const fault of HARMLESS) {
    const { server, mail } = await aFaulty(fault);
    await mail.round();
    await assertAllHaveIt(mail, server);
  }
});

test('if the reply is always lost, a message is sent three times and then counts as uncertain', async () => {
  const { server, mail } = await aFaulty({ at: 'dot', does: 'drop', to: THREE });
  await mail.round();
  await mail.pass(48 * 60, 30);
  assert.deepEqual(inState(mail, 'uncertain'), THREE);
  assert.deepEqual(takenBy(server), [...OTHERS, ...THREE, ...THREE, ...THREE].sort());
  assert.ok(await mail.isFinished());
});

test('20 refusals in a row, temporary or permanent, pause all mail', async () => {
  for (const does of ['451 4.7.1', '550 5.7.1']) {
    const { server, mail } = await aFaulty({ at: 'rcpt', does }, { addresses: somePeople(50) });
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
  const { mail } = await aFaulty({ at: 'rcpt', does: '550 5.1.1', to: refused }, { addresses });
  await mail.round();
  assert.deepEqual((await mail.refused()).toSorted(), refused);
  assert.equal((await mail.progress()).sent, 30);
});

test('a recipient that is always deferred is tried after 5, 10, 20, 40 and then 67 minutes, for 48 hours', async () => {
  const { server, mail } = await aFaulty({ at: 'rcpt', does: '451 4.2.1' }, { addresses: ['p04@b.example'] });
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
  const { server, mail } = await aFaulty(undefined, { addresses: somePeople(60) });
  await server.down();
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
  const { server, mail } = await aFaulty();
  await server.down();
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
  const { server, mail } = await aFaulty(undefined, { addresses: somePeople(250) });
  await mail.round();
  await assertAllHaveIt(mail, server);
  const { most, all } = server.connections;
  assert.ok(most <= 4 && all >= 3 && all <= 5, `${most} at once, ${all} in all`);
});

test('a server with greylisting delays an edition by at most two days', async () => {
  const addresses = somePeople(rounds(1000));
  const fault = { at: 'rcpt', does: '450 4.7.1', to: addresses, times: 1 } as const;
  const { server, mail } = await aFaulty(fault, { addresses });
  await mail.round();
  await mail.pass(48 * 60);
  assert.equal((await mail.progress()).sent, addresses.length);
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
  const addresses = ['Ann@BÜCHER.example', 'ann@b.example', 'ann@\u05d0\u05d1.example', long(254)];
  const asked = ['Ann@xn--bcher-kva.example', 'ann@b.example', 'ann@xn--4dbc.example', long(254)];
  for (const offers of [[], ['SMTPUTF8', '8BITMIME']]) {
    const { server, mail } = await aFaulty(undefined, { offers, addresses });
    await mail.round();
    assert.deepEqual(server.asked.toSorted(), asked.map((address) => `TO:<${address}>`).toSorted());
    for (const { raw } of server.taken) assert.doesNotMatch(raw, /[^\x00-\x7f]/);
    await assertAllHaveIt(mail, server);
  }
  // what cannot go everywhere is refused at signup
  for (const text of [
    'änn@b.example',
    long(255),
    long(254, 65),
    'ann@\u202eb.example',
    'ann@b.example\u200f',
  ])
    assert.equal(parseAddress(text), undefined, text);
});

test('a sent message is not sent again if the next message cannot be claimed', async (t) => {
  const { server, mail } = await aFaulty();
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
  const judge = (response: string) => {
    const error = { responseCode: Number(response.slice(0, 3)), command: 'RCPT TO', response };
    return classifyFailure(error, 'envelope').of;
  };
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
  const { mail } = await aFaulty({ at: 'rcpt', does: '550 5.7.1' }, { addresses: somePeople(24) });
  await mail.round();
  await mail.pass(24 * 60, 30);
  assert.deepEqual(inState(mail, 'failed'), mail.people);
  const tries = mail.rows().map(({ attempts }) => attempts);
  assert.deepEqual(tries.sort(), [1, 1, 1, ...Array.from({ length: 21 }, () => 5)]);
});
