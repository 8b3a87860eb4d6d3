import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const given = new Set<number>();

/** A port that was free a moment ago, for a process whose port must be known before it starts; never one twice. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  if (given.has(port)) return freePort();
  given.add(port);
  return port;
}
