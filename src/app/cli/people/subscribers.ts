/** `shingle subscribers`: manages email subscribers. Only this command prints subscribers' addresses. */

import { describeFailure } from '../../../service/mail/failures.ts';
import { findShownState } from '../../../service/subscribers/subscriber.ts';
import type { StoredData } from '../../../service/subscribers/subscriber-store.ts';
import { missingError, usageError } from '../../../shared/errors.ts';
import { makeConsent } from '../../../shared/signup/consent.ts';
import { isSignupType, SIGNUP_TYPES } from '../../../shared/signup/signups.ts';
import type { Service } from '../../operations/service.ts';
import { type Report, requireAddress } from '../options.ts';

const TYPE_WIDTH = Math.max(...SIGNUP_TYPES.map(({ length }) => length));

const OLD_BACKUPS =
  'earlier backups lose the address when they are restored; the daily ones are deleted after 7 days';
const OLD_DUMPS = 'earlier dumps of the database contain the address until you delete them';

export async function showPerson({ store }: Service, email: string): Promise<Report> {
  const stored = await store.subscribers.readStored(requireAddress(email).identity);
  if (stored === undefined) throw missingError('no subscriber has this address');
  return { json: stored, text: describeStored(stored) };
}

/** Lists all subscriptions, in the order of people's first signups. */
export async function listSubscribers({ store }: Service): Promise<Report> {
  const people = await store.subscribers.all();
  const subscriptions = people.flatMap(({ address: email, refusedAt, refusal, subscriptions }) =>
    subscriptions.map((one) => ({
      email,
      type: one.type,
      state: findShownState(one, refusedAt),
      source: one.source,
      consent: one.consent,
      asked_at: one.askedAt,
      confirmed_at: one.confirmedAt,
      left_at: one.leftAt,
      refused_at: refusedAt,
      refusal,
    })),
  );
  const lines = subscriptions.map(({ email, type, state, confirmed_at, asked_at, refusal }) => {
    const since = (confirmed_at ?? asked_at).slice(0, 10);
    const refused =
      refusal === null ? '' : `  ${describeFailure({ end: 'failure', of: 'address', code: refusal })}`;
    return `${since}  ${type.padEnd(TYPE_WIDTH)}  ${state.padEnd(9)}  ${email}${refused}`;
  });
  return { json: { subscribers: subscriptions }, text: lines.join('\n') || 'no subscribers yet' };
}

export async function erasePerson({ store, now, config }: Service, email: string): Promise<Report> {
  const person = await store.subscribers.find(requireAddress(email).identity);
  if (person === undefined || !(await store.subscribers.erase(person.subscriber, now())))
    throw missingError('no subscriber has this address');
  const copies = config.databaseUrl === undefined ? OLD_BACKUPS : OLD_DUMPS;
  return { json: { erased: true }, text: `erased; ${copies}` };
}

export async function addPerson(
  { store, loaded, now }: Service,
  email: string,
  { type = 'weekly' }: { type?: string },
): Promise<Report> {
  if (!isSignupType(type)) throw usageError(`--type must be one of ${SIGNUP_TYPES.join(', ')}`);
  const address = requireAddress(email);
  const consent = makeConsent(type, loaded.city);
  const added = await store.subscribers.addConfirmed({ ...address, type, consent, at: now() });
  return { json: { added }, text: `${added ? 'added' : 'already confirmed'}: ${address.address}` };
}

function describeStored(stored: StoredData): string {
  const paragraphs = Object.entries(stored).flatMap(([name, rows]) =>
    rows.map((row) => {
      const facts = Object.entries(row).filter(([, value]) => value !== null);
      return [nameOf(name), ...facts.map(([column, value]) => `  ${nameOf(column)}: ${value}`)].join('\n');
    }),
  );
  return paragraphs.join('\n');
}

function nameOf(column: string): string {
  return column.replaceAll('_', ' ');
}
