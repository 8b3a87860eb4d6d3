/**
 * Limits and orders confirmation emails by mailbox, domain and client. The order is fair to clients: lower turns are
 * sent first, and the turn of a confirmation is the number that its client has waiting or got in the previous hour. A
 * domain that has used up its share delays only its own mail, and the last quarter of its share is for clients that
 * have not used any of it.
 */

import type { Reading, Transaction, Value } from '../database/engines/engine.ts';
import { addMs, DAY_MS, HOUR_MS, type Instant } from '../listings/day.ts';
import { RECIPIENT_DOMAIN_DEFAULTS } from './address.ts';
import type { SignupRequest, SignupType } from './subscriber.ts';
import { makeRandomName } from './tokens.ts';

/** Maximum confirmations to a mailbox, counted over all spellings of its address and all types of signup. */
const MOST_CONFIRMATIONS_A_DAY = 3;
/** Minimum time between confirmations of the same type to a mailbox. */
const CONFIRM_AGAIN_MS = 15 * 60_000;
/** Hours after which an unsent confirmation is dropped. */
export const CONFIRMATION_HOURS = 24;
/** A signup is refused if confirmations for this many hours are ahead of it. */
export const FULL_QUEUE_HOURS = 2;
/** Maximum confirmations that wait for a domain, in days of its share. Clients take turns among them. */
const DOMAIN_WAITING_DAYS = 3;

/** The part of an hourly or daily limit that any client may use. The rest is for clients that have used none of it. */
const SHARED_PART = 3 / 4;
const MOST_TURN = 1_000; // clients with more confirmations than this share a turn
/**
 * If this many clients wait for a domain, it probably belongs to an organization, not to one person with two
 * connections.
 */
const SEVERAL_CLIENTS = 3;

/** Maximum attempts per hour for all confirmations, and per hour and 24 hours for those to one domain. */
export type ConfirmationLimits = {
  confirmationsAnHour: number;
  recipientDomain: { hour: number; day: number };
};

/** Parameters for counting the confirmations ahead of a signup. */
export type QueueCheck = ConfirmationLimits & {
  now: Instant;
  client: number | undefined;
  most: number;
};

export type WaitingConfirmations = {
  waiting: number;
  /** When the oldest waiting confirmation was requested. */
  waitingSince: Instant | null;
};

/** Assignments that withdraw a message. If it was never tried, it no longer counts against its mailbox. */
export const SET_WITHDRAWN =
  "state = 'withdrawn', ended_at = ?, mailbox = case when attempts = 0 then null else mailbox end";

const sharedPart = (most: number): number => Math.ceil(SHARED_PART * most);

/** Selects domains that got at least `mostADay` confirmations in 24 hours, or `mostAnHour` in an hour. */
const selectServedDomains = (mostADay: string, mostAnHour: string): string =>
  `select domain from message where kind = 'confirmation' and tried_at > :dayAgo and domain is not null
  group by domain
  having count(*) >= ${mostADay} or sum(case when tried_at > :hourAgo then 1 else 0 end) >= ${mostAnHour}`;

/**
 * Matches messages that their domain's share allows. Retries do not count. Only a client's first confirmation may use
 * the last quarter.
 */
const HAS_DOMAIN_LEFT = `(m.domain is null or m.attempts > 0
  or m.domain not in (${selectServedDomains(':sharedDay', ':sharedHour')})
  or (m.domain not in (${selectServedDomains(':day', ':hour')})
    and (m.client is null or (m.client, m.domain) not in (
      select client, domain from message
      where kind = 'confirmation' and tried_at > :dayAgo and domain is not null and client is not null))))`;

const SELECT_NEXT_CONFIRMATION = `select m.message from message as m
  where m.state = 'pending' and m.kind = 'confirmation' and m.turn <= :turn and m.next_at <= :now and ${HAS_DOMAIN_LEFT}
  order by m.turn, m.made_at, m.next_at, m.message limit 1`;

const COUNT_AHEAD = `select count(*) as n from (select m.message from message as m
  where m.state = 'pending' and m.kind = 'confirmation' and m.turn <= :turn and ${HAS_DOMAIN_LEFT} limit :most) as ahead`;

const COUNT_TRIED = `select count(*) as n from (select message from message
  where kind = 'confirmation' and tried_at > :hourAgo limit :most) as tried`;

const COUNT_EARLIER = `select count(*) as n from (select message from message
  where client = :client and (state = 'pending' or tried_at > :hourAgo) limit :most) as earlier`;

/** Omits confirmations that a mail server deferred: our limits did not delay them. */
const SELECT_WAITING = `select count(case when m.next_at <= :now then 1 end) as waiting,
    min(m.made_at) as "waitingSince"
  from message as m where m.state = 'pending' and m.kind = 'confirmation' and m.attempts = 0`;

/** Matches delays that concern the operator. Counts each unknown client as a different one. */
const CONCERNS_OPERATOR = `(${HAS_DOMAIN_LEFT} or m.domain in (
  select domain from message where state = 'pending' and kind = 'confirmation' and domain is not null
  group by domain having count(distinct coalesce(cast(client as text), message)) >= ${SEVERAL_CLIENTS}))`;

const INSERT_CONFIRMATION = `insert into message (message, subscriber, kind, type, made_at, next_at, expires_at,
    attempts, doubts, preferences, turn, state, mailbox, domain, client)
  values (:message, :subscriber, 'confirmation', :type, :at, :at, :expiresAt,
    0, 0, :preferences, :turn, :state, :mailbox, :domain, :client)
  on conflict (message) do update set
    made_at = excluded.made_at, next_at = excluded.next_at, expires_at = excluded.expires_at`;

type NamedValues = Readonly<Record<string, Value | undefined>>;

