/**
 * Sheds load. Under little load, each request is answered when it is read. When a turn of the event loop has used up
 * its time, further requests wait, and later turns answer some of them, unsubscribes and signups first. Turns stay
 * short, because each accepts only one new connection. Requests that have waited too long are refused. Waiting is
 * measured in the CPU time of other requests: other busy programs slow the service down, but do not add to its work.
 */

import type { Server } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clocks, Priority, ServerContext } from '../context.ts';

/** CPU time in milliseconds that other requests may take while a request of this priority waits. */
const PATIENCE_MS: Record<Exclude<Priority, 'health'>, number> = {
  leaving: 1_000,
  signup: 600,
  search: 120,
  page: 60,
};

type Entering = { request: FastifyRequest; reply: FastifyReply; next(): void };
type Waiting = Entering & { since: number; patienceMs: number };

const TURN_MS = 5; // CPU time after which a turn stops answering
// maximum requests in a queue; clients may send many requests without waiting for responses
const MOST_WAITING = 2_000;

/** Delays and refuses requests under load, before any work or charge. Drops requests whose connection has closed. */
export function addLoadShedding(app: FastifyInstance, { clocks, metrics }: ServerContext): void {
  if (clocks === undefined) return;
  const queues = openQueues(clocks, app.server, ({ target }) => metrics?.shed(target?.path ?? 'other'));
  app.addHook('onRequest', (request, reply, next) => {
    const { target } = request;
    const priority = target === undefined ? 'page' : (target.config.priority ?? 'search');
    if (priority === 'health') next();
    else if (queues.isFree()) answer({ request, reply, next });
    else queues.add({ request, reply, next }, priority);
  });
}

function answer({ request, next }: Entering): void {
  if (!request.raw.socket.destroyed) next();
}

export const CLOCKS: Clocks = {
  wallMs: () => performance.now(),
  cpuMs() {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};

/** Opens the queues of requests that wait for their turn. `count` is called for each refused request. */
function openQueues(clocks: Clocks, server: Server, count: (request: FastifyRequest) => void) {
  const urgent: Waiting[] = [];
  const others: Waiting[] = [];
  const isQuiet = () => urgent.length === 0 && others.length === 0;
  const isTurnOver = openTurns(clocks);
  let hasAccepted = false;
  server.on('connection', () => {
    hasAccepted = true;
  });

  /**
   * Answers requests for the rest of the turn, but only one if the turn accepted a connection: the next connection
   * waits for the next turn. Refuses at most one request, which leaves most of the time for answers. Runs at the end of
   * a turn, because refused clients retry immediately, and Node accepts no connections while 1,024 requests are ready.
   */
  const serve = () => {
    isTurnOver();
    do {
      const first = urgent.shift() ?? others.shift();
      if (first !== undefined) answer(first);
    } while (!hasAccepted && !isQuiet() && !isTurnOver());
    hasAccepted = false;
    const now = clocks.cpuMs();
    const late = [others, urgent].find(([oldest]) => oldest && now - oldest.since >= oldest.patienceMs);
    const refused = late?.shift();
    if (refused !== undefined) refuse(refused);
    if (!isQuiet()) setImmediate(serve);
  };

  /** Disconnects a client if a queue is full. Only clients that do not wait for responses can fill it. */
  const turnAway = (entering: Entering): void => {
    const { socket } = entering.request.raw;
    const isSame = ({ request }: Waiting) => request.raw.socket === socket;
    if (!urgent.some(isSame) && !others.some(isSame)) {
      setImmediate(refuse, entering);
      return;
    }
    count(entering.request);
    socket.destroy();
  };

  const refuse = ({ request, reply }: Entering): void => {
    count(request);
    const seconds = 1 + Math.floor(Math.random() * 5); // so that clients do not all retry at the same time
    reply.problem({ code: 'overloaded', headers: { 'retry-after': String(seconds) } });
  };

  return {
    /** Returns whether a request can be answered now. */
    isFree: () => isQuiet() && !isTurnOver(),
    /** Queues a request. A later turn answers or refuses it. */
    add(entering: Entering, priority: keyof typeof PATIENCE_MS): void {
      const queue = priority === 'leaving' || priority === 'signup' ? urgent : others;
      if (queue.length >= MOST_WAITING) {
        turnAway(entering);
        return;
      }
      if (isQuiet()) setImmediate(serve);
      queue.push({ ...entering, since: clocks.cpuMs(), patienceMs: PATIENCE_MS[priority] });
    },
  };
}

/** Returns a function that checks whether this turn has used up its time. Reads the CPU time only if needed. */
function openTurns({ wallMs, cpuMs }: Clocks): () => boolean {
  let start: { wall: number; cpu: number } | undefined;
  return () => {
    if (start === undefined) {
      start = { wall: wallMs(), cpu: cpuMs() };
      setImmediate(() => {
        start = undefined;
      });
      return false;
    }
    return wallMs() - start.wall >= TURN_MS && cpuMs() - start.cpu >= TURN_MS;
  };
}
