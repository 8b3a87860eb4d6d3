/** Formats the consent texts. A changed text is a new version, and the database keeps every version in use. */

import { hash } from 'node:crypto';
import type { City } from '../city/define.ts';
import { localizationFor } from '../city/localization.ts';
import type { Consent, SignupType } from './subscriber.ts';

/**
 * Returns the consent text: what is stored, why and for how long, and the person's rights (GDPR articles 7 and 13).
 * Shown at signup and again before confirming.
 */
export function makeConsent(type: SignupType, city: City): Consent {
  const { say } = localizationFor(city);
  const words = `${describeSignup(type, city).consent} ${say('notice.short')} ${formatNotice(city)}`;
  return { version: hash('sha256', words).slice(0, 12), words };
}

/** Prefixes of the text keys of each type. */
const WORDS_OF = { weekly: 'weekly', 'pro-waitlist': 'waitlist' } as const satisfies Record<
  SignupType,
  string
>;

/** Returns the texts about a type of signup. */
export function describeSignup(type: SignupType, city: City) {
  const { say } = localizationFor(city);
  const about = WORDS_OF[type];
  return {
    /** Names the choice on the form. */
    label: say(`${about}.label`),
    /** Explains the choice. `undefined` if its label is enough. */
    about: about === 'waitlist' ? say('waitlist.about') : undefined,
    /** The agreement, in the first person. */
    consent: say(`${about}.consent`, { operator: city.operator.name }),
    /** The purpose of the signup, for the middle of a sentence. */
    purpose: say(`${about}.purpose`),
    /** The end of the subject of the confirmation email. */
    subject: say(`${about}.subject`),
    /** Says what happens after confirming. */
    next: say(`${about}.next`),
  };
}

/** Formats the part of the consent text that all types share. */
export function formatNotice(city: City): string {
  const { name: operator, contact } = city.operator;
  return localizationFor(city).say('notice', { operator, contact });
}
