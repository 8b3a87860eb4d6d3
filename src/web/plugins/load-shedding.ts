/**
 * Sheds load. Under little load, each request is answered when it is read. If a turn of the event loop has used its
 * time, further requests wait, and later turns answer some of them, signups and unsubscribes first. Turns stay short,
 * because each accepts only one new connection. Requests that have waited too long are refused. Waiting is measured in
 * the CPU time of other requests: other busy programs on the machine slow the service down, but do not add to its work.
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Clocks, Priority, ServerContext } from '../context.ts';

/** CPU time in milliseconds that other requests may take while a request of this priority waits. */
const PATIENCE_MS: Record<Exclude<Priority, 'health'>, number> = {
  leaving: 1_000,
  signup: 600,
  search: 120,
  page: 60,
};

type Entering = { socket: Socket; answer(): void; refuse(): void; disconnect(): void };
type Waiting = Entering & { since: number; patienceMs: number };

const TURN_MS = 5; // CPU time after which a turn stops answering
const MOST_WAITING = 2_000; // in a queue, because clients may send many requests without waiting for responses

/** Delays and refuses requests under load, before anything is looked up or charged. Drops requests of closed connections. */
export function addLoadShedding(app: FastifyInstance, { clocks, metrics }: ServerContext): void {
  if (clocks === undefined) return;
  const enter = openQueues(clocks, app.server);
  app.addHook('onRequest', ({ raw, target }, reply, next) => {
    const priority = target === undefined ? 'page' : (target.config.priority ?? 'search');
    if (priority === 'health') return next();
    const count = () => metrics?.shed(target?.path ?? 'other');
    enter(priority, {
      socket: raw.socket,
      answer() {
        if (!raw.socket.destroyed) next();
      },
      refuse() {
        count();
        const seconds = 1 + Math.floor(Math.random() * 5); // so that clients do not all retry at the same time
        reply.header('retry-after', seconds).problem({ code: 'overloaded' });
      },
      disconnect() {
        count();
        raw.socket.destroy();
      },
    });
  });
}

export const CLOCKS: Clocks = {
  wallMs: () => performance.now(),
  cpuMs() {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};

/** Returns a function that answers or refuses a request, immediately or in its turn. */
function openQueues(clocks: Clocks, server: Server) {
  const urgent: Waiting[] = [];
  const others: Waiting[] = [];
  const isQuiet = () => urgent.length === 0 && others.length === 0;
  const newest = new WeakMap<Socket, Waiting>(); // the last waiting request of each connection
  const isTurnOver = openTurns(clocks);
  let hasAccepted = false;
  server.on('connection', () => {
    hasAccepted = true;
  });

  /**
   * Answers requests for the rest of the turn, but only one if the turn accepted a connection: the next connection
   * waits for the next turn. Refuses at most one request, which leaves most of the time for answers. Runs at the end of
   * a turn, because refused clients try again immediately, and Node accepts no connections while 1,024 requests are
   * ready.
   */
  const serve = () => {
    isTurnOver();
    do (urgent.shift() ?? others.shift())?.answer();
    while (!hasAccepted && !isQuiet() && !isTurnOver());
    hasAccepted = false;
    const now = clocks.cpuMs();
    const late = [others, urgent].find(([oldest]) => oldest && now - oldest.since >= oldest.patienceMs);
    late?.shift()?.refuse();
    if (!isQuiet()) setImmediate(serve);
  };

  /** Disconnects clients that do not wait for responses. Only they can fill a queue, and refusing takes all the time. */
  const turnAway = (request: Entering): void => {
    const before = newest.get(request.socket);
    const isPipelining = before !== undefined && (urgent.includes(before) || others.includes(before));
    if (isPipelining) request.disconnect();
    else setImmediate(request.refuse);
  };

  return (priority: keyof typeof PATIENCE_MS, request: Entering): void => {
    const queue = priority === 'leaving' || priority === 'signup' ? urgent : others;
    const wasQuiet = isQuiet();
    if (wasQuiet && !isTurnOver()) request.answer();
    else if (queue.length >= MOST_WAITING) turnAway(request);
    else {
      const waiting = { ...request, since: clocks.cpuMs(), patienceMs: PATIENCE_MS[priority] };
      newest.set(request.socket, waiting);
      queue.push(waiting);
      if (wasQuiet) setImmediate(serve);
    }
  };
}

/** Tells whether this turn of the event loop has used its time. Reads the CPU time, a system call, only if needed. */
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
