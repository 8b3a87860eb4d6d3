/**
 * What is given up on when there is more to do than can be done: pages first, then searches, then signups; what lets people leave
 * almost never, health never. Told by the batch: requests that have arrived together are answered one after the other, and whoever
 * comes last waits for all before.
 */

/** Milliseconds that a batch has taken already, from which a rank is given up on: nobody waits much longer than the sum of them. */
const GIVEN_UP_MS = {
  health: Number.POSITIVE_INFINITY,
  leaving: 1_000,
  signup: 600,
  search: 120,
  page: 60,
};

/** How long an answer is still given. */
export type Rank = keyof typeof GIVEN_UP_MS;

/** Whether an answer of this rank is given up on. */
export function isGivenUp(rank: Rank, batchMs: number): boolean {
  return batchMs >= GIVEN_UP_MS[rank];
}

/** What tells, for each request, how long the batch it came with has been worked on. A batch ends with its turn of the event loop. */
export function openBatches(): () => number {
  let since: number | undefined;
  return () => {
    const now = performance.now();
    if (since === undefined) {
      since = now;
      setImmediate(() => {
        since = undefined;
      });
      return 0;
    }
    return now - since;
  };
}

/**
 * An answer given at the end of its turn. Whoever is refused at once asks again at once, and as long as 1,024 requests are ready Node goes
 * on with them, up to 48 times: meanwhile it looks at no new connection. That was two seconds, also for those who watch.
 */
export function atEndOfTurn<T>(answer: T): Promise<T> {
  return new Promise((resolve) => setImmediate(resolve, answer));
}

/** Whole seconds to come back after, different for each, so that not all do at once. */
export function comeBackAfter(): number {
  return 1 + Math.floor(Math.random() * 5);
}
