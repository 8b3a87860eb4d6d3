/** Reports the verdicts, reasons, coverage and odd rows of a file to the author of a profile. Stores nothing. */

import { resolvePlace } from '../city/load.ts';
import { hasKnownScript } from '../city/people/persons.ts';
import { messageOf, ShingleError } from '../errors.ts';
import { UNCATEGORIZED, UNKNOWN_NEIGHBORHOOD } from '../listings/listing.ts';
import type { FindingsWatch } from '../registers/invariants/watch.ts';
import { findObjection, openShapeCounter } from './held-runs.ts';
import { isSnapshot, judgeFile } from './ingest.ts';
import type { Judgement } from './judge.ts';
import { type KeySet, openKeySet } from './key-set.ts';
import { openPlacingTally } from './placing.ts';
import { openPreview, type PreviewWatch, type SeenRow } from './preview.ts';
import {
  type IngestContext,
  type IngestOrder,
  type Judged,
  judgeRows,
  rememberMap,
  selectSources,
} from './pull.ts';
import { ROW_ACCESS } from './readers/row.ts';
import { emptyCounts, NO_EFFECT } from './runs.ts';
import { listSourceFiles, type SourceFile } from './source-files.ts';

const ODD_SHOWN = 20;

/** A row that looks wrong but was accepted unchanged. */
type Odd = { line: number; what: string; name: string };

type DryRunProgress = {
  keys: KeySet;
  categorized: number;
  placed: number;
  notJudged: number;
  odd: Odd[];
};

/** Totals over all files of a source. */
type SourceRehearsal = { watch: FindingsWatch; preview: PreviewWatch; keys: KeySet };

export type DryRunReport = Awaited<ReturnType<typeof rehearseFile>>;

/** Judges every file of the order, as `ingest` would with an empty store. */
export async function dryRun(
  context: Pick<IngestContext, 'loaded' | 'tempFolder' | 'userAgent'>,
  order: IngestOrder,
): Promise<DryRunReport[]> {
  const { openFindingsWatch } = await import('../registers/invariants/watch.ts'); // a running service does not need it
  const rehearsals: DryRunReport[] = [];
  const loadMap = rememberMap(context, order);
  for (const source of selectSources(context.loaded, order)) {
    const declared = source.from.place && resolvePlace(context.loaded.folder, source.from.place);
    const place = order.from ?? declared;
    if (place === undefined)
      throw new ShingleError('usage', `source "${source.id}" has no configured location. Use --from`);
    const judged = await judgeRows({ ...context, loadMap }, order, source);
    const { city } = context.loaded;
    const { timeZone } = city;
    const overAll: SourceRehearsal = {
      watch: openFindingsWatch({ ...judged, city, boundaries: judged.map.boundaries, access: ROW_ACCESS }),
      preview: openPreview(source, judged.today),
      keys: openKeySet(),
    };
    for await (const file of listSourceFiles(source, place, { ...context, timeZone, known: undefined })) {
      if (file === 'same') continue;
      rehearsals.push(await rehearseFile(judged, { ...context, ...order, overAll }, file));
    }
  }
  return rehearsals;
}

async function rehearseFile(
  judged: Judged,
  context: Pick<IngestContext, 'loaded'> & IngestOrder & { overAll: SourceRehearsal },
  file: SourceFile,
) {
  const seen: DryRunProgress = { keys: openKeySet(), categorized: 0, placed: 0, notJudged: 0, odd: [] };
  const { overAll, loaded, progress } = context;
  const placing = openPlacingTally();
  const job = { ...judged, city: loaded.city, progress, watch: overAll.watch, seePlacing: placing.see };
  let tally = emptyCounts();
  let detail: string | null = null;
  let state: 'kept' | 'held' | 'failed' = 'kept';
  try {
    tally = await judgeFile(job, file, (soFar, batch) => {
      tally = soFar;
      for (const { judgement, line, row } of batch) {
        recordJudgement(seen, judgement, { line, today: judged.today });
        recordForSource(overAll, judgement, { file: file.name, line, row });
      }
    });
    const snapshot = isSnapshot(judged.source, file);
    const whatIsSeen = { tally, shape: openShapeCounter().shape, profile: '', snapshot };
    const objection = findObjection(judged.source, whatIsSeen, undefined);
    if (objection !== undefined) ({ state, detail } = objection);
  } catch (error) {
    if (!(error instanceof ShingleError)) throw error;
    state = 'failed';
    detail = messageOf(error);
  }
  const share = (n: number) =>
    tally.openings === 0 ? 0 : Math.round((n / tally.openings) * 10_000) / 10_000;
  return {
    run: null,
    source: judged.source.id,
    place: file.name,
    state,
    baseline: true,
    detail,
    ...tally,
    ...NO_EFFECT,
    added: seen.keys.size(),
    folded: tally.openings - seen.keys.size(),
    /** Shares of openings with a category and with a neighborhood, 0 to 1. */
    coverage: { category: share(seen.categorized), neighborhood: share(seen.placed) },
    /** How openings were placed, and why others were not. */
    placing: placing.report(),
    /** Openings with names in scripts without word lists. Their shape does not show whether they are people's. */
    notJudged: seen.notJudged,
    odd: seen.odd,
    /** Findings in all files of the source up to this one, as in its first import. */
    findings: overAll.watch.list(tally),
    /** The newest listings of all files of the source up to this one. */
    newest: overAll.preview.listNewest(),
    /** Makes the preview for a person over all files of the source. Call it after the last file. */
    preview: overAll.preview.report,
  };
}

function recordForSource(
  { preview, keys }: SourceRehearsal,
  judgement: Judgement,
  at: Omit<SeenRow, 'isKnown'>,
): void {
  const isFiling = judgement.kind === 'opening' || judgement.kind === 'update';
  preview.see(judgement, { ...at, isKnown: isFiling && keys.has(judgement.key) });
  if (judgement.kind === 'opening') keys.add(judgement.key);
}

function recordJudgement(
  seen: DryRunProgress,
  judgement: Judgement,
  at: { line: number; today: string },
): void {
  if (judgement.kind !== 'opening') return;
  seen.keys.add(judgement.key);
  if (judgement.category !== UNCATEGORIZED) seen.categorized++;
  if (judgement.neighborhood !== UNKNOWN_NEIGHBORHOOD) seen.placed++;
  if (!hasKnownScript(judgement.name)) seen.notJudged++;
  const what = oddity(judgement, at.today);
  if (what !== undefined && seen.odd.length < ODD_SHOWN)
    seen.odd.push({ line: at.line, what, name: judgement.name });
}

function oddity(opening: Extract<Judgement, { kind: 'opening' }>, today: string): string | undefined {
  if (opening.filedOn > today) return `filed on ${opening.filedOn}, in the future`;
  if (opening.expiresOn !== null && opening.expiresOn < opening.filedOn)
    return `expires on ${opening.expiresOn}, before it was filed`;
  if (/\?\?|\ufffd/.test(opening.name)) return 'the name contains replacement characters';
  return /^.?$|^[\d\s]+$/.test(opening.name) ? 'the name does not look like a name' : undefined;
}
