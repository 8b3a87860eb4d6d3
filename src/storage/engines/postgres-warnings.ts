/** What the operator of a PostgreSQL database should know of it though it is safe enough to be opened. Knows no connection. */

import type { Reading } from './engine.ts';

const SETTINGS = `select setting from pg_settings where name in ('synchronous_commit', 'synchronous_standby_names')
  order by name`;

/** A sentence each: what may be lost with the primary of a database that waits for no standby. */
export async function listStartupWarnings({ read }: Pick<Reading, 'read'>): Promise<string[]> {
  const [commit, names] = (await read<{ setting: string }>(SETTINGS)).map(({ setting }) => setting);
  if (names !== '' && commit !== 'local') return [];
  const why = names === '' ? 'synchronous_standby_names is empty' : 'synchronous_commit is local';
  return [
    `the database does not wait for a standby (${why}): if the primary fails, the latest signups can be lost`,
  ];
}
