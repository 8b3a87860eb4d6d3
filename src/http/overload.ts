/**
 * Load shedding. When there is more to do than can be done, pages are refused first, then searches, then signups; what lets people leave
 * almost never, health never. Load is measured by the batch: requests that arrived together are answered one after the other, and the
 * last one waits for all before it. What counts is the CPU time that the batch has taken: a machine that is busy with something else slows
 * the service down, but gives it no more to do.
 */

/** CPU time in milliseconds that a batch has taken, from which requests of a rank are refused. */
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

/** The time of day and the CPU time of this thread, in milliseconds from any start. */
export type Clocks = { wallMs(): number; cpuMs(): number };

const CLOCKS: Clocks = { wallMs: () => performance.now(), cpuMs: threadCpuMs };

/**
 * A function that says, for each request, how much CPU time the batch it came with has taken so far, in milliseconds. A batch ends with
 * its turn of the event loop. CPU time is never more than the time that has passed, and it costs a system call: while too little time has
 * passed to refuse anything, that is the answer.
 */
export function openBatches({ wallMs, cpuMs }: Clocks = CLOCKS): () => number {
  let start: { wall: number; cpu: number } | undefined;
  return () => {
    if (start === undefined) {
      start = { wall: wallMs(), cpu: cpuMs() };
      setImmediate(() => {
        start = undefined;
      });
      return 0;
    }
    const passed = wallMs() - start.wall;
    return passed < GIVEN_UP_MS.page ? passed : Math.min(passed, cpuMs() - start.cpu);
  };
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
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
