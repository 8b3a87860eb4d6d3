/**
 * Keeps the catalogue that is answered from in step with the store: notices a new version or a new local day, has the
 * next catalogue built elsewhere, and swaps it in whole. One build at a time; a burst of runs makes one more.
 */

import type { Day } from '../listings/day.ts';
import type { Catalogue } from './catalogue.ts';

/** What the store says of itself at one moment; `marks` travels with the catalogue built from it. */
export type Watched<Marks> = { version: string; marks: Marks };

export type KeeperParts<Marks> = {
  watch(): Promise<Watched<Marks>>;
  today(): Day;
  /** Builds from the store as it is now, in another thread. */
  build(version: string, day: Day): Promise<Catalogue>;
  pollMs: number;
  /** Told of failures to watch or to build; the old catalogue goes on answering. */
  failed(error: unknown): void;
  swapped(catalogue: Catalogue): void;
};

export type Keeper<Marks> = {
  /** The catalogue and the marks of the moment it was built from; `undefined` before the first. */
  current(): { catalogue: Catalogue; marks: Marks } | undefined;
  /** Whether the last look at the store succeeded. */
  seesStore(): boolean;
  /** Looks once now and waits until what it saw is served. Throws what the look or the build threw. */
  refresh(): Promise<void>;
  start(): void;
  close(): Promise<void>;
};

/** A keeper that has not looked yet: call `refresh` for the first catalogue, then `start`. */
export function keepCatalogue<Marks>(parts: KeeperParts<Marks>): Keeper<Marks> {
  let current: { catalogue: Catalogue; marks: Marks } | undefined;
  let sees = true;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const { version, marks } = await parts.watch();
    const day = parts.today();
    const known = current?.catalogue;
    const isSame = known?.version === version && known.day === day;
    const catalogue = isSame ? known : await parts.build(version, day);
    current = { catalogue, marks };
    sees = true;
    if (!isSame) parts.swapped(catalogue);
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
