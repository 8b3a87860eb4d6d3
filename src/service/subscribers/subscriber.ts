/** Defines subscribers and their signups. */

import type { Instant } from '../../shared/day.ts';
import type { Consent, SignupType } from '../../shared/signup/signups.ts';
import type { Address } from './address.ts';

export type SignupRequest = Address & {
  type: SignupType;
  source: 'api' | 'form';
  consent: Consent;
  /** Preferences for the weekly email, see `formatPreferences`. Default: everything. */
  preferences?: string | null | undefined;
  at: Instant;
  /** Identifies the client (`Limiter.queueOf`). Without it, each confirmation counts as the first of a new client. */
  client?: number | undefined;
  /** The domain whose limits apply. `undefined` for large mail providers. */
  recipientDomain?: string | undefined;
  /** Maximum confirmations to that domain in 24 hours. Default: 30. */
  domainDay?: number | undefined;
};

export type Subscription = {
  type: SignupType;
  state: 'pending' | 'confirmed' | 'left';
  source: 'api' | 'form' | 'operator';
  consent: string;
  askedAt: Instant;
  confirmedAt: Instant | null;
  leftAt: Instant | null;
  /** Preferences for the weekly email (`formatPreferences`), those of the latest signup until it is confirmed. */
  preferences: string | null;
};

/** A person, as shown to the operator and on the person's own page. */
export type Subscriber = {
  subscriber: string;
  address: string;
  /** When a mail server reported that the mailbox does not exist. */
  refusedAt: Instant | null;
  refusal: string | null;
  subscriptions: readonly Subscription[];
};

/** The recipient of a link, the signup type it concerns, and the preferences it confirms. */
export type TokenHolder = Subscriber & { type: SignupType; preferences: string | null };

export function findSubscription(person: Subscriber, type: SignupType): Subscription | undefined {
  return person.subscriptions.find((one) => one.type === type);
}

/** Returns the state shown to the operator. `bounced`: confirmed, but a server refused the mailbox. */
export function findShownState(
  { state }: Pick<Subscription, 'state'>,
  refusedAt: Instant | null,
): Subscription['state'] | 'bounced' {
  return state === 'confirmed' && refusedAt !== null ? 'bounced' : state;
}
