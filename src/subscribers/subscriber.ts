/** A subscriber, what people can sign up for, and what a signup consists of. */

import type { Instant } from '../listings/day.ts';
import type { Address } from './address.ts';

/** What a person can sign up for. */
export const SIGNUP_TYPES = ['weekly', 'pro-waitlist'] as const;
export type SignupType = (typeof SIGNUP_TYPES)[number];

/** The text that a person agreed to, and its version. */
export type Consent = { version: string; words: string };

/** One person who signs up for one type. */
export type SignupRequest = Address & {
  type: SignupType;
  source: 'api' | 'form';
  consent: Consent;
  /** What is wanted of the weekly email, see `formatPreferences`. Default: everything. */
  preferences?: string | null | undefined;
  at: Instant;
  /** The client, see `Limiter.queueOf`. If it is unknown, each confirmation counts as its client's first. */
  client?: number | undefined;
  /** The domain whose limits apply to the address; left out for large mail providers. */
  recipientDomain?: string | undefined;
  /** How many confirmations go to that domain in 24 hours. Default: 30. */
  domainDay?: number | undefined;
};

export type Subscription = {
  type: SignupType;
  state: 'pending' | 'confirmed' | 'left';
  source: 'api' | 'form' | 'operator';
  /** The version of the consent text. */
  consent: string;
  askedAt: Instant;
  confirmedAt: Instant | null;
  leftAt: Instant | null;
  /** What is wanted of the weekly email, see `formatPreferences`; before confirming, what the last signup asked for. */
  preferences: string | null;
};

/** A person, as the operator and the person's own page see them. */
export type Subscriber = {
  subscriber: string;
  address: string;
  /** When a mail server said that the mailbox does not exist, and its code. */
  refusedAt: Instant | null;
  refusal: string | null;
  subscriptions: readonly Subscription[];
};

/** The person that a link was sent to, the type that it is about, and the preferences that it confirms. */
export type TokenHolder = Subscriber & { type: SignupType; preferences: string | null };

/** The state that the operator sees. `bounced`: confirmed, but the mailbox was refused, so nothing is sent. */
export function findShownState(
  { state }: Pick<Subscription, 'state'>,
  refusedAt: Instant | null,
): Subscription['state'] | 'bounced' {
  return state === 'confirmed' && refusedAt !== null ? 'bounced' : state;
}
