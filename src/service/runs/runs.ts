/** Stores runs: one for each attempt to import a file, with counts and outcome. Changes no listing. */

import type { SourceFacts } from '../../shared/city/city-facts.ts';
import { addMs, type Day, HOUR_MS, type Instant, isAhead } from '../../shared/day.ts';
import { missingError } from '../../shared/errors.ts';
import type { Finding, JudgedCounts, RunShape, RunType } from '../../shared/report.ts';
import { compareCodeUnits } from '../../shared/words.ts';
import type { Reader, Transaction, Value } from '../database/engines/engine.ts';

const NO_NEWS: Day = '9999-12-31';
export const EVERY_HOURS = 24;
const RETRY_MS = HOUR_MS;
const SOON_MS = 300_000; // an import that ends its machine each time must not do so all the time
const RUNS_COMPARED = 30; // before a file of changes

export const NO_EFFECT = { added: 0, changed: 0, unchanged: 0, folded: 0, withdrawn: 0, updated: 0 };

export type RunState = 'running' | 'kept' | 'unchanged' | 'held' | 'refused' | 'failed';

/** The effect of a run: `openings = added + changed + unchanged + folded`. Only updates count as `updated`. */
export type Effect = typeof NO_EFFECT;

export type Run = JudgedCounts &
  Effect & {
    run: number;
    source: string;
    state: RunState;
    baseline: boolean;
    /**
     * Whether the file has all listings. If so, missing listings are marked absent, and an unchanged run is a good run.
     */
    snapshot: boolean;
    place: string;
    /** The SHA-256 of the file and of the one that is joined to it. With `profileDigest`, finds data that was decided before. */
    content: string;
    /** The SHA-256 of everything that affects verdicts. If it changes, rows are judged again, and listings may be withdrawn. */
    profileDigest: string;
    startedAt: Instant;
    endedAt: Instant | null;
    /** What the publisher says of this version of the data: a validator, the time of the newest change. */
    mark: Record<string, unknown> | null;
    /** What its rows are like, to compare with a later run. */
    shape: RunShape | null;
    detail: string | null;
    /** When an import is tried again that did not end by itself: `now`, or `soon`. */
    retry: 'now' | 'soon' | null;
    /** Signs that the profile misreads its register, without examples. Only the first run of a source has them. */
    findings: readonly Finding[];
  };

export type RunStart = DecidedData &
  Pick<Run, 'place' | 'startedAt'> & {
    command: string;
    mark?: Run['mark'];
    /** The first filing date that is news. Filings of a baseline are never news. */
    newsFrom?: Day;
  };

export type SourceState = {
  source: string;
  /** When the newest good run ended. A good run was kept, or found its snapshot unchanged. */
  goodAt: Instant | null;
  /** The newest run that has ended, in any state, or a first run in progress. */
  last: Pick<Run, 'run' | 'state' | 'detail' | 'retry' | 'startedAt' | 'findings'> | null;
};

/** A row has flags as numbers, and values as JSON. */
type RunRow = Omit<Run, 'baseline' | 'snapshot' | 'skipped' | 'rejected' | 'mark' | 'shape' | 'findings'> &
  Record<'baseline' | 'snapshot', number> &
  Record<'skipped' | 'rejected', string> &
  Record<'mark' | 'shape' | 'findings', string | null>;

const RUN_COLUMNS = `run, source, state, baseline, snapshot, place, content, profile_digest as "profileDigest", started_at as "startedAt",
  ended_at as "endedAt", mark, shape, detail, retry, findings, read, openings, updates, skipped, rejected,
  ${Object.keys(NO_EFFECT).join(', ')}`;

export type RunEnd = {
  counts: JudgedCounts & Partial<Effect>;
  endedAt: Instant;
  /** Why the run was held or failed, or a note about a kept run. */
  detail?: string | null | undefined;
  shape?: RunShape | undefined;
  findings?: readonly Finding[] | undefined;
  retry?: Run['retry'] | undefined;
  types?: readonly RunType[] | undefined;
  baseline?: boolean | undefined;
  /** When the listings of a kept run arrived. */
  arrivedAt?: Instant | undefined;
};

/** Finds a later run that was kept, or that found the register as it was before: after it, a held run is outdated. */
export async function findReplacing(
  reader: Reader,
  { run, source }: Pick<Run, 'run' | 'source'>,
): Promise<Run | undefined> {
  const replaced = "source = ? and run > ? and (state = 'kept' or (state = 'unchanged' and snapshot = 1))";
  return (await selectRuns(reader, replaced, [source, run]))[0];
}

