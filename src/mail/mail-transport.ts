/** The interface for sending one message to one person, over SMTP or into a file. Types only. */

import type { Instant } from '../listings/day.ts';
import type { Attempt } from './faults.ts';

export type Sender = { name: string; address: string };

export type SmtpSettings = {
  host: string;
  port: number;
  /** TLS from the first byte (`smtps:`). */
  secure: boolean;
  /** Whether STARTTLS must succeed, with a valid certificate, before anything is sent. */
  requireTls: boolean;
  user: string | undefined;
  password: string | undefined;
};

export type Outgoing = {
  /** Identifies the message: its Message-ID is made from it. */
  message: string;
  from: Sender;
  /** Where delivery reports go. Default: the sender. Not part of the message. */
  returnPath?: string | undefined;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** When it was created: its Date header, on every attempt. */
  madeAt: Instant;
  /** The kind of message, for a file name. */
  what: string;
  /** Headers besides From, To, Subject, Date, Message-ID and those of MIME. */
  headers: Readonly<Record<string, string>>;
};

export type MailTransport = {
  /**
   * Sends one message on the connection with this number, which sends one message at a time. `isWanted` is asked when
   * the server is ready for the text; if it returns false, the message is not sent. Never throws because of what a
   * server does.
   */
  send(connection: number, outgoing: Outgoing, isWanted: () => Promise<boolean>): Promise<Attempt>;
  /** Closes all connections, even during a message. */
  close(): void;
};
