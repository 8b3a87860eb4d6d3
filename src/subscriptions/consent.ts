/** The consent texts and their versions. A changed text is a new version; the store keeps every version that was used. */

import { hash } from 'node:crypto';
import type { City } from '../city/define.ts';
import type { Consent, SignupType } from './ports.ts';

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
  /** What a person agrees to, in the first person. */
  consent: string;
  /** What the signup is for, in the middle of a sentence. */
  purpose: string;
  /** The end of the subject of the confirmation email. */
  subject: string;
  /** What happens after confirming. */
  next: string;
};

const SIGNUP_TEXTS: Record<SignupType, (city: City) => SignupTexts> = {
  weekly: ({ name, operator }) => ({
    label: 'The weekly email',
    consent: `I want the weekly email about new businesses in ${name} from ${operator.name}: one email a week and nothing else.`,
    purpose: `the weekly email about new businesses in ${name}`,
    subject: `new businesses in ${name}, weekly`,
    next: 'You will get the next edition. Every edition has a link to unsubscribe.',
  }),
  'pro-waitlist': ({ name, operator }) => ({
    label: 'A place on the Pro waitlist',
    consent: `I want ${operator.name} to email me when Pro launches in ${name}: one email, and not the weekly email.`,
    purpose: `the email about the Pro launch in ${name}`,
    subject: `the Pro waitlist for ${name}`,
    next: 'You will get one email when Pro launches.',
  }),
};

export function describeSignup(type: SignupType, city: City): SignupTexts {
  return SIGNUP_TEXTS[type](city);
}

/** The part that is the same for every type. */
export function formatNotice({ operator }: City): string {
  return `${operator.name} keeps only your email address, what you signed up for and when, and the version of this text, and uses them only to send these emails. We do not keep your IP address. We share your address with nobody except the mail servers that deliver the email. If you do not confirm, we delete your address after 7 days. You can unsubscribe at any time with the link in every email. We delete everything about you 30 days after you unsubscribe, or at once if you choose to erase it, and from backups within 7 more days. You can see, correct or erase your data, and complain to a data protection authority. Contact: ${operator.contact}.`;
}
