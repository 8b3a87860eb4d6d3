/**
 * Adds /confirm, /unsubscribe and /manage: the links in emails. GET changes nothing, because mail scanners open links.
 * The POST of the page's button makes the change, and so does the one-click POST of a mail program (RFC 8058), with any
 * body.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Markup, markup } from '../../page/markup.ts';
import { renderManagePage, renderQuestionPage } from '../../page/subscription-pages.ts';
import {
  findSubscription,
  type Subscription,
  type TokenHolder,
} from '../../service/subscribers/subscriber.ts';
import { sendPage } from '../../service/web/pages.ts';
import { readQuery } from '../../service/web/plugins/strict-http.ts';
import { readForm } from '../../service/web/request-body.ts';
import { ShingleError } from '../../shared/errors.ts';
import { describeSignup, makeConsent } from '../../shared/signup/consent.ts';
import { describePreferences, formatPreferences, parsePreferences } from '../../shared/signup/preferences.ts';
import { isSignupType, type SignupType } from '../../shared/signup/signups.ts';
import { capitalize } from '../../shared/text/fill-in.ts';
import { describeNextEdition, type PageContext, sendMessage } from './page-context.ts';
import { describeCover, PREFERENCE_FIELDS, readFormPreferences, renderPreferences } from './preferences.ts';

const SUBSCRIPTION_TIMEOUT_MS = 10_000;

type Handler = (link: EmailLink) => Promise<FastifyReply>;

export function subscriptionRoutes(app: FastifyInstance, context: PageContext): void {
  const config = { priority: 'leaving', timeoutMs: SUBSCRIPTION_TIMEOUT_MS } as const;
  const answerWith = (handler: Handler) => (request: FastifyRequest, reply: FastifyReply) =>
    handler(openLink(context, request, reply)).catch((error: unknown) => {
      if (!(error instanceof ShingleError && error.code === 'store')) throw error;
      return sendMessage(context, reply, 'busy', { status: 503 });
    });
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

type EmailLink = ReturnType<typeof openLink>;

/** Opens a link of an email, with its token. */
function openLink(context: PageContext, request: FastifyRequest, reply: FastifyReply) {
  const { city, layout, subscriptions } = context;
  const { say } = layout.localization;
  const token = readToken(request, 'token');
  return { context, city, say, subscriptions, token, request, reply };
}

function readToken({ raw }: FastifyRequest, name: 'token' | 'manage'): string {
  const tokens = new URLSearchParams(readQuery(raw)).getAll(name);
  return tokens.length === 1 && /^[\w-]+$/.test(tokens[0]!) ? tokens[0]! : '';
}

async function showConfirm(link: EmailLink): Promise<FastifyReply> {
  const { context, city, say, token, reply } = link;
  const holder = await link.subscriptions.findTokenHolder('confirm', token);
  const state = holder && findSubscription(holder, holder.type)?.state;
  if (holder === undefined || state === undefined || state === 'left') return sendDeadLink(link);
  if (state === 'confirmed') return sendConfirmed(link, holder);
  const { type, address, preferences } = holder;
  const { purpose } = describeSignup(type, city);
  const html = renderQuestionPage(context.layout, {
    title: say('confirm.title'),
    sentences: [say('confirm.question', { purpose, address }), ...describeCover(context, preferences)],
    action: `/confirm?token=${token}`,
    label: say('confirm.button'),
    notice: makeConsent(type, city).words,
  });
  return sendPage(context, reply, html);
}

async function confirmByLink(link: EmailLink): Promise<FastifyReply> {
  const holder = await link.subscriptions.confirm(link.token);
  return holder === undefined ? sendDeadLink(link) : sendConfirmed(link, holder);
}

function sendConfirmed({ context, city, say, reply }: EmailLink, holder: TokenHolder): FastifyReply {
  const { purpose, next } = describeSignup(holder.type, city);
  const preferences = findSubscription(holder, holder.type)?.preferences ?? null;
  return sendMessage(context, reply, 'confirm.done', {
    values: { purpose },
    sentences: [
      [
        ...describeCover(context, preferences),
        ...(holder.type === 'weekly' ? describeNextEdition(context) : []),
        preferences === null ? next : say('next.match'),
      ].join(' '),
    ],
  });
}

async function showUnsubscribe(link: EmailLink): Promise<FastifyReply> {
  const { context, city, say, token, request, reply } = link;
  const holder = await link.subscriptions.findTokenHolder('unsubscribe', token);
  if (holder === undefined) return sendStaleLink(link, 200);
  const { type, address } = holder;
  if (findSubscription(holder, type)?.state !== 'confirmed') return sendUnsubscribed(link, type);
  // links in editions contain this token
  const manage = type === 'weekly' ? readToken(request, 'manage') : '';
  const html = renderQuestionPage(context.layout, {
    title: say('leave.title'),
    sentences: [say('leave.question', { purpose: describeSignup(type, city).purpose, address })],
    action: `/unsubscribe?token=${token}`,
    label: say('leave.button'),
    instead: manage === '' ? undefined : { href: `/manage?token=${manage}`, label: say('leave.instead') },
  });
  return sendPage(context, reply, html);
}

