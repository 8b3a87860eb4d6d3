/**
 * Enforces HTTP rules that Node's parser does not, and sends problems where Node would send an empty refusal. Refuses
 * requests that two servers could interpret differently, and closes their connections.
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { acceptWaiting, connectionOf, startPatience } from '../connections.ts';
import type { ServerContext } from '../context.ts';
import { formatProblem, notReadyProblem, type Problem, problemHeaders } from '../problems.ts';

export const MAX_HEADER_LINES = 64;
export const MAX_URL_LENGTH = 2048;
const MAX_REQUESTS = 1000; // on one connection; Node would answer further ones with an empty 503
const SERVER_CLOSE_MS = 10_000; // time until unanswered requests get 503
const CLIENT_CLOSE_MS = 2_000; // time until connections of clients that do not take their answer are closed
const MAX_DISCARDED_BYTES = 65_536; // the shipped proxies have the same limit
const DISCARD_MS = 2000;
const STOPPING = 'The service is stopping. Try again shortly.';

export function addStrictHttp(app: FastifyInstance, { publicUrl }: ServerContext): void {
  let isClosing = false;
  const unanswered = new Set<FastifyReply>();
  app.addHook('onRequest', ({ raw }, reply, next) => {
    unanswered.add(reply);
    reply.raw.once('close', () => unanswered.delete(reply));
    const { 'content-type': type } = raw.headers;
    // Fastify cannot read others, and an unsubscribe link works with any body
    if (type !== undefined && !MEDIA_TYPE.test(type)) delete raw.headers['content-type'];
    const problem = findProblem(raw);
    if (problem === undefined) next();
    else reply.header('connection', 'close').problem(problem);
  });
  app.addHook('onSend', ({ raw }, reply, payload, next) => {
    const isLast = (connectionOf(raw.socket)?.requests ?? 0) >= MAX_REQUESTS;
    const { 'transfer-encoding': coding, 'content-length': length = '0' } = raw.headers;
    // an unread body would be taken for the next request
    const isUnread = (coding !== undefined || length !== '0') && !raw.readableEnded;
    if (isClosing || isLast || isUnread) reply.header('connection', 'close');
    if (isUnread && raw.headers.expect === undefined) discardBody(raw, () => next(null, payload));
    else next(null, payload);
  });
  app.addHook('preClose', (next) => {
    isClosing = true;
    let stop = startPatience(SERVER_CLOSE_MS, () => {
      for (const reply of unanswered) if (!reply.sent) reply.problem(notReadyProblem(STOPPING));
      stop = startPatience(CLIENT_CLOSE_MS, () => app.server.closeAllConnections());
    });
    app.server.once('close', () => stop());
    acceptWaiting(app.server, next);
  });
  // before Fastify finds the route; its own hook for this slows down every request
  for (const event of ['request', 'checkExpectation'])
    app.server.prependListener(event, (request: IncomingMessage) => {
      if (!request.url?.startsWith('/')) request.url = toPath(request);
    });
  app.server.on('checkExpectation', app.routing); // otherwise Node answers 417 without problem details
  app.server.on('connect', (_request, socket) => refuseConnect(publicUrl, socket));
}

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/**
 * Returns the target of a request as a path. A target in absolute form is accepted if its authority is that of `Host`
 * (RFC 9112, 3.2.2), or if there is no `Host`, as in HTTP/1.0. Any other stays as it is, and is refused.
 */
function toPath({ url = '', headers }: IncomingMessage): string {
  const [, scheme, authority, rest = ''] = /^(https?):\/\/([^/?#]+)(.*)$/i.exec(url) ?? [];
  if (scheme === undefined || authority === undefined) return url;
  const standardPort = scheme.length === 'https'.length ? ':443' : ':80';
  const [named, own] = [authority, headers.host ?? authority].map((one) => {
    const name = one.toLowerCase();
    return name.endsWith(standardPort) ? name.slice(0, -standardPort.length) : name;
  });
  if (named !== own) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Returns whether a request asks about the whole server: `OPTIONS *` (RFC 9110, 9.3.7). */
export function isAboutServer({ method, url }: IncomingMessage): boolean {
  return method === 'OPTIONS' && url === '*';
}

function findProblem(request: IncomingMessage): Problem | undefined {
  const { httpVersion, rawHeaders, url = '' } = request;
  if (url.length > MAX_URL_LENGTH) return { code: 'uri-too-long' };
  if (rawHeaders.length > 2 * MAX_HEADER_LINES) return { code: 'headers-too-large' };
  const refuse = (detail: string): Problem => ({ code: 'bad-request', detail });
  if (!url.startsWith('/') && !isAboutServer(request))
    return refuse(
      /^https?:/i.test(url)
        ? 'An absolute address must have the authority of the Host header.'
        : 'The path must start with a slash.',
    );
  if (url.includes('#'))
    return refuse('A path must not contain a fragment. Remove # and everything after it.'); // RFC 9112, 3.2
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length === 1 || (hosts.length === 0 && httpVersion === '1.0')) return undefined;
  return refuse('The request must have exactly one Host header.');
}

/**
 * Reads a refused body, within limits, before the response is sent. If the connection closed while the body is on its
 * way, the client would get a reset instead of the response, and a proxy would send 502.
 */
function discardBody(request: IncomingMessage, done: () => void): void {
  let bytes = 0;
  const end = (): void => {
    stop();
    request.off('data', count).off('end', end).off('close', end);
    done();
  };
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) end();
  };
  const stop = startPatience(DISCARD_MS, end);
  request.on('data', count).on('end', end).on('close', end).resume();
}

/** Returns the path as it was sent, without the query. */
export function readPath({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  return url.split('?', 1)[0]!;
}

/** Returns the query as it was sent, without the `?`. */
export function readQuery({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

const RAW_PROBLEMS: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: { code: 'headers-too-large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 'too-large' },
  HPE_INVALID_METHOD: { code: 'bad-request', detail: 'The method of the request does not exist in HTTP.' },
};

/** Answers a request that Node could not parse. */
export function answerRawError(publicUrl: string, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  else refuseRaw(publicUrl, RAW_PROBLEMS[error.code ?? ''] ?? { code: 'bad-request' }, socket);
}

/** Sends a problem, unless a response is unfinished, and closes the connection. */
export function refuseRaw(publicUrl: string, problem: Problem, socket: Duplex): void {
  // a response has begun, or will begin because the request is complete; a broken body is refused
  const isAnswering = connectionOf(socket)?.responses.some(
    (response) => !response.writableFinished && (response.headersSent || response.req.complete),
  );
  if (!socket.writable || isAnswering) socket.destroy();
  else endRaw(publicUrl, problem, socket);
}

/** Refuses CONNECT. Node passes us only the socket, not a response. */
function refuseConnect(publicUrl: string, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  endRaw(publicUrl, { code: 'method-not-allowed' }, socket, { allow: 'GET, HEAD, OPTIONS' });
}

// importing node:http runs all its getters: loading fetch and WebSocket takes 40 ms at each start
const { STATUS_CODES } = process.getBuiltinModule('node:http');

function endRaw(
  publicUrl: string,
  problem: Problem,
  socket: Duplex,
  more: Record<string, string> = {},
): void {
  const body = formatProblem(publicUrl, problem);
  const { status } = body;
  const text = JSON.stringify(body);
  const headers = {
    ...problemHeaders,
    ...more,
    date: new Date().toUTCString(),
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${text}`, () =>
    socket.destroy(),
  );
}
