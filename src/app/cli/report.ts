/** Reports a run to people in a few lines. */

import type { Run } from '../../service/runs/runs.ts';
import type { Finding } from '../../shared/report.ts';
import type { DryRunReport } from '../ingest/dry-run.ts';
import { EXIT, formatNumber } from './terminal.ts';

export function chooseExitCode(runs: readonly (Run | DryRunReport)[]): number {
  if (runs.some(({ state }) => state === 'failed' || state === 'refused')) return EXIT.failed;
  return runs.some(({ state }) => state === 'held') ? EXIT.held : EXIT.done;
}

/** Formats a run, with a line for each finding of a first run and the command that accepts a held run. */
export function formatRunWithFindings(run: Run): string {
  const lines = [formatRun(run), ...run.findings.map(formatFinding)];
  const accept = `npx shingle ingest --accept ${run.run} (to look closer: npx shingle check)`;
  if (run.state === 'held') lines.push(`  to accept it as it is: ${accept}`);
  return lines.join('\n');
}

/** Formats a finding without its examples. Only `check` and `init` show them. */
export function formatFinding(finding: Finding): string {
  const { code, severity, detail, accepted } = finding;
  const why = accepted === undefined ? '' : ` (accepted: ${accepted})`;
  return `  ${severity} ${code}: ${detail}${why}`;
}

export function describeOutcome({ run, state, baseline }: Run | DryRunReport): string {
  if (run === null) return state === 'failed' ? state : `would be ${state}`;
  return baseline && state === 'kept' ? 'kept (baseline)' : state;
}

/** Formats a run for people. Openings, updates, skipped and rejected rows add up to the rows of the file. */
export function formatRun(run: Run | DryRunReport): string {
  const what = run.run === null ? 'check' : `run ${run.run}`;
  const head = `${what}: ${run.source}: ${run.place}: ${describeOutcome(run)}`;
  const detail = run.detail === null ? [] : [`  ${run.detail}`];
  if (run.read === 0) return [head, ...detail].join('\n');
  const isDecided = run.run === null && (run.state === 'unchanged' || run.state === 'refused');
  if (isDecided) detail.push('  an import reads none of these rows; check shows them anyway');
  const skipped = Object.entries(run.skipped).toSorted(([, a], [, b]) => b - a);
  return [
    head,
    ...detail,
    `  ${formatNumber(run.read)} rows = ${formatNumber(run.openings)} openings + ${formatNumber(run.updates)} updates + ${formatNumber(total(skipped.map(([, c]) => c)))} skipped + ${formatNumber(total(run.rejected.map((r) => r.count)))} rejected`,
    `  openings = ${formatNumber(run.added)} added + ${formatNumber(run.changed)} changed + ${formatNumber(run.unchanged)} unchanged + ${formatNumber(run.folded)} merged`,
    ...also('withdrawn (no longer openings under the changed profile)', run.withdrawn),
    ...also('existing listings changed by updates', run.updated),
    ...skipped.map(([reason, count]) => `  skipped ${formatNumber(count)}: ${reason}`),
    ...run.rejected.map(
      ({ reason, count, lines }) =>
        `  rejected ${formatNumber(count)}: ${reason} (line ${lines.slice(0, 5).join(', ')}${count > 5 ? ', …' : ''})`,
    ),
  ].join('\n');
}

/** Formats a share as a percentage: `98.8 %`. */
export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function also(what: string, count: number): string[] {
  return count === 0 ? [] : [`  ${formatNumber(count)} ${what}`];
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
