/** `shingle suppress`: manages names and keys that are never served, even if they are filed again. */

import type { Command } from 'commander';
import { ShingleError } from '../../errors.ts';
import { findSuppressionMatches, type SuppressionMatches } from '../../operations/suppression-matches.ts';
import { addAction, type Report, toSnakeCase, withService } from '../options.ts';
import { formatCount } from '../terminal.ts';

export const LISTING_VALUE = "a business name (case and punctuation are ignored) or a source's key";

export function suppressCommand(program: Command): void {
  const suppress = program
    .command('suppress')
    .description('manage names and keys that are never served; changes take effect at once');
  const add = suppress
    .command('add')
    .description('stop serving listings with this name or key')
    .argument('<value>', LISTING_VALUE)
    .option('--reason <text>', 'the reason, kept for your records', '')
    .option('--dry-run', 'say which listings it would hide; stores nothing');
  addAction(add, suppressValue);
  const remove = suppress
    .command('remove')
    .description('serve listings with this name or key again')
    .argument('<value>', 'the name or key, as shown in the list');
  addAction(remove, removeValue);
  addAction(suppress.command('list').description('list all suppressed names and keys'), listValues);
}

async function suppressValue(
  given: string,
  { reason, dryRun }: { reason: string; dryRun?: boolean },
): Promise<Report> {
  const value = given.trim();
  if (value === '') throw new ShingleError('usage', 'suppress add needs a name or a key');
  const { added, found } = await withService(async (service) => {
    const { store, now } = service;
    const added = !dryRun && (await store.suppressions.add({ value, reason, addedAt: now() }));
    return { added, found: await findSuppressionMatches(service, value) };
  });
  const done = `${added ? 'suppressed' : 'already suppressed'}: ${value}`;
  return {
    json: { value, ...(dryRun && { dry_run: true }), added, ...found },
    text: dryRun
      ? `nothing was stored\n${formatMatches(found, 'would not be')}`
      : `${done}\n${formatMatches(found)}`,
  };
}

async function removeValue(given: string): Promise<Report> {
  const value = given.trim();
  const removed = await withService((service) => service.store.suppressions.remove(value));
  requireRemoved(removed, value, 'suppress');
  return { json: { value, removed }, text: `served again: ${value}` };
}

/** Throws `missing` if the value was not in the list. */
export function requireRemoved(removed: boolean, value: string, command: 'suppress' | 'correct'): void {
  if (!removed)
    throw new ShingleError('missing', `"${value}" is not in the list; see "npx shingle ${command} list"`);
}

async function listValues(): Promise<Report> {
  const all = await withService((service) => service.store.listings.suppressions());
  const lines = all.map(
    ({ value, reason, addedAt }) => `${addedAt.slice(0, 10)}  ${value}${reason && `  (${reason})`}`,
  );
  return {
    json: toSnakeCase({ suppressions: all }),
    text: lines.join('\n') || 'nothing is suppressed',
  };
}

function formatMatches({ matches, near }: SuppressionMatches, are?: string): string {
  const listings = formatCount(matches, 'listing has', 'listings have');
  const hidden =
    matches === 0
      ? 'No listing has this name or key now. If it is filed later, it will not be served.'
      : `${listings} this name or key and ${are ?? (matches === 1 ? 'is not' : 'are not')} served any more.`;
  const others = formatNear(near, 'Similar names that are still served (add them too if needed):');
  return [hidden, ...others].join('\n  ');
}

export function formatNear(near: readonly string[], heading: string): string[] {
  return near.length === 0 ? [] : [heading, ...near];
}
