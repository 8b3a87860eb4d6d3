/**
 * /confirm, /unsubscribe and /manage: the links in emails. A GET changes nothing, because mail scanners open links. The POST of the page's
 * button makes the change, and so does the one-click POST of a mail program (RFC 8058), whatever its body is.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ShingleError } from '../../errors.ts';
import { markup } from '../../pages/markup.ts';
import { renderManagePage, renderQuestionPage } from '../../pages/subscription-pages.ts';
import { describeSignup, formatNotice, makeConsent } from '../../subscriptions/consent.ts';
import {
  SIGNUP_TYPES,
  type SignupType,
  type Subscription,
  type TokenHolder,
} from '../../subscriptions/ports.ts';
import type { SubscriptionService } from '../../subscriptions/subscription-service.ts';
import type { ServerContext } from '../context.ts';
import { sendMessagePage, sendPage } from '../page-responses.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { isOfType, parseFormFields, readBody } from '../request-body.ts';

const SUBSCRIPTION_TIMEOUT_MS = 10_000;

/** Handles one request of a link; `reply` with the token of the link. */
type Handler = (link: Link) => Promise<FastifyReply>;
type Link = {
  context: ServerContext;
  subscriptions: SubscriptionService;
  token: string;
  request: FastifyRequest;
  reply: FastifyReply;
};

export function subscriptionRoutes(app: FastifyInstance, context: ServerContext): void {
  const config = { priority: 'leaving', timeoutMs: SUBSCRIPTION_TIMEOUT_MS, isPage: true } as const;
  const answerWith = (handler: Handler) => (request: FastifyRequest, reply: FastifyReply) => {
    const token = tokenOf(request);
    return handler({ context, subscriptions: context.subscriptions!, token, request, reply }).catch(
      (error: unknown) => sendBusy(context, reply, error),
    );
  };
  const pages: [path: string, show: Handler, act: Handler][] = [
    ['/confirm', showConfirm, confirmByLink],
    ['/unsubscribe', showUnsubscribe, unsubscribe],
    ['/manage', showManage, manage],
  ];
  for (const [path, show, act] of pages) {
    app.get(path, { config, schema: { hide: true } }, answerWith(show));
    app.post(path, { config, schema: { hide: true } }, answerWith(act));
  }
}

function sendBusy(context: ServerContext, reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof ShingleError && error.code === 'store')) throw error;
  const sentences = ['We could not save your request. Please try again in a minute.'];
  return sendMessagePage(context, reply, { status: 503, title: 'Please try again', sentences });
}

function tokenOf({ raw }: FastifyRequest): string {
  const tokens = new URLSearchParams(readQuery(raw)).getAll('token');
  return tokens.length === 1 ? tokens[0]! : '';
}

async function showConfirm(link: Link): Promise<FastifyReply> {
  const { context, subscriptions, token, reply } = link;
  const holder = await subscriptions.findTokenHolder('confirm', token);
  const state = holder && findSubscription(holder, holder.type)?.state;
  if (holder === undefined || state === undefined || state === 'left') return sendDeadLink(link);
  if (state === 'confirmed') return sendConfirmed(link, holder.type);
  const html = renderQuestionPage(context.layout, {
    title: 'Please confirm',
    sentences: [
      `Do you want to get ${describeSignup(holder.type, context.city).purpose} at ${holder.address}?`,
    ],
    action: `/confirm?token=${token}`,
    label: 'Yes, confirm',
    notice: makeConsent(holder.type, context.city).words,
  });
  return sendPage(context, reply, html);
}

async function confirmByLink(link: Link): Promise<FastifyReply> {
  const holder = await link.subscriptions.confirm(link.token);
  return holder === undefined ? sendDeadLink(link) : sendConfirmed(link, holder.type);
}

function sendConfirmed({ context, reply }: Link, type: SignupType): FastifyReply {
  const { purpose, next } = describeSignup(type, context.city);
  const sentences = [`Thank you. You are signed up for ${purpose}.`, next];
  return sendMessagePage(context, reply, { title: 'Confirmed', sentences });
}

