/** Signup, delivery and the HTTP server over a real store, with a clock that the test moves and emails that it reads. */

import { after, type TestContext } from 'node:test';
import { openEmailWriter } from '../../../src/app/operations/email-writer.ts';
import type { Store } from '../../../src/service/data/store.ts';
import { openDelivery } from '../../../src/service/mail/delivery.ts';
import { decideEdition } from '../../../src/service/mail/editions/decide-edition.ts';
import type { MailTransport } from '../../../src/service/mail/smtp.ts';
import { composeMessage } from '../../../src/service/mail/smtp.ts';
import { parseAddress, RECIPIENT_DOMAIN_DEFAULTS } from '../../../src/service/subscribers/address.ts';
import { openSubscriptionService } from '../../../src/service/subscribers/subscription-service.ts';
import type { CityFacts, Limits, RecipientDomainLimits } from '../../../src/shared/city/city-facts.ts';
import { aFiling } from '../../a-filing.ts';
import { aFolder } from '../../a-folder.ts';
import { openStore } from '../../a-store.ts';
import { kept } from '../database/store-cases.ts';
import { aDoor, CITY } from '../web/a-door.ts';
import { type Mail, parsed } from './a-mail-server.ts';

export type Mailing = Awaited<ReturnType<typeof aMailing>>;

export const MONDAY = Date.parse('2026-11-23T17:00:00Z'); // 09:00 in Rivermouth

type MailingOptions = {
  post?: MailTransport;
  /** There is no mailbox of this address any more. */
  refuses?: string;
  confirmationsAnHour?: number;
  recipientDomain?: Partial<RecipientDomainLimits>;
  city?: CityFacts;
  /** The store of another mailing, as two instances have one. */
  store?: Store;
};

/** An HTTP server that takes signups, and the mailing behind it. */
export async function aSignupServer(
  t: TestContext,
  given: Parameters<typeof aDoor>[1] = {},
  options: MailingOptions = {},
) {
  const mailing = await aMailing({ ...(given.city && { city: given.city }), ...options });
  return { ...(await aDoor(t, { subscriptions: mailing.subscriptions, ...given })), mailing };
}

/** A fresh one, removed after the test file. */
export async function aMailing(given: MailingOptions = {}) {
  const folder = aFolder();
  const store = given.store ?? (await openStore(folder));
  after(() => store.close());
  const clock = { now: MONDAY };
  const now = () => new Date(clock.now).toISOString();
  const sent: Promise<Mail>[] = [];
  const remembers: MailTransport = {
    async send(_lane, outgoing, isWanted) {
      if (!(await isWanted())) return { end: 'canceled' };
      const isRefused = outgoing.to === given.refuses && outgoing.what !== 'confirmation';
      if (isRefused) return { end: 'failure', of: 'address', code: '550 5.1.1' };
      sent.push(parsed({ raw: (await composeMessage(outgoing)).toString('latin1'), to: [outgoing.to] }));
      return { end: 'sent', code: '250' };
    },
    close: () => undefined,
  };
  const { post = remembers, confirmationsAnHour = 200, city = CITY } = given;
  const recipientDomain = { ...RECIPIENT_DOMAIN_DEFAULTS, ...given.recipientDomain };
  const context = {
    ...{ city, now, store, confirmationsAnHour, recipientDomain, transport: post },
    from: { name: 'Rivermouth openings', address: 'news@rivermouth.example' },
    ...{ postalAddress: '1 Quay Street', publicUrl: 'https://rivermouth.example' },
  };
  const subscriptions = openSubscriptionService(context);
  const delivery = openDelivery(context, openEmailWriter);
  /** Delivers what is due and answers all mails so far, parsed. */
  const deliver = async () => {
    await store.alone('mail', 0, delivery.round);
    return Promise.all(sent);
  };
  await kept(store, [aFiling({ key: 'first' })]);
  let filed = 0;
  return {
    ...{ folder, store, subscriptions, delivery, context, clock, deliver },
    /** Keeps one more run of so many new businesses, none of them baseline, and makes and sends the edition. */
    async edition(businesses = 3) {
      const filings = Array.from({ length: businesses }, () =>
        aFiling({ key: `new ${++filed}`, name: `Shop ${filed}` }),
      );
      await kept(store, filings, { snapshot: false });
      await decideEdition(context, now(), false);
      return deliver();
    },
    door: (t: TestContext, limits?: Partial<Limits> | 'off') =>
      aDoor(t, { city, subscriptions, ...(limits && { limits }) }),
  };
}

/** Signs somebody up and confirms, by the mail they got. */
export async function confirmed(
  mailing: Mailing,
  address: string,
  type: 'weekly' | 'pro-waitlist' = 'weekly',
) {
  await mailing.subscriptions.requestSignup(parseAddress(address)!, type, 'form');
  const isTheirs = ({ rcpt, links }: Mail) => links.confirm && rcpt[0] === parseAddress(address)!.address;
  const mail = (await mailing.deliver()).findLast(isTheirs)!;
  await mailing.subscriptions.confirm(tokenIn(mail.links.confirm!));
  return mail;
}

export function tokenIn(link: string): string {
  return new URL(link).searchParams.get('token')!;
}
