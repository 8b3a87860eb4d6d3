/**
 * Keeps the served index up to date with the store. Notices a new version or local day, has another thread build the
 * next index, and replaces the old one as a whole. One build at a time: a burst of runs causes one more build.
 */

import type { Day } from '../listings/day.ts';
import type { ListingIndex } from './listing-index.ts';

/** The state of the store at one moment. `marks` stay with the index built from it. */
export type StoreSnapshot<Marks> = { version: string; marks: Marks };

export type IndexRefresherParts<Marks> = {
  watch(): Promise<StoreSnapshot<Marks>>;
  today(): Day;
  /** Builds an index from the current store, in another thread. */
  build(version: string, day: Day): Promise<ListingIndex>;
  pollMs: number;
  /** Reports that polling or building failed. The old index remains in use. */
  failed(error: unknown): void;
  swapped(index: ListingIndex): void;
};

/** Opens a refresher that has not polled. Call `refresh` for the first index, then `start`. */
export function openIndexRefresher<Marks>(parts: IndexRefresherParts<Marks>) {
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

  /** Polls, or joins the poll in progress, until that version is served. Throws errors of the poll or build. */
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
    /** Returns the index with the marks of its snapshot, or `undefined` before the first. */
    current: () => current,
    seesStore: () => sees,
    refresh,
    start(): void {
      timer = setTimeout(tick, parts.pollMs);
    },
    async close(): Promise<void> {
      clearTimeout(timer);
      timer = undefined;
      await looking?.catch(() => undefined);
    },
  };
}
