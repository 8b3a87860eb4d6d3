/** The pages of runs: why one is held, what accepting it would do, its rows beside what would be served, and the decision. */

import { type Markup, markup } from '../../page/markup.ts';
import type { Foreseen } from '../../service/runs/merge-run.ts';
import type { Run } from '../../service/runs/runs.ts';
import { formatMoment } from '../../shared/day.ts';
import { messageOf } from '../../shared/errors.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import type { Service } from '../operations/service.ts';
import { type Body, makeSentence, renderForm, renderTable } from './desk-html.ts';
import { openSuppressionTest, readNewest, renderListed } from './listing-pages.ts';

/** What the commands already say of runs. */
export type RunActions = {
  /** Lists what a run has read and done, or would do. */
  listCounts(run: Run, foreseen?: Foreseen): readonly string[];
  /** Renders the rows of a run's file as it is now, beside what would be served, as `check` does. */
  renderRows(run: Run): Promise<string>;
};

export function renderRuns(runs: readonly Run[]): Markup {
  if (runs.length === 0) return markup`<p>Nothing has been imported yet.</p>`;
  const rows = runs.map(({ run, source, state, startedAt, read, added, detail }) => {
    const link = markup`<a href="runs/${run}">Run ${run}</a>`;
    const facts = [source, state, formatMoment(startedAt), read];
    return [link, ...facts, state === 'kept' ? added : '', detail ?? ''];
  });
  return renderTable(['Run', 'Source', 'State', 'Started', 'Rows', 'New', 'Detail'], rows);
}

/** Renders a run or, with `hasRows`, its rows beside what would be served. */
export async function renderRun(
  service: Service,
  { listCounts }: RunActions,
  { number, hasRows }: { number: number; hasRows: boolean },
): Promise<Body | undefined> {
  const { filings } = service.store;
  const run = await filings.run(number);
  if (run === undefined) return undefined;
  const { state, detail, findings } = run;
  const isHeld = state === 'held';
  const source = service.loaded.city.sources.find(({ id }) => id === run.source);
  const why = detail !== null && markup`<p class="${isHeld ? 'alarm' : 'said'}">${makeSentence(detail)}</p>`;
  const later = isHeld ? await filings.replacing(run) : undefined;
  const decide =
    later === undefined
      ? isHeld && renderDecision(number)
      : markup`<p>This run can no longer be accepted: run <a href="runs/${later.run}">${later.run}</a> came later.</p>`;
  if (hasRows)
    return {
      title: `The rows of run ${number}`,
      main: markup`<p><a href="runs/${number}">Back to run ${number}</a></p>${why}
<p class="muted">The file is read again as it is now, which can take a while. The page says whether it has changed since the run.</p>
<iframe class="tall" src="runs/${number}/rows/page" title="The rows" sandbox></iframe>${decide}`,
    };
  const foreseen = await filings.foresee(run);
  const rows =
    source?.from.place !== undefined &&
    markup`<p><a href="runs/${number}/rows">Its rows beside what would be served</a></p>`;
  const found = findings.map(({ severity, code, detail }) => [code, severity, detail]);
  const counts = listCounts(run, foreseen).map((line) => markup`<li>${line}</li>`);
  return {
    title: `Run ${number}: ${state}`,
    main: markup`${why}<p>${run.source}: ${run.place}, ${formatMoment(run.startedAt)}</p><ul>${counts}</ul>
${found.length > 0 && markup`<h2>Findings</h2>${renderTable([], found)}`}
${foreseen !== undefined && renderMissing(foreseen)}${state === 'kept' && (await renderNew(service, run))}${rows}${decide}`,
  };
}

async function renderNew(service: Service, { run, added }: Run): Promise<Markup | false> {
  if (added === 0) return false;
  const newest = await readNewest(service, run);
  const isPart = newest.length < added && markup`<p class="muted">The newest ${newest.length} of them.</p>`;
  return markup`<h2>New listings: ${formatNumber(added)}</h2>${isPart}${renderListed(service, newest, await openSuppressionTest(service))}`;
}

/** Says which served listings the file of a held run lacks, and what accepting the run does with them. */
function renderMissing({ missing: { count, names } }: Foreseen): Markup | false {
  if (count === 0) return false;
  const listed = names.map((name) => markup`<li>${name}</li>`);
  const more = count > names.length && markup`<li>and ${formatNumber(count - names.length)} more</li>`;
  return markup`<h2>Stored listings that are not in this file, by their filed names: ${formatNumber(count)}</h2>
<p>If you accept the run, they stay as they are: a row that only disappears closes no business.</p><ul class="plain">${listed}${more}</ul>`;
}

function renderDecision(number: number): Markup {
  return markup`<h2>Decide</h2><p>Accept the run only if the reason above is normal for this register. You cannot undo this.</p>
${renderForm(`runs/${number}/accept`, 'Accept the run')}
<p>Otherwise refuse it: this file is then not imported until it or <code>city.yaml</code> changes. You cannot undo this either.</p>
${renderForm(`runs/${number}/refuse`, 'Refuse the run')}`;
}

/** Renders the rows alone, for the frame of their page. */
export async function renderFramedRows(
  { store }: Service,
  { renderRows }: RunActions,
  number: number,
): Promise<string | undefined> {
  const run = await store.filings.run(number);
  if (run === undefined) return undefined;
  return renderRows(run).catch(
    (error: unknown) =>
      markup`<!doctype html><html lang="en"><title>No rows</title><p>The file cannot be read: ${messageOf(error)}</p></html>`
        .html,
  );
}
