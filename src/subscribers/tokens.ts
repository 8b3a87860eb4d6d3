/** Tokens in links: 256 random bits that only the mail holds. What is kept is their SHA-256. */

import { hash, randomBytes } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A fresh token (43 characters, base64url) and its hash. */
export function makeToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hash('sha256', token, 'base64url') };
}

/** The hash a token is kept under; `undefined` for what cannot be one. A look-up by hash leaks nothing by its time. */
export function hashToken(token: string): string | undefined {
  return TOKEN.test(token) ? hash('sha256', token, 'base64url') : undefined;
}

/** A name that nobody can guess and that says nothing: 128 random bits. */
export function makeRandomName(): string {
  return randomBytes(16).toString('hex');
}
