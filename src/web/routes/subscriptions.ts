/**
 * Adds /confirm, /unsubscribe and /manage: the links in emails. GET changes nothing, because mail scanners open links.
 * The POST of the page's button makes the change, and so does the one-click POST of a mail program (RFC 8058), with any
 * body.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ShingleError } from '../../errors.ts';
import { describeSignup, makeConsent } from '../../subscribers/consent.ts';
import { describePreferences } from '../../subscribers/preferences.ts';
import type { SignupType, TokenHolder } from '../../subscribers/subscriber.ts';
import { sendMessagePage, sendPage } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { changeManaged, type EmailLink, findSubscription, sendDeadLink, showManaged } from '../manage.ts';
import { renderQuestionPage } from '../pages/subscription-pages.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { describeNextEdition } from '../signup-form.ts';

const SUBSCRIPTION_TIMEOUT_MS = 10_000;

type Handler = (link: EmailLink) => Promise<FastifyReply>;

export function subscriptionRoutes(app: FastifyInstance, context: ServerContext): void {
  const config = { priority: 'leaving', timeoutMs: SUBSCRIPTION_TIMEOUT_MS, isPage: true } as const;
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
    app.get(path, { config, schema: { hide: true } }, answerWith(show));
    app.post(path, { config, schema: { hide: true } }, answerWith(act));
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

/** Returns the link to the preferences if the request has their token, which links in editions contain. */
function findInstead({ context, request }: EmailLink): { href: string; label: string } | undefined {
  const token = readToken(request, 'manage');
  if (token === '') return undefined;
  return { href: `/manage?token=${token}`, label: context.layout.localization.say('leave.instead') };
}

/** Unsubscribes. Returns 200 for old links too, so that mail programs do not try again. */
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
