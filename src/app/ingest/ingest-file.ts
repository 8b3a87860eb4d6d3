/** Imports a file as a run. The served listings change only if the entire file was read, judged and found plausible. */

import type { ShownFinding } from '../../register/findings/finding.ts';
import type { FindingsWatch } from '../../register/findings/findings-watch.ts';
import type { City, Row, Source } from '../../register/profile/define.ts';
import type { ReportProgress } from '../../register/rows/city-map.ts';
import type { Join } from '../../register/rows/join.ts';
import { type JudgeTools, openJudge } from '../../register/rows/judge.ts';
import { type CityMap, checkAlsoCalled, openPlacer } from '../../register/rows/placing.ts';
import { countRow, openShapeCounter } from '../../register/rows/row-counts.ts';
import { openRowHash } from '../../register/rows/row-hash.ts';
import { inspectSourceFile, readSourceRows, type SourceFile } from '../../register/rows/source-files.ts';
import { openTermCounter, type TermCounter } from '../../register/rows/terms.ts';
import { openVerdictDay } from '../../register/rows/verdict-day.ts';
import type { FilingStore, StagedRow } from '../../service/runs/filing-store.ts';
import { findObjection } from '../../service/runs/hold-rules.ts';
import { findNewsFrom } from '../../service/runs/news.ts';
import type { RowMemory } from '../../service/runs/row-memory.ts';
import type { Run } from '../../service/runs/runs.ts';
import { type Day, findToday, type Instant } from '../../shared/day.ts';
import { messageOf, ShingleError } from '../../shared/errors.ts';
import { probe } from '../../shared/probe.ts';
import { emptyCounts, type Finding, type JudgedCounts, type Judgement } from '../../shared/report.ts';

// each commit waits for the disk: with 500 rows at once, an import of 90,000 took 0.2 s longer
const STAGED_AT_ONCE = 5_000;

export type Judging = {
  city: City;
  source: Source;
  map: CityMap;
  /** The SHA-256 of everything that affects verdicts. */
  profileDigest: string;
  today: Day;
  progress: ReportProgress;
  join: Join | undefined;
  /** Collects findings. Set only in the first command that imports the source, and in a dry run. */
  watch?: FindingsWatch | undefined;
  seePlacing?: JudgeTools['seePlacing'];
  terms?: TermCounter;
};

/** What an import needs of the store. A dry run stores nothing. */
export type ImportStore = Pick<
  FilingStore,
  | ('compared' | 'lastKept' | 'decision' | 'start' | 'stage' | 'unstage' | 'keep' | 'end')
  | ('tidy' | 'keepOutline' | 'recordEmpty' | 'rowKey' | 'remembered')
>;

type Ingest = Judging & {
  store: ImportStore;
  now: () => Instant;
  /** Identifies the command. Either all its runs are in the baseline, or none. */
  command: string;
  /** Whether this is the first command that imports the source. If so, findings may hold its runs. */
  isFirst: boolean;
  see?: ((rows: readonly JudgedRow[], file: SourceFile) => void) | undefined;
};

/** A judged row. `row` is `undefined` if the reader could not separate its columns. */
export type JudgedRow = {
  line: number;
  judgement: Judgement;
  row: Row | undefined;
  hash: string;
  /** The day from which its verdict may be another. */
  until: Day | null;
};

/** Judges the rows of a file that are not remembered. Throws `source` or `city` at the first error. */
async function* judgeFile(
  { city, source, map, today, progress, watch, seePlacing, join, terms }: Judging,
  file: SourceFile,
  { tally, rowKey, memory }: { tally: JudgedCounts; rowKey: string; memory?: RowMemory | undefined },
): AsyncGenerator<JudgedRow[]> {
  const day = openVerdictDay(today);
  const judge = openJudge(source, day.at, { place: openPlacer(city, map), seePlacing, join, terms });
  day.takeUntil(); // the judge has read the day, but no row has
  const hashRow = openRowHash(source, rowKey);
  for await (const batch of readSourceRows(source, file, { others: watch })) {
    const judged = batch.map((one): JudgedRow => {
      const { line } = one;
      const row = 'row' in one ? one.row : undefined;
      const hash = row === undefined ? '' : hashRow(row);
      const known = memory?.take(hash);
      const judgement: Judgement =
        known ?? ('row' in one ? judge(one.row, line) : { kind: 'reject', reason: one.reason });
      if (known?.kind === 'opening') terms?.see(known);
      countRow(tally, judgement, line);
      if (row !== undefined) watch?.see(row, judgement);
      return { line, judgement, row, hash, until: day.takeUntil() };
    });
    yield judged;
    progress({ source: source.id, place: file.name, rows: tally.read });
  }
  join?.checkMatches();
  watch?.seeUnread((await inspectSourceFile(source, file)) ?? []);
}

