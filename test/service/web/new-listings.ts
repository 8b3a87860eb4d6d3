/** Charges clients for listings that no client was served before. */

import type { Client, Limiter } from '../../../src/service/web/limits/limiter.ts';

export function newListings(limiter: Limiter): (client: Client, count: number) => boolean {
  let last = 0;
  return (client, count) => {
    const identities = Array.from({ length: count }, (_, i) => last + i);
    if (!limiter.charge(client, { question: `${last}`, cells: 0, identities })) return false;
    last += count;
    return true;
  };
}
