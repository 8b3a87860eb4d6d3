/** Reports a run to people in a few lines. */

import type { Foreseen } from '../../service/runs/merge-run.ts';
import type { Run } from '../../service/runs/runs.ts';
import type { Finding } from '../../shared/report.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import { EXIT } from '../exit-codes.ts';
import type { DryRunReport } from '../ingest/dry-run.ts';

export function chooseExitCode(runs: readonly (Run | DryRunReport)[]): number {
  if (runs.some(({ state }) => state === 'failed')) return EXIT.failed;
  return runs.some(({ state }) => state === 'held') ? EXIT.held : EXIT.done;
}

/** Formats a run, with a line for each finding of a first run and the commands that decide on a held run. */
export function formatRunWithFindings(run: Run, foreseen?: Foreseen): string {
  const lines = [formatRun(run, foreseen), ...run.findings.map(formatFinding)];
  const n = run.run;
  if (foreseen !== undefined)
    lines.push(
      `  see its rows: npx shingle check; accept it as it is: npx shingle ingest --accept ${n}; refuse it: npx shingle runs refuse ${n}`,
    );
  return lines.join('\n');
}

/** Formats a finding without its examples. Only `check` and `init` show them. */
export function formatFinding(finding: Finding): string {
  const { code, severity, detail, accepted } = finding;
  const why = accepted === undefined ? '' : ` (accepted: ${accepted})`;
  return `  ${severity} ${code}: ${detail}${why}`;
}

function describeOutcome({ run, state, baseline }: Run | DryRunReport): string {
  if (run === null) return state === 'failed' ? state : `would be ${state}`;
  return baseline && state === 'kept' ? 'kept (baseline)' : state;
}

/** Formats a run for people. `foreseen`: what accepting a held run would do. */
export function formatRun(run: Run | DryRunReport, foreseen?: Foreseen): string {
  const what = run.run === null ? 'check' : `run ${run.run}`;
  const head = `${what}: ${run.source}: ${run.place}: ${describeOutcome(run)}`;
  const detail = run.detail === null ? [] : [run.detail];
  const isDecided = run.run === null && (run.state === 'unchanged' || run.state === 'refused');
  if (isDecided && run.read > 0) detail.push('an import reads none of these rows; check shows them anyway');
  return [head, ...[...detail, ...listCounts(run, foreseen)].map((line) => `  ${line}`)].join('\n');
}

/** Lists what a run has read and done, or would do. Openings, updates, skipped and rejected rows add up to the rows of the file. */
export function listCounts(run: Run | DryRunReport, foreseen?: Foreseen): string[] {
  if (run.read === 0) return [];
  const skipped = Object.entries(run.skipped).toSorted(([, a], [, b]) => b - a);
  const effect = run.run === null || run.state === 'kept' ? run : foreseen?.effect;
  const missing = foreseen?.missing.count ?? 0;
  return [
    `${formatNumber(run.read)} rows = ${formatSum({
      openings: run.openings,
      updates: run.updates,
      skipped: total(skipped.map(([, c]) => c)),
      rejected: total(run.rejected.map((r) => r.count)),
    })}`,
    ...(effect === undefined ? [] : describeEffect(effect, foreseen !== undefined)),
    ...also('stored listings not in the file: they stay as they are', missing),
    ...skipped.map(([reason, count]) => `skipped ${formatNumber(count)}: ${reason}`),
    ...run.rejected.map(
      ({ reason, count, lines }) =>
        `rejected ${formatNumber(count)}: ${reason} (line ${lines.slice(0, 5).join(', ')}${count > 5 ? ', …' : ''})`,
    ),
  ];
}

/** Formats numbers with what they count as a sum. */
function formatSum(parts: Readonly<Record<string, number>>): string {
  return Object.entries(parts)
    .map(([what, count]) => `${formatNumber(count)} ${what}`)
    .join(' + ');
}

function describeEffect(effect: Foreseen['effect'], isForeseen: boolean): string[] {
  const { added, changed, unchanged, folded, withdrawn, updated } = effect;
  return [
    `${isForeseen ? 'if you accept it: ' : ''}openings = ${formatSum({ added, changed, unchanged, merged: folded })}`,
    ...also('withdrawn (no longer openings under the changed profile)', withdrawn),
    ...also('existing listings changed by updates', updated),
  ];
}

function also(what: string, count: number): string[] {
  return count === 0 ? [] : [`${formatNumber(count)} ${what}`];
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
