/** Renders the signup page of a city, and says when the next email comes. */

import { markup } from '../../page/markup.ts';
import { renderEndedPage, renderSignupFields, renderSignupPage } from '../../page/subscription-pages.ts';
import { findComingSlot, findNextSlot, weeklyOf } from '../../service/mail/editions/slots.ts';
import { EVERYTHING } from '../../shared/question.ts';
import { describeSignup } from '../../shared/signup/consent.ts';
import { NO_PREFERENCES, type Preferences } from '../../shared/signup/preferences.ts';
import { SIGNUP_TYPES } from '../../shared/signup/signups.ts';
import type { PageContext } from './page-context.ts';
import { readPreferences, renderPreferences } from './preferences.ts';

type FormOptions = {
  /** The type and the address of the previous form. */
  type?: string | undefined;
  email?: string | undefined;
  /** A sentence about what is wrong, and whether the address is wrong. */
  wrong?: string | undefined;
  isAddressWrong?: boolean;
  /** The initially chosen values. Omits values that no listing has. */
  chosen?: Preferences;
};

export function renderSignupForms(context: PageContext, options: FormOptions = {}): string {
  const { layout, index } = context;
  const { email, wrong, isAddressWrong = false, chosen = NO_PREFERENCES } = options;
  const { say } = layout.localization;
  if (!layout.hasNews())
    return renderEndedPage(layout, {
      title: say('signup.ended.title'),
      ended: index()?.latestFiling ?? undefined,
      more: wrong === undefined ? undefined : markup`<p class="wrong" role="alert">${wrong}</p>`,
    });
  const sent = SIGNUP_TYPES.find((type) => type === options.type) ?? SIGNUP_TYPES[0];
  // a search may spell values differently, or have too many of them
  const preferences = renderPreferences(context, readPreferences(context, chosen).preferences);
  const forms = SIGNUP_TYPES.map((type) => {
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
    wrong: isAddressWrong ? undefined : wrong,
    isWrong: wrong !== undefined,
  });
}

/** Returns a sentence with the date of the next weekly email, or `[]` if the register has ended. */
export function describeNextEdition(context: PageContext): string[] {
  const { city, layout, now, index } = context;
  if (!layout.hasNews()) return [];
  const { say, date } = layout.localization;
  const coming = findComingSlot(city, new Date(now()).toISOString());
  const [newest] = index()?.listEditions(EVERYTHING) ?? []; // can be sent early
  const isSent = newest !== undefined && newest.edition >= coming.edition;
  const { edition } = isSent ? findNextSlot(coming, weeklyOf(city), city.timeZone) : coming;
  return [say('next.edition', { day: date(edition) })];
}
