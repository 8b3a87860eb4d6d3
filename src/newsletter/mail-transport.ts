/** The way emails leave, as the rest of mailing sees it: one message to one person, and what became of it. Types only. */

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
  /** Names the message: its Message-ID is made of it. */
  message: string;
  from: Sender;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** When it was made: its Date, on every attempt. */
  madeAt: Instant;
  /** What it is, for the name of a file. */
  what: string;
  /** Beside From, To, Subject, Date, Message-ID and MIME's own. */
  headers: Readonly<Record<string, string>>;
};

export type MailTransport = {
  /**
   * Sends one message. `isWanted` is asked once more when the server is ready for the text: not wanted is not sent.
   * `lane` names one of the connections; a lane sends one message at a time. Never throws for what a server does.
   */
  send(smtpConnection: number, outgoing: Outgoing, isWanted: () => Promise<boolean>): Promise<Attempt>;
  /** Ends all connections, also amid a message. */
  close(): void;
};
