/**
 * The queue of confirmations. Its order is fair to clients: a confirmation's turn is how many its client already had waiting
 * or sent in the hour before, and lower turns go first. A domain that has had its share holds up only its own mail, and the rest of its
 * share is for clients that had none of it.
 */

import type { Reading, Value } from '../database/engines/engine.ts';
import { addMs, DAY_MS, HOUR_MS, type Instant } from '../listings/day.ts';
import type { ConfirmationLimits, MailStanding, QueueCheck } from './ports.ts';

/** The rest of each hour is kept for clients that have had no confirmation in it, and so is the rest of a domain's hour and day. */
const SHARED_PART = 3 / 4;
const MOST_TURN = 1_000; // counting ends here

const sharedPart = (most: number): number => Math.ceil(SHARED_PART * most);

const SERVED_DOMAINS = `select domain from message where kind = 'confirmation' and tried_at > ? and domain is not null
  group by domain having count(*) >= ? or sum(case when tried_at > ? then 1 else 0 end) >= ?`;

/**
 * A confirmation whose domain has not had its share; one that was tried before is not a further email. After three quarters of it, only
 * the first one of a client goes to that domain.
 */
const HAS_DOMAIN_LEFT = `(m.domain is null or m.attempts > 0 or m.domain not in (${SERVED_DOMAINS})
  or (m.domain not in (${SERVED_DOMAINS}) and (m.client is null or (m.client, m.domain) not in (
    select client, domain from message
    where kind = 'confirmation' and tried_at > ? and domain is not null and client is not null))))`;

const SELECT_NEXT_CONFIRMATION = `select m.message from message as m
  where m.state = 'pending' and m.urgency = 1 and m.turn <= ? and m.next_at <= ? and ${HAS_DOMAIN_LEFT}
  order by m.turn, m.made_at, m.next_at, m.message limit 1`;

const SELECT_AHEAD = `select count(*) as n from (select m.message from message as m
  where m.state = 'pending' and m.urgency = 1 and m.turn <= ? and ${HAS_DOMAIN_LEFT} limit ?) as ahead`;

/** So many clients that wait for one domain are people of one organization, and not somebody with two connections. */
const SEVERAL_CLIENTS = 3;

/** A server that puts mail off is not our limits. Clients that are not told apart are several. */
const SELECT_WAITING = `select count(case when m.next_at <= ? then 1 end) as waiting, min(m.made_at) as "waitingSince"
  from message as m where m.state = 'pending' and m.urgency = 1 and m.attempts = 0`;

const CONCERNS_OPERATOR = `(${HAS_DOMAIN_LEFT} or m.domain in (
  select domain from message where state = 'pending' and urgency = 1 and domain is not null
  group by domain having count(distinct coalesce(cast(client as text), message)) >= ${SEVERAL_CLIENTS}))`;

const SELECT_TURN = `select count(*) as n from (select message from message
  where client = ? and (state = 'pending' or tried_at > ?) limit ?) as earlier`;

/** The name of the confirmation that goes out next, if one may. */
export async function findNextConfirmation(
  reading: Reading,
  now: Instant,
  limits: ConfirmationLimits,
): Promise<string | undefined> {
  const { confirmationsAnHour } = limits;
  const tried = await countTried(reading, now, confirmationsAnHour);
  if (tried >= confirmationsAnHour) return undefined;
  const turn = tried < sharedPart(confirmationsAnHour) ? MOST_TURN : 0;
  const params = [turn, now, ...domainParams(now, limits)];
  const [next] = await reading.read<{ message: string }>(SELECT_NEXT_CONFIRMATION, params);
  return next?.message;
}

/** The turn of this client's next confirmation. */
export async function findTurn(reading: Reading, client: number | undefined, now: Instant): Promise<number> {
  const [row] = await reading.read<{ n: number }>(SELECT_TURN, [
    ...[client ?? null, addMs(now, -HOUR_MS), MOST_TURN],
  ]);
  return row!.n;
}

export async function countAhead(
  reading: Reading,
  { client, most, now, ...limits }: QueueCheck,
): Promise<number> {
  const turn = await findTurn(reading, client, now);
  const [row] = await reading.read<{ n: number }>(SELECT_AHEAD, [turn, ...domainParams(now, limits), most]);
  return row!.n;
}

async function countTried(reading: Reading, now: Instant, most: number): Promise<number> {
  const [row] = await reading.read<{ n: number }>(
    `select count(*) as n from (select message from message where kind = 'confirmation' and tried_at > ? limit ?) as tried`,
    [addMs(now, -HOUR_MS), most],
  );
  return row!.n;
}

/** What waits for our limits, see `MailStanding`. */
export async function countWaiting(
  reading: Reading,
  now: Instant,
  limits: ConfirmationLimits | undefined,
): Promise<Pick<MailStanding, 'waiting' | 'waitingSince'>> {
  const [row] = await (limits === undefined
    ? reading.read<Pick<MailStanding, 'waiting' | 'waitingSince'>>(SELECT_WAITING, [now])
    : reading.read<Pick<MailStanding, 'waiting' | 'waitingSince'>>(
        `${SELECT_WAITING} and ${CONCERNS_OPERATOR}`,
        [now, ...domainParams(now, limits)],
      ));
  return row!;
}

function domainParams(now: Instant, { recipientDomain: { hour, day } }: ConfirmationLimits): Value[] {
  const [aDayAgo, anHourAgo] = [addMs(now, -DAY_MS), addMs(now, -HOUR_MS)];
  return [
    ...[aDayAgo, sharedPart(day), anHourAgo, sharedPart(hour)],
    ...[aDayAgo, day, anHourAgo, hour],
    aDayAgo,
  ];
}