/** Imports a file and returns its run, even a failed one. Throws only for store errors and bugs. */
export async function ingestFile(job: Ingest, file: SourceFile): Promise<Run> {
  const { store, source, profileDigest } = job;
  const snapshot = isSnapshot(source, file);
  const data = { source: source.id, content: file.content, profileDigest, snapshot };
  const run = await store.start({
    ...data,
    place: file.name,
    startedAt: job.now(),
    newsFrom: findNewsFrom(source, job.today),
    command: job.command,
    mark: file.mark ?? null,
  });
  probe('ingest:started');
  const decision = await store.decision(data);
  if (decision !== undefined) {
    const { state, detail } = decision;
    return store.end(run, state, { counts: emptyCounts(), endedAt: job.now(), detail });
  }
  const kept = await store.compared(data);
  return ingestRows(job, file, { run, kept, memory: await recall(job, file, kept[0]) });
}

/** Returns what is remembered of the newest kept run, if it holds for this file. */
async function recall(
  { store, city, source, profileDigest, today, watch }: Ingest,
  file: SourceFile,
  last: Run | undefined,
): Promise<RowMemory | undefined> {
  if (watch !== undefined || !remembersRows(source, file)) return undefined;
  if (last?.profileDigest !== profileDigest || findToday(city, last.startedAt) > today) return undefined;
  return store.remembered(last, today);
}

/** Returns whether the verdicts on a file's rows depend only on the row, the profile and the day. */
function remembersRows(source: Source, file: SourceFile): boolean {
  return isSnapshot(source, file) && source.join === undefined;
}

type RunRows = { run: number; kept: readonly Run[]; memory: RowMemory | undefined };

async function ingestRows(job: Ingest, file: SourceFile, { run, kept, memory }: RunRows): Promise<Run> {
  const { store, source, profileDigest, watch } = job;
  const snapshot = isSnapshot(source, file);
  const tally = emptyCounts();
  const rowKey = await store.rowKey();
  const shape = openShapeCounter(source, job.today);
  const terms = openTermCounter(rowKey, memory?.types);
  try {
    const places = new Set<string>();
    const remembers = remembersRows(source, file);
    let rows: StagedRow[] = [];
    for await (const judged of judgeFile({ ...job, terms }, file, { tally, rowKey, memory })) {
      for (const { judgement, row, hash, until } of judged) {
        shape.see(judgement, row, hash);
        if (judgement.kind === 'opening' && judgement.neighborhood !== null)
          places.add(judgement.neighborhood);
        if ('isKnown' in judgement || judgement.kind === 'reject') continue;
        if (remembers) rows.push({ ...judgement, hash, until });
        else if (judgement.kind !== 'skip') rows.push(judgement);
      }
      job.see?.(judged, file);
      if (rows.length < STAGED_AT_ONCE) continue;
      await store.stage(run, rows);
      rows = [];
    }
    // a file of changes, one source of several, or a later file may lack a neighborhood
    const isNewProfile = snapshot && kept[0]?.profileDigest !== profileDigest;
    if (isNewProfile && job.city.sources.length === 1) checkAlsoCalled(job.city, job.map, places);
    await store.stage(run, rows);
  } catch (error) {
    if (error instanceof ShingleError && error.code === 'store') throw error;
    const detail = messageOf(error);
    const ended = await store.end(run, 'failed', { counts: tally, endedAt: job.now(), detail });
    if (error instanceof ShingleError) return ended;
    throw error; // an unexpected error is a bug, so show its stack
  }
  probe('ingest:judged');
  const findings = watch?.list(tally, file.isLast).map(toStoredFinding);
  const seen = { tally, shape: shape.shape, profileDigest, snapshot, ...(job.isFirst && { findings }) };
  const objection = findObjection(source, seen, kept);
  const ended = { counts: tally, endedAt: job.now(), shape: seen.shape, findings, types: terms.list() };
  if (objection === undefined) return store.keep({ ...ended, run, now: job.now, gone: memory?.gone() });
  if (memory === undefined) return store.end(run, objection.state, { ...ended, detail: objection.detail });
  // a run is held only if all its rows were judged, and then has all of them to be accepted later
  await store.unstage(run);
  return ingestRows(job, file, { run, kept, memory: undefined });
}

function toStoredFinding({ code, severity, count, share, detail, accepted }: ShownFinding): Finding {
  return { code, severity, count, share, detail, ...(accepted !== undefined && { accepted }) };
}

export function isSnapshot(source: Source, { whole }: SourceFile): boolean {
  return source.delivers === 'snapshot' && whole;
}
