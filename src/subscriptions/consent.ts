/** The words people agree to, and their names. A changed word is another version; the store keeps every version it used. */

import { hash } from 'node:crypto';
import type { City } from '../city/define.ts';
import type { Consent, SignupType } from './ports.ts';

/**
 * Who keeps what, why, how long, and what rights there are (GDPR articles 7 and 13), as shown at signup and again before
 * confirming.
 */
export function makeConsent(type: SignupType, city: City): Consent {
  const words = `${describeConsent(type, city)} ${formatNotice(city)}`;
  return { version: hash('sha256', words).slice(0, 12), words };
}

/** What is asked for, in the words of whoever asks. */
export function describeConsent(type: SignupType, { name, operator }: City): string {
  return type === 'weekly'
    ? `I want the weekly email about new businesses in ${name} from ${operator.name}: one a week, and nothing else.`
    : `I want ${operator.name} to tell me by email when Pro for ${name} can be had: one email, and not the weekly.`;
}

/** The part that is the same whatever is asked for. */
export function formatNotice({ operator }: City): string {
  return `Kept for this alone, by ${operator.name}: the address, what it asked for, when, and the version of these words; not where the request came from. Nobody else gets it, other than the mail servers that carry the email. An address that is not confirmed is deleted after 7 days. You can leave at any time with the link in every email; 30 days later, or at once if you choose to erase it, everything about you is deleted, and within 7 more days from backup copies. You may see, correct or erase what is kept, and complain to a data protection authority. Contact: ${operator.contact}.`;
}
