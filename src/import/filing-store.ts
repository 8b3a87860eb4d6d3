/** Runs and their filings, from the start of a run to its end. What is served changes only when a run is kept. */

import type { Engine, Transaction, Value } from '../database/engines/engine.ts';
import { ShingleError } from '../errors.ts';
import { addMs, DAY_MS, type Instant } from '../listings/day.ts';
import type { Filing } from '../listings/filing.ts';
import { probe } from '../listings/probe.ts';
import { commitRun, dropStaged } from './commit-run.ts';
import { bumpVersion, readOutline } from './listing-store.ts';
import type { FilingStore } from './ports.ts';
import { NO_EFFECT } from './run-counts.ts';
import { endRun, findLastCommitted, findSameCommitted, requireRun, selectRuns, startRun } from './runs.ts';

const HELD_DAYS = 7;

export function openFilingStore(engine: Engine): FilingStore {
  return {
    alone: (waitMs, work) => engine.exclusively('ingest', waitMs, work),
    tidy: (now) => engine.transaction((tx) => tidyRuns(tx, now)),
    start: (run) => engine.transaction((tx) => startRun(tx, run)),
    stage: (run, filings) => engine.transaction((tx) => stage(tx, run, filings)),
    async keep(order) {
      const run = await engine.transaction((tx) => commitRun(tx, order));
      probe('keep:committed');
      return run;
    },
    end: (run, state, { counts, endedAt, detail, shape, findings }) =>
      engine.transaction(async (tx) => {
        await mustRun(tx, run);
        if (state !== 'held') await dropStaged(tx, run);
        const all = { ...counts, ...NO_EFFECT };
        const ended = { state, baseline: false, counts: all, endedAt, detail, shape, findings };
        return endRun(tx, run, ended);
      }),
    run: async (run) => (await selectRuns(engine, 'run = ?', [run]))[0],
    runs: ({ source, limit }) =>
      source === undefined
        ? selectRuns(engine, '1 = 1', [], limit)
        : selectRuns(engine, 'source = ?', [source], limit),
    lastKept: (source, options) => findLastCommitted(engine, source, options?.whole),
    keptSame: (run) => findSameCommitted(engine, run),
    keepOutline: (drawing) => engine.transaction((tx) => keepOutline(tx, drawing)),
  };
}

/** Storing the same outline again changes nothing, not even the version. */
async function keepOutline(tx: Transaction, drawing: string): Promise<void> {
  if ((await readOutline(tx)) === drawing) return;
  await tx.write(
    'insert into outline (one, drawing) values (1, ?) on conflict (one) do update set drawing = excluded.drawing',
    [[drawing]],
  );
  await bumpVersion(tx);
}

/** The caller holds the lock, so a run in state "running" belongs to a dead process. */
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
