/** `shingle backup` copies the database while the service runs, or verifies a copy. `shingle restore` restores it. */

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { ShingleError } from '../errors.ts';
import { type CopyFacts, restoreBackup, verifyBackup } from '../operations/service.ts';
import { withService } from './options.ts';
import { formatCount, printLine } from './terminal.ts';

export function backupCommand(program: Command): void {
  program
    .command('backup')
    .description('write a consistent copy of the database; safe while the service runs')
    .argument('<file>', 'where to; must not exist yet')
    .option('--verify', 'check every page of an existing copy instead, and show what it contains')
    .action(async (name: string, options: { verify?: boolean }) => {
      const file = resolve(name);
      if (options.verify) return printLine(`${file} can be restored: ${describeCopy(verifyFilled(file))}`);
      await withService((service) => service.store.backup(file));
      printLine(`backed up to ${file}`);
    });
}

function verifyFilled(file: string): CopyFacts {
  const facts = verifyBackup(file);
  if (facts.listings === 0) throw new ShingleError('source', `${file} is sound, but has no listings`);
  return facts;
}

function describeCopy({ listings, subscribers }: Omit<CopyFacts, 'step'>): string {
  return `${formatCount(listings, 'listing')}, ${formatCount(subscribers, 'subscriber')}`;
}

export function restoreCommand(program: Command): void {
  program
    .command('restore')
    .description('verify a backup and replace the database with it; stop the service first')
    .argument('<file>', 'a file made by "shingle backup", or one of the daily backups')
    .action(async (file: string) => {
      const { replaced, ...facts } = await restoreBackup(readConfig(), resolve(file));
      printLine(`restored ${resolve(file)}: ${describeCopy(facts)}`);
      if (replaced !== undefined)
        printLine(`the previous database is ${replaced}; the service deletes it after 7 days`);
    });
}
