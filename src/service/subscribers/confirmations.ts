/**
 * Limits confirmation emails by mailbox, domain and client, and orders them fairly. Lower turns are sent first: the
 * turn of a confirmation is the number that its client has waiting or got in the previous hour. A domain that has used
 * up its share delays only its own mail. The last part of the share is for clients that have used none of it.
 */

import { addMs, DAY_MS, HOUR_MS, type Instant } from '../../shared/day.ts';
import type { SignupType } from '../../shared/signup/signups.ts';
import type { Reader, Transaction, Value } from '../database/engines/engine.ts';
import { RECIPIENT_DOMAIN_DEFAULTS } from './address.ts';
import { CONFIRMATION_HOURS } from './lifetimes.ts';
import { takeStep } from './message-states.ts';
import type { SignupRequest } from './subscriber.ts';
import { makeRandomName } from './tokens.ts';

/** Maximum confirmations to a mailbox in 24 hours, over all spellings of its address and all types of signup. */
const MOST_CONFIRMATIONS_A_DAY = 3;
/** Minimum time between confirmations of the same type to a mailbox. */
const CONFIRM_AGAIN_MS = 15 * 60_000;
/** A signup is refused if sending the confirmations ahead of it would take longer than this. */
export const FULL_QUEUE_HOURS = 2;
/** As many confirmations may wait for a domain as it can get in this many days. */
const DOMAIN_WAITING_DAYS = 3;

/** The part of an hourly or daily limit that any client may use. The rest is for clients that have used none of it. */
const SHARED_PART = 3 / 4;
const MOST_TURN = 1_000; // clients with more confirmations than this share a turn
/** If this many clients wait for a domain, it is probably an organization, not one person with two connections. */
const SEVERAL_CLIENTS = 3;

/** Maximum attempts: per hour for all confirmations, and per hour and per 24 hours for those to one domain. */
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

const sharedPart = (most: number): number => Math.ceil(SHARED_PART * most);

/** A part of a statement, with the values of its placeholders. */
type Sql = { text: string; values: Value[] };

/** Makes a part of a statement from a template: inserts given parts, and a placeholder for each value. */
function sql(texts: TemplateStringsArray, ...inserted: readonly (Sql | Value | undefined)[]): Sql {
  const parts = inserted.map((one) =>
    typeof one === 'object' && one !== null && 'text' in one ? one : { text: '?', values: [one ?? null] },
  );
  const text = String.raw({ raw: texts }, ...parts.map((part) => part.text));
  return { text, values: parts.flatMap(({ values }) => values) };
}

/** Matches messages within their domain's share. Its last part is only for the first confirmation of each client. */
function hasDomainLeft(now: Instant, { recipientDomain: { hour, day } }: ConfirmationLimits): Sql {
  const [dayAgo, hourAgo] = [addMs(now, -DAY_MS), addMs(now, -HOUR_MS)];
  const domainsWith = (mostADay: number, mostAnHour: number) =>
    sql`select domain from message where kind = 'confirmation' and tried_at > ${dayAgo} and domain is not null
      group by domain
      having count(*) >= ${mostADay} or sum(case when tried_at > ${hourAgo} then 1 else 0 end) >= ${mostAnHour}`;
  return sql`(m.domain is null or m.attempts > 0
    or m.domain not in (${domainsWith(sharedPart(day), sharedPart(hour))})
    or (m.domain not in (${domainsWith(day, hour)})
      and (m.client is null or (m.client, m.domain) not in (
        select client, domain from message
        where kind = 'confirmation' and tried_at > ${dayAgo} and domain is not null and client is not null))))`;
}

/** Matches waiting messages that concern the operator. Counts each unknown client separately. */
function concernsOperator(now: Instant, limits: ConfirmationLimits): Sql {
  return sql`(${hasDomainLeft(now, limits)} or m.domain in (
    select domain from message where state = 'pending' and kind = 'confirmation' and domain is not null
    group by domain having count(distinct coalesce(cast(client as text), message)) >= ${SEVERAL_CLIENTS}))`;
}

async function readFirst<R>(reader: Reader, { text, values }: Sql): Promise<R | undefined> {
  return (await reader.read<R>(text, values))[0];
}

/** Counts the rows of a query, but no more than `most`, so that the query can stop early. */
const countUpTo = (rows: Sql, most: number): Sql =>
  sql`select count(*) as n from (${rows} limit ${most}) as counted`;

