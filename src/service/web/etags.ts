/** Makes and compares ETags, by which a client that has a version of an answer gets 304 instead. */

import { hash } from 'node:crypto';

/** Makes a strong ETag for a response that depends only on `text`. All instances make the same. */
export function makeEtag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 16)}"`;
}

/** Returns whether an If-None-Match header (a list, `*`, weak tags) contains this ETag. */
export function matchesEtag(header: string, etag: string): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
