/** Handles delivery reports: stores and counts failed messages, and stops mail to addresses that fail. */

import { randomBytes } from 'node:crypto';
import { addMs, DAY_MS, type Instant } from '../../../shared/day.ts';
import { probe } from '../../../shared/probe.ts';
import { commitAt, type Engine, type Transaction } from '../../database/engines/engine.ts';
import { MESSAGE_RECORD_DAYS } from '../../subscribers/lifetimes.ts';
import { judgeRecipients, MOST_REPORT_BYTES, readDeliveryReport } from './delivery-report.ts';
import { type BounceAddress, isGenuine, type ReportedMessage } from './return-path.ts';

/**
 * The verdict on a report. `stopped`: nothing more is sent to the address until the person confirms again. `temporary`:
 * the failure is counted, and the fifth bounced edition in a row stops the address. The other verdicts change nothing.
 * `repeated`: the failure is already stored. `outdated`: the person has confirmed since. `unknown`: the report names no
 * message that we still have.
 */
export type ReportVerdict =
  | 'stopped'
  | 'temporary'
  | 'repeated'
  | 'outdated'
  | 'arrived'
  | 'delayed'
  | 'unclear'
  | 'not-a-report'
  | 'unknown'
  | 'unreadable'
  | 'too-large';

export type ReportedFailure = { message: string; is: 'permanent' | 'temporary'; status: string; at: Instant };

/** Number of consecutive bounced editions that stop an address. A missing mailbox stops it immediately. */
const BOUNCES_UNTIL_STOPPED = 5;

export type BounceStore = ReturnType<typeof openBounceStore>;

export function openBounceStore(engine: Engine) {
  let key: string | undefined;
  return {
    /** Returns the key of return paths, in hex. Creates the key on first use. */
    async key(): Promise<string> {
      const sql = 'select key from return_path_key';
      key ??= (await engine.read<{ key: string }>(sql))[0]?.key;
      // if two processes create a key at the same time, both use the stored one
      key ??= await engine.transaction(async (tx) => {
        const made = [randomBytes(32).toString('hex')];
        await tx.write('insert into return_path_key (one, key) values (1, ?) on conflict (one) do nothing', [
          made,
        ]);
        return (await tx.read<{ key: string }>(sql))[0]!.key;
      });
      return key;
    },
    /** Finds a message of the last 30 days, with the address it was sent to. */
    async findReported(message: string): Promise<(ReportedMessage & { address: string }) | undefined> {
      const [found] = await engine.read<ReportedMessage & { address: string }>(
        `select m.message, m.subscriber, m.type, p.address from message as m
         join subscriber as p on p.subscriber = m.subscriber where m.message = ?`,
        [message],
      );
      return found;
    },
    /** Stores a failure, stops the address if necessary, and counts the report. A repeated report changes nothing. */
    recordFailure: commitAt('bounce:committed', engine, async (tx, failure: ReportedFailure) => {
      const verdict = await writeFailure(tx, failure);
      await countReport(tx, verdict);
      probe('bounce:before-commit');
      return verdict;
    }),
    countReport: (verdict: ReportVerdict) => engine.transaction((tx) => countReport(tx, verdict)),
  };
}

/** Judges a message to the return path, and stores the verdict. Throws `store` if that is currently impossible. */
export async function handleReport(
  { bounces, address, now }: { bounces: BounceStore; address: BounceAddress; now(): Instant },
  bytes: Uint8Array,
): Promise<ReportVerdict> {
  const count = async (verdict: ReportVerdict) => {
    await bounces.countReport(verdict);
    return verdict;
  };
  const report = bytes.length > MOST_REPORT_BYTES ? 'too-large' : readDeliveryReport(bytes, address);
  if (typeof report === 'string') return count(report);
  for (const token of report.tokens) {
    const reported = await bounces.findReported(token.message);
    if (reported === undefined || !isGenuine(token, await bounces.key(), reported)) continue;
    const { is, status } = judgeRecipients(report.recipients, reported.address);
    return is === 'permanent' || is === 'temporary'
      ? bounces.recordFailure({ message: reported.message, is, status, at: now() })
      : count(is);
  }
  return count('unknown');
}

async function countReport(tx: Transaction, verdict: ReportVerdict): Promise<void> {
  await tx.write(
    `insert into report_tally (verdict, reports) values (?, 1)
     on conflict (verdict) do update set reports = report_tally.reports + 1`,
    [[verdict]],
  );
}

type Failed = {
  subscriber: string;
  kind: string;
  made_at: Instant;
  refused_at: Instant | null;
  confirmed_at: Instant | null;
};

const SELECT_FAILED = `select m.subscriber, m.kind, m.made_at, p.refused_at,
    (select max(confirmed_at) from subscription as s where s.subscriber = m.subscriber) as confirmed_at
  from message as m join subscriber as p on p.subscriber = m.subscriber where m.message = ?`;

async function writeFailure(tx: Transaction, failure: ReportedFailure): Promise<ReportVerdict> {
  const { message, is, status, at } = failure;
  const [failed] = await tx.read<Failed>(SELECT_FAILED, [message]);
  if (failed === undefined) return 'unknown';
  if (failed.confirmed_at !== null && failed.confirmed_at > failed.made_at) return 'outdated';
  if (failed.refused_at !== null) return 'repeated';
  const isAgain = (await tx.read('select message from bounce where message = ?', [message])).length > 0;
  if (isAgain && is === 'temporary') return 'repeated';
  // confirmations do not count, because strangers can request them
  const isCounted = failed.kind !== 'confirmation';
  const inARow = isCounted ? (await countInARow(tx, failed)) + 1 : 0;
  await tx.write(
    `insert into bounce (message, subscriber, made_at, reported_at, status, in_a_row) values (?, ?, ?, ?, ?, ?)
     on conflict (message) do nothing`,
    [[message, failed.subscriber, failed.made_at, at, status, inARow]],
  );
  if (is === 'temporary' && inARow < BOUNCES_UNTIL_STOPPED) return 'temporary';
  await tx.write('update subscriber set refused_at = ?, refusal = ? where subscriber = ?', [
    [at, `bounced ${status}`, failed.subscriber],
  ]);
  return 'stopped';
}

/** Counts the editions that bounced in a row before this one, since the last that arrived and within 30 days. */
async function countInARow(tx: Transaction, { subscriber, made_at, confirmed_at }: Failed): Promise<number> {
  const since = addMs(made_at, -MESSAGE_RECORD_DAYS * DAY_MS);
  const [before] = await tx.read<{ made_at: Instant; in_a_row: number }>(
    `select made_at, in_a_row from bounce where subscriber = ? and made_at < ? and made_at >= ? and in_a_row > 0
     order by made_at desc limit 1`,
    [subscriber, made_at, confirmed_at !== null && confirmed_at > since ? confirmed_at : since],
  );
  if (before === undefined) return 0;
  const arrived = await tx.read(
    `select m.message from message as m where m.subscriber = ? and m.kind <> 'confirmation' and m.state in ('sent', 'uncertain')
       and m.made_at > ? and m.made_at < ?
       and not exists (select b.message from bounce as b where b.message = m.message) limit 1`,
    [subscriber, before.made_at, made_at],
  );
  return arrived.length > 0 ? 0 : before.in_a_row;
}