/** Replaces names such as `:now` with placeholders. An undefined value becomes null. */
function bindNames(statement: string, values: NamedValues): { sql: string; params: Value[] } {
  const params: Value[] = [];
  const sql = statement.replaceAll(/:(\w+)/g, (_, name: string) => {
    params.push(values[name] ?? null);
    return '?';
  });
  return { sql, params };
}

async function readFirst<R>(reading: Reading, statement: string, values: NamedValues) {
  const { sql, params } = bindNames(statement, values);
  return (await reading.read<R>(sql, params))[0];
}

async function countRows(reading: Reading, statement: string, values: NamedValues): Promise<number> {
  return (await readFirst<{ n: number }>(reading, statement, values))!.n;
}

function domainValues(now: Instant, { recipientDomain: { hour, day } }: ConfirmationLimits) {
  const [dayAgo, hourAgo] = [addMs(now, -DAY_MS), addMs(now, -HOUR_MS)];
  return { dayAgo, hourAgo, day, hour, sharedDay: sharedPart(day), sharedHour: sharedPart(hour) };
}

export async function findNextConfirmation(
  reading: Reading,
  now: Instant,
  limits: ConfirmationLimits,
): Promise<string | undefined> {
  const { confirmationsAnHour: most } = limits;
  const tried = await countRows(reading, COUNT_TRIED, { hourAgo: addMs(now, -HOUR_MS), most });
  if (tried >= most) return undefined;
  const turn = tried < sharedPart(most) ? MOST_TURN : 0;
  const values = { turn, now, ...domainValues(now, limits) };
  return (await readFirst<{ message: string }>(reading, SELECT_NEXT_CONFIRMATION, values))?.message;
}

export async function countAhead(
  reading: Reading,
  { client, most, now, ...limits }: QueueCheck,
): Promise<number> {
  const turn = await findTurn(reading, client, now);
  return countRows(reading, COUNT_AHEAD, { turn, most, ...domainValues(now, limits) });
}

/** Counts confirmations delayed by our limits. With `limits`, only those that concern the operator. */
export async function countWaiting(
  reading: Reading,
  now: Instant,
  limits: ConfirmationLimits | undefined,
): Promise<WaitingConfirmations> {
  const statement = limits === undefined ? SELECT_WAITING : `${SELECT_WAITING} and ${CONCERNS_OPERATOR}`;
  const values = { now, ...(limits && domainValues(now, limits)) };
  return (await readFirst<WaitingConfirmations>(reading, statement, values))!;
}

/**
 * Returns whether a mailbox may get another confirmation now. A mailbox gets at most three in 24 hours, and each is
 * sent within 24 hours or never, so only the newest six can count. Messages that were withdrawn before an attempt do
 * not count.
 */
export async function isConfirmationDue(
  tx: Transaction,
  subscriber: string,
  { type, mailbox, at }: SignupRequest,
): Promise<boolean> {
  type Made = { subscriber: string; type: SignupType; state: string; madeAt: Instant; tried: Instant | null };
  const newest = await tx.read<Made>(
    `select subscriber, type, state, made_at as "madeAt", tried_at as tried from message
     where mailbox = ? and made_at > ? order by made_at desc limit ${2 * MOST_CONFIRMATIONS_A_DAY}`,
    [mailbox, addMs(at, -2 * DAY_MS)],
  );
  const aDayAgo = addMs(at, -DAY_MS);
  const counted = newest.filter(
    ({ madeAt, tried }) => madeAt > aDayAgo || (tried !== null && tried > aDayAgo),
  );
  const sameType = counted.filter((one) => one.type === type);
  const isOnItsWay = sameType.some((one) => one.subscriber === subscriber && one.state === 'pending');
  const wasJustMade = sameType.some(({ madeAt }) => madeAt > addMs(at, -CONFIRM_AGAIN_MS));
  return counted.length < MOST_CONFIRMATIONS_A_DAY && !isOnItsWay && !wasJustMade;
}

/**
 * Adds the confirmation of a signup. If it is not due, stores it as withdrawn, in one row per subscription, so that
 * both cases take the same work.
 */
export async function addConfirmation(
  tx: Transaction,
  subscriber: string,
  request: SignupRequest,
  isDue: boolean,
): Promise<void> {
  const { type, at, client, preferences } = request;
  const facts = { subscriber, type, at, preferences, turn: await findTurn(tx, client, at) };
  const expiresAt = addMs(at, CONFIRMATION_HOURS * HOUR_MS);
  const { mailbox, recipientDomain: domain } = request;
  const { sql, params } = bindNames(INSERT_CONFIRMATION, {
    ...facts,
    expiresAt,
    ...(isDue
      ? { message: makeRandomName(), state: 'pending', mailbox, domain, client }
      : { message: `${subscriber}-${type}`, state: 'withdrawn' }),
  });
  await tx.write(sql, [params]);
  await withdrawExcess(tx, request);
}

/**
 * Withdraws confirmations beyond three days of the domain's share, because they would expire. Starts with the busiest
 * clients.
 */
async function withdrawExcess(
  tx: Transaction,
  { recipientDomain, domainDay = RECIPIENT_DOMAIN_DEFAULTS.day, at }: SignupRequest,
): Promise<void> {
  await tx.write(
    `update message set ${SET_WITHDRAWN} where message in (
       select message from message where state = 'pending' and kind = 'confirmation' and domain = ?
       order by turn, made_at limit 100 offset ?)`,
    [[at, recipientDomain ?? null, DOMAIN_WAITING_DAYS * domainDay]],
  );
}

function findTurn(reading: Reading, client: number | undefined, now: Instant): Promise<number> {
  return countRows(reading, COUNT_EARLIER, { client, hourAgo: addMs(now, -HOUR_MS), most: MOST_TURN });
}
