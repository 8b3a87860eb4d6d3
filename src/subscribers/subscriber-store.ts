/** Subscribers: their signups, confirmations and unsubscribes. Sends nothing. */

import type { Engine, Reading, Transaction, Value } from '../database/engines/engine.ts';
import { addMs, DAY_MS, HOUR_MS, type Instant } from '../listings/day.ts';
import { probe } from '../listings/probe.ts';
import { countAhead, findTurn } from './confirmation-queue.ts';
import type {
  Claimed,
  SignupRequest,
  SignupType,
  Subscriber,
  SubscriberStore,
  Subscription,
  TokenHolder,
  TokenLookup,
} from './ports.ts';
import { makeRandomName } from './tokens.ts';
import type { UnsubscribeLog } from './unsubscribe-log.ts';

const AGAIN_MS = 15 * 60_000; // a confirmation is sent again after this time at the earliest
const A_DAY = 3; // confirmations to one mailbox in 24 hours
const MOST_OF_DOMAIN = 90; // confirmations that wait for one domain
export const CONFIRMATION_HOURS = 24; // a confirmation that could not be sent by then is dropped

/** For an `update`: a message that was never tried no longer counts against its mailbox. */
export const WITHDRAWN =
  "state = 'withdrawn', ended_at = ?, mailbox = case when attempts = 0 then null else mailbox end";

/** A person without a subscription has a row without a type. */
type SubscriberRow = Omit<Subscriber, 'subscriptions'> &
  Omit<Subscription, 'type'> & { type: SignupType | null };

const PEOPLE = `select p.subscriber, p.address, p.refused_at as "refusedAt", p.refusal, s.type, s.state, s.source, s.consent,
  s.asked_at as "askedAt", s.confirmed_at as "confirmedAt", s.left_at as "leftAt", s.preferences
  from subscriber as p left join subscription as s on s.subscriber = p.subscriber`;

export function openSubscriberStore(engine: Engine, departures: UnsubscribeLog): SubscriberStore {
  return {
    async requestSignup(ask) {
      probe('ask:before');
      await engine.transaction((tx) => writeAsk(tx, ask));
      probe('ask:committed');
    },
    countAhead: (check) => countAhead(engine, check),
    findTokenHolder: (held) => readTokenHolder(engine, held),
    async confirm(held) {
      const holder = await engine.transaction((tx) => confirmSubscription(tx, held));
      probe('confirm:committed');
      return holder;
    },
    changePreferences: (held, preferences) =>
      engine.transaction((tx) => changePreferences(tx, held, preferences)),
    async leave(held, type) {
      const holder = await engine.transaction((tx) => leave(tx, departures, held, type));
      probe('leave:committed');
      return holder;
    },
    async isSendingTo(subscriber) {
      const rows = await engine.read(
        "select message from message where subscriber = ? and state = 'sending'",
        [subscriber],
      );
      return rows.length > 0;
    },
    async erase(subscriber, at) {
      const isKnown = await engine.transaction(async (tx) => {
        const found = await tx.read('select subscriber from subscriber where subscriber = ?', [subscriber]);
        if (found.length === 0) return false;
        departures.append({ what: 'erased', subscriber, at });
        await eraseSubscribers(tx, [subscriber]);
        probe('erase:before-commit');
        return true;
      });
      probe('erase:committed');
      return isKnown;
    },
    find: async (identity) => (await peopleWhere(engine, 'p.identity = ?', [identity]))[0],
    all: () => peopleWhere(engine, '1 = 1', []),
    addConfirmed: (who) => engine.transaction((tx) => addConfirmed(tx, who)),
  };
}

/** Deletes all data of these people. */
export async function eraseSubscribers(tx: Transaction, subscribers: readonly string[]): Promise<void> {
  const rows = subscribers.map((subscriber) => [subscriber]);
  for (const table of ['token', 'message', 'subscription', 'subscriber'])
    await tx.write(`delete from ${table} where subscriber = ?`, rows);
}

/**
 * Writes the same in every case: a person, a subscription, and a message. So neither the response nor its time reveals who is signed up.
 * A message that is not due is withdrawn at once. There is one such row for each subscription. The message for a confirmed person waits its
 * turn and counts against all limits like any other, and is then not sent: what others get, and when, does not reveal who is signed up.
 */
