/** The signup form with what is known about its city, and when the next weekly email goes out. */

import { hasRegisterEnded } from '../listings/archive.ts';
import { DEFAULT_WEEKLY, findNewestSlot, findNextSlot } from '../mail/editions/slots.ts';
import { EVERYTHING } from '../search/parameters.ts';
import { describeSignup, formatNotice } from '../subscribers/consent.ts';
import { MOST_PREFERRED, NO_PREFERENCES, type Preferences } from '../subscribers/preferences.ts';
import { SIGNUP_TYPES, type SignupType } from '../subscribers/subscriber.ts';
import type { ServerContext } from './context.ts';
import type { Markup } from './pages/markup.ts';
import { renderPreferenceFields, renderSignupFields } from './pages/subscription-pages.ts';
import { listChoices, readPreferences } from './preference-choices.ts';

type FormOptions = {
  /** The address that was typed before. */
  email?: string | undefined;
  /** The values that are chosen at first. Those that no listing has are left out. */
  chosen?: Preferences;
};

/** The form and its notice. */
export function renderSignupForm(
  context: ServerContext,
  { email, chosen = NO_PREFERENCES }: FormOptions = {},
): Markup {
  const { city, layout } = context;
  const types: readonly SignupType[] = hasEnded(context) ? ['pro-waitlist'] : SIGNUP_TYPES;
  return renderSignupFields(layout.localization, {
    choices: types.map((type) => ({ type, ...describeSignup(type, city) })),
    preferences: types.includes('weekly') && renderPreferences(context, spellChosen(context, chosen)),
    notice: formatNotice(city),
    email,
  });
}

/** Spells the values as the listings do: a search may spell them in another way, or have too many. */
function spellChosen(context: ServerContext, chosen: Preferences): Preferences {
  return readPreferences(chosen, listChoices(context) ?? NO_PREFERENCES).preferences;
}

/** The fields to choose what the weekly email covers; `false` while there is nothing to choose from. */
export function renderPreferences(context: ServerContext, chosen: Preferences): Markup | false {
  const choices = listChoices(context);
  if (choices === undefined) return false;
  return renderPreferenceFields(context.layout.localization, { choices, chosen, most: MOST_PREFERRED });
}

/** A sentence with the date, or none if the register has ended. */
export function describeNextEdition(context: ServerContext): string[] {
  const { city, layout, now } = context;
  if (hasEnded(context)) return [];
  const { weekly = DEFAULT_WEEKLY, timeZone } = city;
  const slot = findNextSlot(
    findNewestSlot(weekly, timeZone, new Date(now()).toISOString()),
    weekly,
    timeZone,
  );
  const { say, date } = layout.localization;
  return [say('next.edition', { day: date(slot.edition) })];
}

/** Whether the register has ended, so that there is no weekly email. Before its filings are loaded, only the profile can say so. */
export function hasEnded({ city, index }: ServerContext): boolean {
  const current = index();
  if (current === undefined) return city.archive === true;
  return hasRegisterEnded(city, current.stats(EVERYTHING).latestFiling, current.day);
}
