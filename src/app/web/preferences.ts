/** Reads and shows the categories and neighborhoods that people choose for their weekly email. */

import type { Markup } from '../../page/markup.ts';
import { renderPreferenceFields } from '../../page/subscription-pages.ts';
import type { RequestProblem } from '../../service/web/problems.ts';
import { CATEGORIES } from '../../shared/city/categories.ts';
import { isUnknown, openValueNames } from '../../shared/city/value-names.ts';
import type { Counts } from '../../shared/listing.ts';
import { EVERYTHING } from '../../shared/question.ts';
import {
  describePreferences,
  MOST_PREFERRED,
  NO_PREFERENCES,
  type Preferences,
  parsePreferences,
} from '../../shared/signup/preferences.ts';
import { findNearest } from '../../shared/text/edits.ts';
import { normalizeText } from '../../shared/words.ts';
import type { PageContext } from './page-context.ts';

const MOST_ERRORS = 10; // a response must not be many times longer than its request

export const PREFERENCE_FIELDS = ['categories', 'neighborhoods'] as const;

/** Renders the fields for the topics of the weekly email. Returns `false` if there is nothing to choose from. */
export function renderPreferences(context: PageContext, chosen: Preferences): Markup | false {
  const choices = listChoices(context);
  if (choices === undefined) return false;
  return renderPreferenceFields(context.layout.localization, choices, chosen);
}

/** Returns a sentence with the chosen values, or `[]` for all. */
export function describeCover({ city, layout }: PageContext, preferences: string | null): string[] {
  if (preferences === null) return [];
  return [
    layout.localization.say('confirm.covers', {
      what: describePreferences(parsePreferences(preferences, city), city),
    }),
  ];
}

/** Lists the values of the listings, by name, unknown ones last. */
function listChoices({ index, outline, layout }: PageContext): Preferences | undefined {
  const stats = index()?.stats(EVERYTHING);
  if (stats === undefined) return undefined;
  const areas = outline()?.areas.map(({ name }) => name) ?? [];
  const { compare } = new Intl.Collator(layout.localization.language);
  const listByName = (counts: Counts, others: readonly string[] = []) =>
    [...new Set([...counts.map(({ value }) => value), ...others])].sort(
      (a, b) => Number(isUnknown(a)) - Number(isUnknown(b)) || compare(a, b),
    );
  return {
    categories: listByName(stats.by.category),
    neighborhoods: listByName(stats.by.neighborhood, areas),
  };
}

/** Reads values and spells them as the listings do. Also accepts values in `kept`, and categories without listings. */
export function readPreferences(
  context: PageContext,
  given: Preferences,
  kept = NO_PREFERENCES,
): { preferences: Preferences; errors: readonly RequestProblem[] } {
  const choices = listChoices(context) ?? NO_PREFERENCES;
  const errors: RequestProblem[] = [];
  const read = (field: keyof Preferences, more: readonly string[] = []): string[] => {
    if (given[field].length > MOST_PREFERRED) {
      errors.push({ pointer: `/${field}`, detail: `${field} can have at most ${MOST_PREFERRED} values.` });
      return [];
    }
    const known = [...more, ...kept[field], ...choices[field]];
    const bySpelling = new Map(known.map((value) => [normalizeText(value), value]));
    return given[field].flatMap((value, i) => {
      const spelling = normalizeText(value);
      const found = bySpelling.get(spelling);
      if (found === undefined && errors.length < MOST_ERRORS) {
        const detail = `This is not one of the ${field} of the listings.`;
        const nearest = findNearest(spelling, bySpelling.keys()) ?? '';
        errors.push({ pointer: `/${field}/${i}`, detail, did_you_mean: bySpelling.get(nearest) });
      }
      return found ?? [];
    });
  };
  const categories = read(
    'categories',
    CATEGORIES.map((id) => openValueNames(context.city).nameOf('category', id)),
  );
  return { preferences: { categories, neighborhoods: read('neighborhoods') }, errors };
}

/** Reads the preferences of a form. Returns a sentence in `wrong` if they are invalid. */
export function readFormPreferences(
  context: PageContext,
  form: URLSearchParams,
  kept?: Preferences,
): { preferences: Preferences; wrong: string | undefined } {
  const { say } = context.layout.localization;
  const readList = (name: string) => form.getAll(name).filter((value) => value !== '');
  const [categories, neighborhoods] = [readList('categories'), readList('neighborhoods')];
  const { preferences, errors } = readPreferences(context, { categories, neighborhoods }, kept);
  if (errors.length === 0) return { preferences, wrong: undefined };
  const isLong = Math.max(categories.length, neighborhoods.length) > MOST_PREFERRED;
  return {
    preferences,
    wrong: isLong ? say('preferences.many', { n: MOST_PREFERRED }) : say('preferences.unknown'),
  };
}