/** Reads the runs that match the SQL `condition`, newest first. */
export async function selectRuns(
  reader: Reader,
  condition: string,
  params: readonly Value[],
  limit = 1,
): Promise<Run[]> {
  const sql = `select ${RUN_COLUMNS} from run where ${condition} order by run desc limit ?`;
  return (await reader.read<RunRow>(sql, [...params, limit])).map(toRun);
}

export async function requireRun(reader: Reader, number: number): Promise<Run> {
  const [run] = await selectRuns(reader, 'run = ?', [number]);
  if (run === undefined) throw missingError(`run ${number} does not exist`);
  return run;
}

export async function findLastKept(
  reader: Reader,
  source: string,
  isSnapshot = false,
): Promise<Run | undefined> {
  const kept = "source = ? and state = 'kept'";
  const [last] = await selectRuns(reader, isSnapshot ? `${kept} and snapshot = 1` : kept, [source]);
  return last ?? (isSnapshot ? findLastKept(reader, source) : undefined);
}

/**
 * Reads the kept runs that a run is compared with, newest first: the last snapshot or, for a file of changes, the runs
 * of the same profile before it.
 */
export async function selectCompared(
  reader: Reader,
  { source, profileDigest, snapshot }: DecidedData,
): Promise<Run[]> {
  const alike = "source = ? and state = 'kept' and profile_digest = ?";
  if (!snapshot) return selectRuns(reader, alike, [source, profileDigest], RUNS_COMPARED);
  const last = await findLastKept(reader, source, true);
  return last === undefined ? [] : [last];
}

/** The data on which a run decides: a file, and all that judges it. */
export type DecidedData = Pick<Run, 'source' | 'content' | 'profileDigest' | 'snapshot'>;

/** Finds a kept run of the same data. An older snapshot does not count: a register that goes back to it has changed. */
export async function findSameKept(
  reader: Reader,
  { source, content, profileDigest, snapshot }: DecidedData,
): Promise<Run | undefined> {
  const condition = "source = ? and state = 'kept' and content = ? and profile_digest = ?";
  const [same] = await selectRuns(reader, condition, [source, content, profileDigest]);
  const isOlder = snapshot && same?.run !== (await findLastKept(reader, source, true))?.run;
  return isOlder ? undefined : same;
}

/** How a run ends whose data was kept before. */
export const UNCHANGED = { state: 'unchanged', detail: 'same file and profile as before' } as const;

/** Returns how a run ends whose data was decided on before: a run of it was kept, or the operator refused one. */
export async function findDecision(
  reader: Reader,
  data: DecidedData,
): Promise<{ state: 'unchanged' | 'refused'; detail: string } | undefined> {
  if ((await findSameKept(reader, data)) !== undefined) return UNCHANGED;
  const condition = "source = ? and content = ? and profile_digest = ? and state = 'refused' and read > 0";
  const { source, content, profileDigest } = data;
  const [refused] = await selectRuns(reader, condition, [source, content, profileDigest]);
  if (refused === undefined) return undefined;
  const detail = `You refused this file in run ${refused.run}. It is not imported until the file or city.yaml changes`;
  return { state: 'refused', detail };
}

/** Counts rows left out since each source's newest kept snapshot. Returns `undefined` before the first run. */
export async function countLeftOut(reader: Reader, sources: readonly string[]) {
  const all = { read: 0, skipped: new Map<string, number>(), rejected: 0, undecided: new Map<Day, number>() };
  for (const source of sources) {
    const rows = await reader.read<{ skipped: string; runs: number; read: number; served: number }>(
      `select skipped, count(*) as runs, sum(read) as read, sum(openings + updates) as served from run
       where source = ? and state = 'kept' and run >= coalesce(
         (select max(run) from run where source = ? and state = 'kept' and snapshot = 1), 0) group by skipped`,
      [source, source],
    );
    for (const { skipped, runs, read, served } of rows) {
      const reasons = Object.entries<number>(JSON.parse(skipped));
      all.read += read;
      all.rejected += read - served;
      for (const [reason, count] of reasons) {
        all.skipped.set(reason, (all.skipped.get(reason) ?? 0) + count * runs);
        all.rejected -= count * runs;
      }
    }
    const last = await findLastKept(reader, source, true);
    for (const [day, rows] of Object.entries(last?.shape?.undecided ?? {}))
      all.undecided.set(day, (all.undecided.get(day) ?? 0) + rows);
  }
  return all.read === 0 ? undefined : all;
}

