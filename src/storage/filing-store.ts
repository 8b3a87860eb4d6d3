/** Runs and their filings, from the start of a run to its end. Nothing served changes but by keeping a run. */

import { ShingleError } from '../errors.ts';
import type { FilingStore } from '../ingest/ports.ts';
import { NO_EFFECT } from '../ingest/tally.ts';
import { type Instant, later } from '../listings/day.ts';
import type { Filing } from '../listings/filing.ts';
import { probe } from '../listings/probe.ts';
import type { Engine, Transaction, Value } from './engines/engine.ts';
import { dropStaged, keepRun } from './keep.ts';
import { bumpVersion, outlineIn } from './listing-store.ts';
import { endRun, keptSame, lastKept, runNumbered, runsWhere, startRun } from './runs.ts';

const HELD_DAYS = 7;
const DAY_MS = 86_400_000;

export function filingStoreOn(engine: Engine): FilingStore {
  return {
    alone: (waitMs, work) => engine.exclusively('ingest', waitMs, work),
    tidy: (now) => engine.transaction((tx) => tidy(tx, now)),
    start: (run) => engine.transaction((tx) => startRun(tx, run)),
    stage: (run, filings) => engine.transaction((tx) => stage(tx, run, filings)),
    async keep(order) {
      const run = await engine.transaction((tx) => keepRun(tx, order));
      probe('keep:committed');
      return run;
    },
    end: (run, state, { counts, endedAt, detail, shape }) =>
      engine.transaction(async (tx) => {
        await mustRun(tx, run);
        if (state !== 'held') await dropStaged(tx, run);
        const ended = { state, baseline: false, counts: { ...counts, ...NO_EFFECT }, endedAt, detail, shape };
        return endRun(tx, run, ended);
      }),
    run: async (run) => (await runsWhere(engine, 'run = ?', [run]))[0],
    runs: ({ source, limit }) =>
      source === undefined
        ? runsWhere(engine, '1 = 1', [], limit)
        : runsWhere(engine, 'source = ?', [source], limit),
    lastKept: (source, options) => lastKept(engine, source, options?.whole),
    keptSame: (run) => keptSame(engine, run),
    keepOutline: (drawing) => engine.transaction((tx) => keepOutline(tx, drawing)),
  };
}

/** The same drawing again changes nothing, not even the version. */
async function keepOutline(tx: Transaction, drawing: string): Promise<void> {
  if ((await outlineIn(tx)) === drawing) return;
  await tx.write(
    'insert into outline (one, drawing) values (1, ?) on conflict (one) do update set drawing = excluded.drawing',
    [[drawing]],
  );
  await bumpVersion(tx);
}

/** Whoever tidies is alone, so a run that is still running has nobody to end it. */
async function tidy(tx: Transaction, now: Instant): Promise<void> {
  await tx.write("update run set state = 'failed', ended_at = ?, detail = ? where state = 'running'", [
    [now, 'the process ended before the run finished'],
  ]);
  await tx.write(
    "update run set state = 'failed', detail = coalesce(detail, 'held') || ? where state = 'held' and ended_at < ?",
    [[`; not accepted within ${HELD_DAYS} days`, later(now, -HELD_DAYS * DAY_MS)]],
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
  const { state } = await runNumbered(tx, number);
  if (state !== 'running') throw new ShingleError('conflict', `run ${number} is ${state}, not running`);
}
