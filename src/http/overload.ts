/**
 * What is given up on when there is more to do than can be done: pages first, then searches, then signups; what lets people leave
 * almost never, health never. Told by how late the event loop is: everything that waits, waits for it.
 */

/** How dear an answer is to us; the lower, the longer it is given. */
export const RANKS = { health: 0, leaving: 1, signup: 2, search: 3, page: 4 } as const;
export type Rank = keyof typeof RANKS;

/** Milliseconds of lateness from which a rank is given up on. */
const GIVEN_UP_MS: Record<Rank, number> = {
  health: Number.POSITIVE_INFINITY,
  leaving: 2_000,
  signup: 800,
  search: 300,
  page: 120,
};

/** Whether an answer of this rank is given up on. Lateness is the loop's, in milliseconds. */
export function isGivenUp(rank: Rank, latenessMs: number): boolean {
  return latenessMs >= GIVEN_UP_MS[rank];
}

const LOOK_MS = 50;

/** How late the loop is now: the worst of the last looks, forgotten by half with each that is on time. */
export function watchLoop(): { latenessMs(): number; close(): void } {
  let due = performance.now() + LOOK_MS;
  let lateness = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    lateness = Math.max(now - due, lateness / 2);
    due = now + LOOK_MS;
  }, LOOK_MS).unref();
  return { latenessMs: () => lateness, close: () => clearInterval(timer) };
}

/** Whole seconds to come back after, different for each, so that not all do at once. */
export function comeBackAfter(random: () => number = Math.random): number {
  return 1 + Math.floor(random() * 5);
}
