/**
 * Load shedding. When there is more to do than can be done, pages are refused first, then searches, then signups; what lets people leave
 * almost never, health never. Load is measured by the batch: requests that arrived together are answered one after the other, and the
 * last one waits for all before it. What counts is the CPU time that the batch has taken: a machine that is busy with something else slows
 * the service down, but gives it no more to do.
 */

import fastifyPlugin from 'fastify-plugin';
import type { Priority, ServerContext } from '../context.ts';

/** CPU time in milliseconds that a batch has taken, from which requests of a rank are refused. */
const SHED_FROM_MS: Record<Priority, number> = {
  health: Number.POSITIVE_INFINITY,
  leaving: 1_000,
  signup: 600,
  search: 120,
  page: 60,
};

type LoadSheddingOptions = Pick<ServerContext, 'batchMs' | 'metrics'>;

/** Refuses requests under load, before anything is looked up or charged. */
export const loadShedding = fastifyPlugin<LoadSheddingOptions>((app, { batchMs, metrics }, done) => {
  if (batchMs !== undefined)
    app.addHook('onRequest', (request, reply, next) => {
      const { target } = request;
      const priority = target === undefined ? 'page' : (target.config.priority ?? 'search');
      if (batchMs() < SHED_FROM_MS[priority]) return next();
      metrics?.shed(target?.path ?? 'other');
      answerAtEndOfTurn(() => reply.header('retry-after', retryAfter()).problem({ code: 'overloaded' }));
    });
  done();
});

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
    return passed < SHED_FROM_MS.page ? passed : Math.min(passed, cpuMs() - start.cpu);
  };
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Answers at the end of the turn. A client that is refused at once asks again at once, and as long as 1,024 requests are ready, Node goes
 * on with them, up to 48 times, and looks at no new connection meanwhile. That took two seconds, for health checks too.
 */
function answerAtEndOfTurn(answer: () => void): void {
  setImmediate(answer);
}

/** Whole seconds, different for each client, so that not all of them come back at once. */
function retryAfter(): number {
  return 1 + Math.floor(Math.random() * 5);
}
