/** `shingle desk`: pages for the operator on this machine, in a process of their own, opened by a link that works once, for an hour. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { isLoopback } from '../../../shared/city/networks.ts';
import { messageOf, refusedError, ShingleError, usageError } from '../../../shared/errors.ts';
import type { Service } from '../../operations/service.ts';
import { printError, printLine } from '../terminal.ts';
import { LINK_MS, openGate, SESSION_MS } from './desk-gate.ts';
import { openDeskPages } from './desk-pages.ts';

const MOST_FORM_BYTES = 16_384;
const STYLE = readFileSync(new URL('../operator.css', import.meta.url), 'utf8');
const POLICY = [
  "default-src 'none'; style-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');
/** An email, or the rows of a register: styles stand in the text, and nothing in it can run, lead away or be framed elsewhere. */
const FOREIGN_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin', // without a referrer, a browser hides the origin of a form
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Serves the desk until its hour is over or a signal ends it. */
export async function serveDesk(
  service: Service,
  { port = 0, listen: host = '127.0.0.1' }: { port?: number; listen?: string },
): Promise<void> {
  if (isIP(host) === 0) throw usageError('--listen must be an IP address');
  const desk = await openDesk(service, { port, host });
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, desk.close);
  if (!isLoopback(host))
    printError('the desk listens on more than this machine: publish its port to 127.0.0.1 alone');
  const minutes = LINK_MS / 60_000;
  printLine(`Open this link in your browser within ${minutes} minutes. It works once:\n  ${desk.url}`);
  printLine(`From another machine, first: ssh -L ${desk.port}:127.0.0.1:${desk.port} HOST`);
  printLine('The desk closes one hour after you open it, or when you press Ctrl-C.');
  await desk.closed;
}

/** Starts the desk on an address, and on any free port with the port 0. Returns the link that opens it, once, and a promise of its end. Throws `refused` if the port is taken. */
export async function openDesk(
  service: Service,
  { port, host, now = Date.now }: { port: number; host: string; now?: () => number },
) {
  const gate = openGate(now);
  const pages = openDeskPages(service);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const entrance = gate.enter(request);
    if (entrance.kind === 'refuse') return send(response, entrance.status, 'text/plain', `${entrance.why}\n`);
    if (entrance.kind === 'admit') {
      response.setHeader('set-cookie', entrance.cookie);
      scheduleEnd(SESSION_MS);
      return redirect(response, entrance.location);
    }
    const { path } = entrance;
    if (path === 'desk.css') return send(response, 200, 'text/css', STYLE);
    if (request.method === 'POST') {
      const next = await pages.act(path, await readForm(request));
      return redirect(response, gate.root + next);
    }
    if (request.method !== 'GET') return send(response, 405, 'text/plain', 'Use GET or POST.\n');
    const query = new URLSearchParams(request.url!.split('?')[1]);
    const page = await pages.show(path, query, gate.root);
    if (page === undefined) return send(response, 404, 'text/plain', 'There is no such page.\n');
    send(response, 200, 'text/html', page.html, page.isForeign ? FOREIGN_POLICY : POLICY);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const status = error instanceof ShingleError ? 400 : 500;
      send(response, status, 'text/plain', `${messageOf(error)}\n`);
    });
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  const closed = once(server, 'close');
  let timer: NodeJS.Timeout | undefined;
  function close(): void {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  }
  function scheduleEnd(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(close, ms);
  }
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw refusedError(`the desk cannot listen on ${host}:${port} (${messageOf(error)})`);
  }
  scheduleEnd(LINK_MS);
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host === '::1' ? '[::1]' : '127.0.0.1'}:${bound}${gate.link}`,
    port: bound,
    closed,
    close,
  };
}

function send(response: ServerResponse, status: number, type: string, body: string, policy = POLICY): void {
  if (response.headersSent) return void response.destroy();
  const headers = { ...HEADERS, 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy };
  response.writeHead(status, headers).end(body);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { ...HEADERS, location }).end();
}

/** Reads a form. Throws `usage` for one that is too large or of another type. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers['content-type'] ?? ''))
    throw usageError('This is not a form.');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_FORM_BYTES) throw usageError('This form is too large.');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