/** Starts a run. Chooses the run's number, so numbers have no gaps and are the same on both engines. */
export async function startRun(tx: Transaction, run: RunStart): Promise<number> {
  const { source, snapshot, content, profileDigest, command, place, startedAt } = run;
  const { mark = null, newsFrom = '' } = run;
  const [last] = await tx.read<{ run: number | null }>('select max(run) as run from run');
  const number = (last?.run ?? 0) + 1;
  const stored = [number, source, snapshot ? 1 : 0, command, place, content, profileDigest];
  await tx.write(
    `insert into run (run, source, state, baseline, snapshot, command, place, content, profile_digest, mark, started_at, news_from, read,
       openings, updates, skipped, rejected, added, changed, unchanged, folded, withdrawn, updated)
     values (?, ?, 'running', 0, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, '{}', '[]', 0, 0, 0, 0, 0, 0)`,
    [[...stored, mark && JSON.stringify(mark), startedAt, newsFrom]],
  );
  return number;
}

export async function endRun(
  tx: Transaction,
  number: number,
  state: RunState,
  { counts, endedAt, detail = null, retry = null, ...ended }: RunEnd,
): Promise<Run> {
  const { skipped, rejected, ...numbers } = { ...NO_EFFECT, ...counts };
  const { shape, findings, types, baseline = false, arrivedAt } = ended;
  const values = {
    state,
    ended_at: endedAt,
    detail,
    retry,
    ...numbers,
    skipped: JSON.stringify(skipped),
    rejected: JSON.stringify(rejected),
    ...(arrivedAt !== undefined && { arrived_at: arrivedAt }),
    ...(baseline && { baseline: 1, news_from: NO_NEWS }),
    ...(shape !== undefined && { shape: JSON.stringify(shape) }),
    ...(findings !== undefined && { findings: JSON.stringify(findings) }),
    ...(types !== undefined && { types: JSON.stringify(types) }),
  };
  const columns = Object.keys(values).map((column) => `${column} = ?`);
  await tx.write(`update run set ${columns.join(', ')} where run = ?`, [[...Object.values(values), number]]);
  return requireRun(tx, number);
}

export async function listSourceStates(reader: Reader): Promise<SourceState[]> {
  type Last = Omit<NonNullable<SourceState['last']>, 'findings'> & { findings: string | null };
  const rows = await reader.read<Omit<SourceState, 'last'> & Last>(
    `select run.source, good.ended_at as "goodAt", run.run, run.state, run.detail, run.retry, run.started_at as "startedAt",
       run.findings
     from (select coalesce(max(case when state <> 'running' then run end), max(run)) as run, max(case when state = 'kept' or (state = 'unchanged' and snapshot = 1)
             then run end) as good from run group by source) as newest
     join run on run.run = newest.run left join run as good on good.run = newest.good`,
  );
  return rows
    .toSorted((a, b) => compareCodeUnits(a.source, b.source))
    .map(({ source, goodAt, ...last }) => {
      return { source, goodAt, last: { ...last, findings: parseValue<Finding[]>(last.findings) ?? [] } };
    });
}

function toRun(row: RunRow): Run {
  return {
    ...row,
    baseline: row.baseline === 1,
    snapshot: row.snapshot === 1,
    skipped: JSON.parse(row.skipped),
    rejected: JSON.parse(row.rejected),
    mark: parseValue(row.mark),
    shape: parseValue(row.shape),
    findings: parseValue<Finding[]>(row.findings) ?? [],
  };
}

function parseValue<Value>(text: string | null): Value | null {
  return text === null ? null : JSON.parse(text);
}

export const everyHoursOf = ({ everyHours = EVERY_HOURS }: SourceFacts): number => everyHours;

/**
 * Returns when the next run is due: soon after one that was stopped or interrupted, an hour after one that failed, otherwise
 * (also after one that was refused) at its usual time. A run in the future was dated by a wrong clock, so the next one is due.
 */
export function findNextRun(
  source: SourceFacts,
  { state, startedAt, retry }: Pick<Run, 'state' | 'startedAt' | 'retry'>,
  now: Instant,
): Instant {
  if (isAhead(startedAt, now)) return now;
  if (state !== 'failed' && state !== 'running') return addMs(startedAt, everyHoursOf(source) * HOUR_MS);
  const waitMs = retry === 'now' ? 0 : retry === 'soon' ? SOON_MS : RETRY_MS;
  return addMs(startedAt, waitMs);
}
