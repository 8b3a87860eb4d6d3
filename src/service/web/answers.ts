/** Sends responses: charges the client, compresses the body, and sends 304 if the client has the same version. */

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { Day, Instant } from '../../shared/day.ts';
import { EVERYTHING, formatList } from '../../shared/question.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import { findRecentUndecided, type UndecidedDays } from '../../shared/undecided.ts';
import type { ListingIndex } from '../search/index/open.ts';
import type { Caveat, ServedData, ServerContext, Services } from './context.ts';
import { chargeAnswer } from './limits/charge.ts';
import type { Price } from './limits/limiter.ts';
import { chooseEncoding, type Encoding } from './negotiation.ts';
import type { Problem } from './problems.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Formats an instant for responses, without fractions of a second. */
export function formatInstant(instant: Instant | null): string | null {
  return instant === null ? null : `${instant.slice(0, 19)}Z`;
}

/** Returns a function that reads the served data. Before the first index, that function returns `undefined`. */
export function openDataReader(services: Services): () => ServedData | undefined {
  const { index, dataAsOf, version, city, publicUrl, mayEmbed } = services;
  // all that a body may depend on besides the data
  const configuration = makeEtag(JSON.stringify([version, city, publicUrl, mayEmbed]));
  let data: ServedData | undefined;
  return () => {
    const current = index();
    if (current === undefined) return undefined;
    const shownAsOf = formatInstant(dataAsOf());
    if (data?.index === current && data.dataAsOf === shownAsOf) return data;
    const listings = `${current.version} ${current.day}`;
    const undecided = services.leftOut?.()?.undecided ?? new Map<Day, number>();
    const leftOut = hash('sha256', JSON.stringify([...undecided]));
    data = {
      index: current,
      dataAsOf: shownAsOf,
      undecided,
      caveats: listCaveats(current, undecided),
      // the time is left out, because an import may find nothing new
      listingsVersion: hash('sha256', listings).slice(0, 7),
      makeEtag: (text, isDated = true) =>
        makeEtag(`${configuration} ${listings} ${leftOut} ${isDated && shownAsOf} ${text}`),
    };
    return data;
  };
}

function listCaveats(index: ListingIndex, undecided: UndecidedDays): Caveat[] {
  const { latestFiling } = index;
  if (latestFiling === null) return [];
  const years = findRecentUndecided(undecided, latestFiling, (days) =>
    index.count({ ...EVERYTHING, ...days }),
  );
  if (years.length === 0) return [];
  const said = formatList(years.map(([year, rows]) => `${formatNumber(rows)} of ${year}`));
  const detail = `Applications that are pending, denied or withdrawn are not counted: ${said}. Counts of the newest year are too low beside those of the year before.`;
  return [{ code: 'recent-skips', detail, by_year: Object.fromEntries(years) }];
}

/** Makes a strong ETag for a response that depends only on `text`. All instances make the same. */
export function makeEtag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 16)}"`;
}

/** Returns whether an If-None-Match header (a list, `*`, weak tags) contains this ETag. */
function matchesEtag(header: string, etag: string): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

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

const WORTH_COMPRESSING = 1024;
const QUICK = 1; // less than half the time of quality 3, and 8 % larger
const THOROUGH = 10; // a tenth smaller than quality 9, and hardly slower
const WINDOW_BITS = 18; // a quarter of a mebibyte holds a page: a larger one takes a quarter more time to prepare
const compressed = new WeakMap<Buffer, Map<Encoding, Buffer>>();

/**
 * Compresses a body and sends it: a text at once, because a thread takes more CPU time to hand over (0.4 ms) than to compress
 * (0.3 ms for 52,000 characters), and a buffer once, at the highest quality.
 */
function sendCompressed(
  reply: FastifyReply,
  body: string | Buffer,
  encoding: Encoding,
): FastifyReply | Promise<FastifyReply> {
  reply.header('content-encoding', encoding);
  if (typeof body === 'string') {
    const options = optionsOf(body, QUICK);
    return reply.send(encoding === 'br' ? brotliCompressSync(body, options) : gzipSync(body, options));
  }
  const known = compressed.getOrInsertComputed(body, () => new Map());
  const bytes = known.get(encoding);
  if (bytes !== undefined) return reply.send(bytes);
  return inThread[encoding](body, optionsOf(body, THOROUGH)).then((made) => {
    known.set(encoding, made);
    return reply.send(made);
  });
}

/** Compresses in Node's thread pool. */
const inThread: Record<Encoding, (body: Buffer, options: object) => Promise<Buffer>> = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
};

function optionsOf({ length }: string | Buffer, quality: number) {
  return {
    level: Math.min(quality, 9), // of gzip
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  };
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export type PageOptions = {
  /**
   * The referrer policy. An address with a token needs `no-referrer`. A page with a form needs `same-origin`, because
   * with `no-referrer` browsers send the form with `Origin: null`, as if from another site.
   */
  referrer?: 'no-referrer' | 'same-origin';
  /** The `X-Robots-Tag` header. Default: `noindex`. */
  robots?: string;
  /** Whether scripts of the page may use the browser's position. */
  mayLocate?: boolean;
};

export function pageHeaders(
  { publicUrl }: Pick<ServerContext, 'publicUrl'>,
  { referrer = 'no-referrer', robots = 'noindex', mayLocate = false }: PageOptions = {},
): Record<string, string> {
  return {
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': referrer,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': `geolocation=${mayLocate ? '(self)' : '()'}`,
    'x-robots-tag': robots,
  };
}

/** Sends a page that caches must not store. */
export function sendPage(
  context: Pick<ServerContext, 'publicUrl'>,
  reply: FastifyReply,
  html: string,
  { status = 200, ...options }: PageOptions & { status?: number } = {},
): FastifyReply {
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '5');
  reply.headers({ ...pageHeaders(context, options), 'cache-control': 'no-store' });
  return reply.code(status).send(html);
}
