/** What people and delivery do to a store, for the cases of mailing. */

import type { Repositories } from '../../../src/service/data/store.ts';
import type { Outcome } from '../../../src/service/mail/failures.ts';
import type { Claimed } from '../../../src/service/mail/outbox-store.ts';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { hashToken } from '../../../src/service/subscribers/tokens.ts';
import type { SignupType } from '../../../src/shared/signup/signups.ts';

const START = Date.parse('2026-11-16T16:00:00Z');
export const MINUTE = 60_000;
export const DAY = 86_400_000;
export const at = (ms = 0): string => new Date(START + ms).toISOString();
const CONSENT = { version: 'v1', words: 'I want it.' };

type Options = { type?: SignupType; ms?: number; client?: number; recipientDomain?: string };

export function ask(
  { subscribers }: Repositories,
  text: string,
  { type = 'weekly', ms = 0, ...queue }: Options = {},
): Promise<void> {
  return subscribers.requestSignup({
    ...parseAddress(text)!,
    type,
    source: 'form',
    consent: CONSENT,
    at: at(ms),
    ...queue,
  });
}

export function add({ subscribers }: Repositories, text: string, type: SignupType = 'weekly') {
  return subscribers.addConfirmed({ ...parseAddress(text)!, type, consent: CONSENT, at: at() });
}

/** Confirms by the link of a message. */
export function confirm({ subscribers }: Repositories, { tokens }: Taken, ms = 0) {
  return subscribers.confirm({ hash: tokens.confirm!, purpose: 'confirm', at: at(ms) });
}

/** Makes the edition of a day. */
export function decide({ editions }: Repositories, ms = 0, edition = at(ms).slice(0, 10)): Promise<boolean> {
  const decided = { decidedAt: at(ms), expiresAt: at(ms + 2 * DAY) };
  return editions.decide({ edition, reason: null, content: '{}', ...decided }, []);
}

export type Taken = Omit<Claimed, 'tokens'> & { tokens: Record<string, string> };

/** Claims the next message, with the hashes of its tokens. */
export async function claim(
  { outbox }: Repositories,
  ms = 0,
  done?: Outcome,
  most = 200,
): Promise<Taken | undefined> {
  const claimed = await outbox.claim({
    now: at(ms),
    done,
    confirmationsAnHour: most,
    recipientDomain: { hour: 10, day: 30 },
  });
  if (claimed === undefined) return undefined;
  const hashes = Object.entries(claimed.tokens).map(([purpose, token]) => [purpose, hashToken(token)!]);
  return { ...claimed, tokens: Object.fromEntries(hashes) };
}

/** Everything that is due now, marked as sent: by a mail server with a code, or without one to files. */
export async function sent(store: Repositories, ms = 0, code: string | null = '250'): Promise<Taken[]> {
  const all: Taken[] = [];
  for (let next = await claim(store, ms); next !== undefined; ) {
    all.push(next);
    next = await claim(store, ms, { message: next.message, at: at(ms), code, state: 'sent' });
  }
  return all;
}

type Ended = Partial<{
  ms: number;
  code: string | null;
  nextAt: string;
  isDoubtful: boolean;
  isRefused: boolean;
}>;

/** Writes down what became of a message. */
export function finish(
  { outbox }: { outbox: Pick<Repositories['outbox'], 'finish'> },
  { message }: Pick<Taken, 'message'>,
  state: Outcome['state'],
  { ms = 0, ...ended }: Ended = {},
): Promise<void> {
  return outbox.finish({ message, at: at(ms), code: '250', state, ...ended } as Outcome);
}
