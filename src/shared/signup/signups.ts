/** Defines the types of signup. */

/** The types of signup. `words` is the prefix of their keys in `data/subscription-words.json`. */
export const SIGNUPS = {
  weekly: { words: 'weekly', name: 'the weekly email', promise: 'the weekly email', counted: 'weekly' },
  'pro-waitlist': {
    words: 'waitlist',
    name: 'the Pro waitlist',
    promise: 'one email when Pro launches, and nothing else',
    counted: 'on the Pro waitlist',
  },
} as const;
export type SignupType = keyof typeof SIGNUPS;
export const SIGNUP_TYPES = Object.keys(SIGNUPS) as SignupType[];

/** A type that promises one announcement. Only the weekly email has editions and preferences. */
export type WaitlistType = Exclude<SignupType, 'weekly'>;

export function isSignupType(text: string | undefined): text is SignupType {
  return SIGNUP_TYPES.some((type) => type === text);
}

/** The text that a person agreed to, and its version. */
export type Consent = { version: string; words: string };
