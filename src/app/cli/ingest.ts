/** `shingle ingest` imports sources, one run for each file; `shingle runs` shows past runs. */

import type { Foreseen } from '../../service/runs/merge-run.ts';
import type { Run } from '../../service/runs/runs.ts';
import { formatMoment } from '../../shared/day.ts';
import { missingError } from '../../shared/errors.ts';
import type { IngestOrder } from '../ingest/ingest-sources.ts';
import type { Service } from '../operations/service.ts';
import { limitTime, type OrderOptions, type Report, withIngestOrder, withService } from './options.ts';
import { chooseExitCode, formatRunWithFindings } from './report.ts';
import { printError } from './terminal.ts';

const MOST_RUNS_SHOWN = 50;

export async function importSources(options: OrderOptions & { accept?: number }): Promise<Report> {
  const { accept, now } = options;
  const work = (order: Partial<IngestOrder>) =>
    withService(
      async (service) => {
        const other = service.importing();
        if (other !== undefined)
          printError(
            `waiting for the import that has run since ${formatMoment(other.since)} (process ${other.pid})`,
          );
        const runs = accept === undefined ? await service.ingest(order) : [await service.accept(accept)];
        const { foresee } = service.store.filings;
        return Promise.all(runs.map(async (run) => ({ run, foreseen: await foresee(run) })));
      },
      { now, mustExist: accept !== undefined },
    );
  const runs = await limitTime('ingest', () => withIngestOrder(options, work));
  return {
    json: { runs: runs.map(({ run, foreseen }) => toRunReport(run, foreseen)) },
    text: runs.map(({ run, foreseen }) => formatRunWithFindings(run, foreseen)).join('\n'),
    code: chooseExitCode(runs.map(({ run }) => run)),
  };
}

export async function listRuns({ store }: Service, { source }: { source?: string }): Promise<Report> {
  const order = { limit: MOST_RUNS_SHOWN, ...(source !== undefined && { source }) };
  const runs = await store.filings.runs(order);
  const lines = runs.map(formatLine);
  return {
    json: { runs: runs.map((run) => toPastRun(run)) },
    text: lines.join('\n') || 'no runs yet: start one with "npx shingle ingest"',
  };
}

export async function refuseRun({ store }: Service, run: number): Promise<Report> {
  await store.filings.refuse(run);
  return {
    json: { run, refused: true },
    text: `run ${run} is refused: its file is not imported until it or city.yaml changes`,
  };
}

export async function showRun({ store: { filings } }: Service, number: number): Promise<Report> {
  const run = await filings.run(number);
  if (run === undefined) throw missingError(`run ${number} does not exist`);
  const foreseen = await filings.foresee(run);
  const times = `  started ${formatMoment(run.startedAt)}, ${run.endedAt === null ? 'still running' : `ended ${formatMoment(run.endedAt)}`}`;
  return { json: toPastRun(run, foreseen), text: `${formatRunWithFindings(run, foreseen)}\n${times}` };
}

/** Reports a run as JSON, in the shape that docs/reference.md documents. */
function toRunReport(run: Run, foreseen?: Foreseen) {
  const { snapshot, content, profileDigest, retry, startedAt, endedAt, mark, shape, findings, ...report } =
    run;
  const accepted = foreseen && { ...foreseen.effect, missing: foreseen.missing.count };
  return { ...report, ...(findings.length > 0 && { findings }), ...(accepted && { if_accepted: accepted }) };
}

function toPastRun(run: Run, foreseen?: Foreseen) {
  return { ...toRunReport(run, foreseen), started_at: run.startedAt, ended_at: run.endedAt };
}

/** Formats a run as a line. */
function formatLine({ run, source, place, state, startedAt, added, changed, detail, findings }: Run): string {
  const codes = findings.filter(({ severity }) => severity === 'stop').map(({ code }) => code);
  const why = state === 'held' && codes.length > 0 ? codes.join(', ') : (detail ?? '');
  const what = state === 'kept' ? `${added} added, ${changed} changed` : why;
  const more = state === 'held' ? `. See why: npx shingle runs show ${run}` : '';
  return `${String(run).padStart(5)}  ${startedAt.slice(0, 16)}  ${state.padEnd(9)}  ${source}  ${place}  ${what}${more}`;
}
