/**
 * Delivery: takes what is due from the outbox, one message at a time on each of two lanes, and writes down what became of
 * it before the lane takes the next. A crash anywhere skips nobody; what was on its way then may arrive twice, under the
 * same Message-ID.
 */

import type { City } from '../city/define.ts';
import { addMs, type Instant } from '../listings/day.ts';
import type {
  Claimed,
  ConfirmationLimits,
  EditionStore,
  MessageTokens,
  OutboxStore,
  Outcome,
  SignupType,
} from '../subscribers/ports.ts';
import { makeRandomName, makeToken } from '../subscribers/tokens.ts';
import { renderAnnouncementEmail } from './announcements/announcement-email.ts';
import type { AnnouncementStore } from './announcements/announcement-ports.ts';
import type { BounceStore } from './bounces/bounce-ports.ts';
import { type BounceAddress, makeReturnPath } from './bounces/return-path.ts';
import { renderConfirmationEmail } from './confirmation-email.ts';
import { openEditionWriter } from './editions/edition-writer.ts';
import type { EmailBody } from './email-layout.ts';
import { type Attempt, type DeliveryFault, describeFault } from './faults.ts';
import type { MailTransport, Outgoing, Sender } from './mail-transport.ts';

const LANES = 2;
const FIRST_WAIT_MS = 300_000; // Postfix: minimal_backoff_time 300 s, maximal_backoff_time 4000 s
const LONGEST_PAUSE_MS = 4_000_000;
const MOST_FAULTS = 20; // in a row, of whatever kind: then something is wrong with us, not with them
const FEW_FAULTS = 3; // in a row at the beginning of a round: nothing is wrong with us yet
const MOST_REFUSALS = 5; // of one message, where no other was taken in between
const MOST_DOUBTS = 3; // a message that may have arrived so often is not sent once more
const CONFIRM_MS = 7 * 86_400_000;
const MANAGE_MS = 90 * 86_400_000; // a newer edition has a newer link

export type DeliveryContext = ConfirmationLimits & {
  city: City;
  outbox: OutboxStore;
  editions: EditionStore;
  announcements: AnnouncementStore;
  /** Makes return paths; without them, delivery reports go to the sender. */
  returnPaths?: ReturnPaths | undefined;
  suppressions(): Promise<readonly { value: string }[]>;
  post: MailTransport;
  from: Sender;
  postalAddress: string | undefined;
  /** Without a trailing slash. */
  publicUrl: string;
  now(): Instant;
};

export type ReturnPaths = { address: BounceAddress; bounces: Pick<BounceStore, 'key'> };

export type Delivery = {
  /** Sends all that is due now. For whoever holds the outbox alone. Ends early at a fault that concerns everybody. */
  round(): Promise<void>;
  /** Lets what is on its way end, and starts nothing more. */
  stop(): void;
};

export function openDelivery(context: DeliveryContext): Delivery {
  const { outbox, now } = context;
  let isStopped = false;

  async function round(): Promise<void> {
    await outbox.tidy(now());
    const { pausedUntil, failures } = await outbox.standing(now());
    if (pausedUntil !== null && pausedUntil > now()) return;
    const state: Round = {
      isOver: () => isStopped || state.fault !== undefined,
      faultsInARow: 0,
      hadFailed: failures > 0,
      letters: makeEmailWriter(context),
      returnPathOf: await openReturnPaths(context),
    };
    const smtpConnections = Array.from({ length: LANES }, (_, smtpConnection) =>
      sendAll(context, state, smtpConnection),
    );
    await Promise.allSettled(smtpConnections);
    if (state.fault !== undefined) await pause(context, state.fault, failures + 1);
    else if (failures > 0 && state.hasSent) await outbox.resume();
    await outbox.tidy(now());
    for (const smtpConnection of smtpConnections) await smtpConnection; // whatever went wrong with the store
  }

  return {
    round,
    stop() {
      isStopped = true;
    },
  };
}

type Round = {
  isOver(): boolean;
  /** What ended the round for everybody. */
  fault?: DeliveryFault;
  faultsInARow: number;
  /** The round before ended in a fault. */
  hadFailed: boolean;
  hasSent?: boolean;
  letters: (claimed: Claimed, links: Links) => Promise<EmailBody | undefined>;
  returnPathOf: (claimed: Claimed) => string | undefined;
};

async function sendAll(context: DeliveryContext, round: Round, smtpConnection: number): Promise<void> {
  const { outbox, now, confirmationsAnHour, recipientDomain } = context;
  let done: Outcome | undefined;
  let links: Links = {};
  const tokens = (claimed: Claimed): MessageTokens => {
    const made = tokensFor(context, claimed);
    links = made.links;
    return made.tokens;
  };
  while (!round.isOver()) {
    const claimed = await outbox
      .claim({ now: now(), done, confirmationsAnHour, recipientDomain, tokens })
      .catch(async (error: unknown) => {
        if (done !== undefined) await outbox.finish(done); // others wrote for too long: that it went out must not be forgotten
        throw error;
      });
    done = undefined;
    if (claimed === undefined) return;
    const attempt = await sendOne(context, round, { claimed, links, smtpConnection });
    noteAttempt(round, attempt);
    done = outcomeOf(claimed, attempt, { at: now(), isTheirs: isTheirs(round) });
  }
  if (done !== undefined) await outbox.finish(done);
}

