/**
 * Imports a file as a run: reads rows, judges them into filings, and keeps all of the run or nothing. Served listings
 * do not change unless the entire file was read, judged and found plausible.
 */

import type { City, Row, Source } from '../city/define.ts';
import { messageOf, ShingleError } from '../errors.ts';
import type { Day, Instant } from '../listings/day.ts';
import type { Filing } from '../listings/filing.ts';
import { probe } from '../listings/probe.ts';
import { toStoredFinding } from '../registers/invariants/finding.ts';
import type { FindingsWatch } from '../registers/invariants/watch.ts';
import type { KeepOrder } from './commit-run.ts';
import type { FilingStore } from './filing-store.ts';
import { findObjection, findStop, openShapeCounter } from './held-runs.ts';
import type { Join } from './join.ts';
import { type Judge, type Judgement, type JudgeTools, openJudge } from './judge.ts';
import { findNewsFrom } from './news.ts';
import { type CityMap, openPlacer } from './placing.ts';
import type { FiledFile } from './readers/filed.ts';
import { formatFoundName, type NumberedRow, type RejectedRow } from './readers/row.ts';
import { readSourceRows } from './readers/source-rows.ts';
import { measureReadShare, openReadTally } from './readers/utf8.ts';
import { countRow, emptyCounts, type JudgedCounts, type Run } from './runs.ts';

const STAGED_AT_ONCE = 5_000; // each batch is a commit that waits for the disk: with 500, 90,000 rows took 0.2 s longer

/** Called after every batch, to show progress. */
export type ReportProgress = (at: {
  source: string;
  place: string;
  rows: number;
  /** Share of the file, 0 to 1. `undefined` for workbooks, which are read completely before their first row. */
  share: number | undefined;
}) => void;

export type Ingest = {
  city: City;
  source: Source;
  /** Turns a point or an address into a neighborhood. */
  map: CityMap;
  /** SHA-256 of everything that affects verdicts. */
  profile: string;
  /** The city's local date. */
  today: Day;
  now: () => Instant;
  /** Identifies the command. All runs of a command share a baseline. */
  command: string;
  store: FilingStore;
  progress: ReportProgress;
  /** Looks for misunderstandings in all files of the first command that imports the source. */
  watch?: FindingsWatch | undefined;
  /** Sees how openings are placed, for reports. See `JudgeTools`. */
  seePlacing?: JudgeTools['seePlacing'];
  join?: Join | undefined;
};

/** A judged row. `row` is `undefined` if the reader could not separate its columns. */
export type JudgedRow = { line: number; judgement: Judgement; row: Row | undefined };

/** Judges every row of a file and passes them on in batches. Throws `source` or `city` at the first error. */
export async function judgeFile(
  job: Pick<Ingest, 'city' | 'source' | 'map' | 'today' | 'progress' | 'watch' | 'seePlacing' | 'join'>,
  file: FiledFile,
  each: (tally: JudgedCounts, judged: JudgedRow[]) => Promise<void> | void,
): Promise<JudgedCounts> {
  const { seePlacing, join } = job;
  const judge = openJudge(
    job.source,
    { today: job.today },
    { place: openPlacer(job.city, job.map), seePlacing, join },
  );
  const tally = emptyCounts();
  const bytes = openReadTally();
  for await (const batch of readSourceRows(job.source, file, { others: job.watch, tally: bytes })) {
    const judged = batch.map((one): JudgedRow => {
      const row = 'row' in one ? one.row : undefined;
      return { line: one.line, judgement: judgeRow(judge, one), row };
    });
    for (const { judgement, line } of judged) countRow(tally, judgement, line);
    if (job.watch !== undefined)
      for (const { row, judgement } of judged) if (row !== undefined) job.watch.see(row, judgement);
    await each(tally, judged);
    job.progress({
      source: job.source.id,
      place: file.name,
      rows: tally.read,
      share: bytes.bytes === 0 ? undefined : measureReadShare(bytes, file),
    });
  }
  join?.checkMatches();
  if (job.watch !== undefined && job.source.from.format === 'excel') {
    const { inspectWorkbook } = await import('./tables/read-workbook.ts'); // only a first ingest needs it
    job.watch.seeWorkbook(await inspectWorkbook(file.path, job.source.from));
  }
  return tally;
}

function judgeRow(judge: Judge, one: NumberedRow | RejectedRow): Judgement {
  return 'row' in one ? judge(one.row, one.line) : { kind: 'reject', reason: one.reason };
}

