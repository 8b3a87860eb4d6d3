/**
 * Notices a proxy that TRUST_PROXY does not name, and is not fooled by one client that forges its header. Remembers a keyed hash of the
 * last one seen, and no address.
 */

import { randomInt } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { hash64 } from './hash.ts';

const UNVOUCHED_MS = 600_000;
/** Said in the log and by health: whoever set up a proxy and forgot TRUST_PROXY has one budget for all visitors. */
export const UNVOUCHED =
  'requests have forwarded addresses, but do not come from a network listed in TRUST_PROXY';

/** Where a proxy of the operator's own is, and no stranger. */
const PRIVATE_RANGES = ['loopback', 'private', 'linkLocal', 'carrierGradeNat', 'uniqueLocal'];

/** `prefix` is the same for all addresses of one client. */
type Peer = { address: string; prefix: string };

export type UnvouchedWatch = {
  /** Notes that a forwarded address came from a peer that no configured network vouches for. */
  note(peer: Peer, forwarded: string): void;
  /** Whether in the last ten minutes more than one of them came: from two peers, or through one on a private network for two clients. */
  isSeen(): boolean;
};

/** Logs the first one in ten minutes. */
export function openUnvouchedWatch(now: () => number, warn: (sentence: string) => void): UnvouchedWatch {
  const seeds = [randomInt(0, 2 ** 32), randomInt(0, 2 ** 32)] as const;
  let last = { source: '', at: Number.NEGATIVE_INFINITY };
  let loggedAt = Number.NEGATIVE_INFINITY;
  let seenAt = Number.NEGATIVE_INFINITY;
  return {
    note(peer, forwarded) {
      const source = hash64(sourceOf(peer, forwarded), seeds).join();
      if (now() - loggedAt >= UNVOUCHED_MS) {
        warn(UNVOUCHED);
        loggedAt = now();
      }
      if (source !== last.source && now() - last.at < UNVOUCHED_MS) seenAt = now();
      last = { source, at: now() };
    },
    isSeen: () => now() - seenAt < UNVOUCHED_MS,
  };
}

/** A stranger is one source, whatever it writes; so is each client of a proxy, whose own entry is the last. */
function sourceOf({ address, prefix }: Peer, forwarded: string): string {
  const isPrivate = ipaddr.isValid(address) && PRIVATE_RANGES.includes(ipaddr.parse(address).range());
  return isPrivate ? `for ${forwarded.split(',').at(-1)!.trim()}` : `peer ${prefix}`;
}
