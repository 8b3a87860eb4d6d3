/** `shingle restore`: replaces the database with a backup and keeps the old one next to it. */

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { restoreBackup } from '../operations/service.ts';
import { describeCopy } from './backup.ts';
import { printLine } from './terminal.ts';

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
