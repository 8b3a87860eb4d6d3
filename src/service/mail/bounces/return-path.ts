/**
 * Makes return paths that name their message (VERP), so that a delivery report identifies the recipient even if the
 * mail was forwarded. In `bounces+TOKEN@example.org`, the token consists of the message's name and a keyed hash, which
 * prevents forgery.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignupType } from '../../../shared/signup/signups.ts';

/** The address for delivery reports, without `+` in its local part. */
export type BounceAddress = { local: string; domain: string };

/** A message, with the subscription it was sent for. */
export type ReportedMessage = { message: string; subscriber: string; type: SignupType };

/** The content of a token, not yet verified by `isGenuine`. */
export type ReturnPathToken = { message: string; proof: Buffer };

const MESSAGE_BYTES = 16;
const PROOF_BYTES = 10; // RFC 2104 section 5: at least 80 bits of the hash
/** Length of a token in base 36, which survives changes of case. A local part has at most 64 characters (RFC 5321). */
const TOKEN_LENGTH = 41;
const RETURN_TOKEN = /^[0-9a-z]{41}$/;

export function makeReturnPath(
  { local, domain }: BounceAddress,
  key: string,
  reported: ReportedMessage,
): string {
  const bytes = `0x${reported.message}${computeProof(key, reported).toString('hex')}`;
  return `${local}+${BigInt(bytes).toString(36).padStart(TOKEN_LENGTH, '0')}@${domain}`;
}

/** Reads the token of a return path. Returns `undefined` for other addresses. */
export function readReturnPath(
  { local, domain }: BounceAddress,
  address: string,
): ReturnPathToken | undefined {
  const given = address.toLowerCase();
  const [before, after] = [`${local}+`.toLowerCase(), `@${domain}`.toLowerCase()];
  const token = given.slice(before.length, -after.length);
  if (given !== `${before}${token}${after}` || !RETURN_TOKEN.test(token)) return undefined;
  const digits = [...token].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
  const hex = digits.toString(16).padStart(2 * (MESSAGE_BYTES + PROOF_BYTES), '0');
  if (hex.length > 2 * (MESSAGE_BYTES + PROOF_BYTES)) return undefined;
  return {
    message: hex.slice(0, 2 * MESSAGE_BYTES),
    proof: Buffer.from(hex.slice(2 * MESSAGE_BYTES), 'hex'),
  };
}

/** Returns whether a token was made with this key for this message. Takes constant time. */
export function isGenuine({ proof }: ReturnPathToken, key: string, reported: ReportedMessage): boolean {
  return timingSafeEqual(proof, computeProof(key, reported));
}

function computeProof(key: string, { message, subscriber, type }: ReportedMessage): Buffer {
  const hmac = createHmac('sha256', Buffer.from(key, 'hex'));
  return hmac.update(`return path: ${message} ${subscriber} ${type}`).digest().subarray(0, PROOF_BYTES);
}
