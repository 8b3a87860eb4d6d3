/** What mailing needs kept, declared where it is needed; `storage` implements it. Each method is one transaction. */

import type { Day, Instant } from '../listings/day.ts';
import type { StoredListing } from '../listings/listing.ts';
import type { Address } from './address.ts';

/** What a person can ask for. */
export const SIGNUP_TYPES = ['weekly', 'pro-waitlist'] as const;
export type SignupType = (typeof SIGNUP_TYPES)[number];

/** What a link is good for; a link for one thing does no other. */
export type Purpose = 'confirm' | 'unsubscribe' | 'manage';

/** The words somebody agreed to, and their name. */
export type Consent = { version: string; words: string };

/** One person asking for one type. */
export type SignupRequest = Address & {
  type: SignupType;
  source: 'api' | 'form';
  consent: Consent;
  /** What is wanted of the weekly email, see `formatPreferences`. Default everything. */
  preferences?: string | null | undefined;
  at: Instant;
  /** Which client asks; see `Limiter.queueOf`. Left out where clients are not told apart: each confirmation is then its first. */
  client?: number | undefined;
  /** The domain whose limits hold for the address; left out for large mail providers. */
  recipientDomain?: string | undefined;
  /** How many confirmations may wait for that domain. Default 90. */
  mostOfDomain?: number | undefined;
};

export type Subscription = {
  type: SignupType;
  state: 'pending' | 'confirmed' | 'left';
  source: 'api' | 'form' | 'operator';
  /** Version of the words agreed to. */
  consent: string;
  askedAt: Instant;
  confirmedAt: Instant | null;
  leftAt: Instant | null;
  /** What is wanted of the weekly email, see `formatPreferences`; before confirming, what was asked for last. */
  preferences: string | null;
};

/** A person, as the operator and the person's own page see them. */
export type Subscriber = {
  subscriber: string;
  address: string;
  /** When a mail server said there is no such mailbox, and its code. */
  refusedAt: Instant | null;
  refusal: string | null;
  subscriptions: readonly Subscription[];
};

/** The state that the operator is shown. `bounced`: confirmed, but the mailbox was refused, so nothing is sent. */
export function findShownState(
  { state }: Pick<Subscription, 'state'>,
  refusedAt: Instant | null,
): Subscription['state'] | 'bounced' {
  return state === 'confirmed' && refusedAt !== null ? 'bounced' : state;
}

/** Whoever holds a link: the person it was sent to, the type it is about, and the preferences that it confirms. */
export type TokenHolder = Subscriber & { type: SignupType; preferences: string | null };

/** A token as the store knows it: SHA-256, and what it is good for. */
export type TokenLookup = { hash: string; purpose: Purpose; at: Instant };

/** How many confirmations are tried in any hour, and to one domain in any hour and any 24 hours. */
export type ConfirmationLimits = {
  confirmationsAnHour: number;
  recipientDomain: { hour: number; day: number };
};

/** What a signup would have to wait for. */
export type QueueCheck = ConfirmationLimits & {
  now: Instant;
  client: number | undefined;
  /** Counting ends here. */
  most: number;
};

export type SubscriberStore = {
  /**
   * Records a signup, and a confirmation message if one is due: not for a confirmed subscription, at most one in 15 minutes for a
   * type, and at most three in 24 hours for all addresses of the same mailbox. Never undoes a confirmation.
   * Committed when it resolves, with the same result and the same work in every case, however many signups came before.
   */
  requestSignup(ask: SignupRequest): Promise<void>;
  /** How many confirmations would be sent before the next one of this client, those held up by their domain aside. */
  countAhead(check: QueueCheck): Promise<number>;
  /** The person a token belongs to, or nothing for one that is unknown, of another purpose, or expired. */
  findTokenHolder(held: TokenLookup): Promise<TokenHolder | undefined>;
  /**
   * Confirms, with the preferences of the signup that the link was sent for; a second time changes nothing. Nothing for a bad
   * token, and for somebody who has left since.
   */
  confirm(held: TokenLookup): Promise<TokenHolder | undefined>;
  /** Changes what a confirmed subscriber wants of the weekly email, from the next edition on. Nothing for a bad token. */
  changePreferences(held: TokenLookup, preferences: string | null): Promise<TokenHolder | undefined>;
  /** Leaves a type (the token's own without one); what was to be sent is withdrawn. Nothing for a bad token. */
  leave(held: TokenLookup, type?: SignupType): Promise<TokenHolder | undefined>;
  /** Whether a message to this person is on its way at this moment. */
  isSendingTo(subscriber: string): Promise<boolean>;
  /** Removes everything about a person, also from a copy restored later. False where there is nobody. */
  erase(subscriber: string, at: Instant): Promise<boolean>;
  /** By the address's identity. */
  find(identity: string): Promise<Subscriber | undefined>;
  /** Everybody, in the order they first asked. */
  all(): Promise<Subscriber[]>;
  /** Adds somebody whose consent the operator holds. False where the subscription is confirmed already. */
  addConfirmed(who: Omit<SignupRequest, 'source'>): Promise<boolean>;
};

