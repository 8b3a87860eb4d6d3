/**
 * The queue of confirmations. Its order is fair to clients: a confirmation's turn is how many its client already had waiting
 * or sent in the hour before, and lower turns go first. A domain that has had its share holds up only its own mail.
 */

import { addMs, DAY_MS, HOUR_MS, type Instant } from '../listings/day.ts';
import type { ConfirmationLimits, QueueCheck } from '../subscriptions/ports.ts';
import type { Reading, Value } from './engines/engine.ts';

/** The rest of each hour is kept for clients that have had no confirmation in it. */
const SHARED_PART = 3 / 4;
const MOST_TURN = 1_000; // counting ends here

/** A confirmation whose domain has had its share; one that was tried before is not a further email. */
const HAS_DOMAIN_LEFT = `(m.domain is null or m.attempts > 0 or m.domain not in (
  select domain from message where kind = 'confirmation' and tried_at > ? and domain is not null
  group by domain having count(*) >= ? or sum(case when tried_at > ? then 1 else 0 end) >= ?))`;

const SELECT_NEXT_CONFIRMATION = `select m.message from message as m
  where m.state = 'pending' and m.urgency = 1 and m.turn <= ? and m.next_at <= ? and ${HAS_DOMAIN_LEFT}
  order by m.turn, m.made_at, m.next_at, m.message limit 1`;

const SELECT_AHEAD = `select count(*) as n from (select m.message from message as m
  where m.state = 'pending' and m.urgency = 1 and m.turn <= ? and ${HAS_DOMAIN_LEFT} limit ?) as ahead`;

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
  const turn = tried < Math.ceil(SHARED_PART * confirmationsAnHour) ? MOST_TURN : 0;
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

function domainParams(now: Instant, { recipientDomain }: ConfirmationLimits): Value[] {
  const { hour, day } = recipientDomain;
  return [addMs(now, -DAY_MS), day, addMs(now, -HOUR_MS), hour];
}
