/** `shingle suppress` hides listings by name or key, and `shingle correct` replaces fields of them. */

import type { Command } from 'commander';
import { STATUSES } from '../../../shared/listing.ts';
import {
  type CorrectOptions,
  correct,
  listOverruled,
  type OverruledList,
  suppress,
  undoOverruling,
} from '../desk/listing-review.ts';
import { addCommand, withService } from '../options.ts';

const LISTING_VALUE = "a business name (case and punctuation are ignored) or a source's key";
const REASON = ['--reason <text>', 'the reason, kept for your records', ''] as const;

export function suppressCommand(program: Command): void {
  const command = program
    .command('suppress')
    .description('manage names and keys that are never served; changes take effect at once');
  addCommand(command, 'add', (value: string, options: { reason: string; dryRun?: boolean }) =>
    withService((service) => suppress(service, { ...options, value })),
  )
    .description('stop serving listings with this name or key')
    .argument('<value>', LISTING_VALUE)
    .option(...REASON)
    .option('--dry-run', 'only list the listings that would be hidden');
  addListCommands(command, 'suppressions', 'serve listings with this name or key again');
}

export function correctCommand(program: Command): void {
  const command = addCommand(program, 'correct', (value: string | undefined, options: CorrectOptions) =>
    withService((service) => correct(service, value ?? '', options)),
  )
    .description('correct the listings with this name or key, now and after later imports')
    .argument('[value]', LISTING_VALUE)
    .option('--name <name>', 'the correct name')
    .option('--category <name>', 'the correct category')
    .option('--neighborhood <name>', 'the correct neighborhood, which other listings must have')
    .option('--status <status>', STATUSES.join(', '))
    .option(...REASON);
  const removal = 'remove a correction, so that listings show the values of the register again';
  addListCommands(command, 'corrections', removal);
}

/** Adds the commands that remove a value from a list and show the list. */
function addListCommands(command: Command, list: OverruledList, removal: string): void {
  addCommand(command, 'remove', (value: string) =>
    withService((service) => undoOverruling(service, list, value)),
  )
    .description(removal)
    .argument('<value>', 'the name or key, as the list shows it');
  addCommand(command, 'list', () => withService((service) => listOverruled(service, list))).description(
    `list all ${list}`,
  );
}
