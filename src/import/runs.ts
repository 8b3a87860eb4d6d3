/** Runs as rows: one for every attempt, however it ended. Changes no listing. */

import type { Reading, Transaction } from '../database/engines/engine.ts';
import { ShingleError } from '../errors.ts';
import type { Instant } from '../listings/day.ts';
import { compareCodeUnits } from '../listings/words.ts';
import type { Finding } from '../registers/invariants/finding.ts';
import type { Run, RunCounts, RunStart, SourceState } from './ports.ts';

type RunRow = Omit<Run, 'baseline' | 'skipped' | 'rejected' | 'findings'> & {
  baseline: number;
  findings: string | null;
  skipped: string;
  rejected: string;
};

const RUN_COLUMNS = `run, source, state, baseline, place, content, profile, started_at as "startedAt", ended_at as "endedAt",
  mark, shape, detail, findings, read, openings, updates, skipped, rejected, added, changed, unchanged, folded, withdrawn, updated`;

type Ended = Pick<Run, 'state' | 'baseline' | 'detail'> & {
  counts: RunCounts;
  endedAt: Instant;
  shape?: string | null | undefined;
  findings?: readonly Finding[] | undefined;
};

/** Runs that meet `condition` (SQL over the columns of `run`), newest first. */
export async function selectRuns(
  reading: Reading,
  condition: string,
  params: readonly (string | number)[],
  limit = 1,
): Promise<Run[]> {
  const sql = `select ${RUN_COLUMNS} from run where ${condition} order by run desc limit ?`;
  return (await reading.read<RunRow>(sql, [...params, limit])).map(toRun);
}

/** Throws `missing` if the run does not exist. */
export async function requireRun(reading: Reading, number: number): Promise<Run> {
  const [run] = await selectRuns(reading, 'run = ?', [number]);
  if (run === undefined) throw new ShingleError('missing', `run ${number} does not exist`);
  return run;
}

export async function findLastCommitted(
  reading: Reading,
  source: string,
  whole = false,
): Promise<Run | undefined> {
  const kept = "source = ? and state = 'kept'";
  const [last] = await selectRuns(reading, whole ? `${kept} and snapshot = 1` : kept, [source]);
  return last ?? (whole ? findLastCommitted(reading, source) : undefined);
}

export async function findSameCommitted(
  reading: Reading,
  same: Pick<Run, 'source' | 'content' | 'profile'>,
): Promise<Run | undefined> {
  const condition = "source = ? and state = 'kept' and content = ? and profile = ?";
  return (await selectRuns(reading, condition, [same.source, same.content, same.profile]))[0];
}

/** Numbers are assigned here and not by the database, so that they have no gaps and are the same on every engine. */
export async function startRun(tx: Transaction, run: RunStart): Promise<number> {
  const { source, snapshot, command, place, content, profile, mark = null, startedAt } = run;
  const [last] = await tx.read<{ run: number | null }>('select max(run) as run from run');
  const number = (last?.run ?? 0) + 1;
  await tx.write(
    `insert into run (run, source, state, baseline, snapshot, command, place, content, profile, mark, started_at, read,
       openings, updates, skipped, rejected, added, changed, unchanged, folded, withdrawn, updated)
     values (?, ?, 'running', 0, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, '{}', '[]', 0, 0, 0, 0, 0, 0)`,
    [[number, source, snapshot ? 1 : 0, command, place, content, profile, mark, startedAt]],
  );
  return number;
}

/** Records how a run ended, and returns the run. */
export async function endRun(tx: Transaction, number: number, ended: Ended): Promise<Run> {
  const { state, baseline, endedAt, detail, shape = null } = ended;
  const findings = ended.findings === undefined ? null : JSON.stringify(ended.findings);
  const { read, openings, updates, skipped, rejected, ...effect } = ended.counts;
  const { added, changed, unchanged, folded, withdrawn, updated } = effect;
  await tx.write(
    `update run set state = ?, baseline = ?, ended_at = ?, detail = ?, shape = coalesce(?, shape), findings = coalesce(?, findings), read = ?, openings = ?, updates = ?, skipped = ?,
       rejected = ?, added = ?, changed = ?, unchanged = ?, folded = ?, withdrawn = ?, updated = ? where run = ?`,
    [
      [
        ...[state, baseline ? 1 : 0, endedAt, detail, shape, findings, read, openings, updates],
        ...[JSON.stringify(skipped), JSON.stringify(rejected)],
        ...[added, changed, unchanged, folded, withdrawn, updated, number],
      ],
    ],
  );
  return requireRun(tx, number);
}

/** For each source, by name: the newest run that has ended (else the first one), and when the last good one ended. */
export async function listSourceStates(reading: Reading): Promise<SourceState[]> {
  type Last = Omit<NonNullable<SourceState['last']>, 'findings'> & { findings: string | null };
  const rows = await reading.read<Omit<SourceState, 'last'> & Last>(
    `select run.source, newest.good_at as "goodAt", run.run, run.state, run.detail, run.started_at as "startedAt",
       run.findings
     from (select coalesce(max(case when state <> 'running' then run end), max(run)) as run, max(case when state = 'kept' or (state = 'unchanged' and snapshot = 1)
             then ended_at end) as good_at from run group by source) as newest
     join run on run.run = newest.run`,
  );
  return rows
    .map(({ source, goodAt, ...last }) => ({
      source,
      goodAt,
      last: { ...last, findings: parseFindings(last.findings) },
    }))
    .sort((a, b) => compareCodeUnits(a.source, b.source));
}

function toRun(row: RunRow): Run {
  const { baseline, skipped, rejected, findings } = row;
  return {
    ...row,
    baseline: baseline === 1,
    skipped: JSON.parse(skipped),
    rejected: JSON.parse(rejected),
    findings: parseFindings(findings),
  };
}

/** Runs of before there were findings have none. */
function parseFindings(text: string | null): Finding[] {
  return text === null ? [] : JSON.parse(text);
}
