/** Deletes old data every hour, in short transactions, so that other writes do not wait. */

import { addMs, DAY_MS, HOUR_MS, type Instant } from '../../shared/day.ts';
import type { SignupType } from '../../shared/signup/signups.ts';
import type { Transaction } from '../database/engines/engine.ts';
import { BOUNCE_DAYS, MESSAGE_RECORD_DAYS, UNCONFIRMED_SIGNUP_DAYS, UNSUBSCRIBED_DAYS } from './lifetimes.ts';
import { erasePeople } from './subscriber-store.ts';

const BATCH_ROWS = 500; // deleting these takes about 10 ms in a table of 2,000,000 rows

/** Names the states and kinds, so that an index finds the rows to delete. */
const DELETE_MESSAGES = `delete from message where message in (
  select message from message where state in ('sent', 'failed', 'uncertain', 'expired', 'canceled') and kind in ('confirmation', 'edition', 'announcement')
  and next_at <= ? limit ${BATCH_ROWS})`;

/** Deletes canceled and expired confirmations that were never tried. */
const DELETE_UNSENT = `delete from message where message in (
  select message from message where state in ('expired', 'canceled') and kind = 'confirmation' and next_at <= ? and attempts = 0
  limit ${BATCH_ROWS})`;

const DELETE_BOUNCES = `delete from bounce where message in (select message from bounce where made_at <= ? limit ${BATCH_ROWS})`;

/**
 * Forgets clients of messages that no longer affect turns: after a day if the domain has limits, otherwise after an
 * hour.
 */
const FORGET_CLIENTS = `update message set client = null where client is not null and state <> 'pending'
  and (tried_at is null or tried_at <= case when domain is null then ? else ? end)`;

const SELECT_FORGOTTEN = `select subscriber, type from subscription
  where (state = 'pending' and asked_at <= ?) or (state = 'left' and left_at <= ?) limit ${BATCH_ROWS}`;

const WITHOUT_SUBSCRIPTION =
  'and not exists (select s.type from subscription as s where s.subscriber = gone.subscriber)';

/** Deletes one batch of each kind of data. Returns `false` if there is more to delete. */
export async function sweepOutbox(tx: Transaction, now: Instant): Promise<boolean> {
  const daysAgo = (days: number): Instant => addMs(now, -days * DAY_MS);
  const hourAgo = addMs(now, -HOUR_MS);
  const deleted = [
    await tx.write(DELETE_UNSENT, [[hourAgo]]),
    await tx.write(DELETE_MESSAGES, [[daysAgo(MESSAGE_RECORD_DAYS)]]),
    await tx.write(DELETE_BOUNCES, [[daysAgo(BOUNCE_DAYS)]]),
    await forgetPeople(tx, [daysAgo(UNCONFIRMED_SIGNUP_DAYS), daysAgo(UNSUBSCRIBED_DAYS)]),
  ];
  await tx.write(FORGET_CLIENTS, [[hourAgo, daysAgo(1)]]);
  if (deleted.some((rows) => rows >= BATCH_ROWS)) return false;
  await tx.write('delete from token where expires_at is not null and expires_at <= ?', [[now]]);
  return true;
}

/** Deletes old subscriptions, and people who have no others. Returns the number of deleted subscriptions. */
async function forgetPeople(tx: Transaction, before: readonly Instant[]): Promise<number> {
  const over = await tx.read<{ subscriber: string; type: SignupType }>(SELECT_FORGOTTEN, before);
  await tx.write(
    'delete from subscription where subscriber = ? and type = ?',
    over.map(({ subscriber, type }) => [subscriber, type]),
  );
  const people = [...new Set(over.map(({ subscriber }) => subscriber))];
  await erasePeople(tx, people, WITHOUT_SUBSCRIPTION);
  return over.length;
}
