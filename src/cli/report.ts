/** Reports a run: as JSON in the shape that docs/commands.md documents, and as a few lines for people. */

import type { DryRunReport } from '../import/dry-run.ts';
import type { Run } from '../import/runs.ts';
import type { Finding } from '../registers/invariants/finding.ts';
import { EXIT } from './terminal.ts';

/** The exit code of the worst run. */
export function chooseExitCode(runs: readonly (Run | DryRunReport)[]): number {
  if (runs.some(({ state }) => state === 'failed')) return EXIT.failed;
  return runs.some(({ state }) => state === 'held') ? EXIT.held : EXIT.done;
}

/** A run as `--json` shows it. */
export function toRunReport(run: Run | DryRunReport) {
  const { source, state, baseline, place, read, openings, updates, skipped, rejected } = run;
  const { added, changed, unchanged, folded, withdrawn, updated, detail } = run;
  const counts = {
    read,
    openings,
    updates,
    skipped,
    rejected,
    added,
    changed,
    unchanged,
    folded,
    withdrawn,
    updated,
  };
  const findings = 'startedAt' in run && run.findings.length > 0 ? { findings: run.findings } : {};
  return { run: run.run, source, state, baseline, place, ...counts, detail, ...findings };
}

/** The same with the findings of a first run, a line each, and how a held one is accepted. */
export function formatRunWithFindings(run: Run): string {
  const next =
    run.state === 'held'
      ? [
          `  to accept it as it is: npx shingle ingest --accept ${run.run} (to look closer: npx shingle check)`,
        ]
      : [];
  return [formatRun(run), ...run.findings.map(formatFinding), ...next].join('\n');
}

/** Without examples: those are for `check` and `init`. */
export function formatFinding(finding: Finding): string {
  const { code, severity, detail, accepted } = finding;
  const why = accepted === undefined ? '' : ` (accepted: ${accepted})`;
  return `  ${severity} ${code}: ${detail}${why}`;
}

/** How a run ended, or would end if it were no check. */
export function describeOutcome({ run, state, baseline }: Run | DryRunReport): string {
  if (run === null) return state === 'failed' ? state : `would be ${state}`;
  return baseline && state === 'kept' ? 'kept (baseline)' : state;
}

/** A run as lines for people. Every row of the file is in one of the sums. */
export function formatRun(run: Run | DryRunReport): string {
  const what = run.run === null ? 'check' : `run ${run.run}`;
  const head = `${what}: ${run.source}: ${run.place}: ${describeOutcome(run)}`;
  const detail = run.detail === null ? [] : [`  ${run.detail}`];
  if (run.read === 0) return [head, ...detail].join('\n');
  const skipped = Object.entries(run.skipped).toSorted(([, a], [, b]) => b - a);
  return [
    head,
    ...detail,
    `  ${n(run.read)} rows = ${n(run.openings)} openings + ${n(run.updates)} updates + ${n(total(skipped.map(([, c]) => c)))} skipped + ${n(total(run.rejected.map((r) => r.count)))} rejected`,
    `  openings = ${n(run.added)} added + ${n(run.changed)} changed + ${n(run.unchanged)} unchanged + ${n(run.folded)} folded`,
    ...also('withdrawn (no longer openings under the changed profile)', run.withdrawn),
    ...also('existing listings changed by updates', run.updated),
    ...skipped.map(([reason, count]) => `  skipped ${n(count)}: ${reason}`),
    ...run.rejected.map(
      ({ reason, count, lines }) =>
        `  rejected ${n(count)}: ${reason} (line ${lines.slice(0, 5).join(', ')}${count > 5 ? ', …' : ''})`,
    ),
  ].join('\n');
}

/** `0.9876` as `98.8 %`. */
export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function also(what: string, count: number): string[] {
  return count === 0 ? [] : [`  ${n(count)} ${what}`];
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function n(count: number): string {
  return count.toLocaleString('en');
}
