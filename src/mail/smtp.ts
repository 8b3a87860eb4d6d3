/**
 * Sends emails over SMTP, or writes them as files if there is no server. The only file that uses the SMTP library. Each connection
 * is used for 100 messages. Nothing is sent unencrypted if TLS is required. The library is loaded with the first message:
 * that takes 70 ms, which most processes never need.
 */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { probe } from '../listings/probe.ts';
import { type Attempt, classifyFault, type SmtpError, type Stage } from './faults.ts';
import type { MailTransport, Outgoing, SmtpSettings } from './mail-transport.ts';

const A_CONNECTION = 100; // messages, then another one
const CONNECT_MS = 20_000;
const SOCKET_MS = 60_000;
const MESSAGE_MS = 60_000; // Postfix allows longer for all of DATA, but one recipient must not block a connection

type Timeouts = { connectMs: number; socketMs: number; messageMs: number };

/** `timeouts` are shortened by tests. */
export function openSmtpTransport(settings: SmtpSettings, timeouts: Partial<Timeouts> = {}): MailTransport {
  const limits = { connectMs: CONNECT_MS, socketMs: SOCKET_MS, messageMs: MESSAGE_MS, ...timeouts };
  const smtpConnections = new Map<number, SmtpConnectionSlot>();
  return {
    send: async (number, outgoing, isWanted) => {
      const bytes = await composeMessage(outgoing);
      const smtpConnection = smtpConnections.getOrInsert(number, { connection: undefined, sent: 0 });
      return sendOn(smtpConnection, { settings, limits, bytes, outgoing, isWanted });
    },
    close() {
      for (const smtpConnection of smtpConnections.values()) drop(smtpConnection);
    },
  };
}

/** The message as it goes over the wire, headers included; the same bytes for the same message. */
export async function composeMessage({ message, from, to, ...outgoing }: Outgoing): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const domain = from.address.split('@')[1]!;
  const composer = new MailComposer({
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    subject: outgoing.subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '),
    messageId: `<${message}@${domain}>`,
    date: new Date(outgoing.madeAt),
    text: outgoing.text,
    html: outgoing.html,
    headers: Object.entries(outgoing.headers).map(([key, value]) => ({
      key,
      value: { prepared: true, value },
    })),
    baseBoundary: message,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

type SmtpConnectionSlot = { connection: SMTPConnection | undefined; sent: number };

type Sending = {
  settings: SmtpSettings;
  limits: Timeouts;
  bytes: Buffer;
  outgoing: Outgoing;
  isWanted: () => Promise<boolean>;
};

async function sendOn(smtpConnection: SmtpConnectionSlot, sending: Sending): Promise<Attempt> {
  if (smtpConnection.sent >= A_CONNECTION) drop(smtpConnection);
  const isReused = smtpConnection.connection !== undefined;
  try {
    smtpConnection.connection ??= await openConnection(sending.settings, sending.limits);
  } catch (error) {
    drop(smtpConnection);
    return classifyFault(error as SmtpError, 'connecting');
  }
  const { attempt, stage, isBroken } = await handOver(smtpConnection.connection, sending);
  smtpConnection.sent++;
  if (isBroken) drop(smtpConnection);
  // a server may end an idle connection whenever it likes: nothing was sent, so try at once on a new one
  const wasIdle =
    isReused &&
    isBroken &&
    stage === 'envelope' &&
    attempt.end === 'fault' &&
    attempt.of === 'later' &&
    attempt.code !== 'ETIMEDOUT';
  return wasIdle ? sendOn(smtpConnection, sending) : attempt;
}

function drop(smtpConnection: SmtpConnectionSlot): void {
  smtpConnection.connection?.close();
  smtpConnection.connection = undefined;
  smtpConnection.sent = 0;
}

/** A session that is ready for a message: greeted, encrypted where required, logged in where there is a user. */
async function openConnection(settings: SmtpSettings, limits: Timeouts): Promise<SMTPConnection> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const { host, port, secure, requireTls, user, password } = settings;
  const connection = new Connection({
    ...{ host, port, secure, requireTLS: requireTls, ignoreTLS: !requireTls && !secure },
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    socketTimeout: limits.socketMs,
  });
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      reject(error); // before the close, which says `end`
      connection.close();
    };
    const timer = setTimeout(() => fail({ code: 'ETIMEDOUT' }), limits.messageMs);
    connection.once('error', fail);
    connection.once('end', () => fail({ code: 'ECONNECTION' }));
    const ready = (): void => {
      clearTimeout(timer);
      connection.removeAllListeners('error');
      connection.removeAllListeners('end');
      connection.on('error', () => undefined); // told by the callback of whatever was under way
      resolve(connection);
    };
    connection.connect((error) => {
      if (error) fail(error);
      else if (user === undefined) ready();
      else
        connection.login(
          { user, pass: password ?? '', credentials: { user, pass: password ?? '' } },
          (refused) => (refused ? fail(refused) : ready()),
        );
    });
  });
}

