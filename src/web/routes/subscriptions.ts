/**
 * Adds /confirm, /unsubscribe and /manage: the links in emails. GET changes nothing, because mail scanners open links.
 * The POST of the page's button makes the change, and so does the one-click POST of a mail program (RFC 8058), with any
 * body.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ShingleError } from '../../errors.ts';
import { toLocalDay } from '../../listings/day.ts';
import { describeSignup, formatNotice, makeConsent } from '../../subscribers/consent.ts';
import {
  describePreferences,
  formatPreferences,
  type Preferences,
  parsePreferences,
} from '../../subscribers/preferences.ts';
import {
  isSignupType,
  type SignupType,
  type Subscription,
  type TokenHolder,
} from '../../subscribers/subscriber.ts';
import type { SubscriptionService } from '../../subscribers/subscription-service.ts';
import { sendMessagePage, sendPage } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { markup } from '../pages/markup.ts';
import { renderManagePage, renderQuestionPage } from '../pages/subscription-pages.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { isOfType, parseFormFields, readBody } from '../request-body.ts';
import {
  describeNextEdition,
  PREFERENCE_FIELDS,
  readFormPreferences,
  renderPreferences,
} from '../signup-form.ts';

const SUBSCRIPTION_TIMEOUT_MS = 10_000;

type Handler = (link: EmailLink) => Promise<FastifyReply>;

export function subscriptionRoutes(app: FastifyInstance, context: ServerContext): void {
  const config = { priority: 'leaving', timeoutMs: SUBSCRIPTION_TIMEOUT_MS } as const;
  const answerWith = (handler: Handler) => (request: FastifyRequest, reply: FastifyReply) => {
    const token = readToken(request, 'token');
    return handler({ context, subscriptions: context.subscriptions!, token, request, reply }).catch(
      (error: unknown) => sendBusy(context, reply, error),
    );
  };
  const pages: [path: string, show: Handler, act: Handler][] = [
    ['/confirm', showConfirm, confirmByLink],
    ['/unsubscribe', showUnsubscribe, unsubscribe],
    ['/manage', showManaged, changeManaged],
  ];
  for (const [path, show, act] of pages) {
    app.get(path, { config }, answerWith(show));
    app.post(path, { config }, answerWith(act));
  }
}

function sendBusy(context: ServerContext, reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof ShingleError && error.code === 'store')) throw error;
  const { say } = context.layout.localization;
  return sendMessagePage(context, reply, { status: 503, title: say('busy.title'), sentences: [say('busy')] });
}

function readToken({ raw }: FastifyRequest, name: 'token' | 'manage'): string {
  const tokens = new URLSearchParams(readQuery(raw)).getAll(name);
  return tokens.length === 1 && /^[\w-]+$/.test(tokens[0]!) ? tokens[0]! : '';
}

async function showConfirm(link: EmailLink): Promise<FastifyReply> {
  const { context, subscriptions, token, reply } = link;
  const { say } = context.layout.localization;
  const holder = await subscriptions.findTokenHolder('confirm', token);
  const state = holder && findSubscription(holder, holder.type)?.state;
  if (holder === undefined || state === undefined || state === 'left') return sendDeadLink(link);
  if (state === 'confirmed') return sendConfirmed(link, holder);
  const { purpose } = describeSignup(holder.type, context.city);
  const covers = describeCover(context, holder.preferences);
  const html = renderQuestionPage(context.layout, {
    title: say('confirm.title'),
    sentences: [say('confirm.question', { purpose, address: holder.address }), ...covers],
    action: `/confirm?token=${token}`,
    label: say('confirm.button'),
    notice: makeConsent(holder.type, context.city).words,
  });
  return sendPage(context, reply, html);
}

function describeCover({ city, layout }: ServerContext, preferences: string | null): string[] {
  if (preferences === null) return [];
  return [layout.localization.say('confirm.covers', { what: describePreferences(preferences, city) })];
}

async function confirmByLink(link: EmailLink): Promise<FastifyReply> {
  const holder = await link.subscriptions.confirm(link.token);
  return holder === undefined ? sendDeadLink(link) : sendConfirmed(link, holder);
}

function sendConfirmed({ context, reply }: EmailLink, holder: TokenHolder): FastifyReply {
  const { say } = context.layout.localization;
  const { purpose, next } = describeSignup(holder.type, context.city);
  const preferences = findSubscription(holder, holder.type)?.preferences ?? null;
  return sendMessagePage(context, reply, {
    title: say('confirm.done.title'),
    sentences: [
      say('confirm.done', { purpose }),
      ...describeCover(context, preferences),
      ...(holder.type === 'weekly' ? describeNextEdition(context) : []),
      preferences === null ? next : say('next.match'),
    ],
  });
}

async function showUnsubscribe(link: EmailLink): Promise<FastifyReply> {
  const { context, subscriptions, token, reply } = link;
  const { say } = context.layout.localization;
  const holder = await subscriptions.findTokenHolder('unsubscribe', token);
  if (holder === undefined) return sendNothingToStop(link);
  if (findSubscription(holder, holder.type)?.state !== 'confirmed')
    return sendUnsubscribed(link, holder.type);
  const { purpose } = describeSignup(holder.type, context.city);
  const html = renderQuestionPage(context.layout, {
    title: say('leave.title'),
    sentences: [say('leave.question', { purpose, address: holder.address })],
    action: `/unsubscribe?token=${token}`,
    label: say('leave.button'),
    ...(holder.type === 'weekly' && { instead: findInstead(link) }),
  });
  return sendPage(context, reply, html);
}

/** Returns the link to the preferences if the request has their token. Links in editions contain it. */
function findInstead({ context, request }: EmailLink): { href: string; label: string } | undefined {
  const token = readToken(request, 'manage');
  if (token === '') return undefined;
  return { href: `/manage?token=${token}`, label: context.layout.localization.say('leave.instead') };
}

