/** Tokens in links: 256 random bits that only the email contains. The database has their SHA-256. */

import { hash, randomBytes } from 'node:crypto';
import type { Instant } from '../listings/day.ts';

/** What a link can be used for; a link for one purpose is refused for all others. */
export type Purpose = 'confirm' | 'unsubscribe' | 'manage';

/** A token as the database knows it: its hash, what it is used for, and when. */
export type TokenLookup = { hash: string; purpose: Purpose; at: Instant };

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A new token (43 characters, base64url) and its hash. */
export function makeToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hash('sha256', token, 'base64url') };
}

/** The hash a token is stored under; `undefined` for what cannot be one. A look-up by hash reveals nothing. */
export function hashToken(token: string): string | undefined {
  return TOKEN.test(token) ? hash('sha256', token, 'base64url') : undefined;
}

/** A name that nobody can guess and that says nothing: 128 random bits. */
export function makeRandomName(): string {
  return randomBytes(16).toString('hex');
}
