/** `shingle suppress`: manages names and keys that are never served, even if they are filed again. */

import type { Command } from 'commander';
import { ShingleError } from '../../errors.ts';
import { findSuppressionMatches, type SuppressionMatches } from '../../operations/suppression-matches.ts';
import { JSON_OPTION, withService } from '../options.ts';
import { printJson, printLine } from '../terminal.ts';

/** What names listings, for `suppress` and `correct`. */
export const LISTING_VALUE = "a business name (case and punctuation are ignored) or a source's key";

export function suppressCommand(program: Command): void {
  const suppress = program
    .command('suppress')
    .description('manage names and keys that are never served; changes take effect at once');
  suppress
    .command('add')
    .description('stop serving listings with this name or key')
    .argument('<value>', LISTING_VALUE, trimmed)
    .option('--reason <text>', 'the reason, kept for your records', '')
    .option('--dry-run', 'say which listings it would hide; stores nothing')
    .option(...JSON_OPTION)
    .action(async (value: string, options: { reason: string; dryRun?: boolean; json?: boolean }) => {
      if (value === '') throw new ShingleError('usage', 'suppress add needs a name or a key');
      const { added, found } = await withService(async (service) => ({
        added:
          !options.dryRun &&
          (await service.store.suppressions.add({ value, reason: options.reason, addedAt: service.now() })),
        found: await findSuppressionMatches(service, value),
      }));
      if (options.json) printJson({ value, ...(options.dryRun && { dry_run: true }), added, ...found });
      else if (options.dryRun) printLine(`nothing was stored\n${formatMatches(found, 'would not be')}`);
      else printLine(`${added ? 'suppressed' : 'already suppressed'}: ${value}\n${formatMatches(found)}`);
    });
  suppress
    .command('remove')
    .description('serve listings with this name or key again')
    .argument('<value>', 'the name or key, as shown in the list', trimmed)
    .option(...JSON_OPTION)
    .action(async (value: string, options: { json?: boolean }) => {
      const removed = await withService((service) => service.store.suppressions.remove(value));
      if (!removed)
        throw new ShingleError('missing', `"${value}" is not in the list; see "npx shingle suppress list"`);
      if (options.json) printJson({ value, removed });
      else printLine(`served again: ${value}`);
    });
  suppress
    .command('list')
    .description('list all suppressed names and keys')
    .option(...JSON_OPTION)
    .action(async (options: { json?: boolean }) => {
      const all = await withService((service) => service.store.listings.suppressions());
      if (options.json)
        printJson({
          suppressions: all.map(({ value, reason, addedAt }) => ({ value, reason, added_at: addedAt })),
        });
      else if (all.length === 0) printLine('nothing is suppressed');
      else
        for (const { value, reason, addedAt } of all)
          printLine(`${addedAt.slice(0, 10)}  ${value}${reason && `  (${reason})`}`);
    });
}

function formatMatches({ matches, near }: SuppressionMatches, are?: string): string {
  const listings = matches === 1 ? '1 listing has' : `${matches.toLocaleString('en')} listings have`;
  const hidden =
    matches === 0
      ? 'No listing has this name or key now. One that is filed later will not be served.'
      : `${listings} this name or key and ${are ?? (matches === 1 ? 'is not' : 'are not')} served any more.`;
  const others = formatNear(near, 'Similar names that are still served (add them too if needed):');
  return [hidden, ...others].join('\n  ');
}

/** The lines about names that are spelled much like it. */
export function formatNear(near: readonly string[], heading: string): string[] {
  return near.length === 0 ? [] : [heading, ...near];
}

function trimmed(text: string): string {
  return text.trim();
}