/** Unsubscribes. Also returns 200 for old links, so that mail programs do not retry. */
async function unsubscribe(link: EmailLink): Promise<FastifyReply> {
  const holder = await link.subscriptions.leave('unsubscribe', link.token);
  return holder === undefined ? sendNothingToStop(link) : sendUnsubscribed(link, holder.type);
}

function sendUnsubscribed({ context, reply }: EmailLink, type: SignupType): FastifyReply {
  const { say } = context.layout.localization;
  const { purpose } = describeSignup(type, context.city);
  const sentences = [say('leave.done', { purpose })];
  return sendMessagePage(context, reply, { title: say('leave.done.title'), sentences });
}

function sendNothingToStop({ context, reply }: EmailLink): FastifyReply {
  const { say } = context.layout.localization;
  const { contact } = context.city.operator;
  const sentences = [say('leave.stale'), say('leave.stale.help', { contact })];
  return sendMessagePage(context, reply, { title: say('leave.stale.title'), sentences });
}

/** A request for a link in an email, with its token. */
type EmailLink = {
  context: ServerContext;
  subscriptions: SubscriptionService;
  token: string;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** Sends the page for a dead link. It is the same for unknown, expired and wrong links, and for erased people. */
function sendDeadLink({ context, reply }: EmailLink): FastifyReply {
  const { say } = context.layout.localization;
  return sendMessagePage(context, reply, {
    status: 404,
    title: say('link.dead.title'),
    sentences: [say('link.dead')],
    more: markup`<p><a href="/signup">${say('signup.title')}</a></p>`,
  });
}

function findSubscription({ subscriptions }: TokenHolder, type: SignupType): Subscription | undefined {
  return subscriptions.find((one) => one.type === type);
}

async function showManaged(link: EmailLink): Promise<FastifyReply> {
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

async function changeManaged(link: EmailLink): Promise<FastifyReply> {
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
  if (weekly === undefined || !canChoose(weekly)) return sendManaged(link, holder); // the person has unsubscribed since opening the page
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
