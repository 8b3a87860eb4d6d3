/** Finds where the service listens, and says in plain words why it cannot. */

import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ShingleError } from '../../shared/errors.ts';

type Place = { host: string; port: number };

/** Resolves `localhost` first. Otherwise Fastify would open a second server for the other address, without limits. */
export async function findListenPlace({ host, port }: Place): Promise<Place> {
  return { host: host === 'localhost' ? (await lookup(host)).address : host, port };
}

/** Throws a `conflict` if the service could not listen now, before it starts work that it would have to end. */
export async function requireFreePort(config: Place): Promise<void> {
  const explain = explainListenError({ ...config, variable: 'PORT' });
  const server = createServer();
  try {
    server.listen(await findListenPlace(config));
    await once(server, 'listening');
  } catch (error) {
    explain(error);
  }
  server.close();
  await once(server, 'close');
}

/** Returns a function that throws a `conflict`, with advice, if the operator can fix the error. */
export function explainListenError({
  host,
  port,
  variable,
}: {
  host: string;
  port: number;
  variable: string;
}) {
  const foreign = `${host} is not an address of this machine. Set HOST to one`;
  const advice: Record<string, string> = {
    EADDRINUSE: `port ${port} of ${host} is in use by another program, perhaps another Shingle. Stop that program, or set ${variable} to another port`,
    EACCES: `this user may not open port ${port}. Set ${variable} to 1024 or more`,
    EADDRNOTAVAIL: foreign,
    ENOTFOUND: foreign,
  };
  return (error: unknown): never => {
    const sentence = advice[(error as NodeJS.ErrnoException).code ?? ''];
    throw sentence === undefined ? error : new ShingleError('conflict', sentence, { cause: error });
  };
}
