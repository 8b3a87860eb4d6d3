/** Limits the open connections of each client, and keeps room for others when nearly all of the server's are open. */

import type { Server, Socket } from 'node:net';
import { isWaiting } from '../connections.ts';
import { toPrefixes } from './client-address.ts';

/** Maximum open connections, and maximum backlog. Node's default backlog of 511 makes many clients retry. */
export const MAX_CONNECTIONS = 2000;
/** Above this number, every new connection closes a connection without a request. */
const CROWDED = 0.9 * MAX_CONNECTIONS;

/**
 * Resets a new connection if its client already has `most` open ones. When the server is crowded, a new connection
 * closes the one without a request that the client with the most connections has had for longest.
 */
export function limitConnections(server: Server, most: number): void {
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
