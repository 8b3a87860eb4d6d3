/** Sends answers: charges the client, compresses the body, and sends 304 if the client has the same version. */

import type { FastifyReply } from 'fastify';
import { sendCompressed, WORTH_COMPRESSING } from './compression.ts';
import type { ServerContext } from './context.ts';
import { makeEtag, matchesEtag } from './etags.ts';
import { chargeAnswer } from './limits/charge.ts';
import type { Price } from './limits/limiter.ts';
import { chooseEncoding } from './negotiation.ts';
import type { Problem } from './problems.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Identifies an answer before it is rendered. A free answer is the same for all clients and costs nothing. */
type Version = {
  etag: string;
  cacheControl: string;
  isFree?: boolean;
  /** Whether compressing the body saves nothing. */
  isCompact?: boolean;
  /** A request header besides Accept-Encoding that the answer depends on. */
  dependsOn?: string | undefined;
  headers?: Record<string, string>;
};

export type Answer = {
  /** What the answer costs. Free answers have none. */
  price?: Price;
  headers?: Record<string, string>;
  /**
   * Renders the body, or has it rendered. Called only if the client can pay the price. Buffers are kept compressed, to be sent
   * again.
   */
  render(): string | Buffer | Promise<Rendered>;
};

/** A body that another thread made, and the CPU time that it took there, for which the client is charged. */
export type Rendered = { body: Buffer; cpuMs: number };

/** Sends 304 if the client has this version of the answer. Otherwise charges the client and sends the answer. */
export function sendVersion(
  context: ServerContext,
  reply: FastifyReply,
  { etag: plain, cacheControl, isFree = false, isCompact = false, dependsOn, headers }: Version,
  find: () => Answer | Problem,
): FastifyReply | Promise<FastifyReply> {
  const { client, headers: asked } = reply.request;
  const chosen = isCompact ? undefined : chooseEncoding(String(asked['accept-encoding'] ?? ''));
  const etag = chosen === undefined ? plain : `${plain.slice(0, -1)}-${chosen.encoding}"`;
  const known = asked['if-none-match'];
  const isKnown = known !== undefined && matchesEtag(known, etag);
  // `*` matches every answer, so it does not say that the client has this one
  const mayBeFree = isFree || (isKnown && known !== '*');
  const answer = !mayBeFree ? chargeAnswer(context, client, find) : isKnown ? undefined : find();
  if (answer !== undefined && 'code' in answer) return reply.problem(answer);
  const vary = dependsOn === undefined ? 'Accept-Encoding' : `Accept-Encoding, ${dependsOn}`;
  reply.headers({ 'cache-control': cacheControl, etag });
  if (!isCompact) reply.header('vary', vary);
  if (headers !== undefined) reply.headers(headers);
  if (!isFree) reply.headers(context.limiter.headers(client));
  if (answer === undefined || isKnown) return reply.code(304).send();
  if (answer.headers !== undefined) reply.headers(answer.headers);
  const body = answer.render();
  if (body instanceof Promise)
    return body.then((rendered) => {
      context.limiter.addCpu(client, rendered.cpuMs);
      return reply.send(rendered.body);
    });
  const isWorthIt = typeof body !== 'string' || body.length >= WORTH_COMPRESSING;
  const isSentPlain = chosen === undefined || !(isWorthIt || chosen.isRequired);
  return isSentPlain ? reply.send(body) : sendCompressed(reply, body, chosen.encoding);
}

type FreeBody = {
  body: string | Buffer;
  etag?: string;
  cacheControl: string;
  headers: Record<string, string>;
};

/** Sends a body that is the same for all clients and costs nothing. */
export function sendFree(
  context: ServerContext,
  reply: FastifyReply,
  { body, etag = makeEtag(String(body)), cacheControl, headers }: FreeBody,
): FastifyReply | Promise<FastifyReply> {
  const version = { etag, cacheControl, isFree: true };
  return sendVersion(context, reply, version, () => ({ headers, render: () => body }));
}
