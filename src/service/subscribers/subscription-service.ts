/** Handles signup, confirmation, unsubscribe and erasure, without HTTP. Results never reveal who is signed up. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { CityFacts, RecipientDomainLimits } from '../../shared/city/city-facts.ts';
import { addMs, type Instant } from '../../shared/day.ts';
import { storeError } from '../../shared/errors.ts';
import { rememberTexts } from '../../shared/remember.ts';
import { makeConsent } from '../../shared/signup/consent.ts';
import type { SignupType } from '../../shared/signup/signups.ts';
import { type Address, findRecipientDomain } from './address.ts';
import { FULL_QUEUE_HOURS, type QueueCheck } from './confirmations.ts';
import type { SignupRequest, TokenHolder } from './subscriber.ts';
import type { SubscriberStore } from './subscriber-store.ts';
import { hashToken, type Purpose } from './tokens.ts';

const UNDER_WAY_MS = 900; // one-click requests need a response within a second
const SENDING_POLL_MS = 20;
const COUNTED_MS = 1_000;
const MOST_INSTANCES = 4; // that may fill the queue together between two counts of each

export type SubscriptionContext = {
  city: CityFacts;
  store: { subscribers: SubscriberStore };
  confirmationsAnHour: number;
  recipientDomain: RecipientDomainLimits;
  now(): Instant;
  /** Throws `store` if the disk is too full for another signup. */
  needRoom?: () => void;
};

export type SubscriptionService = ReturnType<typeof openSubscriptionService>;

export function openSubscriptionService(context: SubscriptionContext) {
  const { city, store, now, confirmationsAnHour, recipientDomain } = context;
  const { subscribers } = store;
  const most = FULL_QUEUE_HOURS * confirmationsAnHour;
  const lookUp = (purpose: Purpose, token: string) => ({ hash: hashToken(token), purpose, at: now() });

  const consentTo = rememberTexts((type: SignupType) => makeConsent(type, city));
  let [fitting, fitUntil] = [0, ''];

  /** Counts the queue again after a second or as many signups as surely fit, and only in a full one what is ahead of the client. */
  async function isFull(check: QueueCheck): Promise<boolean> {
    const isRoomy = check.now < fitUntil && fitting-- > 0;
    // asks in any case, because a read gives up on a slow database sooner than a write
    const waiting = await subscribers.countQueue(isRoomy ? 1 : most);
    if (isRoomy) return false;
    [fitting, fitUntil] = [Math.floor((most - waiting) / MOST_INSTANCES), addMs(check.now, COUNTED_MS)];
    return waiting >= most && (await subscribers.countAhead(check)) >= most;
  }

  return {
    /** Stores a signup before the promise resolves. Throws `store` if that is currently impossible. */
    async requestSignup(
      address: Address,
      type: SignupType,
      source: 'api' | 'form',
      { client, preferences }: Pick<SignupRequest, 'client' | 'preferences'> = {},
    ): Promise<void> {
      context.needRoom?.();
      const at = now();
      if (await isFull({ confirmationsAnHour, recipientDomain, now: at, client, most }))
        throw storeError('too many confirmation emails are waiting to be sent');
      await subscribers.requestSignup({
        ...address,
        type,
        source,
        preferences,
        client,
        at,
        consent: consentTo(type),
        recipientDomain: findRecipientDomain(address.address, recipientDomain),
        domainDay: recipientDomain.day,
      });
    },
    /** Finds the person of a link. Returns `undefined` for an invalid link, as do the following methods. */
    findTokenHolder: (purpose: Purpose, token: string) => subscribers.findTokenHolder(lookUp(purpose, token)),
    confirm: (token: string) => subscribers.confirm(lookUp('confirm', token)),
    /** Changes a confirmed subscriber's preferences. Requires a manage link. */
    changePreferences: (token: string, preferences: string | null) =>
      subscribers.changePreferences(lookUp('manage', token), preferences),
    /** Unsubscribes a person, from `type` if the link is a manage link. No message of that type is sent afterwards. */
    async leave(
      purpose: 'unsubscribe' | 'manage',
      token: string,
      type?: SignupType,
    ): Promise<TokenHolder | undefined> {
      const link = lookUp(purpose, token);
      const holder = await subscribers.leave(link, purpose === 'manage' ? type : undefined);
      if (holder !== undefined) await waitWhileSending(subscribers, holder);
      return holder;
    },
    /** Erases all data of the holder of a manage link. Returns `false` for an invalid link. */
    async erase(token: string): Promise<boolean> {
      const link = lookUp('manage', token);
      const holder = await subscribers.findTokenHolder(link);
      if (holder === undefined) return false;
      for (const { type } of holder.subscriptions) await subscribers.leave(link, type);
      await waitWhileSending(subscribers, holder);
      return subscribers.erase(holder.subscriber, now());
    },
  };
}

/** Waits while mail to the person is being sent, but under a second, because mail programs expect a quick answer. */
async function waitWhileSending(subscribers: SubscriberStore, { subscriber }: TokenHolder): Promise<void> {
  for (let waited = 0; waited < UNDER_WAY_MS; waited += SENDING_POLL_MS) {
    if (!(await subscribers.isSendingTo(subscriber))) return;
    await sleep(SENDING_POLL_MS);
  }
}