async function countThese(reader: Reader, rows: Sql, most: number): Promise<number> {
  return (await readFirst<{ n: number }>(reader, countUpTo(rows, most)))!.n;
}

export async function findNextConfirmation(
  reader: Reader,
  now: Instant,
  limits: ConfirmationLimits,
): Promise<string | undefined> {
  const { confirmationsAnHour: most } = limits;
  const tried = await countThese(
    reader,
    sql`select message from message where kind = 'confirmation' and tried_at > ${addMs(now, -HOUR_MS)}`,
    most,
  );
  if (tried >= most) return undefined;
  const turn = tried < sharedPart(most) ? MOST_TURN : 0;
  const next = await readFirst<{ message: string }>(
    reader,
    sql`select m.message from message as m
      where m.state = 'pending' and m.kind = 'confirmation' and m.turn <= ${turn} and m.next_at <= ${now}
        and ${hasDomainLeft(now, limits)}
      order by m.turn, m.made_at, m.next_at, m.message limit 1`,
  );
  return next?.message;
}

/** Counts all waiting confirmations, but no more than `most`. */
export function countQueue(reader: Reader, most: number): Promise<number> {
  const waiting = sql`select message from message where state = 'pending' and kind = 'confirmation'`;
  return countThese(reader, waiting, most);
}

export function countAhead(reader: Reader, { client, most, now, ...limits }: QueueCheck): Promise<number> {
  const ahead = sql`select m.message from message as m
    where m.state = 'pending' and m.kind = 'confirmation' and m.turn <= (${countTurn(client, now)}) and ${hasDomainLeft(now, limits)}`;
  return countThese(reader, ahead, most);
}

/** Counts confirmations that our limits delay. With `limits`, counts only delays that concern the operator. */
export async function countWaiting(
  reader: Reader,
  now: Instant,
  limits: ConfirmationLimits | undefined,
): Promise<WaitingConfirmations> {
  const waiting = sql`select count(case when m.next_at <= ${now} then 1 end) as waiting, min(m.made_at) as "waitingSince"
    from message as m where m.state = 'pending' and m.kind = 'confirmation' and m.attempts = 0`;
  const statement = limits === undefined ? waiting : sql`${waiting} and ${concernsOperator(now, limits)}`;
  return (await readFirst<WaitingConfirmations>(reader, statement))!;
}

/**
 * Returns whether a mailbox may get another confirmation now. Each is sent within a day or never, so only the newest ones of two days
 * can count. Messages that were canceled before an attempt do not count.
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

/** Adds the confirmation of a signup. If it is not due, adds it as canceled, so both cases take the same work. */
export async function addConfirmation(
  tx: Transaction,
  subscriber: string,
  request: SignupRequest,
  isDue: boolean,
): Promise<void> {
  const { type, at, client, preferences, mailbox, recipientDomain } = request;
  const { domainDay = RECIPIENT_DOMAIN_DEFAULTS.day } = request;
  const expiresAt = addMs(at, CONFIRMATION_HOURS * HOUR_MS);
  const stored = isDue
    ? { message: makeRandomName(), state: 'pending', mailbox, domain: recipientDomain, client }
    : { message: `${subscriber}-${type}`, state: 'canceled' };
  const { text, values } =
    sql`insert into message (message, subscriber, kind, type, made_at, next_at, expires_at,
      attempts, doubts, preferences, turn, state, mailbox, domain, client)
    values (${stored.message}, ${subscriber}, 'confirmation', ${type}, ${at}, ${at}, ${expiresAt},
      0, 0, ${preferences}, (${countTurn(client, at)}), ${stored.state}, ${stored.mailbox}, ${stored.domain}, ${stored.client})
    on conflict (message) do update set
      made_at = excluded.made_at, next_at = excluded.next_at, expires_at = excluded.expires_at`;
  await tx.write(text, [values]);
  // cancels those that exceed three days of the domain's share and would expire, busiest clients first
  await tx.write(
    takeStep(
      'cancel',
      `message in (select message from message where state = 'pending' and kind = 'confirmation' and domain = ?
         order by turn, made_at limit 100 offset ?)`,
    ),
    [[at, recipientDomain ?? null, DOMAIN_WAITING_DAYS * domainDay]],
  );
}

function countTurn(client: number | undefined, now: Instant): Sql {
  const earlier = sql`select message from message
    where client = ${client} and (state = 'pending' or tried_at > ${addMs(now, -HOUR_MS)})`;
  return countUpTo(earlier, MOST_TURN);
}
