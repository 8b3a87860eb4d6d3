/**
 * Finds the address of a client. Trusts a forwarded address only from the configured networks. No address is stored:
 * this file shortens it to a prefix, and the limiter hashes the prefix with a key.
 */

import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import CONCERNS from '../../../data/concerns.json' with { type: 'json' };
import { openNetworkTest, parseNetwork } from '../../../shared/city/networks.ts';
import { refusedError } from '../../../shared/errors.ts';

const UNVOUCHED_MS = 600_000;
/** The warning for the log and health: without TRUST_PROXY, all visitors of a proxy share one budget. */
export const UNVOUCHED = CONCERNS['trust-proxy'].summary;

/** Address ranges in which only the operator can run a proxy. */
const PRIVATE_RANGES = ['loopback', 'private', 'linkLocal', 'carrierGradeNat', 'uniqueLocal'];

/** Opens the reader. Throws `refused` for anything but networks: `true`, for example, would trust everybody. */
export function openAddressReader(
  trusted: readonly string[],
  now: () => number,
  warn: (sentence: string) => void = () => undefined,
) {
  const isTrusted = openNetworkTest(trusted.map(parseProxyNetwork));
  const secret = randomUUID();
  let newest = { source: '', at: Number.NEGATIVE_INFINITY }; // `source` is a keyed hash
  let loggedAt = Number.NEGATIVE_INFINITY;
  let seenAt = Number.NEGATIVE_INFINITY;

  /** Detects proxies missing from TRUST_PROXY, by forwarded addresses from two sources within ten minutes. */
  const noteUnvouched = (peer: string, forwarded: string): void => {
    const source = hash('sha256', secret + sourceOf(peer, forwarded));
    if (now() - loggedAt >= UNVOUCHED_MS) {
      warn(UNVOUCHED);
      loggedAt = now();
    }
    if (source !== newest.source && now() - newest.at < UNVOUCHED_MS) seenAt = now();
    newest = { source, at: now() };
  };

  return {
    /** Returns the client's address, or `''` if its socket is already closed. */
    addressOf({ socket, headers }: IncomingMessage): string {
      const peer = plainAddress(socket.remoteAddress ?? '');
      const forwarded = headers['x-forwarded-for'] ?? headers.forwarded;
      if (forwarded === undefined) return peer;
      if (isTrusted(peer)) return findNearestStranger(headers['x-forwarded-for'], peer, isTrusted);
      noteUnvouched(peer, String(forwarded));
      return peer;
    },
    /** Returns whether forwarded addresses have recently come from peers outside the configured networks. */
    sawUnvouched: () => now() - seenAt < UNVOUCHED_MS,
  };
}

/** Returns the rightmost address that is not a trusted proxy. Clients can forge all addresses to the left. */
function findNearestStranger(
  header: string | string[] | undefined,
  peer: string,
  isTrusted: (address: string) => boolean,
): string {
  let nearest = peer;
  for (const hop of String(header ?? '')
    .split(',')
    .toReversed()) {
    const address = plainAddress(hop.trim());
    if (isIP(address) === 0) break;
    nearest = address;
    if (!isTrusted(address)) break;
  }
  return nearest;
}

function parseProxyNetwork(text: string) {
  const network = parseNetwork(text);
  if (network !== undefined) return network;
  throw refusedError(
    `"${text}" is not a valid TRUST_PROXY network. Use networks such as 10.0.0.0/8 or fd00::/8; anything wider would trust every client`,
  );
}

/** Removes port, brackets and zone from an address. An IPv4 address mapped into IPv6 becomes IPv4. */
function plainAddress(text: string): string {
  if (!text.includes(':')) return text; // most addresses are IPv4
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.split('%', 1)[0]!;
  return isIPv6(address) ? ipaddr.process(address).toString() : address;
}

/** Returns the prefixes that budgets are counted by: the whole IPv4 address, or the /56 and /48 of an IPv6 address. */
export function toPrefixes(address: string): string[] {
  const plain = plainAddress(address);
  if (!plain.includes(':') || !isIPv6(plain)) return [plain];
  const [a, b, c, d] = ipaddr.IPv6.parse(plain).parts;
  return [`${a}:${b}:${c}:${d! >> 8}`, `${a}:${b}:${c}`];
}

/** Identifies the source of a request: a public peer itself, or the client of a private peer, which must be a proxy. */
function sourceOf(peer: string, forwarded: string): string {
  const isPrivate = ipaddr.isValid(peer) && PRIVATE_RANGES.includes(ipaddr.parse(peer).range());
  if (isPrivate) return `for ${forwarded.split(',').at(-1)!.trim()}`;
  return `peer ${toPrefixes(peer).at(-1)}`;
}
