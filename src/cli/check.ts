/** `shingle check`: judges a file like ingest and reports the result. Stores nothing. */

import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { DryRunReport } from '../ingest/dry-run.ts';
import { dryRunCity } from '../service/service.ts';
import { formatDryRun } from './dry-run-report.ts';
import { addIngestOptions, type OrderOptions, parseIngestOrder } from './options.ts';
import { chooseExitCode, toRunReport } from './report.ts';
import { type Done, printJson, printLine } from './terminal.ts';
import { limitTime } from './time-limit.ts';

export function checkCommand(program: Command, done: Done): void {
  addIngestOptions(
    program
      .command('check')
      .description('dry run: shows what an import would do, what looks wrong and what to do; stores nothing'),
  ).action(async (options: OrderOptions) => {
    const config = readConfig();
    const { order, clear } = parseIngestOrder(options);
    const rehearsals = await limitTime('check', config.ingest.timeoutMs, () =>
      dryRunCity(config, order).finally(clear),
    );
    if (options.json) printJson({ runs: rehearsals.map(dryRunJson) });
    else printLine(formatDryRun(rehearsals));
    done(chooseExitCode(rehearsals));
  });
}

export function dryRunJson(report: DryRunReport) {
  const { coverage, placing, notJudged, odd, findings, newest } = report;
  return { ...toRunReport(report), coverage, placing, notJudged, odd, findings, newest };
}
