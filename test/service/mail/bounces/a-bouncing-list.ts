/** A store with people whose messages have just been sent, and the return paths that these had. */

import { after } from 'node:test';
import { handleReport } from '../../../../src/service/mail/bounces/bounce-store.ts';
import type { BounceAddress } from '../../../../src/service/mail/bounces/return-path.ts';
import { makeReturnPath } from '../../../../src/service/mail/bounces/return-path.ts';
import { aFolder } from '../../../a-folder.ts';
import { openStore } from '../../../a-store.ts';
import { add, at, DAY, sent } from '../../database/mailing-steps.ts';
import type { About } from './a-report.ts';

export const BOUNCES: BounceAddress = { local: 'bounces', domain: 'openings.example' };

/** Removed after the test file. */
export async function aBouncingList(count: number) {
  const folder = aFolder();
  const store = await openStore(folder);
  after(() => store.close());
  for (let i = 0; i < count; i++) await add(store, `p${String(i).padStart(2, '0')}@b.example`);
  await store.editions.decide(
    {
      ...{ edition: '2026-11-16', reason: null, content: '{}' },
      ...{ decidedAt: at(1), expiresAt: at(2 * DAY) },
    },
    [],
  );
  const key = await store.bounces.key();
  const people: About[] = (await sent(store, 1))
    .map((message) => ({ address: message.address, returnPath: makeReturnPath(BOUNCES, key, message) }))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
  const context: Parameters<typeof handleReport>[0] = {
    bounces: store.bounces,
    address: BOUNCES,
    now: () => at(DAY),
  };
  return {
    store,
    people,
    handle: (raw: string | Uint8Array) => handleReport(context, Buffer.from(raw)),
    /** The addresses that are stopped, in order. */
    async stopped() {
      const all = await store.subscribers.all();
      return all.flatMap(({ address, refusedAt }) => (refusedAt === null ? [] : [address])).sort();
    },
  };
}
