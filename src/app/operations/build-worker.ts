/** Builds an index in a thread: reads the store, transfers the buffers and ends. */

import { parentPort, workerData } from 'node:worker_threads';
import { openStoreToRead, type StorePlace } from '../../service/data/store.ts';
import { listTransferables, openIndexBuilder } from '../../service/search/index/build.ts';
import type { Day } from '../../shared/day.ts';

// a run that is kept during the read mixes two versions, so the build starts again
const MOST_BUILD_TRIES = 5;

const { day, language, ...place } = workerData as StorePlace & { day: Day; language: string | undefined };
const store = await openStoreToRead(place);
try {
  for (let tries = 1; ; tries++) {
    const version = await store.listings.version();
    const suppressed = (await store.listings.suppressions()).map(({ value }) => value);
    const editions = await store.listings.editions();
    const builder = openIndexBuilder({ version, day, suppressed, editions, language });
    for await (const batch of store.listings.listings()) builder.add(batch);
    if (tries < MOST_BUILD_TRIES && (await store.listings.version()) !== version) continue;
    const parts = builder.finish();
    parentPort?.postMessage(parts, listTransferables(parts));
    break;
  }
} finally {
  await store.close();
}
