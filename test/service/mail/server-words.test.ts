/** What a mail server said of a recipient is shown to the operator who tries it, and kept out of everything that is stored or logged. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { findTlsProblem } from '../../../src/service/database/engines/postgres-errors.ts';
import { describeFailure } from '../../../src/service/mail/failures.ts';
import { sendAlone } from '../../../src/service/mail/smtp.ts';
import { aCity, MAIL_ENV } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { freePort } from '../../a-port.ts';
import { lastJson } from '../../a-process.ts';
import { anAuthority } from '../database/a-certificate.ts';
import { aLetter, postTo } from './a-delivery.ts';
import { aMailServer } from './a-mail-server.ts';
import { aFaultServer, type Fault } from './fault-server.ts';

const REFUSAL = 'Your message to ann@b.example \u001b[2J was not liked, see https://help.example';

test('mail test shows the answer of the server without control characters, and no other place stores it', async () => {
  const server = await aMailServer({
    onRcptTo(_address, _session, done) {
      done(Object.assign(new Error(REFUSAL), { responseCode: 554 }));
    },
  });
  const env = { ...aCity().env, ...MAIL_ENV, SMTP_URL: server.url };
  const said = await command(['mail', 'test', 'ann@b.example'], env);
  assert.equal(said.code, 1);
  const answer = /\nThe mail server's answer: .*554 .*ann@b\.example +\[2J was not liked, see https:/;
  assert.match(said.err, answer);
  const json = lastJson(await command(['mail', 'test', 'ann@b.example', '--json'], env));
  assert.match(String(json.said), /was not liked/);
  assert.doesNotMatch(String(json.problem), /ann@|not liked/);
});

test('mail test reports the result of its message', async () => {
  const cases: [Fault, problem: string][] = [
    [{ at: 'rcpt', does: '450 4.2.1' }, 'the mail server asked us to try later (450 4.2.1)'],
    [{ at: 'rcpt', does: '550 5.1.1' }, 'the mail server says that this mailbox does not exist (550 5.1.1)'],
    [{ at: 'dot', does: '451 4.7.1' }, 'the mail server asked us to try later (451 4.7.1)'],
    [{ at: 'dot', does: '554 5.7.1' }, 'the mail server refused this message (554 5.7.1)'],
    [
      { at: 'dot', does: 'drop' },
      'the mail server got this message but did not answer, so it may have arrived (ECONNECTION)',
    ],
    [{ at: 'rcpt', does: 'drop' }, 'the mail server cannot be reached (ECONNECTION)'],
  ];
  const city = aCity();
  for (const [fault, trouble] of cases) {
    const { port } = await aFaultServer(fault);
    const env = { ...city.env, ...MAIL_ENV, SMTP_URL: `smtp://127.0.0.1:${port}` };
    const tried = await command(['mail', 'test', 'ann@b.example', '--json'], env);
    assert.deepEqual([tried.code, lastJson(tried).problem], [1, trouble]);
  }
});

test('each failure to open an SMTP session has its own error, with the setting to change', async () => {
  const { cert, key } = anAuthority().certify('IP:127.0.0.1');
  const tls = { disabledCommands: [], cert: readFileSync(cert), key: readFileSync(key) };
  const plain = await aMailServer();
  const own = await aMailServer({ secure: true, ...tls });
  const begins = await aMailServer(tls);
  const none = await aFaultServer({ at: 'starttls', does: '502 5.5.1' }, ['AUTH PLAIN']);
  const untrusted = /^the certificate .* not from a known authority: set NODE_EXTRA_CA_CERTS .*\(\w+\)$/;
  for (const [port, settings, says] of [
    [await freePort(), {}, /nothing listens at the host and port of SMTP_URL \(ECONNREFUSED\)$/],
    [own.port, { secure: true }, untrusted],
    [begins.port, { requireTls: true }, untrusted],
    [none.port, { requireTls: true }, /^the mail server does not begin TLS on this port: .*\?tls=off \(\w+/],
    [
      plain.port,
      { secure: true },
      /does not begin with TLS: write smtp:\/\/ instead of smtps:\/\/.*\(ERR_SSL_WRONG_VERSION_NUMBER\)$/,
    ],
  ] as const) {
    const attempt = await sendAlone(postTo({ port, ...settings }), aLetter('c@b.example'));
    assert.ok(attempt.end === 'failure' && attempt.of === 'everybody');
    assert.match(describeFailure(attempt), says);
  }
  assert.deepEqual(
    [own, begins].flatMap(({ arrived }) => arrived),
    [],
  );
});

test('the error about an expired certificate says what to do, for mail and for PostgreSQL', async () => {
  const authority = anAuthority();
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, readFileSync(authority.file, 'utf8')]);
  after(() => setDefaultCACertificates(trusted));
  const { cert, key } = authority.certify('IP:127.0.0.1', 'expired');
  const tls = { cert: readFileSync(cert), key: readFileSync(key) };
  for (const secure of [true, false]) {
    const { port } = await aMailServer({ secure, disabledCommands: [], ...tls });
    const attempt = await sendAlone(postTo({ port, secure, requireTls: !secure }), aLetter('c@b.example'));
    assert.ok(attempt.end === 'failure');
    assert.equal(
      describeFailure(attempt),
      'the certificate of the mail server has expired: ask its operator to renew it (CERT_HAS_EXPIRED)',
    );
    assert.equal(attempt.of, 'everybody');
  }
  const { message } = findTlsProblem({ code: 'CERT_HAS_EXPIRED' }, 'db.example')!;
  assert.match(message, /has expired, and sslmode is verify-full\. Renew it there$/);
});
