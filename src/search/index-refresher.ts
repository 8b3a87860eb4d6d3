/**
 * Keeps the catalogue that is answered from in step with the store: notices a new version or a new local day, has the
 * next catalogue built elsewhere, and swaps it in whole. One build at a time; a burst of runs makes one more.
 */

import type { Day } from '../listings/day.ts';
import type { ListingIndex } from './listing-index.ts';

/** What the store says of itself at one moment; `marks` travels with the catalogue built from it. */
export type StoreSnapshot<Marks> = { version: string; marks: Marks };

export type IndexRefresherParts<Marks> = {
  watch(): Promise<StoreSnapshot<Marks>>;
  today(): Day;
  /** Builds from the store as it is now, in another thread. */
  build(version: string, day: Day): Promise<ListingIndex>;
  pollMs: number;
  /** Told of failures to watch or to build; the old catalogue goes on answering. */
  failed(error: unknown): void;
  swapped(index: ListingIndex): void;
};

export type IndexRefresher<Marks> = {
  /** The catalogue and the marks of the moment it was built from; `undefined` before the first. */
  current(): { index: ListingIndex; marks: Marks } | undefined;
  /** Whether the last look at the store succeeded. */
  seesStore(): boolean;
  /** Looks once now and waits until what it saw is served. Throws what the look or the build threw. */
  refresh(): Promise<void>;
  start(): void;
  close(): Promise<void>;
};

/** A keeper that has not looked yet: call `refresh` for the first catalogue, then `start`. */
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

  /** Everyone who asks while a look is under way waits for that one. */
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
