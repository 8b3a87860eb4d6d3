/** The subscription service: signup, confirmation, unsubscribe, erasure. Knows no HTTP. The result never depends on who is signed up. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { City, RecipientDomainLimits } from '../city/define.ts';
import { ShingleError } from '../errors.ts';
import type { Instant } from '../listings/day.ts';
import type { Address } from './address.ts';
import { makeConsent } from './consent.ts';
import type { Purpose, SignupRequest, SignupType, SubscriberStore, TokenHolder } from './ports.ts';
import { findRecipientDomain } from './recipient-domain.ts';
import { hashToken } from './tokens.ts';

const UNDER_WAY_MS = 900; // one click must be answered within a second
const SENDING_POLL_MS = 20;
const FULL_HOURS = 2; // a signup is refused when the confirmations of so many hours would go before its own
const WAITING_DAYS = 3; // more than a day's share of a domain may wait, so that its clients can take turns

export type SubscriptionService = {
  /**
   * Committed when it resolves. Throws `store` when it cannot be, when the disk is nearly full, or when too many
   * confirmations would be sent before this one.
   */
  requestSignup(
    address: Address,
    type: SignupType,
    source: 'api' | 'form',
    more?: Pick<SignupRequest, 'client' | 'preferences'>,
  ): Promise<void>;
  /** The person a link belongs to. Changes nothing. */
  findTokenHolder(purpose: Purpose, token: string): Promise<TokenHolder | undefined>;
  confirm(token: string): Promise<TokenHolder | undefined>;
  /** With a manage link: what a confirmed subscriber wants of the weekly email. */
  changePreferences(token: string, preferences: string | null): Promise<TokenHolder | undefined>;
  /** When it resolves, no message of this type begins any more. `type` only with a manage link. */
  leave(
    purpose: 'unsubscribe' | 'manage',
    token: string,
    type?: SignupType,
  ): Promise<TokenHolder | undefined>;
  /** With a manage link: everything about its holder. False for a bad link. */
  erase(token: string): Promise<boolean>;
};

export type SubscriptionContext = {
  city: City;
  subscribers: SubscriberStore;
  confirmationsAnHour: number;
  recipientDomain: RecipientDomainLimits;
  now(): Instant;
  /** Throws `store` where a new signup might be the last that fits. */
  needRoom?: () => void;
};

export function openSubscriptionService({
  city,
  subscribers,
  confirmationsAnHour,
  recipientDomain,
  now,
  needRoom,
}: SubscriptionContext): SubscriptionService {
  const held = (purpose: Purpose, token: string) => {
    const hash = hashToken(token);
    return hash === undefined ? undefined : { hash, purpose, at: now() };
  };

  /** Waits for a message that may have begun before its person left; not longer than a mail program waits for us. */
  async function settled({ subscriber }: TokenHolder): Promise<void> {
    for (let waited = 0; waited < UNDER_WAY_MS; waited += SENDING_POLL_MS) {
      if (!(await subscribers.isSendingTo(subscriber))) return;
      await sleep(SENDING_POLL_MS);
    }
  }

  return {
    async requestSignup(address, type, source, { client, preferences } = {}) {
      needRoom?.();
      const at = now();
      const most = FULL_HOURS * confirmationsAnHour;
      const limits = { confirmationsAnHour, recipientDomain };
      if ((await subscribers.countAhead({ ...limits, now: at, client, most })) >= most)
        throw new ShingleError('store', 'too many confirmation emails are waiting to be sent');
      await subscribers.requestSignup({
        ...{ ...address, type, source, preferences, client, at },
        consent: makeConsent(type, city),
        recipientDomain: findRecipientDomain(address.address, recipientDomain),
        mostOfDomain: WAITING_DAYS * recipientDomain.day,
      });
    },
    async findTokenHolder(purpose, token) {
      const by = held(purpose, token);
      return by && subscribers.findTokenHolder(by);
    },
    async confirm(token) {
      const by = held('confirm', token);
      return by && subscribers.confirm(by);
    },
    async changePreferences(token, preferences) {
      const by = held('manage', token);
      return by && subscribers.changePreferences(by, preferences);
    },
    async leave(purpose, token, type) {
      const by = held(purpose, token);
      const holder = by && (await subscribers.leave(by, purpose === 'manage' ? type : undefined));
      if (holder !== undefined) await settled(holder);
      return holder;
    },
    async erase(token) {
      const by = held('manage', token);
      const holder = by && (await subscribers.findTokenHolder(by));
      if (holder === undefined) return false;
      for (const { type } of holder.subscriptions) await subscribers.leave(by!, type);
      await settled(holder);
      return subscribers.erase(holder.subscriber, now());
    },
  };
}