/** Unsubscribes. Also returns 200 for old links, so that mail programs do not retry. */
async function unsubscribe(link: EmailLink): Promise<FastifyReply> {
  const holder = await link.subscriptions.leave('unsubscribe', link.token);
  return holder === undefined ? sendStaleLink(link, 200) : sendUnsubscribed(link, holder.type);
}

function sendUnsubscribed({ context, city, reply }: EmailLink, type: SignupType): FastifyReply {
  const { purpose } = describeSignup(type, city);
  const sentences = [context.layout.localization.say('leave.deleted')];
  return sendMessage(context, reply, 'leave.done', {
    values: { purpose },
    sentences,
    more: linkSignup(context),
  });
}

/** Sends the page for the old link of an email. `status`: 200 for mail programs, which would retry otherwise. */
function sendStaleLink({ context, city, say, reply }: EmailLink, status = 404): FastifyReply {
  const { contact } = city.operator;
  return sendMessage(context, reply, 'link.stale', {
    status,
    sentences: [say('link.stale.help', { contact })],
  });
}

/** Sends the page for a dead link to confirm, the same for unknown, expired and wrong links, and for erased people. */
function sendDeadLink({ context, reply }: EmailLink): FastifyReply {
  return sendMessage(context, reply, 'link.dead', { status: 404, more: linkSignup(context) });
}

/** Links to the signup page, unless the register has ended. */
function linkSignup({ layout }: PageContext): Markup | undefined {
  if (!layout.hasNews()) return undefined;
  return markup`<p><a href="/signup">${layout.localization.say('signup.again')}</a></p>`;
}

async function showManaged(link: EmailLink): Promise<FastifyReply> {
  const holder = await link.subscriptions.findTokenHolder('manage', link.token);
  return holder === undefined ? sendStaleLink(link) : sendManaged(link, holder);
}

async function changeManaged(link: EmailLink): Promise<FastifyReply> {
  const { subscriptions, token, request } = link;
  const form = readForm(request, PREFERENCE_FIELDS) ?? new URLSearchParams();
  const action = form.get('action') ?? '';
  if (action === 'erase') return eraseHolder(link);
  if (action === 'change') return changePreferences(link, form);
  if (action === 'everything') return changePreferences(link, new URLSearchParams());
  const type = action.replace(/^leave-/, '');
  if (!isSignupType(type)) return showManaged(link);
  const holder = await subscriptions.leave('manage', token, type);
  return holder === undefined ? sendStaleLink(link) : sendManaged(link, holder);
}

async function eraseHolder(link: EmailLink): Promise<FastifyReply> {
  const isErased = await link.subscriptions.erase(link.token);
  return isErased ? sendMessage(link.context, link.reply, 'manage.erased') : sendStaleLink(link);
}

/** Changes the preferences. People can keep a value that no listing has anymore, but cannot add one. */
async function changePreferences(link: EmailLink, form: URLSearchParams): Promise<FastifyReply> {
  const { context, say, subscriptions, token } = link;
  const holder = await subscriptions.findTokenHolder('manage', token);
  if (holder === undefined) return sendStaleLink(link);
  const weekly = findSubscription(holder, 'weekly');
  // the person has unsubscribed since opening the page
  if (!canChoose(weekly)) return sendManaged(link, holder);
  const { preferences, wrong } = readFormPreferences(
    context,
    form,
    parsePreferences(weekly.preferences, context.city),
  );
  if (wrong !== undefined) return sendManaged(link, holder, { status: 422, said: wrong });
  const changed = await subscriptions.changePreferences(token, formatPreferences(preferences, context.city));
  if (changed === undefined) return sendStaleLink(link);
  return sendManaged(link, changed, { said: say('manage.changed') });
}

function sendManaged(
  { context, token, reply }: EmailLink,
  { address, subscriptions }: TokenHolder,
  { status = 200, said }: { status?: number; said?: string } = {},
): FastifyReply {
  const html = renderManagePage(context.layout, {
    address,
    lines: subscriptions.map((subscription) => ({
      title: capitalize(describeSignup(subscription.type, context.city).purpose),
      sentences: describeSubscription(context, subscription),
      leave: subscription.state === 'left' ? undefined : `leave-${subscription.type}`,
      preferences:
        canChoose(subscription) &&
        renderPreferences(context, parsePreferences(subscription.preferences, context.city)),
      hasChoices: subscription.preferences !== null,
    })),
    done: said,
    action: `/manage?token=${token}`,
  });
  return sendPage(context, reply, html, { status });
}

function canChoose(subscription: Subscription | undefined): subscription is Subscription {
  return subscription?.type === 'weekly' && subscription.state === 'confirmed';
}

function describeSubscription({ city, layout }: PageContext, subscription: Subscription): string[] {
  const { type, state, askedAt, confirmedAt, leftAt, source, preferences } = subscription;
  const { say, dayOf } = layout.localization;
  const on = (at: string | null) => ({ day: at === null ? '' : dayOf(at) });
  const asked = say(`manage.by.${source}`, on(askedAt));
  const now = {
    left: say('manage.left', on(leftAt)),
    confirmed: say('manage.confirmed', on(confirmedAt)),
    pending: say('manage.pending'),
  }[state];
  const covers = say('manage.covers', {
    what: describePreferences(parsePreferences(preferences, city), city),
  });
  return [`${asked} ${now}`, ...(type === 'weekly' && state === 'pending' ? [covers] : [])];
}
