/** What the routes behind the links in emails share: the link that was opened, and the answer to one that does not work. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignupType, Subscription, TokenHolder } from '../subscribers/subscriber.ts';
import type { SubscriptionService } from '../subscribers/subscription-service.ts';
import type { ServerContext } from './context.ts';
import { sendMessagePage } from './page-responses.ts';
import { markup } from './pages/markup.ts';

/** A request of a link in an email, with its token. */
export type EmailLink = {
  context: ServerContext;
  subscriptions: SubscriptionService;
  token: string;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** The same response for a link that is unknown, expired or of another kind, or whose person was erased. */
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
