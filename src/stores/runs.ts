/** Runs as rows: one for every attempt, whatever became of it. Nothing here touches a listing. */

import { ShingleError } from '../errors.ts';
import type { Run, RunCounts, RunStart, RunState, SourceState } from '../filings/ports.ts';
import type { Instant } from '../listings/day.ts';
import type { Reading, Transaction } from './engine.ts';

type RunRow = {
  [K in keyof Omit<Run, 'skipped' | 'rejected' | 'baseline' | 'startedAt' | 'endedAt'>]: Run[K];
} & {
  baseline: number;
  skipped: string;
  rejected: string;
  started_at: Instant;
  ended_at: Instant | null;
};

type Ended = {
  state: RunState;
  baseline: boolean;
  counts: RunCounts;
  endedAt: Instant;
  detail: string | null;
  shape?: string | null | undefined;
};

/** Runs that meet `condition` (SQL over the columns of `run`), newest first. */
export async function runsWhere(
  reading: Reading,
  condition: string,
  params: readonly (string | number)[],
  limit = 1,
): Promise<Run[]> {
  const sql = `select * from run where ${condition} order by run desc limit ?`;
  return (await reading.read<RunRow>(sql, [...params, limit])).map(toRun);
}

/** Throws `missing` where there is no such run. */
export async function runNumbered(reading: Reading, number: number): Promise<Run> {
  const [run] = await runsWhere(reading, 'run = ?', [number]);
  if (run === undefined) throw new ShingleError('missing', `there is no run ${number}`);
  return run;
}

export async function lastKept(reading: Reading, source: string, whole = false): Promise<Run | undefined> {
  const kept = "source = ? and state = 'kept'";
  const [last] = await runsWhere(reading, whole ? `${kept} and snapshot = 1` : kept, [source]);
  return last ?? (whole ? lastKept(reading, source) : undefined);
}

export async function keptSame(
  reading: Reading,
  same: Pick<Run, 'source' | 'content' | 'profile'>,
): Promise<Run | undefined> {
  const condition = "source = ? and state = 'kept' and content = ? and profile = ?";
  return (await runsWhere(reading, condition, [same.source, same.content, same.profile]))[0];
}

/** Numbers are given here, not by the database, so that they have no gaps and every engine gives the same. */
export async function startRun(tx: Transaction, run: RunStart): Promise<number> {
  const [last] = await tx.read<{ run: number | null }>('select max(run) as run from run');
  const number = (last?.run ?? 0) + 1;
  await tx.write(
    `insert into run (run, source, state, baseline, snapshot, command, place, content, profile, mark, started_at, read,
       openings, updates, skipped, rejected, added, changed, unchanged, folded, withdrawn, updated)
     values (?, ?, 'running', 0, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, '{}', '[]', 0, 0, 0, 0, 0, 0)`,
    [
      [
        number,
        run.source,
        run.snapshot ? 1 : 0,
        run.command,
        run.place,
        run.content,
        run.profile,
        run.mark ?? null,
        run.startedAt,
      ],
    ],
  );
  return number;
}

/** Writes down how a run ended and returns it as recorded. */
export async function endRun(tx: Transaction, number: number, ended: Ended): Promise<Run> {
  const { counts } = ended;
  await tx.write(
    `update run set state = ?, baseline = ?, ended_at = ?, detail = ?, shape = coalesce(?, shape), read = ?, openings = ?, updates = ?, skipped = ?,
       rejected = ?, added = ?, changed = ?, unchanged = ?, folded = ?, withdrawn = ?, updated = ? where run = ?`,
    [
      [
        ended.state,
        ended.baseline ? 1 : 0,
        ended.endedAt,
        ended.detail,
        ended.shape ?? null,
        counts.read,
        counts.openings,
        counts.updates,
        JSON.stringify(counts.skipped),
        JSON.stringify(counts.rejected),
        counts.added,
        counts.changed,
        counts.unchanged,
        counts.folded,
        counts.withdrawn,
        counts.updated,
        number,
      ],
    ],
  );
  return runNumbered(tx, number);
}

/** Per source the newest run and when the last good one ended, by the source's name. */
export async function sourceStates(reading: Reading): Promise<SourceState[]> {
  const rows = await reading.read<RunRow & { good_at: Instant | null }>(
    `select run.source, run.run, run.state, run.detail, run.started_at, newest.good_at
     from (select max(run) as run, max(case when state = 'kept' or (state = 'unchanged' and snapshot = 1)
             then ended_at end) as good_at from run group by source) as newest
     join run on run.run = newest.run`,
  );
  return rows
    .map(({ source, good_at, run, state, detail, started_at }) => ({
      source,
      goodAt: good_at,
      last: { run, state, detail, startedAt: started_at },
    }))
    .sort((a, b) => (a.source < b.source ? -1 : 1));
}

function toRun(row: RunRow): Run {
  const { run, source, state, place, content, profile, mark, shape, detail } = row;
  const { read, openings, updates, added, changed, unchanged, folded, withdrawn, updated } = row;
  return {
    ...{ run, source, state, baseline: row.baseline === 1, place, content, profile },
    ...{ startedAt: row.started_at, endedAt: row.ended_at, mark, shape, detail },
    ...{ read, openings, updates, skipped: JSON.parse(row.skipped), rejected: JSON.parse(row.rejected) },
    ...{ added, changed, unchanged, folded, withdrawn, updated },
  };
}
