/**
 * Overrules the register, for the commands and the desk: suppressions hide listings, and corrections replace fields of them. Both last until
 * the operator removes them. The first line of a report says what was done.
 */

import type { Correction, Suppression } from '../../../service/runs/listing-store.ts';
import { CATEGORIES } from '../../../shared/city/categories.ts';
import { openValueNames } from '../../../shared/city/value-names.ts';
import { missingError, usageError } from '../../../shared/errors.ts';
import { LONGEST_NAME } from '../../../shared/filing.ts';
import { STATUSES } from '../../../shared/listing.ts';
import { findNearest } from '../../../shared/text/edits.ts';
import { formatCount } from '../../../shared/text/numbers.ts';
import { removeInvisibles } from '../../../shared/text/visible-text.ts';
import { normalizeText } from '../../../shared/words.ts';
import type { Service } from '../../operations/service.ts';
import { findSuppressionMatches } from '../../operations/suppression-matches.ts';
import { type Report, toSnakeCase } from '../options.ts';

const LONGEST_REASON = 1000;

export type CorrectedFields = Pick<Correction, 'name' | 'category' | 'neighborhood' | 'status'>;
type CorrectOptions = Partial<Record<keyof CorrectedFields | 'reason', string>>;

/**
 * Parses which listings are meant, by name or key, and the operator's reason. Throws `usage` for an empty or overlong text. Both are
 * shown again in lists, so invisible characters are removed.
 */
function parseOverruling(given: string, options: { reason?: string }) {
  const value = removeInvisibles(given).trim();
  const reason = removeInvisibles(options.reason ?? '').trim();
  if (value === '') throw usageError('give the name or key of a listing');
  if (value.length > LONGEST_NAME) throw usageError(`a name or key has at most ${LONGEST_NAME} characters`);
  if (reason.length > LONGEST_REASON) throw usageError(`a reason has at most ${LONGEST_REASON} characters`);
  return { value, reason };
}

/** Stops serving the listings with a name or key, or, with `dryRun`, only counts them. */
export async function suppress(
  service: Service,
  given: string,
  options: { reason?: string; dryRun?: boolean },
): Promise<Report> {
  const { value, reason } = parseOverruling(given, options);
  const { dryRun } = options;
  const { store, now } = service;
  const added = !dryRun && (await store.suppressions.add({ value, reason, addedAt: now() }));
  const found = await findSuppressionMatches(service, value);
  const { matches, near } = found;
  const are = dryRun ? 'would not be' : matches === 1 ? 'is not' : 'are not';
  const hidden =
    matches === 0
      ? 'No listing has this name or key now. If it is filed later, it will not be served.'
      : `${formatCount(matches, 'listing has', 'listings have')} this name or key and ${are} served any more.`;
  const others = listNear('Similar names that are still served (add them too if needed):', near);
  const done = dryRun
    ? 'nothing was stored'
    : `${added ? 'no longer served' : 'already not served'}: ${value}`;
  return {
    json: { value, ...(dryRun && { dry_run: true }), added, ...found },
    text: [done, hidden, ...others].join('\n'),
  };
}

/** Corrects the listings with a name or key. Throws `usage` for a value that no listing can have. */
export async function correct(service: Service, given = '', options: CorrectOptions = {}): Promise<Report> {
  const { value, reason } = parseOverruling(given, options);
  const fields = await parseCorrection(options, service);
  await service.store.suppressions.correct({ value, ...fields, reason, addedAt: service.now() });
  const named = nameCorrection(fields, service);
  const found = await findSuppressionMatches(service, value);
  const { matches, near } = found;
  const have = matches === 0 ? 'No listing has' : formatCount(matches, 'listing has', 'listings have');
  const others = listNear('Similar names that were not corrected:', near);
  const done = `corrected: ${value}: ${describeCorrection(named)}`;
  return {
    json: { value, ...named, ...found },
    text: [done, `${have} this name or key now.`, ...others].join('\n'),
  };
}

function listNear(heading: string, near: readonly string[]): string[] {
  return near.length === 0 ? [] : [heading, ...near].map((line) => `  ${line}`);
}

export async function serveAgain({ store }: Service, given: string): Promise<Report> {
  const value = given.trim();
  requireListed(await store.suppressions.remove(value), value);
  return { json: { value, removed: true }, text: `served again: ${value}` };
}

