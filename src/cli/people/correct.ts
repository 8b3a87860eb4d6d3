/** `shingle correct`: replaces fields of listings, whatever the register says, until the correction is removed. */

import type { Command } from 'commander';
import { CATEGORIES } from '../../city/categories/categories.ts';
import { openValueNames } from '../../city/value-names.ts';
import { ShingleError } from '../../errors.ts';
import type { Correction } from '../../import/listing-store.ts';
import { findNearestWord } from '../../listings/edits.ts';
import { STATUSES, UNKNOWN_NEIGHBORHOOD } from '../../listings/listing.ts';
import { normalizeText } from '../../listings/words.ts';
import type { Service } from '../../operations/service.ts';
import { findSuppressionMatches, type SuppressionMatches } from '../../operations/suppression-matches.ts';
import { addAction, type Report, toSnakeCase, withService } from '../options.ts';
import { formatCount } from '../terminal.ts';
import { formatNear, LISTING_VALUE, requireRemoved } from './suppress.ts';

type Options = { category?: string; neighborhood?: string; status?: string; reason: string };
type CorrectedFields = Pick<Correction, 'category' | 'neighborhood' | 'status'>;

export function correctCommand(program: Command): void {
  const correct = program
    .command('correct')
    .description('correct the listings with this name or key, now and after every later import')
    .argument('[value]', LISTING_VALUE)
    .option('--category <name>', 'the right category')
    .option('--neighborhood <name>', 'the right neighborhood, one that other listings have')
    .option('--status <status>', STATUSES.join(', '))
    .option('--reason <text>', 'the reason, kept for your records', '');
  addAction(correct, correctListings);
  const remove = correct
    .command('remove')
    .description('show again what the register says')
    .argument('<value>', 'the name or key, as shown in the list');
  addAction(remove, removeCorrection);
  addAction(correct.command('list').description('list all corrections'), listCorrections);
}

async function correctListings(given: string | undefined, options: Options): Promise<Report> {
  const value = given?.trim() ?? '';
  if (value === '') throw new ShingleError('usage', 'correct needs a name or a key, or "list" or "remove"');
  return withService(async (service) => {
    const fields = await parseCorrection(options, service);
    const { reason } = options;
    await service.store.suppressions.correct({ value, ...fields, reason, addedAt: service.now() });
    const found = await findSuppressionMatches(service, value);
    return {
      json: { value, ...fields, ...found },
      text: `corrected: ${value}: ${formatCorrection(fields)}\n${formatFound(found)}`,
    };
  });
}

async function removeCorrection(given: string): Promise<Report> {
  const value = given.trim();
  const removed = await withService((service) => service.store.suppressions.removeCorrection(value));
  requireRemoved(removed, value, 'correct');
  return { json: { value, removed }, text: `correction removed: ${value}` };
}

async function listCorrections(): Promise<Report> {
  const all = await withService((service) => service.store.listings.corrections());
  const lines = all.map((one) => {
    const why = one.reason && `  (${one.reason})`;
    return `${one.addedAt.slice(0, 10)}  ${one.value}: ${formatCorrection(one)}${why}`;
  });
  return { json: toSnakeCase({ corrections: all }), text: lines.join('\n') || 'nothing is corrected' };
}

/** Parses a correction. Throws `usage`, with the nearest known value, for a value that no listing can have. */
async function parseCorrection(
  { category, neighborhood, status }: Options,
  service: Service,
): Promise<CorrectedFields> {
  if (category === undefined && neighborhood === undefined && status === undefined)
    throw new ShingleError('usage', 'say what is right: --category, --neighborhood or --status');
  const places = neighborhood === undefined ? [] : await listNeighborhoods(service);
  const { categories, nameValue } = openValueNames(service.loaded.city);
  const kind = requireKnown(category, [...categories, ...CATEGORIES], 'category');
  return {
    category: kind && nameValue(kind),
    neighborhood: requireKnown(neighborhood, [...places, nameValue(UNKNOWN_NEIGHBORHOOD)], 'neighborhood'),
    status: requireKnown(status, STATUSES, 'status'),
  };
}

async function listNeighborhoods({ store }: Pick<Service, 'store'>): Promise<string[]> {
  const found = new Set<string>();
  for await (const batch of store.listings.listings())
    for (const { neighborhood } of batch) found.add(neighborhood);
  return [...found];
}

function requireKnown<Value extends string>(
  given: string | undefined,
  known: readonly Value[],
  what: string,
): Value | null {
  if (given === undefined) return null;
  const found = known.find((one) => normalizeText(one) === normalizeText(given));
  if (found !== undefined) return found;
  const nearest = findNearestWord(given, known);
  const hint = nearest === undefined ? '' : `. Did you mean "${nearest}"?`;
  throw new ShingleError('usage', `"${given}" is not a ${what}${hint}`);
}

function formatCorrection({ category, neighborhood, status }: CorrectedFields): string {
  return [category, neighborhood, status].filter((one) => one !== null).join(', ');
}

function formatFound({ matches, near }: SuppressionMatches): string {
  const listings = matches === 0 ? 'No listing has' : formatCount(matches, 'listing has', 'listings have');
  const others = formatNear(near, 'Similar names that were not corrected:');
  return [`${listings} this name or key now.`, ...others].join('\n  ');
}
