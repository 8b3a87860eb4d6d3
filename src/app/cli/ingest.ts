/** `shingle ingest` imports sources, one run for each file; `shingle runs` shows past runs. */

import type { Command } from 'commander';
import { readConfig } from '../../config.ts';
import type { Run } from '../../service/runs/runs.ts';
import { formatMoment } from '../../shared/day.ts';
import { ShingleError } from '../../shared/errors.ts';
import type { IngestOrder } from '../ingest/ingest-sources.ts';
import {
  addCommand,
  addIngestOptions,
  limitTime,
  type OrderOptions,
  parseRunNumber,
  type Report,
  withIngestOrder,
  withService,
} from './options.ts';
import { chooseExitCode, formatRunWithFindings } from './report.ts';
import { printError } from './terminal.ts';

const MOST_RUNS_SHOWN = 50;

export function ingestCommand(program: Command): void {
  const command = addCommand(program, 'ingest', importSources);
  command.description('import filings; each file is one run, which is kept completely or not at all');
  addIngestOptions(command).option('--accept <run>', 'keep a held run', parseRunNumber);
}

async function importSources(options: OrderOptions & { accept?: number }): Promise<Report> {
  const { accept, now } = options;
  const work = (order: Partial<IngestOrder>) =>
    withService(
      async (service): Promise<readonly Run[]> => {
        const other = service.importing();
        if (other !== undefined)
          printError(
            `waiting for the import that has run since ${formatMoment(other.since)} (process ${other.pid})`,
          );
        return accept === undefined ? service.ingest(order) : [await service.accept(accept)];
      },
      { now, mustExist: accept !== undefined },
    );
  const { timeoutMs } = readConfig().ingest;
  const runs = await limitTime('ingest', timeoutMs, () => withIngestOrder(options, work));
  return {
    json: { runs: runs.map(toRunReport) },
    text: runs.map(formatRunWithFindings).join('\n'),
    code: chooseExitCode(runs),
  };
}

export function runsCommand(program: Command): void {
  const runs = addCommand(program, 'runs', listRuns)
    .description('list past runs, newest first')
    .option('--source <id>', 'only runs of this source');
  addCommand(runs, 'refuse', refuseRun)
    .description('drop a held run for good: its file is not imported again until it or city.yaml changes')
    .argument('<run>', 'the number of the run', parseRunNumber);
  addCommand(runs, 'show', showRun)
    .description('show one run in full')
    .argument('<run>', 'the number of the run', parseRunNumber);
}

async function listRuns({ source }: { source?: string }): Promise<Report> {
  const order = { limit: MOST_RUNS_SHOWN, ...(source !== undefined && { source }) };
  const runs = await withService((service) => service.store.filings.runs(order));
  const lines = runs.map((run, at) => formatLine(run, runs.slice(0, at)));
  return {
    json: { runs: runs.map(toPastRun) },
    text: lines.join('\n') || 'no runs yet: start one with "npx shingle ingest"',
  };
}

async function refuseRun(run: number): Promise<Report> {
  await withService((service) => service.store.filings.refuse(run));
  return {
    json: { run, refused: true },
    text: `run ${run} is refused: its filings are deleted, and its file is not imported again until it or city.yaml changes`,
  };
}

async function showRun(number: number): Promise<Report> {
  const run = await withService((service) => service.store.filings.run(number));
  if (run === undefined) throw new ShingleError('missing', `run ${number} does not exist`);
  const times = `  started ${formatMoment(run.startedAt)}, ${run.endedAt === null ? 'still running' : `ended ${formatMoment(run.endedAt)}`}`;
  return { json: toPastRun(run), text: `${formatRunWithFindings(run)}\n${times}` };
}

/** Reports a run as JSON, in the shape that docs/reference.md documents. */
function toRunReport(run: Run) {
  const { snapshot, content, profile, startedAt, endedAt, mark, shape, findings, ...report } = run;
  return { ...report, ...(findings.length > 0 && { findings }) };
}

function toPastRun(run: Run) {
  return { ...toRunReport(run), started_at: run.startedAt, ended_at: run.endedAt };
}

/** Formats a run as a line. For a held run, adds the reason and, unless a later run replaces it, how to accept it. */
function formatLine(run: Run, later: readonly Run[]): string {
  const isOver = later.some(
    ({ source, state, snapshot }) =>
      source === run.source && (state === 'kept' || (state === 'unchanged' && snapshot)),
  );
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
