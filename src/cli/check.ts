/** `shingle check`: judges a file like ingest and reports the result. Stores nothing. */

import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { DryRunReport } from '../ingest/dry-run.ts';
import { dryRunCity } from '../service/service.ts';
import { addIngestOptions, type OrderOptions, parseIngestOrder } from './options.ts';
import { chooseExitCode, formatPercent, formatRun, toRunReport } from './report.ts';
import { type Done, printJson, printLine } from './terminal.ts';
import { limitTime } from './time-limit.ts';

export function checkCommand(program: Command, done: Done): void {
  addIngestOptions(
    program
      .command('check')
      .description('dry run: report verdicts, reasons, coverage and odd rows; stores nothing'),
  ).action(async (options: OrderOptions) => {
    const config = readConfig();
    limitTime('check', config.ingest.timeoutMs);
    const { order, clear } = parseIngestOrder(options);
    const rehearsals = await dryRunCity(config, order).finally(clear);
    if (options.json) printJson({ runs: rehearsals.map(dryRunJson) });
    else for (const report of rehearsals) printLine(formatDryRun(report));
    done(chooseExitCode(rehearsals));
  });
}

export function dryRunJson(report: DryRunReport) {
  return { ...toRunReport(report), coverage: report.coverage, odd: report.odd };
}

export function formatDryRun(report: DryRunReport): string {
  const { coverage, odd } = report;
  const covered = `  with a category: ${formatPercent(coverage.category)}, with a neighborhood: ${formatPercent(coverage.neighborhood)}`;
  return [
    formatRun(report),
    covered,
    ...odd.map(({ line, what, name }) => `  odd, line ${line}: ${what} (${name})`),
  ].join('\n');
}
