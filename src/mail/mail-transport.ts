/** The interface for sending a message to a person, over SMTP or into a file. Types only. */

import type { Instant } from '../listings/day.ts';
import type { Attempt } from './faults.ts';

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
  /** Identifies the message and determines its Message-ID. */
  message: string;
  from: Sender;
  /** The address for delivery reports. Default: the sender. Not part of the message. */
  returnPath?: string | undefined;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** When it was created. Every attempt has it as its Date header. */
  madeAt: Instant;
  /** The kind of message, used in the file name. */
  what: string;
  /** Headers other than From, To, Subject, Date, Message-ID and those of MIME. */
  headers: Readonly<Record<string, string>>;
};

export type MailTransport = {
  /** Sends a message. When the server is ready for the text, `isWanted` can still stop it. Never throws for a server. */
  send(connection: number, outgoing: Outgoing, isWanted: () => Promise<boolean>): Promise<Attempt>;
  close(): void;
};