async function writeAsk(tx: Transaction, ask: SignupRequest): Promise<void> {
  const [known] = await peopleWhere(tx, 'p.identity = ?', [ask.identity]);
  const before = known?.subscriptions.find(({ type }) => type === ask.type);
  const subscriber = known?.subscriber ?? makeRandomName();
  const isDue = await isMailDue(tx, subscriber, ask);
  const isSentWhenDue = before?.state !== 'confirmed' || known?.refusedAt !== null;
  await keepWords(tx, ask);
  await tx.write(
    `insert into subscriber (subscriber, identity, address, throttle, asked_at) values (?, ?, ?, ?, ?)
     on conflict (identity) do update set asked_at = excluded.asked_at`,
    [[subscriber, ask.identity, ask.address, ask.throttle, ask.at]],
  );
  probe('ask:subscriber');
  await tx.write(
    `insert into subscription (subscriber, type, state, source, consent, preferences, asked_at)
     values (?, ?, 'pending', ?, ?, ?, ?)
     on conflict (subscriber, type) do update set
       state = case when subscription.state = 'left' then 'pending' else subscription.state end,
       source = case when subscription.state = 'confirmed' then subscription.source else excluded.source end,
       consent = case when subscription.state = 'confirmed' then subscription.consent else excluded.consent end,
       preferences = case when subscription.state = 'confirmed' then subscription.preferences else excluded.preferences end,
       asked_at = case when ? = 1 then excluded.asked_at else subscription.asked_at end`,
    [
      [
        ...[subscriber, ask.type, ask.source, ask.consent.version, ask.preferences ?? null, ask.at],
        isDue && isSentWhenDue ? 1 : 0,
      ],
    ],
  );
  await writeConfirmation(tx, subscriber, ask, isDue);
  await withdrawExcess(tx, ask);
  probe('ask:message');
}

async function writeConfirmation(
  tx: Transaction,
  subscriber: string,
  ask: SignupRequest,
  isDue: boolean,
): Promise<void> {
  const { type, at, throttle, recipientDomain, client } = ask;
  const turn = await findTurn(tx, client, at);
  const until = addMs(at, CONFIRMATION_HOURS * HOUR_MS);
  const message = isDue ? makeRandomName() : `${subscriber}-${type}`;
  const due: Value[] = isDue
    ? ['pending', throttle, recipientDomain ?? null, client ?? null]
    : ['withdrawn', null, null, null];
  await tx.write(
    `insert into message (message, subscriber, kind, urgency, type, edition, made_at, next_at, expires_at, attempts, doubts,
       preferences, state, mailbox, domain, client, turn)
     values (?, ?, 'confirmation', 1, ?, null, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?)
     on conflict (message) do update set made_at = excluded.made_at, next_at = excluded.next_at, expires_at = excluded.expires_at`,
    [[message, subscriber, type, at, at, until, ask.preferences ?? null, ...due, turn]],
  );
}

/** So few of the emails to one domain go out in a day that more need not wait. Those of the busiest clients give way. */
async function withdrawExcess(
  tx: Transaction,
  { recipientDomain, mostOfDomain, at }: SignupRequest,
): Promise<void> {
  await tx.write(
    `update message set ${WITHDRAWN} where message in (
       select message from message where state = 'pending' and urgency = 1 and domain = ?
       order by turn, made_at limit 100 offset ?)`,
    [[at, recipientDomain ?? null, mostOfDomain ?? MOST_OF_DOMAIN]],
  );
}

async function keepWords(
  tx: Transaction,
  { consent, at }: Pick<SignupRequest, 'consent' | 'at'>,
): Promise<void> {
  const sql = 'insert into consent (version, words, first_used_at) values (?, ?, ?) on conflict do nothing';
  await tx.write(sql, [[consent.version, consent.words, at]]);
}

type Made = Pick<Claimed, 'subscriber' | 'type' | 'madeAt'> & { state: string; tried: Instant | null };

/**
 * At most three confirmations of a mailbox are made in 24 hours, and each is sent within 24 hours or never. So only the newest six can
 * count. Messages that were never tried and will not be have no mailbox, because they did not arrive.
 */
async function isMailDue(tx: Transaction, subscriber: string, ask: SignupRequest): Promise<boolean> {
  const newest = await tx.read<Made>(
    `select subscriber, type, state, made_at as "madeAt", tried_at as tried from message
     where mailbox = ? and made_at > ? order by made_at desc limit ${2 * A_DAY}`,
    [ask.throttle, addMs(ask.at, -2 * DAY_MS)],
  );
  const aDayAgo = addMs(ask.at, -DAY_MS);
  const counted = newest.filter(
    ({ madeAt, tried }) => madeAt > aDayAgo || (tried !== null && tried > aDayAgo),
  );
  const justNow = addMs(ask.at, -AGAIN_MS);
  const isOnItsWay = counted.some(
    ({ subscriber: whose, type, state }) => whose === subscriber && type === ask.type && state === 'pending',
  );
  const wasJustMade = counted.some(({ type, madeAt }) => type === ask.type && madeAt > justNow);
  return counted.length < A_DAY && !isOnItsWay && !wasJustMade;
}

async function readTokenHolder(
  reading: Reading,
  { hash, purpose, at }: TokenLookup,
): Promise<TokenHolder | undefined> {
  const [token] = await reading.read<
    Pick<TokenHolder, 'subscriber' | 'type' | 'preferences'> & { expires_at: Instant | null }
  >('select subscriber, type, preferences, expires_at from token where hash = ? and purpose = ?', [
    ...[hash, purpose],
  ]);
  if (token === undefined || (token.expires_at !== null && token.expires_at <= at)) return undefined;
  const [person] = await peopleWhere(reading, 'p.subscriber = ?', [token.subscriber]);
  return person && { ...person, type: token.type, preferences: token.preferences };
}

