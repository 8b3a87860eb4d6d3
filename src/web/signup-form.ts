/** The signup form with what is known about its city: for the page, and for the page of the form alone. */

import { describeSignup, formatNotice } from '../subscribers/consent.ts';
import { MOST_PREFERRED, NO_PREFERENCES, type Preferences } from '../subscribers/preferences.ts';
import { SIGNUP_TYPES, type SignupType } from '../subscribers/subscriber.ts';
import type { ServerContext } from './context.ts';
import { hasEnded } from './next-edition.ts';
import type { Markup } from './pages/markup.ts';
import { renderPreferenceFields } from './pages/preference-fields.ts';
import { renderSignupFields } from './pages/subscription-pages.ts';
import { listChoices, readPreferences } from './preference-choices.ts';

type FormOptions = {
  /** The address that was typed before. */
  email?: string | undefined;
  /** What is chosen at first, as far as it exists. */
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

/** As the listings spell them: a search may spell its values in another way, or have too many. */
function spellChosen(context: ServerContext, chosen: Preferences): Preferences {
  return readPreferences(chosen, listChoices(context) ?? NO_PREFERENCES).preferences;
}

/** The fields to choose what the weekly email covers; `false` while there is nothing to choose from. */
export function renderPreferences(context: ServerContext, chosen: Preferences): Markup | false {
  const choices = listChoices(context);
  if (choices === undefined) return false;
  return renderPreferenceFields(context.layout.localization, { choices, chosen, most: MOST_PREFERRED });
}
