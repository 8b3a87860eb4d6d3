/** People who have confirmed a subscription, put into a store without any email. */

import type { Store } from '../src/service/data/store.ts';
import { parseAddress } from '../src/service/subscribers/address.ts';
import type { SignupRequest } from '../src/service/subscribers/subscriber.ts';

/** `p0@b.example` and so on. */
export function addressesOf(people: number): string[] {
  return Array.from({ length: people }, (_, i) => `p${i}@b.example`);
}

/** Subscribed to the weekly email since `at`, unless said otherwise. */
export async function addSubscribers(
  { subscribers }: Pick<Store, 'subscribers'>,
  addresses: readonly string[],
  facts: Pick<SignupRequest, 'at'> & Partial<SignupRequest>,
): Promise<void> {
  for (const address of addresses)
    await subscribers.addConfirmed({
      ...{ ...parseAddress(address)!, type: 'weekly', consent: { version: 'v', words: 'w' } },
      ...facts,
    });
}
