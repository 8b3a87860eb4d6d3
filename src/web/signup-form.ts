/** Renders the signup page of a city, with the date of the next weekly email. */

import { hasRegisterEnded } from '../listings/archive.ts';
import { findComingSlot } from '../mail/editions/slots.ts';
import { describeSignup } from '../subscribers/consent.ts';
import { MOST_PREFERRED, NO_PREFERENCES, type Preferences } from '../subscribers/preferences.ts';
import { SIGNUP_TYPES, type SignupType, WAITLIST_TYPES } from '../subscribers/subscriber.ts';
import type { ServerContext } from './context.ts';
import type { Markup } from './pages/markup.ts';
import { renderPreferenceFields, renderSignupFields, renderSignupPage } from './pages/subscription-pages.ts';
import { listChoices, readPreferences } from './preference-choices.ts';

type FormOptions = {
  /** The type and the address of the previous form. */
  type?: string | undefined;
  email?: string | undefined;
  /** A sentence about what is wrong, and whether it concerns the address. */
  wrong?: string | undefined;
  isAddressWrong?: boolean;
  /** The initially chosen values. Omits values that no listing has. */
  chosen?: Preferences;
};

export function renderSignupForms(context: ServerContext, options: FormOptions = {}): string {
  const { layout, index } = context;
  const { email, wrong, isAddressWrong = false, chosen = NO_PREFERENCES } = options;
  const offered = listOfferedTypes(context);
  const sent = offered.find((type) => type === options.type) ?? offered[0];
  const { say } = layout.localization;
  // a search may spell values differently, or have too many of them
  const spelled = readPreferences(context, chosen, listChoices(context) ?? NO_PREFERENCES).preferences;
  const preferences = renderPreferences(context, spelled);
  const forms = offered.map((type) => {
    const signup = describeSignup(type, context.city);
    const typed = type === sent ? { email, wrong: isAddressWrong ? wrong : undefined } : {};
    const form = { type, ...signup, ...typed, preferences: type === 'weekly' && preferences };
    return {
      ...signup,
      type,
      isOpen: wrong !== undefined && type === sent,
      fields: renderSignupFields(layout.localization, form),
    };
  });
  return renderSignupPage(layout, {
    forms,
    schedule: [
      ...describeNextEdition(context),
      say('signup.quiet'),
      describeSignup('weekly', context.city).next,
    ],
    ended: index()?.latestFiling ?? undefined,
    wrong: isAddressWrong ? undefined : wrong,
    isWrong: wrong !== undefined,
  });
}

function listOfferedTypes(context: ServerContext): readonly SignupType[] {
  return hasWeeklyEnded(context) ? WAITLIST_TYPES : SIGNUP_TYPES;
}

/** Returns the label of a link to the signup page. If there is only one type of signup, the label names it. */
export function labelSignupLink(context: ServerContext): string {
  const [only, ...others] = listOfferedTypes(context);
  if (only === undefined || others.length > 0) return context.layout.localization.say('signup.title');
  return describeSignup(only, context.city).title;
}

/** Renders the fields for the topics of the weekly email. Returns `false` if there is nothing to choose from. */
export function renderPreferences(context: ServerContext, chosen: Preferences): Markup | false {
  const choices = listChoices(context);
  if (choices === undefined) return false;
  return renderPreferenceFields(context.layout.localization, { choices, chosen, most: MOST_PREFERRED });
}

/** Returns a sentence with the date of the next weekly email, or `[]` if the register has ended. */
export function describeNextEdition(context: ServerContext): string[] {
  const { city, layout, now } = context;
  if (hasWeeklyEnded(context)) return [];
  const { say, date } = layout.localization;
  const { edition } = findComingSlot(city, new Date(now()).toISOString());
  return [say('next.edition', { day: date(edition) })];
}

/** Returns whether the register has ended. Until the filings are loaded, only the profile decides. */
export function hasWeeklyEnded({ city, index }: Pick<ServerContext, 'city' | 'index'>): boolean {
  const current = index();
  if (current === undefined) return city.archive === true;
  return hasRegisterEnded(city, current.latestFiling, current.day);
}
