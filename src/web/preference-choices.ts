/** Lists the values that people can choose for their weekly email, and reads the values of a request. */

import { openValueNames } from '../city/value-names.ts';
import { findNearestWord } from '../listings/edits.ts';
import { isUnknown } from '../listings/listing.ts';
import { normalizeText } from '../listings/words.ts';
import { EVERYTHING } from '../search/parameters.ts';
import { MOST_PREFERRED, NO_PREFERENCES, type Preferences } from '../subscribers/preferences.ts';
import type { ServerContext } from './context.ts';
import type { RequestFault } from './problems.ts';
import { readFormList } from './request-body.ts';

const MOST_ERRORS = 10; // a response must not be many times longer than its request
const MOST_SUGGESTED = 5;

export const PREFERENCE_FIELDS = ['categories', 'neighborhoods'] as const;

/**
 * Lists the values of the listings, unknown ones last: kinds with the most frequent first, places by name. Returns `undefined` before the first run is kept.
 */
export function listChoices({ index, outline, layout }: ServerContext): Preferences | undefined {
  const stats = index()?.stats(EVERYTHING);
  if (stats === undefined) return undefined;
  const areas = outline()?.areas.map(({ name }) => name) ?? [];
  const { compare } = new Intl.Collator(layout.localization.language);
  const putUnknownLast = (values: readonly string[]) =>
    values.toSorted((a, b) => Number(isUnknown(a)) - Number(isUnknown(b)));
  const places = new Set([...stats.byNeighborhood.map(({ value }) => value), ...areas]);
  return {
    categories: putUnknownLast(stats.byCategory.map(({ value }) => value)),
    neighborhoods: putUnknownLast([...places].sort(compare)),
  };
}

/** Reads values and spells them as the listings do. Also accepts values in `kept`, and categories without listings. */
export function readPreferences(
  { city }: Pick<ServerContext, 'city'>,
  given: Preferences,
  choices: Preferences,
  kept?: Preferences,
): { preferences: Preferences; errors: readonly RequestFault[] } {
  const errors: RequestFault[] = [];
  const read = (field: (typeof PREFERENCE_FIELDS)[number]) => {
    const known = [
      ...(field === 'categories' ? openValueNames(city).categories : []),
      ...(kept?.[field] ?? []),
      ...choices[field],
    ];
    return readValues(field, given[field], known, errors);
  };
  return { preferences: { categories: read('categories'), neighborhoods: read('neighborhoods') }, errors };
}

/** Reads the preferences of a form. Returns a sentence in `wrong` if they are invalid. */
export function readFormPreferences(
  context: ServerContext,
  body: Buffer,
  kept?: Preferences,
): { preferences: Preferences; wrong: string | undefined } {
  const { say } = context.layout.localization;
  const choices = listChoices(context) ?? NO_PREFERENCES;
  const given = {
    categories: readFormList(body, 'categories'),
    neighborhoods: readFormList(body, 'neighborhoods'),
  };
  const { preferences, errors } = readPreferences(context, given, choices, kept);
  const isLong = PREFERENCE_FIELDS.some((field) => given[field].length > MOST_PREFERRED);
  const wrong = isLong ? say('preferences.many', { n: MOST_PREFERRED }) : say('preferences.unknown');
  return { preferences, wrong: errors.length === 0 ? undefined : wrong };
}

function readValues(
  field: string,
  given: readonly string[],
  known: readonly string[],
  errors: RequestFault[],
): string[] {
  if (given.length > MOST_PREFERRED) {
    errors.push({ pointer: `/${field}`, detail: `${field} can have at most ${MOST_PREFERRED} values.` });
    return [];
  }
  const bySpelling = new Map(known.map((value) => [normalizeText(value), value]));
  return given.flatMap((value, i) => {
    const found = bySpelling.get(normalizeText(value));
    if (found === undefined && errors.length < MOST_ERRORS)
      errors.push({
        pointer: `/${field}/${i}`,
        detail: `This is not one of the ${field} of the listings.`,
        did_you_mean:
          errors.length < MOST_SUGGESTED
            ? bySpelling.get(findNearestWord(normalizeText(value), [...bySpelling.keys()]) ?? '')
            : undefined,
      });
    return found ?? [];
  });
}
