/** Shows the page of the manage link, with everything that is stored about a person, and makes the changes of its buttons. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { toLocalDay } from '../listings/day.ts';
import { describeSignup, formatNotice } from '../subscribers/consent.ts';
import {
  describePreferences,
  formatPreferences,
  type Preferences,
  parsePreferences,
} from '../subscribers/preferences.ts';
import {
  isSignupType,
  type SignupType,
  type Subscription,
  type TokenHolder,
} from '../subscribers/subscriber.ts';
import type { SubscriptionService } from '../subscribers/subscription-service.ts';
import { sendMessagePage, sendPage } from './answers.ts';
import type { ServerContext } from './context.ts';
import { markup } from './pages/markup.ts';
import { renderManagePage } from './pages/subscription-pages.ts';
import { readQuery } from './plugins/strict-http.ts';
import { PREFERENCE_FIELDS, readFormPreferences } from './preference-choices.ts';
import { isOfType, parseFormFields, readBody } from './request-body.ts';
import { renderPreferences } from './signup-form.ts';

/** A request for a link in an email, with its token. */
export type EmailLink = {
  context: ServerContext;
  subscriptions: SubscriptionService;
  token: string;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** Sends the same page if the link is unknown, expired or of another kind, and if its person was erased. */
export function sendDeadLink({ context, reply }: EmailLink): FastifyReply {
  const { say } = context.layout.localization;
  return sendMessagePage(context, reply, {
    status: 404,
    title: say('link.dead.title'),
    sentences: [say('link.dead')],
    more: markup`<p><a href="/signup">${say('signup.title')}</a></p>`,
  });
}

export function findSubscription({ subscriptions }: TokenHolder, type: SignupType): Subscription | undefined {
  return subscriptions.find((one) => one.type === type);
}

export async function showManaged(link: EmailLink): Promise<FastifyReply> {
  const holder = await link.subscriptions.findTokenHolder('manage', link.token);
  if (holder === undefined) return sendDeadLink(link);
  const { context, request } = link;
  const body = Buffer.from(readQuery(request.raw));
  const { preferences: wanted, wrong } = readFormPreferences(context, body);
  const weekly = findSubscription(holder, 'weekly');
  const what = weekly && canChoose(weekly) && wrong === undefined && formatPreferences(wanted);
  if (!what) return sendManaged(link, holder);
  const said = context.layout.localization.say('manage.narrow', {
    what: describePreferences(what, context.city),
  });
  return sendManaged(link, holder, { said, wanted });
}

export async function changeManaged(link: EmailLink): Promise<FastifyReply> {
  const { subscriptions, token, request } = link;
  const isForm = isOfType(request.headers, 'application/x-www-form-urlencoded');
  const action = (isForm && parseFormFields(readBody(request), PREFERENCE_FIELDS)?.get('action')) || '';
  if (action === 'erase') return eraseHolder(link);
  if (action === 'change' || action === 'everything') return changePreferences(link, action);
  const type = action.replace(/^leave-/, '');
  if (!isSignupType(type)) return showManaged(link);
  const holder = await subscriptions.leave('manage', token, type);
  return holder === undefined ? sendDeadLink(link) : sendManaged(link, holder);
}

async function eraseHolder(link: EmailLink): Promise<FastifyReply> {
  const { context, subscriptions, token, reply } = link;
  if (!(await subscriptions.erase(token))) return sendDeadLink(link);
  const { say } = context.layout.localization;
  return sendMessagePage(context, reply, {
    title: say('manage.erased.title'),
    sentences: [say('manage.erased')],
  });
}

/** Changes the preferences. People can keep a value that no listing has anymore, but cannot add one. */
async function changePreferences(link: EmailLink, action: 'change' | 'everything'): Promise<FastifyReply> {
  const { context, subscriptions, token, request } = link;
  const { say } = context.layout.localization;
  const holder = await subscriptions.findTokenHolder('manage', token);
  if (holder === undefined) return sendDeadLink(link);
  const weekly = findSubscription(holder, 'weekly');
  if (weekly === undefined || !canChoose(weekly)) return sendManaged(link, holder); // they have unsubscribed since they opened the page
  const kept = parsePreferences(weekly.preferences);
  const body = action === 'change' ? readBody(request) : Buffer.alloc(0);
  const { preferences, wrong } = readFormPreferences(context, body, kept);
  if (wrong !== undefined) return sendManaged(link, holder, { status: 422, said: wrong });
  const changed = await subscriptions.changePreferences(token, formatPreferences(preferences));
  return changed === undefined
    ? sendDeadLink(link)
    : sendManaged(link, changed, { said: say('manage.changed') });
}

function sendManaged(
  { context, token, reply }: EmailLink,
  { address, subscriptions }: TokenHolder,
  { status = 200, said, wanted }: { status?: number; said?: string; wanted?: Preferences } = {},
): FastifyReply {
  const html = renderManagePage(context.layout, {
    address,
    lines: subscriptions.map((subscription) => ({
      title: capitalize(describeSignup(subscription.type, context.city).purpose),
      sentences: describeSubscription(context, subscription),
      leave: subscription.state === 'left' ? undefined : `leave-${subscription.type}`,
      preferences:
        canChoose(subscription) &&
        renderPreferences(context, wanted ?? parsePreferences(subscription.preferences)),
      hasChoices: subscription.preferences !== null,
    })),
    done: said,
    action: `/manage?token=${token}`,
    notice: formatNotice(context.city),
  });
  return sendPage(context, reply, html, { status });
}

function canChoose({ type, state }: Subscription): boolean {
  return type === 'weekly' && state === 'confirmed';
}

function describeSubscription({ city, layout }: ServerContext, subscription: Subscription): string[] {
  const { type, state, askedAt, confirmedAt, leftAt, source, preferences } = subscription;
  const { say, day } = layout.localization;
  const on = (at: string | null) => ({ day: at === null ? '' : day(toLocalDay(city.timeZone, at)) });
  const asked = say(`manage.by.${source}`, on(askedAt));
  const now = {
    left: say('manage.left', on(leftAt)),
    confirmed: say('manage.confirmed', on(confirmedAt)),
    pending: say('manage.pending'),
  }[state];
  const covers = say('manage.covers', { what: describePreferences(preferences, city) });
  return [`${asked} ${now}`, ...(type === 'weekly' && state === 'pending' ? [covers] : [])];
}

function capitalize(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}
