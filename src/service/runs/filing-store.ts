/** Stores runs and their filings. Only a kept run changes served listings. Each method is one transaction. */

import { addMs, DAY_MS, type Day, type Instant } from '../../shared/day.ts';
import { conflictError } from '../../shared/errors.ts';
import type { Filing } from '../../shared/filing.ts';
import { probe } from '../../shared/probe.ts';
import { emptyCounts } from '../../shared/report.ts';
import { commitAt, type Engine, type Transaction, type Value } from '../database/engines/engine.ts';
import { HELD_DAYS } from './hold-rules.ts';
import { bumpVersion, readOutline } from './listing-store.ts';
import { commitRun, dropStaged, type Foreseen, foreseeRun } from './merge-run.ts';
import { loadRowMemory, type RowMemory, readRowKey } from './row-memory.ts';
import {
  countLeftOut,
  type DecidedData,
  endRun,
  findDecision,
  findLastKept,
  findReplacing,
  listSourceStates,
  type Run,
  type RunEnd,
  type RunStart,
  type RunState,
  requireRun,
  type SourceState,
  selectCompared,
  selectRuns,
  startRun,
} from './runs.ts';

const STAGE = `
  insert into staged (nth, run, key, kind, name, category, type_hash, neighborhood, status, filed_on, term_on, expires_on, hash, until)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const PUT_OUTLINE =
  'insert into outline (one, drawing) values (1, ?) on conflict (one) do update set drawing = excluded.drawing';

/** A filing, or a row that was left out, of which only the verdict is remembered. `until`: the day from which it may be another. */
export type StagedRow = (Filing | { kind: 'skip'; reason: string; filedOn?: Day | undefined }) & {
  hash?: string;
  until?: Day | null;
};

export type FilingStore = ReturnType<typeof openFilingStore>;

export function openFilingStore(engine: Engine) {
  const keep = commitAt('keep:committed', engine, commitRun);
  return {
    /** Marks runs as failed whose process was killed, as soon as it holds no lock. */
    async endInterrupted(now: Instant): Promise<void> {
      if ((await selectRuns(engine, "state = 'running'", [])).length === 0) return;
      await engine.exclusively('ingest', 0, () => engine.transaction((tx) => tidyRuns(tx, now)));
    },
    /** Marks runs of dead processes and runs held for too long as failed, and deletes their filings. */
    tidy: (now: Instant): Promise<void> => engine.transaction((tx) => tidyRuns(tx, now)),
    start: (run: RunStart): Promise<number> => engine.transaction((tx) => startRun(tx, run)),
    stage: (run: number, rows: readonly StagedRow[]): Promise<void> =>
      engine.transaction(async (tx) => {
        await mustRun(tx, run);
        const [last] = await tx.read<{ nth: number | null }>('select max(nth) as nth from staged');
        let nth = Math.max(0, last?.nth ?? 0);
        const values = rows.map((row) => [
          ++nth,
          run,
          ...listStaged(row),
          row.hash ?? null,
          row.until ?? null,
        ]);
        await tx.write(STAGE, values);
        probe('stage:batch');
      }),
    /** Deletes the rows of a run, whose file is judged again. */
    unstage: (run: number): Promise<void> => engine.transaction((tx) => dropStaged(tx, run)),
    rowKey: (): Promise<string> => readRowKey(engine),
    /** Loads the verdicts of the newest kept run, as far as they hold today. */
    remembered: (last: Run, today: Day): Promise<RowMemory | undefined> => loadRowMemory(engine, last, today),
    /** Merges the filings of a run into the listings, all or nothing. */
    keep,
    /** Keeps a held run as it was judged, if it is of one of these sources. Throws `missing` or `conflict`. */
    async accept(number: number, sources: readonly string[], now: () => Instant): Promise<Run> {
      await engine.transaction((tx) => tidyRuns(tx, now()));
      const run = await requireRun(engine, number);
      if (!sources.includes(run.source))
        throw conflictError(`run ${number} belongs to source "${run.source}", which this city does not have`);
      const detail = `You accepted this run, which was held: ${run.detail}`;
      const { read, openings, updates, skipped, rejected } = run;
      const counts = { read, openings, updates, skipped, rejected };
      return keep({ run: number, counts, endedAt: now(), now, detail });
    },
    /** Ends a run without keeping it. `held` keeps its filings for `accept`; the other states delete them. */
    end: (run: number, state: Exclude<RunState, 'running' | 'kept'>, ended: RunEnd): Promise<Run> =>
      engine.transaction(async (tx) => {
        await mustRun(tx, run);
        if (state !== 'held') await dropStaged(tx, run);
        return endRun(tx, run, state, ended);
      }),
    /** Ends a held run for good, and deletes its filings. Throws `missing` or `conflict` for a run that is not held. */
    refuse: (number: number): Promise<void> =>
      engine.transaction(async (tx) => {
        const { state } = await requireRun(tx, number);
        if (state !== 'held') throw conflictError(`run ${number} is ${state}, not held`);
        await dropStaged(tx, number);
        await tx.write("update run set state = 'refused' where run = ?", [[number]]);
      }),
    /** Finds what accepting a run would do, or `undefined` if it cannot be accepted. */
    foresee: async (run: Run): Promise<Foreseen | undefined> =>
      run.state === 'held' && (await findReplacing(engine, run)) === undefined
        ? foreseeRun(engine, run)
        : undefined,
    /** Records a run that read no rows. Otherwise, an unreadable source would look unchanged. */
    recordEmpty: (start: RunStart, state: 'unchanged' | 'failed', detail: string): Promise<Run> =>
      engine.transaction(async (tx) =>
        endRun(tx, await startRun(tx, start), state, { ...emptyEnd(start), detail }),
      ),
    /** Marks the run of a dead process as failed, or adds an empty failed run. The caller must hold the lock. */
    recordLost: (start: RunStart, lost: Pick<Run, 'detail' | 'retry'>): Promise<Run> =>
      engine.transaction(async (tx) => {
        const [last] = await selectRuns(tx, 'source = ?', [start.source]);
        const run = last?.state === 'running' ? last.run : await startRun(tx, start);
        await dropStaged(tx, run);
        return endRun(tx, run, 'failed', { ...emptyEnd(start), ...lost });
      }),
    run: async (run: number): Promise<Run | undefined> => (await selectRuns(engine, 'run = ?', [run]))[0],
    /** Returns the later run that outdates a held one. */
    replacing: (run: Run): Promise<Run | undefined> => findReplacing(engine, run),
    runs: ({ source, limit }: { source?: string; limit: number }): Promise<Run[]> =>
      selectRuns(engine, 'source = coalesce(?, source)', [source ?? null], limit),
    lastKept: (source: string): Promise<Run | undefined> => findLastKept(engine, source),
    compared: (run: DecidedData): Promise<Run[]> => selectCompared(engine, run),
    decision: (run: DecidedData) => findDecision(engine, run),
    countLeftOut: (sources: readonly string[]) => countLeftOut(engine, sources),
    sourceStates: (): Promise<SourceState[]> => listSourceStates(engine),
    /** Stores the outline of the city. Changes the version only if the outline has changed. */
    keepOutline: (drawing: string): Promise<void> =>
      engine.transaction(async (tx) => {
        if ((await readOutline(tx)) === drawing) return;
        await tx.write(PUT_OUTLINE, [[drawing]]);
        await bumpVersion(tx);
      }),
  };
}

function listStaged(row: StagedRow): Value[] {
  if (row.kind === 'skip')
    return ['', row.kind, row.reason, null, null, null, null, row.filedOn ?? null, '', null];
  const { key, kind, name, category, neighborhood, status, termOn, expiresOn } = row;
  const { filedOn = null, typeHash = null } = kind === 'opening' ? row : {};
  return [key, kind, name, category, typeHash, neighborhood, status, filedOn, termOn, expiresOn];
}

function emptyEnd({ startedAt }: RunStart): RunEnd {
  return { counts: emptyCounts(), endedAt: startedAt };
}

/** Marks dead and expired runs as failed. The caller holds the lock, so no run in state "running" has a process. */
async function tidyRuns(tx: Transaction, now: Instant): Promise<void> {
  await tx.write(
    "update run set state = 'failed', ended_at = ?, detail = ?, retry = 'soon' where state = 'running'",
    [[now, 'interrupted: the process ended before the run finished']],
  );
  await tx.write(
    "update run set state = 'failed', detail = coalesce(detail, 'held') || ? where state = 'held' and ended_at < ?",
    [[`; not accepted within ${HELD_DAYS} days`, addMs(now, -HELD_DAYS * DAY_MS)]],
  );
  await tx.write(
    "delete from staged where run in (select run from run where state not in ('running', 'held', 'kept'))",
    [[]],
  );
}

async function mustRun(tx: Transaction, number: number): Promise<void> {
  const { state } = await requireRun(tx, number);
  if (state !== 'running') throw conflictError(`run ${number} is ${state}, not running`);
}
