/**
 * The connections of a server: how many a client may have, and the limits on slow clients. They count only time in which the service waits for a client, not
 * time in which the process or the machine is busy: turns of the event loop are counted, and what has arrived by then is read first.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import { toPrefixes } from './limits/client-address.ts';

/** Seconds that a client has. The time for a body includes that for its headers. */
export const LIMITS = { headers: 10, body: 15, 'another request': 10, 'taking an answer': 60 };
const ACCEPT_MS = 500; // the longest time for which a service that stops accepts connections
type Awaited = keyof typeof LIMITS;

type Connection = {
  /** The number of requests so far. */
  requests: number;
  /** The unfinished responses, in order. */
  responses: ServerResponse[];
  /** What the service waits for, and for how many seconds. */
  awaited?: Awaited | undefined;
  seconds: number;
  /** The bytes that had arrived when the last response was finished. */
  bytesBetween?: number | undefined;
};

const connections = new WeakMap<object, Connection>();

/** Returns the connection of a socket of a server with these limits. */
export const connectionOf = (socket: object): Readonly<Connection> | undefined => connections.get(socket);

/** Returns whether a connection has no request that is being read or answered. */
function isWaiting(socket: object): boolean {
  const connection = connections.get(socket);
  if (connection === undefined) return true;
  dropFinished(connection);
  return connection.responses.length === 0;
}

/**
 * Replaces Node's own limits, which count the time of a blocked event loop. Calls `refuse` when a request is late, and
 * closes the connection when a client is late otherwise.
 */
export function limitSlowClients(server: Server, refuse: (socket: Socket) => void): void {
  const open = new Set<Socket>();
  Object.assign(server, { headersTimeout: 0, requestTimeout: 0, timeout: 0 });
  server.keepAliveTimeout = LIMITS['another request'] * 1000; // for the Keep-Alive header
  server.on('timeout', () => undefined); // otherwise Node closes the connection after that time
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { requests: 0, responses: [], seconds: 0 });
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  for (const event of ['request', 'checkExpectation']) server.prependListener(event, noteRequest);
  const countSecond = (): void => {
    for (const socket of open) {
      const connection = connections.get(socket)!;
      const awaited = findAwaited(socket, connection);
      if (awaited !== connection.awaited) connection.seconds = 0;
      connection.awaited = awaited;
      if (awaited === undefined || connection.seconds++ < LIMITS[awaited]) continue;
      if (awaited === 'headers' || awaited === 'body') refuse(socket);
      else socket.destroy();
    }
  };
  server.once('listening', () => {
    const timer = setInterval(() => setImmediate(countSecond), 1000).unref();
    server.once('close', () => clearInterval(timer));
  });
}

function noteRequest({ socket }: IncomingMessage, response: ServerResponse): void {
  const connection = connections.get(socket)!;
  dropFinished(connection);
  connection.requests++;
  connection.responses.push(response);
  connection.awaited = connection.awaited === 'headers' ? 'body' : undefined;
  connection.bytesBetween = undefined;
}

function dropFinished({ responses }: Connection): void {
  while (responses[0]?.writableFinished) responses.shift();
}

/** Returns what the service waits for: nothing while it has a request to read or to answer. */
function findAwaited({ bytesRead }: Socket, connection: Connection): Awaited | undefined {
  dropFinished(connection);
  const [response] = connection.responses;
  if (response === undefined) {
    connection.bytesBetween ??= bytesRead;
    const hasBegun = connection.requests === 0 || bytesRead > connection.bytesBetween;
    return hasBegun ? 'headers' : 'another request';
  }
  if (response.writableEnded) return 'taking an answer';
  const { complete, readableLength } = response.req;
  return complete || readableLength > 0 ? undefined : 'body';
}

const STEPS = 10;

/**
 * Calls `end` after `ms`, of which one turn of the event loop takes at most a tenth, however long it lasts. What has arrived by
 * then is read first. Returns a function that stops it.
 */
export function startPatience(ms: number, end: () => void): () => void {
  let steps = 0;
  const timer = setInterval(() => {
    if (++steps < STEPS) return;
    clearInterval(timer);
    setImmediate(() => steps === STEPS && end());
  }, ms / STEPS);
  return () => {
    steps = Number.POSITIVE_INFINITY;
    clearInterval(timer);
  };
}

/**
 * Calls `done` after a turn of the event loop without a new connection. Closing the server resets connections that wait to
 * be accepted, although a proxy may have sent a request on them.
 */
export function acceptWaiting(server: Server, done: () => void): void {
  const until = performance.now() + ACCEPT_MS;
  let hasAccepted = true;
  const note = (): void => {
    hasAccepted = true;
  };
  const look = (): void => {
    if (hasAccepted && performance.now() < until) {
      hasAccepted = false;
      setImmediate(look);
    } else {
      server.off('connection', note);
      done();
    }
  };
  server.on('connection', note);
  setImmediate(look);
}

/** Maximum open connections, and maximum backlog. Node's default backlog of 511 makes many clients retry. */
export const MAX_CONNECTIONS = 2000;
/** Above this number, every new connection closes a connection without a request. */
const CROWDED = 0.9 * MAX_CONNECTIONS;

/**
 * Resets a new connection if its client already has `most` open ones. When the server is crowded, a new connection
 * closes the one without a request that the client with the most connections has had for longest.
 */
export function limitConnections(server: NetServer, most: number): void {
  const open = new Map<string, Set<Socket>>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    const client = toPrefixes(socket.remoteAddress ?? '').at(-1)!;
    const own = open.getOrInsertComputed(client, () => new Set());
    if (own.size >= most) {
      socket.resetAndDestroy();
      return;
    }
    if (count >= CROWDED) makeRoom();
    own.add(socket);
    count++;
    socket.once('close', () => {
      count--;
      own.delete(socket);
      if (own.size === 0) open.delete(client);
    });
  });

  function makeRoom(): void {
    const holders = [...open.values()].sort((a, b) => b.size - a.size);
    for (const sockets of holders)
      for (const socket of sockets)
        if (!socket.destroyed && isWaiting(socket)) {
          socket.destroy();
          return;
        }
  }
}
