/** Tells where the service listens and who can reach it there, what strangers must not see, and why it cannot listen. */

import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../config.ts';
import { findMailFolder } from '../../service/mail/mail-files.ts';
import type { Limits } from '../../shared/city/city-facts.ts';
import { isLoopback } from '../../shared/city/networks.ts';
import { describePlaceholderFix, findPlaceholders } from '../../shared/city/placeholders.ts';
import { conflictError, refusedError } from '../../shared/errors.ts';
import type { Service } from './service.ts';

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
export function explainListenError({ host, port, variable }: Place & { variable: string }) {
  const foreign = `${host} is not an address of this machine. Set HOST to one`;
  const advice: Record<string, string> = {
    EADDRINUSE: `port ${port} of ${host} is in use by another program, perhaps another Shingle. Stop that program, or set ${variable} to another port`,
    EACCES: `this user may not open port ${port}. Set ${variable} to 1024 or more`,
    EADDRNOTAVAIL: foreign,
    ENOTFOUND: foreign,
  };
  return (error: unknown): never => {
    const sentence = advice[(error as NodeJS.ErrnoException).code ?? ''];
    throw sentence === undefined ? error : conflictError(sentence, error);
  };
}

/** Throws `refused` if strangers can see a draft that does not say who runs it or where its data is from. */
export function refusePlaceholders({ config, loaded }: Pick<Service, 'config' | 'loaded'>): void {
  const fields = findPlaceholders(loaded.city);
  const why = describePublicity(config);
  if (fields.length === 0 || why === undefined) return;
  const fix = describePlaceholderFix(fields, loaded.path);
  throw refusedError(`${why}, but the city is still a draft. First ${fix}`);
}

/** Returns the limits of clients. A draft, which only this machine can use, has no budget of listings for its operator. */
export function findLimits({ config, loaded }: Pick<Service, 'config' | 'loaded'>): Partial<Limits> | 'off' {
  const { limits = {} } = loaded.city;
  if (config.limits === 'off') return 'off';
  if (findPlaceholders(loaded.city).length === 0) return limits;
  return { ...limits, trusted: [...(limits.trusted ?? []), '127.0.0.0/8', '::1/128'] };
}

/** Returns the folder of emails, if they are files and only this machine can open the pages. */
export function findOpenMailFolder(config: Config): string | undefined {
  return describePublicity(config) === undefined ? findMailFolder(config.dataFolder) : undefined;
}

/** Returns a clause that says why strangers can see this service, or `undefined` if they cannot. */
function describePublicity({ mail, publicUrl, host }: Config): string | undefined {
  if (mail.smtp !== undefined) return 'SMTP_URL is set';
  if (publicUrl !== undefined)
    return isLoopback(new URL(publicUrl).hostname) ? undefined : 'PUBLIC_URL is a public address';
  return isLoopback(host) ? undefined : 'HOST lets other machines in';
}
