/** Stores subscribers: signups, confirmations and unsubscribes. Each method is one transaction. None sends mail. */

import type { Instant } from '../../shared/day.ts';
import { probe } from '../../shared/probe.ts';
import type { SignupType } from '../../shared/signup/signups.ts';
import { commitAt, type Engine, type Reader, type Transaction } from '../database/engines/engine.ts';
import {
  addConfirmation,
  countAhead,
  countQueue,
  isConfirmationDue,
  type QueueCheck,
} from './confirmations.ts';
import { takeStep } from './message-states.ts';
import {
  findSubscription,
  type SignupRequest,
  type Subscriber,
  type Subscription,
  type TokenHolder,
} from './subscriber.ts';
import { makeRandomName, type TokenLookup } from './tokens.ts';
import type { UnsubscribeLog } from './unsubscribe-log.ts';

/** A person who consented to the operator directly. */
type ConfirmedPerson = Omit<SignupRequest, 'source'>;

/** A person without a subscription has a row with a null `type`. */
type SubscriberRow = Omit<Subscriber, 'subscriptions'> &
  Omit<Subscription, 'type'> & { type: SignupType | null };

const PEOPLE = `select p.subscriber, p.address, p.refused_at as "refusedAt", p.refusal, s.type, s.state, s.source, s.consent,
  s.asked_at as "askedAt", s.confirmed_at as "confirmedAt", s.left_at as "leftAt", s.preferences
  from subscriber as p left join subscription as s on s.subscriber = p.subscriber`;

export type SubscriberStore = ReturnType<typeof openSubscriberStore>;

export function openSubscriberStore(engine: Engine, unsubscribeLog: UnsubscribeLog) {
  return {
    /** Records a signup, and a confirmation if one is due. Reveals nothing: result and work are always the same. */
    requestSignup: commitAt('ask:committed', engine, writeSignup),
    countQueue: (most: number) => countQueue(engine, most),
    /** Counts the confirmations ahead of this client's next one. Omits those that their domain's limit delays. */
    countAhead: (check: QueueCheck) => countAhead(engine, check),
    /**
     * Returns the person whom a token identifies, or `undefined` if the token is unknown, expired, or for another
     * purpose.
     */
    findTokenHolder: (token: TokenLookup) => readTokenHolder(engine, token),
    /** Confirms a signup with its preferences. Returns `undefined` for an invalid token, or after an unsubscribe. */
    confirm: commitAt('confirm:committed', engine, confirmSubscription),
    /** Changes preferences from the next edition on. Returns `undefined` for an invalid token or unconfirmed person. */
    changePreferences: (token: TokenLookup, preferences: string | null) =>
      engine.transaction(async (tx) => {
        const holder = await readTokenHolder(tx, token);
        if (holder === undefined) return undefined;
        await tx.write(
          "update subscription set preferences = ? where subscriber = ? and type = 'weekly' and state = 'confirmed'",
          [[preferences, holder.subscriber]],
        );
        return readTokenHolder(tx, token);
      }),
    /** Unsubscribes a person from `type` (default: the type of the token). Returns `undefined` for an invalid token. */
    leave: commitAt('leave:committed', engine, (tx, token: TokenLookup, type?: SignupType) =>
      leave(tx, unsubscribeLog, token, type),
    ),
    async isSendingTo(subscriber: string): Promise<boolean> {
      const sql = "select message from message where subscriber = ? and state = 'sending'";
      return (await engine.read(sql, [subscriber])).length > 0;
    },
    /** Erases a person's data, including from backups restored later. Returns `false` for an unknown person. */
    erase: commitAt('erase:committed', engine, async (tx, subscriber: string, at: Instant) => {
      const found = await tx.read('select subscriber from subscriber where subscriber = ?', [subscriber]);
      if (found.length === 0) return false;
      unsubscribeLog.append({ what: 'erased', subscriber, at });
      await erasePeople(tx, [subscriber]);
      probe('erase:before-commit');
      return true;
    }),
    find: async (identity: string) => (await peopleWhere(engine, 'p.identity = ?', [identity]))[0],
    /** Reads all stored data about the person with this normalized address. Returns `undefined` if there is none. */
    readStored: (identity: string) => readStoredData(engine, identity),
    /** Lists all people in the order of their first signup. */
    all: () => peopleWhere(engine, '1 = 1', []),
    /** Adds a confirmed subscription. Returns `false` if the person has already confirmed. */
    addConfirmed: (who: ConfirmedPerson) => engine.transaction((tx) => addConfirmed(tx, who)),
  };
}

/** Deletes what is stored about people. Their announcements and bounces are deleted with them. `condition`: SQL about `gone`. */
export async function erasePeople(tx: Transaction, people: readonly string[], condition = ''): Promise<void> {
  for (const table of ['token', 'message', 'subscription', 'subscriber'])
    await tx.write(
      `delete from ${table} as gone where gone.subscriber = ? ${condition}`,
      people.map((one) => [one]),
    );
}

/**
 * Writes a person, a subscription and a message in every case, so that neither the response nor its time reveals who is
 * signed up. A message that is not due is canceled immediately, in one row per subscription. A confirmed person's
 * message waits its turn and counts against all limits, but is not sent, so delays of other mail reveal nothing either.
 */
