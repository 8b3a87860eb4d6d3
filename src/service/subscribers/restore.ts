/** Repairs a database after a restore or a crash, so that nobody is signed up again and nothing is sent twice. */

import type { Instant } from '../../shared/day.ts';
import type { Engine } from '../database/engines/engine.ts';
import { takeStep } from './message-states.ts';
import { erasePeople, markUnsubscribed } from './subscriber-store.ts';
import type { UnsubscribeLog } from './unsubscribe-log.ts';

/** A database, or a transaction that replaces it during a move. */
type Repaired = Pick<Engine, 'read' | 'transaction'>;

/** Reapplies the unsubscribe log. Returns whether anyone was erased, because a journal may still contain their data. */
export async function replayUnsubscribes(engine: Repaired, log: UnsubscribeLog): Promise<boolean> {
  const records = log.all();
  if (records.length === 0) return false;
  const rows = await engine.read<{ subscriber: string }>('select subscriber from subscriber');
  const present = new Set(rows.map(({ subscriber }) => subscriber));
  const returned = records.filter(({ subscriber }) => present.has(subscriber));
  if (returned.length > 0)
    await engine.transaction(async (tx) => {
      for (const record of returned) {
        const { subscriber, at } = record;
        if (record.what === 'erased') await erasePeople(tx, [subscriber]);
        else if ((await tx.read(SUBSCRIBED_BEFORE, [subscriber, record.type, at, at])).length > 0)
          await markUnsubscribed(tx, subscriber, record.type, at);
      }
    });
  return records.some(({ what }) => what === 'erased');
}

const SUBSCRIBED_BEFORE = `select type from subscription where subscriber = ? and type = ?
  and ((state = 'confirmed' and confirmed_at < ?) or (state = 'pending' and asked_at < ?))`;

/** Cancels all messages in a newly restored copy, because the lost database may already have sent them. */
export async function cancelRestoredMessages(engine: Repaired, now: Instant): Promise<void> {
  const [row] = await engine.read<{ copied: number }>('select copied from outbox');
  if (row!.copied === 0) return;
  await engine.transaction(async (tx) => {
    await tx.write(takeStep('cancel'), [[now]]);
    await tx.write(takeStep('canceled'), [[now, 'restored from a copy']]);
    await tx.write('delete from instance', [[]]); // these instances belong to the original database
    await tx.write('update outbox set copied = 0, restored_at = ?', [[now]]);
  });
}

/** Marks a copy, so that the process that opens it cancels its messages. */
export const MARK_COPY = 'update outbox set copied = 1';
