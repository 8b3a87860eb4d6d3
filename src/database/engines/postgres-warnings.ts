/** Warnings at startup about a PostgreSQL database that is safe enough to open. Knows no connection. */

import type { Reading } from './engine.ts';

const SETTINGS = `select setting from pg_settings where name in ('synchronous_commit', 'synchronous_standby_names')
  order by name`;

/** Sentences about what can be lost with the primary if the database does not wait for a standby. */
export async function listStartupWarnings({ read }: Pick<Reading, 'read'>): Promise<string[]> {
  const [commit, names] = (await read<{ setting: string }>(SETTINGS)).map(({ setting }) => setting);
  if (names !== '' && commit !== 'local') return [];
  const why = names === '' ? 'synchronous_standby_names is empty' : 'synchronous_commit is local';
  return [
    `the database does not wait for a standby (${why}): if the primary fails, the latest signups can be lost`,
  ];
}
