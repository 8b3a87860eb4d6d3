/** The consent texts and their versions. A changed text is a new version; the store keeps every version that was used. */

import { hash } from 'node:crypto';
import type { City } from '../city/define.ts';
import { localizationFor } from '../city/localization.ts';
import type { Consent, SignupType } from './subscriber.ts';

/**
 * What is stored, why and for how long, and the person's rights (GDPR articles 7 and 13). Shown at signup and again before
 * confirming.
 */
export function makeConsent(type: SignupType, city: City): Consent {
  const words = `${describeSignup(type, city).consent} ${formatNotice(city)}`;
  return { version: hash('sha256', words).slice(0, 12), words };
}

/** The sentences about one type of signup. */
type SignupTexts = {
  /** Names the choice on the form. */
  label: string;
  /** Explains what only its name would say; `undefined` if nothing has to be explained. */
  about: string | undefined;
  /** What a person agrees to, in the first person. */
  consent: string;
  /** What the signup is for, in the middle of a sentence. */
  purpose: string;
  /** The end of the subject of the confirmation email. */
  subject: string;
  /** What happens after confirming. */
  next: string;
};

/** How the keys of a type's texts begin. */
const WORDS_OF = { weekly: 'weekly', 'pro-waitlist': 'waitlist' } as const satisfies Record<
  SignupType,
  string
>;

export function describeSignup(type: SignupType, city: City): SignupTexts {
  const { say } = localizationFor(city);
  const about = WORDS_OF[type];
  return {
    label: say(`${about}.label`),
    about: about === 'waitlist' ? say('waitlist.about') : undefined,
    consent: say(`${about}.consent`, { operator: city.operator.name }),
    purpose: say(`${about}.purpose`),
    subject: say(`${about}.subject`),
    next: say(`${about}.next`),
  };
}

/** The part of the consent text that is the same for every type. */
export function formatNotice(city: City): string {
  const { name: operator, contact } = city.operator;
  return localizationFor(city).say('notice', { operator, contact });
}
