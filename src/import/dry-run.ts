/** Judges files for the author of a profile: reports verdicts, reasons, coverage and unusual rows. Stores nothing. */

import { hasKnownScript } from '../city/people/persons.ts';
import { messageOf, ShingleError } from '../errors.ts';
import { isUnknown } from '../listings/listing.ts';
import type { FindingsWatch } from '../registers/invariants/findings-watch.ts';
import { openCityMap } from './city-map.ts';
import { findObjection, openShapeCounter } from './held-runs.ts';
import { isSnapshot, type Judging, judgeFile } from './ingest-file.ts';
import {
  type CityAccess,
  type IngestOrder,
  openJudging,
  requirePlace,
  selectSources,
  watchSource,
} from './ingest-sources.ts';
import type { Judgement } from './judge.ts';
import { openPlacingTally } from './placing.ts';
import { openPreview, type PreviewWatch } from './preview.ts';
import { emptyCounts, NO_EFFECT } from './runs.ts';
import { listSourceFiles, type SourceFile } from './source-files.ts';

const ODD_SHOWN = 20;

export type DryRunReport = Awaited<ReturnType<typeof rehearseFile>>;

type Rehearsal = { judging: Judging; watch: FindingsWatch; preview: PreviewWatch; keys: Set<string> };

/** Judges every requested file, as `ingest` would with an empty store. */
export async function dryRun(order: CityAccess & IngestOrder): Promise<DryRunReport[]> {
  const { loaded } = order;
  const reports: DryRunReport[] = [];
  const loadMap = openCityMap(order);
  for (const source of selectSources(order)) {
    const place = requirePlace(loaded, source, order.from);
    const judging = await openJudging({ ...order, loadMap }, source);
    const watch = await watchSource(judging);
    const preview = openPreview(source, judging.today);
    const rehearsal = { judging, watch, preview, keys: new Set<string>() };
    const options = { ...order, timeZone: loaded.city.timeZone, known: undefined, now: undefined };
    for await (const file of listSourceFiles(source, place, options))
      if (file !== 'same') reports.push(await rehearseFile(rehearsal, file));
  }
  return reports;
}

async function rehearseFile({ judging, watch, preview, keys }: Rehearsal, file: SourceFile) {
  const { source, today } = judging;
  const placing = openPlacingTally();
  const openings = openOpeningsTally(today);
  const tally = emptyCounts();
  let outcome: { state: 'kept' | 'held' | 'failed'; detail: string | null } = { state: 'kept', detail: null };
  try {
    for await (const batch of judgeFile({ ...judging, watch, seePlacing: placing.see }, file, tally))
      for (const { judgement, line, row } of batch) {
        const isFiling = judgement.kind === 'opening' || judgement.kind === 'update';
        preview.see(judgement, { file: file.name, line, row, isKnown: isFiling && keys.has(judgement.key) });
        if (judgement.kind !== 'opening') continue;
        keys.add(judgement.key);
        openings.see(judgement, line);
      }
    const seen = { tally, shape: openShapeCounter().shape, profile: '', snapshot: isSnapshot(source, file) };
    outcome = findObjection(source, seen, undefined) ?? outcome;
  } catch (error) {
    if (!(error instanceof ShingleError)) throw error;
    outcome = { state: 'failed', detail: messageOf(error) };
  }
  const { added, ...openingsReport } = openings.report();
  return {
    run: null,
    source: source.id,
    place: file.name,
    state: outcome.state,
    baseline: true,
    detail: outcome.detail,
    ...tally,
    ...NO_EFFECT,
    added,
    folded: tally.openings - added,
    ...openingsReport,
    placing: placing.report(),
    /** The findings in this and earlier files of the source, as its first import would report them. */
    findings: watch.list(tally, file.isLast),
    newest: preview.listNewest(),
    /** Returns the preview of all files of the source, for a person. Call it after the last file. */
    preview: preview.report,
  };
}

type OpeningJudgement = Extract<Judgement, { kind: 'opening' }>;

function openOpeningsTally(today: string) {
  const keys = new Set<string>();
  const odd: { line: number; what: string; name: string }[] = [];
  const counts = { all: 0, category: 0, neighborhood: 0, notJudged: 0 };
  const share = (count: number) => Math.round((count / Math.max(1, counts.all)) * 10_000) / 10_000;
  return {
    see(opening: OpeningJudgement, line: number): void {
      const { key, name, category, neighborhood } = opening;
      keys.add(key);
      counts.all++;
      if (!isUnknown(category)) counts.category++;
      if (!isUnknown(neighborhood)) counts.neighborhood++;
      if (!hasKnownScript(name)) counts.notJudged++;
      const what = describeOddity(opening, today);
      if (what !== undefined && odd.length < ODD_SHOWN) odd.push({ line, what, name });
    },
    report: () => ({
      added: keys.size,
      /** The share of openings that have a category, and of those that have a neighborhood (0 to 1). */
      coverage: { category: share(counts.category), neighborhood: share(counts.neighborhood) },
      /** Openings with names in scripts without word lists: names of people among them are not recognized. */
      notJudged: counts.notJudged,
      odd,
    }),
  };
}

function describeOddity(opening: OpeningJudgement, today: string): string | undefined {
  if (opening.filedOn > today) return `filed on ${opening.filedOn}, in the future`;
  if (opening.expiresOn !== null && opening.expiresOn < opening.filedOn)
    return `expires on ${opening.expiresOn}, before it was filed`;
  if (/\?\?|\ufffd/.test(opening.name)) return 'the name contains replacement characters';
  return /^.?$|^[\d\s]+$/.test(opening.name) ? 'the name does not look like a name' : undefined;
}