async function sendOne(
  context: DeliveryContext,
  round: Round,
  { claimed, links, smtpConnection }: { claimed: Claimed; links: Links; smtpConnection: number },
): Promise<Attempt> {
  const letter = await round.letters(claimed, links);
  if (letter === undefined) return { end: 'withdrawn' };
  const outgoing: Outgoing = {
    message: claimed.message,
    from: context.from,
    returnPath: round.returnPathOf(claimed),
    to: claimed.address,
    ...letter,
    madeAt: claimed.madeAt,
    what: claimed.edition === null ? claimed.kind : `weekly-${claimed.edition}`,
    headers: headersOf(context, claimed, links),
  };
  return context.post.send(smtpConnection, outgoing, () => context.outbox.isWanted(claimed.message));
}

function noteAttempt(round: Round, attempt: Attempt): void {
  if (attempt.end !== 'fault') {
    if (attempt.end === 'withdrawn') return;
    round.faultsInARow = 0;
    round.hasSent = true;
    return;
  }
  round.faultsInARow++;
  if (attempt.of === 'everybody' || round.faultsInARow >= MOST_FAULTS) round.fault = attempt;
}

/** Whether a refusal is about its message: while nothing else is taken either, it may be about us. */
function isTheirs({ hasSent, hadFailed, faultsInARow }: Round): boolean {
  return hasSent === true || (!hadFailed && faultsInARow <= FEW_FAULTS);
}

/** What an attempt means for its message. A fault that concerns everybody is held against nobody. */
function outcomeOf(
  { message, attempts, doubts }: Claimed,
  attempt: Attempt,
  { at, isTheirs }: { at: Instant; isTheirs: boolean },
): Outcome {
  if (attempt.end !== 'fault')
    return { message, at, end: attempt.end, code: attempt.end === 'sent' ? attempt.code : null };
  const { of, code } = attempt;
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_PAUSE_MS);
  if (of === 'everybody') return { message, at, end: 'unsent', code };
  if (of === 'address') return { message, at, end: 'refused', code };
  if (of === 'message' && (isTheirs || attempts >= MOST_REFUSALS))
    return { message, at, end: 'failed', code };
  if (of === 'doubt' && doubts + 1 >= MOST_DOUBTS) return { message, at, end: 'uncertain', code };
  return { message, at, end: 'retry', code, nextAt: addMs(at, waitMs), isDoubtful: of === 'doubt' };
}

async function pause(
  { outbox, now }: DeliveryContext,
  fault: DeliveryFault,
  failures: number,
): Promise<void> {
  const doublings = fault.of === 'later' ? 0 : Math.min(failures - 1, 10); // put off, not down
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** doublings, LONGEST_PAUSE_MS);
  await outbox.pause(addMs(now(), waitMs), describeFault(fault), failures);
}

type Links = { confirm?: string; unsubscribe?: string; manage?: string };

function tokensFor(
  { publicUrl, now }: DeliveryContext,
  { kind, madeAt }: Claimed,
): { tokens: MessageTokens; links: Links } {
  const wanted =
    kind === 'confirmation'
      ? ([
          ['confirm', addMs(madeAt, CONFIRM_MS)],
          ['manage', null],
        ] as const)
      : ([
          ['unsubscribe', null],
          ['manage', addMs(now(), MANAGE_MS)],
        ] as const);
  const made = wanted.map(([purpose, expiresAt]) => ({ purpose, expiresAt, ...makeToken() }));
  return {
    tokens: made.map(({ hash, purpose, expiresAt }) => ({ hash, purpose, expiresAt })),
    links: Object.fromEntries(
      made.map(({ purpose, token }) => [purpose, `${publicUrl}/${purpose}?token=${token}`]),
    ),
  };
}

/** RFC 8058 (one click), RFC 2919 (List-Id), RFC 3834 (Auto-Submitted). */
function headersOf({ from }: DeliveryContext, { kind, type }: Claimed, links: Links): Record<string, string> {
  const automatic = { 'Auto-Submitted': 'auto-generated' };
  if (kind === 'confirmation') return automatic;
  return {
    'List-Id': `<${type}.${from.address.split('@')[1]}>`,
    'List-Unsubscribe': `<${links.unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    ...automatic,
  };
}

async function openReturnPaths({ returnPaths }: DeliveryContext): Promise<Round['returnPathOf']> {
  if (returnPaths === undefined) return () => undefined;
  const key = await returnPaths.bounces.key();
  return (claimed) => makeReturnPath(returnPaths.address, key, claimed);
}

async function writeAnnouncement(
  { announcements, city, postalAddress }: DeliveryContext,
  type: SignupType,
  links: Links,
): Promise<EmailBody | undefined> {
  const announcement = await announcements.find(type);
  if (announcement === undefined) return undefined;
  const own = { unsubscribe: links.unsubscribe!, manage: links.manage! };
  return renderAnnouncementEmail({ city, announcement, links: own, postalAddress });
}

/** An edition is rendered once a round for everybody with the same preferences, with marks that nobody can guess where each person's own links go. */
function makeEmailWriter(context: DeliveryContext): Round['letters'] {
  const { city, publicUrl, postalAddress } = context;
  const marks = { unsubscribe: makeRandomName(), manage: makeRandomName() };
  const writeEdition = openEditionWriter({ ...context, links: { ...marks, home: `${publicUrl}/` } });
  return async ({ edition, type, kind, preferences }, links) => {
    if (kind === 'announcement') return writeAnnouncement(context, type, links);
    if (edition === null)
      return renderConfirmationEmail({
        ...{ city, type, preferences, postalAddress },
        links: { confirm: links.confirm!, manage: links.manage! },
      });
    const letter = await writeEdition(edition, preferences);
    const own = (text: string) =>
      text
        .replaceAll(marks.unsubscribe, () => links.unsubscribe!)
        .replaceAll(marks.manage, () => links.manage!);
    return letter && { subject: letter.subject, html: own(letter.html), text: own(letter.text) };
  };
}
