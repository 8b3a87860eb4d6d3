/** How many connections one client may hold, so that no client takes all the room. For servers that clients reach directly. */

import type { Server, Socket } from 'node:net';
import { toPrefixes } from './client-address.ts';

/** For one IPv4 address or IPv6 /48, where the profile says nothing else: enough for a large office or school. */
export const CLIENT_CONNECTIONS = 100;

/** Ends each connection beyond `most` of one client as soon as it is made, whatever was sent on it. Remembers open connections only. */
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
