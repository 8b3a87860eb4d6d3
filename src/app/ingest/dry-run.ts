/** Judges files for the author of a profile: reports verdicts, reasons and coverage. Stores nothing. */

import type { FindingsWatch } from '../../register/findings/findings-watch.ts';
import { openPlacingTally } from '../../register/rows/placing.ts';
import { openPreview } from '../../register/rows/preview.ts';
import type { SourceFile } from '../../register/rows/source-files.ts';
import type { FilingStore } from '../../service/runs/filing-store.ts';
import { NO_EFFECT, type Run, type RunEnd, UNCHANGED } from '../../service/runs/runs.ts';
import { openValueNames } from '../../shared/city/value-names.ts';
import { sourceError } from '../../shared/errors.ts';
import type { NamedFilter } from '../../shared/listing.ts';
import { emptyCounts } from '../../shared/report.ts';
import { openTextSet } from '../../shared/text/hash.ts';
import type { ImportStore, Judging } from './ingest-file.ts';
import {
  type CityAccess,
  type IngestOrder,
  ingestSources,
  type Observer,
  watchSource,
} from './ingest-sources.ts';

export type DryRunReport = ReturnType<ReturnType<typeof openReport>['end']>;

/** The runs that are stored. Without them, every import is a first one. */
export type KeptRuns = Pick<FilingStore, 'compared' | 'lastKept' | 'decision'>;

/** Imports as `ingest` would, into nothing, and reports each file. Throws `source` for an unreadable place. */
export async function dryRun(
  order: CityAccess & IngestOrder & { kept?: KeptRuns | undefined },
): Promise<DryRunReport[]> {
  const reports: DryRunReport[] = [];
  const observe = async (judging: Judging): Promise<Observer> => {
    const watch = await watchSource(judging);
    const preview = openPreview(judging.source, judging.today, openValueNames(judging.city));
    const [keys, days] = [openTextSet(), openTextSet()];
    let report = openReport({ judging, watch, preview, keys, days });
    return {
      watch,
      seePlacing: (placing) => report.seePlacing(placing),
      see: (rows, file) => report.see(rows, file),
      end(run, file) {
        reports.push(report.end(run, file));
        report = openReport({ judging, watch, preview, keys, days });
      },
    };
  };
  await ingestSources({ ...order, store: openRehearsalStore(order.kept), command: 'dry run', observe });
  return reports;
}

/** Answers as the store would, and stores nothing. */
function openRehearsalStore(kept: KeptRuns | undefined): ImportStore {
  const runs: Run[] = [];
  const started = (number: number): Run => runs[number - 1]!;
  const ours = (source: string) =>
    runs.filter((run) => run.source === source && run.state === 'kept').toReversed();
  const end = async (number: number, state: Run['state'], { counts, detail = null, shape }: RunEnd) => {
    const run = started(number);
    // like the store, which does not read such a file again
    const decision = state === 'failed' ? undefined : await kept?.decision(run);
    return Object.assign(run, { ...NO_EFFECT, ...counts, state, detail, ...decision, shape: shape ?? null });
  };
  return {
    tidy: async () => undefined,
    keepOutline: async () => undefined,
    stage: async () => undefined,
    unstage: async () => undefined,
    rowKey: async () => '',
    remembered: async () => undefined,
    // of snapshots, only the last one: a register that goes back to an older one has changed
    decision: async (run) =>
      ours(run.source)
        .slice(0, run.snapshot ? 1 : undefined)
        .some((one) => one.content === run.content && one.profileDigest === run.profileDigest)
        ? UNCHANGED
        : undefined,
    lastKept: async (source) => ours(source)[0] ?? kept?.lastKept(source),
    compared: async (run) => [...ours(run.source), ...((await kept?.compared(run)) ?? [])],
    start: async (run) =>
      runs.push({
        ...emptyCounts(),
        ...NO_EFFECT,
        mark: null,
        ...run,
        run: runs.length + 1,
        state: 'running',
        baseline: false,
        endedAt: null,
        shape: null,
        detail: null,
        retry: null,
        findings: [],
      }),
    end: (run, state, ended) => end(run, state, ended),
    keep: ({ run, ...ended }) => end(run, 'kept', ended),
    recordEmpty: async (_, _state, detail) => {
      throw sourceError(detail);
    },
  };
}

type Reporting = {
  judging: Judging;
  watch: FindingsWatch;
  preview: ReturnType<typeof openPreview>;
  /** The keys in this and earlier files of the source. */
  keys: ReturnType<typeof openTextSet>;
  /** The same keys, each with a filing date. */
  days: ReturnType<typeof openTextSet>;
};

function openReport({ judging, watch, preview, keys, days }: Reporting) {
  const placing = openPlacingTally();
  const [keysBefore, daysBefore] = [keys.size(), days.size()];
  const notJudgedBefore = preview.countNotJudged();
  return {
    seePlacing: placing.see,
    see(rows: Parameters<Observer['see']>[0], file: SourceFile): void {
      for (const { judgement, line, row } of rows) {
        const isFiling = judgement.kind === 'opening' || judgement.kind === 'update';
        preview.see(judgement, { file: file.name, line, row, isKnown: isFiling && keys.has(judgement.key) });
        if (judgement.kind !== 'opening') continue;
        keys.add(judgement.key);
        days.add(`${judgement.filedOn} ${judgement.key}`);
      }
    },
    end({ state, detail, place, shape, ...run }: Run, file: SourceFile) {
      const { read, openings, updates, skipped, rejected } = run;
      const { isLast } = file;
      const added = keys.size() - keysBefore;
      const shareWith = (fact: NamedFilter) => {
        const without = shape === null ? openings : (shape[fact][''] ?? 0);
        return Math.round(((openings - without) / Math.max(1, openings)) * 10_000) / 10_000;
      };
      return {
        run: null,
        source: run.source,
        place,
        content: run.content,
        state,
        baseline: true,
        detail,
        read,
        openings,
        updates,
        skipped,
        rejected,
        ...NO_EFFECT,
        added,
        folded: openings - added,
        /** Merged openings with another day than those before. */
        otherDays: days.size() - daysBefore - added,
        /** The share of openings that have a category, and of those that have a neighborhood (0 to 1). */
        coverage: { category: shareWith('category'), neighborhood: shareWith('neighborhood') },
        /** Openings with names in scripts or languages without word lists: names of people among them are not recognized. */
        notJudged: Math.max(0, preview.countNotJudged() - notJudgedBefore),
        /** The days that mean that the filing date is not known. */
        unknownDays: judging.source.mapping?.register.filed.unknown ?? [],
        placing: placing.report(),
        /** The findings in this and earlier files of the source, as its first import would report them. */
        findings: watch.addRepairs(watch.list(run, isLast), run, isLast || state === 'held'),
        newest: preview.listNewest(),
        /** Returns the preview of all files of the source, for a person. Call it after the last file. */
        preview: preview.report,
      };
    },
  };
}
