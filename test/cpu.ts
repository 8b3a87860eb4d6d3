/** Measures work as CPU time of this thread, independent of other load, to compare it with other work of the same run. */

const TICK_MS = 4; // kernels may count in ticks, and then tell of one too few or too many

/** Milliseconds that `work` takes this thread. */
export function cpuMsOf(work: () => unknown): number {
  const stop = watch();
  work();
  return stop();
}

/** Milliseconds that this thread works until `work` is done. */
export async function cpuMsUntil(work: () => Promise<unknown>): Promise<number> {
  const stop = watch();
  await work();
  return stop();
}

function watch(): () => number {
  const start = performance.now();
  const cpu = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(cpu);
    return Math.min(performance.now() - start, (user + system) / 1000 + TICK_MS);
  };
}
