/** Imports a file as a run. The served listings change only if the entire file was read, judged and found plausible. */

import type { ShownFinding } from '../../register/findings/finding.ts';
import type { FindingsWatch } from '../../register/findings/findings-watch.ts';
import type { City, Row, Source } from '../../register/profile/define.ts';
import type { ReportProgress } from '../../register/rows/city-map.ts';
import type { Join } from '../../register/rows/join.ts';
import { type JudgeTools, openJudge } from '../../register/rows/judge.ts';
import { type CityMap, checkAlsoCalled, openPlacer } from '../../register/rows/placing.ts';
import { countRow, openShapeCounter } from '../../register/rows/row-counts.ts';
import { inspectSourceFile, readSourceRows, type SourceFile } from '../../register/rows/source-files.ts';
import { openTermCounter, type TermCounter } from '../../register/rows/terms.ts';
import type { FilingStore } from '../../service/runs/filing-store.ts';
import { findObjection } from '../../service/runs/hold-rules.ts';
import { findNewsFrom } from '../../service/runs/news.ts';
import type { Run } from '../../service/runs/runs.ts';
import type { Day, Instant } from '../../shared/day.ts';
import { messageOf, ShingleError } from '../../shared/errors.ts';
import type { Filing } from '../../shared/filing.ts';
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
  | ('compared' | 'lastKept' | 'decision' | 'start' | 'stage' | 'keep' | 'end')
  | ('tidy' | 'keepOutline' | 'recordEmpty')
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
export type JudgedRow = { line: number; judgement: Judgement; row: Row | undefined };

/** Judges the rows of a file. Throws `source` or `city` at the first error. */
export async function* judgeFile(
  { city, source, map, today, progress, watch, seePlacing, join, terms }: Judging,
  file: SourceFile,
  tally: JudgedCounts,
): AsyncGenerator<JudgedRow[]> {
  const judge = openJudge(source, { today }, { place: openPlacer(city, map), seePlacing, join, terms });
  for await (const batch of readSourceRows(source, file, { others: watch })) {
    const judged = batch.map((one): JudgedRow => {
      const { line } = one;
      const row = 'row' in one ? one.row : undefined;
      const judgement: Judgement =
        'row' in one ? judge(one.row, line) : { kind: 'reject', reason: one.reason };
      countRow(tally, judgement, line);
      if (row !== undefined) watch?.see(row, judgement);
      return { line, judgement, row };
    });
    yield judged;
    progress({ source: source.id, place: file.name, rows: tally.read });
  }
  join?.checkMatches();
  watch?.seeUnread((await inspectSourceFile(source, file)) ?? []);
}

/** Imports a file and returns its run, even a failed one. Throws only for store errors and bugs. */
export async function ingestFile(job: Ingest, file: SourceFile): Promise<Run> {
  const { store, source, profileDigest, watch } = job;
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
  const counts = emptyCounts();
  const decision = await store.decision(data);
  if (decision !== undefined) {
    const { state, detail } = decision;
    return store.end(run, state, { counts, endedAt: job.now(), detail });
  }
  const kept = await store.compared(data);
  const shape = openShapeCounter(source, job.today);
  const terms = openTermCounter();
  try {
    const filings: Filing[] = [];
    const places = new Set<string>();
    for await (const judged of judgeFile({ ...job, terms }, file, counts)) {
      for (const { judgement, row } of judged) {
        if (judgement.kind === 'opening' || judgement.kind === 'update') filings.push(judgement);
        if (judgement.kind === 'opening' && judgement.neighborhood !== null)
          places.add(judgement.neighborhood);
        shape.see(judgement, row);
      }
      job.see?.(judged, file);
      if (filings.length >= STAGED_AT_ONCE) await store.stage(run, filings.splice(0));
    }
    // a file of changes, one source of several, or a later file may lack a neighborhood
    const isNewProfile = snapshot && kept[0]?.profileDigest !== profileDigest;
    if (isNewProfile && job.city.sources.length === 1) checkAlsoCalled(job.city, job.map, places);
    await store.stage(run, filings);
  } catch (error) {
    if (error instanceof ShingleError && error.code === 'store') throw error;
    const ended = await store.end(run, 'failed', { counts, endedAt: job.now(), detail: messageOf(error) });
    if (error instanceof ShingleError) return ended;
    throw error; // an unexpected error is a bug, so show its stack
  }
  probe('ingest:judged');
  const findings = watch?.list(counts, file.isLast).map(toStoredFinding);
  const seen = {
    tally: counts,
    shape: shape.shape,
    profileDigest,
    snapshot,
    ...(job.isFirst && { findings }),
  };
  const objection = findObjection(source, seen, kept);
  const ended = {
    counts,
    endedAt: job.now(),
    shape: seen.shape,
    findings,
    types: terms.list(),
  };
  if (objection !== undefined) return store.end(run, objection.state, { ...ended, detail: objection.detail });
  return store.keep({ ...ended, run, now: job.now });
}

function toStoredFinding({ code, severity, count, share, detail, accepted }: ShownFinding): Finding {
  return { code, severity, count, share, detail, ...(accepted !== undefined && { accepted }) };
}

export function isSnapshot(source: Source, { whole }: SourceFile): boolean {
  return source.delivers === 'snapshot' && whole;
}
