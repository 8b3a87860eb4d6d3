/** Formats the consent texts. A changed text is a new version. The database keeps each version that people accepted. */

import { hash } from 'node:crypto';
import type { CityFacts } from '../city/city-facts.ts';
import { localizationFor } from '../city/localization.ts';
import { isPlaceholder } from '../city/placeholders.ts';
import { type Consent, SIGNUPS, type SignupType } from './signups.ts';

/** Returns the consent text (GDPR articles 7 and 13), shown at signup and again before confirming. */
export function makeConsent(type: SignupType, city: CityFacts): Consent {
  const { say } = localizationFor(city);
  const words = `${describeSignup(type, city).consent} ${say('notice.short')} ${formatNotice(city)}`;
  return { version: hash('sha256', words).slice(0, 12), words };
}

export function describeSignup(type: SignupType, city: CityFacts) {
  const { say } = localizationFor(city);
  const { words } = SIGNUPS[type];
  return {
    title: say(`${words}.title`),
    about: say(`${words}.about`),
    /** The sentence that the person agrees to, in the first person. */
    consent: say(`${words}.consent`, { operator: namePart(city, 'name') }),
    /** The purpose of the signup, worded for the middle of a sentence. */
    purpose: say(`${words}.purpose`),
    /** The end of the subject of the confirmation email. */
    subject: say(`${words}.subject`),
    /** A sentence about what happens after confirming. */
    next: say(`${words}.next`),
  };
}

/** Formats the part of the consent text that all types share. */
export function formatNotice(city: CityFacts): string {
  const text = localizationFor(city).say('notice', {
    operator: namePart(city, 'name'),
    contact: namePart(city, 'contact'),
  });
  return isPlaceholder(city.operator.name) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** Returns the operator's name or contact, or a placeholder if the draft of a city has none. */
function namePart(city: CityFacts, part: 'name' | 'contact'): string {
  const text = city.operator[part];
  return isPlaceholder(text) ? localizationFor(city).say(`operator.${part}.none`) : text;
}
