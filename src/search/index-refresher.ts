/**
 * Keeps the served index up to date with the store: notices a new version or a new local day, has the next index built in another
 * thread, and replaces the old one as a whole. One build at a time; after a burst of runs there is one more build.
 */

import type { Day } from '../listings/day.ts';
import type { ListingIndex } from './listing-index.ts';

/** The state of the store at one moment; `marks` stay with the index that was built from it. */
export type StoreSnapshot<Marks> = { version: string; marks: Marks };

export type IndexRefresherParts<Marks> = {
  watch(): Promise<StoreSnapshot<Marks>>;
  today(): Day;
  /** Builds an index from the current store, in another thread. */
  build(version: string, day: Day): Promise<ListingIndex>;
  pollMs: number;
  /** Called when polling or building fails; the old index continues to answer. */
  failed(error: unknown): void;
  swapped(index: ListingIndex): void;
};

export type IndexRefresher<Marks> = {
  /** The index with the marks of the moment it was built from; `undefined` before the first. */
  current(): { index: ListingIndex; marks: Marks } | undefined;
  /** Whether the last poll of the store succeeded. */
  seesStore(): boolean;
  /** Polls once now and waits until that version is served. Throws the errors of the poll or the build. */
  refresh(): Promise<void>;
  start(): void;
  close(): Promise<void>;
};

/** A refresher that has not polled yet: call `refresh` for the first index, then `start`. */
export function openIndexRefresher<Marks>(parts: IndexRefresherParts<Marks>): IndexRefresher<Marks> {
  let current: { index: ListingIndex; marks: Marks } | undefined;
  let sees = true;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const { version, marks } = await parts.watch();
    const day = parts.today();
    const known = current?.index;
    const isSame = known?.version === version && known.day === day;
    const index = isSame ? known : await parts.build(version, day);
    current = { index, marks };
    sees = true;
    if (!isSame) parts.swapped(index);
  }

  /** Callers during a poll wait for that same poll. */
  function refresh(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function tick(): Promise<void> {
    try {
      await refresh();
    } catch (error) {
      sees = false;
      parts.failed(error);
    }
    if (timer !== undefined) timer = setTimeout(tick, parts.pollMs);
  }

  return {
    current: () => current,
    seesStore: () => sees,
    refresh,
    start() {
      timer = setTimeout(tick, parts.pollMs);
    },
    async close() {
      clearTimeout(timer);
      timer = undefined;
      await looking?.catch(() => undefined);
    },
  };
}
