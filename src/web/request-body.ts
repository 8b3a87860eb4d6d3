/** Parses request bodies strictly: only the expected types, UTF-8, and no repeated field. */

import type { IncomingMessage } from 'node:http';
import { JSONParser } from '@streamparser/json';
import type { FastifyRequest } from 'fastify';

/** Bytes, unless a route sets another limit. */
export const FORM_LIMIT_BYTES = 4096;

/** The body as bytes; empty if there is none. */
export function readBody({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Whether a form or a script of another site sent the request. Browsers send their origin; programs do not. */
export function isForeign({ publicUrl }: { publicUrl: string }, { headers }: FastifyRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && !isOwnOrigin(publicUrl, origin, host);
}

/** `Host` proves nothing, because anyone can point a domain at this service. The names of this machine cannot be taken over like that. */
function isOwnOrigin(publicUrl: string, origin: string, host: string | undefined): boolean {
  const own = new URL(publicUrl);
  if (origin === own.origin) return true;
  if (!isOfThisMachine(own.hostname) || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  return isOfThisMachine(from.hostname) && from.host === host;
}

/** Loopback, or all addresses, as `HOST` may be. */
function isOfThisMachine(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}

/** Whether the body is of this type, in UTF-8 and not compressed. */
export function isOfType(headers: IncomingMessage['headers'], type: string): boolean {
  const [given = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const isUtf8 = parameters.every((parameter) => /^\s*charset\s*=\s*"?utf-8"?\s*$/i.test(parameter));
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  return given.trim().toLowerCase() === type && isUtf8 && encoding === 'identity';
}

/** The body as JSON, with all keys of the outermost object, including repeated ones; `undefined` for anything else. */
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

/** `JSON.parse` keeps the last of two equal keys without an error. */
function keysOf(body: Buffer): string[] {
  const keys: string[] = [];
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  parser.onValue = ({ key }) => {
    keys.push(String(key));
  };
  parser.write(body);
  return keys;
}

/** The fields of a form; `undefined` if it is not UTF-8, or if a field is repeated that is not a list. */
export function parseFormFields(
  body: Buffer,
  lists: readonly string[] = [],
): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  const text = textIn(body);
  if (text === undefined) return undefined;
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name) && !lists.includes(name)) return undefined;
    fields.set(name, value);
  }
  return fields;
}

/** All values of a field of a form, without empty ones. */
export function readFormList(body: Buffer, name: string): string[] {
  return new URLSearchParams(textIn(body) ?? '').getAll(name).filter((value) => value !== '');
}

function textIn(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
