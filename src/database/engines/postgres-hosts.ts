/** The hosts of one database: parses the URL and finds the host that accepts writes. Opens no connection itself. */

import { ShingleError } from '../../errors.ts';

/** One URL for each host of a list. Errors never quote the URL, because it contains a password. */
export function splitHosts(url: string): string[] {
  const [, scheme, user = '', hosts, name = '', options = ''] =
    /^(postgres(?:ql)?:\/\/)([^@/]*@)?([^@/?]+)(\/[^@?]*)?(\?.*)?$/.exec(url) ?? [];
  const urls = hosts?.split(',').map((host) => `${scheme}${user}${host}${name}${options}`) ?? [];
  if (urls.length > 0 && urls.every((one) => URL.canParse(one))) return urls;
  throw new ShingleError(
    'refused',
    'the database URL must have the form postgres://user:password@host:port,host:port/name',
  );
}

/** All hosts and the database name, without user, password or options. */
export function describeServer(url: string): string {
  const urls = splitHosts(url);
  return `${urls.map(hostOf).join(',')}${new URL(urls[0]!).pathname}`;
}

export const hostOf = (url: string): string => new URL(url).host;

/**
 * The first host in order that accepts writes. All are tried at once, so a silent one takes no extra time.
 * Throws `readOnly` if all answer and none accepts writes, otherwise the error of one of them.
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
