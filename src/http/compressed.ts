/** Compresses what people's browsers load, in Node's threads rather than the one that answers. Answers to programs are left alone. */

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Ask, Reply } from './reply.ts';

type Encoding = 'br' | 'gzip';

const QUICK = 4; // 60 KB in 1 ms; quality 9 takes 5
const THOROUGH = 9;
const kept = new WeakMap<Buffer, Map<Encoding, Buffer>>();

/** What the browser takes and we make; brotli where it has the choice. */
export function encodingFor({ headers }: Pick<Ask, 'headers'>): Encoding | undefined {
  const taken = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.replaceAll(' ', ''))
    .filter((one) => !/;q=0(\.0*)?$/.test(one))
    .map((one) => one.split(';', 1)[0]);
  return (['br', 'gzip'] as const).find((encoding) => taken.includes(encoding));
}

/** The same answer, compressed if it is taken so. A body that is `lasting` is compressed thoroughly and once. */
export function compressed(ask: Ask, reply: Reply, lasting: boolean): Reply | Promise<Reply> {
  const { body } = reply;
  const encoding = encodingFor(ask);
  const varying = { ...reply, headers: [...reply.headers, 'Vary', 'Accept-Encoding'] };
  if (encoding === undefined || body === null || typeof body === 'string') return varying;
  const encoded = (bytes: Buffer): Reply => ({
    ...varying,
    headers: [...varying.headers, 'Content-Encoding', encoding],
    body: bytes,
  });
  const known = kept.get(body)?.get(encoding);
  if (known !== undefined) return encoded(known);
  return pressed(body, encoding, lasting ? THOROUGH : QUICK).then((bytes) => {
    if (lasting) kept.set(body, (kept.get(body) ?? new Map<Encoding, Buffer>()).set(encoding, bytes));
    return encoded(bytes);
  });
}

function pressed(body: Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(body, { level: quality });
  return promisify(brotliCompress)(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  });
}
