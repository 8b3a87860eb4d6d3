/** `shingle correct`: what the operator says of a listing in place of the register, until it is taken back. */

import type { Command } from 'commander';
import { CATEGORIES } from '../../city/categories/categories.ts';
import { ShingleError } from '../../errors.ts';
import type { Correction } from '../../import/listing-store.ts';
import { findNearestWord } from '../../listings/edits.ts';
import { STATUSES, UNCATEGORIZED, UNKNOWN_NEIGHBORHOOD } from '../../listings/listing.ts';
import { normalizeText } from '../../listings/words.ts';
import { findSuppressionMatches, listNeighborhoods } from '../../operations/suppression-matches.ts';
import { JSON_OPTION, withService } from '../options.ts';
import { printJson, printLine } from '../terminal.ts';
import { formatNear, LISTING_VALUE } from './suppress.ts';

type Options = { category?: string; neighborhood?: string; status?: string; reason: string; json?: boolean };
type Said = Pick<Correction, 'category' | 'neighborhood' | 'status'>;

export function correctCommand(program: Command): void {
  const correct = program
    .command('correct')
    .description('correct the listings with this name or key, now and after every later import')
    .argument('[value]', LISTING_VALUE)
    .option('--category <name>', 'the right category')
    .option('--neighborhood <name>', 'the right neighborhood, one that other listings have')
    .option('--status <status>', STATUSES.join(', '))
    .option('--reason <text>', 'the reason, kept for your records', '')
    .option(...JSON_OPTION)
    .action(async (given: string | undefined, options: Options) => {
      const value = given?.trim() ?? '';
      if (value === '')
        throw new ShingleError('usage', 'correct needs a name or a key, or "list" or "remove"');
      const { said, found } = await withService(async (service) => {
        const said = await parseCorrection(options, () => listNeighborhoods(service));
        const { reason } = options;
        await service.store.suppressions.correct({ value, ...said, reason, addedAt: service.now() });
        return { said, found: await findSuppressionMatches(service, value) };
      });
      if (options.json) printJson({ value, ...said, ...found });
      else printLine(`corrected: ${value}: ${formatSaid(said)}\n${formatFound(found)}`);
    });
  addRemoveCommand(correct);
  addListCommand(correct);
}

function addRemoveCommand(correct: Command): void {
  correct
    .command('remove')
    .description('show again what the register says')
    .argument('<value>', 'the name or key, as shown in the list')
    .option(...JSON_OPTION)
    .action(async (given: string, _options: unknown, command: Command) => {
      const value = given.trim();
      const removed = await withService((service) => service.store.suppressions.removeCorrection(value));
      if (!removed)
        throw new ShingleError('missing', `"${value}" is not in the list; see "npx shingle correct list"`);
      if (command.optsWithGlobals().json) printJson({ value, removed });
      else printLine(`as the register says again: ${value}`);
    });
}

function addListCommand(correct: Command): void {
  correct
    .command('list')
    .description('list all corrections')
    .option(...JSON_OPTION)
    .action(async (_options: unknown, command: Command) => {
      const all = await withService((service) => service.store.listings.corrections());
      if (command.optsWithGlobals().json)
        printJson({ corrections: all.map(({ addedAt, ...one }) => ({ ...one, added_at: addedAt })) });
      else if (all.length === 0) printLine('nothing is corrected');
      else
        for (const one of all) {
          const why = one.reason && `  (${one.reason})`;
          printLine(`${one.addedAt.slice(0, 10)}  ${one.value}: ${formatSaid(one)}${why}`);
        }
    });
}

/** Throws `usage` for a value that no listing could have, with the nearest one. */
async function parseCorrection(
  { category, neighborhood, status }: Options,
  listKnown: () => Promise<string[]>,
): Promise<Said> {
  if (category === undefined && neighborhood === undefined && status === undefined)
    throw new ShingleError('usage', 'say what is right: --category, --neighborhood or --status');
  return {
    category:
      category === undefined ? null : requireKnown(category, [...CATEGORIES, UNCATEGORIZED], 'category'),
    neighborhood:
      neighborhood === undefined
        ? null
        : requireKnown(neighborhood, [...(await listKnown()), UNKNOWN_NEIGHBORHOOD], 'neighborhood'),
    status: status === undefined ? null : requireKnown(status, STATUSES, 'status'),
  };
}

function requireKnown<Value extends string>(given: string, known: readonly Value[], what: string): Value {
  const found = known.find((one) => normalizeText(one) === normalizeText(given));
  if (found !== undefined) return found;
  const nearest = findNearestWord(given, known);
  const hint = nearest === undefined ? '' : `. Did you mean "${nearest}"?`;
  throw new ShingleError('usage', `"${given}" is not a ${what}${hint}`);
}

function formatSaid({ category, neighborhood, status }: Said): string {
  return [category, neighborhood, status].filter((one) => one !== null).join(', ');
}

function formatFound({ matches, near }: Awaited<ReturnType<typeof findSuppressionMatches>>): string {
  const listings = matches === 1 ? '1 listing has' : `${matches.toLocaleString('en')} listings have`;
  const now = matches === 0 ? 'No listing has' : listings;
  return [`${now} this name or key now.`, ...formatNear(near, 'Similar names that were not corrected:')].join(
    '\n  ',
  );
}
