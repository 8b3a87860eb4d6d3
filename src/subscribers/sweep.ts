/**
 * The hourly deletion of what must not or need not be kept. In batches, each a short transaction: a table that an attack has
 * filled is emptied without keeping anybody waiting.
 */

import type { Transaction } from '../database/engines/engine.ts';
import { addMs, DAY_MS, HOUR_MS, type Instant } from '../listings/day.ts';
import type { SignupType } from './ports.ts';

const BATCH_ROWS = 500; // about 10 ms of a table of 2,000,000 rows
const UNCONFIRMED_DAYS = 7;
const DEPARTED_DAYS = 30;
const RECORD_DAYS = 30;
const BOUNCE_DAYS = 60; // so that a failure of an edition is known when the next ones fail

/** Found by the index of what is due: the rows that stay are not read. */
const DELETE_MESSAGES = `delete from message where message in (
  select message from message where state in ('sent', 'failed', 'uncertain', 'expired', 'withdrawn') and urgency in (1, 2, 3)
  and next_at <= ? limit ${BATCH_ROWS})`;

/** Confirmations that nobody got and nobody will. */
const DELETE_UNSENT = `delete from message where message in (
  select message from message where state in ('expired', 'withdrawn') and urgency = 1 and next_at <= ? and attempts = 0
  limit ${BATCH_ROWS})`;

const DELETE_BOUNCES = `delete from bounce where message in (select message from bounce where made_at <= ? limit ${BATCH_ROWS})`;

/** A client is known for as long as its turns count: for a day where the domain of the address has a limit, and otherwise for an hour. */
const FORGET_CLIENTS = `update message set client = null where client is not null and state <> 'pending'
  and (tried_at is null or tried_at <= case when domain is null then ? else ? end)`;

const SELECT_FORGOTTEN = `select subscriber, type from subscription
  where (state = 'pending' and asked_at <= ?) or (state = 'left' and left_at <= ?) limit ${BATCH_ROWS}`;

/** Deletes one batch of each kind. False where there is more. */
export async function sweepOutbox(tx: Transaction, now: Instant): Promise<boolean> {
  const daysAgo = (days: number): Instant => addMs(now, -days * DAY_MS);
  const hourAgo = addMs(now, -HOUR_MS);
  const deleted = [
    await tx.write(DELETE_UNSENT, [[hourAgo]]),
    await tx.write(DELETE_MESSAGES, [[daysAgo(RECORD_DAYS)]]),
    await tx.write(DELETE_BOUNCES, [[daysAgo(BOUNCE_DAYS)]]),
    await forgetPeople(tx, [daysAgo(UNCONFIRMED_DAYS), daysAgo(DEPARTED_DAYS)]),
  ];
  await tx.write(FORGET_CLIENTS, [[hourAgo, daysAgo(1)]]);
  if (deleted.some((rows) => rows >= BATCH_ROWS)) return false;
  await tx.write('delete from token where expires_at is not null and expires_at <= ?', [[now]]);
  return true;
}

/** Ends subscriptions whose time is over, and deletes everything about people who have none left. Answers how many ended. */
async function forgetPeople(tx: Transaction, before: readonly Instant[]): Promise<number> {
  const over = await tx.read<{ subscriber: string; type: SignupType }>(SELECT_FORGOTTEN, before);
  await tx.write(
    'delete from subscription where subscriber = ? and type = ?',
    over.map(({ subscriber, type }) => [subscriber, type]),
  );
  const rows = [...new Set(over.map(({ subscriber }) => subscriber))].map((one) => [one, one]);
  for (const table of ['token', 'message', 'subscriber'])
    await tx.write(
      `delete from ${table} where subscriber = ? and not exists (select type from subscription where subscription.subscriber = ?)`,
      rows,
    );
  return over.length;
}
