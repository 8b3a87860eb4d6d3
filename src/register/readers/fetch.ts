/** Downloads files with limits and retries. Redirects need an allowed host. Errors never quote the server. */

import { lookup } from 'node:dns';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createUnzip } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../../shared/city/networks.ts';
import { messageOf, sourceError } from '../../shared/errors.ts';

const MOST_REDIRECTS = 5;
const KEEP_ALIVE_MS = 1_000_000;
const CLOSING_MS = 1_000;
const INCOMPLETE = 'ERR_STREAM_PREMATURE_CLOSE';
export const RATIO_COUNTS_FROM = 1024 * 1024; // smaller files may compress very well without being an attack

export const FETCH_LIMITS = {
  stalledMs: 30_000,
  totalMs: 30 * 60_000,
  wireBytes: 512 * 1024 * 1024,
  unpackedBytes: 2 * 1024 * 1024 * 1024,
  /** Maximum unpacked bytes for each downloaded byte. */
  ratio: 100,
  /** The wait before the second attempt. It doubles with each further attempt. */
  retryMs: 2_000,
};

export type Validators = { etag?: string | undefined; lastModified?: string | undefined };

export type FetchOptions = {
  /** Identifies Shingle and its operator to the publisher. */
  userAgent: string;
  /** Other hosts, with port if any, to which the address may redirect. */
  hosts?: readonly string[];
  limits?: Partial<typeof FETCH_LIMITS>;
  /** Ends several downloads together. Without a deadline, each download may take `limits.totalMs`. */
  deadline?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>>;
  known?: Validators | undefined;
};

type Fetching = { limits: typeof FETCH_LIMITS; signal: AbortSignal; options: FetchOptions };

/** Downloads a file, or returns `same` if it has not changed since `known`. Leaves no file if it throws `source`. */
export async function fetchTo(
  address: string,
  path: string,
  options: FetchOptions,
): Promise<Validators | 'same'> {
  const limits = { ...FETCH_LIMITS, ...options.limits };
  const signal = options.deadline ?? AbortSignal.timeout(limits.totalMs);
  const fetching = { limits, signal, options };
  const url = parseFetchUrl(address);
  // a lost connection keeps no process alive, which would then end without a result
  const alive = setInterval(() => undefined, KEEP_ALIVE_MS);
  try {
    return await retryPolitely(limits.retryMs, signal, async () => {
      await rm(path, { force: true });
      const answer = await followRedirects(url, fetching);
      if (answer === 'same') return answer;
      await save(answer, path, fetching);
      return { etag: answer.headers.etag, lastModified: answer.headers['last-modified'] };
    });
  } catch (error) {
    await rm(path, { force: true });
    const why = signal.aborted ? `the download took longer than ${limits.totalMs / 1000} s` : reasonOf(error);
    // the query is omitted, because it may contain a token
    const sentence = `${url.origin}${url.pathname} cannot be fetched: ${why}`;
    throw sourceError(sentence, error);
  } finally {
    clearInterval(alive);
  }
}

function parseFetchUrl(address: string): URL {
  const url = URL.parse(address);
  if (url === null) throw sourceError('the URL is not valid');
  const where = `${url.origin}${url.pathname}`;
  if (url.username !== '' || url.password !== '')
    throw sourceError(`${where}: URLs with a user name or password are not allowed`);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url;
  throw sourceError(`${where}: only https is allowed (http only for this machine)`);
}

async function followRedirects(first: URL, fetching: Fetching): Promise<IncomingMessage | 'same'> {
  let url = first;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const answer = await sendRequest(url, fetching, url.host !== first.host);
    const { statusCode = 0, headers } = answer;
    if (statusCode === 200) return answer;
    answer.destroy();
    if (statusCode === 304 && fetching.options.known !== undefined) return 'same';
    if (![301, 302, 303, 307, 308].includes(statusCode)) throw toHttpError(statusCode, headers);
    const { location } = headers;
    const next = location === undefined ? null : URL.parse(location, url.href);
    url = checkRedirect(first, next, fetching.options);
  }
  throw new Error(`the server redirects more than ${MOST_REDIRECTS} times`);
}

