/** `shingle move`: moves the store to an empty PostgreSQL database, all or nothing. Never prints a password. */

import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { ShingleError } from '../errors.ts';
import { addAction, type Report } from './options.ts';
import { formatNumber, openProgressLine, printLine } from './terminal.ts';

export function moveCommand(program: Command): void {
  const command = program
    .command('move')
    .description(
      'move the data to an empty PostgreSQL database; the data folder can no longer be used afterwards',
    )
    .configureOutput({ writeErr: (text) => process.stderr.write(text.replace(/\/\/[^@\s]*@/g, '//***@')) })
    .option(
      '--to <address>',
      'postgres://user:password@host:port/name (default: DATABASE_URL, which keeps the password out of process lists)',
    );
  addAction(command, moveData);
}

async function moveData(options: { to?: string; json?: boolean }): Promise<Report> {
  const config = readConfig();
  const address = options.to ?? config.databaseUrl;
  if (address === undefined)
    throw new ShingleError('usage', 'name the database with --to <address> or DATABASE_URL');
  const line = openProgressLine();
  const { moveStore } = await import('../operations/data/move.ts'); // loads the PostgreSQL driver, which few processes need
  const { to, tables } = await moveStore({
    ...{ folder: config.dataFolder, url: address, now: new Date().toISOString() },
    progress: ({ doing, table, rows }) => line.show(() => `${doing}: ${table}: ${formatNumber(rows)} rows`),
  }).finally(line.clear);
  const counts = Object.entries(tables).filter(([, rows]) => rows > 0);
  const moved = counts.map(([table, rows]) => `${table} ${formatNumber(rows)}`).join(', ');
  const text = `moved to ${to}: ${moved}
set DATABASE_URL=postgres://USER:PASSWORD@${to} and start Shingle again. The old data folder can no longer be used`;
  if (options.json) printLine(text); // with `--json`, the operator would not see the next step otherwise
  return { json: { to, tables }, text };
}