export async function removeCorrection({ store }: Service, given: string): Promise<Report> {
  const value = given.trim();
  requireListed(await store.suppressions.removeCorrection(value), value);
  return { json: { value, removed: true }, text: `served as it was filed: ${value}` };
}

function requireListed(wasListed: boolean, value: string): void {
  if (!wasListed) throw missingError(`"${value}" is not in the list`);
}

export async function listSuppressions({ store }: Service): Promise<Report> {
  const suppressions = await store.listings.suppressions();
  const lines = suppressions.map((one) => formatOverruling(one, one.value));
  return { json: toSnakeCase({ suppressions }), text: lines.join('\n') || 'nothing is suppressed' };
}

export async function listCorrections(service: Service): Promise<Report> {
  const stored = await service.store.listings.corrections();
  const corrections = stored.map((one) => nameCorrection(one, service));
  const lines = corrections.map((one) => formatOverruling(one, `${one.value}: ${describeCorrection(one)}`));
  return { json: toSnakeCase({ corrections }), text: lines.join('\n') || 'nothing is corrected' };
}

function formatOverruling({ addedAt, reason }: Suppression, what: string): string {
  return `${addedAt.slice(0, 10)}  ${what}${reason && `  (${reason})`}`;
}

/** Lists the names that a category and a neighborhood may have, in the language of the city. */
export async function listChoices({ store, loaded }: Service) {
  const { nameOf } = openValueNames(loaded.city);
  const places = new Set<string>();
  for await (const batch of store.listings.listings())
    for (const one of batch) places.add(nameOf('neighborhood', one.neighborhood));
  const sort = (names: Iterable<string>) => [...names].sort((a, b) => a.localeCompare(b, 'en'));
  return {
    category: sort(new Set([...CATEGORIES, null].map((id) => nameOf('category', id)))),
    neighborhood: sort(places.add(nameOf('neighborhood', null))),
    status: STATUSES,
  };
}

/** Parses a correction. Throws `usage`, with the nearest known value, for a value that no listing can have. */
async function parseCorrection(
  { reason: _, ...given }: CorrectOptions,
  service: Service,
): Promise<CorrectedFields> {
  const { name, category, neighborhood, status } = given;
  if (Object.values(given).every((one) => one === undefined))
    throw usageError('say what is right: give a name, a category, a neighborhood or a status');
  const { idOf } = openValueNames(service.loaded.city);
  const isListed = category !== undefined || neighborhood !== undefined;
  const choices = isListed ? await listChoices(service) : { category: [], neighborhood: [] };
  const kind = requireKnown(category, [...choices.category, ...CATEGORIES], 'category');
  const place = requireKnown(neighborhood, choices.neighborhood, 'neighborhood');
  return {
    name: name === undefined ? null : requireName(name),
    category: kind && (idOf('category', kind) ?? ''),
    neighborhood: place && (idOf('neighborhood', place) ?? ''),
    status: requireKnown(status, STATUSES, 'status'),
  };
}

function requireName(given: string): string {
  const name = removeInvisibles(given).replace(/\s+/g, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(name) || name.length > LONGEST_NAME)
    throw usageError(`a name has letters or digits, and at most ${LONGEST_NAME} characters`);
  return name;
}

function requireKnown<Value extends string>(
  given: string | undefined,
  known: readonly Value[],
  what: string,
): Value | null {
  if (given === undefined) return null;
  const found = known.find((one) => normalizeText(one) === normalizeText(given));
  if (found !== undefined) return found;
  const nearest = findNearest(given, known);
  const hint = nearest === undefined ? '' : `. Did you mean "${nearest}"?`;
  throw usageError(`"${given}" is not a ${what}${hint}`);
}

/** Names the values of a correction in the language of the city. */
export function nameCorrection<Fields extends CorrectedFields>(fields: Fields, { loaded }: Service): Fields {
  const { nameOf } = openValueNames(loaded.city);
  const { category, neighborhood } = fields;
  return {
    ...fields,
    category: category === null ? null : nameOf('category', category || null),
    neighborhood: neighborhood === null ? null : nameOf('neighborhood', neighborhood || null),
  };
}

/** Lists what a correction says, in one line. */
export function describeCorrection({ name, category, neighborhood, status }: CorrectedFields): string {
  return [name, category, neighborhood, status].filter((one) => one !== null).join(', ');
}
