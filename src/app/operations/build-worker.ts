/**
 * Makes an index in a thread: reads the last one from its file, or builds one from the store and keeps it in that file.
 * Transfers the buffers and ends.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { openStoreToRead, type StorePlace } from '../../service/data/store.ts';
import { openIndexBuilder } from '../../service/search/index/build.ts';
import { digestOverride } from '../../service/search/index/edit.ts';
import { openIndexFile } from '../../service/search/index/index-file.ts';
import { type IndexBuffers, listTransferables } from '../../service/search/index-buffers.ts';
import type { CityFacts } from '../../shared/city/city-facts.ts';
import { findKnownUntil } from '../../shared/city/register-end.ts';
import type { Day } from '../../shared/day.ts';
import { messageOf } from '../../shared/errors.ts';

/** The buffers of an index, and what the operator had overruled when they were built. */
export type BuiltIndex = {
  parts: IndexBuffers;
  /** Their digests. */
  overrides: readonly string[];
};

/** `listings`: how many have been read so far. */
export type BuildMessage = BuiltIndex | { listings: number } | { warning: string };

// a run that is kept during the read mixes two versions, so the build starts again
const MOST_BUILD_TRIES = 5;

const tell = (message: BuildMessage, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);

type Given = StorePlace & { day: Day; city: Pick<CityFacts, 'archive' | 'language'> };

const { day, city, ...place } = workerData as Given;
const store = await openStoreToRead(place);
const file = openIndexFile<BuiltIndex>(place.dataFolder);
try {
  const built = file.read(describe(await store.listings.version())) ?? (await build());
  tell(built, listTransferables(built.parts));
} finally {
  await store.close();
}

/** Describes what an index depends on. The day, and whether the register has ended, decide what has expired. */
function describe(version: string): string {
  return JSON.stringify([version, day, city]);
}

async function build(): Promise<BuiltIndex> {
  file.remove(); // it may have a listing that is no longer served
  for (let tries = 1; ; tries++) {
    const version = await store.listings.version();
    const suppressed = (await store.listings.suppressions()).map(({ value }) => value);
    const corrections = await store.listings.corrections();
    const editions = await store.listings.editions();
    const latestFiling = await store.listings.latestFiling();
    const knownUntil = findKnownUntil(city, { latestFiling, day });
    const { language } = city;
    const builder = openIndexBuilder({ version, day, knownUntil, suppressed, editions, language });
    let listings = 0;
    for await (const batch of store.listings.listings()) {
      builder.add(batch);
      listings += batch.length;
      tell({ listings });
    }
    const isSame = (await store.listings.version()) === version;
    if (tries < MOST_BUILD_TRIES && !isSame) continue;
    const overrides = [...suppressed, ...corrections].map(digestOverride);
    const built = { parts: builder.finish(), overrides };
    if (isSame) keep(built, version);
    return built;
  }
}

function keep(built: BuiltIndex, version: string): void {
  try {
    file.write(describe(version), built);
  } catch (error) {
    tell({ warning: `the index is not kept for the next start: ${messageOf(error)}` });
  }
}
