/** Parses database addresses. Requires verified TLS by default, because a server may ask for a clear-text password. */

import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { isLoopback } from '../../../shared/city/networks.ts';
import { messageOf, POSTGRES_FORM, refusedError, ShingleError } from '../../../shared/errors.ts';

/** Splits an address with several hosts into an address for each. Errors never quote it: it has a password. */
export function splitHosts(url: string): string[] {
  const [, scheme, user = '', hosts, name, options = ''] =
    /^(postgres(?:ql)?:\/\/)([^@/]*@)?([^@/?]+)(\/[^@?/]+)(\?.*)?$/.exec(url) ?? [];
  const urls = hosts?.split(',').map((host) => `${scheme}${user}${host}${name}${options}`) ?? [];
  if (urls.length > 0 && urls.every((one) => URL.canParse(one))) return urls;
  throw refusedError(`DATABASE_URL ${POSTGRES_FORM}`);
}

export function describeServer(url: string): string {
  const urls = splitHosts(url);
  return `${urls.map(hostOf).join(',')}${new URL(urls[0]!).pathname}`;
}

export const hostOf = (url: string): string => new URL(url).host;

/**
 * Finds the primary. Tries all hosts at once, so a silent host causes no delay. Throws `readOnly` if none is primary.
 */
export async function findPrimary(
  urls: readonly string[],
  takesWrites: (url: string) => Promise<boolean>,
  readOnly: 'refused' | 'store',
): Promise<string> {
  const found = await Promise.allSettled(urls.map(takesWrites));
  const at = found.findIndex((one) => one.status === 'fulfilled' && one.value);
  if (at !== -1) return urls[at]!;
  const failures = found.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0) throw failures.find(({ code }) => code === 'refused') ?? failures[0];
  const hosts = urls.map(hostOf).join(', ');
  throw new ShingleError(readOnly, `the database is read-only: none of ${hosts} is the primary`);
}

const SSL_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'ssl'];
/** The TLS modes. All except `disable` mean `verify-full`: connections are never less protected than requested. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** Reads an address. Sets `ssl`, because `pg` alone is less strict about TLS. Throws `refused` if it is invalid. */
export function readPostgresAddress(url: string): {
  connectionString: string;
  ssl?: false | ConnectionOptions;
} {
  const parsed = new URL(url);
  const given = takeSslParameters(parsed.searchParams);
  const { sslmode = given.ssl && 'verify-full', sslrootcert, sslcert, sslkey } = given;
  if (sslmode !== undefined && !SSL_MODES.includes(sslmode))
    throw addressError(`sslmode must be one of ${SSL_MODES.join(', ')}`);
  const address = { connectionString: parsed.href };
  if (sslmode === 'disable') return { ...address, ssl: false };
  const isAsked = Object.keys(given).length > 0;
  if (isLocal(parsed) && !isAsked) return { connectionString: url };
  // NODE_TLS_REJECT_UNAUTHORIZED cannot disable it
  const ssl: ConnectionOptions = { rejectUnauthorized: true };
  if (sslrootcert !== undefined && sslrootcert !== 'system') ssl.ca = readPem('sslrootcert', sslrootcert);
  if (sslcert !== undefined) ssl.cert = readPem('sslcert', sslcert);
  if (sslkey !== undefined) ssl.key = readPem('sslkey', sslkey);
  return { ...address, ssl };
}

function takeSslParameters(parameters: URLSearchParams): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of [...parameters].filter(([one]) => /^(ssl|uselibpqcompat)/i.test(one))) {
    if (!SSL_PARAMETERS.includes(name) || (name === 'ssl' && value !== 'true'))
      throw addressError(`"${name}" is not supported; use sslmode, sslrootcert, sslcert and sslkey`);
    if (name in given) throw addressError(`"${name}" is given twice`);
    given[name] = value;
    parameters.delete(name, value);
  }
  return given;
}

/** Returns whether the host is loopback or a socket. A `host` parameter overrides the URL's host. */
function isLocal({ hostname, searchParams }: URL): boolean {
  const sockets = searchParams.getAll('host');
  if (sockets.some((socket) => !socket.startsWith('/')))
    throw addressError('"host" can only be the folder of a socket; hosts stand before the database name');
  const host = decodeURIComponent(hostname);
  return sockets.length > 0 || host.startsWith('/') || isLoopback(host);
}

function readPem(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw addressError(`the file of ${parameter} cannot be read: ${messageOf(error)}`);
  }
}

function addressError(sentence: string): ShingleError {
  return refusedError(`the database URL cannot be used: ${sentence}`);
}
