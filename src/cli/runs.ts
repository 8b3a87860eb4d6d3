/** `shingle runs`: list past runs, newest first, and show one run in full. */

import type { Command } from 'commander';
import { ShingleError } from '../errors.ts';
import type { Run } from '../import/runs.ts';
import { JSON_OPTION, parseRunNumber, withService } from './options.ts';
import { formatRunWithFindings, toRunReport } from './report.ts';
import { printJson, printLine } from './terminal.ts';

const MOST_RUNS_SHOWN = 50;

export function runsCommand(program: Command): void {
  const runs = program
    .command('runs')
    .description('list past runs, newest first')
    .option('--source <id>', 'only runs of this source')
    .option(...JSON_OPTION)
    .action(async (options: { source?: string; json?: boolean }) => {
      const found = await withService((service) =>
        service.store.filings.runs({ ...options, limit: MOST_RUNS_SHOWN }),
      );
      if (options.json) printJson({ runs: found.map(history) });
      else if (found.length === 0) printLine('no runs yet: start one with "npx shingle ingest"');
      else for (const [at, run] of found.entries()) printLine(historyLine(run, found.slice(0, at)));
    });
  runs
    .command('show')
    .description('show one run in full')
    .argument('<run>', 'its number', parseRunNumber)
    .option(...JSON_OPTION)
    .action(async (number: number, _options: unknown, command: Command) => {
      const run = await withService((service) => service.store.filings.run(number));
      if (run === undefined) throw new ShingleError('missing', `run ${number} does not exist`);
      if (command.optsWithGlobals().json) printJson(history(run));
      else
        printLine(
          `${formatRunWithFindings(run)}\n  from ${run.startedAt} to ${run.endedAt ?? '(still running)'}`,
        );
    });
}

function history(run: Run) {
  return { ...toRunReport(run), started_at: run.startedAt, ended_at: run.endedAt };
}

/** A held run is shown with its reason, and with what to do unless a later run was kept. */
function historyLine(run: Run, later: readonly Run[]): string {
  const isOver = later.some(({ source, state }) => source === run.source && state === 'kept');
  const what = run.state === 'kept' ? `${run.added} added, ${run.changed} changed` : describeEnd(run, isOver);
  return `${String(run.run).padStart(5)}  ${run.startedAt.slice(0, 16)}  ${run.state.padEnd(9)}  ${run.source}  ${run.place}  ${what}`;
}

function describeEnd({ run, state, detail, findings }: Run, isOver: boolean): string {
  if (state !== 'held') return detail ?? '';
  const codes = findings.filter(({ severity }) => severity === 'stop').map(({ code }) => code);
  const why = codes.length === 0 ? (detail ?? '') : codes.join(', ');
  const accept = isOver ? '' : ` Accept it as it is: npx shingle ingest --accept ${run}`;
  return `${why}. Look closer: npx shingle runs show ${run}.${accept}`;
}
