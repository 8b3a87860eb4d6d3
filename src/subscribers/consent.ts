/** The consent texts. A changed text is a new version, and the database keeps every version that was used. */

import { hash } from 'node:crypto';
import type { City } from '../city/define.ts';
import { localizationFor } from '../city/localization.ts';
import type { Consent, SignupType } from './subscriber.ts';

/**
 * What is stored, why and for how long, and the person's rights (GDPR articles 7 and 13). Shown at signup and again
 * before confirming.
 */
export function makeConsent(type: SignupType, city: City): Consent {
  const { say } = localizationFor(city);
  const words = `${describeSignup(type, city).consent} ${say('notice.short')} ${formatNotice(city)}`;
  return { version: hash('sha256', words).slice(0, 12), words };
}

/** How the keys of a type's texts begin. */
const WORDS_OF = { weekly: 'weekly', 'pro-waitlist': 'waitlist' } as const satisfies Record<
  SignupType,
  string
>;

/** The sentences about one type of signup. */
export function describeSignup(type: SignupType, city: City) {
  const { say } = localizationFor(city);
  const about = WORDS_OF[type];
  return {
    /** Names the choice on the form. */
    label: say(`${about}.label`),
    /** Explains the choice; `undefined` if its label is enough. */
    about: about === 'waitlist' ? say('waitlist.about') : undefined,
    /** What a person agrees to, in the first person. */
    consent: say(`${about}.consent`, { operator: city.operator.name }),
    /** What the signup is for, in the middle of a sentence. */
    purpose: say(`${about}.purpose`),
    /** The end of the subject of the confirmation email. */
    subject: say(`${about}.subject`),
    /** What happens after confirming. */
    next: say(`${about}.next`),
  };
}

/** The part of the consent text that is the same for every type. */
export function formatNotice(city: City): string {
  const { name: operator, contact } = city.operator;
  return localizationFor(city).say('notice', { operator, contact });
}