/** Imports a file as a run. Returns it as kept, unchanged, held or failed. Throws only for store errors and bugs. */
export async function ingestFile(job: Ingest, file: FiledFile): Promise<Run> {
  const { store, source } = job;
  const base = await store.lastKept(source.id, { whole: true });
  const same = { source: source.id, content: file.content, profile: job.profile };
  const run = await store.start({
    ...same,
    place: file.name,
    startedAt: job.now(),
    newsFrom: findNewsFrom(source, job.today),
    command: job.command,
    snapshot: isSnapshot(source, file),
    mark: file.mark === undefined ? null : JSON.stringify(file.mark),
  });
  probe('ingest:started');
  const columnChange = describeColumnChange((await store.lastKept(source.id))?.mark, file.mark?.columns);
  if (file.whole && (await isKnown(job, base, same))) {
    return store.end(run, 'unchanged', {
      counts: emptyCounts(),
      endedAt: job.now(),
      detail: ['same file and profile as before', columnChange]
        .filter((text) => text !== undefined)
        .join('; '),
    });
  }
  let tally = emptyCounts();
  const shape = openShapeCounter();
  try {
    const filings: Filing[] = [];
    tally = await judgeFile(job, file, async (soFar, judged) => {
      tally = soFar;
      for (const { judgement } of judged) if (isFiling(judgement)) filings.push(judgement);
      for (const { judgement } of judged) shape.see(judgement);
      if (filings.length >= STAGED_AT_ONCE) await store.stage(run, filings.splice(0));
    });
    await store.stage(run, filings);
  } catch (error) {
    if (error instanceof ShingleError && error.code === 'store') throw error;
    const ended = await store.end(run, 'failed', {
      counts: tally,
      endedAt: job.now(),
      detail: messageOf(error),
    });
    if (error instanceof ShingleError) return ended;
    throw error; // a bug: show its stack
  }
  probe('ingest:judged');
  const seen = { tally, shape: shape.shape, profile: job.profile, snapshot: isSnapshot(source, file) };
  const findings = job.watch?.list(tally).map(toStoredFinding);
  const objection = findObjection(source, seen, base) ?? findStop(findings);
  const order = {
    ...keepOrder(job, { run, counts: tally }, base),
    shape: JSON.stringify(shape.shape),
    findings,
    detail: columnChange,
  };
  if (objection === undefined) return store.keep(order);
  const { state, detail } = objection;
  return store.end(run, state, { counts: tally, endedAt: job.now(), detail, shape: order.shape, findings });
}

/** Keeps a held run: its filings as judged, without another download. */
export async function acceptRun(job: Ingest, run: Run): Promise<Run> {
  if (run.state !== 'held')
    throw new ShingleError(
      'conflict',
      `run ${run.run} is ${run.state}, not held. Only held runs can be accepted`,
    );
  const base = await job.store.lastKept(run.source, { whole: true });
  const { read, openings, updates, skipped, rejected } = run;
  const counts = { read, openings, updates, skipped, rejected };
  return job.store.keep(keepOrder({ ...job, profile: run.profile }, { run: run.run, counts }, base));
}

/**
 * Describes changes of a portal's columns since the last kept run. Returns `undefined` if there are none or the columns
 * are unknown.
 */
function describeColumnChange(mark: string | null | undefined, now: unknown): string | undefined {
  const before: unknown = typeof mark === 'string' ? JSON.parse(mark).columns : undefined;
  if (!Array.isArray(before) || !Array.isArray(now)) return undefined;
  const list = (columns: unknown[]) =>
    columns.map((column) => `"${formatFoundName(String(column))}"`).join(', ');
  const gone = before.filter((column) => !now.includes(column));
  const added = now.filter((column) => !before.includes(column));
  const parts = [gone.length > 0 && `gone: ${list(gone)}`, added.length > 0 && `new: ${list(added)}`];
  const changes = parts.filter((part) => part !== false);
  if (changes.length === 0) return undefined;
  return `the portal's columns have changed since the last import (${changes.join('; ')}). Check that city.yaml still says what they mean`;
}

function keepOrder(job: Ingest, judged: Pick<KeepOrder, 'run' | 'counts'>, base: Run | undefined): KeepOrder {
  return { ...judged, endedAt: job.now(), anew: base !== undefined && base.profile !== job.profile };
}

export function isSnapshot(source: Source, { whole }: FiledFile): boolean {
  return source.delivers === 'snapshot' && whole;
}

async function isKnown(
  job: Ingest,
  base: Run | undefined,
  same: Pick<Run, 'source' | 'content' | 'profile'>,
): Promise<boolean> {
  if (job.source.delivers === 'changes') return (await job.store.keptSame(same)) !== undefined;
  return base !== undefined && base.content === same.content && base.profile === same.profile;
}

function isFiling(judgement: Judgement): judgement is Filing {
  return judgement.kind === 'opening' || judgement.kind === 'update';
}
