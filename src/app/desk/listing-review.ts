/** Overrules the register for single listings, for the commands and the desk. */

import type { Correction } from '../../service/runs/listing-store.ts';
import { CATEGORIES } from '../../shared/city/categories.ts';
import { openValueNames } from '../../shared/city/value-names.ts';
import { ShingleError } from '../../shared/errors.ts';
import { STATUSES } from '../../shared/listing.ts';
import { findNearestWord } from '../../shared/text/edits.ts';
import { normalizeText } from '../../shared/words.ts';
import type { Service } from '../operations/service.ts';
import { findSuppressionMatches } from '../operations/suppression-matches.ts';

export type CorrectedFields = Pick<Correction, 'category' | 'neighborhood' | 'status'>;
export type CorrectOptions = { category?: string; neighborhood?: string; status?: string; reason: string };

/** Corrects the listings with a name or key. Throws `usage` for a value that no listing can have. */
export async function correctListing(service: Service, value: string, options: CorrectOptions) {
  if (value === '') throw new ShingleError('usage', 'give the name or key of a listing');
  const fields = await parseCorrection(options, service);
  const { reason } = options;
  await service.store.suppressions.correct({ value, ...fields, reason, addedAt: service.now() });
  return { named: nameCorrection(fields, service), found: await findSuppressionMatches(service, value) };
}

/** Parses a correction. Throws `usage`, with the nearest known value, for a value that no listing can have. */
async function parseCorrection(
  { category, neighborhood, status }: CorrectOptions,
  { store, loaded }: Service,
): Promise<CorrectedFields> {
  if (category === undefined && neighborhood === undefined && status === undefined)
    throw new ShingleError('usage', 'say what is right: --category, --neighborhood or --status');
  const { nameOf, idOf } = openValueNames(loaded.city);
  const places = new Set([nameOf('neighborhood', null)]);
  if (neighborhood !== undefined)
    for await (const batch of store.listings.listings())
      for (const one of batch) places.add(nameOf('neighborhood', one.neighborhood));
  const kinds = [...CATEGORIES.map((id) => nameOf('category', id)), ...CATEGORIES];
  const kind = requireKnown(category, kinds, 'category');
  const place = requireKnown(neighborhood, [...places], 'neighborhood');
  return {
    category: kind && (idOf('category', kind) ?? ''),
    neighborhood: place && (idOf('neighborhood', place) ?? ''),
    status: requireKnown(status, STATUSES, 'status'),
  };
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
