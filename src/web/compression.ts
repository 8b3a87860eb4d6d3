/** Compresses pages for browsers, in Node's threads and not in the one that answers. JSON responses are not compressed. */

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Encoding = 'br' | 'gzip';

const QUICK = 4; // 60 KB in 1 ms; quality 9 takes 5
const THOROUGH = 9;
const kept = new WeakMap<Buffer, Map<Encoding, Buffer>>();

/** The encoding that the client accepts and we support; brotli if both are possible. */
export function chooseEncoding({ headers }: Pick<FastifyRequest, 'headers'>): Encoding | undefined {
  const taken = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.replaceAll(' ', ''))
    .filter((one) => !/;q=0(\.0*)?$/.test(one))
    .map((one) => one.split(';', 1)[0]);
  return (['br', 'gzip'] as const).find((encoding) => taken.includes(encoding));
}

/** Sends a body, compressed if the client accepts that. A body that `isLasting` is compressed well, and only once. */
export async function sendCompressed(
  reply: FastifyReply,
  body: Buffer,
  { isLasting }: { isLasting: boolean },
): Promise<FastifyReply> {
  const encoding = chooseEncoding(reply.request);
  reply.header('vary', 'Accept-Encoding');
  if (encoding === undefined) return reply.send(body);
  reply.header('content-encoding', encoding);
  const known = kept.get(body)?.get(encoding);
  if (known !== undefined) return reply.send(known);
  const bytes = await compress(body, encoding, isLasting ? THOROUGH : QUICK);
  if (isLasting) kept.set(body, (kept.get(body) ?? new Map<Encoding, Buffer>()).set(encoding, bytes));
  return reply.send(bytes);
}

function compress(body: Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(body, { level: quality });
  return promisify(brotliCompress)(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  });
}
