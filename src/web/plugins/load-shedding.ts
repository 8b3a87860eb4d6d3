/**
 * Load shedding. While there is little to do, each request is answered when it is read. When a turn of the event loop has done enough,
 * what is left waits, and later turns answer some of it, signups and unsubscribes first. So turns stay short however many connections there
 * are, which matters because a turn accepts one new connection only. Requests that have waited too long are refused. What counts is the CPU time that other
 * requests took meanwhile: a machine that is busy with something else slows the service down, but gives it no more to do.
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Clocks, Priority, ServerContext } from '../context.ts';

/** CPU time in milliseconds that other requests may take while one of a priority waits. */
const PATIENCE_MS: Record<Exclude<Priority, 'health'>, number> = {
  leaving: 1_000,
  signup: 600,
  search: 120,
  page: 60,
};

type Entering = { socket: Socket; answer(): void; refuse(): void; disconnect(): void };
type Waiting = Entering & { since: number; patienceMs: number };

const TURN_MS = 5; // CPU time after which a turn answers nothing more
const MOST_WAITING = 2_000; // in a line: clients may send many requests without waiting for responses

type LoadSheddingOptions = Pick<ServerContext, 'clocks' | 'metrics'>;

/** Delays and refuses requests under load, before anything is looked up or charged. A client that has gone meanwhile costs nothing. */
export function addLoadShedding(app: FastifyInstance, { clocks, metrics }: LoadSheddingOptions): void {
  if (clocks !== undefined) {
    const enter = openLines(clocks, app.server);
    app.addHook('onRequest', ({ raw, target }, reply, next) => {
      const priority = target === undefined ? 'page' : (target.config.priority ?? 'search');
      if (priority === 'health') return next();
      const answer = () => {
        if (!raw.socket.destroyed) next();
      };
      const count = () => metrics?.shed(target?.path ?? 'other');
      const refuse = () => {
        count();
        reply.header('retry-after', retryAfter()).problem({ code: 'overloaded' });
      };
      const disconnect = () => {
        count();
        raw.socket.destroy();
      };
      enter(priority, { socket: raw.socket, answer, refuse, disconnect });
    });
  }
}

export const CLOCKS: Clocks = { wallMs: () => performance.now(), cpuMs: threadCpuMs };

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** A function that answers or refuses a request, now or when it is its turn. */
function openLines(clocks: Clocks, server: Server) {
  const urgent: Waiting[] = [];
  const others: Waiting[] = [];
  const isQuiet = () => urgent.length === 0 && others.length === 0;
  const newest = new WeakMap<Socket, Waiting>(); // of each connection
  const isTurnOver = openTurns(clocks);
  let hasAccepted = false;
  server.on('connection', () => {
    hasAccepted = true;
  });

  /**
   * Answers requests for the rest of the turn, but only one where a connection was accepted, because the next one waits for the next turn.
   * Refuses at most one request, so that refusals leave most of the time to answers. All of it happens at the end of a turn: clients ask
   * again at once, and as long as 1,024 requests are ready, Node looks at no new connection.
   */
  const serve = () => {
    isTurnOver();
    do (urgent.shift() ?? others.shift())?.answer();
    while (!hasAccepted && !isQuiet() && !isTurnOver());
    hasAccepted = false;
    const now = clocks.cpuMs();
    const line = [others, urgent].find(([oldest]) => oldest && now - oldest.since >= oldest.patienceMs);
    line?.shift()?.refuse();
    if (!isQuiet()) setImmediate(serve);
  };

  /** Only clients that send requests without waiting for responses can fill a line. Refusing each of their requests would take all the time. */
  const turnAway = (request: Entering): void => {
    const before = newest.get(request.socket);
    const isPipelining = before !== undefined && (urgent.includes(before) || others.includes(before));
    if (isPipelining) request.disconnect();
    else setImmediate(request.refuse);
  };

  return (priority: keyof typeof PATIENCE_MS, request: Entering): void => {
    const line = priority === 'leaving' || priority === 'signup' ? urgent : others;
    const wasQuiet = isQuiet();
    if (wasQuiet && !isTurnOver()) request.answer();
    else if (line.length >= MOST_WAITING) turnAway(request);
    else {
      const waiting = { ...request, since: clocks.cpuMs(), patienceMs: PATIENCE_MS[priority] };
      newest.set(request.socket, waiting);
      line.push(waiting);
      if (wasQuiet) setImmediate(serve);
    }
  };
}

/**
 * A function that says, for each request, whether this turn of the event loop has done enough. CPU time is never more than the time that
 * has passed, and it costs a system call: while too little time has passed, that is the answer.
 */
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

/** Whole seconds, different for each client, so that not all of them come back at once. */
function retryAfter(): number {
  return 1 + Math.floor(Math.random() * 5);
}
