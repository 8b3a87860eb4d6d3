/** `shingle ingest`: pulls sources into the store, a run for each file. */

import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import { type OrderOptions, orderFrom, orderOptions, runNumber, withService } from './options.ts';
import { exitOf, runLines, runReport } from './report.ts';
import { type Done, say, sayJson } from './terminal.ts';

export function ingestCommand(program: Command, done: Done): void {
  orderOptions(
    program
      .command('ingest')
      .description('import filings; each file is one run, which is kept completely or not at all'),
  )
    .option('--accept <run>', 'keep a held run', runNumber)
    .action(async (options: OrderOptions & { accept?: number }) => {
      // rows live shortly: a young generation that grows to 64 MiB is memory for nothing (220 MiB instead of 290)
      setFlagsFromString('--semi-space-growth-factor=1');
      const { order, clear } = orderFrom(options);
      const runs = await withService(
        async (service) =>
          options.accept === undefined ? service.ingest(order) : [await service.accept(options.accept)],
        options.now,
      ).finally(clear);
      if (options.json) sayJson({ runs: runs.map(runReport) });
      else for (const run of runs) say(runLines(run));
      done(exitOf(runs));
    });
}
