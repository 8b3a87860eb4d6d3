/**
 * Notices that PUBLIC_URL is not the address that visitors use: forms on our own pages are refused, and none is accepted.
 * A page of another site cannot cause this, because its browser says that the request is cross-site, or names our host.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { DAY_MS } from '../../shared/day.ts';

const FEW = 3; // refused forms until it counts
/** An origin as browsers write it, with nothing that a terminal or a shell interprets. */
const PLAIN_ORIGIN = /^https?:\/\/([a-z0-9.-]{1,253}|\[[0-9a-f:]+\])(:\d{1,5})?$/;

export type RefusedOrigins = ReturnType<typeof openRefusedOrigins>;

export function openRefusedOrigins(now: () => number) {
  let refused = { origin: '', count: 0, at: 0 };
  const isFresh = () => now() - refused.at < DAY_MS;
  return {
    /** Notes a form or script of a browser. One from PUBLIC_URL that is accepted shows that PUBLIC_URL is right. */
    note(isForeign: boolean, { origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): void {
      if (origin === undefined || !PLAIN_ORIGIN.test(origin)) return;
      if (!isForeign) refused = { origin: '', count: 0, at: 0 };
      else if (site === undefined ? new URL(origin).host === host : site === 'same-origin')
        refused = {
          origin,
          count: (refused.origin === origin && isFresh() ? refused.count : 0) + 1,
          at: now(),
        };
    },
    /** Returns the origin of our own pages, if PUBLIC_URL is another one. */
    own: (): string | undefined => (refused.count >= FEW && isFresh() ? refused.origin : undefined),
  };
}
