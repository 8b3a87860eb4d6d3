/** Makes tokens for links. A token is 256 random bits, and only the email contains it: the database has its SHA-256. */

import { hash, randomBytes } from 'node:crypto';
import type { Instant } from '../../shared/day.ts';

/** The purpose of a link. A link cannot be used for another purpose. */
export type Purpose = 'confirm' | 'unsubscribe' | 'manage';

export type TokenLookup = { hash: string; purpose: Purpose; at: Instant };

/** Makes a token (43 characters, base64url) and its hash. */
export function makeToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** Returns the hash of a token or another text. The time to look up a hash reveals nothing about the token. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Makes an unguessable name from 128 random bits. */
export function makeRandomName(): string {
  return randomBytes(16).toString('hex');
}
