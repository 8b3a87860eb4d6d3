/** How the openings of a file were placed: what an operator looks at when many are in no neighborhood. */

import type { PlacedBy, Placing, PlacingMiss } from './placing.ts';

const STREETS_SHOWN = 10;
const MOST_STREETS = 20_000; // counted at once; a file of nothing but unknown streets has more

export type PlacingReport = {
  placed: Partial<Record<PlacedBy, number>>;
  /** Addresses that led to no neighborhood, by reason. */
  missed: Partial<Record<PlacingMiss, number>>;
  /** The most frequent streets that the address files do not have. */
  streets: { street: string; count: number }[];
};

export type PlacingTally = { see(placing: Placing): void; report(): PlacingReport };

export function openPlacingTally(): PlacingTally {
  const placed: PlacingReport['placed'] = {};
  const missed: PlacingReport['missed'] = {};
  const streets = new Map<string, number>();
  return {
    see({ by, miss, street }) {
      if (by !== undefined) placed[by] = (placed[by] ?? 0) + 1;
      if (miss !== undefined) missed[miss] = (missed[miss] ?? 0) + 1;
      if (miss !== 'street not found' || street === undefined) return;
      if (streets.has(street) || streets.size < MOST_STREETS)
        streets.set(street, (streets.get(street) ?? 0) + 1);
    },
    report() {
      const most = [...streets].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, STREETS_SHOWN);
      return { placed, missed, streets: most.map(([street, count]) => ({ street, count })) };
    },
  };
}
