/**
 * What Node's parser lets through although nobody should send it, and what it refuses without a word.
 * Only rules of HTTP itself; nothing here knows a route.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Problem, type ProblemCode, problemReply } from './problem.ts';

// Importing node:http runs every getter it exports, which loads fetch and WebSocket: 40 ms at each start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');
const MOST_HEADER_LINES = 64;
const LONGEST_URL = 2048;

/** What is wrong with the request as HTTP, if anything; the connection must end with the answer. */
export function protocolFault(request: IncomingMessage): Problem | undefined {
  const { rawHeaders } = request;
  const url = request.url ?? '';
  if (url.length > LONGEST_URL) return { code: 'uri-too-long' };
  if (rawHeaders.length > 2 * MOST_HEADER_LINES) return { code: 'headers-too-large' };
  if (url.charCodeAt(0) !== 47) return { code: 'bad-request', detail: 'The path must start with a slash.' };
  if (url.includes('#'))
    return { code: 'bad-request', detail: 'A path has no fragment: leave out # and what follows.' }; // RFC 9112, 3.2
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 ? undefined : { code: 'bad-request', detail: 'There must be exactly one Host header.' };
}

/** A body is never read here, so what follows it on the connection cannot be trusted to be the next request. */
export function carriesBody(request: IncomingMessage): boolean {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined) return true;
  return headers['content-length'] !== undefined && headers['content-length'] !== '0';
}

const CODES: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'timeout',
};

/** Answers what Node could not parse and ends the connection; says nothing where an answer is already under way. */
export function refuseRaw(publicUrl: string, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  endRaw(publicUrl, { code: CODES[error.code ?? ''] ?? 'bad-request' }, socket);
}

/**
 * Whether anything else than the refusal may still come on this connection: an answer that has begun, or one to a request that was
 * whole, and what is refused came behind it. A request whose own body is late or broken gets none but the refusal.
 */
function isAnswering(socket: Duplex): boolean {
  const answer = ('_httpMessage' in socket ? socket._httpMessage : null) as ServerResponse | null;
  return answer !== null && (answer.headersSent || answer.req.complete);
}

/** CONNECT never reaches a route: Node hands over the bare socket. */
export function refuseConnect(publicUrl: string, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  endRaw(publicUrl, { code: 'method-not-allowed', headers: ['Allow', 'GET, HEAD, OPTIONS'] }, socket);
}

function endRaw(publicUrl: string, problem: Problem, socket: Duplex): void {
  const { status, headers, body } = problemReply(publicUrl, problem);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  lines.push(
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${body?.length ?? 0}`,
    'Connection: close',
  );
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, () => socket.destroy());
}