/** A message that is being sent: claimed by one process. */
export type Claimed = {
  message: string;
  subscriber: string;
  address: string;
  kind: 'confirmation' | 'edition' | 'announcement';
  type: SignupType;
  edition: string | null;
  /** Of an edition, what its person wanted when it was decided; of a confirmation, what was asked for. */
  preferences: string | null;
  attempts: number;
  /** How often it may have arrived already without our knowing. */
  doubts: number;
  madeAt: Instant;
};

/** What became of a claimed message. `retry` waits for `nextAt`; `unsent` gives it back as if it had not been tried. */
export type Outcome = {
  message: string;
  at: Instant;
  /** What the mail server said, as a code; never its words, which may quote the address. */
  code: string | null;
} & (
  | { end: 'sent' | 'failed' | 'uncertain' | 'withdrawn' }
  | { end: 'refused' } // failed, and the address gets nothing more
  | { end: 'retry'; nextAt: Instant; isDoubtful: boolean }
  | { end: 'unsent' }
);

/** Hashes of the tokens a message will carry. */
export type MessageTokens = readonly { hash: string; purpose: Purpose; expiresAt: Instant | null }[];

export type Claim = ConfirmationLimits & {
  now: Instant;
  /** What became of the one before: written down in the same transaction. */
  done: Outcome | undefined;
  /** Makes the tokens for the message about to be claimed. */
  tokens(message: Claimed): MessageTokens;
};

export type MailStanding = {
  /** Nothing is sent before this. */
  pausedUntil: Instant | null;
  /** Why, in a sentence for the operator. */
  trouble: string | null;
  /** Faults in a row. */
  failures: number;
  /** Confirmations that are due but wait. */
  waiting: number;
  /** When the oldest waiting confirmation was asked for. */
  waitingSince: Instant | null;
};

export type OutboxStore = {
  /** Runs `work` while no other process sends mail; freed by the death of the process. Throws `store` after `waitMs`. */
  alone<T>(waitMs: number, work: () => Promise<T>): Promise<T>;
  /** The caller must hold the lock: releases messages claimed by a dead process, expires old ones, closes finished editions. */
  tidy(now: Instant): Promise<void>;
  /** Claims the next message that is due and still wanted. Nothing where there is none. */
  claim(claim: Claim): Promise<Claimed | undefined>;
  /** Writes down what became of a claimed message. */
  finish(outcome: Outcome): Promise<void>;
  /** Whether a claimed message still may be sent: false once its person has left. */
  isWanted(message: string): Promise<boolean>;
  /** Whether a round has anything to do now. Cheap: asked every second. */
  isDue(now: Instant, limits: ConfirmationLimits): Promise<boolean>;
  pause(until: Instant, trouble: string, failures: number): Promise<void>;
  /** Ends a pause and forgets the trouble. */
  resume(): Promise<void>;
  /**
   * With limits, without the confirmations that only the limit of their domain holds up, unless those of three clients or more wait for
   * that domain: one person can cause that at will.
   */
  standing(now: Instant, limits?: ConfirmationLimits): Promise<MailStanding>;
  /** How many messages of the last 30 days are in each state. */
  countMessages(): Promise<{ kind: string; state: string; count: number }[]>;
  /**
   * Deletes confirmations that were not sent and never will be, unconfirmed signups older than 7 days, departed people after
   * 30, records of messages after 30 and of their delivery reports after 60, and expired links. At most 500 of each: false where there is more to delete.
   */
  sweep(now: Instant): Promise<boolean>;
  /** Those of these messages that have a record. */
  findRecords(messages: readonly string[]): Promise<Set<string>>;
};

export type StoredEdition = {
  /** The local day of its slot: its name. */
  edition: Day;
  state: 'open' | 'finished' | 'skipped';
  reason: 'empty' | 'late' | null;
  decidedAt: Instant;
  /** What it says, as JSON; `null` for a skipped one. */
  content: string | null;
};

export type NewEdition = StoredEdition & {
  /** When its messages expire. */
  expiresAt: Instant;
  /** Whether it has anything for these preferences. Default: for all. */
  isFor?: ((preferences: string | null) => boolean) | undefined;
};

/** How many messages of an edition are where. */
export type EditionProgress = Record<
  'waiting' | 'sent' | 'failed' | 'uncertain' | 'expired' | 'withdrawn',
  number
>;

export type EditionStore = {
  /** The newest by name. */
  last(): Promise<StoredEdition | undefined>;
  edition(edition: Day): Promise<StoredEdition | undefined>;
  /** Runs whose openings have been in no edition yet, baselines excluded, and those openings. */
  news(): Promise<{ runs: number[]; listings: StoredListing[] }>;
  /** When the first kept run ended, or this store was restored from a copy, if later: slots before it are not ours. */
  since(): Promise<Instant | null>;
  /**
   * Decides an edition: itself, the runs it covers, and a message to everybody who is confirmed for the weekly email and whose
   * preferences it has something for, all at once. False where an edition of this name or a later one exists.
   */
  decide(edition: NewEdition, runs: readonly number[]): Promise<boolean>;
  /** How many people an edition decided now would go to, and to how many it has nothing to say. */
  recipients(isFor?: NewEdition['isFor']): Promise<{ recipients: number; unmatched: number }>;
  progress(edition: Day): Promise<EditionProgress>;
};