async function showUnsubscribe(link: Link): Promise<FastifyReply> {
  const { context, subscriptions, token, reply } = link;
  const holder = await subscriptions.findTokenHolder('unsubscribe', token);
  if (holder === undefined) return sendNothingToStop(link);
  if (findSubscription(holder, holder.type)?.state !== 'confirmed')
    return sendUnsubscribed(link, holder.type);
  const html = renderQuestionPage(context.layout, {
    title: 'Unsubscribe',
    sentences: [`Stop sending ${describeSignup(holder.type, context.city).purpose} to ${holder.address}?`],
    action: `/unsubscribe?token=${token}`,
    label: 'Yes, unsubscribe',
  });
  return sendPage(context, reply, html);
}

/** Returns 200 for old links too, because a mail program must not try again. */
async function unsubscribe(link: Link): Promise<FastifyReply> {
  const holder = await link.subscriptions.leave('unsubscribe', link.token);
  return holder === undefined ? sendNothingToStop(link) : sendUnsubscribed(link, holder.type);
}

function sendUnsubscribed({ context, reply }: Link, type: SignupType): FastifyReply {
  const sentences = [`You will no longer get ${describeSignup(type, context.city).purpose}.`];
  return sendMessagePage(context, reply, { title: 'You are unsubscribed', sentences });
}

function sendNothingToStop({ context, reply }: Link): FastifyReply {
  const { contact } = context.city.operator;
  return sendMessagePage(context, reply, {
    title: 'Link no longer valid',
    sentences: [
      'This link is no longer valid.',
      `If you still get our email, use the link in the newest one, or write to ${contact}.`,
    ],
  });
}

async function showManage(link: Link): Promise<FastifyReply> {
  const holder = await link.subscriptions.findTokenHolder('manage', link.token);
  return holder === undefined ? sendDeadLink(link) : sendManaged(link, holder);
}

async function manage(link: Link): Promise<FastifyReply> {
  const { context, subscriptions, token, request, reply } = link;
  const isForm = isOfType(request.headers, 'application/x-www-form-urlencoded');
  const action = (isForm && parseFormFields(readBody(request))?.get('action')) || '';
  if (action === 'erase') {
    if (!(await subscriptions.erase(token))) return sendDeadLink(link);
    const sentences = ['Everything about you is deleted, from backup copies within 7 days.'];
    return sendMessagePage(context, reply, { title: 'Erased', sentences });
  }
  const type = SIGNUP_TYPES.find((one) => `leave-${one}` === action);
  const holder =
    type === undefined
      ? await subscriptions.findTokenHolder('manage', token)
      : await subscriptions.leave('manage', token, type);
  return holder === undefined ? sendDeadLink(link) : sendManaged(link, holder);
}

function sendManaged({ context, token, reply }: Link, { address, subscriptions }: TokenHolder): FastifyReply {
  const lines = subscriptions.map((subscription) => ({
    title: capitalize(describeSignup(subscription.type, context.city).purpose),
    sentence: describeSubscription(subscription),
    leave: subscription.state === 'left' ? undefined : `leave-${subscription.type}`,
  }));
  const notice = formatNotice(context.city);
  const html = renderManagePage(context.layout, { address, action: `/manage?token=${token}`, lines, notice });
  return sendPage(context, reply, html);
}

function describeSubscription({ state, askedAt, confirmedAt, leftAt, source }: Subscription): string {
  const how =
    source === 'operator'
      ? 'added by the operator'
      : source === 'form'
        ? 'signed up with the form'
        : 'signed up through the API';
  const asked = `${capitalize(how)} on ${askedAt.slice(0, 10)}`;
  if (state === 'left') return `${asked}, unsubscribed on ${leftAt?.slice(0, 10)}.`;
  return state === 'confirmed'
    ? `${asked}, confirmed on ${confirmedAt?.slice(0, 10)}.`
    : `${asked}, not confirmed.`;
}

/** The same response for a link that is unknown, expired or of another kind, or whose person was erased. */
function sendDeadLink({ context, reply }: Link): FastifyReply {
  return sendMessagePage(context, reply, {
    status: 404,
    title: 'This link does not work',
    sentences: ['It may be too old, incomplete or already used. You can sign up again to get a new one.'],
    more: markup`<p><a href="/signup">Sign up</a></p>`,
  });
}

function findSubscription({ subscriptions }: TokenHolder, type: SignupType): Subscription | undefined {
  return subscriptions.find((one) => one.type === type);
}

function capitalize(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}
