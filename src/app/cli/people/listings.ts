/**
 * Lets the operator overrule the register: `shingle suppress` hides names and keys, and `shingle correct` replaces
 * fields of listings. Both last until the operator removes them.
 */

import type { Command } from 'commander';
import { ShingleError } from '../../../shared/errors.ts';
import { STATUSES } from '../../../shared/listing.ts';
import { formatCount } from '../../../shared/text/numbers.ts';
import type { Service } from '../../operations/service.ts';
import { findSuppressionMatches, type SuppressionMatches } from '../../operations/suppression-matches.ts';
import {
  type CorrectOptions,
  correctListing,
  describeCorrection,
  nameCorrection,
  parseOverruling,
} from '../desk/listing-review.ts';
import { addCommand, type Report, toSnakeCase, withService } from '../options.ts';

const LISTING_VALUE = "a business name (case and punctuation are ignored) or a source's key";
const REASON = ['--reason <text>', 'the reason, kept for your records', ''] as const;

export function suppressCommand(program: Command): void {
  const suppress = program
    .command('suppress')
    .description('manage names and keys that are never served; changes take effect at once');
  addCommand(suppress, 'add', suppressValue)
    .description('stop serving listings with this name or key')
    .argument('<value>', LISTING_VALUE)
    .option(...REASON)
    .option('--dry-run', 'only list the listings that would be hidden');
  addListCommands(suppress, 'suppressions', {
    removal: 'serve listings with this name or key again',
    listing: 'list all suppressed names and keys',
    remove: ({ store }, value) => store.suppressions.remove(value),
    removed: 'served again',
    read: ({ store }) => store.listings.suppressions(),
    describe: ({ value }) => value,
    none: 'nothing is suppressed',
  });
}

export function correctCommand(program: Command): void {
  const correct = addCommand(program, 'correct', correctListings)
    .description('correct the listings with this name or key, now and after later imports')
    .argument('[value]', LISTING_VALUE)
    .option('--name <name>', 'the correct name')
    .option('--category <name>', 'the correct category')
    .option('--neighborhood <name>', 'the correct neighborhood, which other listings must have')
    .option('--status <status>', STATUSES.join(', '))
    .option(...REASON);
  addListCommands(correct, 'corrections', {
    removal: 'remove a correction, so that listings show the values of the register again',
    listing: 'list all corrections',
    remove: ({ store }, value) => store.suppressions.removeCorrection(value),
    removed: 'correction removed',
    read: async (service) =>
      (await service.store.listings.corrections()).map((one) => nameCorrection(one, service)),
    describe: (one) => `${one.value}: ${describeCorrection(one)}`,
    none: 'nothing is corrected',
  });
}

type ValueList<Entry> = {
  /** The descriptions of the commands `remove` and `list`. */
  removal: string;
  listing: string;
  remove(service: Service, value: string): Promise<boolean>;
  removed: string;
  read(service: Service): Promise<readonly Entry[]>;
  describe(entry: Entry): string;
  none: string;
};

/** Adds the commands that remove a value from a list and show the list. `name` is the list's name in JSON. */
function addListCommands<Entry extends { addedAt: string; reason: string }>(
  command: Command,
  name: string,
  list: ValueList<Entry>,
): void {
  const removeValue = async (given: string): Promise<Report> => {
    const value = given.trim();
    const removed = await withService((service) => list.remove(service, value));
    if (!removed)
      throw new ShingleError(
        'missing',
        `"${value}" is not in the list; see "npx shingle ${command.name()} list"`,
      );
    return { json: { value, removed }, text: `${list.removed}: ${value}` };
  };
  const listValues = async (): Promise<Report> => {
    const all = await withService(list.read);
    const lines = all.map((one) => {
      const why = one.reason && `  (${one.reason})`;
      return `${one.addedAt.slice(0, 10)}  ${list.describe(one)}${why}`;
    });
    return { json: toSnakeCase({ [name]: all }), text: lines.join('\n') || list.none };
  };
  addCommand(command, 'remove', removeValue)
    .description(list.removal)
    .argument('<value>', 'the name or key, as the list shows it');
  addCommand(command, 'list', listValues).description(list.listing);
}

async function suppressValue(
  given: string,
  { reason: why, dryRun }: { reason: string; dryRun?: boolean },
): Promise<Report> {
  const { value, reason } = parseOverruling({ value: given, reason: why });
  return withService(async (service) => {
    const { store, now } = service;
    const added = !dryRun && (await store.suppressions.add({ value, reason, addedAt: now() }));
    const found = await findSuppressionMatches(service, value);
    const done = `${added ? 'suppressed' : 'already suppressed'}: ${value}`;
    return {
      json: { value, ...(dryRun && { dry_run: true }), added, ...found },
      text: `${dryRun ? 'nothing was stored' : done}\n${formatSuppressed(found, dryRun)}`,
    };
  });
}

function formatSuppressed({ matches, near }: SuppressionMatches, isDry = false): string {
  const are = isDry ? 'would not be' : matches === 1 ? 'is not' : 'are not';
  const hidden =
    matches === 0
      ? 'No listing has this name or key now. If it is filed later, it will not be served.'
      : `${formatCount(matches, 'listing has', 'listings have')} this name or key and ${are} served any more.`;
  return listNear(hidden, 'Similar names that are still served (add them too if needed):', near);
}

function listNear(sentence: string, heading: string, near: readonly string[]): string {
  return [sentence, ...(near.length > 0 ? [heading, ...near] : [])].join('\n  ');
}

async function correctListings(given = '', options: CorrectOptions): Promise<Report> {
  return withService(async (service) => {
    const { value, named, found } = await correctListing(service, given, options);
    const { matches, near } = found;
    const have = matches === 0 ? 'No listing has' : formatCount(matches, 'listing has', 'listings have');
    const now = listNear(`${have} this name or key now.`, 'Similar names that were not corrected:', near);
    return {
      json: { value, ...named, ...found },
      text: `corrected: ${value}: ${describeCorrection(named)}\n${now}`,
    };
  });
}
