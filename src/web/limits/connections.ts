/** Limits the connections of one client, so that no client takes them all. Used by servers that clients reach without a proxy. */

import type { Server, Socket } from 'node:net';
import { toPrefixes } from './client-address.ts';

/** The default for one IPv4 address or IPv6 /48. It is enough for a large office or school. */
export const CLIENT_CONNECTIONS = 100;

/** Resets each connection beyond `most` of one client as soon as it is accepted. Remembers open connections only. */
export function limitConnections(server: Server, most: number, countRefusal: () => void): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { narrow, wide } = toPrefixes(socket.remoteAddress ?? '');
    const client = wide ?? narrow;
    const count = open.get(client) ?? 0;
    if (count >= most) {
      countRefusal();
      socket.resetAndDestroy();
      return;
    }
    open.set(client, count + 1);
    socket.once('close', () => {
      const left = open.get(client)! - 1;
      if (left === 0) open.delete(client);
      else open.set(client, left);
    });
  });
}
