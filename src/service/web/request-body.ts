/** Parses request bodies strictly: only the expected types, UTF-8, and no repeated field. */

import type { IncomingMessage } from 'node:http';
import { JSONParser } from '@streamparser/json';
import type { FastifyRequest } from 'fastify';

export const FORM_LIMIT_BYTES = 4096;

export function readBody({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Returns whether the body has this type, in UTF-8 and uncompressed. */
export function isOfType(headers: IncomingMessage['headers'], type: string): boolean {
  const [given = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const isUtf8 = parameters.every((parameter) => /^\s*charset\s*=\s*"?utf-8"?\s*$/i.test(parameter));
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  return given.trim().toLowerCase() === type && isUtf8 && encoding === 'identity';
}

/** Parses the body as a JSON object. `keys` includes repeated keys. Returns `undefined` for other bodies. */
export function parseJsonObject(
  body: Buffer,
): { value: Record<string, unknown>; keys: readonly string[] } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(textIn(body) ?? '');
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return { value: value as Record<string, unknown>, keys: keysOf(body) };
}

/** Lists all keys, including repeated ones. `JSON.parse` alone would silently keep the last of them. */
function keysOf(body: Buffer): string[] {
  const keys: string[] = [];
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  parser.onValue = ({ key }) => {
    keys.push(String(key));
  };
  parser.write(body);
  return keys;
}

/** Reads a form. Returns `undefined` for other types and encodings, or if a field that is not a list is repeated. */
export function readForm(request: FastifyRequest, lists: readonly string[]): URLSearchParams | undefined {
  const isForm = isOfType(request.headers, 'application/x-www-form-urlencoded');
  const text = isForm ? textIn(readBody(request)) : undefined;
  if (text === undefined) return undefined;
  const form = new URLSearchParams(text);
  const single = [...form.keys()].filter((name) => !lists.includes(name));
  return new Set(single).size < single.length ? undefined : form;
}

function textIn(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
