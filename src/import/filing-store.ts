/** Stores runs and their filings. Only a kept run changes served listings. Each method is one transaction. */

import type { Engine, Transaction, Value } from '../database/engines/engine.ts';
import { ShingleError } from '../errors.ts';
import { addMs, DAY_MS, type Instant } from '../listings/day.ts';
import type { Filing } from '../listings/filing.ts';
import { probe } from '../listings/probe.ts';
import { commitRun, dropStaged, type KeepOrder } from './commit-run.ts';
import { HELD_DAYS } from './held-runs.ts';
import { bumpVersion, readOutline } from './listing-store.ts';
import {
  countLeftOut,
  emptyCounts,
  endRun,
  findLastKept,
  findSameKept,
  listSourceStates,
  type Run,
  type RunEnd,
  type RunStart,
  requireRun,
  type SourceState,
  selectRuns,
  startRun,
} from './runs.ts';

export type FilingStore = ReturnType<typeof openFilingStore>;

export function openFilingStore(engine: Engine) {
  return {
    /** Runs `work` while no other process ingests, after at most `waitMs`. A dead process releases the lock. */
    alone: <T>(waitMs: number, work: () => Promise<T>): Promise<T> =>
      engine.exclusively('ingest', waitMs, work),
    /** Fails runs of dead processes and runs held too long, and deletes their filings. */
    tidy: (now: Instant): Promise<void> => engine.transaction((tx) => tidyRuns(tx, now)),
    start: (run: RunStart): Promise<number> => engine.transaction((tx) => startRun(tx, run)),
    stage: (run: number, filings: readonly Filing[]): Promise<void> =>
      engine.transaction((tx) => stage(tx, run, filings)),
    /** All or nothing. */
    async keep(order: KeepOrder): Promise<Run> {
      const run = await engine.transaction((tx) => commitRun(tx, order));
      probe('keep:committed');
      return run;
    },
    /** Ends a run without keeping it. `held` preserves its filings for `accept`; the other states delete them. */
    end: (run: number, state: 'unchanged' | 'held' | 'failed', ended: RunEnd): Promise<Run> =>
      engine.transaction(async (tx) => {
        await mustRun(tx, run);
        if (state !== 'held') await dropStaged(tx, run);
        return endRun(tx, run, state, ended);
      }),
    /** Records a run that read nothing. Without it, an unreadable source would look like one without news. */
    recordEmpty: (start: RunStart, state: 'unchanged' | 'failed', detail: string): Promise<Run> =>
      engine.transaction(async (tx) => endRun(tx, await startRun(tx, start), state, emptyEnd(start, detail))),
    /** Fails the run of a process that has ended, or adds an empty failed run. The caller holds the lock. */
    recordLost: (start: RunStart, detail: string): Promise<Run> =>
      engine.transaction(async (tx) => {
        const [last] = await selectRuns(tx, 'source = ?', [start.source]);
        const run = last?.state === 'running' ? last.run : await startRun(tx, start);
        await dropStaged(tx, run);
        return endRun(tx, run, 'failed', emptyEnd(start, detail));
      }),
    run: async (run: number): Promise<Run | undefined> => (await selectRuns(engine, 'run = ?', [run]))[0],
    runs: ({ source, limit }: { source?: string; limit: number }): Promise<Run[]> =>
      source === undefined
        ? selectRuns(engine, '1 = 1', [], limit)
        : selectRuns(engine, 'source = ?', [source], limit),
    /** With `whole`, the newest kept snapshot, if any. */
    lastKept: (source: string, options?: { whole: boolean }): Promise<Run | undefined> =>
      findLastKept(engine, source, options?.whole),
    keptSame: (run: Pick<Run, 'source' | 'content' | 'profile'>): Promise<Run | undefined> =>
      findSameKept(engine, run),
    countLeftOut: (sources: readonly string[]) => countLeftOut(engine, sources),
    sourceStates: (): Promise<SourceState[]> => listSourceStates(engine),
    keepOutline: (drawing: string): Promise<void> => engine.transaction((tx) => keepOutline(tx, drawing)),
  };
}

function emptyEnd({ startedAt }: RunStart, detail: string): RunEnd {
  return { counts: emptyCounts(), endedAt: startedAt, detail };
}

/** The same outline changes nothing, not even the version. */
async function keepOutline(tx: Transaction, drawing: string): Promise<void> {
  if ((await readOutline(tx)) === drawing) return;
  await tx.write(
    'insert into outline (one, drawing) values (1, ?) on conflict (one) do update set drawing = excluded.drawing',
    [[drawing]],
  );
  await bumpVersion(tx);
}

/** Fails and cleans up runs. The caller holds the lock, so a run in state "running" belongs to a dead process. */
async function tidyRuns(tx: Transaction, now: Instant): Promise<void> {
  await tx.write("update run set state = 'failed', ended_at = ?, detail = ? where state = 'running'", [
    [now, 'the process ended before the run finished'],
  ]);
  await tx.write(
    "update run set state = 'failed', detail = coalesce(detail, 'held') || ? where state = 'held' and ended_at < ?",
    [[`; not accepted within ${HELD_DAYS} days`, addMs(now, -HELD_DAYS * DAY_MS)]],
  );
  await tx.write(
    "delete from staged where run in (select run from run where state not in ('running', 'held'))",
    [[]],
  );
}

async function stage(tx: Transaction, run: number, filings: readonly Filing[]): Promise<void> {
  await mustRun(tx, run);
  await tx.write(
    `insert into staged (run, key, kind, name, category, neighborhood, status, filed_on, term_on, expires_on)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    filings.map((filing) => stagedRow(run, filing)),
  );
  probe('stage:batch');
}

function stagedRow(run: number, filing: Filing): Value[] {
  const { key, kind, name, category, neighborhood, status, termOn, expiresOn } = filing;
  const filedOn = filing.kind === 'opening' ? filing.filedOn : null;
  return [run, key, kind, name, category, neighborhood, status, filedOn, termOn, expiresOn];
}

async function mustRun(tx: Transaction, number: number): Promise<void> {
  const { state } = await requireRun(tx, number);
  if (state !== 'running') throw new ShingleError('conflict', `run ${number} is ${state}, not running`);
}
