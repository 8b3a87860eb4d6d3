/** Makes tokens for links: 256 random bits that only the email contains. The database stores their SHA-256. */

import { hash, randomBytes } from 'node:crypto';
import type { Instant } from '../listings/day.ts';

/** The purpose of a link, which is rejected for any other purpose. */
export type Purpose = 'confirm' | 'unsubscribe' | 'manage';

export type TokenLookup = { hash: string; purpose: Purpose; at: Instant };

/** Makes a token (43 characters, base64url) and its hash. */
export function makeToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** Returns the hash of a token or any other text. A lookup by hash reveals nothing. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Makes an unguessable, meaningless name: 128 random bits. */
export function makeRandomName(): string {
  return randomBytes(16).toString('hex');
}
