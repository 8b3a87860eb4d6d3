/** `shingle runs`: the history of ingest, newest first, and one run in full. */

import type { Command } from 'commander';
import { ShingleError } from '../errors.ts';
import type { Run } from '../ingest/ports.ts';
import { JSON_OPTION, runNumber, withService } from './options.ts';
import { runLines, runReport } from './report.ts';
import { say, sayJson } from './terminal.ts';

const SHOWN = 50;

export function runsCommand(program: Command): void {
  const runs = program
    .command('runs')
    .description('list past runs, newest first')
    .option('--source <id>', 'only runs of this source')
    .option(...JSON_OPTION)
    .action(async (options: { source?: string; json?: boolean }) => {
      const found = await withService((service) => service.store.filings.runs({ ...options, limit: SHOWN }));
      if (options.json) sayJson({ runs: found.map(history) });
      else if (found.length === 0) say('no runs yet: start one with "shingle ingest"');
      else for (const run of found) say(historyLine(run));
    });
  runs
    .command('show')
    .description('show one run in full')
    .argument('<run>', 'its number', runNumber)
    .option(...JSON_OPTION)
    .action(async (number: number, _options: unknown, command: Command) => {
      const run = await withService((service) => service.store.filings.run(number));
      if (run === undefined) throw new ShingleError('missing', `run ${number} does not exist`);
      if (command.optsWithGlobals().json) sayJson(history(run));
      else say(`${runLines(run)}\n  from ${run.startedAt} to ${run.endedAt ?? '(still running)'}`);
    });
}

function history(run: Run) {
  return { ...runReport(run), started_at: run.startedAt, ended_at: run.endedAt };
}

function historyLine(run: Run): string {
  const what = run.state === 'kept' ? `${run.added} added, ${run.changed} changed` : (run.detail ?? '');
  return `${String(run.run).padStart(5)}  ${run.startedAt.slice(0, 16)}  ${run.state.padEnd(9)}  ${run.source}  ${run.place}  ${what}`;
}
