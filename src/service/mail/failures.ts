/**
 * Judges failed attempts, for mail to subscribers and alerts alike: whether the failure concerns the address, the message
 * or all mail, and when to retry. Uses only codes, because the server's text may contain the address.
 */

import FAILURES from '../../data/mail-failures.json' with { type: 'json' };
import { addMs, type Instant } from '../../shared/day.ts';

const FIRST_WAIT_MS = 300_000; // as Postfix: minimal_backoff_time 300 s, maximal_backoff_time 4000 s
export const LONGEST_WAIT_MS = 4_000_000;
/** A message that may have arrived this many times is not sent again. */
export const MOST_DOUBTS = 3;

export type Attempt =
  | { end: 'sent'; code: string | null }
  /** The person unsubscribed before the message was sent. */
  | { end: 'canceled' }
  | DeliveryFailure;

export type DeliveryFailure = {
  end: 'failure';
  /**
   * What the failure concerns. `everybody`: no mail can be sent to anyone (login, TLS, no connection, sender refused).
   * `address`: the mailbox does not exist. `message`: the server will never accept this message. `later`: the server
   * asks us to retry. `doubt`: the message may have arrived, because it was sent completely but got no reply.
   */
  of: 'everybody' | 'address' | 'message' | 'later' | 'doubt';
  /** The server's code, such as `550 5.1.1`, or our own code if no server replied. */
  code: string;
  /** The server's text. Shown only on the operator's terminal, because it may contain the address. */
  said?: string | undefined;
  /** The server's text, if it came before the recipient was named, so that it cannot contain the address. */
  reason?: string | undefined;
};

/** The outcome of a claimed message: the state that it has then (`OutboxStore`). Without `nextAt`, the attempt does not count. */
export type Outcome = {
  message: string;
  at: Instant;
  /** The mail server's reply code, never its text, which may contain the address. */
  code: string | null;
} & (
  | { state: 'sent' | 'uncertain' | 'canceled' }
  | { state: 'failed'; isRefused: boolean } // if refused, nothing more is sent to the address
  | { state: 'pending'; nextAt: Instant; isDoubtful: boolean }
  | { state: 'pending'; nextAt?: undefined; isDoubtful?: undefined }
);

/** Returns the wait in milliseconds after this many consecutive attempts or pauses. */
export function findRetryWait(attempts: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_WAIT_MS);
}

export function judgeAttempt(
  { message, attempts, doubts }: { message: string; attempts: number; doubts: number },
  attempt: Attempt,
  at: Instant,
): Outcome {
  if (attempt.end !== 'failure')
    return { message, at, state: attempt.end, code: attempt.end === 'sent' ? attempt.code : null };
  const { of, code } = attempt;
  const isRefused = of === 'address';
  if (isRefused || of === 'message') return { message, at, state: 'failed', code, isRefused };
  const isDoubtful = of === 'doubt';
  if (isDoubtful && doubts + 1 >= MOST_DOUBTS) return { message, at, state: 'uncertain', code };
  return { message, at, state: 'pending', code, nextAt: addMs(at, findRetryWait(attempts)), isDoubtful };
}

/** The stage of an attempt: opening the session, naming the recipient, sending the text, or waiting for a reply. */
export type Stage = 'connecting' | 'envelope' | 'data' | 'handed-over';

/** An error of the SMTP library. If `code` is the library's own, `originalCode` may be Node's. */
export type SmtpError = {
  code?: string | undefined;
  originalCode?: string | undefined;
  message?: string | undefined;
  command?: string | undefined;
  responseCode?: number | undefined;
  response?: string | undefined;
};

const AUTH = [454, 530, 534, 535, 538]; // RFC 4954 section 6, and RFC 3207 for 454 (TLS not available)
const NO_MAILBOX = [550, 551, 553]; // RFC 5321 section 4.2.3, unless an enhanced code says otherwise

export function classifyFailure(error: SmtpError, stage: Stage): DeliveryFailure {
  const { responseCode: status, command = '' } = error;
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(error.response ?? '')?.[1];
  const { code: known = 'no answer', originalCode: node = '' } = error;
  const own = stage === 'connecting' && Object.hasOwn(WORDS, node) ? node : known;
  const whose = status === undefined || stage === 'connecting' ? own : undefined;
  const code = [whose, status, enhanced].filter((part) => part !== undefined).join(' ');
  const reason = stage === 'connecting' || command === 'MAIL FROM' ? error.response : undefined;
  const failure = (of: DeliveryFailure['of']): DeliveryFailure => {
    return { end: 'failure', of, code, said: error.message, reason: reason && makePrintable(reason) };
  };
  if (stage === 'connecting') return failure('everybody');
  if (status === undefined) {
    if (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') return failure('message');
    return failure(stage === 'handed-over' ? 'doubt' : 'later');
  }
  if (AUTH.includes(status)) return failure('everybody');
  if (status < 500) return failure('later');
  if (command === 'MAIL FROM') return failure('everybody');
  if (command === 'RCPT TO' && isAboutMailbox(status, enhanced)) return failure('address');
  return failure('message');
}

/** Returns whether a code (RFC 3463) concerns the mailbox: X.1.x and X.2.1 (disabled), but not X.7.x (policy). */
function isAboutMailbox(status: number, enhanced: string | undefined): boolean {
  return enhanced === undefined ? NO_MAILBOX.includes(status) : /^5\.1\.|^5\.2\.1$/.test(enhanced);
}

/** What each code of the mail library or of Node means. */
const WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FAILURES.codes).flatMap(([codes, words]) => codes.split(' ').map((code) => [code, words])),
);

/** Describes what happened to one message. */
export function describeFailure({ code, of }: DeliveryFailure): string {
  const words = of === 'doubt' ? undefined : WORDS[code.split(' ')[0]!];
  return `${words ?? FAILURES.kinds[of]} (${code})`;
}

/** Describes why a message is tried again. Without a code of the server, one that was sent completely may have arrived. */
export function describeDeferral({ code, doubts }: { code: string; doubts: number }): string {
  return describeFailure({ end: 'failure', of: doubts > 0 && !/\d{3}/.test(code) ? 'doubt' : 'later', code });
}

/** Describes why all mail pauses: one failure of all mail, or many failures in a row, of which this is the last. */
export function describeFailures(last: DeliveryFailure): string {
  const isKnown = last.of === 'everybody' || WORDS[last.code.split(' ')[0]!] !== undefined;
  if (!isKnown) return `the mail server rejects message after message (${last.code})`;
  return `${describeFailure(last)}${last.reason ? `. The mail server's answer: ${last.reason}` : ''}`;
}

const MOST_SAID = 1_000;

/** Removes control characters from a server's text, because they could move the cursor of a terminal. */
export function makePrintable(text: string): string {
  return text
    .replace(/\p{C}+/gu, ' ')
    .slice(0, MOST_SAID)
    .trim();
}