async function writeSignup(tx: Transaction, request: SignupRequest): Promise<void> {
  const { type, source, consent, preferences = null, at } = request;
  probe('ask:before');
  const [known] = await peopleWhere(tx, 'p.identity = ?', [request.identity]);
  const before = known && findSubscription(known, type)?.state;
  const subscriber = known?.subscriber ?? makeRandomName();
  const isDue = await isConfirmationDue(tx, subscriber, request);
  const isSentWhenDue = before !== 'confirmed' || known?.refusedAt !== null;
  await storeConsent(tx, request);
  await tx.write(
    `insert into subscriber (subscriber, identity, address, asked_at) values (?, ?, ?, ?)
     on conflict (identity) do update set asked_at = excluded.asked_at`,
    [[subscriber, request.identity, request.address, at]],
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
    [[subscriber, type, source, consent.version, preferences, at, isDue && isSentWhenDue ? 1 : 0]],
  );
  await addConfirmation(tx, subscriber, request, isDue);
  probe('ask:message');
}

async function storeConsent(tx: Transaction, { consent, at }: ConfirmedPerson): Promise<void> {
  const sql = 'insert into consent (version, words, first_used_at) values (?, ?, ?) on conflict do nothing';
  await tx.write(sql, [[consent.version, consent.words, at]]);
}

async function readTokenHolder(
  reader: Reader,
  { hash, purpose, at }: TokenLookup,
): Promise<TokenHolder | undefined> {
  const [token] = await reader.read<Pick<TokenHolder, 'subscriber' | 'type' | 'preferences'>>(
    `select subscriber, type, preferences from token
     where hash = ? and purpose = ? and (expires_at is null or expires_at > ?)`,
    [hash, purpose, at],
  );
  const [person] =
    token === undefined ? [] : await peopleWhere(reader, 'p.subscriber = ?', [token.subscriber]);
  return person && { ...person, ...token! };
}

async function confirmSubscription(tx: Transaction, token: TokenLookup): Promise<TokenHolder | undefined> {
  const holder = await readTokenHolder(tx, token);
  const state = holder && findSubscription(holder, holder.type)?.state;
  if (holder === undefined || state === undefined || state === 'left') return undefined;
  if (state === 'confirmed' && holder.refusedAt === null) return holder;
  const { subscriber, type, preferences } = holder;
  await tx.write(
    `update subscription set state = 'confirmed', confirmed_at = ?, left_at = null, preferences = ?
     where subscriber = ? and type = ?`,
    [[token.at, preferences, subscriber, type]],
  );
  await tx.write('update subscriber set refused_at = null, refusal = null where subscriber = ?', [
    [subscriber],
  ]);
  await cancel(tx, subscriber, type, token.at);
  probe('confirm:before-commit');
  return readTokenHolder(tx, token);
}

async function leave(
  tx: Transaction,
  unsubscribeLog: UnsubscribeLog,
  token: TokenLookup,
  wanted: SignupType | undefined,
): Promise<TokenHolder | undefined> {
  const holder = await readTokenHolder(tx, token);
  if (holder === undefined) return undefined;
  const type = wanted ?? holder.type;
  const state = findSubscription(holder, type)?.state;
  if (state === undefined || state === 'left') return holder;
  unsubscribeLog.append({ what: 'left', subscriber: holder.subscriber, type, at: token.at });
  await markUnsubscribed(tx, holder.subscriber, type, token.at);
  probe('leave:before-commit');
  return readTokenHolder(tx, token);
}

/** Marks a subscription as left. Deletes its confirmation links, which must not sign the person up again. */
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
  await cancel(tx, subscriber, type, at);
}

/** Cancels a person's unsent messages of this type. */
async function cancel(tx: Transaction, subscriber: string, type: SignupType, at: Instant): Promise<void> {
  await tx.write(takeStep('cancel', 'subscriber = ? and type = ?'), [[at, subscriber, type]]);
}

async function addConfirmed(tx: Transaction, who: ConfirmedPerson): Promise<boolean> {
  const [known] = await peopleWhere(tx, 'p.identity = ?', [who.identity]);
  if (known && findSubscription(known, who.type)?.state === 'confirmed') return false;
  const subscriber = known?.subscriber ?? makeRandomName();
  await storeConsent(tx, who);
  await tx.write(
    `insert into subscriber (subscriber, identity, address, asked_at) values (?, ?, ?, ?)
     on conflict (identity) do update set refused_at = null, refusal = null`,
    [[subscriber, who.identity, who.address, who.at]],
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
  reader: Reader,
  condition: string,
  params: readonly string[],
): Promise<Subscriber[]> {
  const rows = await reader.read<SubscriberRow>(
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

/** Tables with personal data, as `subscribers show` names them. A test compares them with the database. */
export const PERSONAL_TABLES = {
  subscriber: 'subscriber',
  subscription: 'subscriptions',
  token: 'links',
  message: 'messages',
  announced: 'announcements',
  bounce: 'delivery_reports',
} as const;

type Stored = Readonly<Record<string, string | number | null>>;

/** The rows of each table. A subscription includes its consent text. */
export type StoredData = Record<(typeof PERSONAL_TABLES)[keyof typeof PERSONAL_TABLES], Stored[]>;

/** Reads the data of an address by identity. Returns `undefined` if nothing is stored. */
async function readStoredData(reader: Reader, identity: string): Promise<StoredData | undefined> {
  const [person] = await peopleWhere(reader, 'p.identity = ?', [identity]);
  if (person === undefined) return undefined;
  const found: Partial<StoredData> = {};
  for (const [table, name] of Object.entries(PERSONAL_TABLES)) {
    const sql =
      table === 'subscription'
        ? 'select s.*, c.words from subscription as s left join consent as c on c.version = s.consent where subscriber = ?'
        : `select * from ${table} where subscriber = ?`;
    found[name] = await reader.read<Stored>(sql, [person.subscriber]);
  }
  return found as StoredData;
}
