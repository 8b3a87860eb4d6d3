/** `shingle ingest`: imports sources into the store, one run for each file. */

import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { Run } from '../import/runs.ts';
import {
  addIngestOptions,
  type OrderOptions,
  parseIngestOrder,
  parseRunNumber,
  withService,
} from './options.ts';
import { chooseExitCode, formatRunWithFindings, toRunReport } from './report.ts';
import { type Done, printJson, printLine } from './terminal.ts';
import { limitTime } from './time-limit.ts';

type IngestOptions = OrderOptions & { accept?: number };

export function ingestCommand(program: Command, done: Done): void {
  addIngestOptions(
    program
      .command('ingest')
      .description('import filings; each file is one run, which is kept completely or not at all'),
  )
    .option('--accept <run>', 'keep a held run', parseRunNumber)
    .action(async (options: IngestOptions) => {
      const runs = await limitTime('ingest', readConfig().ingest.timeoutMs, () => runIngest(options));
      if (options.json) printJson({ runs: runs.map(toRunReport) });
      else for (const run of runs) printLine(formatRunWithFindings(run));
      done(chooseExitCode(runs));
    });
}

function runIngest(options: IngestOptions): Promise<readonly Run[]> {
  const { order, clear } = parseIngestOrder(options);
  return withService(
    async (service) =>
      options.accept === undefined ? service.ingest(order) : [await service.accept(options.accept)],
    { now: options.now, mustExist: options.accept !== undefined },
  ).finally(clear);
}
