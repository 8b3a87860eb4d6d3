/**
 * Sends emails over SMTP, up to 100 on each connection. If TLS is required, sends nothing unencrypted. Only this file
 * uses the SMTP library, and loads it for the first message: loading takes 70 ms, and most processes send no mail.
 */

import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Instant } from '../../shared/day.ts';
import { probe } from '../../shared/probe.ts';
import {
  type Attempt,
  classifyFailure,
  type DeliveryFailure,
  type SmtpError,
  type Stage,
} from './failures.ts';

const MESSAGES_PER_CONNECTION = 100;
const CONNECT_MS = 20_000;
const SOCKET_MS = 60_000;
const MESSAGE_MS = 60_000; // Postfix allows more time for DATA, but one recipient must not block a connection

type Timeouts = { connectMs: number; socketMs: number; messageMs: number };

/** Tests shorten `timeouts`. */
export function openSmtpTransport(settings: SmtpSettings, timeouts: Partial<Timeouts> = {}): MailTransport {
  const limits = { connectMs: CONNECT_MS, socketMs: SOCKET_MS, messageMs: MESSAGE_MS, ...timeouts };
  const slots = new Map<number, Slot>();
  return {
    async send(connection, outgoing, isWanted) {
      const bytes = await composeMessage(outgoing);
      const slot = slots.getOrInsert(connection, { session: undefined, sent: 0 });
      return sendOn(slot, { settings, limits, bytes, outgoing, isWanted });
    },
    close() {
      for (const slot of slots.values()) drop(slot);
    },
  };
}

/** Sends one message that the outbox does not contain, and closes the transport. */
export function sendAlone(transport: MailTransport, outgoing: Outgoing): Promise<Attempt> {
  return transport.send(0, outgoing, async () => true).finally(() => transport.close());
}

/** Composes a message with its headers. The same message always has the same bytes. */
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
    headers: Object.entries({ ...outgoing.headers, 'Auto-Submitted': 'auto-generated' }).map(
      ([key, value]) => {
        return { key, value: { prepared: true, value } }; // RFC 3834: nobody wrote this message by hand
      },
    ),
    baseBoundary: message,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** A connection of a transport: its open session, if any, and the number of messages sent in it. */
type Slot = { session: SMTPConnection | undefined; sent: number };

type Sending = {
  settings: SmtpSettings;
  limits: Timeouts;
  bytes: Buffer;
  outgoing: Outgoing;
  isWanted: () => Promise<boolean>;
};

async function sendOn(slot: Slot, sending: Sending): Promise<Attempt> {
  if (slot.sent >= MESSAGES_PER_CONNECTION) drop(slot);
  const isReused = slot.session !== undefined;
  try {
    slot.session ??= await openSession(sending.settings, sending.limits);
  } catch (error) {
    drop(slot);
    return classifyFailure(error as SmtpError, 'connecting');
  }
  const { attempt, stage, isBroken } = await handOver(slot.session, sending);
  slot.sent++;
  if (isBroken) drop(slot);
  // a server may close an idle connection at any time; nothing was sent, so retry immediately on a new one
  const wasIdle =
    isReused &&
    isBroken &&
    stage === 'envelope' &&
    attempt.end === 'failure' &&
    attempt.of === 'later' &&
    attempt.code !== 'ETIMEDOUT';
  return wasIdle ? sendOn(slot, sending) : attempt;
}

function drop(slot: Slot): void {
  slot.session?.close();
  slot.session = undefined;
  slot.sent = 0;
}

/** Opens a session: waits for the greeting, encrypts if required, and logs in if the settings name a user. */
async function openSession(settings: SmtpSettings, limits: Timeouts): Promise<SMTPConnection> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const { host, port, secure, requireTls, user, password: pass = '' } = settings;
  const connection = new Connection({
    host,
    port,
    secure,
    requireTLS: requireTls,
    ignoreTLS: !requireTls && !secure,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    socketTimeout: limits.socketMs,
  });
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject({ code: 'ETIMEDOUT' }), limits.messageMs);
  connection.on('error', reject);
  connection.once('end', () => reject({ code: 'ECONNECTION' }));
  const settle = (error: unknown) => (error ? reject(error) : resolve());
  connection.connect((error) => {
    if (error || user === undefined) settle(error);
    else connection.login({ user, pass, credentials: { user, pass } }, settle);
  });
  try {
    await ready;
    // the callbacks of later steps report errors
    connection.removeAllListeners('error').on('error', () => undefined);
    connection.removeAllListeners('end');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** `isBroken`: the session cannot be used again. */
type HandOver = { attempt: Attempt; stage: Stage; isBroken: boolean };

function handOver(
  connection: SMTPConnection,
  { bytes, outgoing, isWanted, limits }: Sending,
): Promise<HandOver> {
  let stage: Stage = 'envelope';
  let isWithdrawn = false;
  let refused: DeliveryFailure | undefined;
  const text = Readable.from(
    (async function* () {
      isWithdrawn = !(await isWanted());
      if (isWithdrawn) throw new Error('the person has unsubscribed');
      stage = 'data';
      probe('message:data');
      yield bytes;
      stage = 'handed-over';
    })(),
  );
  const { promise, resolve } = Promise.withResolvers<HandOver>();
  const end = (attempt: Attempt, isBroken: boolean) => resolve({ attempt, stage, isBroken });
  const lose = (code: string) => end(refused ?? classifyFailure({ code }, stage), true);
  const timer = setTimeout(() => {
    lose('ETIMEDOUT');
    connection.close();
  }, limits.messageMs);
  // the library emits `end` before it reports the reason
  const ended = () => queueMicrotask(() => lose('ECONNECTION'));
  connection.once('end', ended);
  const from = outgoing.returnPath ?? outgoing.from.address;
  connection.send({ from, to: [outgoing.to], size: bytes.length }, text, (error, info) => {
    if (!error) {
      probe('message:accepted');
      end({ end: 'sent', code: info?.response.slice(0, 3) ?? null }, false);
    } else if (isWithdrawn) {
      connection.close(); // the server expects DATA, and only closing the connection cancels it
      end({ end: 'canceled' }, true);
    } else {
      const failure = classifyFailure(error, stage);
      const { responseCode: status } = error;
      if (status === undefined || status === 421) return end(failure, true);
      refused = failure;
      connection.reset((failed) => end(failure, Boolean(failed)));
    }
  });
  return promise.finally(() => {
    clearTimeout(timer);
    connection.removeListener('end', ended);
  });
}

export type Sender = { name: string; address: string };

export type SmtpSettings = {
  host: string;
  port: number;
  /** Whether TLS starts with the first byte (`smtps:`). */
  secure: boolean;
  /** Whether STARTTLS must succeed, with a valid certificate, before anything is sent. */
  requireTls: boolean;
  user: string | undefined;
  password: string | undefined;
};

export type Outgoing = {
  /** Identifies the message. Its Message-ID is derived from this. */
  message: string;
  from: Sender;
  /** The address for delivery reports. Default: the sender. Not part of the message. */
  returnPath?: string | undefined;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** When the message was created. All attempts use it as the Date header. */
  madeAt: Instant;
  /** The kind of message, used in the file name. */
  what: string;
  /** Additional headers. The transport sets From, To, Subject, Date, Message-ID, Auto-Submitted and MIME headers. */
  headers?: Readonly<Record<string, string>>;
};

export type MailTransport = {
  /** Sends a message, unless `isWanted` returns `false` when the server is ready for the text. Returns failures. */
  send(connection: number, outgoing: Outgoing, isWanted: () => Promise<boolean>): Promise<Attempt>;
  close(): void;
};