async function confirmSubscription(tx: Transaction, held: TokenLookup): Promise<TokenHolder | undefined> {
  const holder = await readTokenHolder(tx, held);
  const state = holder && readState(holder, holder.type);
  if (holder === undefined || state === undefined || state === 'left') return undefined;
  if (state === 'confirmed' && holder.refusedAt === null) return holder;
  const { subscriber, type, preferences } = holder;
  await tx.write(
    `update subscription set state = 'confirmed', confirmed_at = ?, left_at = null, preferences = ?
     where subscriber = ? and type = ?`,
    [[held.at, preferences, subscriber, type]],
  );
  await tx.write('update subscriber set refused_at = null, refusal = null where subscriber = ?', [
    [subscriber],
  ]);
  await withdraw(tx, subscriber, type, held.at);
  probe('confirm:before-commit');
  return readTokenHolder(tx, held);
}

async function changePreferences(
  tx: Transaction,
  held: TokenLookup,
  preferences: string | null,
): Promise<TokenHolder | undefined> {
  const holder = await readTokenHolder(tx, held);
  if (holder === undefined) return undefined;
  await tx.write(
    "update subscription set preferences = ? where subscriber = ? and type = 'weekly' and state = 'confirmed'",
    [[preferences, holder.subscriber]],
  );
  return readTokenHolder(tx, held);
}

async function leave(
  tx: Transaction,
  departures: UnsubscribeLog,
  held: TokenLookup,
  wanted: SignupType | undefined,
): Promise<TokenHolder | undefined> {
  const holder = await readTokenHolder(tx, held);
  if (holder === undefined) return undefined;
  const type = wanted ?? holder.type;
  const state = readState(holder, type);
  if (state === undefined || state === 'left') return holder;
  departures.append({ what: 'left', subscriber: holder.subscriber, type, at: held.at });
  await markUnsubscribed(tx, holder.subscriber, type, held.at);
  probe('leave:before-commit');
  return readTokenHolder(tx, held);
}

/** An old confirmation link must not sign up a person who has unsubscribed. */
export async function markUnsubscribed(
  tx: Transaction,
  subscriber: string,
  type: SignupType,
  at: Instant,
): Promise<void> {
  await tx.write("update subscription set state = 'left', left_at = ? where subscriber = ? and type = ?", [
    [at, subscriber, type],
  ]);
  await tx.write("delete from token where subscriber = ? and type = ? and purpose = 'confirm'", [
    [subscriber, type],
  ]);
  await withdraw(tx, subscriber, type, at);
}

/** Withdraws the messages that were not sent yet. */
async function withdraw(tx: Transaction, subscriber: string, type: SignupType, at: Instant): Promise<void> {
  await tx.write(`update message set ${WITHDRAWN} where subscriber = ? and type = ? and state = 'pending'`, [
    [at, subscriber, type],
  ]);
}

async function addConfirmed(tx: Transaction, who: Omit<SignupRequest, 'source'>): Promise<boolean> {
  const [known] = await peopleWhere(tx, 'p.identity = ?', [who.identity]);
  if (known !== undefined && readState(known, who.type) === 'confirmed') return false;
  const subscriber = known?.subscriber ?? makeRandomName();
  await keepWords(tx, who);
  await tx.write(
    `insert into subscriber (subscriber, identity, address, throttle, asked_at) values (?, ?, ?, ?, ?)
     on conflict (identity) do update set refused_at = null, refusal = null`,
    [[subscriber, who.identity, who.address, who.throttle, who.at]],
  );
  await tx.write(
    `insert into subscription (subscriber, type, state, source, consent, asked_at, confirmed_at, preferences)
     values (?, ?, 'confirmed', 'operator', ?, ?, ?, ?)
     on conflict (subscriber, type) do update set state = 'confirmed', source = 'operator', consent = excluded.consent,
       confirmed_at = excluded.confirmed_at, left_at = null, preferences = excluded.preferences`,
    [[subscriber, who.type, who.consent.version, who.at, who.at, who.preferences ?? null]],
  );
  return true;
}

async function peopleWhere(
  reading: Reading,
  condition: string,
  params: readonly string[],
): Promise<Subscriber[]> {
  const rows = await reading.read<SubscriberRow>(
    `${PEOPLE} where ${condition} order by p.asked_at, p.subscriber, s.type desc`,
    params,
  );
  const people = new Map<string, Subscriber & { subscriptions: Subscription[] }>();
  for (const { subscriber, address, refusedAt, refusal, type, ...rest } of rows) {
    const fresh = { subscriber, address, refusedAt, refusal, subscriptions: [] };
    const person = people.getOrInsert(subscriber, fresh);
    if (type !== null) person.subscriptions.push({ type, ...rest });
  }
  return [...people.values()];
}

function readState(person: Subscriber, type: SignupType) {
  return person.subscriptions.find((one) => one.type === type)?.state;
}
