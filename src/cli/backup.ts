/** `shingle backup`: writes a consistent copy of the database, also while the service runs. */

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { withService } from './options.ts';
import { printLine } from './terminal.ts';

export function backupCommand(program: Command): void {
  program
    .command('backup')
    .description('write a consistent copy of the database; safe while the service runs')
    .argument('<file>', 'where to; must not exist yet')
    .action(async (file: string) => {
      await withService((service) => service.store.backup(resolve(file)));
      printLine(`backed up to ${resolve(file)}`);
    });
}