const NOT_WANTED = new Error('the person has unsubscribed');

/** One message over a session that stands. `isBroken`: the session cannot be used any more. */
function handOver(
  connection: SMTPConnection,
  { bytes, outgoing, isWanted, limits }: Sending,
): Promise<{ attempt: Attempt; stage: Stage; isBroken: boolean }> {
  let stage: Stage = 'envelope';
  let said: Attempt | undefined;
  const text = Readable.from(
    (async function* () {
      if (!(await isWanted())) throw NOT_WANTED;
      stage = 'data';
      probe('message:data');
      yield bytes;
      stage = 'handed-over';
    })(),
  );
  const envelope = {
    from: outgoing.returnPath ?? outgoing.from.address,
    to: [outgoing.to],
    size: bytes.length,
  };
  return new Promise((resolve) => {
    const end = (attempt: Attempt, isBroken: boolean): void => {
      clearTimeout(timer);
      connection.removeListener('end', ended);
      resolve({ attempt, stage, isBroken });
    };
    const timer = setTimeout(() => {
      end(said ?? classifyFault({ code: 'ETIMEDOUT' }, stage), true);
      connection.close();
    }, limits.messageMs);
    // the library says `end` before it says why
    const ended = (): void =>
      queueMicrotask(() => end(said ?? classifyFault({ code: 'ECONNECTION' }, stage), true));
    connection.once('end', ended);
    connection.send(envelope, text, (error, info) => {
      if (!error) {
        probe('message:accepted');
        end({ end: 'sent', code: info?.response.slice(0, 3) ?? null }, false);
        return;
      }
      if (stage === 'envelope' && isNotWanted(error)) {
        connection.close(); // DATA was promised: only an ended connection takes that back
        end({ end: 'withdrawn' }, true);
        return;
      }
      const status = (error as SmtpError).responseCode;
      const fault = classifyFault(error as SmtpError, stage);
      if (status === undefined || status === 421) return end(fault, true);
      said = fault;
      connection.reset((failed) => end(fault, Boolean(failed)));
    });
  });
}

function isNotWanted(error: unknown): boolean {
  return error instanceof Error && error.message.includes(NOT_WANTED.message);
}

/** Without a mail server: one `.eml` file for each message, under its name or not at all; the same message, the same file. */
export function openFileTransport(folder: string): MailTransport {
  return {
    async send(_lane, outgoing, isWanted) {
      if (!(await isWanted())) return { end: 'withdrawn' };
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const time = outgoing.madeAt.slice(0, 19).replaceAll(':', '');
      const path = join(folder, `${time}-${outgoing.what}-${outgoing.message}.eml`);
      const part = `${path}.part`;
      try {
        writeFileSync(part, await composeMessage(outgoing), { mode: 0o600, flush: true }); // heeded for bytes, not for text
        renameSync(part, path);
      } catch {
        rmSync(part, { force: true });
        return { end: 'fault', of: 'everybody', code: 'no file can be written' };
      }
      return { end: 'sent', code: null };
    },
    close: () => undefined,
  };
}
