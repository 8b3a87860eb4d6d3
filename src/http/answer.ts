/** What is answered to a request, as a value: protocol first, then the budget, then the path and its method. */

import type { IncomingMessage } from 'node:http';
import { LONGEST_BODY, readBody } from './body.ts';
import type { Door } from './door.ts';
import { forPeople } from './html.ts';
import { notReady } from './json.ts';
import { atEndOfTurn, comeBackAfter, isGivenUp } from './overload.ts';
import { problemReply } from './problem.ts';
import { protocolFault } from './protocol.ts';
import { quotaExceeded } from './quota.ts';
import type { Ask, Reply, Resource } from './reply.ts';

const TOO_LONG = 'The answer took too long; ask again soon.';
const PREFLIGHT = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Allow-Methods',
  'GET, HEAD',
  'Access-Control-Allow-Headers',
  'If-None-Match',
  'Access-Control-Max-Age',
  '86400',
];

/** The answer to anything; never throws. `undefined` is a path there is nothing at. */
export function answer(
  door: Door,
  resource: Resource | undefined,
  request: IncomingMessage,
  address: string,
): Reply | Promise<Reply> {
  try {
    const fault = protocolFault(request);
    if (fault !== undefined)
      return problemReply(door.publicUrl, { ...fault, headers: ['Connection', 'close'] });
    const ask: Ask = {
      method: request.method ?? '',
      query: queryOf(request),
      headers: request.headers,
      client: door.limiter.client(address),
    };
    const given = admitted(door, resource, request, ask);
    const dressed = (reply: Reply): Reply =>
      reply.status < 400 ? reply : forPeople(door, pathOf(request), ask, reply);
    if (!(given instanceof Promise)) return dressed(given);
    return given.catch((error: unknown) => unexpected(door, error)).then(dressed);
  } catch (error) {
    return unexpected(door, error);
  }
}

function admitted(
  door: Door,
  resource: Resource | undefined,
  request: IncomingMessage,
  ask: Ask,
): Reply | Promise<Reply> {
  if (isGivenUp(resource === undefined ? 'page' : (resource.rank ?? 'search'), door.batchMs?.() ?? 0))
    return atEndOfTurn(givenUp(door, resource));
  if (resource?.isFree !== true && !door.limiter.admit(ask.client)) return quotaExceeded(door, ask.client, 0);
  if (resource === undefined) return problemReply(door.publicUrl, { code: 'not-found' });
  if (resource.get !== undefined && (ask.method === 'GET' || ask.method === 'HEAD'))
    return inTime(door, resource, resource.get(ask));
  if (resource.post !== undefined && ask.method === 'POST') return posted(door, resource, request, ask);
  const methods = methodsOf(resource).join(', ');
  if (ask.method === 'OPTIONS')
    return { status: 204, headers: ['Allow', methods, ...(resource.isOpen ? PREFLIGHT : [])], body: null };
  return problemReply(door.publicUrl, {
    code: 'method-not-allowed',
    detail: `This path takes ${methods}.`,
    headers: ['Allow', methods],
  });
}

/** Said before anything is looked up or charged. */
function givenUp(door: Door, resource: Resource | undefined): Reply {
  door.metrics?.shed(resource?.path ?? 'other');
  const headers = ['Retry-After', String(comeBackAfter())];
  return problemReply(door.publicUrl, { code: 'overloaded', headers });
}

/** What a path takes, as `Allow` says it. */
export function methodsOf({ get, post }: Pick<Resource, 'get' | 'post'>): string[] {
  return [...(get ? ['GET', 'HEAD'] : []), 'OPTIONS', ...(post ? ['POST'] : [])];
}

async function posted(door: Door, resource: Resource, request: IncomingMessage, ask: Ask): Promise<Reply> {
  const { post, longestBody = LONGEST_BODY } = resource;
  const body = await readBody(request, longestBody).catch(() => null);
  if (body === null) return problemReply(door.publicUrl, { code: 'timeout' }); // nobody is left to read it
  if (body !== undefined) return inTime(door, resource, post!({ ...ask, body }));
  return problemReply(door.publicUrl, {
    code: 'too-large',
    detail: `A body may have ${longestBody.toLocaleString('en')} bytes.`,
    headers: ['Connection', 'close'],
  });
}

/** What comes later than the path's patience is let go. Fastify's own handlerTimeout ends with the body of a request. */
function inTime(door: Door, { patienceMs }: Resource, given: Reply | Promise<Reply>): Reply | Promise<Reply> {
  if (patienceMs === undefined || !(given instanceof Promise)) return given;
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const patience = setTimeout(() => resolve(notReady(door, TOO_LONG)), patienceMs);
  given.finally(() => clearTimeout(patience)).then(resolve, reject);
  return promise;
}

/** Says nothing of what happened to the asker, and nothing of the asker to the log: messages may quote what was asked. */
export function unexpected(door: Door, error: unknown): Reply {
  const where = error instanceof Error ? framesOf(error) : [];
  const name = error instanceof Error ? error.name : typeof error;
  const frames = where.slice(0, 5).map((line) => line.trim());
  const own = crypto.randomUUID();
  const reference = door.log.warn(`a request failed: ${name} ${frames.join(', ')}`, own) ?? own;
  return problemReply(door.publicUrl, {
    code: 'internal',
    detail: `Internal error, reference ${reference}.`,
  });
}

/** Where it happened. A message may hold lines that look like that, so it is cut off first. */
function framesOf({ message, stack = '' }: Error): string[] {
  const said = stack.indexOf(message);
  const after = said === -1 ? '' : stack.slice(said + message.length);
  return after.split('\n').filter((line) => line.startsWith('    at '));
}

/** What stands before the `?`, as it came over the wire. */
export function pathOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  return url.split('?', 1)[0]!;
}

function queryOf(request: IncomingMessage): string {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}
