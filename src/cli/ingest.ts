/** `shingle ingest`: imports sources into the store, one run for each file. */

import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { Run } from '../import/runs.ts';
import {
  addAction,
  addIngestOptions,
  type OrderOptions,
  parseRunNumber,
  withIngestOrder,
  withService,
} from './options.ts';
import { chooseExitCode, formatRunWithFindings, toRunReport } from './report.ts';
import type { Done } from './terminal.ts';
import { limitTime } from './time-limit.ts';

type IngestOptions = OrderOptions & { accept?: number };

export function ingestCommand(program: Command, done: Done): void {
  const command = program
    .command('ingest')
    .description('import filings; each file is one run, which is kept completely or not at all');
  addIngestOptions(command).option('--accept <run>', 'keep a held run', parseRunNumber);
  addAction(
    command,
    async (options: IngestOptions) => {
      const runs = await limitTime('ingest', readConfig().ingest.timeoutMs, () => runIngest(options));
      return {
        json: { runs: runs.map(toRunReport) },
        text: runs.map(formatRunWithFindings).join('\n'),
        code: chooseExitCode(runs),
      };
    },
    done,
  );
}

function runIngest(options: IngestOptions): Promise<readonly Run[]> {
  const { accept, now } = options;
  return withIngestOrder(options, (order) =>
    withService(
      async (service) => (accept === undefined ? service.ingest(order) : [await service.accept(accept)]),
      { now, mustExist: accept !== undefined },
    ),
  );
}