function checkRedirect(first: URL, url: URL | null, { hosts = [] }: FetchOptions): URL {
  if (url === null) throw new Error('the server redirects to an invalid URL');
  if (url.protocol !== first.protocol)
    throw new Error(`the server redirects to another scheme (${url.protocol})`);
  if (url.host === first.host) return url;
  if (!hosts.includes(url.host))
    throw new Error(`the server redirects to another host (${url.host}). If this is correct, use that URL`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // a host name is checked after it is resolved
  if (isIP(host) !== 0 && !isPublicAddress(host))
    throw new Error('the server redirects to a private address');
  return url;
}

/** Returns the headers of a request. Only the publisher's own host gets the token and the validators. */
function headersFor({ userAgent, headers, known }: FetchOptions, elsewhere: boolean): Record<string, string> {
  const plain = { 'user-agent': userAgent, 'accept-encoding': 'identity, gzip', accept: '*/*' };
  if (elsewhere) return plain;
  return {
    ...plain,
    ...headers,
    ...(known?.etag !== undefined && { 'if-none-match': known.etag }),
    ...(known?.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
  };
}

async function sendRequest(
  url: URL,
  { limits, signal, options }: Fetching,
  elsewhere: boolean,
): Promise<IncomingMessage> {
  // loaded only for a download, because importing node:http takes 40 ms
  const client = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const asking: RequestOptions = {
    headers: headersFor(options, elsewhere),
    signal,
    timeout: limits.stalledMs,
    agent: false,
    ...(elsewhere && { lookup: publicLookup }),
  };
  return new Promise((resolve, reject) => {
    const request = client.request(url, asking, (answer) => {
      request.on('timeout', () => answer.destroy(stalled));
      // without a length, a body that is cut off by an error would seem complete
      request.on('error', (error) => {
        if (!answer.complete) answer.destroy(error);
      });
      resolve(answer);
    });
    const stalled = new Error(`no data arrived for ${limits.stalledMs / 1000} s`);
    request.on('timeout', () => request.destroy(stalled));
    request.on('error', reject).end();
  });
}

async function save(answer: IncomingMessage, path: string, { limits, signal }: Fetching): Promise<void> {
  let wire = 0;
  let unpacked = 0;
  const onWire = limitBytes((bytes) => {
    wire += bytes;
    return wire > limits.wireBytes ? `the response is larger than ${limits.wireBytes} bytes` : undefined;
  });
  const onDisk = limitBytes((bytes) => {
    unpacked += bytes;
    if (unpacked > limits.unpackedBytes)
      return `the response is larger than ${limits.unpackedBytes} bytes unpacked`;
    const isBomb = unpacked > RATIO_COUNTS_FROM && unpacked > wire * limits.ratio;
    return isBomb ? `the response unpacks to more than ${limits.ratio} times its size` : undefined;
  });
  const encoding = (answer.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (!['', 'identity', 'gzip', 'x-gzip', 'deflate'].includes(encoding))
    throw new Error('the response has an unsupported content encoding');
  const unpack = encoding === '' || encoding === 'identity' ? [] : [createUnzip()];
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx' });
  const stop = new AbortController();
  const saved = pipeline([answer, onWire, ...unpack, onDisk, file], {
    signal: AbortSignal.any([signal, stop.signal]),
  });
  try {
    await Promise.race([saved, untilLost(answer, signal)]);
  } catch (error) {
    stop.abort();
    await Promise.race([saved.catch(() => undefined), sleep(CLOSING_MS)]); // so that nothing writes to the file afterwards
    throw error;
  }
}

/** Rejects some time after the connection is lost or `signal` is aborted, should the streams behind it never end. */
function untilLost(answer: IncomingMessage, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const lost = Object.assign(new Error('the response is incomplete'), { code: INCOMPLETE });
    const lose = () => setTimeout(reject, CLOSING_MS, lost).unref();
    signal.addEventListener('abort', lose, { once: true });
    answer.once('error', lose);
    answer.once('close', () => {
      if (!answer.complete) lose();
    });
  });
}

export function limitBytes(objection: (bytes: number) => string | undefined): Transform {
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const why = objection(chunk.length);
      done(why === undefined ? null : new Error(why), chunk);
    },
  });
}

const publicLookup: LookupFunction = (host, options, found) => {
  lookup(host, options, (error, address, family) => {
    const addresses = typeof address === 'string' ? [address] : (address ?? []).map((one) => one.address);
    const arePublic = addresses.every(isPublicAddress);
    found(
      error ?? (arePublic ? null : new Error('the server redirects to a private address')),
      address,
      family,
    );
  });
};

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ECONNRESET' || code === INCOMPLETE) return 'the response is incomplete';
  if (code?.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE')
    return 'the response does not match its content encoding';
  return messageOf(error) || String(code);
}

const PUBLIC_IPV4 = ['unicast', 'as112', 'amt'];
/** The only block from which IANA assigns public IPv6 addresses. All others are refused. */
const GLOBAL_UNICAST_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((block) =>
  ipaddr.IPv6.parseCIDR(block),
);

export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, ''); // without the interface name of a link-local address
  if (isIP(bare) === 0) return false;
  const parsed = ipaddr.parse(bare);
  if (parsed instanceof ipaddr.IPv4) return PUBLIC_IPV4.includes(parsed.range());
  return parsed.match(GLOBAL_UNICAST_IPV6) && !NOT_PUBLIC_IPV6.some((block) => parsed.match(block));
}

const MOST_REQUEST_TRIES = 5;
const LONGEST_RETRY_MS = 5 * 60_000; // if the publisher asks for a longer wait, the next run tries again
const PASSING_STATUS = [429, 500, 502, 503, 504];
const PASSING_CODE = /^(ECONNRESET|ECONNREFUSED|ETIMEDOUT|EPIPE|EAI_AGAIN|ERR_STREAM_PREMATURE_CLOSE)$/;

function toHttpError(status: number, headers: Record<string, unknown>): Error {
  const retryAfterMs = retryAfterMsOf(String(headers['retry-after'] ?? ''), String(headers.date ?? ''));
  return Object.assign(new Error(`the server returned ${status}`), { status, retryAfterMs });
}

type Refusal = { status?: number; retryAfterMs?: number | undefined; code?: string };

/** Retries after random waits that double each time, and are at least as long as the server requests. */
async function retryPolitely<T>(firstMs: number, signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      const { status, code = '', retryAfterMs = 0 } = error as Refusal;
      const mayPass = status === undefined ? PASSING_CODE.test(code) : PASSING_STATUS.includes(status);
      if (tried === MOST_REQUEST_TRIES || !mayPass || retryAfterMs > LONGEST_RETRY_MS || signal.aborted)
        throw error;
      const backOffMs = firstMs * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
      await sleep(Math.max(backOffMs, retryAfterMs), undefined, { signal });
    }
  }
}

/** Reads `Retry-After`: seconds, or a date (RFC 9110 section 10.2.3), relative to the server's own clock. */
function retryAfterMsOf(text: string, date: string): number | undefined {
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000;
  const waitMs = Date.parse(text) - Date.parse(date);
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
